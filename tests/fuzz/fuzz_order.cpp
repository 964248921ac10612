// Any text as an order: an error that names the field, or an order that survives JSON and storage.
#include <nlohmann/json.hpp>

#include "domain/event.h"
#include "domain/game_testing.h"
#include "domain/json_reader.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Roster roster = testing::small_roster();
  static const OrderType types[] = {{"Everything",
                                     "",
                                     {{"unit", FieldKind::kUnit, false, {}},
                                      {"units", FieldKind::kUnits, false, {}},
                                      {"space", FieldKind::kSpace, false, {}},
                                      {"path", FieldKind::kSpaces, false, {}},
                                      {"enemy", FieldKind::kSide, false, {}},
                                      {"count", FieldKind::kNumber, false, {}},
                                      {"counts", FieldKind::kNumbers, false, {}},
                                      {"night", FieldKind::kFlag, false, {}},
                                      {"pace", FieldKind::kChoice, false, {"slow", "fast"}},
                                      {"note", FieldKind::kText, false, {}},
                                      {"losses", FieldKind::kUnitNumbers, false, {"steps"}},
                                      {"retreats", FieldKind::kUnitSpaces, false, {"to"}},
                                      {"first", FieldKind::kStep, false, {"all", "none"}}},
                                     ""}};
  auto document = parse_json(fuzz::text(data, size));
  if (!document) return 0;
  auto order = order_from_json(*document, types, roster, nullptr);
  if (!order) {
    fuzz::must(order.error().text.starts_with("order"));
    return 0;
  }
  fuzz::must(check_order(*order, roster).ok());
  auto again = order_from_json(order_to_json(*order, roster), types, roster, nullptr);
  fuzz::must(again.ok() && *again == *order);
  EventWriter writer;
  EventList events;
  writer.order_issued(events, *order);
  auto stored = read_order(**open_event(events[0]), types, roster);
  fuzz::must(stored.ok());
  fuzz::must(order_to_json(*stored, roster) == order_to_json(*order, roster));
  return 0;
}

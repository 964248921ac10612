// Any bytes as a stored event: what the verifier lets through must not hurt anyone who reads it,
// and what apply accepts, revert undoes.
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_reader.h"
#include "domain/rule_system.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_world.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Game game = testing::small_game();
  static const Position start = fuzz::busy_position(game);
  static const OrderType types[] = {
      {"March",
       "",
       {{"unit", FieldKind::kUnit, true, {}}, {"path", FieldKind::kSpaces, true, {}}},
       ""}};
  EventList list;
  list.add(0, {data, size});
  auto opened = open_event(list[0]);
  if (!opened) return 0;
  const fb::Event& event = **opened;

  Position position = start;
  const Fault fault = apply(position, event, {true});
  if (fault == Fault::kNone) {
    fuzz::must(Position::from_bytes(game.roster(), position.to_bytes()).ok());
    fuzz::must(revert(position, event) == Fault::kNone);
  } else {
    describe(fault, position, event, game.roster());
  }
  fuzz::must(position == start);

  // Without duplicate keys in the event itself, its JSON is well formed.
  fuzz::must(nlohmann::json::accept(event_json(event, 1, game.roster())));
  if (auto order = read_order(event, types, game.roster())) order_to_json(*order, game.roster());
  if (auto created = read_game_created(event)) Position{created->roster}.digest();
  (void)read_epoch(event);
  (void)open_game(event, {});
  return 0;
}

// What a side may order now.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::size_t kLegalMax = 5'000;

bool holds_units(FieldKind kind) {
  return kind == FieldKind::kUnit || kind == FieldKind::kUnits || kind == FieldKind::kUnitNumbers ||
         kind == FieldKind::kUnitSpaces || kind == FieldKind::kStep;
}

// The units an order names, as numbers.
std::vector<std::int32_t> units_named(const Order& order) {
  std::vector<std::int32_t> found;
  const std::vector<OrderField>& fields = order.type().fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!holds_units(fields[i].kind) || !order.values()[i]) continue;
    const std::vector<std::int32_t>& numbers = order.values()[i]->numbers;
    // Pairs hold a unit first, then its number or space.
    const bool pairs =
        fields[i].kind == FieldKind::kUnitNumbers || fields[i].kind == FieldKind::kUnitSpaces;
    for (std::size_t n = 0; n < numbers.size(); n += pairs ? 2 : 1) {
      if (numbers[n] >= 0) found.push_back(numbers[n]);
    }
  }
  return found;
}

// Which of a side's orders are asked for. Where there are too many to list, `unit` and `each` ask
// for the ones that matter.
struct LegalChoice {
  bool only_unit = false;  // unit=39Pz: what that unit may do; unit= (empty): what needs no unit
  UnitId unit;
  std::uint64_t each = UINT64_MAX;  // at most so many orders of each unit
  std::map<std::int32_t, std::uint64_t> shown = {};
  bool left_out = false;

  bool wants(const Order& order) {
    const std::vector<std::int32_t> named = units_named(order);
    if (only_unit && unit.ok() && !std::ranges::count(named, unit.value)) return false;
    if (only_unit && !unit.ok() && !named.empty()) return false;
    if (named.empty() || ++shown[named.front()] <= each) return true;
    left_out = true;
    return false;
  }
};

Result<LegalChoice> read_legal_choice(const Request& request, const Roster& roster) {
  LegalChoice choice;
  if (auto about = request.query.get("unit")) {
    choice.only_unit = true;
    if (!about->empty()) {
      choice.unit = roster.unit(*about);
      if (!choice.unit.ok()) return invalid("unit: there is no such unit");
    }
  }
  auto each = request.query.get_uint("each", kLegalMax);
  if (!each) return std::move(each).error();
  if (*each) choice.each = std::max<std::uint64_t>(1, **each);
  return choice;
}

Answer get_legal(const Scene& scene) {
  auto name = scene.request.query.get("side");
  if (!name) return invalid("side: is missing");
  const SideId side = scene.game->roster().side(*name);
  if (!side) return invalid("side: there is no such side");
  // What a side could do tells what it has: only that side (or who sees everything) may ask.
  if (!may_order(scene, side)) return denied("only who plays this side may ask for its orders");
  auto most = limit_of(scene.request, kLegalMax, kLegalMax);
  if (!most) return std::move(most).error();
  auto choice = read_legal_choice(scene.request, scene.game->roster());
  if (!choice) return std::move(choice).error();
  auto head = scene.service.time.head(scene.branch.branch);
  if (!head) return std::move(head).error();
  std::vector<Order> orders;
  const RuleSystem* system = scene.game->game.system;
  if (system && !head->position.over && head->position.pending(side).kind != 0) {
    system->legal_orders(scene.game->game, head->position, side, [&](const Order& order) {
      if (!choice->wants(order)) return true;
      if (orders.size() == *most) {
        choice->left_out = true;
        return false;
      }
      orders.push_back(order);
      return true;
    });
  }
  json list = json::array();
  for (const Order& order : orders) list.push_back(order_to_json(order, scene.game->roster()));
  return json_response(200, {{"orders", std::move(list)}, {"complete", !choice->left_out}});
}

}  // namespace

void add_legal_routes(Routes& routes) {
  routes.add(Method::kGet, "/legal", get_legal, {{"side", "limit", "unit", "each"}});
}

}  // namespace wardiary::http

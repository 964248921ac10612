// Orders: what a side may do now, and doing it.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/json_reader.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::size_t kLegalMax = 5'000;

// The mainline belongs to its seats; a what-if to whoever may look at everything in it.
bool may_order(const Scene& scene, SideId side) {
  if (!scene.branch.parent) return Access::may_order(scene.grant, *scene.game, side);
  return scene.over || Access::is_referee(scene.grant, *scene.game);
}

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

Response get_legal(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  auto name = request.query.get("side");
  if (!name) return problem(400, "invalid", "A parameter is missing", "side: is missing");
  const SideId side = scene.game->roster().side(*name);
  if (!side) return problem(400, "invalid", "A parameter is wrong", "side: there is no such side");
  // What a side could do tells what it has: only that side (or who sees everything) may ask.
  if (!may_order(scene, side)) {
    return problem(403, "denied", "Not allowed", "only who plays this side may ask for its orders");
  }
  auto limit = request.query.get_uint("limit", kLegalMax);
  if (!limit) return problem(limit.error());
  const std::size_t most = std::max<std::size_t>(1, limit->value_or(kLegalMax));
  auto choice = read_legal_choice(request, scene.game->roster());
  if (!choice) return problem(choice.error());
  auto head = service.time.head(scene.branch.branch);
  if (!head) return problem(head.error());
  std::vector<Order> orders;
  const RuleSystem* system = scene.game->game.system;
  if (system && !head->position.over && head->position.pending(side).kind != 0) {
    system->legal_orders(scene.game->game, head->position, side, [&](const Order& order) {
      if (!choice->wants(order)) return true;
      if (orders.size() == most) {
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

struct OrderInput {
  OrderRequest request;
  json order;
};

Result<OrderInput> read_order_input(const Request& request, const Scene& scene, const json& body) {
  JsonReader in(body, "");
  in.only({"order", "expectedVersion", "dice"});
  OrderInput out;
  out.request.branch = scene.branch.branch;
  if (const json* order = in.get("order"); order && order->is_object()) {
    out.order = *order;
  } else {
    in.complain("order", "must be an object");
  }
  if (in.has("expectedVersion")) {
    out.request.expected = static_cast<Version>(in.number("expectedVersion", 0, INT64_MAX));
  }
  if (const json* dice = in.get("dice")) {
    std::vector<std::uint32_t> values;
    if (!dice->is_array() || dice->size() > 10'000) in.complain("dice", "must be a list of faces");
    for (const json& v : *dice) {
      if (!v.is_number_unsigned() || v.get<std::uint64_t>() > 1'000'000) {
        in.complain("dice", "must be a list of faces");
        break;
      }
      values.push_back(v.get<std::uint32_t>());
    }
    out.request.dice = std::move(values);
  }
  if (!in.ok()) return std::move(in).error();
  if (auto key = request.headers.get("Idempotency-Key")) {
    // The key belongs to whoever sent it: another seat's key of the same words is another command.
    const Hash hash = sha256(bytes_of(std::string(*key) + "\n" + scene.grant.seat));
    out.request.command = *Id::from(hash.view().first(16));
  }
  out.request.author = scene.grant.role == Grant::Role::kSeat
                           ? scene.grant.seat
                           : std::string(role_word(scene.grant.role));
  return out;
}

Response answer_order(const OrderAnswer& answer) {
  if (const auto* accepted = std::get_if<OrderAccepted>(&answer)) {
    return json_response(
        200,
        {{"first", accepted->first}, {"last", accepted->last}, {"duplicate", accepted->duplicate}});
  }
  if (const auto* conflict = std::get_if<VersionConflict>(&answer)) {
    return problem(409, "version_conflict", "The game has moved on",
                   "the branch is at version " + std::to_string(conflict->current),
                   {{"currentVersion", conflict->current}});
  }
  if (const auto* refused = std::get_if<Rejection>(&answer)) {
    return problem(422, refused->code, "The rules do not allow it", refused->text,
                   {{"rule", refused->rule}});
  }
  const auto& waiting = std::get<OrderSuspended>(answer).waiting_for;
  return json_response(202, {{"suspended", true}, {"waitingFor", waiting.purpose}});
}

Response post_order(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  BodyOrAnswer read = read_body(request);
  if (!read.body) return std::move(read.answer);
  auto input = read_order_input(request, scene, *read.body);
  if (!input) return problem(input.error());
  const RuleSystem* system = scene.game->game.system;
  if (!system)
    return problem(422, "NO_RULES", "No rules", "this service has no rules for this game");
  const Board& board = *scene.game->game.board;
  auto order = order_from_json(input->order, system->order_types(), scene.game->roster(),
                               [&](std::string_view name) { return board.find(name); });
  if (!order) return problem(order.error());
  if (!may_order(scene, order->side)) {
    return problem(403, "denied", "Not allowed", "this side is not yours to order");
  }
  auto answer = service.referee.order(input->request, *order);
  if (!answer) return problem(answer.error());
  return answer_order(*answer);
}

}  // namespace

void add_order_routes(Service& service, Router& router) {
  const std::string branch = "/games/{game:id}/branches/{branch:id}";
  router.get(branch + "/legal", [&service](const Request& r) { return get_legal(service, r); },
             Run::kPool, {"side", "limit", "unit", "each"});
  router.post(branch + "/orders", [&service](const Request& r) { return post_order(service, r); });
}

}  // namespace wardiary::http

// Orders and, for games kept by hand, facts.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "http/api/order_answers.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::size_t kFacesMax = 10'000;
constexpr std::uint64_t kFaceMax = 1'000'000;
constexpr std::size_t kFactsMax = 1'000;

// The faces of dice that were rolled elsewhere.
std::optional<std::vector<std::uint32_t>> read_faces(JsonReader& in) {
  const json* dice = in.get("dice");
  if (!dice) return std::nullopt;
  const auto is_face = [](const json& v) {
    return v.is_number_unsigned() && v.get<std::uint64_t>() <= kFaceMax;
  };
  if (!dice->is_array() || dice->size() > kFacesMax ||
      !std::all_of(dice->begin(), dice->end(), is_face)) {
    in.complain("dice", "must be a list of faces");
    return std::nullopt;
  }
  return dice->get<std::vector<std::uint32_t>>();
}

// The version in If-Match: "12".
Result<std::optional<Version>> version_in_if_match(const Request& request) {
  auto match = request.headers.get("If-Match");
  if (!match) return std::optional<Version>();
  Query number;
  if (match->size() > 2 && match->front() == '"' && match->back() == '"') {
    number.add("If-Match", std::string(match->substr(1, match->size() - 2)));
  }
  auto version = number.get_uint("If-Match", INT64_MAX);
  if (!version || !*version) return invalid("If-Match: must be a version in quotes");
  return version;
}

}  // namespace

Result<OrderRequest> read_order_request(const Scene& scene, JsonReader& in) {
  OrderRequest out;
  out.branch = scene.branch.branch;
  if (in.has("expectedVersion")) {
    out.expected = static_cast<Version>(in.number("expectedVersion", 0, INT64_MAX));
  }
  if (!in.ok()) return std::move(in).error();
  auto match = version_in_if_match(scene.request);
  if (!match) return std::move(match).error();
  if (*match && out.expected && *out.expected != **match) {
    return invalid("expectedVersion: is not what If-Match says");
  }
  if (*match) out.expected = **match;
  if (auto command = command_of(scene)) out.command = *command;
  out.author = author_of(scene.grant);
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
  const auto& suspended = std::get<OrderSuspended>(answer);
  json waiting = {{"suspended", true}, {"waitingFor", suspended.waiting_for.purpose}};
  if (suspended.version) waiting["version"] = suspended.version;
  return json_response(202, waiting);
}

namespace {

Answer post_order(const Scene& scene) {
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"order", "expectedVersion", "dice"});
  const json* words = in.get("order");
  if (!words || !words->is_object()) in.complain("order", "must be an object");
  auto dice = read_faces(in);
  auto request = read_order_request(scene, in);
  if (!request) return std::move(request).error();
  request->dice = std::move(dice);
  const RuleSystem* system = scene.game->game.system;
  if (!system) return problem(422, "NO_RULES", "No rules", scene.game->game.no_rules);
  const Board& board = *scene.game->game.board;
  auto order = order_from_json(*words, system->order_types(), scene.game->roster(),
                               [&](std::string_view name) { return board.find(name); });
  if (!order) return std::move(order).error();
  if (!may_order(scene, order->side)) return denied("this side is not yours to order");
  auto answer = scene.service.referee.order(*request, *order);
  if (!answer) return std::move(answer).error();
  return answer_order(*answer);
}

// The referee counts facts as lines; here they are members of a list.
Error in_list(Error error) {
  constexpr std::string_view kLine = "line ", kFact = ": fact";
  const std::size_t end = error.text.find(kFact);
  std::uint64_t line = 0;
  const char* digits = error.text.data() + kLine.size();
  if (error.text.starts_with(kLine) && end != std::string::npos &&
      std::from_chars(digits, error.text.data() + end, line).ec == std::errc() && line > 0) {
    error.text = "facts[" + std::to_string(line - 1) + "]" + error.text.substr(end + kFact.size());
  }
  return error;
}

// What happened at the table, for the scribe of a game that is kept by hand.
Answer post_facts(const Scene& scene) {
  if (!scene.is_referee()) return denied("only the referee writes into a game kept by hand");
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"facts", "expectedVersion"});
  std::vector<json> facts;
  in.each("facts", kFactsMax, [&](JsonReader& fact) { facts.push_back(fact.value()); });
  auto request = read_order_request(scene, in);
  if (!request) return std::move(request).error();
  auto answer = scene.service.referee.record(*request, facts);
  if (!answer) return in_list(std::move(answer).error());
  return answer_order(*answer);
}

}  // namespace

void add_order_routes(Routes& routes) {
  routes.add(Method::kPost, "/orders", post_order);
  routes.add(Method::kPost, "/facts", post_facts);
}

}  // namespace wardiary::http

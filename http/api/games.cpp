// Systems and games: what can be played, what is kept, and new ones.
#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/json_reader.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::string_view kFieldKinds[] = {"unit",   "units",   "space",  "spaces", "side",
                                            "number", "numbers", "flag",   "choice", "text",
                                            "unitNumbers", "unitSpaces", "step"};

json option_json(const OptionSpec& option) {
  json out = {{"name", option.name}, {"default", option.otherwise}, {"rule", option.rule},
              {"help", option.help}, {"choices", option.choices}};
  if (option.choices.empty()) {
    out["min"] = option.min;
    out["max"] = option.max;
  }
  return out;
}

json order_types_json(const RuleSystem& system) {
  json out = json::array();
  for (const OrderType& type : system.order_types()) {
    json fields = json::array();
    for (const OrderField& field : type.fields) {
      fields.push_back({{"name", field.name},
                        {"kind", kFieldKinds[static_cast<std::size_t>(field.kind)]},
                        {"required", field.required},
                        {"choices", field.choices}});
    }
    out.push_back({{"name", type.name}, {"rule", type.rule}, {"help", type.help},
                   {"fields", std::move(fields)}});
  }
  return out;
}

Response get_systems() {
  json systems = json::array();
  for (const RuleSystem* system : rule_systems()) {
    json scenarios = json::array();
    for (const ScenarioInfo& s : system->scenarios()) {
      scenarios.push_back({{"id", s.id}, {"title", s.title}, {"board", s.board}});
    }
    json options = json::array();
    for (const OptionSpec& option : system->options()) options.push_back(option_json(option));
    systems.push_back({{"name", system->name()}, {"title", system->title()},
                       {"rulesVersion", system->rules_version()},
                       {"scenarios", std::move(scenarios)}, {"options", std::move(options)}});
  }
  return json_response(200, {{"systems", std::move(systems)}});
}

json clock_json(const Clock& clock, const Roster& roster) {
  json out = {{"turn", clock.turn}, {"turnName", roster.turn_name(clock.turn)}};
  out["phase"] = clock.phase < roster.phases.size() ? json(roster.phases[clock.phase]) : json();
  out["side"] = clock.side >= 0 ? json(roster.sides[static_cast<std::size_t>(clock.side)]) : json();
  return out;
}

// One line of the games list. Nothing in it depends on who asks.
Result<json> summary(Service& service, const GameInfo& info) {
  auto game = service.library.game(info.game);
  if (!game) return std::move(game).error();
  auto head = service.time.head(info.mainline);
  if (!head) return std::move(head).error();
  const GameCreatedFacts& created = (*game)->game.created;
  const RuleSystem* system = (*game)->game.system;
  json seats = json::array();
  for (const SeatSpec& seat : created.seats) {
    json sides = json::array();
    for (SideId side : seat.sides) sides.push_back((*game)->roster().sides[side.index()]);
    seats.push_back({{"name", seat.name}, {"sides", std::move(sides)}});
  }
  const Position& position = head->position;
  return json{{"id", to_hex(info.game)},
              {"name", info.name},
              {"system", created.system},
              {"systemTitle", system ? system->title() : std::string_view(created.system)},
              {"scenario", created.scenario},
              {"keeping", created.keeping == Keeping::kScribed ? "scribed" : "refereed"},
              {"mainline", to_hex(info.mainline)},
              {"version", head->version},
              {"createdAt", info.created_at_ms},
              {"over", position.over},
              {"winner", position.winner >= 0
                             ? json((*game)->roster().sides[static_cast<std::size_t>(position.winner)])
                             : json()},
              {"clock", clock_json(position.clock, (*game)->roster())},
              {"seats", std::move(seats)}};
}

Response get_games(Service& service, const Request& request) {
  auto limit = request.query.get_uint("limit", 200);
  if (!limit) return problem(limit.error());
  std::optional<std::string> after;
  if (auto cursor = request.query.get("after")) after = std::string(*cursor);
  auto page = service.store.games(after, limit->value_or(50));
  if (!page) return problem(page.error());
  json games = json::array();
  for (const GameInfo& info : page->items) {
    auto line = summary(service, info);
    // One unreadable game must not hide the others: it is listed with its error.
    games.push_back(line ? std::move(*line)
                         : json{{"id", to_hex(info.game)}, {"name", info.name},
                                {"error", name_of(line.error().code)}});
  }
  return json_response(200, {{"games", std::move(games)},
                             {"next", page->next ? json(*page->next) : json()}});
}

Response get_game(Service& service, const Request& request) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  auto info = service.store.game(opened.game->id);
  if (!info) return problem(info.error());
  auto out = summary(service, *info);
  if (!out) return problem(out.error());
  const Roster& roster = opened.game->roster();
  (*out)["sides"] = roster.sides;
  (*out)["phases"] = roster.phases;
  (*out)["turns"] = roster.turns;
  json units = json::array();
  for (const RosterUnit& unit : roster.units) {
    units.push_back({{"id", unit.name},
                     {"title", unit.title},
                     {"type", unit.type},
                     {"side", unit.side.ok() ? json(roster.sides[unit.side.index()]) : json()}});
  }
  (*out)["units"] = std::move(units);
  (*out)["options"] = opened.game->game.options;
  const Viewer viewer = Access::viewer(opened.grant, *opened.game, (*out)["over"].get<bool>());
  json who = {{"kind", viewer.kind == Viewer::Kind::kReferee ? "referee"
                       : viewer.kind == Viewer::Kind::kSide  ? "side"
                                                             : "spectator"},
              {"role", role_word(opened.grant.role)}};
  if (viewer.kind == Viewer::Kind::kSide) who["side"] = roster.sides[viewer.side.index()];
  (*out)["viewer"] = std::move(who);
  (*out)["orderTypes"] = opened.game->game.system ? order_types_json(*opened.game->game.system) : json::array();
  return json_response(200, *out);
}

// The id every retry of the same creation maps to.
CommandId command_of(const Request& request) {
  auto key = request.headers.get("Idempotency-Key");
  if (!key) return random_id();
  const Hash hash = sha256(bytes_of(*key));
  return *Id::from(hash.view().first(16));
}

Response post_game(Service& service, const Request& request) {
  auto grant = service.access.who(request);
  if (!grant) return problem(401, "unknown_token", "Not known", grant.error().text);
  if (!service.options.anyone_may_create && grant->role != Grant::Role::kAdmin) {
    return problem(403, "denied", "Not allowed", "only the administrator may create games here");
  }
  BodyOrAnswer read = read_body(request);
  if (!read.body) return std::move(read.answer);
  JsonReader in(*read.body, "");
  in.only({"name", "system", "scenario", "options", "keeping"});
  GameRequest wanted;
  wanted.name = in.text_or("name", "");
  wanted.system = in.text("system");
  wanted.spec.scenario = in.text("scenario");
  const std::string keeping = in.text_or("keeping", "refereed");
  if (keeping != "refereed" && keeping != "scribed") {
    in.complain("keeping", "must be refereed or scribed");
  }
  wanted.keeping = keeping == "scribed" ? Keeping::kScribed : Keeping::kRefereed;
  if (in.has("options")) {
    in.each_member("options", [&](const std::string& name, JsonReader& value) {
      if (!value.value().is_string()) return value.complain("", "must be a text");
      wanted.spec.options[name] = value.value().get<std::string>();
    });
  }
  if (!in.ok()) return problem(std::move(in).error());
  wanted.command = command_of(request);
  wanted.author = "service";
  auto game = service.referee.create(wanted);
  if (!game) return problem(game.error());

  Grant referee{Grant::Role::kReferee, (*game)->id, "", {}};
  auto referee_token = service.access.issue(referee);
  if (!referee_token) return problem(referee_token.error());
  json seats = json::object();
  for (const SeatSpec& seat : (*game)->game.created.seats) {
    auto token = service.access.issue({Grant::Role::kSeat, (*game)->id, seat.name, seat.sides});
    if (!token) return problem(token.error());
    seats[seat.name] = *token;
  }
  auto branch = service.store.branch((*game)->mainline);
  if (!branch) return problem(branch.error());
  Response answer = json_response(
      201, {{"id", to_hex((*game)->id)},
            {"mainline", to_hex((*game)->mainline)},
            {"version", branch->version},
            {"tokens", {{"referee", *referee_token}, {"seats", std::move(seats)}}}});
  answer.headers.set("Location", "/games/" + to_hex((*game)->id));
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

// A file the game was created from: its board or its scenario, as published. Neither depends on who
// asks.
Response get_content(Service& service, const Request& request, std::string_view role) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  for (const ContentRef& content : opened.game->game.created.contents) {
    if (content.role != role) continue;
    auto bytes = service.store.content(content.sha256);
    if (!bytes) return problem(bytes.error());
    return immutable_json(request, to_hex(content.sha256), std::string(text_of(*bytes)));
  }
  return problem(not_found("the game has no " + std::string(role)));
}

}  // namespace

void add_game_routes(Service& service, Router& router) {
  router.get("/systems", [](const Request&) { return get_systems(); });
  router.get("/games", [&service](const Request& r) { return get_games(service, r); }, Run::kPool,
             {"after", "limit"});
  router.post("/games", [&service](const Request& r) { return post_game(service, r); });
  router.get("/games/{game:id}", [&service](const Request& r) { return get_game(service, r); });
  router.get("/games/{game:id}/board",
             [&service](const Request& r) { return get_content(service, r, "board"); });
  router.get("/games/{game:id}/scenario",
             [&service](const Request& r) { return get_content(service, r, "scenario"); });
}

}  // namespace wardiary::http

// Systems and games: what can be played, and what is kept.
#include <nlohmann/json.hpp>

#include "domain/event.h"
#include "domain/schema/event_generated.h"
#include "http/api/players.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr Version kLookBackMax = 500;  // events, for the time of the last commit

constexpr std::string_view kFieldKinds[] = {"unit",        "units",      "space", "spaces", "side",
                                            "number",      "numbers",    "flag",  "choice", "text",
                                            "unitNumbers", "unitSpaces", "step"};

json option_json(const OptionSpec& option) {
  json out = {{"name", option.name},
              {"default", option.otherwise},
              {"rule", option.rule},
              {"help", option.help},
              {"choices", option.choices}};
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
    out.push_back({{"name", type.name},
                   {"rule", type.rule},
                   {"help", type.help},
                   {"fields", std::move(fields)}});
  }
  return out;
}

Answer get_systems(const Asker&) {
  json systems = json::array();
  for (const RuleSystem* system : rule_systems()) {
    json scenarios = json::array();
    for (const ScenarioInfo& s : system->scenarios()) {
      scenarios.push_back({{"id", s.id}, {"title", s.title}, {"board", s.board}});
    }
    json options = json::array();
    for (const OptionSpec& option : system->options()) options.push_back(option_json(option));
    systems.push_back({{"name", system->name()},
                       {"title", system->title()},
                       {"rulesVersion", system->rules_version()},
                       {"scenarios", std::move(scenarios)},
                       {"options", std::move(options)}});
  }
  // The grades of dice that a new game may ask for.
  return json_response(200, {{"systems", std::move(systems)}, {"dice", {"solo", "live", "async"}}});
}

json clock_json(const Clock& clock, const Roster& roster) {
  json out = {{"turn", clock.turn}, {"turnName", roster.turn_name(clock.turn)}};
  out["phase"] = clock.phase < roster.phases.size() ? json(roster.phases[clock.phase]) : json();
  out["side"] = clock.side >= 0 ? json(roster.sides[static_cast<std::size_t>(clock.side)]) : json();
  return out;
}

// When the last commit was made, as its first event says.
Result<std::uint64_t> changed_at(EventStore& store, const BranchId& branch, Version version) {
  std::uint64_t found = 0;
  const Version first = version > kLookBackMax ? version - kLookBackMax : 1;
  Status read = store.read_backwards(branch, version, first, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    found = event ? (*event)->recorded_at_ms() : 0;
    return found == 0;
  });
  if (!read) return std::move(read).error();
  return found;
}

json seats_json(const OpenGame& game, const std::map<std::string, std::string>& players) {
  json seats = json::array();
  for (const SeatSpec& seat : game.game.created.seats) {
    json sides = json::array();
    for (SideId side : seat.sides) sides.push_back(game.roster().sides[side.index()]);
    json one = {{"name", seat.name}, {"sides", std::move(sides)}};
    auto player = players.find(seat.name);
    if (player != players.end()) one["player"] = player->second;
    seats.push_back(std::move(one));
  }
  return seats;
}

json score_json(const OpenGame& game, const Position& position) {
  json totals = json::object();
  for (const std::string& side : game.roster().sides) totals[side] = 0;
  for (const ScoreTerm& term : game.game.system->score(game.game, position)) {
    json& total = totals[game.roster().sides[term.side.index()]];
    total = total.get<std::int64_t>() + term.value;
  }
  return totals;
}

// One line of the games list.
Result<json> summary(Service& service, const GameInfo& info, const Grant& grant) {
  auto opened = service.library.game(info.game);
  if (!opened) return std::move(opened).error();
  const OpenGame& game = **opened;
  auto head = service.time.head(info.mainline);
  if (!head) return std::move(head).error();
  auto changed = changed_at(service.store, info.mainline, head->version);
  if (!changed) return std::move(changed).error();
  auto players = players_of(service.store, info.game);
  if (!players) return std::move(players).error();
  const GameCreatedFacts& created = game.game.created;
  const RuleSystem* system = game.game.system;
  const Position& position = head->position;
  json out = {{"id", to_hex(info.game)},
              {"name", info.name},
              {"system", created.system},
              {"systemTitle", system ? system->title() : std::string_view(created.system)},
              {"scenario", created.scenario},
              {"keeping", created.keeping == Keeping::kScribed ? "scribed" : "refereed"},
              {"mainline", to_hex(info.mainline)},
              {"version", head->version},
              {"createdAt", info.created_at_ms},
              {"changedAt", *changed ? *changed : info.created_at_ms},
              {"over", position.over},
              {"winner", position.winner >= 0
                             ? json(game.roster().sides[static_cast<std::size_t>(position.winner)])
                             : json()},
              {"clock", clock_json(position.clock, game.roster())},
              {"seats", seats_json(game, *players)}};
  const View view(game.game, Access::viewer(grant, game, position.over));
  if (system && view.sees_score(position)) out["score"] = score_json(game, position);
  return out;
}

Answer get_games(const Asker& asker) {
  Service& service = asker.service;
  auto limit = limit_of(asker.request, 50, 200);
  if (!limit) return std::move(limit).error();
  Page<GameInfo> page;
  if (service.options.anyone_may_look || asker.grant.role == Grant::Role::kAdmin) {
    auto all = service.store.games(cursor_of(asker.request), *limit);
    if (!all) return std::move(all).error();
    page = std::move(*all);
  } else if (asker.grant.game) {
    auto own = service.store.game(*asker.grant.game);
    if (!own) return std::move(own).error();
    page.items.push_back(std::move(*own));
  }
  json games = json::array();
  for (const GameInfo& info : page.items) {
    auto line = summary(service, info, asker.grant);
    // One unreadable game must not hide the others: it is listed with its error.
    games.push_back(line ? std::move(*line)
                         : json{{"id", to_hex(info.game)},
                                {"name", info.name},
                                {"error", name_of(line.error().code)}});
  }
  return json_response(
      200, {{"games", std::move(games)}, {"next", page.next ? json(*page.next) : json()}});
}

Answer get_game(const GameScene& scene) {
  auto info = scene.service.store.game(scene.game->id);
  if (!info) return std::move(info).error();
  auto out = summary(scene.service, *info, scene.grant);
  if (!out) return std::move(out).error();
  const Roster& roster = scene.game->roster();
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
  (*out)["options"] = scene.game->game.options;
  json who = {{"kind", scene.viewer.kind == Viewer::Kind::kReferee ? "referee"
                       : scene.viewer.kind == Viewer::Kind::kSide  ? "side"
                                                                   : "spectator"},
              {"role", role_word(scene.grant.role)}};
  if (scene.viewer.kind == Viewer::Kind::kSide) {
    who["side"] = roster.sides[scene.viewer.side.index()];
  }
  (*out)["viewer"] = std::move(who);
  const RuleSystem* system = scene.game->game.system;
  (*out)["orderTypes"] = system ? order_types_json(*system) : json::array();
  return json_response(200, *out);
}

// A file the game was created from: its board or its scenario, as published. Neither depends on who
// asks.
Answer get_content(const GameScene& scene, std::string_view role) {
  for (const ContentRef& content : scene.game->game.created.contents) {
    if (content.role != role) continue;
    auto bytes = scene.service.store.content(content.sha256);
    if (!bytes) return std::move(bytes).error();
    Response answer = json_text(200, std::string(text_of(*bytes)));
    answer.headers.set("ETag", "\"" + to_hex(content.sha256) + "\"");
    answer.headers.set("Cache-Control", "private, max-age=31536000, immutable");
    return answer;
  }
  return not_found("the game has no " + std::string(role));
}
Answer get_board(const GameScene& scene) {
  return get_content(scene, "board");
}
Answer get_scenario(const GameScene& scene) {
  return get_content(scene, "scenario");
}

}  // namespace

void add_game_routes(Routes& routes) {
  routes.add(Method::kGet, "/systems", get_systems);
  routes.add(Method::kGet, "/games", get_games, {{"after", "limit"}});
  routes.add(Method::kGet, "", get_game);
  routes.add(Method::kGet, "/board", get_board);
  routes.add(Method::kGet, "/scenario", get_scenario);
}

}  // namespace wardiary::http

// Reading a branch at one event: position, supply, reach, control, score, each as its reader may
// see it. Events themselves are in events.cpp.
#include <nlohmann/json.hpp>

#include "domain/json_writer.h"
#include "http/api/service.h"
#include "projections/control.h"
#include "projections/readings.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

// The version a question is about: ?at=N, or the end of the branch.
struct Moment {
  Version version = 0;
  bool named = false;
  Position position;
};

Result<Moment> moment_of(const Scene& scene) {
  auto at = scene.request.query.get_uint("at", INT64_MAX);
  if (!at) return std::move(at).error();
  Moment out;
  out.named = at->has_value();
  out.version = at->value_or(scene.branch.version);
  auto position = scene.service.time.at(scene.branch.branch, out.version);
  if (!position) return std::move(position).error();
  out.position = std::move(*position);
  return out;
}

Response answer_at(const Scene& scene, const Moment& moment, std::string body) {
  return moment.named ? by_version(scene, std::move(body)) : json_text(200, std::move(body));
}

Answer get_position(const Scene& scene) {
  auto moment = moment_of(scene);
  if (!moment) return std::move(moment).error();
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(moment->version));
  out.key("position");
  scene.view().write_position(out, moment->position);
  out.end_object();
  return answer_at(scene, *moment, std::move(body));
}

Answer get_supply(const Scene& scene) {
  auto moment = moment_of(scene);
  if (!moment) return std::move(moment).error();
  const Game& game = scene.game->game;
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(moment->version));
  out.key("units").begin_array();
  if (game.system) {
    for (const UnitSupply& supply : game.system->supply(game, moment->position)) {
      // The supply of a unit one does not know would tell it from its neighbours.
      if (!view.sees_unit(moment->position, supply.unit)) continue;
      out.begin_object();
      out.member("unit", game.roster().units[supply.unit.index()].name);
      out.member("status", supply.status);
      out.key("path").begin_array();
      for (SpaceId space : supply.path) out.text(game.roster().spaces[space.index()]);
      out.end_array();
      if (!supply.reason.empty()) out.member("reason", supply.reason);
      out.end_object();
    }
  }
  out.end_array().end_object();
  return answer_at(scene, *moment, std::move(body));
}

// The spaces under command of a headquarters, in a unit's zone of control and so on.
Answer get_reach(const Scene& scene) {
  auto moment = moment_of(scene);
  if (!moment) return std::move(moment).error();
  const Game& game = scene.game->game;
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(moment->version));
  out.key("units").begin_array();
  if (game.system) {
    for (const UnitReach& reach : game.system->reach(game, moment->position)) {
      if (!view.sees_unit(moment->position, reach.unit)) continue;  // it would tell its strength
      out.begin_object();
      out.member("unit", game.roster().units[reach.unit.index()].name);
      out.member("kind", reach.kind);
      out.key("spaces").begin_array();
      for (SpaceId space : reach.spaces) out.text(game.roster().spaces[space.index()]);
      out.end_array().end_object();
    }
  }
  out.end_array().end_object();
  return answer_at(scene, *moment, std::move(body));
}

Answer get_score(const Scene& scene) {
  auto moment = moment_of(scene);
  if (!moment) return std::move(moment).error();
  const Game& game = scene.game->game;
  if (!scene.view().sees_score(moment->position)) {
    return is_hidden("the score is hidden until the game is over");
  }
  std::vector<std::int64_t> totals(game.roster().sides.size());
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(moment->version));
  out.key("terms").begin_array();
  if (game.system) {
    for (const ScoreTerm& term : game.system->score(game, moment->position)) {
      out.begin_object();
      out.member("side", game.roster().sides[term.side.index()]);
      out.member("term", term.term).member("value", std::int64_t{term.value});
      if (!term.rule.empty()) out.member("rule", term.rule);
      out.end_object();
      totals[term.side.index()] += term.value;
    }
  }
  out.end_array().key("totals").begin_object();
  for (std::size_t s = 0; s < totals.size(); ++s) out.member(game.roster().sides[s], totals[s]);
  out.end_object().end_object();
  return answer_at(scene, *moment, std::move(body));
}

// Who holds which space, for games that keep control of spaces.
Answer get_control(const Scene& scene) {
  auto moment = moment_of(scene);
  if (!moment) return std::move(moment).error();
  const Game& game = scene.game->game;
  const Roster& roster = game.roster();
  const Control control(roster);
  std::vector<std::vector<std::string_view>> held(roster.sides.size());
  for (std::size_t i = 0; i < roster.spaces.size() && control.attribute() >= 0; ++i) {
    const SpaceId space{static_cast<int>(i)};
    const SideId side = control.holder(moment->position.get(space, control.attribute()));
    const bool seen = scene.sees_everything() || !game.system ||
                      game.system->sees_space_value(game, moment->position, scene.viewer, space,
                                                    control.attribute());
    if (seen && side.ok()) held[side.index()].push_back(roster.spaces[i]);
  }
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(moment->version));
  out.key("sides").begin_object();
  for (std::size_t s = 0; s < held.size(); ++s) {
    out.key(roster.sides[s]).begin_array();
    for (std::string_view space : held[s]) out.text(space);
    out.end_array();
  }
  out.end_object().end_object();
  return answer_at(scene, *moment, std::move(body));
}

// A question of projections/readings.h, as its rows.
Answer get_rows(const Scene& scene, std::string_view name) {
  auto moment = moment_of(scene);
  if (!moment) return std::move(moment).error();
  json rows = json::array();
  for (const Reading& reading : readings()) {
    if (reading.name == name) rows = reading.rows(scene.game->game, moment->position, scene.view());
  }
  const json body = {{"version", moment->version}, {"rows", std::move(rows)}};
  return answer_at(scene, *moment, body.dump());
}
Answer get_sources(const Scene& scene) {
  return get_rows(scene, "sources");
}
Answer get_battles(const Scene& scene) {
  return get_rows(scene, "battles");
}

}  // namespace

void add_reading_routes(Routes& routes) {
  routes.add(Method::kGet, "/position", get_position, {{"at"}});
  routes.add(Method::kGet, "/supply", get_supply, {{"at"}});
  routes.add(Method::kGet, "/score", get_score, {{"at"}});
  routes.add(Method::kGet, "/reach", get_reach, {{"at"}});
  routes.add(Method::kGet, "/control", get_control, {{"at"}});
  routes.add(Method::kGet, "/sources", get_sources, {{"at"}});
  routes.add(Method::kGet, "/battles", get_battles, {{"at"}});
}

}  // namespace wardiary::http

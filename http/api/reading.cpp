// Reading a branch: events, positions, supply, score, timeline and dice, each as its reader may see
// them. What is asked for by a version that exists never changes, and is marked so.
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"
#include "http/api/service.h"
#include "projections/timeline.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::uint64_t kEventsMax = 1'000;
constexpr std::uint64_t kEventsUsual = 200;

// The version a question is about: ?at=N, or the end of the branch.
struct Moment {
  Version version = 0;
  bool named = false;
  Position position;
};

Result<Moment> moment_of(Service& service, const Scene& scene, const Request& request) {
  auto at = request.query.get_uint("at", UINT64_MAX);
  if (!at) return std::move(at).error();
  Moment out;
  out.named = at->has_value();
  out.version = at->value_or(scene.branch.version);
  auto position = service.time.at(scene.branch.branch, out.version);
  if (!position) return std::move(position).error();
  out.position = std::move(*position);
  return out;
}

// The tag of an answer about one version: who looks is part of what is shown.
std::string tag_of(const Scene& scene, std::string_view what, Version version) {
  const std::string viewer = scene.viewer.kind == Viewer::Kind::kReferee ? "r"
                             : scene.viewer.kind == Viewer::Kind::kSide
                                 ? "s" + std::to_string(scene.viewer.side.value)
                                 : "v";
  return to_hex(scene.branch.branch) + "." + std::to_string(version) + "." + std::string(what) + "." +
         viewer;
}

Response answer_at(const Request& request, const Scene& scene, const Moment& moment,
                   std::string_view what, std::string body) {
  if (!moment.named) return plain_json(200, std::move(body));
  return immutable_json(request, tag_of(scene, what, moment.version), std::move(body));
}

Response get_position(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  auto moment = moment_of(service, *opened.scene, request);
  if (!moment) return problem(moment.error());
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(moment->version));
  out.key("position");
  opened.scene->view().write_position(out, moment->position);
  out.end_object();
  return answer_at(request, *opened.scene, *moment, "position", std::move(body));
}

Response get_supply(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  auto moment = moment_of(service, scene, request);
  if (!moment) return problem(moment.error());
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
  return answer_at(request, scene, *moment, "supply", std::move(body));
}

// The spaces under command of a headquarters, in a unit's zone of control and so on.
Response get_reach(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  auto moment = moment_of(service, scene, request);
  if (!moment) return problem(moment.error());
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
  return answer_at(request, scene, *moment, "reach", std::move(body));
}

Response get_score(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  auto moment = moment_of(service, scene, request);
  if (!moment) return problem(moment.error());
  const Game& game = scene.game->game;
  if (!scene.view().sees_score(moment->position)) {
    return problem(403, "hidden", "Hidden", "the score is hidden until the game is over");
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
  return answer_at(request, scene, *moment, "score", std::move(body));
}

Response get_events(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  auto after = request.query.get_uint("after", UINT64_MAX - 1);
  auto limit = request.query.get_uint("limit", kEventsMax);
  if (!after) return problem(after.error());
  if (!limit) return problem(limit.error());
  const Version first = after->value_or(0) + 1;
  const std::uint64_t count = std::max<std::uint64_t>(1, limit->value_or(kEventsUsual));
  const Version last = std::min(scene.branch.version, first + count - 1);

  const View view = scene.view();
  std::string body;
  body.reserve(16'384);
  JsonWriter out(body);
  out.begin_object().key("events").begin_array();
  if (first <= scene.branch.version) {
    Status walked = service.time.walk(
        scene.branch.branch, first, last,
        [&](Version version, const fb::Event& event, ByteView, const Position& before,
            const Position& now) {
          view.write_event(out, event, version, before, now);
          return true;
        });
    if (!walked) return problem(walked.error());
  }
  out.end_array();
  out.key("next");
  if (last < scene.branch.version) {
    out.number(static_cast<std::int64_t>(last));
  } else {
    out.null();
  }
  out.member("version", static_cast<std::int64_t>(scene.branch.version)).end_object();
  return plain_json(200, std::move(body));
}

Response get_timeline(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  const View view = scene.view();
  Timeline timeline(scene.game->game, view);
  Status walked = service.time.walk(scene.branch.branch, 1, scene.branch.version,
                                    [&](Version version, const fb::Event& event, ByteView,
                                        const Position& before, const Position& after) {
                                      timeline.step(version, event, before, after);
                                      return true;
                                    });
  if (!walked) return problem(walked.error());
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(scene.branch.version));
  out.key("phases");
  timeline.write(out);
  out.end_object();
  return plain_json(200, std::move(body));
}

Response get_dice(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  std::string epoch = "null";
  Version epoch_version = 0;
  out.begin_object().key("rolls").begin_array();
  Status walked = service.time.walk(
      scene.branch.branch, 1, scene.branch.version,
      [&](Version version, const fb::Event& event, ByteView, const Position& before,
          const Position& after) {
        if (event.payload_type() == fb::Payload::EpochOpened) {
          epoch = event_json(event, version, scene.game->roster());
          epoch_version = version;
        }
        if (event.payload_type() == fb::Payload::DiceRolled && view.sees_event(event, before, after)) {
          view.write_event(out, event, version, before, after);
        }
        return true;
      });
  if (!walked) return problem(walked.error());
  out.end_array().key("epoch").raw(epoch);
  if (epoch_version) {
    auto hash = service.store.event_hash(scene.branch.branch, epoch_version);
    if (!hash) return problem(hash.error());
    out.member("epochHash", to_hex(*hash));
  }
  out.end_object();
  return plain_json(200, std::move(body));
}

}  // namespace

void add_reading_routes(Service& service, Router& router) {
  const std::string branch = "/games/{game:id}/branches/{branch:id}";
  auto add = [&](const char* name, Response (*handler)(Service&, const Request&),
                 std::vector<std::string> query) {
    router.get(branch + name, [&service, handler](const Request& r) { return handler(service, r); },
               Run::kPool, std::move(query));
  };
  add("/events", get_events, {"after", "limit"});
  add("/position", get_position, {"at"});
  add("/supply", get_supply, {"at"});
  add("/score", get_score, {"at"});
  add("/reach", get_reach, {"at"});
  add("/timeline", get_timeline, {});
  add("/dice", get_dice, {});
}

}  // namespace wardiary::http

// Questions about a branch: histories, why something is as it is, when a condition held.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"
#include "http/api/service.h"
#include "projections/condition.h"
#include "projections/history.h"

namespace wardiary::http {

namespace {

constexpr std::size_t kHistoryMax = 1'000;

// The events that touch a thing, as far as the viewer sees them and `wanted` picks them.
using Wanted = std::function<bool(const Position& before, const Position& now)>;
Answer write_history(const Scene& scene, Thing thing, const Wanted& wanted) {
  auto after = version_after(scene.request);
  if (!after) return std::move(after).error();
  auto limit = limit_of(scene.request, kHistoryMax, kHistoryMax);
  if (!limit) return std::move(limit).error();
  const BranchId& branch = scene.branch.branch;
  auto versions = scene.service.histories.touching(branch, thing, *after + 1, scene.branch.version);
  if (!versions) return std::move(versions).error();
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  std::size_t written = 0;
  Version last = 0;
  bool more = false;
  const auto write = [&](Version version, const fb::Event& event, ByteView, const Position& before,
                         const Position& now) {
    if (!wanted(before, now) || !view.sees_event(event, before, now)) return true;
    more = written == *limit;
    if (more) return false;
    view.write_event(out, event, version, before, now);
    last = version;
    ++written;
    return true;
  };
  out.begin_object().key("events").begin_array();
  for (Version version : *versions) {
    Status walked = scene.service.time.walk(branch, version, version, write);
    if (!walked) return std::move(walked).error();
    if (more) break;
  }
  out.end_array().key("next");
  more ? out.number(static_cast<std::int64_t>(last)) : out.null();
  out.key("complete").flag(!more).end_object();
  return json_text(200, std::move(body));
}

Answer get_unit_history(const Scene& scene) {
  const UnitId unit = scene.game->roster().unit(scene.request.path_text("unit"));
  auto now = scene.service.time.at(scene.branch.branch, scene.branch.version);
  if (!now) return std::move(now).error();
  // A unit one does not know has no history one may ask for: blocks could be told apart by it.
  if (!unit || !scene.view().sees_unit(*now, unit)) return not_found("there is no such unit");
  // Nor may what it did as an unknown block be told now that it is known.
  const View view = scene.view();
  return write_history(scene, Thing::of(unit), [&](const Position& before, const Position& after) {
    return view.sees_unit(before, unit) || view.sees_unit(after, unit);
  });
}

Answer get_space_history(const Scene& scene) {
  SpaceId space = scene.game->roster().space(scene.request.path_text("space"));
  if (!space) space = scene.game->game.board->find(scene.request.path_text("space"));
  if (!space) return not_found("there is no such space");
  return write_history(scene, Thing::of(space),
                       [](const Position&, const Position&) { return true; });
}

struct WhyQuestion {
  Thing thing;
  int attribute = -1;
  UnitId unit = {};  // if it is about one
};

// `at` is the moment it is about.
Result<WhyQuestion> why_question(const Scene& scene, const Position& at) {
  const Roster& roster = scene.game->roster();
  auto unit_name = scene.request.query.get("unit");
  auto space_name = scene.request.query.get("space");
  auto attribute_name = scene.request.query.get("attribute");
  if (unit_name.has_value() == space_name.has_value()) return invalid("name a unit or a space");
  WhyQuestion out;
  if (unit_name) {
    out.unit = roster.unit(*unit_name);
    // One that is not known then is like one that does not exist.
    if (!out.unit || !scene.view().sees_unit(at, out.unit)) {
      return invalid("unit: there is no such unit");
    }
    out.thing = Thing::of(out.unit);
    if (attribute_name && *attribute_name != "at") {
      out.attribute = roster.unit_attribute(*attribute_name);
      if (out.attribute < 0) return invalid("attribute: units have no such attribute");
    }
    return out;
  }
  const SpaceId space = scene.game->game.board->find(*space_name);
  if (!space) return invalid("space: there is no such space");
  out.thing = Thing::of(space);
  if (attribute_name) {
    out.attribute = roster.space_attribute(*attribute_name);
    if (out.attribute < 0) return invalid("attribute: spaces have no such attribute");
  }
  return out;
}

// The event that last changed it at or before ?at, and the chain of causes back to the order.
Answer get_why(const Scene& scene) {
  auto at = scene.request.query.get_uint("at", INT64_MAX);
  if (!at) return std::move(at).error();
  const Version last = std::min(at->value_or(scene.branch.version), scene.branch.version);
  auto then = scene.service.time.at(scene.branch.branch, last);
  if (!then) return std::move(then).error();
  auto question = why_question(scene, *then);
  if (!question) return std::move(question).error();
  auto chain =
      scene.service.histories.why(scene.branch.branch, question->thing, question->attribute, last);
  if (!chain) return std::move(chain).error();
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  out.begin_object().key("chain").begin_array();
  // The chain ends where the viewer's knowledge does.
  bool seen = true;
  for (Version version : *chain) {
    Status walked =
        scene.service.time.walk(scene.branch.branch, version, version,
                                [&](Version v, const fb::Event& event, ByteView,
                                    const Position& before, const Position& after) {
                                  const bool known = version != chain->front() || !question->unit ||
                                                     view.sees_unit(before, question->unit) ||
                                                     view.sees_unit(after, question->unit);
                                  seen = seen && known && view.sees_event(event, before, after);
                                  if (seen) view.write_event(out, event, v, before, after);
                                  return true;
                                });
    if (!walked) return std::move(walked).error();
  }
  out.end_array().end_object();
  return json_text(200, std::move(body));
}

// Whether the viewer may ask about everything the condition speaks of.
bool may_ask(const Condition& condition, const View& view, const Position& now) {
  if (view.sees_everything()) return true;
  for (const Condition::Subject& subject : condition.subjects()) {
    switch (subject.kind) {
      case Condition::Subject::Kind::kUnit: {
        // Only one's own units: another's may have been hidden at some earlier event.
        const UnitId unit{subject.index};
        if (view.viewer().kind != Viewer::Kind::kSide || now.side(unit) != view.viewer().side) {
          return false;
        }
        break;
      }
      case Condition::Subject::Kind::kTrack:
        if (!view.sees_track(now, TrackId{subject.index})) return false;
        break;
      case Condition::Subject::Kind::kScore:
        if (!view.sees_score(now)) return false;
        break;
      case Condition::Subject::Kind::kSpace:
      case Condition::Subject::Kind::kClock:
        break;
    }
  }
  return true;
}

// Whether the viewer sees every value of a space that the condition speaks of.
bool sees_spaces(const Condition& condition, const Scene& scene, const Position& position) {
  const Game& game = scene.game->game;
  if (scene.sees_everything() || !game.system) return true;
  const auto& subjects = condition.subjects();
  return std::all_of(subjects.begin(), subjects.end(), [&](const Condition::Subject& subject) {
    return subject.kind != Condition::Subject::Kind::kSpace ||
           game.system->sees_space_value(game, position, scene.viewer, SpaceId{subject.index},
                                         subject.attribute);
  });
}

// The stretches during which the condition holds and the viewer could know it.
Result<Histories::When> when_seen(const Scene& scene, const Condition& condition) {
  Histories::When out;
  Version began = 0;
  Version reached = 0;
  Status walked = scene.service.time.walk(
      scene.branch.branch, 1, scene.branch.version,
      [&](Version version, const fb::Event&, ByteView, const Position&, const Position& after) {
        reached = version;
        const bool holds = sees_spaces(condition, scene, after) && condition.holds(after);
        if (holds && began == 0) began = version;
        if (!holds && began != 0) {
          out.stretches.push_back({began, version - 1});
          began = 0;
        }
        return out.stretches.size() < kHistoryMax;
      });
  if (!walked) return std::move(walked).error();
  if (began != 0) out.stretches.push_back({began, reached});
  out.complete = reached == scene.branch.version;
  return out;
}

// The stretches of the branch during which a condition holds: [first, last] versions.
Answer get_when(const Scene& scene) {
  auto text = scene.request.query.get("condition");
  if (!text) return invalid("condition: is missing");
  auto condition = Condition::parse(*text, scene.game->game);
  if (!condition) return std::move(condition).error().within("condition");
  auto now = scene.service.time.at(scene.branch.branch, scene.branch.version);
  if (!now) return std::move(now).error();
  if (!may_ask(*condition, scene.view(), *now)) {
    return is_hidden("the condition speaks of what is hidden from you");
  }
  auto found = scene.sees_everything()
                   ? scene.service.histories.when(scene.branch.branch, *condition,
                                                  scene.branch.version, kHistoryMax)
                   : when_seen(scene, *condition);
  if (!found) return std::move(found).error();
  std::string body;
  JsonWriter out(body);
  out.begin_object().key("stretches").begin_array();
  for (const Histories::Stretch& stretch : found->stretches) {
    out.begin_object().member("first", static_cast<std::int64_t>(stretch.first));
    out.member("last", static_cast<std::int64_t>(stretch.last)).end_object();
  }
  out.end_array().key("complete").flag(found->complete).end_object();
  return json_text(200, std::move(body));
}

}  // namespace

void add_insight_routes(Routes& routes) {
  routes.add(Method::kGet, "/units/{unit:text}/history", get_unit_history, {{"after", "limit"}});
  routes.add(Method::kGet, "/spaces/{space:text}/history", get_space_history, {{"after", "limit"}});
  routes.add(Method::kGet, "/why", get_why, {{"unit", "space", "attribute", "at"}});
  routes.add(Method::kGet, "/when", get_when, {{"condition"}});
}

}  // namespace wardiary::http

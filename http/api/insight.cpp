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

// The events that `wanted` picks, as far as the viewer sees them.
using Wanted = std::function<bool(const fb::Event&, const Position& before, const Position& now)>;
Answer write_history(const Scene& scene, const Wanted& wanted) {
  auto after = version_after(scene.request);
  if (!after) return std::move(after).error();
  auto limit = limit_of(scene.request, kHistoryMax, kHistoryMax);
  if (!limit) return std::move(limit).error();
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  std::size_t written = 0;
  Version last = 0;
  bool more = false;
  out.begin_object().key("events").begin_array();
  const auto write = [&](Version version, const fb::Event& event, ByteView, const Position& before,
                         const Position& now) {
    if (!wanted(event, before, now) || !view.sees_event(event, before, now)) return true;
    more = written == *limit;
    if (more) return false;
    view.write_event(out, event, version, before, now);
    last = version;
    ++written;
    return true;
  };
  Status walked =
      scene.service.time.walk(scene.branch.branch, *after + 1, scene.branch.version, write);
  if (!walked) return std::move(walked).error();
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
  return write_history(scene,
                       [&](const fb::Event& event, const Position& before, const Position& after) {
                         return touches_unit(event, unit) &&
                                (view.sees_unit(before, unit) || view.sees_unit(after, unit));
                       });
}

Answer get_space_history(const Scene& scene) {
  SpaceId space = scene.game->roster().space(scene.request.path_text("space"));
  if (!space) space = scene.game->game.board->find(scene.request.path_text("space"));
  if (!space) return not_found("there is no such space");
  return write_history(scene, [space](const fb::Event& event, const Position&, const Position&) {
    return touches_space(event, space);
  });
}

struct WhyQuestion {
  std::function<bool(const fb::Event&)> changes;
  std::string error;
  UnitId unit = {};  // if it is about one
};

// `at` is the moment it is about.
WhyQuestion why_question(const Scene& scene, const Position& at) {
  const Roster& roster = scene.game->roster();
  auto unit_name = scene.request.query.get("unit");
  auto space_name = scene.request.query.get("space");
  auto attribute_name = scene.request.query.get("attribute");
  if (unit_name.has_value() == space_name.has_value()) return {nullptr, "name a unit or a space"};
  if (unit_name) {
    const UnitId unit = roster.unit(*unit_name);
    // One that is not known then is like one that does not exist.
    if (!unit || !scene.view().sees_unit(at, unit)) return {nullptr, "unit: there is no such unit"};
    int attribute = -1;
    if (attribute_name && *attribute_name != "at") {
      attribute = roster.unit_attribute(*attribute_name);
      if (attribute < 0) return {nullptr, "attribute: units have no such attribute"};
    }
    return {[=](const fb::Event& e) { return changes_unit(e, unit, attribute); }, "", unit};
  }
  const SpaceId space = scene.game->game.board->find(*space_name);
  if (!space) return {nullptr, "space: there is no such space"};
  int attribute = -1;
  if (attribute_name) {
    attribute = roster.space_attribute(*attribute_name);
    if (attribute < 0) return {nullptr, "attribute: spaces have no such attribute"};
  }
  return {[=](const fb::Event& e) { return changes_space(e, space, attribute); }, ""};
}

// The event that last changed it at or before ?at, and the chain of causes back to the order.
Answer get_why(const Scene& scene) {
  auto at = scene.request.query.get_uint("at", INT64_MAX);
  if (!at) return std::move(at).error();
  const Version last = std::min(at->value_or(scene.branch.version), scene.branch.version);
  auto then = scene.service.time.at(scene.branch.branch, last);
  if (!then) return std::move(then).error();
  WhyQuestion question = why_question(scene, *then);
  if (!question.changes) return invalid(question.error);

  // Backwards: the change, then what it names as its cause, then the order of its commit.
  std::vector<Version> chain;
  Version looking_for = 0;
  bool done = false;
  Status corrupt_event = Done{};
  Status read = scene.service.store.read_backwards(
      scene.branch.branch, last, 1, [&](const StoredEvent& stored) {
        auto event = open_event(stored.payload);
        if (!event) {
          corrupt_event = std::move(event).error();
          return false;
        }
        if (chain.empty() ? !question.changes(**event)
                          : looking_for != 0 && stored.version != looking_for) {
          return true;
        }
        const bool head_of_commit =
            (*event)->recorded_at_ms() != 0 || (*event)->payload_type() == fb::Payload::OrderIssued;
        if (!chain.empty() && looking_for == 0 && !head_of_commit) return true;
        chain.push_back(stored.version);
        looking_for = (*event)->because() ? stored.version - (*event)->because() : 0;
        done = head_of_commit;
        return !done;
      });
  if (!read) return std::move(read).error();
  if (!corrupt_event) return std::move(corrupt_event).error();
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  out.begin_object().key("chain").begin_array();
  // The chain ends where the viewer's knowledge does.
  bool seen = true;
  for (Version version : chain) {
    Status walked =
        scene.service.time.walk(scene.branch.branch, version, version,
                                [&](Version v, const fb::Event& event, ByteView,
                                    const Position& before, const Position& after) {
                                  const bool known = version != chain.front() || !question.unit ||
                                                     view.sees_unit(before, question.unit) ||
                                                     view.sees_unit(after, question.unit);
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
  std::string body;
  JsonWriter out(body);
  std::uint64_t stretches = 0;
  Version began = 0;
  Version reached = 0;
  out.begin_object().key("stretches").begin_array();
  auto end_stretch = [&](Version last) {
    out.begin_object().member("first", static_cast<std::int64_t>(began));
    out.member("last", static_cast<std::int64_t>(last)).end_object();
    began = 0;
    ++stretches;
  };
  Status walked = scene.service.time.walk(
      scene.branch.branch, 1, scene.branch.version,
      [&](Version version, const fb::Event&, ByteView, const Position&, const Position& after) {
        reached = version;
        const bool holds = sees_spaces(*condition, scene, after) && condition->holds(after);
        if (holds && began == 0) began = version;
        if (!holds && began != 0) end_stretch(version - 1);
        return stretches < kHistoryMax;
      });
  if (!walked) return std::move(walked).error();
  if (began != 0) end_stretch(reached);
  out.end_array().key("complete").flag(reached == scene.branch.version).end_object();
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

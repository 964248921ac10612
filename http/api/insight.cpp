// Questions about a branch: differences, histories, why something is as it is, when a condition
// held.
#include <nlohmann/json.hpp>

#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"
#include "http/api/service.h"
#include "projections/compare.h"
#include "projections/condition.h"
#include "projections/history.h"

namespace wardiary::http {

namespace {

constexpr std::uint64_t kHistoryMax = 1'000;

Response missing(const char* name) {
  return problem(400, "invalid", "A parameter is missing", std::string(name) + ": is missing");
}

Response get_diff(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  auto from = request.query.get_uint("from", UINT64_MAX);
  auto to = request.query.get_uint("to", UINT64_MAX);
  if (!from) return problem(from.error());
  if (!to) return problem(to.error());
  if (!*from) return missing("from");
  if (!*to) return missing("to");
  auto a = service.time.at(scene.branch.branch, **from);
  if (!a) return problem(a.error());
  auto b = service.time.at(scene.branch.branch, **to);
  if (!b) return problem(b.error());
  std::string body;
  JsonWriter out(body);
  out.begin_object();
  out.member("from", static_cast<std::int64_t>(**from)).member("to", static_cast<std::int64_t>(**to));
  out.key("difference");
  write_difference(out, difference(*a, *b), *a, *b, scene.game->game, scene.view());
  out.end_object();
  return plain_json(200, std::move(body));
}

// The last version both lines share: where the younger left the other's line.
Result<Version> common_version(EventStore& store, const BranchInfo& a, const BranchInfo& b) {
  std::vector<std::pair<BranchId, Version>> line;  // a's branch and its ancestors, and how far
  BranchInfo at = a;
  line.emplace_back(at.branch, at.version);
  while (at.parent) {
    const Version until = at.forked_at;
    auto parent = store.branch(*at.parent);
    if (!parent) return std::move(parent).error();
    at = std::move(*parent);
    line.emplace_back(at.branch, until);
  }
  at = b;
  Version until = b.version;
  for (;;) {
    for (const auto& [branch, shared] : line) {
      if (branch == at.branch) return std::min(shared, until);
    }
    if (!at.parent) return not_found("the branches have nothing in common");
    until = at.forked_at;
    auto parent = store.branch(*at.parent);
    if (!parent) return std::move(parent).error();
    at = std::move(*parent);
  }
}

Response get_compare(Service& service, const Request& request) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  auto a_id = request.query.get_id("a");
  auto b_id = request.query.get_id("b");
  if (!a_id) return problem(a_id.error());
  if (!b_id) return problem(b_id.error());
  if (!*a_id) return missing("a");
  if (!*b_id) return missing("b");
  auto a = service.store.branch(**a_id);
  if (!a) return problem(a.error());
  auto b = service.store.branch(**b_id);
  if (!b) return problem(b.error());
  if (a->game != opened.game->id || b->game != opened.game->id) {
    return problem(not_found("the game has no such branch"));
  }
  auto common = common_version(service.store, *a, *b);
  if (!common) return problem(common.error());
  auto main = service.time.head(opened.game->mainline);
  if (!main) return problem(main.error());
  auto a_end = service.time.at(a->branch, a->version);
  if (!a_end) return problem(a_end.error());
  auto b_end = service.time.at(b->branch, b->version);
  if (!b_end) return problem(b_end.error());
  const View view(opened.game->game, Access::viewer(opened.grant, *opened.game, main->position.over));
  std::string body;
  JsonWriter out(body);
  out.begin_object();
  out.member("a", to_hex(a->branch)).member("b", to_hex(b->branch));
  out.member("common", static_cast<std::int64_t>(*common));
  out.key("difference");
  write_difference(out, difference(*a_end, *b_end), *a_end, *b_end, opened.game->game, view);
  out.end_object();
  return plain_json(200, std::move(body));
}

// The events that `wanted` picks, as far as the viewer sees them.
using Wanted = std::function<bool(const fb::Event&)>;
Response write_history(Service& service, const Scene& scene, const Wanted& wanted) {
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  std::uint64_t written = 0;
  out.begin_object().key("events").begin_array();
  Status walked = service.time.walk(
      scene.branch.branch, 1, scene.branch.version,
      [&](Version version, const fb::Event& event, ByteView, const Position& before,
          const Position& after) {
        if (!wanted(event) || !view.sees_event(event, before, after)) return true;
        view.write_event(out, event, version, before, after);
        return ++written < kHistoryMax;
      });
  if (!walked) return problem(walked.error());
  out.end_array().key("complete").flag(written < kHistoryMax).end_object();
  return plain_json(200, std::move(body));
}

Response get_unit_history(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  const UnitId unit = scene.game->roster().unit(request.path_text("unit"));
  auto now = service.time.at(scene.branch.branch, scene.branch.version);
  if (!now) return problem(now.error());
  // A unit one does not know has no history one may ask for: blocks could be told apart by it.
  if (!unit || !scene.view().sees_unit(*now, unit)) return problem(not_found("there is no such unit"));
  return write_history(service, scene, [unit](const fb::Event& e) { return touches_unit(e, unit); });
}

Response get_space_history(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  SpaceId space = scene.game->roster().space(request.path_text("space"));
  if (!space) space = scene.game->game.board->find(request.path_text("space"));
  if (!space) return problem(not_found("there is no such space"));
  return write_history(service, scene, [space](const fb::Event& e) { return touches_space(e, space); });
}

struct WhyQuestion {
  Wanted changes;
  std::string error;
};

WhyQuestion why_question(const Scene& scene, const Request& request) {
  const Roster& roster = scene.game->roster();
  auto unit_name = request.query.get("unit");
  auto space_name = request.query.get("space");
  auto attribute_name = request.query.get("attribute");
  if (unit_name.has_value() == space_name.has_value()) return {nullptr, "name a unit or a space"};
  if (unit_name) {
    const UnitId unit = roster.unit(*unit_name);
    if (!unit) return {nullptr, "unit: there is no such unit"};
    int attribute = -1;
    if (attribute_name && *attribute_name != "at") {
      attribute = roster.unit_attribute(*attribute_name);
      if (attribute < 0) return {nullptr, "attribute: units have no such attribute"};
    }
    return {[=](const fb::Event& e) { return changes_unit(e, unit, attribute); }, ""};
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
Response get_why(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  WhyQuestion question = why_question(scene, request);
  if (!question.changes) return problem(400, "invalid", "A parameter is wrong", question.error);
  auto at = request.query.get_uint("at", UINT64_MAX);
  if (!at) return problem(at.error());
  const Version last = std::min(at->value_or(scene.branch.version), scene.branch.version);

  // Backwards: the change, then what it names as its cause, then the order of its commit.
  std::vector<Version> chain;
  Version looking_for = 0;
  bool done = false;
  Status corrupt_event = Done{};
  Status read = service.store.read_backwards(
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
        const bool head_of_commit = (*event)->recorded_at_ms() != 0 ||
                                    (*event)->payload_type() == fb::Payload::OrderIssued;
        if (!chain.empty() && looking_for == 0 && !head_of_commit) return true;
        chain.push_back(stored.version);
        looking_for = (*event)->because() ? stored.version - (*event)->because() : 0;
        done = head_of_commit;
        return !done;
      });
  if (!read) return problem(read.error());
  if (!corrupt_event) return problem(corrupt_event.error());
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  out.begin_object().key("chain").begin_array();
  for (Version version : chain) {
    Status walked = service.time.walk(scene.branch.branch, version, version,
                                      [&](Version v, const fb::Event& event, ByteView,
                                          const Position& before, const Position& after) {
                                        view.write_event(out, event, v, before, after);
                                        return true;
                                      });
    if (!walked) return problem(walked.error());
  }
  out.end_array().end_object();
  return plain_json(200, std::move(body));
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
      case Condition::Subject::Kind::kClock: break;
    }
  }
  return true;
}

// The stretches of the branch during which a condition holds: [first, last] versions.
Response get_when(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  const Scene& scene = *opened.scene;
  auto text = request.query.get("condition");
  if (!text) return missing("condition");
  auto condition = Condition::parse(*text, scene.game->game);
  if (!condition) return problem(condition.error());
  auto now = service.time.at(scene.branch.branch, scene.branch.version);
  if (!now) return problem(now.error());
  if (!may_ask(*condition, scene.view(), *now)) {
    return problem(403, "hidden", "Hidden", "the condition speaks of what is hidden from you");
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
  Status walked = service.time.walk(
      scene.branch.branch, 1, scene.branch.version,
      [&](Version version, const fb::Event&, ByteView, const Position&, const Position& after) {
        reached = version;
        const bool holds = condition->holds(after);
        if (holds && began == 0) began = version;
        if (!holds && began != 0) end_stretch(version - 1);
        return stretches < kHistoryMax;
      });
  if (!walked) return problem(walked.error());
  if (began != 0) end_stretch(reached);
  out.end_array().key("complete").flag(reached == scene.branch.version).end_object();
  return plain_json(200, std::move(body));
}

}  // namespace

void add_insight_routes(Service& service, Router& router) {
  const std::string branch = "/games/{game:id}/branches/{branch:id}";
  auto add = [&](const std::string& pattern, Response (*handler)(Service&, const Request&),
                 std::vector<std::string> query) {
    router.get(pattern, [&service, handler](const Request& r) { return handler(service, r); },
               Run::kPool, std::move(query));
  };
  add(branch + "/diff", get_diff, {"from", "to"});
  add(branch + "/units/{unit:text}/history", get_unit_history, {});
  add(branch + "/spaces/{space:text}/history", get_space_history, {});
  add(branch + "/why", get_why, {"unit", "space", "attribute", "at"});
  add(branch + "/when", get_when, {"condition"});
  add("/games/{game:id}/compare", get_compare, {"a", "b"});
}

}  // namespace wardiary::http

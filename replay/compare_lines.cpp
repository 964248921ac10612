#include "replay/compare_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/schema/event_generated.h"
#include "projections/control.h"

namespace wardiary {

using nlohmann::json;

namespace {

// The end of every turn that the line has begun, up to `last`.
std::map<std::int16_t, Version> turn_ends(const std::vector<TimelinePhase>& phases, Version last) {
  std::map<std::int16_t, Version> ends;
  for (const TimelinePhase& phase : phases) {
    if (phase.first > last) break;
    ends[phase.clock.turn] = std::min(phase.last, last);
  }
  return ends;
}

// What an event says, without when, by whom and with which proof it was written.
json meaning(const fb::Event& event, const Roster& roster) {
  json out = json::parse(event_json(event, 0, roster));
  for (const char* noise : {"version", "recordedAt", "author", "salt", "proof", "elements", "grade",
                            "suite", "request", "digest"}) {
    out.erase(noise);
  }
  return out;
}

bool begins_a_branch(const fb::Event& event) {
  return event.payload_type() == fb::Payload::BranchForked ||
         event.payload_type() == fb::Payload::EpochOpened;
}

// A line's events after the common part, one at a time.
class Cursor {
 public:
  Cursor(EventStore& store, const LinePoint& line, Version after, const Roster& roster)
      : store_(store), line_(line), at_(after), roster_(roster) {}

  // The meaning of the next event; null at the end.
  Result<json> next() {
    if (place_ == page_.size()) {
      if (auto status = read_page(); !status) return std::move(status).error();
    }
    if (place_ == page_.size()) {
      version_ = 0;
      return json();
    }
    version_ = page_[place_].first;
    return std::move(page_[place_++].second);
  }
  Version version() const { return version_; }

 private:
  Status read_page() {
    constexpr std::size_t kPage = 512;
    page_.clear();
    place_ = 0;
    Status problem = Done{};
    if (at_ >= line_.version) return problem;
    auto read = store_.read(line_.branch, at_ + 1, line_.version, [&](const StoredEvent& stored) {
      auto event = open_event(stored.payload);
      if (!event) {
        problem = std::move(event).error();
        return false;
      }
      at_ = stored.version;
      if (!begins_a_branch(**event)) page_.emplace_back(stored.version, meaning(**event, roster_));
      return page_.size() < kPage;
    });
    return read ? problem : read;
  }

  EventStore& store_;
  const LinePoint& line_;
  Version at_;
  const Roster& roster_;
  std::vector<std::pair<Version, json>> page_;
  std::size_t place_ = 0;
  Version version_ = 0;
};

Status find_divergence(EventStore& store, const Roster& roster, Comparison& out) {
  Cursor a(store, out.a, out.common, roster);
  Cursor b(store, out.b, out.common, roster);
  for (;;) {
    auto left = a.next();
    if (!left) return std::move(left).error();
    auto right = b.next();
    if (!right) return std::move(right).error();
    if (*left == *right && !left->is_null()) continue;
    out.diverge_a = a.version();
    out.diverge_b = b.version();
    return Done{};
  }
}

}  // namespace

Result<Version> common_version(EventStore& store, const BranchInfo& a, const BranchInfo& b) {
  std::vector<std::pair<BranchId, Version>> line;  // a's branch and its ancestors, and how far
  BranchInfo at = a;
  line.emplace_back(at.branch, at.version);
  while (at.parent && line.size() <= StoreLimits::kBranchDepthMax) {
    const Version until = std::min(at.forked_at, line.back().second);
    auto parent = store.branch(*at.parent);
    if (!parent) return std::move(parent).error();
    at = std::move(*parent);
    line.emplace_back(at.branch, until);
  }
  at = b;
  Version until = b.version;
  for (std::size_t depth = 0; depth <= StoreLimits::kBranchDepthMax; ++depth) {
    for (const auto& [branch, shared] : line) {
      if (branch == at.branch) return std::min(shared, until);
    }
    if (!at.parent) break;
    until = std::min(until, at.forked_at);
    auto parent = store.branch(*at.parent);
    if (!parent) return std::move(parent).error();
    at = std::move(*parent);
  }
  return not_found("the branches have nothing in common");
}

Standing standing_of(const Game& game, const View& view, const Position& position,
                     Version version) {
  const Roster& roster = game.roster();
  Standing out;
  out.version = version;
  out.score.resize(roster.sides.size());
  out.strength.resize(roster.sides.size());
  out.control.resize(roster.sides.size());
  out.supply.resize(roster.sides.size());
  const Control control(roster);
  for (std::size_t s = 0; control.attribute() >= 0 && s < position.space_count(); ++s) {
    const SpaceId space{static_cast<int>(s)};
    const SideId side = control.holder(position.get(space, control.attribute()));
    const bool seen =
        view.sees_everything() || !game.system ||
        game.system->sees_space_value(game, position, view.viewer(), space, control.attribute());
    if (side.ok() && seen) ++out.control[side.index()];
  }
  if (!game.system) return out;
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    const bool own = view.viewer().kind == Viewer::Kind::kSide && view.viewer().side.index() == s;
    if (view.sees_everything() || own) out.strength[s] = 0;
    if (view.sees_score(position)) out.score[s] = 0;
  }
  for (std::size_t u = 0; u < position.unit_count(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    const SideId side = position.side(unit);
    if (!side.ok() || !out.strength[side.index()]) continue;
    *out.strength[side.index()] += game.system->strength(game, position, unit);
  }
  for (const UnitSupply& supply : game.system->supply(game, position)) {
    const SideId side = position.side(supply.unit);
    if (!side.ok() || !position.on_board(supply.unit)) continue;
    if (view.sees_unit(position, supply.unit)) ++out.supply[side.index()][supply.status];
  }
  if (!view.sees_score(position)) return out;
  for (const ScoreTerm& term : game.system->score(game, position)) {
    if (term.side.ok()) *out.score[term.side.index()] += term.value;
  }
  return out;
}

Result<Comparison> compare_lines(EventStore& store, Library& library, TimeMachine& time,
                                 Timelines& timelines, LinePoint a, LinePoint b,
                                 const Viewer& viewer) {
  Comparison out;
  out.a = a;
  out.b = b;
  std::vector<BranchInfo> infos;
  for (LinePoint* line : {&out.a, &out.b}) {
    auto info = store.branch(line->branch);
    if (!info) return std::move(info).error();
    if (line->version == 0) line->version = info->version;
    if (line->version > info->version) {
      return not_found("branch " + to_hex(line->branch) + " ends at version " +
                       std::to_string(info->version));
    }
    info->version = line->version;
    infos.push_back(std::move(*info));
  }
  if (infos[0].game != infos[1].game) return invalid("the two lines are of different games");
  auto opened = library.game(infos[0].game);
  if (!opened) return std::move(opened).error();
  const Game& game = (*opened)->game;
  const View view(game, viewer);
  auto common = common_version(store, infos[0], infos[1]);
  if (!common) return std::move(common).error();
  out.common = *common;
  if (auto status = find_divergence(store, game.roster(), out); !status) {
    return std::move(status).error();
  }

  std::map<std::int16_t, ComparedTurn> turns;
  for (const bool first : {true, false}) {
    const LinePoint& line = first ? out.a : out.b;
    auto phases = timelines.of(line.branch, viewer);
    if (!phases) return std::move(phases).error();
    for (const auto& [turn, last] : turn_ends(*phases, line.version)) {
      auto position = time.at(line.branch, last);
      if (!position) return std::move(position).error();
      ComparedTurn& entry = turns[turn];
      entry.turn = turn;
      (first ? entry.a : entry.b) = standing_of(game, view, *position, last);
    }
    auto end = time.at(line.branch, line.version);
    if (!end) return std::move(end).error();
    (first ? out.a_end : out.b_end) = standing_of(game, view, *end, line.version);
    (first ? out.a_position : out.b_position) = std::move(*end);
  }
  for (auto& [turn, entry] : turns) out.turns.push_back(std::move(entry));
  out.difference = difference(out.a_position, out.b_position);
  return out;
}

}  // namespace wardiary

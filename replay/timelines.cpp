#include "replay/timelines.h"

#include <nlohmann/json.hpp>

#include "domain/json_reader.h"

namespace wardiary {

using nlohmann::json;

namespace {

constexpr std::string_view kPrefix = "timeline/1/";

std::string viewer_text(const Viewer& viewer) {
  switch (viewer.kind) {
    case Viewer::Kind::kReferee:
      return "r";
    case Viewer::Kind::kSpectator:
      return "v";
    case Viewer::Kind::kSide:
      return "s" + std::to_string(viewer.side.value);
  }
  return "?";
}

// Numbers in keys sort as numbers.
std::string padded(std::size_t number) {
  std::string text = std::to_string(number);
  return text.insert(0, 10 - std::min<std::size_t>(text.size(), 10), '0');
}

}  // namespace

struct Timelines::Line {
  OpenGamePtr game;
  View view;
  std::string prefix;

  Line(OpenGamePtr open, const BranchId& branch, const Viewer& viewer)
      : game(std::move(open)), view(game->game, viewer) {
    // Other rules may see supply and score otherwise.
    const RuleSystem* system = game->game.system;
    prefix = std::string(kPrefix) + (system ? std::string(system->rules_version()) : "-") + "/" +
             to_hex(branch) + "/" + viewer_text(viewer) + "/";
  }
};

// What is kept of a branch's own phases, if it still fits the branch.
Status Timelines::load(const Line& line, const BranchInfo& branch,
                       std::vector<TimelinePhase>& phases) {
  bool fits = true;
  std::string hash;
  auto scanned = store_.scan_index(line.prefix, "", [&](std::string_view key, ByteView value) {
    auto stored = parse_json(text_of(value));
    fits = stored && stored->is_object() && stored->contains("phase") &&
           key == line.prefix + padded(phases.size());
    if (!fits) return false;
    auto phase = read_phase((*stored)["phase"], line.game->roster());
    fits = phase && (phases.empty() || phases.back().last + 1 == phase->first);
    if (!fits) return false;
    hash = stored->value("hash", "");
    phases.push_back(std::move(*phase));
    return true;
  });
  if (!scanned) return scanned;
  if (fits && !phases.empty()) {
    const Version last = phases.back().last;
    auto stored = last <= branch.version ? store_.event_hash(branch.branch, last)
                                         : Result<Hash>(corrupt("beyond the end"));
    fits = stored && to_hex(*stored) == hash;
  }
  if (fits) return Done{};
  phases.clear();
  return store_.drop_index(line.prefix);
}

Status Timelines::save(const Line& line, const BranchId& branch,
                       const std::vector<TimelinePhase>& phases, std::size_t from) {
  for (std::size_t i = from; i < phases.size(); ++i) {
    auto hash = store_.event_hash(branch, phases[i].last);
    if (!hash) return std::move(hash).error();
    const json entry = {{"phase", phase_json(phases[i], line.game->roster())},
                        {"hash", to_hex(*hash)}};
    auto put = store_.put_index(line.prefix + padded(i), bytes_of(entry.dump()));
    if (!put) return put;
  }
  return Done{};
}

// Goes on from the last phase in `phases`, or from event `start` if there is none.
Status Timelines::catch_up(const Line& line, const BranchInfo& branch, Version start,
                           std::vector<TimelinePhase>& phases) {
  const auto position_at = [&](Version version) -> Result<Position> {
    if (version == 0) return Position(line.game->roster());
    return time_.at(branch.branch, version);
  };
  Timeline timeline(line.game->game, line.view);
  Version next = start;
  if (!phases.empty()) {
    next = phases.back().last + 1;
    auto before = position_at(phases.back().first - 1);
    if (!before) return std::move(before).error();
    auto now = position_at(phases.back().last);
    if (!now) return std::move(now).error();
    timeline.resume(std::move(phases.back()), *before, *now);
    phases.pop_back();
  } else if (start > 1) {
    // A branch whose first own phase goes on with one of its parent's: that phase is made anew.
    auto before = position_at(start - 1);
    if (!before) return std::move(before).error();
    timeline.begin_at(*before);
  }
  auto walked = time_.walk(branch.branch, next, branch.version,
                           [&](Version version, const fb::Event& event, ByteView,
                               const Position& before, const Position& after) {
                             timeline.step(version, event, before, after);
                             return true;
                           });
  if (!walked) return walked;
  auto end = position_at(branch.version);
  if (!end) return std::move(end).error();
  timeline.finish(*end);
  phases.insert(phases.end(), timeline.phases().begin(), timeline.phases().end());
  return Done{};
}

// The parent's phases that were over when the branch left it.
Result<std::vector<TimelinePhase>> Timelines::inherited(const Line& line,
                                                        const BranchInfo& branch) {
  if (!branch.parent) return std::vector<TimelinePhase>();
  auto phases = of(*branch.parent, line.view.viewer());
  if (!phases) return phases;
  while (!phases->empty() && phases->back().last >= branch.forked_at) phases->pop_back();
  return phases;
}

Result<std::vector<TimelinePhase>> Timelines::of(const BranchId& id, const Viewer& viewer) {
  auto branch = store_.branch(id);
  if (!branch) return std::move(branch).error();
  auto game = library_.game(branch->game);
  if (!game) return std::move(game).error();
  const Line line(*game, id, viewer);
  auto all = inherited(line, *branch);
  if (!all) return all;
  std::vector<TimelinePhase> own;
  {
    std::lock_guard lock(locks_[id.data[15] % locks_.size()]);
    if (auto status = load(line, *branch, own); !status) return std::move(status).error();
    // The phase that the branch left its parent in is made anew, and is the branch's own.
    const Version start = all->empty() ? 1 : all->back().last + 1;
    if (!own.empty() && own.front().first != start) own.clear();
    const std::size_t kept = own.empty() ? 0 : own.size() - 1;
    if (own.empty() || own.back().last < branch->version) {
      if (auto status = catch_up(line, *branch, start, own); !status) {
        return std::move(status).error();
      }
      // Failing to keep a cache is no reason to fail the question.
      (void)save(line, id, own, kept);
    }
  }
  all->insert(all->end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  return all;
}

Status Timelines::drop() {
  return store_.drop_index(kPrefix);
}

}  // namespace wardiary

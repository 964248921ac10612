// Timelines of branches, kept in the store's index so that asking again costs only what was played
// since: a phase that is over is never worked out twice, and a branch begins with its parent's
// phases. A cache: whatever does not fit the log any more, or was dropped, is made again and is the
// same.
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "projections/timeline.h"
#include "replay/time_machine.h"

namespace wardiary {

class Timelines {
 public:
  Timelines(EventStore& store, Library& library, TimeMachine& time)
      : store_(store), library_(library), time_(time) {}

  // The phases of the branch's line up to its end, as the viewer may see them.
  Result<std::vector<TimelinePhase>> of(const BranchId& branch, const Viewer& viewer);
  // Forgets everything that is kept.
  Status drop();

 private:
  struct Line;  // one branch for one viewer
  Result<std::vector<TimelinePhase>> inherited(const Line& line, const BranchInfo& branch);
  Status load(const Line& line, const BranchInfo& branch, std::vector<TimelinePhase>& phases);
  Status save(const Line& line, const BranchId& branch, const std::vector<TimelinePhase>& phases,
              std::size_t from);
  Status catch_up(const Line& line, const BranchInfo& branch, Version start,
                  std::vector<TimelinePhase>& phases);

  EventStore& store_;
  Library& library_;
  TimeMachine& time_;
  // One at a time per branch, so that nobody saves an older state over a newer one.
  std::array<std::mutex, 16> locks_;
};

}  // namespace wardiary

// What happened to one thing, and why, and when: answered from an index in the store of which
// events touch which unit, space or track, so that the answer costs what there is to tell and not
// the length of the game. The index is a cache, made block by block of a branch's own events when
// somebody asks for the first time; dropped or damaged, it is made again.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <vector>

#include "projections/condition.h"
#include "projections/history.h"
#include "replay/time_machine.h"

namespace wardiary {

class Histories {
 public:
  // Events of one block; what a branch has beyond its last full block is looked through.
  static constexpr Version kBlock = 4'096;

  Histories(EventStore& store, Library& library, TimeMachine& time)
      : store_(store), library_(library), time_(time) {}

  // The versions of the branch's line, first..last, that touch it, in order.
  Result<std::vector<Version>> touching(const BranchId& branch, Thing thing, Version first,
                                        Version last);

  // The event at or before `at` that last changed a value (attribute -1: the place of a unit, any
  // value of a space), and the chain of its causes back to the order. Empty: nothing ever did.
  Result<std::vector<Version>> why(const BranchId& branch, Thing thing, int attribute, Version at);

  // The stretches of the line up to `last` during which a condition holds.
  struct Stretch {
    Version first = 0, last = 0;
    bool operator==(const Stretch&) const = default;
  };
  struct When {
    std::vector<Stretch> stretches;
    bool complete = true;  // not cut at `most`
    bool by_index = false;
  };
  enum class Which : std::uint8_t { kAll, kFirst, kLast };
  Result<When> when(const BranchId& branch, const Condition& condition, Version last,
                    std::size_t most, Which which = Which::kAll);

  // Forgets everything that is kept.
  Status drop();

 private:
  // A stretch of the line that is stored in one branch.
  struct Piece {
    BranchInfo owner;
    Version first = 0, last = 0;
  };
  Result<std::vector<Piece>> pieces(const BranchId& branch, Version first, Version last);
  // How far the owner's own events are indexed; goes on with what is missing.
  Result<Version> indexed_to(const BranchInfo& owner);
  Status index_block(const BranchInfo& owner, Version first, std::uint64_t block);
  Result<Version> cause_of(const BranchId& branch, Version version);

  Result<std::vector<Version>> turning_points(const BranchId& branch, const Condition& condition,
                                              Version last);
  Status each_truth_by_index(const OpenGame& game, const BranchId& branch,
                             const std::vector<Version>& versions, const Condition& condition,
                             const std::function<bool(Version, bool)>& see);

  EventStore& store_;
  Library& library_;
  TimeMachine& time_;
  std::array<std::mutex, 16> locks_;  // one block at a time per branch
};

}  // namespace wardiary

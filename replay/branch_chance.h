// The dice of a what-if branch: by policy the recorded faces of the line it left, dice of its own,
// or the most expected result.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "domain/chance.h"
#include "eventstore/event_store.h"

namespace wardiary {

// Recorded faces for the same roll identity (roller and number, asked for in the same way) where
// the parent line has them, else `otherwise`. Only rolls that are on record: a branch can never
// show a die its parent has not rolled.
class SameChance : public Chance {
 public:
  struct Recorded {
    std::vector<RollGroup> groups;
    std::vector<std::uint32_t> values;
  };
  using Rolls = std::map<std::pair<SideId, std::uint64_t>, Recorded>;

  SameChance(Rolls recorded, std::shared_ptr<Chance> otherwise)
      : recorded_(std::move(recorded)), otherwise_(std::move(otherwise)) {}
  std::optional<Rolled> roll(const RollRequest& request) override;

 private:
  Rolls recorded_;
  std::shared_ptr<Chance> otherwise_;
};

// No luck: faces are spread evenly (1, 2, .. 6, 1, ..) starting in the middle, so that the number
// of hits is the expected one, rounded to the nearest.
class ExpectedChance : public Chance {
 public:
  std::optional<Rolled> roll(const RollRequest& request) override;
};

// The recorded rolls of `parent` after version `after`.
Result<SameChance::Rolls> recorded_rolls(EventStore& store, const BranchId& parent, Version after);

}  // namespace wardiary

// The turn and phase index of a branch: for each phase which events belong to it and what they came
// to. A fold: stepping over one event costs constant time, and building it again gives the same.
#pragma once

#include <map>
#include <vector>

#include "domain/event.h"
#include "domain/rule_system.h"
#include "projections/view.h"

namespace wardiary {

struct TimelinePhase {
  Clock clock;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint32_t orders = 0;
  std::uint32_t rolls = 0;
  std::uint32_t control_changes = 0;
  std::vector<std::int32_t> losses;    // steps lost, by side
  std::vector<std::int32_t> strength;  // steps on the board at its end, by side; -1 not to be seen
  std::vector<std::uint64_t> battles;  // versions of rolls with hits, for marks
};

class Timeline {
 public:
  Timeline(const Game& game, const View& view);

  void step(std::uint64_t version, const fb::Event& event, const Position& before,
            const Position& after);
  const std::vector<TimelinePhase>& phases() const { return phases_; }
  void write(JsonWriter& out) const;

 private:
  void count_change(const Position& before, const Position& after, UnitId unit, bool seen);

  const Game& game_;
  const View& view_;
  int control_attribute_;
  std::vector<std::int32_t> strength_;  // running, by side
  std::vector<TimelinePhase> phases_;
};

}  // namespace wardiary

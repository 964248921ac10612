// Movement hex by hex [9]: what a step costs and what forbids it, for orders and for hints alike.
#pragma once

#include <vector>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {

class Mover {
 public:
  explicit Mover(const Situation& now);

  const Field& field() const { return field_; }
  // Movement points of a step over a hexside into a hex, everything counted.
  int cost(UnitId unit, const Neighbour& step) const;
  // Why a step is illegal but for movement points, as a rejection code; null if it is not. `moved`:
  // the unit has made a step in this phase.
  const char* barred(UnitId unit, SpaceId from, const Neighbour& step, bool moved,
                     bool disengaged) const;

 private:
  const char* closed(UnitId unit, const Neighbour& step) const;
  const char* zones(UnitId unit, SpaceId from, SpaceId to, bool disengaged) const;

  const Situation now_;
  Field field_;
  std::vector<bool> interdicted_;  // [15.4] for the Germans of this sector
};

// A rejection code of a step in words.
Refused step_refusal(const Situation& now, std::string_view code, SpaceId hex);

// What the unit has at the beginning of its move.
int allowance(const Situation& now, UnitId unit, bool forced);
int forced_march_gain(const Situation& now, UnitId unit);
// Why it may not move at all now.
Refused cannot_move(const Situation& now, UnitId unit, SideId side);
Refused forced_march_refusal(const Situation& now, const Field& field, UnitId unit);

}  // namespace wardiary::reichstag

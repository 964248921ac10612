// Who stands where and whose zones of control lie where, worked out from a position at once: for
// everything that asks about many hexes.
#pragma once

#include <vector>

#include "domain/systems/reichstag/state.h"

namespace wardiary::reichstag {

class Field {
 public:
  explicit Field(const Situation& now);

  bool germans_in(SpaceId hex) const { return stacks_[hex.index()].germans > 0; }
  bool soviets_in(SpaceId hex) const { return soviets_in(hex, k1BF) || soviets_in(hex, k1UF); }
  bool soviets_in(SpaceId hex, SideId front) const {
    return stacks_[hex.index()].soviets[front.index()] > 0;
  }
  bool german_zone(SpaceId hex) const { return stacks_[hex.index()].german_zone; }  // [11.2]
  bool soviet_zone(SpaceId hex) const { return stacks_[hex.index()].soviet_zone; }
  // An enemy of the unit stands there; or has a zone there.
  bool enemy_in(UnitId unit, SpaceId hex) const;
  bool enemy_zone(UnitId unit, SpaceId hex) const;
  // It would be legal there, as far as the number of units goes [10].
  bool room_for(UnitId unit, SpaceId hex) const;
  // After a unit left or came, without working everything out again. Zones stay as they were.
  void take(UnitId unit, SpaceId hex) { count(unit, hex, -1); }
  void put(UnitId unit, SpaceId hex) { count(unit, hex, +1); }

 private:
  struct Stack {
    std::int8_t germans = 0;
    std::int8_t soviets[2] = {0, 0};
    std::int8_t big[2] = {0, 0};  // corps and divisions
    bool german_zone = false;
    bool soviet_zone = false;
  };
  void count(UnitId unit, SpaceId hex, int by);
  void spread_zone(UnitId unit, SpaceId hex);

  const Situation now_;
  std::vector<Stack> stacks_;
};

// Does this unit's zone of control reach a neighbouring hex over this hexside [8.1 of the digest]?
bool zone_reaches(const Situation& now, UnitId unit, const Neighbour& to);

}  // namespace wardiary::reichstag

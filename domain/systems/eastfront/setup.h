// Set-up [3.2], inside: the checks that the orders and the list of legal orders share.
#pragma once

#include <vector>

#include "domain/systems/eastfront/production.h"

namespace wardiary::eastfront {

// One side setting up. Works out supply once; holds a reference to the situation.
struct Deployment {
  const Situation& now;
  SideId side;
  Producer arrivals;  // for reinforcements of the first month [11.6]

  Deployment(const Situation& situation, SideId whose)
      : now(situation), side(whose), arrivals(situation, whose) {}

  bool chosen(UnitId unit) const { return now.side(unit) == side && now.is(unit, u::kSetCv); }
  int chosen_cv(UnitId unit) const;
  bool due_at_start(UnitId unit) const;
  // On the map, or off it where the Hungarian Plain asks for it [W44 3].
  bool placed(UnitId unit) const;
  std::vector<UnitId> unplaced() const;
  Refused may_place(UnitId unit, SpaceId hex) const;
  Refused may_finish() const;

  // One thing that is still missing: so many units in these hexes, of these units.
  struct Need {
    std::vector<SpaceId> hexes;
    std::vector<UnitId> units;  // unplaced ones that would help
    int missing = 0;
  };
  std::vector<Need> needs() const;

 private:
  bool on_own_side(SpaceId hex) const;
  bool is_start_battle(SpaceId hex) const;
  bool is_front(SpaceId hex) const;
  Refused may_stand_off_map(UnitId unit, SpaceId hex) const;
  Refused check_garrison(const Garrison& garrison) const;
  std::vector<UnitId> in_garrison(const Garrison& garrison) const;
  void add_garrison_needs(const Garrison& garrison, std::vector<Need>& out) const;
};

Refused check_forces(const Situation& now, SideId side, std::span<const std::int32_t> units);

}  // namespace wardiary::eastfront

// Production [11], inside: prices and what one side may buy at this moment.
#pragma once

#include <string_view>
#include <vector>

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

inline constexpr int kBeachheadPrice = 20;  // for each change of state [15.51]

struct Price {
  int step = 0;
  int cadre = 0;
};

struct OilState {  // HQs cost more for a side that is short of oil [16.2, 16.6]
  bool axis_short = false;
  bool soviet_short = false;
};
OilState oil_state(const Situation& now, const RailNet& axis, const RailNet& soviet);
Price price_of(const Situation& now, UnitId unit, const OilState& oil);
// The sum of production_level, with the net at hand.
int level_of(const Situation& now, SideId side, const RailNet& net);

// The track that holds a satellite's allegiance; `country` as satellite_index.
constexpr t::Track allegiance_track(int country) {
  return static_cast<t::Track>(static_cast<int>(t::kRomania) + country);
}

// One side in a Production phase (or placing first-month reinforcements at set-up). Works out nets
// and ways once; holds a reference to the situation.
struct Producer {
  const Situation& now;
  SideId side;
  RailNet net;
  std::vector<SpaceId> ways;
  OilState oil;

  Producer(const Situation& situation, SideId whose);
  int points() const;
  int step_price(UnitId unit) const;
  Refused afford(int price) const;
  int capacity(SpaceId hex) const;  // arrivals in a month, 0: no arrival hex [11.6]
  // Where units may arrive now at all, the southern ports of Army Group E included [16.5].
  std::vector<SpaceId> arrival_hexes() const;
  bool rebuildable(UnitId unit) const;
  bool counts_as_ss_step(UnitId unit) const;
  int months_to(UnitId unit) const;
  bool lives_on_fortress_supply(UnitId unit) const;

  Refused may_step(UnitId unit) const;
  Refused may_arrive(UnitId unit, SpaceId hex) const;
  Refused may_land_group_e(SpaceId hex) const;
  Refused may_rebuild(UnitId unit) const;  // wherever it arrives
  Refused may_build(UnitId unit, SpaceId hex) const;
  Refused may_reinforce(UnitId unit, SpaceId hex) const;
  Refused may_come_early(UnitId unit, SpaceId hex, bool pay) const;
  Refused may_disband(UnitId unit) const;
  Refused may_change_beachhead(std::string_view order) const;
};

}  // namespace wardiary::eastfront

// What the combat files share.
#pragma once

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

struct FireRoll {
  SideId roller;
  std::string_view purpose;
  SpaceId space;
  UnitId unit;
  int dice = 0;
  Firepower power = Firepower::kNone;
  int repulse_on = 0;  // dice up to this number repulse
  bool air = false;
};
std::vector<std::uint32_t> roll_dice(Draft& draft, const FireRoll& fire);
int hits_in(std::span<const std::uint32_t> values, Firepower power);

// The combat unit of a fortress that fires triple; the owner's choice if one was made.
UnitId largest_of_fortress(const Situation& now, SpaceId space, SideId side);

SpaceId current_battle(const Situation& now);
BattleStep battle_step(const Situation& now);
// The side that fires in the present step, and the side that suffers its hits.
SideId firing_side(const Situation& now);
SideId passive_side(const Situation& now);
// May still fire in this step.
bool can_fire(const Situation& now, UnitId unit);
// Carries the round of the current battle on until somebody must decide [7.22].
void continue_battle(Draft& draft);
bool any_active_battle(const Situation& now);
// The HQ whose strike is assigned to a battle; none if there is none.
UnitId striker(const Situation& now, SpaceId battle);
Refused check_air_strike(const Situation& now, SideId side, UnitId hq, SpaceId battle);

// --- losses.cpp
// Units that may take the next hit: one, or several among which the owner chooses.
std::vector<UnitId> loss_candidates(const Situation& now, SpaceId battle, SideId victim);
std::vector<UnitId> repulse_candidates(const Situation& now, SpaceId battle);
// Hits needed to wipe `victim` out; nobody needs to fire beyond that.
int hits_to_kill(const Situation& now, SpaceId battle, SideId victim, int multiplier);
void take_hit(Draft& draft, UnitId unit, int multiplier);
void repulse(Draft& draft, UnitId unit);
// Multiplier of hits in the present step.
int step_multiplier(const Situation& now);

}  // namespace wardiary::eastfront

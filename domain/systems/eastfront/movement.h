// What the movement files share: checks of single steps and of who may move at all.
#pragma once

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

// How far a path has come.
struct PathState {
  SpaceId at;
  int steps = 0;
  bool stopped = false;
  bool left_battle = false;
};
Refused check_step(const Situation& now, UnitId unit, const PathState& so_far,
                   const Neighbour& step);
PathState after_step(const Situation& now, UnitId unit, PathState state, const Neighbour& step);

Refused check_may_move(const Situation& now, SideId side, UnitId unit);
// One strategic move is by rail or by sea, not by both [6.53].
Refused check_not_mixed(const Situation& now, SideId side, UnitId unit, Move other);
// `hq` none: any active HQ will do.
Refused check_command(const Situation& now, UnitId unit, UnitId hq);
bool commands_movement(const Situation& now, UnitId hq);
// Path, rear-guard duty and stacking of an ordinary move.
Refused check_walk(const Situation& now, UnitId unit, std::span<const SpaceId> path);
Refused check_stacking(const Situation& now, UnitId unit, SpaceId to);
// The order's path, beginning where the unit stands.
std::vector<SpaceId> full_path(const Situation& now, UnitId unit, const Order& move);
// No other unit that began the phase in this unit's battle is still there.
bool last_of_battle(const Situation& now, UnitId unit);
// Where the unit will be when its rear guard duty is done.
SpaceId final_place(const Situation& now, UnitId unit);
int stack_in(const Situation& now, SpaceId space, SideId side);
std::vector<int> stacks(const Situation& now, SideId side);  // the same for every hex, by space
// Hexes that must lose units before the phase may end.
std::vector<SpaceId> overstacked(const Situation& now, SideId side);
// The unit waiting to leave this battle as rear guard; none if there is none.
UnitId rear_guard_of(const Situation& now, SpaceId battle, SideId side);
// The unit stays for now and leaves along `path` when all other moves are done [6.41].
void wait_as_rear_guard(Draft& draft, UnitId unit, std::span<const SpaceId> path);
Refused check_rear_guard(const Situation& now, SideId side, UnitId unit,
                         std::span<const SpaceId> path);
// Is a hex overstacked by this phase's moves, and could a unit still leave it?
bool must_unstack(const Situation& now, SpaceId space, SideId side);
// Every land move of a unit: calls see(path) for each destination and way of entering it.
using SeePath = std::function<bool(std::span<const SpaceId>)>;
bool each_land_path(const Situation& now, UnitId unit, const SeePath& see);

}  // namespace wardiary::eastfront

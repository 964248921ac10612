// Rear guards, pursuit fire and the end of a movement phase [6.4].
#include <algorithm>

#include "domain/systems/eastfront/movement.h"

namespace wardiary::eastfront {

void wait_as_rear_guard(Draft& draft, UnitId unit, std::span<const SpaceId> path) {
  const Situation now(draft);
  const LinkId exit = now.board().link_between(path[0], path[1]);
  draft.set(exit, l::kCrossed, now.pos.get(exit, l::kCrossed) + 1);
  draft.set(unit, u::kRearGuard, 1);
  const u::Attribute ways[] = {u::kWay1, u::kWay2, u::kWay3};
  for (std::size_t i = 1; i < path.size(); ++i) draft.set(unit, ways[i - 1], path[i].value);
  draft.set(unit, u::kMove, static_cast<int>(Move::kLand));
}

namespace {

// Too far to walk, and along rail all the way.
bool rides(const Situation& now, UnitId unit, std::span<const SpaceId> path) {
  if (static_cast<int>(path.size()) - 1 <= now.speed(unit)) return false;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const LinkId link = path[i] ? now.board().link_between(path[i - 1], path[i]) : LinkId{};
    if (!link || !now.data.link(link).rail) return false;
  }
  return true;
}

}  // namespace

Refused check_rear_guard(const Situation& now, SideId side, UnitId unit,
                         std::span<const SpaceId> path) {
  if (auto no = check_may_move(now, side, unit)) return no;
  if (!now.engaged(unit)) {
    return refuse("NOT_IN_BATTLE", "6.41", "there is no battle to retreat from");
  }
  if (rear_guard_of(now, now.at(unit), side)) {
    return refuse("REARGUARD_NAMED", "6.41", "this battle has its rear guard");
  }
  if (rides(now, unit, path)) {
    return refuse("REARGUARD_BY_RAIL", "6.53", "a rear guard leaves by land, not by rail");
  }
  if (auto no = check_land_path(now, unit, path)) return no;
  return check_stacking(now, unit, path.back());
}

Refused decide_rear_guard(Draft& draft, const Order& designate) {
  const Situation now(draft);
  const UnitId unit = designate.unit("unit");
  if (unit && now.pos.on_board(unit) && now.at(unit) != designate.space("battleHex")) {
    return refuse("NOT_IN_BATTLE", "6.41", "the unit is not in that battle");
  }
  const std::vector<SpaceId> path = full_path(now, unit, designate);
  if (auto no = check_rear_guard(now, designate.side, unit, path)) return no;
  const Refused command = check_command(now, unit, UnitId{});
  if (designate.flag("supreme") || command) {  // [6.52]
    if (now.track(t::kSupremeLeft) < 1) {
      return command ? command : refuse("NO_SUPREME_MOVES", "5.61", "no supreme moves are left");
    }
    draft.add(track(t::kSupremeLeft), -1);
  }
  wait_as_rear_guard(draft, unit, path);
  return {};
}

// ---------------------------------------------------------------------------- pursuit fire [6.42]

namespace {

// Terrain helps the rear guard; who supports whom does not matter here [6.42].
int pursuit_multiplier(const Situation& now, SpaceId space, SideId fleeing) {
  if (now.data.hex(space).fortress && now.defender(space) == fleeing) return 3;
  const Terrain terrain = now.terrain(space);
  const bool rough = terrain != Terrain::kClear;
  return rough || now.major_city(space) || now.weather(space) == Weather::kMud ? 2 : 1;
}

Firepower pursuit_power(int pursuer_speed, int rear_guard_speed) {
  if (pursuer_speed > rear_guard_speed) return Firepower::kDouble;
  if (pursuer_speed == rear_guard_speed) return Firepower::kSingle;
  return Firepower::kNone;
}

}  // namespace

bool pursue(Draft& draft, UnitId rear_guard, int speed) {
  const Situation now(draft);
  const SpaceId space = now.at(rear_guard);
  const SideId foe = enemy_of(now.side(rear_guard));
  const int own_speed = speed >= 0 ? speed : now.speed(rear_guard);
  const int multiplier = pursuit_multiplier(now, space, now.side(rear_guard));
  const Rulings& rulings = now.data.rulings;
  std::vector<UnitId> lifted;  // face up for the pursuit only
  const auto reveal = [&](UnitId unit) {
    if (!rulings.pursuit_reveals || now.is(unit, u::kShown)) return;
    show(draft, unit);
    lifted.push_back(unit);
  };
  reveal(rear_guard);
  int partial = 0;
  for (UnitId pursuer : now.units_in(space, foe)) {
    if (!now.pos.on_board(rear_guard)) break;
    if ((now.facts(pursuer).hq() && !rulings.hqs_pursue) || now.cv(pursuer) < 1) continue;
    const Firepower power = pursuit_power(now.speed(pursuer), own_speed);
    if (power == Firepower::kNone) continue;
    reveal(pursuer);
    const int hits = roll_fire(draft, pursuer, "pursuit fire", now.cv(pursuer), power);
    const auto cause = draft.because_of_last();
    for (partial += hits; partial >= multiplier && now.pos.on_board(rear_guard);) {
      partial -= multiplier;
      lose_step(draft, rear_guard, "pursuit");
    }
  }
  for (UnitId unit : lifted) draft.set(unit, u::kShown, 0);
  return now.pos.on_board(rear_guard);
}

// ---------------------------------------------------------------------------- the end of movement

namespace {

bool can_leave(const Situation& now, UnitId unit) {
  const SideId side = now.side(unit);
  const bool mobilises =
      now.role(unit) != Role::kInactive && !now.is(unit, u::kBlitz) && now.cv(unit) > 0;
  if (!mobilises) {
    if (check_may_move(now, side, unit)) return false;
    if (now.track(t::kSupremeLeft) < 1 && check_command(now, unit, UnitId{})) return false;
    if (last_of_battle(now, unit)) return false;
  }
  bool found = false;
  each_land_path(now, unit, [&](std::span<const SpaceId> path) {
    const SpaceId to = path.back();
    found = stack_in(now, to, side) < now.stacking_limit(to);
    return !found;
  });
  return found;
}

void finish_rear_guard(Draft& draft, UnitId unit) {
  const Situation now(draft);
  std::vector<SpaceId> path{now.at(unit)};
  for (u::Attribute way : {u::kWay1, u::kWay2, u::kWay3}) {
    if (now.get(unit, way) >= 0) path.push_back(SpaceId{now.get(unit, way)});
  }
  // Only a retreat is pursued: not while a unit that began the phase here stays [6.41].
  if (!last_of_battle(now, unit) || pursue(draft, unit)) walk(draft, unit, path, "retreat");
  draft.set(unit, u::kRearGuard, 0);
  for (u::Attribute way : {u::kWay1, u::kWay2, u::kWay3}) draft.set(unit, way, -1);
}

// [6.41]: all left while others came: a retreat and a new attack, with everybody standing again.
void renew_battles(Draft& draft) {
  const Situation now(draft);
  const SideId side = now.active();
  for (SpaceId space : now.battles()) {
    if (now.get(space, h::kNewBattle)) continue;
    const std::vector<UnitId> own = now.units_in(space, side);
    const bool all_came = std::all_of(own.begin(), own.end(),
                                      [&](UnitId u) { return now.get(u, u::kCameFrom) >= 0; });
    if (!all_came) continue;
    draft.set(space, h::kDefender, enemy_of(side).value);
    draft.set(space, h::kNewBattle, 1);
    for (UnitId unit : now.pos.units_in(space)) {
      if (now.role(unit) == Role::kInactive) draft.set(unit, u::kShown, 0);
    }
  }
}

}  // namespace

bool must_unstack(const Situation& now, SpaceId space, SideId side) {
  if (stack_in(now, space, side) <= now.stacking_limit(space)) return false;
  bool by_this_phase = false, can = false;
  for (UnitId unit : now.units_of(side)) {
    if (final_place(now, unit) != space) continue;
    by_this_phase |= now.moved(unit) != Move::kNone || now.role(unit) != Role::kInactive;
    can = can || can_leave(now, unit);
  }
  // Overstacked by a repulse, or nobody can leave: the surplus suffers in the supply phase [6.22].
  return by_this_phase && can;
}

std::vector<SpaceId> overstacked(const Situation& now, SideId side) {
  std::vector<SpaceId> out;
  const std::vector<int> stacked = stacks(now, side);
  for (std::size_t i = 0; i < stacked.size(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    if (stacked[i] > now.stacking_limit(space) && must_unstack(now, space, side)) {
      out.push_back(space);
    }
  }
  return out;
}

Refused decide_end_movement(Draft& draft, const Order& end) {
  const Situation now(draft);
  for (SpaceId space : overstacked(now, end.side)) {
    return refuse("OVERSTACKED", "6.2", now.name(space) + " holds too many units");
  }
  for (UnitId unit : now.units_of(end.side)) {
    if (now.is(unit, u::kRearGuard)) finish_rear_guard(draft, unit);
  }
  renew_battles(draft);
  end_phase(draft);
  return {};
}

}  // namespace wardiary::eastfront

// Movement by land [6.1-6.3]: paths, stops, hexside limits, engaging and disengaging.
#include "domain/systems/eastfront/movement.h"

#include <algorithm>

namespace wardiary::eastfront {
namespace {

void set_all(Draft& draft, u::Attribute attribute, int value) {
  for (std::size_t i = 0; i < draft->unit_count(); ++i) {
    draft.set(UnitId{static_cast<int>(i)}, attribute, value);
  }
}

}  // namespace

int supreme_moves(const Situation& now, SideId side) {
  int moves = 0;
  for (UnitId hq : now.units_of(side)) {
    if (now.facts(hq).supreme() && now.role(hq) == Role::kNormal) {
      moves += 2 * std::max(0, now.effective_cmd(hq));
    }
  }
  return moves;
}

void begin_movement(Draft& draft) {
  const Situation now(draft);
  set_all(draft, u::kMove, static_cast<int>(Move::kNone));
  set_all(draft, u::kCameFrom, -1);
  set_all(draft, u::kEntry, static_cast<int>(Entry::kNone));
  set_all(draft, u::kCommandUsed, 0);
  for (std::size_t i = 0; i < now.data.links.size(); ++i) {
    draft.set(LinkId{static_cast<int>(i)}, l::kCrossed, 0);
  }
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    draft.set(SpaceId{static_cast<int>(i)}, h::kNewBattle, 0);
    draft.set(SpaceId{static_cast<int>(i)}, h::kInvaders, 0);
  }
  // Supreme moves belong to the first movement phase: an SHQ is never a Blitz HQ [5.7].
  draft.set(track(t::kSupremeLeft),
            now.phase() == Phase::kMovement ? supreme_moves(now, now.active()) : 0);
  draft.ask(now.active(), Question{static_cast<std::uint8_t>(Ask::kMovement), -1, -1, 0});
}

// ---------------------------------------------------------------------------- checks

bool last_of_battle(const Situation& now, UnitId unit) {
  const SpaceId space = now.at(unit);
  if (!now.is_battle(space)) return false;
  for (UnitId other : now.units_in(space, now.side(unit))) {
    if (other != unit && now.get(other, u::kCameFrom) < 0) {
      return false;  // somebody who began the phase here stays, or covers the others' retreat
    }
  }
  return true;
}

UnitId rear_guard_of(const Situation& now, SpaceId battle, SideId side) {
  for (UnitId unit : now.units_in(battle, side)) {
    if (now.is(unit, u::kRearGuard)) return unit;
  }
  return {};
}

Refused check_may_move(const Situation& now, SideId side, UnitId unit) {
  if (!unit || now.side(unit) != side || !now.pos.on_board(unit)) {
    return refuse("NOT_YOUR_UNIT", "6.1", "only an own unit on the map can move");
  }
  if (now.facts(unit).hq() && now.is(unit, u::kSpent)) {
    return refuse("HQ_DEACTIVATED", "5.43", "a deactivated HQ does not move again this turn");
  }
  if (now.role(unit) != Role::kInactive) {
    return refuse("HQ_ACTIVE", "5.41", "an active HQ moves only by mobilising");
  }
  if (now.moved(unit) != Move::kNone) {
    return refuse("ALREADY_MOVED", "6.1", now.name(unit) + " has moved in this phase");
  }
  if (now.is(unit, u::kStrategic)) {
    return refuse("ALREADY_MOVED", "6.53", now.name(unit) + " moved strategically this turn");
  }
  if (now.is(unit, u::kDispersed)) {
    return refuse("ALREADY_MOVED", "14.6", "a dispersed para cannot move");
  }
  if (!may_move_at_all(now, unit)) {
    return refuse("SATELLITE_RESTRICTED", "S41 4", "this unit may not move now");
  }
  return {};
}

Refused check_command(const Situation& now, UnitId unit, UnitId hq) {
  if (now.facts(unit).type == UnitType::kStatic) {
    return refuse("STATIC_SUPREME_ONLY", "2.67", "a static unit moves only by supreme move");
  }
  if (!hq) {
    for (UnitId other : now.units_of(now.side(unit))) {
      if (commands_movement(now, other) && in_command(now, unit, other)) return {};
    }
    return refuse("NOT_IN_COMMAND", "5.3", now.name(unit) + " is in no active HQ's command");
  }
  if (now.side(hq) != now.side(unit) || !now.pos.on_board(hq) || !now.facts(hq).hq()) {
    return refuse("NOT_IN_COMMAND", "5.3", "that is no HQ that can command");
  }
  if (now.role(hq) == Role::kInactive && now.is(hq, u::kSpent)) {
    return refuse("HQ_DEACTIVATED", "5.43", now.name(hq) + " has been deactivated");
  }
  if (!commands_movement(now, hq) || !in_command(now, unit, hq)) {
    return refuse("NOT_IN_COMMAND", "5.3", now.name(unit) + " is not in its command");
  }
  return {};
}

bool commands_movement(const Situation& now, UnitId hq) {
  return now.facts(hq).hq() && !now.facts(hq).supreme() && now.role(hq) == Role::kNormal;
}

namespace {

// One step of a path that leaves a battle hex [6.32, 6.33].
Refused check_leaving(const Situation& now, UnitId unit, const Neighbour& step) {
  const SideId side = now.side(unit);
  if (!now.friendly(step.space, side) || now.any_in(step.space, enemy_of(side))) {
    return refuse("DISENGAGE_NOT_FRIENDLY", "6.32",
                  "a unit leaves a battle only to a friendly hex without one");
  }
  if (now.pos.get(step.link, l::kCrossed) >= now.engagement_limit(step.link, now.at(unit))) {
    return refuse("HEXSIDE_LIMIT", "6.33", "no more units may cross this side of the battle");
  }
  return {};
}

// One step of a path that enters a hex with enemies [6.31, 6.33].
Refused check_engaging(const Situation& now, UnitId unit, const Neighbour& step, bool left_battle) {
  if (now.facts(unit).hq()) {
    return refuse("HQ_MAY_NOT_ENGAGE", "5.1", "an HQ may not enter a hex with enemies");
  }
  if (left_battle) {
    return refuse("REENGAGE_FORBIDDEN", "6.32", "it has left a battle in this phase");
  }
  if (now.pos.get(step.link, l::kCrossed) >= now.engagement_limit(step.link, step.space)) {
    return refuse("HEXSIDE_LIMIT", "6.33", "no more units may enter over this hexside");
  }
  return {};
}

}  // namespace

Refused check_step(const Situation& now, UnitId unit, const PathState& so_far,
                   const Neighbour& step) {
  const SideId side = now.side(unit);
  const LinkFacts& link = now.data.link(step.link);
  if (!link.passable() || !now.data.hex(step.space).playable) {
    return refuse("IMPASSABLE", "1.3", "the way to " + now.name(step.space) + " is impassable");
  }
  if (so_far.stopped) {
    return refuse("MUST_STOP", "6.1", "it must stop in " + now.name(so_far.at));
  }
  if (link.border == Border::kStrait && so_far.steps > 0) {
    return refuse("MUST_STOP", "1.39", "a strait is crossed from the hex beside it only");
  }
  if (!satellite_may_enter(now, unit, step.space)) {
    return refuse("SATELLITE_RESTRICTED", "16.4", "it may not enter " + now.name(step.space));
  }
  if (so_far.steps == 0 && now.is_battle(so_far.at)) {
    if (auto no = check_leaving(now, unit, step)) return no;
  }
  if (now.any_in(step.space, enemy_of(side))) {
    return check_engaging(now, unit, step, so_far.left_battle);
  }
  return {};
}

PathState after_step(const Situation& now, UnitId unit, PathState state, const Neighbour& step) {
  if (state.steps == 0) state.left_battle = now.is_battle(state.at);
  state.steps += 1;
  state.at = step.space;
  state.stopped = now.must_stop(unit, step.space) ||
                  now.data.link(step.link).border == Border::kStrait ||
                  now.any_in(step.space, enemy_of(now.side(unit)));
  return state;
}

Refused check_land_path(const Situation& now, UnitId unit, std::span<const SpaceId> path) {
  if (path.size() < 2 || path.front() != now.at(unit)) {
    return refuse("IMPASSABLE", "6.1", "the path must begin where the unit stands and go on");
  }
  if (static_cast<int>(path.size()) - 1 > now.speed(unit)) {
    return refuse("TOO_FAR", "6.1", now.name(unit) + " cannot move that far");
  }
  PathState state;
  state.at = path.front();
  for (std::size_t i = 1; i < path.size(); ++i) {
    const LinkId link = path[i] ? now.board().link_between(path[i - 1], path[i]) : LinkId{};
    if (!link) return refuse("IMPASSABLE", "6.1", "the path is not one of adjacent hexes");
    const Neighbour step{path[i], link};
    if (auto no = check_step(now, unit, state, step)) return no;
    state = after_step(now, unit, state, step);
  }
  return {};
}

// ---------------------------------------------------------------------------- stacking [6.2]

int stack_in(const Situation& now, SpaceId space, SideId side) {
  int count = 0;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    count += now.pos.on_board(unit) && now.side(unit) == side && final_place(now, unit) == space;
  }
  return count;
}

std::vector<int> stacks(const Situation& now, SideId side) {
  std::vector<int> out(now.pos.space_count(), 0);
  for (UnitId unit : now.units_of(side)) out[final_place(now, unit).index()] += 1;
  return out;
}

SpaceId final_place(const Situation& now, UnitId unit) {
  if (!now.is(unit, u::kRearGuard)) return now.at(unit);
  SpaceId end = now.at(unit);
  for (u::Attribute way : {u::kWay1, u::kWay2, u::kWay3}) {
    if (now.get(unit, way) >= 0) end = SpaceId{now.get(unit, way)};
  }
  return end;
}

Refused check_stacking(const Situation& now, UnitId unit, SpaceId to) {
  const SideId side = now.side(unit);
  int excess = stack_in(now, to, side) + 1 - now.stacking_limit(to);
  // Units that may still leave make room: the limit holds at the end of the phase only.
  for (UnitId other : now.units_in(to, side)) {
    if (excess <= 0) break;
    if (check_may_move(now, side, other)) continue;
    if (now.track(t::kSupremeLeft) > 0 || !check_command(now, other, UnitId{})) --excess;
  }
  if (excess > 0) {
    return refuse("STACKING", "6.21", now.name(to) + " cannot hold another unit");
  }
  return {};
}

// ---------------------------------------------------------------------------- doing it

void enter_battle(Draft& draft, UnitId unit, SpaceId from, Entry entry) {
  const Situation now(draft);
  const SpaceId space = now.at(unit);
  const SideId side = now.side(unit);
  draft.set(unit, u::kCameFrom, from.value);
  draft.set(unit, u::kEntry, static_cast<int>(entry));
  if (!now.defender(space)) {  // [7.11]
    draft.set(space, h::kDefender, enemy_of(side).value);
    draft.set(space, h::kNewBattle, 1);
    return;
  }
  const bool joins_old_battle = !now.get(space, h::kNewBattle);
  if (joins_old_battle && now.defender(space) != side) show(draft, unit);  // [7.15]
}

void walk(Draft& draft, UnitId unit, std::span<const SpaceId> path, std::string_view how) {
  const Situation now(draft);
  const SideId foe = enemy_of(now.side(unit));
  const std::size_t last = path.size() - 1;
  const LinkId first_link = now.board().link_between(path[0], path[1]);
  const LinkId last_link = now.board().link_between(path[last - 1], path[last]);
  const bool left_battle = now.is_battle(path[0]);
  if (left_battle && !now.is(unit, u::kRearGuard)) {  // a rear guard's exit is counted already
    draft.set(first_link, l::kCrossed, now.pos.get(first_link, l::kCrossed) + 1);
  }
  draft.move(unit, path, how);
  draft.set(unit, u::kMove, static_cast<int>(Move::kLand));
  if (left_battle) {
    draft.set(unit, u::kShown, 0);
    end_battle_if_over(draft, path[0]);
  }
  if (now.any_in(path[last], foe)) {
    draft.set(last_link, l::kCrossed, now.pos.get(last_link, l::kCrossed) + 1);
    enter_battle(draft, unit, path[last - 1],
                 now.data.link(last_link).river ? Entry::kRiver : Entry::kLand);
  }
}

std::vector<SpaceId> full_path(const Situation& now, UnitId unit, const Order& move) {
  std::vector<SpaceId> path = move.spaces("path");
  if (unit && now.pos.on_board(unit) && (path.empty() || path.front() != now.at(unit))) {
    path.insert(path.begin(), now.at(unit));
  }
  return path;
}

Refused check_walk(const Situation& now, UnitId unit, std::span<const SpaceId> path) {
  if (auto no = check_land_path(now, unit, path)) return no;
  if (last_of_battle(now, unit)) {
    return refuse("REARGUARD_REQUIRED", "6.41",
                  "the last unit leaves a battle as rear guard (DesignateRearGuard)");
  }
  return check_stacking(now, unit, path.back());
}

Refused decide_move_unit(Draft& draft, const Order& move) {
  const Situation now(draft);
  const UnitId unit = move.unit("unit");
  if (auto no = check_may_move(now, move.side, unit)) return no;
  if (auto no = check_command(now, unit, move.unit("commandingHQ"))) return no;
  const std::vector<SpaceId> path = full_path(now, unit, move);
  if (auto no = check_walk(now, unit, path)) return no;
  walk(draft, unit, path, "land");
  return {};
}

}  // namespace wardiary::eastfront

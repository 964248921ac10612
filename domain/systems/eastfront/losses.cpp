// Losses [7.33-7.35] and repulses [7.51]: who takes a hit, who is thrown back, who dies.
#include <algorithm>

#include "domain/systems/eastfront/battle.h"

namespace wardiary::eastfront {

void lose_step(Draft& draft, UnitId unit, std::string_view why) {
  const Situation now(draft);
  if (now.cv(unit) <= now.lowest(unit)) return eliminate(draft, unit, why);
  draft.set(unit, u::kCv, now.cv(unit) - 1);
}

void eliminate(Draft& draft, UnitId unit, std::string_view why) {
  const Situation now(draft);
  const SpaceId space = now.at(unit);
  if (now.data.rulings.hidden_deaths_reveal && !now.is(unit, u::kShown)) {
    show(draft, unit);
  }
  draft.remove(unit, why);
  draft.set(unit, u::kFate, static_cast<int>(Fate::kEliminated));
  draft.set(unit, u::kCv, 0);
  for (u::Attribute flag :
       {u::kShown, u::kRole, u::kBlitz, u::kPartial, u::kFired, u::kRepulsed, u::kRearGuard,
        u::kDispersed, u::kFortressUnit, u::kSurplus, u::kStrikeDice}) {
    draft.set(unit, flag, 0);
  }
  for (u::Attribute place :
       {u::kStrikeAt, u::kInvades, u::kCameFrom, u::kWay1, u::kWay2, u::kWay3}) {
    draft.set(unit, place, -1);
  }
  // In a Production nothing shows before both sides have committed.
  if (now.phase() != Phase::kProduction) end_battle_if_over(draft, space);
}

void show(Draft& draft, UnitId unit) {
  draft.set(unit, u::kShown, 1);
  draft.reveal(unit, 1u << enemy_of(draft->side(unit)).value);
}

void end_battle_if_over(Draft& draft, SpaceId space) {
  const Situation now(draft);
  if (!now.defender(space) || (now.any_in(space, kAxis) && now.any_in(space, kSoviet))) return;
  draft.set(space, h::kDefender, -1);
  draft.set(space, h::kNewBattle, 0);
  for (UnitId unit : now.pos.units_in(space)) {
    if (now.role(unit) == Role::kInactive) draft.set(unit, u::kShown, 0);
    draft.set(unit, u::kPartial, 0);
  }
}

// ---------------------------------------------------------------------------- hits

std::vector<UnitId> loss_candidates(const Situation& now, SpaceId battle, SideId victim) {
  std::vector<UnitId> units = now.units_in(battle, victim);
  const auto repulsed = [&](UnitId unit) { return now.is(unit, u::kRepulsed); };
  // Repulsed units suffer only when nobody else is left [7.51].
  if (!std::all_of(units.begin(), units.end(), repulsed)) std::erase_if(units, repulsed);
  for (UnitId unit : units) {
    if (now.get(unit, u::kPartial) > 0) return {unit};  // [7.34]
  }
  int strongest = -1;
  for (UnitId unit : units) strongest = std::max(strongest, now.cv(unit));
  std::erase_if(units, [&](UnitId unit) { return now.cv(unit) < strongest; });  // [7.33]
  return units;
}

int hits_to_kill(const Situation& now, SpaceId battle, SideId victim, int multiplier) {
  int hits = 0;
  for (UnitId unit : now.units_in(battle, victim)) {
    hits += (now.cv(unit) - now.lowest(unit) + 1) * multiplier - now.get(unit, u::kPartial);
  }
  return hits;
}

void take_hit(Draft& draft, UnitId unit, int multiplier) {
  const int partial = draft->get(unit, u::kPartial) + 1;
  if (partial < multiplier) return draft.set(unit, u::kPartial, partial);
  draft.set(unit, u::kPartial, 0);
  lose_step(draft, unit, "combat");
}

Refused decide_allocate_loss(Draft& draft, const Order& allocate) {
  const Situation now(draft);
  const UnitId unit = allocate.unit("unit");
  const SpaceId battle = current_battle(now);
  if (!unit || now.at(unit) != battle || now.side(unit) != allocate.side) {
    return refuse("NOT_IN_BATTLE", "7.33", "the hit falls on an own unit in this battle");
  }
  const std::vector<UnitId> candidates = loss_candidates(now, battle, allocate.side);
  if (std::find(candidates.begin(), candidates.end(), unit) == candidates.end()) {
    const bool partial = !candidates.empty() && now.get(candidates.front(), u::kPartial) > 0;
    if (partial) {
      return refuse("PARTIAL_HIT_PENDING", "7.34", "another unit carries a partial hit");
    }
    return refuse("NOT_STRONGEST", "7.33", "a hit falls on a unit of the highest CV");
  }
  draft.settle(allocate.side);
  draft.add(track(t::kHits), -1);
  take_hit(draft, unit, step_multiplier(now));
  continue_battle(draft);
  return {};
}

// ---------------------------------------------------------------------------- repulses

std::vector<UnitId> repulse_candidates(const Situation& now, SpaceId battle) {
  std::vector<UnitId> units = now.units_in(battle, now.active());
  std::erase_if(units, [&](UnitId unit) { return now.is(unit, u::kRepulsed); });
  if (static_cast<int>(units.size()) <= now.track(t::kRepulses)) {
    if (units.size() > 1) units.resize(1);  // all go anyway
    return units;
  }
  int weakest = 99;
  for (UnitId unit : units) weakest = std::min(weakest, now.cv(unit));
  std::erase_if(units, [&](UnitId unit) { return now.cv(unit) > weakest; });
  return units;
}

Refused decide_allocate_repulse(Draft& draft, const Order& allocate) {
  const Situation now(draft);
  const UnitId unit = allocate.unit("unit");
  const SpaceId battle = current_battle(now);
  if (!unit || now.at(unit) != battle || now.side(unit) != allocate.side) {
    return refuse("NOT_IN_BATTLE", "7.51", "an own attacker of this battle is repulsed");
  }
  const std::vector<UnitId> candidates = repulse_candidates(now, battle);
  if (std::find(candidates.begin(), candidates.end(), unit) == candidates.end()) {
    return refuse("NOT_WEAKEST", "7.51", "a repulse throws back a unit of the lowest CV");
  }
  draft.settle(allocate.side);
  draft.set(unit, u::kRepulsed, 1);
  draft.add(track(t::kRepulses), -1);
  continue_battle(draft);
  return {};
}

void repulse(Draft& draft, UnitId unit) {
  const Situation now(draft);
  const SpaceId path[] = {now.at(unit), SpaceId{now.get(unit, u::kCameFrom)}};
  const bool dropped = now.entry(unit) == Entry::kAir;
  draft.move(unit, path, "repulse");
  draft.set(unit, u::kRepulsed, 0);
  draft.set(unit, u::kCameFrom, -1);
  draft.set(unit, u::kEntry, static_cast<int>(Entry::kNone));
  draft.set(unit, u::kShown, 0);
  if (dropped) {
    draft.set(unit, u::kDispersed, 0);
    lose_step(draft, unit, "repulse");  // [14.4]
  }
}

}  // namespace wardiary::eastfront

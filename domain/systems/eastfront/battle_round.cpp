// One round of a battle [7.2]: air strike, defensive fire with repulses, offensive fire.
#include <algorithm>

#include "domain/systems/eastfront/battle.h"

namespace wardiary::eastfront {

SpaceId current_battle(const Situation& now) {
  return SpaceId{now.track(t::kBattle)};
}

BattleStep battle_step(const Situation& now) {
  return static_cast<BattleStep>(now.track(t::kBattleStep));
}

SideId passive_side(const Situation& now) {
  return enemy_of(now.active());
}

SideId firing_side(const Situation& now) {
  return battle_step(now) == BattleStep::kDefence ? passive_side(now) : now.active();
}

int step_multiplier(const Situation& now) {
  const BattleStep step = battle_step(now);
  if (step == BattleStep::kDefence || step == BattleStep::kRepulse) return 1;  // [7.33]
  const int hits = defence_multiplier(now, current_battle(now), passive_side(now));
  // whether bombs too do nothing to a fortress without support.
  const bool bombs = step == BattleStep::kAir && !now.data.rulings.fortress_air_needs_support;
  return hits == 0 && bombs ? 3 : hits;
}

bool can_fire(const Situation& now, UnitId unit) {
  return now.side(unit) == firing_side(now) && now.at(unit) == current_battle(now) &&
         !now.facts(unit).hq() && now.cv(unit) > 0 && !now.is(unit, u::kFired);
}

namespace {

void set_step(Draft& draft, BattleStep step) {
  draft.set(track(t::kBattleStep), static_cast<int>(step));
  draft.set(track(t::kHits), 0);
}

void ask(Draft& draft, SideId side, Ask what, SpaceId battle, int number = 0) {
  draft.ask(side, Question{static_cast<std::uint8_t>(what), battle.value, -1, number});
}

// Gives out the hits of this step. False: the owner must choose.
bool allocate_hits(Draft& draft) {
  const Situation now(draft);
  const SpaceId battle = current_battle(now);
  const BattleStep step = battle_step(now);
  const SideId victim = step == BattleStep::kDefence || step == BattleStep::kRepulse
                            ? now.active()
                            : passive_side(now);
  const int multiplier = step_multiplier(now);
  while (now.track(t::kHits) > 0) {
    const std::vector<UnitId> candidates = loss_candidates(now, battle, victim);
    if (candidates.empty() || multiplier == 0) {
      draft.set(track(t::kHits), 0);  // wasted; or a fortress without support [7.4]
      return true;
    }
    const bool all_die = now.track(t::kHits) >= hits_to_kill(now, battle, victim, multiplier);
    if (candidates.size() > 1 && !all_die) {
      ask(draft, victim, Ask::kLoss, battle, now.track(t::kHits));
      return false;
    }
    draft.add(track(t::kHits), -1);
    take_hit(draft, candidates.front(), multiplier);
  }
  return true;
}

// Marks the units to be thrown back. False: the attacker must choose.
bool choose_repulses(Draft& draft) {
  const Situation now(draft);
  const SpaceId battle = current_battle(now);
  while (now.track(t::kRepulses) > 0) {
    const std::vector<UnitId> candidates = repulse_candidates(now, battle);
    if (candidates.empty()) {
      draft.set(track(t::kRepulses), 0);
      return true;
    }
    if (candidates.size() > 1) {
      ask(draft, now.active(), Ask::kRepulse, battle, now.track(t::kRepulses));
      return false;
    }
    draft.set(candidates.front(), u::kRepulsed, 1);
    draft.add(track(t::kRepulses), -1);
  }
  return true;
}

// [1.46, A-16]: several largest units that fire differently: the owner says which fires triple.
bool choose_fortress_unit(Draft& draft) {
  const Situation now(draft);
  const SpaceId battle = current_battle(now);
  const SideId passive = passive_side(now);
  if (!now.data.hex(battle).fortress || now.defender(battle) != passive) return true;
  const UnitId best = largest_of_fortress(now, battle, passive);
  if (!best || now.is(best, u::kFortressUnit)) return true;
  for (UnitId unit : now.units_in(battle, passive)) {
    if (now.facts(unit).hq() || now.cv(unit) != now.cv(best)) continue;
    if (facts_of(now.facts(unit).type).defence != facts_of(now.facts(best).type).defence) {
      ask(draft, passive, Ask::kFortressUnit, battle);
      return false;
    }
  }
  return true;
}

void finish_battle(Draft& draft) {
  const Situation now(draft);
  const SpaceId battle = current_battle(now);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    for (u::Attribute flag : {u::kPartial, u::kFired, u::kRepulsed}) draft.set(unit, flag, 0);
  }
  // The Original Defender stands up again, the Original Attacker stays face up [7.12].
  for (UnitId unit : now.pos.units_in(battle)) {
    draft.set(unit, u::kFortressUnit, 0);
    const bool stands_up = now.side(unit) == now.defender(battle);
    if (stands_up && now.role(unit) == Role::kInactive) draft.set(unit, u::kShown, 0);
  }
  if (const UnitId hq = striker(now, battle)) draft.set(hq, u::kStrikeAt, -1);
  draft.set(battle, h::kResolved, 1);
  draft.set(track(t::kBattle), -1);
  draft.set(track(t::kRepulseOn), 0);
  draft.set(track(t::kRepulses), 0);
  set_step(draft, BattleStep::kNone);
  end_battle_if_over(draft, battle);
  draft.settle(passive_side(now));
  draft.ask(now.active(), Question{static_cast<std::uint8_t>(Ask::kResolve), -1, -1, 0});
}

void air_strike(Draft& draft) {
  const Situation now(draft);
  const SpaceId battle = current_battle(now);
  const UnitId hq = striker(now, battle);
  if (!hq) return;
  FireRoll fire;
  fire.roller = now.active();
  fire.purpose = "air strike";
  fire.space = battle;
  fire.unit = hq;
  fire.dice = now.get(hq, u::kStrikeDice);
  fire.power = now.period().air[now.active().index()];
  fire.air = true;
  draft.set(track(t::kHits), hits_in(roll_dice(draft, fire), fire.power));
}

bool anyone_can_fire(const Situation& now) {
  for (UnitId unit : now.units_in(current_battle(now), firing_side(now))) {
    if (can_fire(now, unit)) return true;
  }
  return false;
}

void throw_back_repulsed(Draft& draft) {
  const Situation now(draft);
  for (UnitId unit : now.units_in(current_battle(now), now.active())) {
    if (now.is(unit, u::kRepulsed)) repulse(draft, unit);
  }
}

// A static unit at 0 that is alone is lost [2.67].
void lose_empty_statics(Draft& draft) {
  const Situation now(draft);
  for (SideId side : {kAxis, kSoviet}) {
    const std::vector<UnitId> units = now.units_in(current_battle(now), side);
    const bool all_empty = std::all_of(units.begin(), units.end(), [&](UnitId unit) {
      return now.facts(unit).type == UnitType::kStatic && now.cv(unit) == 0;
    });
    if (!all_empty) continue;
    for (UnitId unit : units) eliminate(draft, unit, "combat");
  }
}

// One stretch of the round. True: the round goes on by itself.
bool advance(Draft& draft) {
  const Situation now(draft);
  const SpaceId battle = current_battle(now);
  switch (battle_step(now)) {
    case BattleStep::kNone:
      return false;
    case BattleStep::kAir:
      if (!allocate_hits(draft)) return false;
      set_step(draft, BattleStep::kDefence);
      return true;
    case BattleStep::kDefence: {
      const bool assault = now.track(t::kRepulseOn) > 0;
      if (!assault && !allocate_hits(draft)) return false;
      if (!now.is_battle(battle)) return finish_battle(draft), false;
      if (!choose_fortress_unit(draft)) return false;
      if (anyone_can_fire(now)) return ask(draft, firing_side(now), Ask::kFire, battle), false;
      // In an assault all dice are added up first, then repulses, then hits.
      if (assault) {
        draft.set(track(t::kBattleStep), static_cast<int>(BattleStep::kRepulse));
      } else {
        set_step(draft, BattleStep::kOffence);
      }
      return true;
    }
    case BattleStep::kRepulse:
      if (!choose_repulses(draft) || !allocate_hits(draft)) return false;
      throw_back_repulsed(draft);
      set_step(draft, BattleStep::kOffence);
      return true;
    case BattleStep::kOffence:
      if (!allocate_hits(draft)) return false;
      if (now.is_battle(battle) && anyone_can_fire(now)) {
        return ask(draft, firing_side(now), Ask::kFire, battle), false;
      }
      return finish_battle(draft), false;
  }
  return false;
}

// Fires with one unit and adds up hits and repulses.
void fire_with(Draft& draft, UnitId unit) {
  const Situation now(draft);
  const bool defence = battle_step(now) == BattleStep::kDefence;
  FireRoll fire;
  fire.roller = now.side(unit);
  fire.purpose = defence ? "defensive fire" : "offensive fire";
  fire.space = now.at(unit);
  fire.unit = unit;
  fire.dice = now.cv(unit);
  fire.power = defence ? defensive_fire(now, unit) : offensive_fire(now, unit);
  fire.repulse_on = defence ? now.track(t::kRepulseOn) : 0;
  const std::vector<std::uint32_t> dice = roll_dice(draft, fire);
  draft.set(unit, u::kFired, 1);
  draft.add(track(t::kHits), hits_in(dice, fire.power));
  draft.add(track(t::kRepulses),
            static_cast<int>(std::count_if(dice.begin(), dice.end(), [&](std::uint32_t die) {
              return static_cast<int>(die) <= fire.repulse_on;
            })));
}

void fire_with_all(Draft& draft, SideId side) {
  const Situation now(draft);
  const SpaceId battle = current_battle(now);
  const int enough = hits_to_kill(now, battle, enemy_of(side), step_multiplier(now));
  for (UnitId unit : now.units_in(battle, side)) {
    if (!can_fire(now, unit)) continue;
    const bool assault = now.track(t::kRepulseOn) > 0 && battle_step(now) == BattleStep::kDefence;
    if (!assault && enough > 0 && now.track(t::kHits) >= enough) break;  // no enemy will be left
    fire_with(draft, unit);
  }
}

}  // namespace

void continue_battle(Draft& draft) {
  while (advance(draft)) {
  }
}

Refused decide_resolve_battle(Draft& draft, const Order& resolve) {
  const Situation now(draft);
  const SpaceId battle = resolve.space("battleHex");
  if (!battle || !now.get(battle, h::kActive)) {
    return refuse("NOT_AN_ACTIVE_BATTLE", "7.21", "this battle was not activated");
  }
  if (now.get(battle, h::kResolved)) {
    return refuse("ALREADY_RESOLVED", "7.21", "one round per phase is fought in a battle");
  }
  draft.settle(resolve.side);
  if (!now.data.rulings.support_fixed) {
    draft.set(battle, h::kSupported, supported(now, battle) ? 1 : 0);
  }
  draft.set(track(t::kBattle), battle.value);
  draft.set(track(t::kRepulseOn), repulse_number(now, battle));
  set_step(draft, BattleStep::kAir);
  lose_empty_statics(draft);
  if (now.is_battle(battle)) air_strike(draft);
  continue_battle(draft);
  return {};
}

Refused decide_fire(Draft& draft, const Order& fire) {
  const Situation now(draft);
  const bool all = fire.number("unit", -1) == -2;
  if (all) {
    draft.settle(fire.side);
    fire_with_all(draft, fire.side);
    continue_battle(draft);
    return {};
  }
  const UnitId unit = fire.unit("unit");
  if (!unit || now.side(unit) != fire.side || now.at(unit) != current_battle(now)) {
    return refuse("NOT_IN_BATTLE", "7.31", "an own unit of this battle fires");
  }
  if (now.facts(unit).hq() || now.cv(unit) < 1) {
    return refuse("NO_FIREPOWER", "7.32", now.name(unit) + " has no firepower");
  }
  if (now.is(unit, u::kFired)) {
    return refuse("ALREADY_FIRED", "7.31", now.name(unit) + " has fired");
  }
  draft.settle(fire.side);
  fire_with(draft, unit);
  continue_battle(draft);
  return {};
}

Refused decide_fortress_gunner(Draft& draft, const Order& choose) {
  const Situation now(draft);
  const UnitId unit = choose.unit("unit");
  const SpaceId battle = current_battle(now);
  if (!unit || now.side(unit) != choose.side || now.at(unit) != battle || now.facts(unit).hq()) {
    return refuse("NOT_IN_BATTLE", "1.46", "a combat unit of the fortress is chosen");
  }
  if (now.cv(unit) != now.cv(largest_of_fortress(now, battle, choose.side))) {
    return refuse("NOT_LARGEST", "1.46", "the largest unit fires triple");
  }
  draft.settle(choose.side);
  draft.set(unit, u::kFortressUnit, 1);
  continue_battle(draft);
  return {};
}

}  // namespace wardiary::eastfront

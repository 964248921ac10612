// Combat phases [7.1]: air strikes are assigned, battles chosen and fought, HQs deactivated.
#include "domain/systems/eastfront/battle.h"

namespace wardiary::eastfront {
namespace {

// HQs stand down: Blitz HQs after the first combat pay a step and go on [4.43, 4.45, 5.7].
void finish_combat(Draft& draft) {
  const Situation now(draft);
  for (UnitId hq : now.units_of(now.active())) {
    if (now.role(hq) == Role::kInactive) continue;
    deactivate(draft, hq, now.phase() == Phase::kCombat && now.is(hq, u::kBlitz));
  }
  end_phase(draft);
}

bool unresolved(const Situation& now, SpaceId space) {
  return now.get(space, h::kActive) && !now.get(space, h::kResolved);
}

}  // namespace

bool any_active_battle(const Situation& now) {
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    if (now.get(SpaceId{static_cast<int>(i)}, h::kActive)) return true;
  }
  return false;
}

void begin_combat(Draft& draft) {
  const Situation now(draft);
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    for (h::Attribute flag : {h::kActive, h::kResolved, h::kSupported}) draft.set(space, flag, 0);
  }
  for (UnitId hq : now.units_of(now.active())) draft.set(hq, u::kStrikeAt, -1);
  if (now.battles().empty()) return finish_combat(draft);
  draft.ask(now.active(), Question{static_cast<std::uint8_t>(Ask::kBattles), -1, -1, 0});
}

// ---------------------------------------------------------------------------- which battles

UnitId striker(const Situation& now, SpaceId battle) {
  for (UnitId hq : now.units_of(now.active())) {
    if (now.get(hq, u::kStrikeAt) == battle.value) return hq;
  }
  return {};
}

bool compulsory(const Situation& now, SpaceId battle) {
  if (!now.is_battle(battle)) return false;
  if (now.get(battle, h::kNewBattle) || striker(now, battle)) return true;
  return now.data.hex(battle).fortress && now.defender(battle) != now.active() &&
         now.phase() == Phase::kCombat;
}

bool supported(const Situation& now, SpaceId battle) {
  for (UnitId hq : now.units_of(now.active())) {
    if (!now.facts(hq).hq() || now.facts(hq).supreme()) continue;  // [5.64]
    if (now.role(hq) == Role::kInvasion && invasion_supports(now, hq, battle)) return true;
    if (now.role(hq) != Role::kNormal) continue;
    if (command_reach(now, hq)[battle.index()]) return true;
  }
  return false;
}

Refused check_air_strike(const Situation& now, SideId side, UnitId hq, SpaceId battle) {
  if (!hq || now.side(hq) != side || !now.pos.on_board(hq) || now.role(hq) == Role::kInactive) {
    return refuse("HQ_NOT_ACTIVE", "5.5", "only an own active HQ strikes");
  }
  if (now.role(hq) == Role::kPara) {
    return refuse("PARA_HQ_NO_AIR", "14.2", "a Para HQ has spent its air power");
  }
  if (now.period().air[side.index()] == Firepower::kNone || now.effective_cmd(hq) < 1) {
    return refuse("NO_AIR_POWER", "13.1", "this HQ has no air power now");
  }
  if (any_active_battle(now)) {
    return refuse("TOO_LATE", "7.13", "strikes are assigned before battles are activated");
  }
  if (now.get(hq, u::kStrikeAt) >= 0) {
    return refuse("ONE_STRIKE_PER_HQ", "5.5", now.name(hq) + " has assigned its strike");
  }
  if (!battle || !now.is_battle(battle)) {
    return refuse("NO_BATTLE", "7.15", "there is no battle with own units there");
  }
  if (striker(now, battle)) {
    return refuse("ONE_STRIKE_PER_BATTLE", "7.13", "this battle has its air strike");
  }
  const int range = now.effective_cmd(hq) * (now.facts(hq).supreme() ? 2 : 1);  // [5.63]
  const int distance = now.board().distance(now.at(hq), battle);
  if (distance < 0 || distance > range) {
    return refuse("OUT_OF_RANGE", "5.5", now.name(battle) + " is out of its air range");
  }
  return {};
}

Refused decide_assign_air_strike(Draft& draft, const Order& assign) {
  const Situation now(draft);
  const UnitId hq = assign.unit("hq");
  const SpaceId battle = assign.space("battleHex");
  if (auto no = check_air_strike(now, assign.side, hq, battle)) return no;
  draft.set(hq, u::kStrikeAt, battle.value);
  const int dice = now.data.rulings.strike_by_command ? now.effective_cmd(hq) : 1;
  draft.set(hq, u::kStrikeDice, dice);  // the public marker [13.13]
  return {};
}

Refused decide_activate_battle(Draft& draft, const Order& activate) {
  const Situation now(draft);
  const SpaceId battle = activate.space("battleHex");
  if (!battle || !now.is_battle(battle)) {
    return refuse("NO_BATTLE", "7.14", "there is no battle there");
  }
  if (now.get(battle, h::kActive)) {
    return refuse("ALREADY_ACTIVE", "7.14", "this battle is active");
  }
  draft.set(battle, h::kActive, 1);
  draft.set(battle, h::kSupported, supported(now, battle) ? 1 : 0);
  for (UnitId unit : now.pos.units_in(battle)) {                     // [7.14]
    if (!now.is(unit, u::kShown)) show(draft, unit);
  }
  return {};
}

Refused decide_end_battle_selection(Draft& draft, const Order& end) {
  const Situation now(draft);
  for (SpaceId battle : now.battles()) {
    if (compulsory(now, battle) && !now.get(battle, h::kActive)) {
      return refuse("COMBAT_COMPULSORY", "7.15",
                    "combat in " + now.name(battle) + " is compulsory");
    }
  }
  draft.settle(end.side);
  if (!any_active_battle(now)) {
    finish_combat(draft);
  } else {
    draft.ask(end.side, Question{static_cast<std::uint8_t>(Ask::kResolve), -1, -1, 0});
  }
  return {};
}

Refused decide_end_combat(Draft& draft, const Order& end) {
  const Situation now(draft);
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    if (unresolved(now, space)) {
      return refuse("BATTLES_LEFT", "7.21", "the battle in " + now.name(space) + " is not fought");
    }
  }
  draft.settle(end.side);
  finish_combat(draft);
  return {};
}

std::vector<Battle> battle_report(const Situation& now) {
  std::vector<Battle> out;
  for (SpaceId space : now.battles()) {
    Battle& battle = out.emplace_back();
    battle.space = space;
    battle.holder = now.defender(space);
    const auto say = [&](bool true_now, const char* word) {
      if (true_now) battle.words.emplace_back(word);
    };
    const bool combat = now.phase() == Phase::kCombat || now.phase() == Phase::kBlitzCombat;
    const bool active = now.get(space, h::kActive) != 0;
    say(now.get(space, h::kNewBattle) != 0, "new");
    say(now.active() && repulse_number(now, space) > 0, "assault");
    if (!combat) continue;
    say(compulsory(now, space), "compulsory");
    say(active, "active");
    say(now.get(space, h::kResolved) != 0, "fought");
    say(active ? now.get(space, h::kSupported) != 0 : supported(now, space), "supported");
    say(striker(now, space).ok(), "air strike");
  }
  return out;
}

// ---------------------------------------------------------------------------- legal orders

namespace {

void legal_selection(const Situation& now, SideId side, const SeeOrder& see) {
  const std::vector<SpaceId> battles = now.battles();
  for (UnitId hq : now.units_of(side)) {
    if (!now.facts(hq).hq() || now.role(hq) == Role::kInactive) continue;
    for (SpaceId battle : battles) {
      if (check_air_strike(now, side, hq, battle)) continue;
      if (!see(order("AssignAirStrike", side).with("hq", hq).with("battleHex", battle))) return;
    }
  }
  bool may_end = true;
  for (SpaceId battle : battles) {
    if (now.get(battle, h::kActive)) continue;
    may_end = may_end && !compulsory(now, battle);
    if (!see(order("ActivateBattle", side).with("battleHex", battle))) return;
  }
  if (may_end) see(order("EndBattleSelection", side));
}

void legal_resolution(const Situation& now, SideId side, const SeeOrder& see) {
  bool may_end = true;
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    if (!unresolved(now, space)) continue;
    may_end = false;
    if (!see(order("ResolveBattle", side).with("battleHex", space))) return;
  }
  if (may_end) see(order("EndCombat", side));
}

}  // namespace

void legal_combat(const Situation& now, SideId side, const SeeOrder& see) {
  const SpaceId battle = current_battle(now);
  const auto each = [&](const std::vector<UnitId>& units, const char* type) {
    for (UnitId unit : units) {
      if (!see(order(type, side).with("unit", unit))) return;
    }
  };
  switch (now.asked(side)) {
    case Ask::kBattles:
      return legal_selection(now, side, see);
    case Ask::kResolve:
      return legal_resolution(now, side, see);
    case Ask::kLoss:
      return each(loss_candidates(now, battle, side), "AllocateLoss");
    case Ask::kRepulse:
      return each(repulse_candidates(now, battle), "AllocateRepulse");
    case Ask::kFire: {
      if (!see(order("Fire", side).with_choice("unit", "all"))) return;
      std::vector<UnitId> units = now.units_in(battle, side);
      std::erase_if(units, [&](UnitId unit) { return !can_fire(now, unit); });
      return each(units, "Fire");
    }
    case Ask::kFortressUnit: {
      const int cv = now.cv(largest_of_fortress(now, battle, side));
      std::vector<UnitId> units = now.units_in(battle, side);
      std::erase_if(units, [&](UnitId unit) { return now.facts(unit).hq() || now.cv(unit) != cv; });
      return each(units, "ChooseFortressSupplied");
    }
    default:
      return;
  }
}

}  // namespace wardiary::eastfront

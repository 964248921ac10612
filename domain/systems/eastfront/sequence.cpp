// The sequence of play [4]: which phase follows which, and what a phase begins with.
#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {
namespace {

void begin_player_turn(Draft& draft, SideId side);
void begin_fortnight(Draft& draft, int turn);

void begin(Draft& draft, Phase phase, SideId side) {
  Clock to = draft->clock;
  to.phase = static_cast<std::uint8_t>(phase);
  to.side = static_cast<std::int8_t>(side.value);
  draft.begin_phase(to);
}

void ask(Draft& draft, SideId side, Ask what) {
  draft.ask(side, Question{static_cast<std::uint8_t>(what), -1, -1, 0});
}

void begin_weather(Draft& draft) {
  begin(draft, Phase::kWeather, kNoSide);
  roll_weather(draft);
  draft.set(track(t::kPlayerTurn), 1);
  begin_player_turn(draft, first_player(Situation(draft)));
}

void forget_crossings(Draft& draft) {
  for (std::size_t i = 0; i < Situation(draft).data.links.size(); ++i) {
    draft.set(LinkId{static_cast<int>(i)}, l::kCrossed, 0);
  }
}

void begin_player_turn(Draft& draft, SideId side) {
  const Situation now(draft);
  if (side == kAxis && now.fortnight().skip_axis && now.track(t::kPlayerTurn) == 1) {
    draft.set(track(t::kPlayerTurn), 2);  // [S44, A-25]
    return begin_player_turn(draft, enemy_of(side));
  }
  begin(draft, Phase::kCommand, side);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    draft.set(unit, u::kStrategic, 0);
    draft.set(unit, u::kSpent, 0);
  }
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    if (now.data.hexes[i].port != PortClass::kNone) {
      draft.set(SpaceId{static_cast<int>(i)}, h::kPortUsed, 0);
    }
  }
  if (now.data.rulings.deployment_uses_hexsides) forget_crossings(draft);
  if (side == kAxis) return_off_map_units(draft);
  recompute_control(draft);
  ask(draft, side, Ask::kCommand);
}

void begin_fortnight(Draft& draft, int turn) {
  const Situation now(draft);
  Clock to;
  to.turn = static_cast<std::int16_t>(turn);
  const Fortnight& next = now.data.fortnights[static_cast<std::size_t>(turn - 1)];
  const bool production = next.production;
  to.phase = static_cast<std::uint8_t>(production ? Phase::kProduction : Phase::kWeather);
  draft.begin_phase(to);
  draft.set(track(t::kPeriod), next.period);  // its base production follows [3.1.2]
  if (!production) {
    roll_weather(draft);
    draft.set(track(t::kPlayerTurn), 1);
    return begin_player_turn(draft, first_player(now));
  }
  recompute_control(draft);
  begin_production(draft);
}

void end_player_turn(Draft& draft) {
  const Situation now(draft);
  end_of_turn_checks(draft);
  if (now.pos.over) return;
  if (now.track(t::kPlayerTurn) == 1) {
    draft.set(track(t::kPlayerTurn), 2);
    return begin_player_turn(draft, enemy_of(first_player(now)));
  }
  const int next = now.pos.clock.turn + 1;
  const bool last = next > static_cast<int>(now.data.fortnights.size());
  const bool new_period = last || now.data.fortnights[static_cast<std::size_t>(next - 1)].period !=
                                      now.fortnight().period;
  if (new_period && finish_period(draft)) return;
  if (last) return draft.end_game(kNoSide, "unfinished", "the calendar is at its end");
  begin_fortnight(draft, next);
}

bool any_active_hq(const Situation& now, SideId side) {
  for (UnitId unit : now.units_of(side)) {
    if (now.role(unit) != Role::kInactive) return true;
  }
  return false;
}

void begin_combat_phase(Draft& draft, Phase phase) {
  begin(draft, phase, draft->clock.active());
  recompute_control(draft);
  begin_combat(draft);
}

void begin_movement_phase(Draft& draft, Phase phase) {
  begin(draft, phase, draft->clock.active());
  recompute_control(draft);
  begin_movement(draft);
}

void begin_supply_phase(Draft& draft) {
  begin(draft, Phase::kSupply, draft->clock.active());
  recompute_control(draft);
  draft.set(track(t::kStage), 0);
  continue_supply(draft);
}

}  // namespace

// [4.4, 12.21]: the Axis moves first in Dry and Mud, the Soviets in Snow.
SideId first_player(const Situation& now) {
  const bool west = now.data.rulings.west_weather_sets_initiative;
  const auto weather = static_cast<Weather>(now.track(west ? t::kWestWeather : t::kEastWeather));
  return weather == Weather::kSnow ? kSoviet : kAxis;
}

void begin_play(Draft& draft) {
  begin_fortnight(draft, 1);
}

void end_phase(Draft& draft) {
  const Situation now(draft);
  draft.settle(kAxis);
  draft.settle(kSoviet);
  if (now.phase() != Phase::kSetup && end_of_phase_checks(draft)) return;
  if (now.pos.over) return;
  draft.set(track(t::kPlainHexes), 0);
  switch (now.phase()) {
    case Phase::kSetup:
      return begin_play(draft);
    case Phase::kProduction:
      return begin_weather(draft);
    case Phase::kWeather:
      return;  // passes by itself
    case Phase::kCommand:
      return begin_movement_phase(draft, Phase::kMovement);
    case Phase::kMovement:
      return begin_combat_phase(draft, Phase::kCombat);
    case Phase::kCombat:
      if (any_active_hq(now, now.active())) {  // only Blitz HQs are still active [4.44]
        return begin_movement_phase(draft, Phase::kBlitzMovement);
      }
      return begin_supply_phase(draft);
    case Phase::kBlitzMovement:
      if (!now.data.rulings.blitz_combat_without_hq && !any_active_hq(now, now.active())) {
        return begin_supply_phase(draft);
      }
      return begin_combat_phase(draft, Phase::kBlitzCombat);
    case Phase::kBlitzCombat:
      return begin_supply_phase(draft);
    case Phase::kSupply:
      return end_player_turn(draft);
    case Phase::kEnd:
      return;
  }
}

Refused decide_pass(Draft& draft, const Order& pass) {
  const Situation now(draft);
  switch (now.asked(pass.side)) {
    case Ask::kCommand:
      return decide_end_command(draft, pass);
    case Ask::kMovement:
      return decide_end_movement(draft, pass);
    case Ask::kBattles:
      return decide_end_battle_selection(draft, pass);
    case Ask::kResolve:
      return decide_end_combat(draft, pass);
    case Ask::kProduction:
      return decide_production(draft, order("CommitProduction", pass.side));
    case Ask::kSurrender:
    case Ask::kBeachhead:
      return decide_strategic(draft, pass);
    default:
      return refuse("CANNOT_PASS", "4.4", "this decision cannot be passed");
  }
}

}  // namespace wardiary::eastfront

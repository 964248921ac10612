// The opening of a game [3.2]: control, levels, units, battles already under way.
#include "domain/systems/eastfront/setup.h"

namespace wardiary::eastfront {
namespace {

Fate fate_at_start(const UnitStart& start) {
  switch (start.how) {
    case Start::kOnMap:
      return Fate::kOnMap;
    case Start::kEliminated:
      return Fate::kEliminated;
    case Start::kScheduled:
      return Fate::kScheduled;
    case Start::kByEvent:
      return Fate::kByEvent;
    case Start::kPool:
      return Fate::kPool;
    case Start::kRemoved:
      return Fate::kRemoved;
  }
  return Fate::kRemoved;
}

// Everything on one's own side of the start line is friendly.
void take_start_line(Draft& draft) {
  const Situation now(draft);
  std::vector<std::int16_t> control(now.pos.space_count(), static_cast<int>(Control::kNone));
  std::vector<std::int16_t> held(now.pos.space_count(), -1);
  for (SideId side : {kAxis, kSoviet}) {
    for (SpaceId hex : now.data.own_side[side.index()]) {
      control[hex.index()] =
          static_cast<std::int16_t>(side == kAxis ? Control::kAxisHeld : Control::kSovietHeld);
      held[hex.index()] = side.value;
    }
  }
  for (const auto& [hex, defender] : now.data.battles) {
    control[hex.index()] =
        static_cast<std::int16_t>(defender == kAxis ? Control::kAxisHeld : Control::kSovietHeld);
    held[hex.index()] = defender.value;
  }
  draft.set_all_spaces(h::kControl, control);
  draft.set_all_spaces(h::kHeld, held);
}

}  // namespace

void begin_side_setup(Draft& draft, SideId side) {
  Clock to = draft->clock;
  to.phase = static_cast<std::uint8_t>(Phase::kSetup);
  to.side = static_cast<std::int8_t>(side.value);
  draft.begin_phase(to);
  draft.ask(side, Question{static_cast<std::uint8_t>(Ask::kSelectForces), -1, -1, 0});
}

void open_battles(Draft& draft) {
  const Situation now(draft);
  for (const auto& [hex, defender] : now.data.battles) {
    if (!now.is_battle(hex)) continue;
    draft.set(hex, h::kDefender, defender.value);
    for (UnitId unit : now.units_in(hex, enemy_of(defender))) draft.set(unit, u::kShown, 1);
  }
}

Status place_initial_units(Draft& draft) {
  const Situation now(draft);
  Clock setup;
  setup.phase = static_cast<std::uint8_t>(Phase::kSetup);
  setup.side = static_cast<std::int8_t>(now.data.sets_up_first.value);
  draft.begin_phase(setup);
  take_start_line(draft);
  draft.set(track(t::kAxisLevel), now.period().start_level[kAxis.index()]);
  draft.set(track(t::kSovietLevel), now.period().start_level[kSoviet.index()]);
  if (now.data.rulings.naval &&
      now.fortnight().year * 12 + now.fortnight().month > 1941 * 12 + 11) {
    draft.set(track(t::kBeachhead), static_cast<int>(Beachhead::kPrep));  // [15.51]
  }
  for (std::size_t i = 0; i < now.data.starts.size(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    const UnitStart& start = now.data.starts[i];
    draft.set(unit, u::kFate, static_cast<int>(fate_at_start(start)));
    if (start.how != Start::kOnMap) continue;
    if (!start.at) return invalid("scenario: " + now.name(unit) + " has no place");
    const auto hidden = draft.only_for(now.side(unit));
    draft.place(unit, start.at, {{u::kCv, start.cv}});
  }
  if (now.data.free_setup) {
    begin_side_setup(draft, now.data.sets_up_first);
    return Done{};
  }
  open_battles(draft);
  recompute_control(draft);
  begin_play(draft);
  return Done{};
}

}  // namespace wardiary::eastfront

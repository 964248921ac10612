// Strategic objectives [16]: oil and Lend-Lease, Army Group E, the Hungarian and Polish plains.
#include <algorithm>

#include "domain/systems/eastfront/chapters.h"
#include "domain/systems/eastfront/naval.h"
#include "domain/systems/eastfront/production.h"
#include "domain/systems/eastfront/strategic.h"

namespace wardiary::eastfront {
namespace {

bool only_soviets(const Situation& now, SpaceId hex) {
  return now.any_in(hex, kSoviet) && !now.any_in(hex, kAxis);
}

// Lend-Lease needs rail between the Arctic line and the east [16.3]; the sea oil route needs Guryev
// and the North Caspian, unless Baku itself is lost [16.61, sb 16.6].
void update_routes(Draft& draft, const RailNet& soviet) {
  const Situation now(draft);
  const auto in_net = [&](SpaceId hex) { return soviet.in[hex.index()] != 0; };
  const auto& arctic = now.data.arctic_link;
  const bool lend_lease = arctic.empty() || std::any_of(arctic.begin(), arctic.end(), in_net);
  draft.set(track(t::kLendLeaseCut), lend_lease ? 0 : 1);
  const auto lost = [&](SpaceId hex) { return hex && !now.friendly(hex, kSoviet); };
  const bool oil_cut = !lost(now.data.baku) && (lost(now.data.guryev) || lost(now.data.astrakhan));
  draft.set(track(t::kSeaOilCut), oil_cut ? 1 : 0);
}

SpaceId place(const Situation& now, UnitId unit) {
  return SpaceId{now.get(unit, u::kOffMapAt)};
}

// Stands the unit off the map opposite an edge hex [16.7].
void leave_map(Draft& draft, UnitId unit, SpaceId edge) {
  draft.remove(unit, "off the map");
  draft.set(unit, u::kFate, static_cast<int>(Fate::kOffMap));
  draft.set(unit, u::kOffMapAt, edge.value);
  draft.set(unit, u::kShown, 0);
  draft.set(unit, u::kRole, static_cast<int>(Role::kInactive));
  draft.set(unit, u::kBlitz, 0);
}

bool faced(const Situation& now, SpaceId edge) {
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.fate(unit) == Fate::kOffMap && place(now, unit) == edge) return true;
  }
  return false;
}

// The nearest Axis units that are not engaged; ties are the Axis player's choice [16.7].
std::vector<UnitId> nearest(const Situation& now, SpaceId edge) {
  std::vector<UnitId> best;
  int least = 0;
  for (UnitId unit : now.units_of(kAxis)) {
    if (now.engaged(unit)) continue;
    const int away = now.board().distance(now.at(unit), edge);
    if (best.empty() || away < least) {
      best.assign(1, unit);
      least = away;
    } else if (away == least) {
      best.push_back(unit);
    }
  }
  return best;
}

// Answers every edge hex of the Hungarian Plain that only Soviets hold; true: the Axis must choose.
bool hold_hungarian_plain(Draft& draft) {
  const Situation now(draft);
  for (SpaceId edge : now.data.hungarian_plain) {
    if (!only_soviets(now, edge) || faced(now, edge)) continue;
    const std::vector<UnitId> units = nearest(now, edge);
    if (units.empty()) continue;
    if (units.size() > 1) {
      draft.ask(kAxis, Question{static_cast<std::uint8_t>(Ask::kOffMapUnit), edge.value, -1, 0});
      return true;
    }
    leave_map(draft, units.front(), edge);
  }
  return false;
}

// [16.5]: four units wait for the next Production once a Soviet unit is on the West Front.
void wake_army_group_e(Draft& draft) {
  const Situation now(draft);
  if (now.track(t::kArmyGroupE) != 0) return;
  for (UnitId unit : now.units_of(kSoviet)) {
    if (!now.data.hex(now.at(unit)).west_front) continue;
    draft.set(track(t::kArmyGroupE), 1);
    return;
  }
}

void note_breakthrough(Draft& draft) {
  const Situation now(draft);
  // Before Winter 1944 it decides a campaign only [16.8].
  if (now.track(t::kBreakthrough) != 0 || !breakthrough_ends(now)) return;
  const auto& plain = now.data.polish_plain;
  const bool through =
      std::any_of(plain.begin(), plain.end(), [&](SpaceId hex) { return only_soviets(now, hex); });
  if (through) draft.set(track(t::kBreakthrough), std::max<int>(1, now.pos.clock.turn));
}

}  // namespace

void update_objectives(Draft& draft) {
  const Situation now(draft);
  update_satellites(draft);
  const RailNet axis = rail_net(now, kAxis);
  const RailNet soviet = rail_net(now, kSoviet);
  update_routes(draft, soviet);
  // The production level follows the map [11.2].
  draft.set(track(t::kAxisLevel), level_of(now, kAxis, axis));
  draft.set(track(t::kSovietLevel), level_of(now, kSoviet, soviet));
}

bool end_of_phase_checks(Draft& draft) {
  wake_army_group_e(draft);
  lose_beachhead(draft);
  note_breakthrough(draft);
  const Situation now(draft);
  if (now.track(t::kBreakthrough) != 0) {
    finish_period(draft);
    return true;
  }
  return hold_hungarian_plain(draft);
}

void return_off_map_units(Draft& draft) {
  const Situation now(draft);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.fate(unit) != Fate::kOffMap) continue;
    const SpaceId edge = place(now, unit);
    // Back when the Soviets have left the hex, and there is room [16.7, 6.2].
    if (now.any_in(edge, kSoviet) || now.count_in(edge, kAxis) >= now.stacking_limit(edge)) {
      continue;
    }
    draft.set(unit, u::kFate, static_cast<int>(Fate::kOnMap));
    draft.set(unit, u::kOffMapAt, -1);
    draft.place(unit, edge, {{u::kSupplied, 1}});
  }
}

void end_of_turn_checks(Draft& draft) {
  conquer(draft);
}

Refused decide_strategic(Draft& draft, const Order& order) {
  const Situation now(draft);
  switch (now.asked(order.side)) {
    case Ask::kSurrender:
    case Ask::kDefector:
      return decide_surrender(draft, order);
    case Ask::kBeachhead:
      return decide_beachhead(draft, order);
    default:
      break;
  }
  const SpaceId edge{now.pos.pending(order.side).space};
  const std::vector<UnitId> units = nearest(now, edge);
  const UnitId unit = order.unit("unit");
  if (std::find(units.begin(), units.end(), unit) == units.end()) {
    return refuse("NOT_NEAREST", "16.7", "choose one of the nearest units that is in no battle");
  }
  leave_map(draft, unit, edge);
  draft.settle(order.side);
  end_phase(draft);
  return std::nullopt;
}

void legal_strategic(const Situation& now, SideId side, const SeeOrder& see) {
  switch (now.asked(side)) {
    case Ask::kSurrender:
    case Ask::kDefector:
      return legal_surrender(now, side, see);
    case Ask::kBeachhead:
      return legal_beachhead(now, see);
    default:
      break;
  }
  for (UnitId unit : nearest(now, SpaceId{now.pos.pending(side).space})) {
    if (!see(order("ChooseOffMapUnit", side).with("unit", unit))) return;
  }
}

}  // namespace wardiary::eastfront

// Set-up [3.2]: how units start, and the checks of a free set-up: force table, start line,
// stacking, HQ spacing, garrisons of the scenario sheets.
#include "domain/systems/eastfront/setup.h"

#include <algorithm>

namespace wardiary::eastfront {
namespace {

template <class T>
bool contains(const std::vector<T>& list, T value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Fate fate_of(Start start) {
  switch (start) {
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

// Who holds what at the start: one's own side of the start line.
void set_start_line(Draft& draft) {
  const Situation now(draft);
  std::vector<std::int16_t> control(now.pos.space_count(), 0);
  std::vector<std::int16_t> held(now.pos.space_count(), -1);
  for (SideId side : {kAxis, kSoviet}) {
    for (SpaceId hex : now.data.own_side[side.index()]) {
      const Control who = side == kAxis ? Control::kAxisHeld : Control::kSovietHeld;
      control[hex.index()] = static_cast<std::int16_t>(who);
      held[hex.index()] = side.value;
    }
  }
  draft.set_all_spaces(h::kControl, control);
  draft.set_all_spaces(h::kHeld, held);
}

// What earlier scenarios have done: surrenders, Army Group E, the beach-head [W44 2, 15.51].
void set_history(Draft& draft) {
  const Situation now(draft);
  for (std::size_t i = 0; i < now.data.units.size(); ++i) {
    const UnitFacts& facts = now.data.units[i];
    const UnitId unit{static_cast<int>(i)};
    const int country = satellite_index(facts.nation);
    if (country >= 0 && now.side(unit) == kSoviet) {
      draft.set(track(allegiance_track(country)), static_cast<int>(Allegiance::kSurrendered));
    }
    if (facts.army_group_e && now.data.starts[i].how != Start::kByEvent) {
      draft.set(track(t::kArmyGroupE), 1);
    }
  }
  draft.set(track(t::kBeachhead), static_cast<int>(beachhead_at_start(now.fortnight())));
}

std::string line_text(const ForceLine& line) {
  return line.name + ": " + std::to_string(line.units) + " units with " + std::to_string(line.cv) +
         " in all";
}

// One line of the force table against the units chosen for it [3.2.2].
Refused check_line(const Situation& now, const ForceLine& line,
                   std::span<const std::int32_t> units) {
  int count = 0;
  int cv = 0;
  std::array<int, 3> of_country{};
  std::size_t included = 0;
  for (std::size_t i = 0; i + 1 < units.size(); i += 2) {
    const UnitId unit{units[i]};
    const UnitFacts& facts = now.facts(unit);
    if (!line.covers(facts)) continue;
    count += 1;
    cv += units[i + 1];
    included += contains(line.including, unit) ? 1 : 0;
    const int country = satellite_index(facts.nation);
    if (country >= 0) of_country[static_cast<std::size_t>(country)] += 1;
  }
  if (count != line.units || cv > line.cv) {
    return refuse(
        "FORCE_TOTAL", "3.2.2",
        line_text(line) + "; chosen " + std::to_string(count) + " with " + std::to_string(cv));
  }
  if (included != line.including.size()) {
    return refuse("FORCE_TOTAL", "3.2.2", line_text(line) + "; a unit it names is missing");
  }
  for (int here : of_country) {
    if (line.per_country > 0 && here > line.per_country) {
      return refuse("FORCE_TOTAL", "W44 2", "one unit of each country");
    }
  }
  return std::nullopt;
}

}  // namespace

// ---------------------------------------------------------------------------- forces

Refused check_forces(const Situation& now, SideId side, std::span<const std::int32_t> units) {
  std::vector<char> seen(now.pos.unit_count(), 0);
  for (std::size_t i = 0; i + 1 < units.size(); i += 2) {
    const UnitId unit{units[i]};
    const int cv = units[i + 1];
    const bool mine = now.side(unit) == side && now.fate(unit) == Fate::kPool;
    const bool listed =
        mine &&
        std::any_of(now.data.forces.begin(), now.data.forces.end(), [&](const ForceLine& line) {
          return line.side == side && line.covers(now.facts(unit));
        });
    if (!listed || seen[unit.index()]) {
      return refuse("NOT_IN_POOL", "3.2.2", "unit " + now.name(unit) + " cannot be chosen");
    }
    seen[unit.index()] = 1;
    if (cv > now.facts(unit).max_cv || cv < now.lowest(unit)) {
      return refuse("OVER_MAX", "3.2.2",
                    now.name(unit) + " has strengths from " + std::to_string(now.lowest(unit)) +
                        " to " + std::to_string(now.facts(unit).max_cv));
    }
  }
  for (const ForceLine& line : now.data.forces) {
    if (line.side != side) continue;
    if (Refused no = check_line(now, line, units)) return no;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------------------- places

int Deployment::chosen_cv(UnitId unit) const {
  if (due_at_start(unit)) return now.data.starts[unit.index()].cv;
  return now.get(unit, u::kSetCv) - (now.lowest(unit) == 0 ? 1 : 0);
}

// Reinforcements of the first month are placed at set-up, where new units arrive [11.6].
bool Deployment::due_at_start(UnitId unit) const {
  const UnitStart& start = now.data.starts[unit.index()];
  const Fortnight& first = now.data.fortnights.front();
  return now.side(unit) == side && start.how == Start::kScheduled && start.year == first.year &&
         start.month == first.month;
}

bool Deployment::placed(UnitId unit) const {
  return now.pos.on_board(unit) || now.fate(unit) == Fate::kOffMap;
}

std::vector<UnitId> Deployment::unplaced() const {
  std::vector<UnitId> out;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if ((chosen(unit) || due_at_start(unit)) && !placed(unit)) out.push_back(unit);
  }
  return out;
}

bool Deployment::on_own_side(SpaceId hex) const {
  return contains(now.data.own_side[side.index()], hex);
}

bool Deployment::is_front(SpaceId hex) const {
  return contains(now.data.front[side.index()], hex);
}

bool Deployment::is_start_battle(SpaceId hex) const {
  return std::any_of(now.data.battles.begin(), now.data.battles.end(),
                     [&](const auto& battle) { return battle.first == hex; });
}

Refused Deployment::may_stand_off_map(UnitId unit, SpaceId hex) const {
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId other{static_cast<int>(i)};
    if (other != unit && now.fate(other) == Fate::kOffMap &&
        now.get(other, u::kOffMapAt) == hex.value) {
      return refuse("STACKING", "W44 3", "a unit stands opposite " + now.name(hex) + " already");
    }
  }
  return std::nullopt;
}

Refused Deployment::may_place(UnitId unit, SpaceId hex) const {
  if (due_at_start(unit)) {
    return now.pos.at(unit) == hex ? std::nullopt : arrivals.may_arrive(unit, hex);
  }
  if (!chosen(unit)) {
    return refuse("NOT_IN_POOL", "3.2.4", "that unit was not chosen");
  }
  if (side == kAxis && contains(now.data.off_map_foes, hex)) return may_stand_off_map(unit, hex);
  const std::string& name = now.name(hex);
  if (!on_own_side(hex) && !is_start_battle(hex)) {
    return refuse("NOT_OWN_SIDE", "3.2.4", name + " is not on your side of the start line");
  }
  if (contains(now.data.on_front, unit) && !is_front(hex)) {
    return refuse("NOT_ON_FRONT", "S41 1B", "units of the districts start on the front line");
  }
  if (now.facts(unit).hq() && is_start_battle(hex) && !on_own_side(hex)) {
    return refuse("HQ_MAY_NOT_ENGAGE", "5.1", "an HQ does not start as an attacker");
  }
  // Front hexes must be held even where no supply reaches them.
  const bool supplied = is_front(hex) || is_start_battle(hex) || arrivals.ways[hex.index()].ok();
  if (!supplied) return refuse("NO_SUPPLY_LINE", "3.2.4", name + " is not supplied");
  if (!satellite_may_enter(now, unit, hex)) {
    return refuse("SATELLITE_RESTRICTED", "2.66", "this unit may not stand in " + name);
  }
  const int here = now.count_in(hex, side) - (now.at(unit) == hex ? 1 : 0);
  if (here >= now.stacking_limit(hex)) return refuse("STACKING", "6.2", name + " is full");
  if (!now.facts(unit).hq()) return std::nullopt;
  for (UnitId other : now.units_of(side)) {
    if (other == unit || !now.facts(other).hq()) continue;
    if (now.board().distance(now.at(other), hex) < 2) {
      return refuse("HQ_SPACING", "3.2.4", "HQs start neither together nor in adjacent hexes");
    }
  }
  return std::nullopt;
}

std::vector<UnitId> Deployment::in_garrison(const Garrison& garrison) const {
  std::vector<UnitId> out;
  for (UnitId unit : now.units_of(garrison.side)) {
    const SpaceId at = now.at(unit);
    if (garrison.region.empty() ? at == garrison.at : contains(garrison.region, at)) {
      out.push_back(unit);
    }
  }
  return out;
}

Refused Deployment::check_garrison(const Garrison& garrison) const {
  if (garrison.side != side) return std::nullopt;
  const std::vector<UnitId> units = in_garrison(garrison);
  int cv = 0;
  bool armor = !garrison.armor;
  for (UnitId unit : units) {
    cv += now.cv(unit);
    const UnitType type = now.facts(unit).type;
    armor = armor || type == UnitType::kArmor || type == UnitType::kSSArmor;
  }
  bool complete = static_cast<int>(units.size()) >= garrison.units && cv >= garrison.cv && armor;
  for (UnitId unit : garrison.including) complete = complete && contains(units, unit);
  if (complete) return std::nullopt;
  const std::string where = garrison.region.empty() ? now.name(garrison.at) : "the pocket";
  return refuse("GARRISON_MISSING", "3.2.4", where + " needs a garrison by the scenario rules");
}

Refused Deployment::may_finish() const {
  for (SpaceId hex : now.data.front[side.index()]) {
    if (!now.any_in(hex, side)) {
      return refuse("FRONT_HEX_EMPTY", "3.2.4", now.name(hex) + " must hold a unit");
    }
  }
  for (const Garrison& garrison : now.data.garrisons) {
    if (Refused no = check_garrison(garrison)) return no;
  }
  for (SpaceId hex : now.data.off_map_foes) {
    if (side == kAxis && !may_stand_off_map(UnitId{}, hex)) {
      return refuse("GARRISON_MISSING", "W44 3",
                    "a unit must stand off the map opposite " + now.name(hex));
    }
  }
  if (!unplaced().empty()) {
    return refuse("UNITS_LEFT", "3.2.4", "there are chosen units that have no place yet");
  }
  return std::nullopt;
}

// ---------------------------------------------------------------------------- the orders

namespace {

// The side chooses its forces now.
void begin_side(Draft& draft, SideId side) {
  Clock to = draft->clock;
  to.phase = static_cast<std::uint8_t>(Phase::kSetup);
  to.side = static_cast<std::int8_t>(side.value);
  draft.begin_phase(to);
  draft.ask(side, Question{static_cast<std::uint8_t>(Ask::kSelectForces), -1, -1, 0});
}

}  // namespace

Status place_initial_units(Draft& draft) {
  const Situation now(draft);
  set_start_line(draft);
  for (std::size_t i = 0; i < now.data.starts.size(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    const UnitStart& start = now.data.starts[i];
    draft.set(unit, u::kFate, static_cast<int>(fate_of(start.how)));
    if (start.how != Start::kOnMap) continue;
    if (!start.at) return invalid("scenario: unit " + now.name(unit) + " has no place");
    const auto hidden = draft.only_for(now.side(unit));
    draft.place(unit, start.at, {{u::kCv, start.cv}});
  }
  set_history(draft);
  update_objectives(draft);
  if (!now.data.free_setup) {
    begin_battles(draft);
    end_phase(draft);
    return Done{};
  }
  begin_side(draft, now.data.sets_up_first);
  return Done{};
}

void begin_battles(Draft& draft) {
  const Situation now(draft);
  for (const auto& [hex, defender] : now.data.battles) {
    if (!now.is_battle(hex)) continue;
    draft.set(hex, h::kDefender, defender.value);
    // The Original Attacker's units lie face up [7.12].
    for (UnitId unit : now.units_in(hex, enemy_of(defender))) draft.set(unit, u::kShown, 1);
  }
}

Refused decide_select_forces(Draft& draft, const Order& order) {
  const Situation now(draft);
  const std::vector<std::int32_t> units = order.numbers("units");
  if (Refused no = check_forces(now, order.side, units)) return no;
  {
    const auto hidden = draft.only_for(order.side);
    for (std::size_t i = 0; i + 1 < units.size(); i += 2) {
      const UnitId unit{units[i]};
      draft.set(unit, u::kSetCv, units[i + 1] + (now.lowest(unit) == 0 ? 1 : 0));
    }
    // The rest of the pool starts eliminated, and may be rebuilt [3.2.2].
    for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
      const UnitId unit{static_cast<int>(i)};
      if (now.side(unit) == order.side && now.fate(unit) == Fate::kPool &&
          !now.is(unit, u::kSetCv)) {
        draft.set(unit, u::kFate, static_cast<int>(Fate::kEliminated));
      }
    }
  }
  draft.ask(order.side, Question{static_cast<std::uint8_t>(Ask::kPlaceSetup), -1, -1, 0});
  return std::nullopt;
}

Refused decide_place_setup(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const SpaceId hex = order.space("hex");
  const Deployment deployment(now, order.side);
  if (Refused no = deployment.may_place(unit, hex)) return no;
  const SpaceId from = now.at(unit);
  if (from == hex) return std::nullopt;
  const int cv = deployment.chosen_cv(unit);
  const auto hidden = draft.only_for(order.side);
  if (deployment.due_at_start(unit)) {
    if (from) draft.set(from, h::kArrivals, now.get(from, h::kArrivals) - 1);
    draft.set(hex, h::kArrivals, now.get(hex, h::kArrivals) + 1);
  }
  const bool leaves_map = order.side == kAxis && contains(now.data.off_map_foes, hex);
  if (from && leaves_map) draft.remove(unit, "set-up");
  draft.set(unit, u::kFate, static_cast<int>(leaves_map ? Fate::kOffMap : Fate::kOnMap));
  draft.set(unit, u::kOffMapAt, leaves_map ? hex.value : -1);
  if (leaves_map) {
    draft.set(unit, u::kCv, cv);
  } else if (from) {
    const SpaceId path[] = {from, hex};
    draft.move(unit, path, "set-up");
  } else {
    draft.place(unit, hex, {{u::kCv, cv}});
  }
  return std::nullopt;
}

Refused decide_finish_setup(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (Refused no = Deployment(now, order.side).may_finish()) return no;
  draft.settle(order.side);
  draft.add(track(t::kPasses), 1);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) != order.side) continue;
    const auto hidden = draft.only_for(order.side);
    draft.set(unit, u::kSetCv, 0);
  }
  if (now.track(t::kPasses) < 2) {
    begin_side(draft, enemy_of(order.side));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    draft.set(SpaceId{static_cast<int>(i)}, h::kArrivals, 0);
  }
  begin_battles(draft);
  end_phase(draft);
  return std::nullopt;
}

}  // namespace wardiary::eastfront

// Free set-up [3.2.2-3.2.4]: each side chooses its forces and places them behind its line.
#include <algorithm>

#include "domain/systems/eastfront/setup.h"

namespace wardiary::eastfront {
namespace {

bool contains(std::span<const SpaceId> spaces, SpaceId space) {
  return std::find(spaces.begin(), spaces.end(), space) != spaces.end();
}
bool contains(std::span<const UnitId> units, UnitId unit) {
  return std::find(units.begin(), units.end(), unit) != units.end();
}

bool chosen(const Situation& now, UnitId unit) {
  return now.get(unit, u::kSetCv) > 0;
}
int chosen_cv(const Situation& now, UnitId unit) {
  return now.get(unit, u::kSetCv) - 1;
}
bool placed(const Situation& now, UnitId unit) {
  return now.pos.on_board(unit) || now.fate(unit) == Fate::kOffMap;
}
bool off_map_post(const Situation& now, SideId side, SpaceId hex) {
  return side == kAxis && contains(now.data.off_map_foes, hex);  // [W44 3]
}
bool posted(const Situation& now, SpaceId hex) {
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.fate(unit) == Fate::kOffMap && now.get(unit, u::kOffMapAt) == hex.value) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------- SelectForces

struct Choice {
  UnitId unit;
  int cv = 0;
};

Refused check_line(const Situation& now, const ForceLine& line, std::span<const Choice> choices) {
  int units = 0, cv = 0;
  std::vector<UnitId> named;
  for (const Choice& choice : choices) {
    if (!line.covers(now.facts(choice.unit))) continue;
    units += 1;
    cv += choice.cv;
    named.push_back(choice.unit);
  }
  if (units != line.units || cv > line.cv) {
    return refuse("FORCE_TOTAL", "3.2.2",
                  line.name + ": " + std::to_string(line.units) + " units of at most " +
                      std::to_string(line.cv) + " CV in all");
  }
  for (UnitId must : line.including) {
    if (!contains(named, must)) {
      return refuse("FORCE_TOTAL", "3.2.2", now.name(must) + " must be among them");
    }
  }
  if (line.per_country > 0) {
    for (UnitId unit : named) {
      const auto of_country = std::count_if(named.begin(), named.end(), [&](UnitId other) {
        return now.facts(other).nation == now.facts(unit).nation;
      });
      if (of_country > line.per_country) {
        return refuse("FORCE_TOTAL", "W44 2", "too many units of one country");
      }
    }
  }
  return {};
}

Refused check_choice(const Situation& now, SideId side, const Choice& choice) {
  const UnitId unit = choice.unit;
  if (!unit || now.side(unit) != side || now.fate(unit) != Fate::kPool) {
    return refuse("NOT_IN_POOL", "3.2.2", "a chosen unit is not in the pool of this scenario");
  }
  if (choice.cv > now.facts(unit).max_cv) {
    return refuse("OVER_MAX", "3.2.2", now.name(unit) + " cannot be that strong");
  }
  if (choice.cv < now.lowest(unit)) {
    return refuse("FORCE_TOTAL", "3.2.2", now.name(unit) + " must have at least its lowest step");
  }
  return {};
}

// ---------------------------------------------------------------------------- PlaceSetup

Refused check_place(const Situation& now, SideId side, UnitId unit, SpaceId hex,
                    const std::vector<SpaceId>& ways) {
  if (!unit || now.side(unit) != side || !chosen(now, unit)) {
    return refuse("NOT_IN_POOL", "3.2.2", "that unit was not chosen");
  }
  if (!hex) return refuse("NOT_OWN_SIDE", "3.2.4", "there is no such hex");
  if (off_map_post(now, side, hex)) {
    if (now.facts(unit).hq() || posted(now, hex)) {
      return refuse("STACKING", "W44 3", "one combat unit stands opposite this hex");
    }
    return {};
  }
  const auto& own = now.data.own_side[side.index()];
  const bool battle = std::any_of(now.data.battles.begin(), now.data.battles.end(),
                                  [&](const auto& b) { return b.first == hex; });
  if (!contains(own, hex) && !battle) {
    return refuse("NOT_OWN_SIDE", "3.2.4", now.name(hex) + " is not on your side of the line");
  }
  if (contains(now.data.on_front, unit) && !contains(now.data.front[side.index()], hex)) {
    return refuse("NOT_ON_FRONT", "S41 1", now.name(unit) + " belongs on a front hex");
  }
  if (!satellite_may_enter(now, unit, hex)) {
    return refuse("SATELLITE_RESTRICTED", "16.4", "it may not stand in " + now.name(hex));
  }
  if (battle && !contains(own, hex) && now.facts(unit).hq()) {
    return refuse("HQ_MAY_NOT_ENGAGE", "5.1", "an HQ does not start as an attacker");
  }
  const int here = now.count_in(hex, side) - (now.at(unit) == hex ? 1 : 0);
  if (here >= now.stacking_limit(hex)) {
    return refuse("STACKING", "6.21", now.name(hex) + " is full");
  }
  if (now.facts(unit).hq()) {
    for (UnitId other : now.units_of(side)) {
      if (other == unit || !now.facts(other).hq()) continue;
      if (now.at(other) == hex || now.board().link_between(now.at(other), hex)) {
        return refuse("HQ_SPACING", "3.2.4", "HQs stand neither together nor side by side");
      }
    }
  }
  const bool garrison =
      std::any_of(now.data.garrisons.begin(), now.data.garrisons.end(), [&](const Garrison& g) {
        return g.side == side && (g.at == hex || contains(g.region, hex));
      });
  const bool free_of_supply = battle || garrison || contains(now.data.front[side.index()], hex);
  if (!free_of_supply && !ways[hex.index()]) {
    return refuse("NO_SUPPLY_LINE", "3.2.4", now.name(hex) + " is out of supply");
  }
  return {};
}

std::vector<SpaceId> ways_of(const Situation& now, SideId side) {
  return supply_ways(now, side, rail_net(now, side));
}

// ---------------------------------------------------------------------------- FinishSetup

// How many units a garrison still lacks; 0: it is complete.
int lacking(const Situation& now, const Garrison& garrison) {
  int units = 0, cv = 0;
  bool armor = !garrison.armor;
  std::vector<UnitId> there;
  for (UnitId unit : now.units_of(garrison.side)) {
    if (now.at(unit) != garrison.at && !contains(garrison.region, now.at(unit))) continue;
    units += 1;
    cv += now.cv(unit);
    armor = armor || now.facts(unit).type == UnitType::kArmor ||
            now.facts(unit).type == UnitType::kSSArmor;
    there.push_back(unit);
  }
  int missing = std::max(0, garrison.units - units);
  for (UnitId must : garrison.including) {
    if (!contains(there, must)) missing = std::max(missing, 1);
  }
  return missing > 0 ? missing : (cv < garrison.cv || !armor ? 1 : 0);
}

std::vector<SpaceId> empty_front(const Situation& now, SideId side) {
  std::vector<SpaceId> out;
  for (SpaceId hex : now.data.front[side.index()]) {
    if (!now.any_in(hex, side)) out.push_back(hex);
  }
  return out;
}

Refused check_finished(const Situation& now, SideId side) {
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) == side && chosen(now, unit) && !placed(now, unit)) {
      return refuse("UNITS_LEFT", "3.2.4", now.name(unit) + " is not placed");
    }
  }
  for (SpaceId hex : now.data.off_map_foes) {
    if (side == kAxis && !posted(now, hex)) {
      return refuse("GARRISON_MISSING", "W44 3", "no unit stands opposite " + now.name(hex));
    }
  }
  const std::vector<SpaceId> open = empty_front(now, side);
  if (!open.empty()) {
    return refuse("FRONT_HEX_EMPTY", "3.2.4", now.name(open.front()) + " must be held");
  }
  for (const Garrison& garrison : now.data.garrisons) {
    if (garrison.side == side && lacking(now, garrison) > 0) {
      return refuse("GARRISON_MISSING", "3.2.4", "a garrison of the scenario is missing");
    }
  }
  return {};
}

}  // namespace

Refused decide_select_forces(Draft& draft, const Order& select) {
  const Situation now(draft);
  const std::vector<std::int32_t> numbers = select.numbers("units");
  std::vector<Choice> choices;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    choices.push_back({UnitId{numbers[i]}, numbers[i + 1]});
    if (auto no = check_choice(now, select.side, choices.back())) return no;
    for (std::size_t k = 0; k + 1 < choices.size(); ++k) {
      if (choices[k].unit == choices.back().unit) {
        return refuse("FORCE_TOTAL", "3.2.2", "a unit is chosen twice");
      }
    }
  }
  int wanted = 0;
  for (const ForceLine& line : now.data.forces) {
    if (line.side != select.side) continue;
    wanted += line.units;
    if (auto no = check_line(now, line, choices)) return no;
  }
  if (wanted != static_cast<int>(choices.size())) {
    return refuse("FORCE_TOTAL", "3.2.2", "units outside the force table were chosen");
  }
  const auto hidden = draft.only_for(select.side);
  for (const Choice& choice : choices) draft.set(choice.unit, u::kSetCv, choice.cv + 1);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) == select.side && now.fate(unit) == Fate::kPool && !chosen(now, unit)) {
      draft.set(unit, u::kFate, static_cast<int>(Fate::kEliminated));
    }
  }
  draft.ask(select.side, Question{static_cast<std::uint8_t>(Ask::kPlaceSetup), -1, -1, 0});
  return {};
}

Refused decide_place_setup(Draft& draft, const Order& place) {
  const Situation now(draft);
  const UnitId unit = place.unit("unit");
  const SpaceId hex = place.space("hex");
  if (auto no = check_place(now, place.side, unit, hex, ways_of(now, place.side))) return no;
  const auto hidden = draft.only_for(place.side);
  if (off_map_post(now, place.side, hex)) {
    if (now.pos.on_board(unit)) draft.remove(unit, "set-up");
    draft.set(unit, u::kFate, static_cast<int>(Fate::kOffMap));
    draft.set(unit, u::kOffMapAt, hex.value);
    draft.set(unit, u::kCv, chosen_cv(now, unit));
    return {};
  }
  draft.set(unit, u::kFate, static_cast<int>(Fate::kOnMap));
  draft.set(unit, u::kOffMapAt, -1);
  if (now.pos.on_board(unit)) {
    const SpaceId path[] = {now.at(unit), hex};
    if (path[0] != hex) draft.move(unit, path, "set-up");
  } else {
    draft.place(unit, hex, {{u::kCv, chosen_cv(now, unit)}});
  }
  return {};
}

Refused decide_finish_setup(Draft& draft, const Order& finish) {
  const Situation now(draft);
  if (auto no = check_finished(now, finish.side)) return no;
  draft.settle(finish.side);
  if (finish.side == now.data.sets_up_first) {
    begin_side_setup(draft, enemy_of(finish.side));
    return {};
  }
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    draft.set(UnitId{static_cast<int>(i)}, u::kSetCv, 0);
  }
  open_battles(draft);
  recompute_control(draft);
  end_phase(draft);
  return {};
}

// ---------------------------------------------------------------------------- legal orders

namespace {

// One force that fits the table: units in roster order, `shift` turning the list, as strong as
// the total allows.
std::vector<std::int32_t> fill_line(const Situation& now, const ForceLine& line,
                                    std::size_t shift) {
  std::vector<UnitId> pool;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) == line.side && now.fate(unit) == Fate::kPool &&
        line.covers(now.facts(unit))) {
      pool.push_back(unit);
    }
  }
  if (!pool.empty()) {
    std::rotate(pool.begin(), pool.begin() + static_cast<long>(shift % pool.size()), pool.end());
  }
  std::stable_partition(pool.begin(), pool.end(),
                        [&](UnitId unit) { return contains(line.including, unit); });
  std::vector<UnitId> picked;
  for (UnitId unit : pool) {
    const auto same = std::count_if(picked.begin(), picked.end(), [&](UnitId other) {
      return now.facts(other).nation == now.facts(unit).nation;
    });
    if (line.per_country > 0 && same >= line.per_country) continue;
    if (static_cast<int>(picked.size()) < line.units) picked.push_back(unit);
  }
  std::vector<int> cv;
  int left = line.cv;
  for (UnitId unit : picked) {
    cv.push_back(now.lowest(unit));
    left -= cv.back();
  }
  for (bool grew = true; grew && left > 0;) {
    grew = false;
    for (std::size_t i = 0; i < picked.size() && left > 0; ++i) {
      if (cv[i] >= now.facts(picked[i]).max_cv) continue;
      ++cv[i], --left, grew = true;
    }
  }
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < picked.size(); ++i) {
    out.push_back(picked[i].value);
    out.push_back(cv[i]);
  }
  return out;
}

void legal_selection(const Situation& now, SideId side, const SeeOrder& see) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::vector<std::int32_t> all;
    for (const ForceLine& line : now.data.forces) {
      if (line.side != side) continue;
      const std::vector<std::int32_t> some = fill_line(now, line, shift);
      all.insert(all.end(), some.begin(), some.end());
    }
    if (!see(order("SelectForces", side).with("units", all))) return;
  }
}

// Hexes that must still be filled before anything else may be placed freely.
std::vector<SpaceId> needs(const Situation& now, SideId side) {
  std::vector<SpaceId> out;
  for (const Garrison& garrison : now.data.garrisons) {
    if (garrison.side != side || lacking(now, garrison) == 0) continue;
    if (garrison.at) out.push_back(garrison.at);
    out.insert(out.end(), garrison.region.begin(), garrison.region.end());
  }
  for (SpaceId hex : now.data.off_map_foes) {
    if (side == kAxis && !posted(now, hex)) out.push_back(hex);
  }
  for (SpaceId hex : empty_front(now, side)) out.push_back(hex);
  return out;
}

// The order in which units find their places: the choosiest first, then by strength.
std::vector<UnitId> waiting(const Situation& now, SideId side) {
  std::vector<UnitId> out;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) == side && chosen(now, unit) && !placed(now, unit)) out.push_back(unit);
  }
  const auto rank = [&](UnitId unit) {
    const bool wanted =
        std::any_of(now.data.garrisons.begin(), now.data.garrisons.end(),
                    [&](const Garrison& garrison) { return contains(garrison.including, unit); });
    const UnitFacts& facts = now.facts(unit);
    const int kind = wanted ? 0 : facts.satellite() ? 1 : facts.hq() ? 2 : 3;
    return kind * 10 - chosen_cv(now, unit);
  };
  std::stable_sort(out.begin(), out.end(), [&](UnitId a, UnitId b) { return rank(a) < rank(b); });
  return out;
}

}  // namespace

void legal_setup(const Situation& now, SideId side, const SeeOrder& see) {
  if (now.asked(side) == Ask::kSelectForces) return legal_selection(now, side, see);
  const std::vector<SpaceId> ways = ways_of(now, side);
  bool any = false, go_on = true;
  const auto offer = [&](UnitId unit, std::span<const SpaceId> hexes) {
    for (SpaceId hex : hexes) {
      if (!go_on || check_place(now, side, unit, hex, ways)) continue;
      any = true;
      go_on = see(order("PlaceSetup", side).with("unit", unit).with("hex", hex));
    }
  };
  const std::vector<SpaceId> wanted = needs(now, side);
  for (UnitId unit : waiting(now, side)) {
    if (!now.facts(unit).hq()) offer(unit, wanted);
    if (!any) offer(unit, now.data.own_side[side.index()]);
    if (any) return;
  }
  if (!check_finished(now, side)) see(order("FinishSetup", side));
}

}  // namespace wardiary::eastfront

// Legal orders of a free set-up [3.2]. The number of set-ups is beyond listing; what is offered is
// a sample from which a player or a bot always reaches a complete one: first what must be held, the
// scarcest first, then the rest anywhere.
#include <algorithm>

#include "domain/systems/eastfront/setup.h"

namespace wardiary::eastfront {

namespace {

// A selection for one line: units from the `shift`th on, and points dealt out in turn.
void choose_line(const Situation& now, const ForceLine& line, std::size_t shift,
                 std::vector<std::int32_t>& out) {
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
  std::stable_partition(pool.begin(), pool.end(), [&](UnitId unit) {
    return std::find(line.including.begin(), line.including.end(), unit) != line.including.end();
  });
  std::vector<UnitId> units;
  std::array<int, 3> of_country{};
  for (UnitId unit : pool) {
    if (static_cast<int>(units.size()) == line.units) break;
    const int country = satellite_index(now.facts(unit).nation);
    if (country >= 0 && line.per_country > 0 &&
        of_country[static_cast<std::size_t>(country)]++ >= line.per_country) {
      continue;
    }
    units.push_back(unit);
  }
  std::vector<int> cv(units.size());
  int left = line.cv;
  for (std::size_t i = 0; i < units.size(); ++i) {
    cv[i] = now.lowest(units[i]);
    left -= cv[i];
  }
  for (bool more = true; more && left > 0;) {
    more = false;
    for (std::size_t i = 0; i < units.size() && left > 0; ++i) {
      if (cv[i] >= now.facts(units[i]).max_cv) continue;
      cv[i] += 1;
      left -= 1;
      more = true;
    }
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    out.push_back(units[i].value);
    out.push_back(cv[i]);
  }
}

void offer_forces(const Situation& now, SideId side, const SeeOrder& see) {
  constexpr std::size_t kVariants = 4;
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    std::vector<std::int32_t> units;
    for (const ForceLine& line : now.data.forces) {
      if (line.side == side) choose_line(now, line, variant * 3, units);
    }
    if (check_forces(now, side, units)) continue;
    if (!see(order("SelectForces", side).with("units", std::move(units)))) return;
  }
}

}  // namespace

void Deployment::add_garrison_needs(const Garrison& garrison, std::vector<Need>& out) const {
  if (garrison.side != side) return;
  const std::vector<UnitId> there = in_garrison(garrison);
  const std::vector<UnitId> free = unplaced();
  int cv = 0;
  bool armor = !garrison.armor;
  for (UnitId unit : there) {
    cv += now.cv(unit);
    armor = armor || now.facts(unit).type == UnitType::kArmor;
  }
  Need need;
  need.hexes = garrison.region;
  if (need.hexes.empty()) need.hexes.push_back(garrison.at);
  for (UnitId unit : garrison.including) {
    if (placed(unit)) continue;
    out.push_back({need.hexes, {unit}, 1});
  }
  need.missing = garrison.units - static_cast<int>(there.size());
  if (need.missing <= 0) return;
  const int each = (garrison.cv - cv + need.missing - 1) / need.missing;
  for (UnitId unit : free) {
    if (chosen_cv(unit) < each) continue;
    if (!armor && now.facts(unit).type != UnitType::kArmor) continue;
    need.units.push_back(unit);
  }
  out.push_back(std::move(need));
}

std::vector<Deployment::Need> Deployment::needs() const {
  std::vector<Need> out;
  const std::vector<UnitId> free = unplaced();
  for (const Garrison& garrison : now.data.garrisons) add_garrison_needs(garrison, out);
  for (SpaceId hex : now.data.front[side.index()]) {
    if (!now.any_in(hex, side)) out.push_back({{hex}, free, 1});
  }
  if (side == kAxis) {
    for (SpaceId hex : now.data.off_map_foes) {
      if (!may_stand_off_map(UnitId{}, hex)) out.push_back({{hex}, free, 1});
    }
  }
  for (Need& need : out) {
    std::erase_if(need.units, [&](UnitId unit) {
      return std::all_of(need.hexes.begin(), need.hexes.end(),
                         [&](SpaceId hex) { return may_place(unit, hex).has_value(); });
    });
  }
  return out;
}

namespace {

// Places for the units of one need; false if there were none.
bool offer_need(const Deployment& deployment, const Deployment::Need& need, const SeeOrder& see) {
  bool any = false;
  for (UnitId unit : need.units) {
    for (SpaceId hex : need.hexes) {
      if (deployment.may_place(unit, hex)) continue;
      any = true;
      Order place = order("PlaceSetup", deployment.side);
      if (!see(place.with("unit", unit).with("hex", hex))) return true;
    }
  }
  return any;
}

// Everywhere this unit may go; false if nowhere.
bool offer_unit(const Deployment& deployment, UnitId unit, const SeeOrder& see) {
  bool any = false;
  for (std::size_t i = 0; i < deployment.now.pos.space_count(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (deployment.now.at(unit) == hex || deployment.may_place(unit, hex)) continue;
    any = true;
    Order place = order("PlaceSetup", deployment.side);
    if (!see(place.with("unit", unit).with("hex", hex))) return true;
  }
  return any;
}

}  // namespace

void legal_setup(const Situation& now, SideId side, const SeeOrder& see) {
  if (now.asked(side) == Ask::kSelectForces) return offer_forces(now, side, see);
  const Deployment deployment(now, side);
  std::vector<Deployment::Need> needs = deployment.needs();
  std::stable_sort(needs.begin(), needs.end(), [](const auto& a, const auto& b) {
    return static_cast<int>(a.units.size()) - a.missing <
           static_cast<int>(b.units.size()) - b.missing;
  });
  for (const Deployment::Need& need : needs) {
    if (offer_need(deployment, need, see)) return;
  }
  if (needs.empty()) {
    const std::vector<UnitId> free = deployment.unplaced();
    if (free.empty()) {
      see(order("FinishSetup", side));
      return;
    }
    for (UnitId unit : free) {
      if (offer_unit(deployment, unit, see)) return;
    }
  }
  // Stuck (an HQ too close, a hex too full): units placed before may be moved.
  for (UnitId unit : now.units_of(side)) {
    if (!offer_unit(deployment, unit, see)) continue;
  }
}

}  // namespace wardiary::eastfront

// Supply [10]: lines of supply, the check of the enemy's units in the Supply phase, attrition.
#include <algorithm>

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {
namespace {

// Where the Supply phase stands (track kStage); each stage is done once.
enum Stage : int {
  kSurrenders,  // Soviet rolls for satellites [16.1]
  kLinkUps,     // paratroops of the active side [14.6]
  kBeachheads,  // Soviet beach-head [15.51]
  kSecondLook,  // control again, after the steps above [14.6, sb 10]
  kFortresses,  // whom a fortress or a besieged port feeds [10.5, 15.31]
  kOverstacks,  // surplus after repulses [6.22]
  kAttrition,
};

bool passes(const Situation& now, SpaceId hex, SideId side) {
  return now.friendly(hex, side) || now.disputed(hex);  // [10.3]
}

struct Check {
  const Situation& now;
  SideId side;
  RailNet net;
  std::vector<SpaceId> ways;

  Check(const Situation& situation, SideId whose)
      : now(situation),
        side(whose),
        net(rail_net(situation, whose)),
        ways(supply_ways(situation, whose, net)) {}

  bool fed(SpaceId hex) const { return ways[hex.index()].ok() || fed_by_beachhead(now, hex, side); }
  // A satellite outside its area when it is bound again counts as unsupplied [16.4].
  bool supplied(UnitId unit) const {
    return fed(now.at(unit)) && satellite_may_enter(now, unit, now.at(unit)) &&
           !now.is(unit, u::kSurplus);
  }
  // A fortress without a line feeds its largest unit, if its side is the Original Defender or is
  // not attacked [10.5, A-46].
  bool fortress(SpaceId hex) const {
    return now.data.hex(hex).fortress && !fed(hex) &&
           (now.is_battle(hex) ? now.defender(hex) == side
                               : now.data.rulings.idle_garrisons_are_fed);
  }
  // A besieged port that only the sea reaches feeds one unit at cadre level [15.31, A-18].
  bool siege(SpaceId hex) const {
    return net.siege_only[hex.index()] && !now.data.hex(hex).fortress && !fed(hex);
  }

  // The units here among which one is fed though the hex has no line.
  std::vector<UnitId> favoured(SpaceId hex) const {
    std::vector<UnitId> units = now.units_in(hex, side);
    if (fortress(hex)) {
      if (!now.data.rulings.hq_on_fortress_supply) {
        std::erase_if(units, [&](UnitId unit) { return now.facts(unit).hq(); });
      }
      int largest = 0;
      for (UnitId unit : units) largest = std::max(largest, now.cv(unit));
      std::erase_if(units, [&](UnitId unit) { return now.cv(unit) != largest; });
    } else if (siege(hex)) {
      std::erase_if(units,
                    [&](UnitId unit) { return now.cv(unit) > std::max(1, now.lowest(unit)); });
    } else {
      units.clear();
    }
    return units;
  }

  std::vector<SpaceId> hexes_with_units() const {
    std::vector<char> seen(now.pos.space_count(), 0);
    for (UnitId unit : now.units_of(side)) seen[now.at(unit).index()] = 1;
    std::vector<SpaceId> out;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i]) out.push_back(SpaceId{static_cast<int>(i)});
    }
    return out;
  }
};

bool chosen(const Situation& now, std::span<const UnitId> units, u::Attribute mark) {
  return std::any_of(units.begin(), units.end(), [&](UnitId unit) { return now.is(unit, mark); });
}

void clear_marks(Draft& draft, SideId side, u::Attribute mark) {
  for (UnitId unit : Situation(draft).units_of(side)) draft.set(unit, mark, 0);
}

void ask(Draft& draft, SideId side, Ask what, SpaceId hex, int number) {
  draft.ask(side, Question{static_cast<std::uint8_t>(what), hex.value, -1, number});
}

// Marks the unit a fortress or besieged port feeds; true if the owner must choose.
bool ask_fortresses(Draft& draft) {
  const Situation now(draft);
  const SideId side = enemy_of(now.active());
  const Check check(now, side);
  for (SpaceId hex : check.hexes_with_units()) {
    const std::vector<UnitId> units = check.favoured(hex);
    if (units.empty() || chosen(now, units, u::kFortressUnit)) continue;
    if (units.size() > 1) {
      ask(draft, side, Ask::kFortressUnit, hex, 0);
      return true;
    }
    draft.set(units.front(), u::kFortressUnit, 1);
  }
  return false;
}

bool ask_overstacks(Draft& draft) {
  const Situation now(draft);
  const SideId side = enemy_of(now.active());
  const Check check(now, side);
  for (SpaceId hex : check.hexes_with_units()) {
    const std::vector<UnitId> units = now.units_in(hex, side);
    const int surplus = static_cast<int>(units.size()) - now.stacking_limit(hex);
    // Where all are unsupplied anyway there is nothing to choose.
    if (surplus <= 0 || !check.fed(hex) || chosen(now, units, u::kSurplus)) continue;
    ask(draft, side, Ask::kOverstack, hex, surplus);
    return true;
  }
  return false;
}

// [10.2, 10.4]: the new status of every unit of the side that is not moving, and its attrition.
void check_supply(Draft& draft) {
  const Situation now(draft);
  const SideId side = enemy_of(now.active());
  std::vector<UnitId> starving;
  std::vector<std::pair<UnitId, bool>> status;
  {
    const Check check(now, side);
    for (UnitId unit : now.units_of(side)) {
      const bool supplied = check.supplied(unit);
      status.emplace_back(unit, supplied);
      if (!supplied && !now.is(unit, u::kFortressUnit)) starving.push_back(unit);
    }
  }
  for (const auto& [unit, supplied] : status) {
    draft.set(unit, u::kSupplied, supplied ? 1 : 0);
    draft.set(unit, u::kFortressUnit, 0);
    draft.set(unit, u::kSurplus, 0);
  }
  for (UnitId unit : starving) lose_step(draft, unit, "attrition");
}

void next_stage(Draft& draft) {
  draft.add(track(t::kStage), 1);
}

}  // namespace

std::vector<SpaceId> supply_ways(const Situation& now, SideId side, const RailNet& net) {
  const std::size_t hexes = now.pos.space_count();
  std::vector<SpaceId> way(hexes);
  std::vector<SpaceId> edge;  // hexes the next ring starts from
  edge.reserve(hexes);
  for (std::size_t i = 0; i < hexes; ++i) {
    if (!net.in[i] || net.siege_only[i]) continue;
    way[i] = SpaceId{static_cast<int>(i)};
    edge.push_back(way[i]);
  }
  std::size_t begin = 0;
  for (int ring = 0; ring < 2; ++ring) {  // at most two hexes [10.3]
    const std::size_t end = edge.size();
    for (; begin < end; ++begin) {
      const SpaceId to = edge[begin];
      // A line passes only hexes that are friendly or disputed; it may start anywhere.
      if (!passes(now, to, side)) continue;
      for (SpaceId next : now.data.land.from(to)) {
        if (way[next.index()]) continue;
        way[next.index()] = to;
        edge.push_back(next);
      }
    }
  }
  return way;
}

namespace {

// Of a unit on the map that has no line.
const char* why_unsupplied(const Situation& now, UnitId unit, const RailNet& net) {
  if (!satellite_may_enter(now, unit, now.at(unit))) {
    return "a restricted satellite outside its area [16.4]";
  }
  return net.siege_only[now.at(unit).index()]
             ? "a besieged port that only the sea reaches [15.31]"
             : "no friendly rail within two hexes that are not the enemy's [10.3]";
}

}  // namespace

SupplyLine supply_line(const Situation& now, UnitId unit, const RailNet& net) {
  const SideId side = now.side(unit);
  SupplyLine line;
  const SpaceId start = now.at(unit);
  if (!start) {
    line.reason = "not on the map";
    return line;
  }
  if (!satellite_may_enter(now, unit, start)) {
    line.reason = why_unsupplied(now, unit, net);
    return line;
  }
  const std::vector<SpaceId> ways = supply_ways(now, side, net);
  if (ways[start.index()]) {
    line.supplied = true;
    line.path.push_back(start);
    while (ways[line.path.back().index()] != line.path.back()) {
      line.path.push_back(ways[line.path.back().index()]);
    }
    return line;
  }
  if (fed_by_beachhead(now, start, side)) {
    line.supplied = true;
    line.path.push_back(start);
    const SpaceId beach{now.track(t::kBeachheadAt)};
    if (beach != start) line.path.push_back(beach);
    return line;
  }
  line.reason = why_unsupplied(now, unit, net);
  return line;
}

// Own deployed beach-head that feeds this hex: the hex itself, or if it is friendly the ones next
// to it [15.52].
bool fed_by_beachhead(const Situation& now, SpaceId hex, SideId side) {
  if (side != kSoviet || now.track(t::kBeachhead) != static_cast<int>(Beachhead::kDeployed)) {
    return false;
  }
  const SpaceId beach{now.track(t::kBeachheadAt)};
  if (!beach) return false;
  if (hex == beach) return true;
  const LinkId link = now.board().link_between(hex, beach);
  return link && now.data.link(link).passable() && now.friendly(beach, side);
}

std::vector<UnitSupply> supply_report(const Situation& now) {
  const Check checks[] = {Check(now, kAxis), Check(now, kSoviet)};
  std::vector<UnitSupply> out;
  out.reserve(now.pos.unit_count());
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    const SpaceId start = now.at(unit);
    if (!start) continue;
    const Check& check = checks[now.side(unit).index()];
    UnitSupply& entry = out.emplace_back();
    entry.unit = unit;
    if (check.supplied(unit)) {
      entry.status = "supplied";
      entry.path.reserve(3);
      entry.path.push_back(start);
      for (SpaceId at = start; check.ways[at.index()] && check.ways[at.index()] != at;) {
        at = check.ways[at.index()];
        entry.path.push_back(at);
      }
      continue;
    }
    const std::vector<UnitId> fed = check.favoured(start);
    const bool exempt = std::find(fed.begin(), fed.end(), unit) != fed.end() &&
                        (fed.size() == 1 || now.is(unit, u::kFortressUnit));
    entry.status = exempt ? (check.fortress(start) ? "fortress" : "siege") : "unsupplied";
    entry.reason = now.is(unit, u::kSurplus) ? "surplus to the stacking limit [6.22]"
                                             : why_unsupplied(now, unit, check.net);
  }
  return out;
}

void continue_supply(Draft& draft) {
  const Situation now(draft);
  for (;; next_stage(draft)) {
    switch (static_cast<Stage>(now.track(t::kStage))) {
      case kSurrenders:
        if (ask_surrender(draft)) return;
        break;
      case kLinkUps:
        link_up(draft);
        break;
      case kBeachheads:
        if (ask_beachhead(draft)) return;
        break;
      case kSecondLook:
        recompute_control(draft);
        clear_marks(draft, enemy_of(now.active()), u::kFortressUnit);
        clear_marks(draft, enemy_of(now.active()), u::kSurplus);
        break;
      case kFortresses:
        if (ask_fortresses(draft)) return;
        break;
      case kOverstacks:
        if (ask_overstacks(draft)) return;
        break;
      case kAttrition:
        check_supply(draft);
        next_stage(draft);
        return end_phase(draft);
      default:
        return end_phase(draft);
    }
  }
}

Refused decide_supply(Draft& draft, const Order& order) {
  const Situation now(draft);
  const Question asked = now.pos.pending(order.side);
  const SpaceId hex{asked.space};
  if (order.is("ChooseFortressSupplied")) {
    const UnitId unit = order.unit("unit");
    const Check check(now, order.side);
    const std::vector<UnitId> units = check.favoured(hex);
    if (std::find(units.begin(), units.end(), unit) == units.end()) {
      return refuse("NOT_LARGEST", "10.5", "choose one of the largest own units there");
    }
    draft.set(unit, u::kFortressUnit, 1);
  } else {
    const std::vector<UnitId> victims = order.units("units");
    if (static_cast<int>(victims.size()) != asked.number) {
      return refuse("WRONG_COUNT", "6.22",
                    "choose " + std::to_string(asked.number) + " surplus units");
    }
    for (std::size_t i = 0; i < victims.size(); ++i) {
      const bool twice = std::find(victims.begin(), victims.begin() + static_cast<long>(i),
                                   victims[i]) != victims.begin() + static_cast<long>(i);
      if (twice || now.side(victims[i]) != order.side || now.at(victims[i]) != hex) {
        return refuse("NOT_THERE", "6.22", "choose different own units in " + now.name(hex));
      }
    }
    for (UnitId unit : victims) draft.set(unit, u::kSurplus, 1);
  }
  draft.settle(order.side);
  continue_supply(draft);
  return std::nullopt;
}

void legal_supply(const Situation& now, SideId side, const SeeOrder& see) {
  const Question asked = now.pos.pending(side);
  const SpaceId hex{asked.space};
  if (now.asked(side) == Ask::kFortressUnit) {
    for (UnitId unit : Check(now, side).favoured(hex)) {
      Order choose = order("ChooseFortressSupplied", side);
      if (!see(choose.with("unit", unit))) return;
    }
    return;
  }
  // Every way to leave out as many neighbours in stacking order as fit: a fair sample.
  const std::vector<UnitId> units = now.units_in(hex, side);
  for (std::size_t first = 0; first < units.size(); ++first) {
    std::vector<UnitId> victims;
    for (int k = 0; k < asked.number; ++k) {
      victims.push_back(units[(first + static_cast<std::size_t>(k)) % units.size()]);
    }
    Order choose = order("ChooseOverstackVictims", side);
    if (!see(choose.with("units", std::span<const UnitId>(victims)))) return;
  }
}

}  // namespace wardiary::eastfront

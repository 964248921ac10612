// Production [11]: the level and its sources, and what points may buy. Both sides produce at the
// same time and in secret: what an order changes is seen by its own side only.
#include <algorithm>

#include "domain/systems/eastfront/chapters.h"
#include "domain/systems/eastfront/production.h"

namespace wardiary::eastfront {

// ---------------------------------------------------------------------------- the level [11.2]

namespace {

// Calls see(hex, what, value, rule) for every source: base and penalties with no hex.
template <class See>
void each_source(const Situation& now, SideId side, const RailNet& net, const See& see) {
  const int base = now.period().base[side.index()];
  see(SpaceId{}, "base", base, "11.31");
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    const HexFacts& hex = now.data.hexes[i];
    if ((hex.city_value == 0 && hex.resource_value == 0) || !net.in[i]) continue;  // [11.32, 11.33]
    const SpaceId space{static_cast<int>(i)};
    if (hex.city_value != 0) see(space, "", hex.city_value, "11.32");
    if (hex.resource_value != 0) {
      see(space, hex.oil ? " oil" : " mineral", hex.resource_value * (side == kAxis ? 2 : 1),
          "11.33");
    }
  }
  if (side != kSoviet) return;
  // [16.3, 16.61] take from the base, which does not fall below zero.
  int left = now.data.rulings.base_may_be_negative ? 10 : std::max(base, 0);
  const auto penalty = [&](t::Track cut, const char* what, const char* rule) {
    const int points = now.track(cut) == 0 ? 0 : std::min(left, 5);
    left -= points;
    if (points > 0) see(SpaceId{}, what, -points, rule);
  };
  penalty(t::kLendLeaseCut, "Lend-Lease cut", "16.3");
  penalty(t::kSeaOilCut, "sea oil route cut", "16.61");
}

}  // namespace

std::vector<LevelTerm> production_level(const Situation& now, SideId side) {
  std::vector<LevelTerm> terms;
  const auto see = [&](SpaceId hex, const char* what, int value, const char* rule) {
    terms.push_back({(hex ? now.name(hex) : std::string()) + what, hex, value, rule});
  };
  each_source(now, side, rail_net(now, side), see);
  return terms;
}

int level_of(const Situation& now, SideId side, const RailNet& net) {
  int sum = 0;
  each_source(now, side, net, [&](SpaceId, const char*, int value, const char*) { sum += value; });
  return sum;
}

// ---------------------------------------------------------------------------- prices [11.43]

Price price_of(const Situation& now, UnitId unit, const OilState& oil) {
  const SideId side = now.side(unit);
  const UnitTypeFacts& type = facts_of(now.facts(unit).type);
  Price price{type.step_cost[side.index()], type.cadre_cost[side.index()]};
  if (!now.facts(unit).hq()) return price;
  const bool paralysed = side == kAxis && now.period().winter_paralysis;
  if (paralysed) price = {15, 30};                                     // [W41 1]
  if (paralysed && !now.data.rulings.surcharges_add_up) return price;
  if (side == kAxis ? oil.axis_short : oil.soviet_short) {             // [16.2, 16.6]
    price.step += 5;
    price.cadre += 10;
  }
  return price;
}

OilState oil_state(const Situation& now, const RailNet& axis, const RailNet& soviet) {
  const auto has = [](const RailNet& net, SpaceId hex) { return hex && net.in[hex.index()]; };
  OilState oil;
  const bool ploesti = !now.data.ploesti || has(axis, now.data.ploesti);
  oil.axis_short = !ploesti && !has(axis, now.data.baku);
  oil.soviet_short = now.data.baku && !has(soviet, now.data.baku);
  return oil;
}

// ---------------------------------------------------------------------------- what may be done

Producer::Producer(const Situation& situation, SideId whose)
    : now(situation),
      side(whose),
      net(rail_net(situation, whose)),
      ways(supply_ways(situation, whose, net)),
      oil(whose == kAxis ? oil_state(situation, net, rail_net(situation, kSoviet))
                         : oil_state(situation, rail_net(situation, kAxis), net)) {}

int Producer::points() const {
  return now.track(of_side(t::kAxisPoints, side));
}

int Producer::step_price(UnitId unit) const {
  const int price = price_of(now, unit, oil).step;
  // Units that live by a beach-head pay double [15.52].
  return ways[now.at(unit).index()] ? price : 2 * price;
}

Refused Producer::may_step(UnitId unit) const {
  if (now.side(unit) != side || !now.pos.on_board(unit)) {
    return refuse("NOT_ON_MAP", "11.41", "that is no unit of yours on the map");
  }
  if (now.is(unit, u::kNew)) {
    return refuse("NEW_UNIT", "11.41", "the unit arrived this month");
  }
  if (now.engaged(unit)) return refuse("ENGAGED", "11.41", "the unit is in a battle");
  if (now.is(unit, u::kStepped)) {
    return refuse("ALREADY_STEPPED", "11.41", "one step for a unit in a month");
  }
  if (now.cv(unit) >= now.facts(unit).max_cv) {
    return refuse("AT_MAX", "11.41", "the unit is at full strength");
  }
  const SpaceId at = now.at(unit);
  const bool line = ways[at.index()] || fed_by_beachhead(now, at, side);
  if (!line || !satellite_may_enter(now, unit, at)) {
    if (lives_on_fortress_supply(unit)) {
      return refuse("FORTRESS_SUPPLY", "10.5", "the unit lives on fortress supply");
    }
    return refuse("NO_SUPPLY_LINE", "11.41", "the unit has no line of supply now");
  }
  if (now.facts(unit).ss() && now.track(t::kSSStep) != 0) {
    return refuse("SS_LIMIT", "2.65", "one SS step in a month");
  }
  return afford(step_price(unit));
}

// One of the largest units of a fortress, which alone need no line [10.5].
bool Producer::lives_on_fortress_supply(UnitId unit) const {
  const SpaceId at = now.at(unit);
  if (!now.data.hex(at).fortress) return false;
  for (UnitId other : now.units_in(at, side)) {
    if (now.cv(other) > now.cv(unit)) return false;
  }
  return true;
}

Refused Producer::afford(int price) const {
  if (price <= points()) return std::nullopt;
  return refuse("INSUFFICIENT_PP", "11.3",
                "it costs " + std::to_string(price) + ", you have " + std::to_string(points()));
}

int Producer::capacity(SpaceId hex) const {
  const HexFacts& facts = now.data.hex(hex);
  const Country home = side == kAxis ? Country::kGermany : Country::kUssr;
  const bool home_city = facts.country == home;              // [1.44]
  const bool victory = side == kAxis && facts.victory_city;  // [11.6]
  const bool entry = facts.rail_entry && (side == kAxis ? facts.west_edge : facts.east_edge);
  const bool open = home_city || victory;
  if (open && facts.city == CityClass::kMajor) return 2;
  if ((open && facts.city == CityClass::kMinor) || entry) return 1;
  return 0;
}

std::vector<SpaceId> Producer::arrival_hexes() const {
  std::vector<SpaceId> out;
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    const bool open = capacity(hex) > now.get(hex, h::kArrivals) && net.in[i];
    if (open || (side == kAxis && !may_land_group_e(hex))) out.push_back(hex);
  }
  return out;
}

Refused Producer::may_arrive(UnitId unit, SpaceId hex) const {
  const std::string& name = now.name(hex);
  if (now.facts(unit).army_group_e && now.fate(unit) == Fate::kByEvent) {
    return may_land_group_e(hex);
  }
  if (capacity(hex) == 0) {
    return refuse("BAD_ARRIVAL_HEX", "11.6",
                  name + " is no home city, victory city or rail entry of your edge");
  }
  if (!net.in[hex.index()] || net.siege_only[hex.index()] || now.is_battle(hex)) {
    return refuse("BAD_ARRIVAL_HEX", "11.6", name + " has no rail or sea supply, or a battle");
  }
  // A satellite that is rebuilt is bound to its country, whatever freed it before [11.42].
  const bool rebuilt = now.fate(unit) == Fate::kEliminated && now.facts(unit).satellite();
  if (rebuilt ? !in_satellite_area(now, unit, hex) : !satellite_may_enter(now, unit, hex)) {
    return refuse("BAD_ARRIVAL_HEX", "2.66", "a satellite arrives in its own country");
  }
  if (now.get(hex, h::kArrivals) >= capacity(hex)) {
    return refuse("ARRIVAL_CAPACITY", "11.6", "no more units can arrive in " + name);
  }
  if (now.count_in(hex, side) >= now.stacking_limit(hex)) {
    return refuse("STACKING", "6.2", name + " is full");
  }
  return std::nullopt;
}

// Army Group E comes to the ports of Albania and Greece, one unit in each [16.5].
Refused Producer::may_land_group_e(SpaceId hex) const {
  const HexFacts& facts = now.data.hex(hex);
  const bool right = facts.port != PortClass::kNone &&
                     (facts.country == Country::kAlbania || facts.country == Country::kGreece);
  if (!right || now.any_in(hex, enemy_of(side))) {
    return refuse("BAD_ARRIVAL_HEX", "16.5", "Army Group E arrives in a port of Albania or Greece");
  }
  if (now.get(hex, h::kArrivals) >= 1) {
    return refuse("ARRIVAL_CAPACITY", "16.5", "one unit of Army Group E in each port");
  }
  if (now.count_in(hex, side) >= now.stacking_limit(hex)) {
    return refuse("STACKING", "6.2", now.name(hex) + " is full");
  }
  return std::nullopt;
}

bool Producer::rebuildable(UnitId unit) const {
  const UnitFacts& facts = now.facts(unit);
  if (facts.italian) return false;  // [11.42]
  const int country = satellite_index(facts.nation);
  return country < 0 || now.track(allegiance_track(country)) == 0;  // [16.1]
}

Refused Producer::may_build(UnitId unit, SpaceId hex) const {
  if (Refused no = may_rebuild(unit)) return no;
  return may_arrive(unit, hex);
}

Refused Producer::may_rebuild(UnitId unit) const {
  const bool lost = now.fate(unit) == Fate::kEliminated || now.fate(unit) == Fate::kRemoved;
  if (now.side(unit) != side || !lost) {
    return refuse("NOT_ELIMINATED", "11.42", "that is no eliminated unit of yours");
  }
  if (now.is(unit, u::kGone)) {
    return refuse("DISBANDED_THIS_MONTH", "11.52", "it was disbanded this month");
  }
  if (now.fate(unit) == Fate::kRemoved || !rebuildable(unit)) {
    return refuse("CANNOT_REBUILD", "11.42", "this unit cannot be rebuilt");
  }
  if (counts_as_ss_step(unit) && now.track(t::kSSStep) != 0) {
    return refuse("SS_LIMIT", "2.65", "one SS step in a month");
  }
  return afford(price_of(now, unit, oil).cadre);
}

bool Producer::counts_as_ss_step(UnitId unit) const {
  return now.facts(unit).ss() && now.data.rulings.ss_cadre_is_step;
}

// Months until a reinforcement is due: 0 now or earlier; -1 never by the calendar.
int Producer::months_to(UnitId unit) const {
  const UnitStart& start = now.data.starts[unit.index()];
  if (now.fate(unit) == Fate::kByEvent) {
    const UnitFacts& facts = now.facts(unit);
    const bool due = facts.italian ? now.track(t::kItalianDue) == 1
                                   : facts.army_group_e && now.track(t::kArmyGroupE) == 1;
    return due ? 0 : -1;
  }
  if (now.fate(unit) != Fate::kScheduled || start.year == 0) return -1;
  const Fortnight& when = now.fortnight();
  const Fortnight& last = now.data.fortnights.back();
  const int due = start.year * 12 + start.month;
  if (due > last.year * 12 + last.month) return -1;  // not in the scenarios played
  return std::max(0, due - (when.year * 12 + when.month));
}

Refused Producer::may_reinforce(UnitId unit, SpaceId hex) const {
  if (now.side(unit) != side || months_to(unit) != 0) {
    return refuse("NOT_DUE", "11.5", "that reinforcement is not due");
  }
  return may_arrive(unit, hex);
}

Refused Producer::may_come_early(UnitId unit, SpaceId hex, bool pay) const {
  if (now.side(unit) != side || now.fate(unit) != Fate::kScheduled || months_to(unit) != 1) {
    return refuse("TOO_EARLY", "11.51", "only next month's reinforcements can come early");
  }
  if (pay) {
    if (Refused no = afford(price_of(now, unit, oil).cadre)) return no;
  } else if (now.data.starts[unit.index()].cv - 1 < std::max(1, now.lowest(unit))) {
    return refuse("CV_TOO_LOW", "11.51", "it has no step to give up");
  }
  return may_arrive(unit, hex);
}

Refused Producer::may_disband(UnitId unit) const {
  if (now.side(unit) == side && now.pos.on_board(unit)) return std::nullopt;
  return refuse("NOT_ON_MAP", "11.52", "that is no unit of yours on the map");
}

Refused Producer::may_change_beachhead(std::string_view order) const {
  const auto state = static_cast<Beachhead>(now.track(t::kBeachhead));
  if (side != kSoviet || !now.data.rulings.naval) {
    return refuse("WRONG_BH_STATE", "15.51", "the beach-head is Soviet and needs the naval rules");
  }
  const bool lift = order == "LiftBeachhead";
  const Beachhead wanted = lift                       ? Beachhead::kDeployed
                           : order == "PrepBeachhead" ? Beachhead::kEliminated
                                                      : Beachhead::kPrep;
  // A marker lifted this month may not be made ready in it (kStage remembers).
  const bool too_soon = beachhead_at_start(now.fortnight()) == Beachhead::kEliminated;
  if (too_soon || state != wanted || (order == "ReadyBeachhead" && now.track(t::kStage) != 0)) {
    return refuse("WRONG_BH_STATE", "15.51", "the beach-head is not in the state for that");
  }
  return lift ? std::nullopt : afford(kBeachheadPrice);
}

}  // namespace wardiary::eastfront

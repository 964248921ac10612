#include "domain/systems/eastfront/state.h"

#include <algorithm>
#include <cassert>

namespace wardiary::eastfront {
namespace {

using Words = std::vector<std::string>;

Attribute number(std::string name, int initial = 0) {
  return {std::move(name), ValueKind::kNumber, initial, {}};
}
Attribute flag(std::string name, int initial = 0) {
  return {std::move(name), ValueKind::kFlag, initial, {}};
}
Attribute space(std::string name) {
  return {std::move(name), ValueKind::kSpace, -1, {}};
}
Attribute side(std::string name) {
  return {std::move(name), ValueKind::kSide, -1, {}};
}
Attribute word(std::string name, Words words) {
  return {std::move(name), ValueKind::kWord, 0, std::move(words)};
}

void declare_unit_attributes(Roster& roster) {
  roster.unit_attributes = {
      side("side"),
      number("cv"),
      word("fate", {"on_map", "eliminated", "scheduled", "by_event", "pool", "removed", "off_map"}),
      flag("supplied", 1),
      flag("shown"),
      word("move", {"none", "land", "rail", "sea", "dropped", "mobilised"}),
      flag("strategic"),
      space("came_from"),
      word("entry", {"none", "land", "river", "air", "sea"}),
      flag("rear_guard"),
      space("way_1"),
      space("way_2"),
      space("way_3"),
      number("partial"),
      flag("fired"),
      flag("repulsed"),
      word("role", {"inactive", "normal", "para", "invasion"}),
      flag("blitz"),
      flag("spent"),
      space("strike_at"),
      number("strike_dice"),
      space("invades"),
      flag("command_used"),
      flag("stepped"),
      flag("new"),
      flag("disbanded"),
      flag("rebuilt"),
      flag("dispersed"),
      flag("restricted"),
      space("off_map_at"),
      flag("fortress_unit"),
      flag("surplus"),
      number("set_cv"),
  };
  assert(roster.unit_attributes.size() == u::kCount);
}

void declare_space_attributes(Roster& roster) {
  roster.space_attributes = {
      word("control", {"none", "axis", "soviet", "disputed"}),
      side("held"),
      side("defender"),
      flag("new_battle"),
      flag("active"),
      flag("resolved"),
      flag("supported"),
      number("arrivals"),
      number("port_used"),
      number("invaders"),
  };
  assert(roster.space_attributes.size() == h::kCount);
  roster.link_attributes = {number("crossed")};
  assert(roster.link_attributes.size() == l::kCount);
}

void declare_tracks(Roster& roster) {
  const Words weather{"dry", "mud", "snow"};
  const Words allegiance{"axis", "surrendered", "conquered"};
  roster.tracks = {
      word("east_weather", weather),
      word("west_weather", weather),
      number("period"),
      number("player_turn"),
      number("axis_level"),
      number("soviet_level"),
      number("axis_points"),
      number("soviet_points"),
      flag("axis_committed"),
      flag("soviet_committed"),
      flag("ss_step"),
      number("supreme_left"),
      space("battle"),
      word("battle_step", {"none", "air", "defence", "repulse", "offence"}),
      number("hits"),
      number("repulses"),
      number("repulse_on"),
      number("stage"),
      number("setup_passes"),
      word("romania", allegiance),
      word("hungary", allegiance),
      word("bulgaria", allegiance),
      word("odessa_fell", {"no", "taken", "retaken"}),
      word("sevastopol_fell", {"no", "taken", "retaken"}),
      word("italian_due", {"no", "due", "arrived"}),
      number("army_group_e"),
      word("beachhead", {"eliminated", "prep", "ready", "deployed"}),
      space("beachhead_at"),
      flag("lend_lease_cut"),
      flag("sea_oil_cut"),
      number("breakthrough"),
      number("plain_hexes"),
  };
  assert(roster.tracks.size() == t::kCount);
}

}  // namespace

void declare_attributes(Roster& roster) {
  roster.sides = {"axis", "soviet"};
  roster.phases = {"setup",  "production",     "weather",      "command", "movement",
                   "combat", "blitz_movement", "blitz_combat", "supply",  "end"};
  roster.decisions = {"none",      "select_forces", "place_setup", "production", "command",
                      "movement",  "battles",       "resolve",     "fire",       "loss",
                      "repulse",   "fortress_unit", "overstack",   "surrender",  "defector",
                      "beachhead", "off_map_unit"};
  declare_unit_attributes(roster);
  declare_space_attributes(roster);
  declare_tracks(roster);
}

// ---------------------------------------------------------------------------- time

// A log from elsewhere may hold any number here: the nearest there is, then.
template <class List>
const auto& nearest(const List& list, int index) {
  return list[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(list.size()) - 1))];
}

const Fortnight& Situation::fortnight() const {
  return nearest(data.fortnights, pos.clock.turn - 1);
}

const Period& Situation::period() const {
  return nearest(data.periods, track(t::kPeriod));
}

// ---------------------------------------------------------------------------- units

Places::Places(const Position& position)
    : first(position.space_count() + 1, 0), count(position.space_count()) {
  std::size_t on_board = 0;
  for (std::size_t i = 0; i < position.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (!position.on_board(unit)) continue;
    first[position.at(unit).index() + 1] += 1;
    const SideId side = position.side(unit);
    if (side) count[position.at(unit).index()][side.index()] += 1;
    on_board += 1;
  }
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  units.resize(on_board);
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < position.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (position.on_board(unit)) units[next[position.at(unit).index()]++] = unit;
  }
}

std::vector<UnitId> Situation::units_of(SideId whose) const {
  std::vector<UnitId> out;
  for (std::size_t i = 0; i < pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (pos.on_board(unit) && side(unit) == whose) out.push_back(unit);
  }
  return out;
}

std::vector<UnitId> Situation::units_in(SpaceId space, SideId whose) const {
  std::vector<UnitId> out;
  if (places_) {
    for (UnitId unit : places_->in(space)) {
      if (side(unit) == whose) out.push_back(unit);
    }
    return out;
  }
  out = pos.units_in(space);
  std::erase_if(out, [&](UnitId unit) { return side(unit) != whose; });
  return out;
}

int Situation::count_in(SpaceId space, SideId whose) const {
  if (places_) return places_->count[space.index()][whose.index()];
  int count = 0;
  for (std::size_t i = 0; i < pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    count += pos.at(unit) == space && side(unit) == whose;
  }
  return count;
}

// ---------------------------------------------------------------------------- hexes

const std::string& Situation::name(SpaceId space) const {
  const BoardSpace& hex = board().space(space);
  return hex.name.empty() ? hex.id : hex.name;
}

bool Situation::friendly(SpaceId space, SideId whose) const {
  return control(space) == (whose == kAxis ? Control::kAxisHeld : Control::kSovietHeld);
}

bool Situation::is_battle(SpaceId space) const {
  return (any_in(space, kAxis) && any_in(space, kSoviet)) || battle_in_secret_doubt(space);
}

std::vector<SpaceId> Situation::battles() const {
  std::vector<char> sides(pos.space_count(), 0);
  for (std::size_t i = 0; i < pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (!pos.on_board(unit)) continue;
    sides[at(unit).index()] |= static_cast<char>(side(unit) == kAxis ? 1 : 2);
  }
  std::vector<SpaceId> out;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    if (sides[i] == 3 || battle_in_secret_doubt(space)) out.push_back(space);
  }
  return out;
}

// ---------------------------------------------------------------------------- weather and terrain

Weather Situation::weather(SpaceId space) const {
  if (data.hex(space).west_front) return static_cast<Weather>(track(t::kWestWeather));
  return east_weather();
}

Terrain Situation::terrain(SpaceId space) const {
  const Terrain printed = data.hex(space).terrain;
  const Weather now = weather(space);
  if (now == Weather::kMud &&
      (printed == Terrain::kClear || printed == Terrain::kForest || printed == Terrain::kHill)) {
    return Terrain::kSwamp;  // [12.24]
  }
  if (now == Weather::kSnow && printed == Terrain::kSwamp) return Terrain::kForest;  // [12.24]
  return printed;
}

int Situation::stacking_limit(SpaceId space) const {
  switch (data.hex(space).terrain) {  // as printed: weather never lowers it [sb 12]
    case Terrain::kMountain:
      return 2;
    case Terrain::kSwamp:
      return 3;
    default:
      return 4;
  }
}

int Situation::engagement_limit(LinkId link, SpaceId into) const {
  const int printed = data.link(link).limit;
  return weather(into) == Weather::kMud && printed > 1 ? 1 : printed;  // [6.33, 12.24]
}

bool Situation::must_stop(UnitId unit, SpaceId space) const {
  if (facts(unit).type == UnitType::kCavalry) return false;  // [2.24]
  const Terrain here = terrain(space);
  return here == Terrain::kSwamp || here == Terrain::kMountain;
}

int Situation::speed(UnitId unit) const {
  const Weather now = weather(at(unit));
  if (now == Weather::kSnow && side(unit) == kAxis && period().winter_paralysis) return 1;
  const UnitType type = facts(unit).type;
  if (type == UnitType::kStatic && now == Weather::kSnow) return data.rulings.static_snow_speed;
  // the row of the damaged speed table, 3, 1 and 2 hexes, which is that of armor.
  const bool fast = type == UnitType::kCoastal && data.rulings.fast_coastal;
  return facts_of(fast ? UnitType::kArmor : type).speed[static_cast<std::size_t>(now)];
}

// ---------------------------------------------------------------------------- command

bool Situation::disorganised(UnitId hq) const {
  const SideId whose = side(hq);
  const Fortnight& when = fortnight();
  if (period().june_surprise && whose == kSoviet && when.year == 1941 && when.month == 6) {
    return true;  // [S41 3]
  }
  const Weather now = weather(at(hq));
  const bool by_weather =
      now == Weather::kMud || (now == Weather::kSnow && whose == kAxis);  // [5.8]
  const SpaceId exempt = whose == kAxis ? data.warsaw : data.moscow;
  return by_weather && !(facts(hq).supreme() && at(hq) == exempt);
}

int Situation::effective_cmd(UnitId hq) const {
  return cv(hq) - (disorganised(hq) ? 1 : 0);
}

}  // namespace wardiary::eastfront

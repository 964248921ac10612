// Reads a `wardiary-scenario/1` document of EastFront: units and how they start, the force table,
// the set-up, and one "period" per scenario sheet from the chosen one to the end of the war, so
// that linked games [3.1] need no other file.
#include <algorithm>

#include "domain/json_reader.h"
#include "domain/systems/eastfront/data.h"

namespace wardiary::eastfront {
namespace {

constexpr std::size_t kUnitsMost = 400;
constexpr std::size_t kListMost = 400;

SideId side_named(JsonReader& in, std::string_view field) {
  const std::string side = in.text(field);
  if (side == "axis") return kAxis;
  if (side == "soviet") return kSoviet;
  in.complain(field, "must be axis or soviet");
  return kAxis;
}

Firepower firepower_named(JsonReader& in, std::string_view field) {
  const std::string word = in.text(field);
  if (word == "none") return Firepower::kNone;
  if (word == "single") return Firepower::kSingle;
  if (word == "double") return Firepower::kDouble;
  if (word == "triple") return Firepower::kTriple;
  in.complain(field, "must be none, single, double or triple");
  return Firepower::kNone;
}

std::array<int, 2> per_side(JsonReader in) {
  return {static_cast<int>(in.number("axis", -200, 200)),
          static_cast<int>(in.number("soviet", -200, 200))};
}

// Everything the loader carries from one part of the document to the next.
struct Loader {
  const Board& board;
  EastFrontData& data;
  std::vector<RosterUnit>& roster;

  UnitId unit(std::string_view id) const {
    auto at = std::find_if(roster.begin(), roster.end(),
                           [&](const RosterUnit& unit) { return unit.name == id; });
    return at == roster.end() ? UnitId{} : UnitId{static_cast<int>(at - roster.begin())};
  }
  UnitId unit(JsonReader& in, std::string_view field) const {
    const UnitId found = unit(in.text(field));
    if (!found) in.complain(field, "no such unit");
    return found ? found : UnitId{0};
  }
  SpaceId space(JsonReader& in, std::string_view field) const {
    const SpaceId found = board.find(in.text(field));
    if (!found) in.complain(field, "no such space");
    return found ? found : SpaceId{0};
  }
  void units_named(JsonReader& in, std::string_view field, std::vector<UnitId>& out) const {
    if (!in.has(field)) return;
    in.each_text(field, kListMost, [&](JsonReader& each, const std::string& id) {
      const UnitId found = unit(id);
      if (!found) each.complain("", "no such unit: " + id);
      if (found) out.push_back(found);
    });
  }
  void spaces_named(JsonReader& in, std::string_view field, std::vector<SpaceId>& out) const {
    if (!in.has(field)) return;
    in.each_text(field, kListMost, [&](JsonReader& each, const std::string& id) {
      const SpaceId found = board.find(id);
      if (!found) each.complain("", "no such space: " + id);
      if (found) out.push_back(found);
    });
  }

  void read_unit(JsonReader& in);
  void read_forces(JsonReader in);
  void read_force_line(JsonReader& in, SideId side);
  void read_setup(JsonReader in);
  void read_start_line(const std::string& key, JsonReader& in);
  void read_placements(JsonReader& in, bool fixed);
  void read_period(JsonReader& in, bool played);
  void read_turn(JsonReader& in);
};

UnitType type_named(JsonReader& in, std::string_view field, const std::string& word) {
  UnitType type = UnitType::kInfantry;
  if (!unit_type_from(word, type)) in.complain(field, "no such unit type: " + word);
  return type;
}

// The usual maximum of a unit whose label is not known [sb 2, 5.1].
int usual_max(const UnitFacts& unit, SideId side) {
  if (unit.hq()) return side == kAxis || unit.supreme() ? 3 : 2;
  if (unit.type == UnitType::kStatic) return 1;
  return side == kAxis || unit.guards || unit.type == UnitType::kShock ? 4 : 3;
}

void Loader::read_unit(JsonReader& in) {
  RosterUnit entry;
  entry.name = in.text("id");
  entry.title = in.text_or("name", entry.name);
  entry.type = in.text("type");
  entry.side = side_named(in, "side");
  UnitFacts facts;
  facts.type = type_named(in, "type", entry.type);
  facts.guards = in.flag_or("guards", false);
  facts.max_cv = static_cast<std::int8_t>(in.number_or("max", usual_max(facts, entry.side), 1, 9));
  facts.expeditionary = in.flag_or("expeditionary", false);
  facts.freed_by_odessa = in.text_or("freedBy", "") == "odessa";
  facts.siege = in.flag_or("siege", false);
  facts.army_group_e = in.flag_or("groupE", false);
  const std::string country = in.text_or("country", "");
  facts.italian = country == "italy";
  if (country == "romania")
    facts.nation = Country::kRomania;
  else if (country == "hungary")
    facts.nation = Country::kHungary;
  else if (country == "bulgaria")
    facts.nation = Country::kBulgaria;
  else if (country == "italy")
    facts.nation = Country::kOther;
  else if (country.empty())
    facts.nation = entry.side == kAxis ? Country::kGermany : Country::kUssr;
  else
    in.complain("country", "must be romania, hungary, bulgaria or italy");

  UnitStart start;
  start.cv = static_cast<std::int8_t>(in.number_or("cv", 0, 0, 9));
  const std::string how = in.text_or("start", "pool");
  if (how == "pool")
    start.how = Start::kPool;
  else if (how == "due")
    start.how = Start::kScheduled;
  else if (how == "event")
    start.how = Start::kByEvent;
  else if (how == "gone")
    start.how = Start::kRemoved;
  else
    in.complain("start", "must be pool, due, event or gone");
  // without chapter 14 the airborne corps is not in the pool at all.
  if (facts.type == UnitType::kPara && !data.rulings.paratroops && data.rulings.paras_leave_pool) {
    start.how = Start::kRemoved;
  }
  roster.push_back(std::move(entry));
  data.units.push_back(facts);
  data.starts.push_back(std::move(start));
}

void Loader::read_force_line(JsonReader& in, SideId side) {
  ForceLine line;
  line.side = side;
  line.name = in.text("row");
  line.units = static_cast<int>(in.number("units", 0, 200));
  line.cv = static_cast<int>(in.number("cv", 0, 800));
  line.satellite = in.flag_or("satellite", false);
  line.per_country = static_cast<int>(in.number_or("perCountry", 0, 0, 20));
  in.each_text("types", kUnitTypes, [&](JsonReader& each, const std::string& word) {
    line.types.push_back(type_named(each, "", word));
  });
  units_named(in, "including", line.including);
  data.forces.push_back(std::move(line));
}

void Loader::read_forces(JsonReader in) {
  in.each("axis", 20, [&](JsonReader& each) { read_force_line(each, kAxis); });
  in.each("soviet", 20, [&](JsonReader& each) { read_force_line(each, kSoviet); });
}

// The start line of the board: who holds what, the front rows, battle hexes [3.2.3].
void Loader::read_start_line(const std::string& key, JsonReader& in) {
  const auto& lines = board.document().find("startLines");
  if (lines == board.document().end() || !lines->contains(key)) {
    in.complain("line", "the board has no start line " + key);
    return;
  }
  JsonReader line((*lines)[key], "board.startLines." + key);
  spaces_named(line, "axis", data.own_side[0]);
  spaces_named(line, "soviet", data.own_side[1]);
  spaces_named(line, "axisFront", data.front[0]);
  spaces_named(line, "sovietFront", data.front[1]);
  if (line.has("battles")) {
    line.each("battles", kListMost, [&](JsonReader& each) {
      data.battles.emplace_back(space(each, "space"), side_named(each, "originalDefender"));
    });
  }
  if (!line.ok()) in.complain("line", std::move(line).error().text);
}

void Loader::read_setup(JsonReader in) {
  data.start_line = in.text("line");
  read_start_line(data.start_line, in);
  bool first = true;
  in.each_text("order", 2, [&](JsonReader& each, const std::string& side) {
    if (side != "axis" && side != "soviet") each.complain("", "must be axis or soviet");
    if (first) data.sets_up_first = side == "axis" ? kAxis : kSoviet;
    first = false;
  });
  if (in.has("garrisons")) {
    in.each("garrisons", kListMost, [&](JsonReader& each) {
      Garrison garrison;
      garrison.side = side_named(each, "side");
      garrison.at = space(each, "space");
      garrison.units = static_cast<int>(each.number("units", 1, 20));
      garrison.cv = static_cast<int>(each.number_or("cv", 0, 0, 80));
      garrison.armor = each.number_or("armor", 0, 0, 1) > 0;
      data.garrisons.push_back(std::move(garrison));
    });
  }
  if (in.has("regions")) {
    in.each("regions", kListMost, [&](JsonReader& each) {
      Garrison garrison;
      garrison.side = side_named(each, "side");
      const auto hexes = board.region(each.text("region"));
      if (hexes.empty()) each.complain("region", "the board has no such region");
      garrison.region.assign(hexes.begin(), hexes.end());
      garrison.units = static_cast<int>(each.number("units", 1, 200));
      units_named(each, "including", garrison.including);
      data.garrisons.push_back(std::move(garrison));
    });
  }
  units_named(in, "onFront", data.on_front);
  spaces_named(in, "offMap", data.off_map_foes);
}

// Units placed one by one: Edelweiss, or the historical set-up of Summer 1941 when it is chosen.
void Loader::read_placements(JsonReader& in, bool fixed) {
  if (!in.has("historical") || !(fixed || data.rulings.historical)) {
    if (fixed) in.complain("historical", "a fixed set-up needs its placements");
    data.free_setup = true;
    return;
  }
  in.each("historical", kUnitsMost, [&](JsonReader& each) {
    UnitStart& start = data.starts[unit(each, "unit").index()];
    start.how = Start::kOnMap;
    start.at = space(each, "at");
    start.cv = static_cast<std::int8_t>(each.number("cv", 0, 9));
    if (each.text_or("ruling", "") == "A-06") {
      start.cv = static_cast<std::int8_t>(data.rulings.edelweiss_mech_cv);
    }
  });
  for (UnitStart& start : data.starts) {
    if (start.how == Start::kPool) start.how = Start::kEliminated;
  }
}

void Loader::read_turn(JsonReader& in) {
  Fortnight turn;
  turn.year = static_cast<std::int16_t>(in.number("year", 1939, 1946));
  turn.month = static_cast<std::int8_t>(in.number("month", 1, 12));
  turn.half = static_cast<std::int8_t>(in.number("half", 1, 2));
  turn.period = static_cast<std::int8_t>(data.periods.size() - 1);
  // A month begins with Production, but not the first month of a game [3.2.2, 4.2].
  if (!data.fortnights.empty()) {
    const Fortnight& last = data.fortnights.back();
    turn.production = last.month != turn.month || last.year != turn.year;
  }
  data.fortnights.push_back(turn);
}

void apply_rules(JsonReader& in, Period& period) {
  in.each_text("rules", 20, [&](JsonReader& each, const std::string& rule) {
    if (rule == "surprise")
      period.june_surprise = true;
    else if (rule == "paralysis")
      period.winter_paralysis = true;
    else if (rule == "exhaustion")
      period.exhaustion = true;
    else if (rule == "siegeGuns")
      period.siege_guns = true;
    else if (rule == "surrender")
      period.surrender_rolls = true;
    else if (rule == "release")
      period.satellites_release = true;
    else if (rule == "satellitesRestricted")
      period.satellites_restricted = true;
    else if (rule == "courland")
      period.courland = true;
    else if (rule == "driveOnBerlin")
      period.w44_victory = true;
    else if (rule == "noVictory")
      period.no_victory = true;
    else if (rule != "standFast")
      each.complain("", "no such rule: " + rule);
  });
}

bool has_rule(JsonReader& in, std::string_view wanted) {
  bool found = false;
  in.each_text("rules", 20, [&](JsonReader&, const std::string& rule) { found |= rule == wanted; });
  return found;
}

void Loader::read_period(JsonReader& in, bool played) {
  const bool linked = !data.periods.empty();
  const bool stand_fast = has_rule(in, "standFast");
  if (played) {
    Period period;
    period.id = in.text("id");
    period.title = in.text_or("title", period.id);
    period.base = per_side(in.at("base"));
    period.link_change = per_side(in.at("link"));
    JsonReader air = in.at("air");
    period.air = {firepower_named(air, "axis"), firepower_named(air, "soviet")};
    period.axis_handicap = static_cast<int>(in.number("handicap", -200, 200));
    apply_rules(in, period);
    if (period.w44_victory) period.base[0] += data.rulings.w44_axis_level - 45;
    data.periods.push_back(std::move(period));
    const std::size_t first = data.fortnights.size();
    // [S43 1] A game that comes from Winter 1942 also plays June 1943, under the new sheet.
    if (linked && in.has("linkedTurns")) {
      in.each("linkedTurns", 12, [&](JsonReader& each) { read_turn(each); });
    }
    in.each("turns", 12, [&](JsonReader& each) { read_turn(each); });
    if (stand_fast && first < data.fortnights.size()) {
      Fortnight& turn = data.fortnights[first];
      (data.rulings.stand_fast_skips_turn ? turn.skip_axis : turn.stand_fast) = true;
    }
  }
  in.each("reinforcements", kUnitsMost, [&](JsonReader& each) {
    UnitStart& start = data.starts[unit(each, "unit").index()];
    if (start.how != Start::kScheduled) return;
    start.cv = static_cast<std::int8_t>(each.number("cv", 0, 9));
    start.year = static_cast<std::int16_t>(each.number("year", 1939, 1946));
    start.month = static_cast<std::int8_t>(each.number("month", 1, 12));
  });
}

}  // namespace

bool ForceLine::covers(const UnitFacts& unit) const {
  return unit.satellite() == satellite &&
         std::find(types.begin(), types.end(), unit.type) != types.end();
}

Status load_scenario(std::string_view scenario_text, const Board& board, EastFrontData& data,
                     std::vector<RosterUnit>& roster_units) {
  auto document = parse_json(scenario_text);
  if (!document) return std::move(document).error();
  JsonReader in(*document, "scenario");
  if (in.text("format") != "wardiary-scenario/1")
    in.complain("format", "must be wardiary-scenario/1");
  Loader loader{board, data, roster_units};
  in.each("units", kUnitsMost, [&](JsonReader& each) { loader.read_unit(each); });
  if (!in.ok()) return std::move(in).error();
  JsonReader setup = in.at("setup");
  if (in.has("forces")) loader.read_forces(in.at("forces"));
  if (board.document().contains("startLines")) {
    loader.read_setup(in.at("setup"));
    loader.read_placements(in, setup.flag_or("fixed", false));
  } else {
    // A small board of a case: nobody holds or garrisons anything until the case says so.
    data.sets_up_first = kAxis;
    data.free_setup = true;
  }

  // Periods up to the one the game is linked to; without a link only the first.
  bool go_on = true;
  in.each("periods", 16, [&](JsonReader& each) {
    const bool first = data.periods.empty();
    const bool played = first || go_on;
    loader.read_period(each, played);
    if (!played) return;
    if (data.rulings.link_to.empty() || data.periods.back().id == data.rulings.link_to) {
      go_on = false;
    }
  });
  if (in.ok() && data.fortnights.empty()) in.complain("periods", "there is nothing to play");
  if (in.ok() && !data.rulings.link_to.empty() && go_on) {
    in.complain("periods", "cannot be linked to " + data.rulings.link_to);
  }
  if (!in.ok()) return std::move(in).error();
  data.periods.front().start_level = per_side(in.at("production"));
  if (data.periods.front().w44_victory) {
    data.periods.front().start_level[0] = data.rulings.w44_axis_level;
  }
  if (!in.ok()) return std::move(in).error();
  return Done{};
}

}  // namespace wardiary::eastfront

// A position written by hand, for a case or a what-if, states what matters to its author. What
// follows from that by the rules is worked out here: who decides in the phase it names, the
// Original Defender of a battle, control of the hexes it does not mention, supreme moves and
// points.
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "domain/systems/eastfront/battle.h"
#include "domain/systems/eastfront/production.h"

namespace wardiary::eastfront {

using nlohmann::json;

namespace {

// Another word for the same thing, in the rulebook and its digest.
void rename(json& object, const char* from, const char* to) {
  if (!object.is_object() || !object.contains(from) || object.contains(to)) return;
  object[to] = object[from];
  object.erase(from);
}

// "Blitz Movement" and "BlitzMovement" as "blitz_movement".
std::string in_lower_case(const std::string& word) {
  std::string out;
  for (char letter : word) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    const bool gap = letter == ' ' || letter == '-';
    if ((capital || gap) && !out.empty() && out.back() != '_') out += '_';
    if (!gap) out += capital ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return out;
}

void lower(json& object, const char* field) {
  if (!object.is_object() || !object.contains(field) || !object[field].is_string()) return;
  object[field] = in_lower_case(object[field].get<std::string>());
}

void translate_unit(json& unit) {
  rename(unit, "hex", "at");
  rename(unit, "cmd", "cv");
  lower(unit, "side");
  if (unit.is_object() && unit.contains("type") && unit["type"].is_string()) {
    std::string type = in_lower_case(unit["type"].get<std::string>());
    std::erase(type, '_');  // "SSArmor", "HQ"
    unit["type"] = type;
  }
  if (!unit.is_object() || !unit.contains("status") || unit.contains("supplied")) return;
  unit["supplied"] = unit["status"] != "Unsupplied" && unit["status"] != "unsupplied";
  unit.erase("status");
}

class Completion {
 public:
  Completion(Draft& draft, const json& stated) : draft_(draft), now_(draft), stated_(stated) {
    note(
        "spaces", [&](const std::string& id) { return int{now_.board().find(id).value}; }, hexes_);
    note(
        "units", [&](const std::string& id) { return int{draft.game().roster().unit(id).value}; },
        units_);
  }

  void run() {
    put_units_on_the_map();
    if (!stated_.contains("clock")) return;
    const json& clock = stated_["clock"];
    set_time();
    name_defenders();
    set_control();
    set_numbers();
    if (clock.contains("phase") && !stated_.contains("pending")) ask();
  }

 private:
  using Stated = std::set<std::pair<int, std::string>>;  // which values of which hex or unit

  template <class Find>
  void note(const char* list, const Find& find, Stated& out) const {
    if (!stated_.contains(list)) return;
    for (const json& entry : stated_[list]) {
      const int index = find(entry.value("id", std::string()));
      for (auto item = entry.begin(); item != entry.end(); ++item) out.emplace(index, item.key());
    }
  }
  bool says(SpaceId hex, const char* value) const { return hexes_.contains({hex.value, value}); }
  bool says(UnitId unit, const char* value) const { return units_.contains({unit.value, value}); }
  bool says_track(const char* name) const {
    return stated_.contains("tracks") && stated_["tracks"].contains(name);
  }
  void set_unsaid(const char* name, t::Track id, int value) {
    if (!says_track(name)) draft_.set(track(id), value);
  }

  // Where a unit is tells what has become of it: one that is listed without a place is eliminated.
  void put_units_on_the_map() {
    for (std::size_t i = 0; i < now_.pos.unit_count(); ++i) {
      const UnitId unit{static_cast<int>(i)};
      const bool here = now_.pos.on_board(unit);
      const bool gone = !here && says(unit, "id") && !says(unit, "fate") &&
                        (now_.fate(unit) == Fate::kOnMap || now_.fate(unit) == Fate::kPool);
      if (here) draft_.set(unit, u::kFate, static_cast<int>(Fate::kOnMap));
      if (gone) draft_.set(unit, u::kFate, static_cast<int>(Fate::kEliminated));
    }
  }

  void set_time() {
    const Fortnight& when = now_.fortnight();
    set_unsaid("period", t::kPeriod, when.period);
    for (const bool west : {false, true}) {
      const auto weather = settled_weather(when.month, west);
      if (!weather) continue;
      set_unsaid(west ? "west_weather" : "east_weather", west ? t::kWestWeather : t::kEastWeather,
                 static_cast<int>(*weather));
    }
    if (now_.active()) {
      set_unsaid("player_turn", t::kPlayerTurn, now_.active() == first_player(now_) ? 1 : 2);
    }
  }

  // The side to move attacks, unless the position says otherwise [7.11, 7.12].
  void name_defenders() {
    for (SpaceId battle : now_.battles()) {
      const SideId side = now_.active() ? now_.active() : kAxis;
      if (!now_.defender(battle)) draft_.set(battle, h::kDefender, enemy_of(side).value);
      bool all_came = now_.defender(battle) != side;
      for (UnitId unit : now_.units_in(battle, side)) {
        const SpaceId from{now_.get(unit, u::kCameFrom)};
        all_came = all_came && from;
        if (!from || says(unit, "entry")) continue;
        const LinkId link = now_.board().link_between(from, battle);
        const bool river = link && now_.data.link(link).river;
        draft_.set(unit, u::kEntry, static_cast<int>(river ? Entry::kRiver : Entry::kLand));
      }
      if (!says(battle, "new_battle")) draft_.set(battle, h::kNewBattle, all_came ? 1 : 0);
      if (now_.get(battle, h::kNewBattle)) continue;
      for (UnitId unit : now_.units_in(battle, enemy_of(now_.defender(battle)))) {
        if (!says(unit, "shown")) draft_.set(unit, u::kShown, 1);
      }
    }
  }

  // As at the beginning of the phase, but for the hexes that say who controls them [8].
  void set_control() {
    for (std::size_t i = 0; i < now_.pos.space_count(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      if (says(hex, "held") || !says(hex, "control")) continue;
      if (now_.friendly(hex, kAxis)) draft_.set(hex, h::kHeld, kAxis.value);
      if (now_.friendly(hex, kSoviet)) draft_.set(hex, h::kHeld, kSoviet.value);
    }
    const std::vector<std::int16_t> control = control_map(now_);
    for (std::size_t i = 0; i < control.size(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      if (!says(hex, "control")) draft_.set(hex, h::kControl, control[i]);
    }
  }

  void set_numbers() {
    for (SideId side : {kAxis, kSoviet}) {
      const bool axis = side == kAxis;
      const int level = level_of(now_, side, rail_net(now_, side));
      set_unsaid(axis ? "axis_level" : "soviet_level", of_side(t::kAxisLevel, side), level);
      if (now_.phase() != Phase::kProduction) continue;
      set_unsaid(axis ? "axis_points" : "soviet_points", of_side(t::kAxisPoints, side),
                 now_.track(of_side(t::kAxisLevel, side)));
    }
    if (now_.phase() == Phase::kMovement && now_.active()) {
      set_unsaid("supreme_left", t::kSupremeLeft, supreme_moves(now_, now_.active()));
    }
  }

  void ask() {
    for (SideId side : {kAxis, kSoviet}) {
      if (now_.phase() == Phase::kSupply && side == now_.active()) {
        ask_in_supply(side);
        continue;
      }
      const Ask what = question_of(side);
      draft_.ask(side, Question{static_cast<std::uint8_t>(what), -1, -1, 0});
    }
  }
  // A Supply phase as it begins: surrenders and the beach-head, or a Pass that lets it run.
  void ask_in_supply(SideId side) {
    for (UnitId unit : now_.units_of(kSoviet)) {
      if (now_.facts(unit).type == UnitType::kCoastal && !says(unit, "invades")) {
        draft_.set(unit, u::kInvades, now_.at(unit).value);
      }
    }
    const Question surrender = surrender_question(now_);
    const bool rolls = side == kSoviet && surrender.number != 0;
    if (!rolls && ask_beachhead(draft_)) {
      return set_unsaid("stage", t::kStage, 2);
    }
    draft_.ask(side,
               rolls ? surrender : Question{static_cast<std::uint8_t>(Ask::kSurrender), -1, -1, 0});
  }
  Ask question_of(SideId side) const {
    if (now_.phase() == Phase::kProduction) return Ask::kProduction;
    if (side != now_.active()) return Ask::kNothing;
    switch (now_.phase()) {
      case Phase::kCommand:
        return Ask::kCommand;
      case Phase::kMovement:
      case Phase::kBlitzMovement:
        return Ask::kMovement;
      case Phase::kCombat:
      case Phase::kBlitzCombat:
        return any_active_battle(now_) ? Ask::kResolve : Ask::kBattles;
      default:
        return Ask::kNothing;
    }
  }

  Draft& draft_;
  const Situation now_;
  const json& stated_;
  Stated hexes_, units_;
};

}  // namespace

void translate_written_position(json& stated) {
  if (!stated.is_object()) return;
  if (stated.contains("units") && stated["units"].is_array()) {
    for (json& unit : stated["units"]) translate_unit(unit);
  }
  if (stated.contains("tracks")) {
    rename(stated["tracks"], "weather", "east_weather");
    for (const char* track : {"east_weather", "west_weather"}) lower(stated["tracks"], track);
  }
  if (stated.contains("spaces") && stated["spaces"].is_array()) {
    for (json& hex : stated["spaces"]) {
      rename(hex, "lastController", "held");
      rename(hex, "originalDefender", "defender");
      for (const char* field : {"control", "held", "defender"}) lower(hex, field);
    }
  }
  if (stated.contains("clock")) {
    lower(stated["clock"], "phase");
    lower(stated["clock"], "side");
  }
}

void complete_written_position(Draft& draft, const json& stated) {
  if (stated.is_object()) Completion(draft, stated).run();
}

}  // namespace wardiary::eastfront

#include "replay/case_start.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "domain/position_json.h"

namespace wardiary {

using nlohmann::json;

namespace {

const DataFile* data_file(const RuleSystem& system, const std::string& name) {
  for (const DataFile& file : system.data_files()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

class Starter {
 public:
  Starter(const RuleSystem& system, const SystemScenarios& scenarios, JsonReader& in)
      : system_(system), scenarios_(scenarios), in_(in) {}

  Result<CaseStart> start() {
    read_options();
    read_position();
    choose_scenario();
    choose_board();
    if (in_.ok()) add_units();
    if (!in_.ok()) return std::move(in_).error();
    spec_.scenario_text = scenario_.dump();
    auto created = create_game(system_, spec_, {});
    if (!created) return std::move(created).error();
    keep_attributes(created->game.roster());
    if (!in_.ok()) return std::move(in_).error();

    ScriptedChance no_dice({});
    Draft draft(created->game, std::move(created->position), no_dice);
    if (auto status = draft_position(draft, position_); !status) {
      return std::move(status).error();
    }
    system_.complete_position(draft, position_);
    Position position = draft.take_position();
    return CaseStart{std::move(created->game), std::move(position)};
  }

 private:
  void read_options() {
    if (!in_.has("options")) return;
    in_.each_member("options", [&](const std::string& name, JsonReader& at) {
      const json& value = at.value();
      if (value.is_string()) {
        spec_.options[name] = value.get<std::string>();
      } else if (value.is_boolean()) {
        spec_.options[name] = value.get<bool>() ? "on" : "off";
      } else if (value.is_number_integer()) {
        spec_.options[name] = value.dump();
      } else {
        at.complain("", "must be a text, a whole number, true or false");
      }
    });
  }

  void read_position() {
    position_ = json::object();
    if (!in_.has("position")) return;
    const JsonReader at = in_.at("position");
    if (at.value().is_object()) {
      position_ = at.value();
      system_.translate_position(position_);
    } else {
      in_.complain("position", "must be an object");
    }
  }

  // By id, inline, or the system's first: the position then takes everything off the board that it
  // does not list.
  void choose_scenario() {
    auto named = position_.find("scenario");
    if (named != position_.end() && named->is_object()) {
      scenario_ = *named;
      position_.erase(named);
      const json id = scenario_.contains("id") ? scenario_["id"] : json("case");
      spec_.scenario = id.is_string() ? id.get<std::string>() : "case";
      return;
    }
    if (named != position_.end() && !named->is_string()) {
      return in_.complain("position.scenario", "must be the id of a scenario or a scenario");
    }
    const bool given = named != position_.end();
    spec_.scenario = given                         ? named->get<std::string>()
                     : system_.scenarios().empty() ? ""
                                                   : system_.scenarios().front().id;
    const auto found = scenarios_.by_id.find(spec_.scenario);
    if (found == scenarios_.by_id.end()) {
      return in_.complain("position.scenario", "no scenario \"" + spec_.scenario + "\" in " +
                                                   std::string(system_.name()));
    }
    scenario_ = found->second;
  }

  void choose_board() {
    const json* board = in_.get("board");
    if (!board) return;
    if (board->is_object()) {
      spec_.board_text = board->dump();
    } else if (!board->is_string()) {
      in_.complain("board", "must be the name of a board or a board");
    } else if (const DataFile* file =
                   data_file(system_, "boards/" + board->get<std::string>() + ".json")) {
      spec_.board_text = file->text;
    } else {
      in_.complain("board", "no board \"" + board->get<std::string>() + "\"");
    }
  }

  json* unit_list() {
    auto units = position_.find("units");
    if (units == position_.end()) return nullptr;
    if (!units->is_array()) in_.complain("position.units", "must be a list");
    return units->is_array() ? &*units : nullptr;
  }

  // Units that the scenario does not have join its list.
  void add_units() {
    json* units = unit_list();
    if (!units) return;
    json& roster = scenario_["units"];
    if (!roster.is_array()) return in_.complain("position.scenario.units", "must be a list");
    std::set<std::string> known;
    for (const json& unit : roster) known.insert(unit.value("id", ""));
    for (std::size_t i = 0; i < units->size() && in_.ok(); ++i) {
      json& unit = (*units)[i];
      const std::string where = "position.units[" + std::to_string(i) + "]";
      if (!unit.is_object() || !unit.contains("id") || !unit["id"].is_string()) {
        return in_.complain(where, "must be an object with an id");
      }
      const std::string id = unit["id"].get<std::string>();
      if (known.contains(id)) continue;
      for (const char* field : {"side", "type"}) {
        if (!unit.contains(field)) {
          in_.complain(where + "." + field, "is missing (\"" + id + "\" is not in the scenario)");
        }
      }
      if (in_.ok()) roster.push_back(scenario_unit(unit));
      added_.insert(id);
    }
  }

  // What the scenario has to say about an added unit: everything but where it stands, and the
  // numbers printed on every unit, from one of its own kind, where the case leaves them out.
  json scenario_unit(const json& unit) const {
    json out = unit;
    out.erase("at");
    const json& roster = scenario_["units"];
    auto like = std::find_if(roster.begin(), roster.end(), [&](const json& u) {
      return u.value("side", json()) == unit["side"] && u.value("type", json()) == unit["type"];
    });
    if (like == roster.end()) return out;
    for (auto item = like->begin(); item != like->end(); ++item) {
      const bool everywhere =
          item->is_number() && std::all_of(roster.begin(), roster.end(),
                                           [&](const json& u) { return u.contains(item.key()); });
      if (everywhere && !out.contains(item.key())) out[item.key()] = item.value();
    }
    return out;
  }

  // Takes out of the position what only the scenario understands (also a side that is a nation to
  // it), and what it says of a unit already. A field that neither knows is a mistake.
  void keep_attributes(const Roster& roster) {
    json* units = unit_list();
    if (!units) return;
    std::map<std::string, const json*> printed;
    for (const json& unit : scenario_["units"]) printed[unit.value("id", "")] = &unit;
    for (std::size_t i = 0; i < units->size() && in_.ok(); ++i) {
      json& unit = (*units)[i];
      const std::string id = unit["id"].get<std::string>();
      const bool added = added_.contains(id);
      for (auto item = unit.begin(); item != unit.end();) {
        const std::string& field = item.key();
        static const std::set<std::string> own = {"id", "at", "type", "name"};
        const bool said = printed[id]->value(field, json()) == *item;
        const bool side =
            field == "side" && said && item->is_string() && !roster.side(item->get<std::string>());
        if (own.contains(field) || (roster.unit_attribute(field) >= 0 && !side)) {
          ++item;
        } else if (side || said || (added && scenarios_.unit_fields.contains(field))) {
          item = unit.erase(item);
        } else {
          return in_.complain("position.units[" + std::to_string(i) + "]." + field,
                              "is neither an attribute of this game nor a field of its scenarios");
        }
      }
    }
  }

  const RuleSystem& system_;
  const SystemScenarios& scenarios_;
  JsonReader& in_;
  NewGameSpec spec_;
  json scenario_;
  json position_;
  std::set<std::string> added_;
};

}  // namespace

Result<SystemScenarios> load_scenarios(const RuleSystem& system) {
  SystemScenarios out;
  for (const ScenarioInfo& info : system.scenarios()) {
    const DataFile* file = data_file(system, "scenarios/" + info.id + ".json");
    if (!file) continue;
    auto document = parse_json(file->text);
    if (!document) return std::move(document).error().within("scenario " + info.id);
    if (document->contains("units")) {
      for (const json& unit : (*document)["units"]) {
        for (auto item = unit.begin(); item != unit.end(); ++item)
          out.unit_fields.insert(item.key());
      }
    }
    out.by_id.emplace(info.id, std::move(*document));
  }
  return out;
}

Result<CaseStart> start_case(const RuleSystem& system, const SystemScenarios& scenarios,
                             JsonReader& in) {
  return Starter(system, scenarios, in).start();
}

}  // namespace wardiary

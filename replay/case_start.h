// How a case begins: the game it describes, created, and its position put in place.
#pragma once

#include <map>
#include <set>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "domain/rule_system.h"

namespace wardiary {

class JsonReader;

// A system's own scenarios, parsed, and which fields their units have.
struct SystemScenarios {
  std::map<std::string, nlohmann::json> by_id;
  std::set<std::string> unit_fields;
};
Result<SystemScenarios> load_scenarios(const RuleSystem& system);

struct CaseStart {
  Game game;
  Position position;
};
// From the members system, board, options and position of a case. The error names the field.
Result<CaseStart> start_case(const RuleSystem& system, const SystemScenarios& scenarios,
                             JsonReader& in);

}  // namespace wardiary

// How a case's expectations are compared with what is: an expectation names only what it is about.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "domain/rule_system.h"

namespace wardiary {

// The first thing that is not as expected.
struct Mismatch {
  std::string where;  // "steps[1].expect.units.X.cv"
  std::string expected;
  std::string actual;
};
using Found = std::optional<Mismatch>;  // nullopt: as expected

// Whether `expected` is contained in `actual`: of an object every member that is named, lists of
// the same length element by element, everything else equal. null also matches what is not there.
Found differs(const nlohmann::json& expected, const nlohmann::json* actual,
              const std::string& where);

// Compares `expect` (the members below; an unknown one is an error) with a position:
//   clock, units, spaces, tracks, pools, pending, over, winner, supply, score, legal, illegal, view
// kInvalid for an expectation that names something the game does not have.
Result<Found> check_position(const nlohmann::json& expect, const std::string& where,
                             const Game& game, const Position& position);

}  // namespace wardiary

// `wardiary-position/1`: a position one can read, write by hand, post, and start a what-if from.
//
//   {"format":"wardiary-position/1","clock":{"turn":3,"phase":"movement","side":"axis"},
//    "units":[{"id":"39Pz","at":"0714","cv":4}], "spaces":[{"id":"0714","control":"axis"}],
//    "links":[{"a":"0714","b":"0715","crossings":1}], "tracks":{"weather":"mud"},
//    "pools":{"cup":{"sun":2}}, "pending":{"axis":{"kind":"move"}}, "over":false, "winner":null}
//
// Values at their initial are left out when written. When read, "units" is the whole board (a unit
// that is not listed is taken off it); everything else changes only what it names.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "domain/draft.h"
#include "domain/position.h"
#include "domain/roster.h"

namespace wardiary {

class JsonWriter;

// What of a position is written. Each is asked with ids of the roster; null means everything.
struct PositionFilter {
  std::function<bool(UnitId)> unit;                  // leave a unit out altogether
  std::function<bool(UnitId, int attribute)> unit_value;
  std::function<SpaceId(UnitId)> at;  // where it is written to be
  std::function<bool(SpaceId, int attribute)> space_value;
  std::function<bool(TrackId)> track;
  std::function<void(JsonWriter&)> more_units;  // further entries of "units": blocks seen, not known
};

void write_position_json(JsonWriter& out, const Position& position, const Roster& roster,
                         const PositionFilter& filter = {});
std::string position_json(const Position& position, const Roster& roster);

// Drafts the facts that turn the draft's position into the one described. The error names the
// field; the draft must then be thrown away. Fields of units that are no attribute and not one of
// id, at, side, type, name are refused.
Status draft_position(Draft& draft, const nlohmann::json& position);

}  // namespace wardiary

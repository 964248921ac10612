// The difference between two positions of one game: units gained, lost, moved and changed, control,
// tracks, score. For two points of a line and for two lines alike.
#pragma once

#include <string>
#include <vector>

#include "domain/rule_system.h"
#include "projections/view.h"

namespace wardiary {

struct UnitDifference {
  UnitId unit;
  SpaceId from, to;                       // kNowhere where it is off the board
  std::vector<AttributeChange> changes;
};
struct SpaceDifference {
  SpaceId space;
  AttributeChange change;
};
struct TrackDifference {
  TrackId track;
  std::int32_t from = 0, to = 0;
};
struct Difference {
  std::vector<UnitDifference> units;
  std::vector<SpaceDifference> spaces;
  std::vector<TrackDifference> tracks;
  bool empty() const { return units.empty() && spaces.empty() && tracks.empty(); }
};

Difference difference(const Position& a, const Position& b);
// Only what the view may see of both.
void write_difference(JsonWriter& out, const Difference& difference, const Position& a,
                      const Position& b, const Game& game, const View& view);

}  // namespace wardiary

// Two lines of one game, or two points of one line, side by side: where they part, how they stand
// at the end of each turn, and what is different at the end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "projections/compare.h"
#include "replay/timelines.h"

namespace wardiary {

struct LinePoint {
  BranchId branch;
  Version version = 0;  // 0: the end of the branch
};

// How a game stands at a point, in numbers, by side. What the viewer may not see is left out.
struct Standing {
  Version version = 0;
  std::vector<std::optional<std::int64_t>> score, strength;
  std::vector<std::int64_t> control;                        // spaces
  std::vector<std::map<std::string, std::int64_t>> supply;  // units of each status
  bool operator==(const Standing&) const = default;
};

struct ComparedTurn {
  std::int16_t turn = 0;
  std::optional<Standing> a, b;  // at the turn's end; none where the line does not come so far
};

struct Comparison {
  LinePoint a, b;
  Version common = 0;  // the last event both have
  // The first events that do not say the same, each in its line; 0 where a line ends before.
  Version diverge_a = 0, diverge_b = 0;
  std::vector<ComparedTurn> turns;
  Standing a_end, b_end;
  Position a_position, b_position;
  Difference difference;
};

// kInvalid unless both belong to one game.
Result<Comparison> compare_lines(EventStore& store, Library& library, TimeMachine& time,
                                 Timelines& timelines, LinePoint a, LinePoint b,
                                 const Viewer& viewer);
// The last version two branches share.
Result<Version> common_version(EventStore& store, const BranchInfo& a, const BranchInfo& b);
Standing standing_of(const Game& game, const View& view, const Position& position, Version version);

// `wardiary-compare/1`, and some lines of text.
nlohmann::json comparison_json(const Comparison& comparison, const Game& game,
                               const Viewer& viewer);
std::string comparison_text(const Comparison& comparison, const Game& game, const Viewer& viewer);

}  // namespace wardiary

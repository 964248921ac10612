// The lines of a game as a tree, each with how it stands at its end.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "replay/compare_lines.h"

namespace wardiary {

struct BranchNode {
  BranchInfo info;
  std::size_t depth = 0;  // below the mainline
  Clock clock;            // at its end
  bool over = false;
  SideId winner;
  Standing standing;
};

constexpr std::size_t kTreeBranchesMax = 10'000;

// Every branch after its parent, those of one parent in the order in which they leave it. What was
// put away is left out unless asked for. kLimit beyond kTreeBranchesMax.
Result<std::vector<BranchNode>> branch_tree(EventStore& store, Library& library, TimeMachine& time,
                                            const GameId& game, const Viewer& viewer,
                                            bool with_deleted = false);
nlohmann::json branch_tree_json(const std::vector<BranchNode>& tree, const Roster& roster);

}  // namespace wardiary

#include "replay/branch_tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace wardiary {

using nlohmann::json;

namespace {

using Children = std::map<BranchId, std::vector<BranchInfo>>;

void add_below(const BranchInfo& branch, std::size_t depth, const Children& children,
               std::vector<BranchNode>& out) {
  out.push_back({branch, depth, {}, false, {}, {}});
  const auto found = children.find(branch.branch);
  if (found == children.end() || depth > StoreLimits::kBranchDepthMax) return;
  for (const BranchInfo& child : found->second) add_below(child, depth + 1, children, out);
}

}  // namespace

Result<std::vector<BranchNode>> branch_tree(EventStore& store, Library& library, TimeMachine& time,
                                            const GameId& game, const Viewer& viewer,
                                            bool with_deleted) {
  auto open = library.game(game);
  if (!open) return std::move(open).error();
  std::optional<BranchInfo> mainline;
  Children children;
  std::size_t count = 0;
  std::optional<std::string> after;
  do {
    auto page = store.branches(game, after, 1'000);
    if (!page) return std::move(page).error();
    for (BranchInfo& branch : page->items) {
      if (++count > kTreeBranchesMax) {
        return Error{ErrorCode::kLimit,
                     "the game has more than " + std::to_string(kTreeBranchesMax) + " branches"};
      }
      if (!branch.parent) {
        mainline = std::move(branch);
      } else if (!branch.deleted || with_deleted) {
        children[*branch.parent].push_back(std::move(branch));
      }
    }
    after = page->next;
  } while (after);
  if (!mainline) return corrupt("game " + to_hex(game) + " has no mainline");
  for (auto& [parent, list] : children) {
    std::stable_sort(list.begin(), list.end(), [](const BranchInfo& a, const BranchInfo& b) {
      return a.forked_at < b.forked_at;
    });
  }
  std::vector<BranchNode> out;
  add_below(*mainline, 0, children, out);
  const View view((*open)->game, viewer);
  for (BranchNode& node : out) {
    auto position = time.at(node.info.branch, node.info.version);
    if (!position) return std::move(position).error();
    node.clock = position->clock;
    node.over = position->over;
    node.winner = SideId{position->winner};
    node.standing = standing_of((*open)->game, view, *position, node.info.version);
  }
  return out;
}

json branch_tree_json(const std::vector<BranchNode>& tree, const Roster& roster) {
  json out = json::array();
  for (const BranchNode& node : tree) {
    json score = json::object();
    for (std::size_t s = 0; s < roster.sides.size(); ++s) {
      if (node.standing.score[s]) score[roster.sides[s]] = *node.standing.score[s];
    }
    const BranchInfo& info = node.info;
    out.push_back({{"branch", to_hex(info.branch)},
                   {"parent", info.parent ? json(to_hex(*info.parent)) : json()},
                   {"forkedAt", info.forked_at},
                   {"version", info.version},
                   {"name", info.name},
                   {"reason", info.reason},
                   {"deleted", info.deleted},
                   {"depth", node.depth},
                   {"turn", node.clock.turn},
                   {"turnName", roster.turn_name(node.clock.turn)},
                   {"over", node.over},
                   {"winner", node.winner.ok() ? json(roster.sides[node.winner.index()]) : json()},
                   {"score", std::move(score)}});
  }
  return out;
}

}  // namespace wardiary

// The game's Merkle tree: computed anew from the events and compared with what was stored of it,
// and with what was signed.
#include <algorithm>

#include "eventstore/stored/tree_reader.h"
#include "eventstore/stored/verifier.h"

namespace wardiary::stored {

void Verifier::check_tree(Game& game) {
  const std::string where = "game " + to_hex(game.id);
  const auto by_index = [](const Leaf& a, const Leaf& b) { return a.index < b.index; };
  if (!std::is_sorted(game.leaves.begin(), game.leaves.end(), by_index)) {
    std::sort(game.leaves.begin(), game.leaves.end(), by_index);
  }
  for (std::size_t i = 0; i < game.leaves.size() && game.whole; ++i) {
    const Leaf& leaf = game.leaves[i];
    if (leaf.index == i) continue;
    find("tree", place(game.id, game.lines[leaf.branch].id, leaf.version),
         "stands at leaf " + std::to_string(leaf.index) + " where leaf " + std::to_string(i) +
             " was to come");
    game.whole = false;
  }
  if (!game.whole) {
    find("tree", where, "could not be checked because of what was found in its events");
    return;
  }
  std::uint64_t tiles = 0, stored_tiles = 0;
  const merkle::Frontier::Completed completed = [&](unsigned height, std::uint64_t index,
                                                    const Hash& hash) {
    if (height % kTileHeight != 0) return;
    ++tiles;
    const unsigned level = height / kTileHeight - 1;
    auto body = source_.get(Family::kTree, tile_key(game.id, level, index));
    if (body && *body && **body == text_of(hash)) return;
    find("tree", where,
         "tile " + std::to_string(index) + " of level " + std::to_string(level) +
             (body && !*body ? " is missing" : " is not the root of its leaves"));
  };
  merkle::Frontier frontier;
  std::vector<SignedTree> promised;
  const auto [begin, end] = promises_.signed_trees.equal_range(game.id);
  for (auto it = begin; it != end; ++it) promised.push_back(it->second);
  for (const Leaf& leaf : game.leaves) {
    frontier.append(leaf.hash, completed);
    for (const SignedTree& tree : promised) {
      if (tree.size == frontier.size()) check_signed(game, frontier.root(), tree);
    }
  }
  for (const SignedTree& tree : promised) {
    if (tree.size <= frontier.size()) continue;
    find("checkpoint", where,
         "a tree of " + std::to_string(tree.size) + " leaves was signed, there are " +
             std::to_string(frontier.size()));
  }
  scan(
      Family::kTree, id_key(game.id), where,
      [&](std::string_view, std::string_view) { return ++stored_tiles, true; },
      [&](std::string_view) { ++stored_tiles; });
  if (stored_tiles > tiles) {
    find("tree", where, std::to_string(stored_tiles - tiles) + " tiles too many are stored");
  }
  check_runs(game);
  check_game_head(game, frontier);
}

void Verifier::check_signed(const Game& game, const Hash& root, const SignedTree& tree) {
  ++out_.checkpoints;
  if (root == tree.root) return;
  find("checkpoint", "game " + to_hex(game.id),
       "the tree of " + std::to_string(tree.size) + " leaves has the root " + to_hex(root) +
           ", signed was " + to_hex(tree.root));
}

void Verifier::check_runs(const Game& game) {
  const std::string where = "game " + to_hex(game.id);
  std::size_t next = 0;  // the leaf at which the next run must begin
  scan(
      Family::kLeaves, id_key(game.id), where,
      [&](std::string_view key, std::string_view body) {
        RecordReader record(body);
        const auto branch = record.fixed<16>();
        const Version first = record.number(8);
        const std::uint64_t leaf =
            key.size() == 24 ? get_u64(reinterpret_cast<const std::uint8_t*>(key.data()) + 16)
                             : ~0ull;
        const bool right = leaf == next && next < game.leaves.size() && record.at_end() &&
                           game.lines[game.leaves[next].branch].id == branch &&
                           game.leaves[next].version == first;
        if (!right) {
          find("tree", where,
               "the record of the leaves from " + std::to_string(leaf) +
                   " does not match the events");
          return false;
        }
        // The run goes on while the branch is the same.
        do {
          ++next;
        } while (next < game.leaves.size() &&
                 game.leaves[next].branch == game.leaves[next - 1].branch);
        return true;
      },
      [&](std::string_view) { find("tree", where, "a record of its leaves fails its check"); });
  if (next < game.leaves.size()) {
    find("tree", where,
         "no record says whose events the leaves from " + std::to_string(next) + " are");
  }
}

void Verifier::check_game_head(const Game& game, const merkle::Frontier& frontier) {
  const std::string where = "game " + to_hex(game.id);
  auto body = source_.get(Family::kHeads, game_head_key(game.id));
  GameHead head;
  if (!body || !*body || !parse_game_head(**body, head)) {
    find("tree", where, "the record of the tree's right edge is missing or fails its check");
    return;
  }
  if (head.frontier.size() != frontier.size()) {
    find("tree", where,
         "has " + std::to_string(frontier.size()) + " events, the tree's record says " +
             std::to_string(head.frontier.size()));
  } else if (head.frontier.hashes() != frontier.hashes()) {
    find("tree", where, "the stored right edge of the tree does not match the events");
  }
  if (head.branches != game.lines.size()) {
    find("branch", where,
         "has " + std::to_string(game.lines.size()) + " branches, its record says " +
             std::to_string(head.branches));
  }
  if (head.payload_bytes != game.payload_bytes) {
    find("tree", where, "the recorded number of bytes does not match the events");
  }
  if (!game.leaves.empty() && head.last_branch != game.lines[game.leaves.back().branch].id) {
    find("tree", where, "the recorded branch of the newest leaf does not match the events");
  }
}

}  // namespace wardiary::stored

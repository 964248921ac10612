// Re-reads and re-hashes what is stored and compares it with everything that was recorded about it.
// Works on the records alone, as they were at one moment, and believes none of them: each is
// checked against the others. Whatever is wrong becomes a finding; the search goes on behind it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "domain/base/sha256.h"
#include "eventstore/checkpoint_file.h"
#include "eventstore/stored/block_reader.h"
#include "eventstore/stored/records.h"

namespace wardiary::stored {

// What was promised about a store's games, as remembered outside its records (and, where several
// services share a store, in more than one place).
struct Promises {
  std::multimap<GameId, SignedTree> signed_trees;
  std::uint64_t rollbacks = 0, restores = 0;

  static Promises of(const CheckpointFile& file);
};

class Verifier {
 public:
  using Progress = std::function<void(std::uint64_t events)>;
  Verifier(Source& source, const Promises& promises, const Progress& progress)
      : source_(source), promises_(promises), progress_(progress) {}

  EventStore::Verified verify_all();
  EventStore::Verified verify_one(const GameId& game);

 private:
  // An event as the tree has it.
  struct Leaf {
    std::uint64_t index;
    Version version;
    std::uint32_t branch;  // number within the game
    Hash hash;
  };
  struct FoundCommit {
    Version last;
    std::uint32_t events;
    bool has_command = false;
  };
  struct Line {
    BranchId id;
    BranchRecord record;
    Version last = 0;    // of the events found
    Version sealed = 0;  // of the events in sealed blocks
    Hash hash;           // chained over them
    bool whole = true;
    std::vector<FoundCommit> commits;  // ascending
    std::map<Version, Hash> wanted;    // event hashes that branches were forked at
    Version committed() const { return commits.empty() ? record.forked_at : commits.back().last; }
  };
  struct Game {
    GameId id;
    GameRecord record;
    std::vector<Line> lines;
    std::map<BranchId, std::uint32_t> numbers;
    std::vector<Leaf> leaves;
    std::uint64_t payload_bytes = 0;
    bool whole = true;  // all leaves could be computed
  };

  // verifier.cpp
  void verify_game(const GameId& game, const GameRecord& record);
  void read_branches(Game& game);
  void check_branches(Game& game);
  void check_forks(const Game& game);
  // The branch up the line that owns the version a branch was forked at, if its records make sense.
  static std::optional<std::uint32_t> fork_owner(const Game& game, const Line& line);
  void check_head(Game& game, Line& line);
  void check_commands(Game& game, Line& line);
  void check_contents(const Game& game);
  void check_notes(const Game& game);
  void check_side_families();
  void check_files();
  EventStore::Verified finish();
  void check_orphans(Family family, std::size_t id_at,
                     const std::function<bool(std::string_view)>& known);
  // verify_tree.cpp
  void check_tree(Game& game);
  void check_runs(const Game& game);
  void check_signed(const Game& game, const Hash& root, const SignedTree& tree);
  void check_game_head(const Game& game, const merkle::Frontier& frontier);
  // verify_line.cpp
  void read_line(Game& game, Line& line);
  void read_block(Game& game, Line& line, const Block& block, bool chained);

  void find(const std::string& check, const std::string& where, const std::string& text);
  void scan(Family family, std::string_view prefix, const std::string& where,
            const Source::See& see, const Source::Damaged& damaged);

  Source& source_;
  const Promises& promises_;
  const Progress& progress_;
  Sha256 hasher_;
  EventStore::Verified out_;
  std::map<BranchId, GameId> known_branches_;
};

}  // namespace wardiary::stored

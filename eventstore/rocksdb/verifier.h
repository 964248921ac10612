// Re-reads and re-hashes what is stored and compares it with everything that was recorded about it.
// Works on the database alone, as it was at one moment, and believes none of its records: each is
// checked against the others. Whatever is wrong becomes a finding; the search goes on behind it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "eventstore/checkpoint_file.h"
#include "eventstore/rocksdb/block_reader.h"
#include "eventstore/rocksdb/store.h"

namespace wardiary::embedded {

class Verifier {
 public:
  using Progress = std::function<void(std::uint64_t events)>;
  Verifier(Engine& engine, const CheckpointFile& checkpoints, const Progress& progress)
      : engine_(engine), checkpoints_(checkpoints), progress_(progress), moment_(engine) {}

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
  void check_game_head(const Game& game, const merkle::Frontier& frontier);
  // verify_line.cpp
  void read_line(Game& game, Line& line);
  void read_block(Game& game, Line& line, const Block& block, bool chained);

  void find(const std::string& check, const std::string& where, const std::string& text);
  void scan(Family family, std::string_view prefix, const std::string& where,
            const Engine::See& see, const Engine::Damaged& damaged);

  Engine& engine_;
  const CheckpointFile& checkpoints_;
  const Progress& progress_;
  const Moment moment_;
  Sha256 hasher_;
  EventStore::Verified out_;
  std::map<BranchId, GameId> known_branches_;
};

}  // namespace wardiary::embedded

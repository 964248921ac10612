// What every store that keeps its log as records (layout.h) does alike: finding a branch's line
// through its parents, reading it, and proving it. An engine says where its branches and games
// stand and gives its records (source.h); it writes in its own way.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "eventstore/checkpoint.h"
#include "eventstore/log_keeper.h"
#include "eventstore/stored/block_reader.h"
#include "eventstore/stored/records.h"
#include "eventstore/stored/tree_reader.h"

namespace wardiary::stored {

// Where a branch's line stands.
struct BranchHead {
  GameId game;
  BranchId parent;  // all zero for the mainline
  Version forked_at = 0;
  Version version = 0;
  Hash hash;           // of the event at `version`
  Hash fork_hash;      // of the event at `forked_at`; zero for the mainline
  Version sealed = 0;  // versions up to this one stand in sealed blocks
  std::uint32_t depth = 0;
  std::uint32_t live_children = 0;
  bool mainline = false;
  bool deleted = false;
  bool damaged = false;  // a record of it did not pass its check; nothing may be built on it
};

class LogStore : public EventStore, public LogKeeper {
 public:
  Result<BranchInfo> branch(const BranchId& branch) override;
  Status read(const BranchId& branch, Version first, Version last, const See& see) override;
  Status read_backwards(const BranchId& branch, Version last, Version first,
                        const See& see) override;
  Result<std::vector<CommitInfo>> commits(const BranchId& branch) override;
  Result<Bytes> content(const Hash& hash) override;
  Result<std::vector<Hash>> contents_of(const GameId& game) override;

  Result<Hash> event_hash(const BranchId& branch, Version version) override;
  Result<std::uint64_t> tree_size(const GameId& game) override;
  Result<Hash> tree_root(const GameId& game, std::uint64_t size) override;
  Result<std::uint64_t> leaf_of(const BranchId& branch, Version version) override;
  Result<LeafRange> leaf_range(const GameId& game, std::uint64_t leaf) override;
  Result<std::vector<Hash>> inclusion_proof(const GameId& game, std::uint64_t leaf,
                                            std::uint64_t size) override;
  Result<std::vector<Hash>> consistency_proof(const GameId& game, std::uint64_t from,
                                              std::uint64_t to) override;
  Result<std::string> log_key(const GameId& game) override;

 protected:
  // A passage through the gate: while somebody holds one, the store stays open.
  using Pass = std::shared_lock<std::shared_mutex>;
  enum class State { kOpen, kFailed, kClosed };

  Result<Pass> enter();

  // As it is now. kNotFound, or kCorrupt for one that is damaged.
  virtual Result<BranchHead> head_of(const BranchId& branch) = 0;
  virtual Result<GameHead> game_head(const GameId& game) = 0;
  // Of a branch that is known to be there; only what never changes need be right.
  virtual Result<BranchHead> ancestor(const BranchId& branch) { return head_of(branch); }
  virtual std::unique_ptr<Source> source() = 0;
  // One record as it is now (Source::get).
  virtual Result<std::optional<std::string>> stored_now(Family f, std::string_view key) = 0;

  // The pieces of a branch's line that hold first..last, oldest first.
  Result<std::vector<Piece>> line(const BranchId& branch, Version first, Version last);
  Result<Hash> hash_on_line(const BranchId& branch, Version version);
  Result<BranchInfo> info_of(const BranchId& branch, const BranchHead& head);
  // What a command id was answered on this branch; `current` is left to the caller.
  Result<std::optional<Appended>> answer_of(const BranchId& branch, const CommandId& command);
  // What a branch of this id that is there already comes to: the answer of the first call if this
  // is that call again, otherwise kConflict.
  Result<BranchInfo> forked_before(const NewBranch& wanted, const BranchHead& there);
  // The head of a branch about to be forked, without the events that may come with it.
  Result<BranchHead> new_head(const NewBranch& branch, const BranchHead& parent);

  std::shared_mutex gate_;
  std::atomic<State> state_{State::kOpen};
  std::optional<SigningKey> key_;

 private:
  TreeReader tree_of(const GameId& game, const GameHead& head, Source& source);
};

BranchInfo info_from(const BranchId& branch, const BranchHead& head, const BranchRecord& record);

}  // namespace wardiary::stored

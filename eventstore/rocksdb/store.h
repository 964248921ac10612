// The embedded store's class. Its parts: store_open.cpp (opening, closing, the heads),
// store_write.cpp (commits, branches), store_read.cpp (games, branches, events, waiting),
// store_side.cpp (contents, caches, notes, records), store_evidence.cpp (tree, checkpoints),
// store_care.cpp (statistics, backup, tidying), sealer.h and verifier.h.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <rocksdb/write_batch.h>

#include "domain/base/sha256.h"
#include "eventstore/checkpoint.h"
#include "eventstore/checkpoint_file.h"
#include "eventstore/data_dir.h"
#include "eventstore/event_store.h"
#include "eventstore/rocksdb/engine.h"
#include "eventstore/rocksdb/heads.h"
#include "eventstore/rocksdb/sealer.h"
#include "eventstore/rocksdb_store.h"
#include "eventstore/stored/commit.h"
#include "eventstore/stored/commit_queue.h"
#include "eventstore/stored/log_store.h"

namespace wardiary::embedded {

using BranchMap = std::unordered_map<BranchId, BranchHead, IdHash>;
using GameMap = std::unordered_map<GameId, GameHead, IdHash>;

// One group of writes on its way to disk: the batch, and what the games will be once it is there.
struct Group {
  rocksdb::WriteBatch batch;
  std::unordered_map<GameId, GameHead, IdHash> games;
  std::unordered_set<BranchId, IdHash> touched;  // branches appended to, made or deleted
  std::unordered_set<BranchId, IdHash> deleted;
  std::unordered_set<BranchId, IdHash> parents;  // branches forked from
};

// One caller's write. `plan` is called by the group's leader, one request at a time: it checks the
// request against the heads and the group and adds to the batch, or returns false (nothing added)
// when it no longer fits; the caller then looks again. `landed` is called when the batch is
// durable.
struct Request {
  enum class Outcome { kLanded, kStale, kFailed };
  std::size_t bytes = 0;
  bool sync = true;
  std::function<bool(Group&)> plan;
  std::function<void(BranchMap&)> landed;
  std::optional<std::pair<BranchId, Version>> news;  // for those who wait and the listener
  Outcome outcome = Outcome::kFailed;
  Error error;
};

class Store final : public LogStore {
 public:
  static Result<std::unique_ptr<EventStore>> open(const StoreOptions& options);
  ~Store() override;

  Result<Appended> create_game(const NewGame& game) override;
  Result<Appended> append(const Commit& commit) override;
  Result<std::optional<Appended>> find_command(const BranchId& branch,
                                               const CommandId& command) override;
  Result<BranchInfo> fork(const NewBranch& branch) override;
  Status delete_branch(const BranchId& branch) override;

  Result<GameInfo> game(const GameId& game) override;
  Result<Page<GameInfo>> games(std::optional<std::string> after, std::size_t limit) override;
  Result<Page<BranchInfo>> branches(const GameId& game, std::optional<std::string> after,
                                    std::size_t limit) override;
  Result<Version> wait_beyond(const BranchId& branch, Version after,
                              std::uint32_t timeout_ms) override;
  void set_listener(std::function<void(const BranchId&, Version)> listener) override;

  Status put_snapshot(const BranchId& branch, const Snapshot& snapshot) override;
  Result<std::optional<Snapshot>> snapshot_at(const BranchId& branch, Version at) override;
  Status drop_snapshots() override;
  Status put_index(std::string_view key, ByteView value) override;
  Status scan_index(std::string_view prefix, std::string_view after,
                    const std::function<bool(std::string_view, ByteView)>& see) override;
  Status drop_index(std::string_view prefix) override;
  Result<std::uint64_t> add_note(const GameId& game, ByteView note) override;
  Status read_notes(const GameId& game, std::uint64_t after,
                    const std::function<bool(std::uint64_t, ByteView)>& see) override;
  Status change_records(std::span<const RecordChange> changes) override;
  Result<std::optional<Bytes>> record(std::string_view key) override;
  Status scan_records(std::string_view prefix,
                      const std::function<bool(std::string_view, ByteView)>& see) override;

  Result<std::string> checkpoint(const GameId& game) override;
  Result<std::optional<SignedTree>> promised(const GameId& game) override;

  Result<Verified> verify(std::optional<GameId> game,
                          const std::function<void(std::uint64_t events)>& progress) override;
  Result<StoreStats> stats() override;
  Status backup(const std::string& directory, BackupKeys keys) override;
  Status tidy() override;
  Status close() override;

 private:
  struct Stripe {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<int> waiting{0};
  };

  explicit Store(const StoreOptions& options) : options_(options), dir_{options.directory} {}

  // store_open.cpp
  Status open_files();
  Status load_heads();
  Status load_games(GameMap& games);
  Status load_branches(BranchMap& branches);
  Status load_head_records(BranchMap& branches, GameMap& games);
  Status check_written();
  Status check_checkpoints();

  // store_write.cpp
  void plan_commit(Group& group, const GameId& game, const BranchId& branch, Version expected,
                   const CommandId& command, Prepared& prepared);
  Result<std::optional<Appended>> first_answer(const BranchId& branch, const CommandId& command);
  void run(Request& request);
  void write_group(std::span<Request*> requests);
  Status check_space();
  void landed(std::span<Request*> requests, Group& group);
  void failed(std::span<Request*> requests, const rocksdb::Status& status);
  Status outcome_of(const Request& request) const;
  GameHead* game_in(Group& group, const GameId& game);

  // store_read.cpp
  Result<BranchHead> head_of(const BranchId& branch) override;
  std::unique_ptr<Source> source() override { return std::make_unique<EngineSource>(*engine_); }
  Result<std::optional<std::string>> stored_now(Family f, std::string_view key) override {
    return engine_->get(f, key);
  }
  void tell(const BranchId& branch, Version version);
  Stripe& stripe_of(const BranchId& branch) { return stripes_[IdHash()(branch) % stripes_.size()]; }

  // store_evidence.cpp
  Result<GameHead> game_head(const GameId& game) override;
  Status sync_log();

  const StoreOptions options_;
  const DataDir dir_;
  std::unique_ptr<CheckpointFile> checkpoints_;
  std::unique_ptr<Engine> engine_;
  Heads heads_;
  std::unique_ptr<Sealer> sealer_;
  CommitQueue<Request> queue_;

  // Used only by the leader of a group.
  std::unordered_map<GameId, std::uint64_t, IdHash> note_counts_;
  std::uint64_t groups_until_space_check_ = 0;

  std::atomic<bool> unsynced_{false};  // a buffered commit is not on disk yet
  std::mutex sync_mutex_;
  std::shared_mutex listener_mutex_;
  std::function<void(const BranchId&, Version)> listener_;
  std::array<Stripe, 64> stripes_;
  std::atomic<std::uint64_t> commits_{0}, syncs_{0}, conflicts_{0}, duplicates_{0};
};

std::uint64_t now_ms();  // since 1970

}  // namespace wardiary::embedded

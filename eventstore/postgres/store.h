// The PostgreSQL store's class. Its parts: store_open.cpp (opening, keys, promises),
// store_write.cpp (commits, games, branches), store_group.cpp (how waiting commits reach the server
// together), store_read.cpp (heads and lists), store_side.cpp (caches, notes, records),
// store_care.cpp (checkpoints, verification, statistics), followers.h (what other processes
// commit).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eventstore/data_dir.h"
#include "eventstore/postgres/followers.h"
#include "eventstore/postgres/games.h"
#include "eventstore/postgres/memory.h"
#include "eventstore/postgres/pool.h"
#include "eventstore/postgres/source.h"
#include "eventstore/postgres_store.h"
#include "eventstore/stored/commit.h"
#include "eventstore/stored/commit_queue.h"
#include "eventstore/stored/log_store.h"
#include "eventstore/stored/verifier.h"

namespace wardiary::postgres {

// One caller's commit. `plan` is called by the group's leader with the game as it will be once what
// stands before it in the group is done: it makes the call and brings the state forward, or returns
// nothing when the commit no longer fits.
struct Request {
  enum class Outcome { kLanded, kStale, kFailed };
  std::size_t bytes = 0;
  GameId game;
  BranchId branch;
  Version version = 0;
  bool alone = false;  // in a transaction of its own: as part of a group it failed
  std::function<std::optional<Call>(GameState&)> plan;
  Outcome outcome = Outcome::kFailed;
  Failure failure;
};

class Store final : public stored::LogStore {
 public:
  static Result<std::unique_ptr<EventStore>> open(const PostgresOptions& options);
  ~Store() override;

  Result<Appended> create_game(const NewGame& game) override;
  Result<Appended> append(const Commit& commit) override;
  Result<std::optional<Appended>> find_command(const BranchId& branch,
                                               const CommandId& command) override;
  Result<BranchInfo> fork(const NewBranch& branch) override;
  Status delete_branch(const BranchId& branch) override;

  Result<BranchInfo> branch(const BranchId& branch) override;
  Result<GameInfo> game(const GameId& game) override;
  Result<Page<GameInfo>> games(std::optional<std::string> after, std::size_t limit) override;
  Result<Page<BranchInfo>> branches(const GameId& game, std::optional<std::string> after,
                                    std::size_t limit) override;
  Result<Version> wait_beyond(const BranchId& branch, Version after,
                              std::uint32_t timeout_ms) override;
  void set_listener(std::function<void(const BranchId&, Version)> listener) override;
  void watch(const BranchId& branch, bool on) override;

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

  const std::string& cluster() const { return cluster_; }
  // The clusters that this one keeps games together with, as recorded; itself among them.
  Result<std::string> recorded_set();
  Status record_set(const std::string& set);

 private:
  explicit Store(const PostgresOptions& options);

  // store_open.cpp
  Status open_keys();
  Status open_memory();
  Status open_cluster();
  Status settle_keys(Connection& connection, Deadline deadline);
  Status check_promises();
  Status check_promise(const GameId& game, const SignedTree& tree);
  Result<std::vector<std::pair<GameId, SignedTree>>> promised_in_tables(const Ask& ask);

  // store_write.cpp
  Result<Appended> settled(const BranchId& branch, Appended answer, bool in_doubt);
  Status barrier(const GameId& game);
  std::optional<Call> plan_append(GameState& state, const Commit& commit, const GameId& game,
                                  stored::Prepared& prepared);
  Answer<std::vector<Rows>> transact(std::span<const Call> calls);
  Result<Appended> existing_game(const NewGame& game, bool in_doubt);
  Answer<Hash> write_game(const NewGame& game);
  Answer<bool> write_fork(const NewBranch& branch, const BranchHead& head);
  Result<bool> has_live_children(const GameId& game, const BranchId& branch);

  // store_group.cpp
  void run(Request& request);
  void write_group(std::span<Request*> requests);
  void write_together(std::span<Request*> requests);

  // store_read.cpp
  struct Seen {
    BranchHead head;
    stored::BranchRecord record;
  };
  Result<Seen> look(const BranchId& branch);
  Result<BranchHead> head_of(const BranchId& branch) override;
  Result<GameHead> game_head(const GameId& game) override;
  Result<BranchHead> ancestor(const BranchId& branch) override;
  std::unique_ptr<stored::Source> source() override;
  Result<std::optional<std::string>> stored_now(stored::Family f, std::string_view key) override;

  // store_side.cpp
  Status put_cached(const Statement& statement, std::string_view key, std::string_view value);
  Status drop_range(const Statement& statement, std::string_view prefix);

  const PostgresOptions options_;
  const DataDir dir_;
  Pool pool_;
  std::string cluster_;  // its id
  std::unique_ptr<SharedMemory> memory_;
  KnownGames known_;
  stored::CommitQueue<Request> queue_;
  Followers followers_;
  std::atomic<std::uint64_t> commits_{0}, syncs_{0}, conflicts_{0}, duplicates_{0};
};

Id random_mark();
std::string checkpoint_value(const GameId& game, const SignedTree& tree);

}  // namespace wardiary::postgres

// Several clusters as one store (see postgres_store.h). A game's home is the cluster that has it; a
// new game's is the one with the highest hash of cluster id and game id. Nothing ever spans two.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "eventstore/log_keeper.h"
#include "eventstore/stored/records.h"

namespace wardiary::postgres {

// The numbers of the clusters in the order a game prefers them.
std::vector<std::size_t> preference(const GameId& game, const std::vector<std::string>& clusters);

class Shards final : public EventStore, public LogKeeper {
 public:
  struct Shard {
    std::string cluster;
    std::unique_ptr<EventStore> store;
  };
  Shards(std::vector<Shard> shards, std::string key_directory);
  ~Shards() override;

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
  Status read(const BranchId& branch, Version first, Version last, const See& see) override;
  Status read_backwards(const BranchId& branch, Version last, Version first,
                        const See& see) override;
  Result<std::vector<CommitInfo>> commits(const BranchId& branch) override;
  Result<Version> wait_beyond(const BranchId& branch, Version after,
                              std::uint32_t timeout_ms) override;
  void set_listener(std::function<void(const BranchId&, Version)> listener) override;
  void watch(const BranchId& branch, bool on) override;
  Result<Bytes> content(const Hash& hash) override;
  Result<std::vector<Hash>> contents_of(const GameId& game) override;
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
  Result<Hash> event_hash(const BranchId& branch, Version version) override;
  Result<std::uint64_t> tree_size(const GameId& game) override;
  Result<Hash> tree_root(const GameId& game, std::uint64_t size) override;
  Result<std::uint64_t> leaf_of(const BranchId& branch, Version version) override;
  Result<LeafRange> leaf_range(const GameId& game, std::uint64_t leaf) override;
  Result<std::vector<Hash>> inclusion_proof(const GameId& game, std::uint64_t leaf,
                                            std::uint64_t size) override;
  Result<std::vector<Hash>> consistency_proof(const GameId& game, std::uint64_t from,
                                              std::uint64_t to) override;
  Result<std::string> checkpoint(const GameId& game) override;
  Result<std::optional<SignedTree>> promised(const GameId& game) override;
  Result<std::string> log_key(const GameId& game) override;
  Result<Verified> verify(std::optional<GameId> game,
                          const std::function<void(std::uint64_t events)>& progress) override;
  Result<StoreStats> stats() override;
  Status backup(const std::string& directory, BackupKeys keys) override;
  Status tidy() override;
  Status close() override;

 private:
  static constexpr std::size_t kHomesMax = 1'000'000;
  // The cluster that has the game or branch; kNotFound if none has. Homes never change.
  Result<EventStore*> home_of_game(const GameId& game);
  Result<EventStore*> home_of_branch(const BranchId& branch);
  std::optional<std::size_t> known(const Id& id);
  void remember(const Id& id, std::size_t shard);
  // Where what belongs to no game is kept.
  EventStore& first() { return *shards_.front().store; }
  Status all(const std::function<Status(EventStore&)>& ask);

  std::vector<Shard> shards_;
  const std::string key_directory_;
  std::vector<std::string> clusters_;
  std::mutex mutex_;
  std::unordered_map<Id, std::size_t, stored::IdHash> homes_;
};

}  // namespace wardiary::postgres

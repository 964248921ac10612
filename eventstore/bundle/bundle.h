// A bundle: one game in one file, with everything a stranger needs to check it offline. The bytes
// (docs/formats.md, "wardiary-bundle/1") are a plain sequence without compression or optional
// parts, so that a reader in any language is short:
//
//   "wardiary-bundle/1\n", game, contents, branches, every event of every branch in the order of
//   the game's Merkle tree with its chain hash, the signed checkpoint of that tree and the key it
//   is signed with, and the SHA-256 of all that.
//
// An opened bundle is a store that can only be read. So whatever runs on a store runs on a bundle:
// the library, the time machine, the audit, the dossier.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "eventstore/event_store.h"

namespace wardiary {

struct BundleLimits {
  static constexpr std::uint64_t kFileBytesMax = 1u << 30;
  static constexpr std::size_t kBranchesMax = 10'000;
  static constexpr std::size_t kEventsMax = 10'000'000;
  static constexpr std::size_t kEvidenceBytesMax = 64u << 10;  // a checkpoint or a key line
};

inline constexpr std::string_view kBundleMagic = "wardiary-bundle/1\n";

// Signs a checkpoint of the game as it is now and writes exactly the events under it. `contents`
// are the hashes of the contents to go with them. Memory does not grow with the game's events.
Status write_bundle(EventStore& store, const GameId& game, std::span<const Hash> contents,
                    std::ostream& out, const std::function<void(std::uint64_t)>& progress = {});

class Bundle : public EventStore {
 public:
  // kInvalid or kLimit, naming the byte and the field, if the bytes have not the form of a bundle.
  // Whether they are true is verify()'s to say: nothing here is hashed.
  static Result<std::unique_ptr<Bundle>> open(Bytes bytes);
  static Result<std::unique_ptr<Bundle>> read(const std::filesystem::path& file);

  const GameInfo& info() const { return game_; }
  const std::vector<BranchInfo>& all_branches() const { return branches_; }
  const std::string& signed_checkpoint() const { return checkpoint_; }
  const std::string& key_line() const { return key_; }
  std::vector<Hash> contents() const;
  // One event after another, in the order of the tree.
  struct Leaf {
    BranchId branch;
    StoredEvent event;
  };
  Status each_leaf(const std::function<bool(const Leaf&)>& see) const;
  // The root of the first `size` leaves, by the recorded event hashes.
  Result<Hash> root_at(std::uint64_t size) const;

  // Everything there is to hash: checksum, contents, chain, heads, tree, checkpoint.
  Result<Verified> verify(std::optional<GameId> game,
                          const std::function<void(std::uint64_t)>& progress) override;

  Result<BranchInfo> branch(const BranchId& branch) override;
  Result<GameInfo> game(const GameId& game) override;
  Result<Page<GameInfo>> games(std::optional<std::string> after, std::size_t limit) override;
  Result<Page<BranchInfo>> branches(const GameId& game, std::optional<std::string> after,
                                    std::size_t limit) override;
  Status read(const BranchId& branch, Version first, Version last, const See& see) override;
  Status read_backwards(const BranchId& branch, Version last, Version first,
                        const See& see) override;
  Result<Bytes> content(const Hash& hash) override;
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
  Result<std::string> log_key(const GameId& game) override;
  Result<StoreStats> stats() override;

  // Nothing is written: caches are not kept, and everything else is kDenied.
  Result<Appended> create_game(const NewGame& game) override;
  Result<Appended> append(const Commit& commit) override;
  Result<std::optional<Appended>> find_command(const BranchId&, const CommandId&) override;
  Result<BranchInfo> fork(const NewBranch& branch) override;
  Status delete_branch(const BranchId& branch) override;
  Result<Version> wait_beyond(const BranchId& branch, Version after, std::uint32_t) override;
  void set_listener(std::function<void(const BranchId&, Version)>) override {}
  Status put_snapshot(const BranchId&, const Snapshot&) override { return Done{}; }
  Result<std::optional<Snapshot>> snapshot_at(const BranchId&, Version) override;
  Status drop_snapshots() override { return Done{}; }
  Status put_index(std::string_view, ByteView) override { return Done{}; }
  Status scan_index(std::string_view, std::string_view,
                    const std::function<bool(std::string_view, ByteView)>&) override;
  Status drop_index(std::string_view) override { return Done{}; }
  Result<std::uint64_t> add_note(const GameId& game, ByteView note) override;
  Status read_notes(const GameId&, std::uint64_t,
                    const std::function<bool(std::uint64_t, ByteView)>&) override;
  Status change_records(std::span<const RecordChange> changes) override;
  Result<std::optional<Bytes>> record(std::string_view key) override;
  Status scan_records(std::string_view,
                      const std::function<bool(std::string_view, ByteView)>&) override;
  Status backup(const std::string& directory, BackupKeys keys) override;
  Status tidy() override { return Done{}; }
  Status close() override { return Done{}; }

 private:
  struct Event {
    std::uint32_t branch = 0;  // index into branches_
    std::uint16_t type = 0;
    Version version = 0;
    std::size_t hash = 0;  // where in bytes_
    std::size_t payload = 0;
    std::uint32_t length = 0;
  };
  struct Stored {
    Hash hash;
    std::size_t at = 0;
    std::uint32_t length = 0;
  };
  friend class BundleParser;
  Bundle() = default;

  std::optional<std::size_t> index_of(const BranchId& branch) const;
  // The leaf that version `version` of the branch's line is; nothing beyond its end.
  std::optional<std::uint64_t> find(std::size_t branch, Version version) const;
  Hash hash_of(const Event& event) const;
  ByteView payload_of(const Event& event) const;
  bool see(const Event& event, const See& see) const;
  Error unknown(const Id& id, const char* what) const;
  Result<std::vector<Hash>> leaf_hashes(const GameId& game, std::uint64_t size) const;
  using Found = std::function<void(const char* check, std::string where, std::string text)>;
  void verify_chain(const Found& found, const std::function<void(std::uint64_t)>& progress) const;
  void verify_checkpoint_of_tree(const Found& found) const;

  Bytes bytes_;
  GameInfo game_;
  std::string checkpoint_, key_;
  std::vector<Stored> contents_;
  std::vector<BranchInfo> branches_;
  std::vector<std::size_t> parents_;                     // by branch; itself for the mainline
  std::vector<std::pair<BranchId, std::size_t>> by_id_;  // sorted
  std::vector<std::vector<std::uint64_t>> own_;          // by branch: its leaves, in order
  std::vector<Event> events_;                            // by leaf
};

}  // namespace wardiary

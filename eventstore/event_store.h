// The contract of the diary's log: what every store promises, whatever engine keeps the bytes.
//
// A *game* is a tree of *branches*; each branch is a line of *events* numbered 1, 2, 3 ... without
// gaps (the *version* of a branch is the number of its last event). A branch that was forked from
// its parent at version v shows the parent's events 1..v as its own and continues with v + 1.
// Events are bytes with a type number; the store never looks inside them.
//
// What a store promises:
//  * A commit (one or more events) is appended whole or not at all, and an `ok` answer means that
//  it
//    is on disk (unless the caller asked for `Durability::kBuffered`).
//  * A commit states the version it was decided on. If the branch is elsewhere: `conflict`, nothing
//    is written.
//  * A command id is taken once per branch. Asking again with the same id gives `duplicate` with
//  the
//    first answer, also after a crash.
//  * Nothing stored ever changes. Every event is hashed into its branch's chain and its game's
//    Merkle tree (see evidence.h); corrupt bytes are reported with game, branch and version, never
//    returned and never a crash.
//  * Many threads may call at once. Readers never wait for writers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

namespace wardiary {

using GameId = Id;
using BranchId = Id;  // also the `stream` of dice and hashes
using CommandId = Id;
using Version = std::uint64_t;  // 0 = nothing yet

// Every limit of the store, in one place. Exceeding one is an ErrorCode::kLimit that names it.
struct StoreLimits {
  static constexpr std::size_t kEventBytesMax = 1u << 20;
  static constexpr std::size_t kCommitEventsMax = 20'000;
  static constexpr std::size_t kCommitBytesMax = 32u << 20;
  static constexpr std::size_t kNameBytesMax = 200;
  static constexpr std::size_t kReasonBytesMax = 2'000;
  static constexpr std::size_t kContentBytesMax = 16u << 20;
  static constexpr std::size_t kContentsMax = 64;  // per new game
  static constexpr std::size_t kSnapshotBytesMax = 64u << 20;
  static constexpr std::size_t kKeyBytesMax = 512;  // of an index entry or a record
  static constexpr std::size_t kValueBytesMax = 1u << 20;
  static constexpr std::size_t kRecordChangesMax = 1'000;
  static constexpr std::size_t kNoteBytesMax = 64u << 10;
  static constexpr std::size_t kBranchDepthMax = 64;
  static constexpr std::size_t kBranchesPerGameMax = 1'000'000;
  static constexpr std::size_t kGamesMax = 100'000'000;
  static constexpr std::size_t kPageMax = 10'000;
};

struct NewEvent {
  std::uint16_t type = 0;
  ByteView payload;
};

struct StoredEvent {
  Version version = 0;
  std::uint16_t type = 0;
  ByteView payload;  // 8-byte aligned; valid until the callback returns or the cursor moves on
};

enum class Durability { kSynced, kBuffered };

struct Commit {
  BranchId branch;
  Version expected = 0;  // the version the caller decided on
  CommandId command;
  std::span<const NewEvent> events;  // at least one
  Durability durability = Durability::kSynced;
};

// What an append came to. `first`, `last`, `event_hash` are those of the commit for kOk and
// kDuplicate; `current` is the branch's version for kConflict.
struct Appended {
  enum class Kind { kOk, kDuplicate, kConflict, kUnknown };
  Kind kind = Kind::kOk;
  Version first = 0;
  Version last = 0;
  Hash event_hash;  // of the last event
  Version current = 0;
};

struct BranchInfo {
  GameId game;
  BranchId branch;
  std::optional<BranchId> parent;  // none for the mainline
  Version forked_at = 0;
  Version version = 0;
  Hash event_hash;  // of the event at `version`
  std::string name;
  std::string reason;
  std::uint32_t depth = 0;
  bool deleted = false;  // a what-if that was put away; its events stay in the evidence
};

struct GameInfo {
  GameId game;
  BranchId mainline;
  std::string name;
  std::uint64_t created_at_ms = 0;
  std::uint64_t tree_size = 0;  // events of all branches
};

struct NewGame {
  GameId game;
  BranchId mainline;
  std::string name;
  std::uint64_t created_at_ms = 0;
  CommandId command;
  std::span<const NewEvent> events;    // the first commit; at least one
  std::span<const ByteView> contents;  // boards, scenarios, tables the events name by hash
};

struct NewBranch {
  GameId game;
  BranchId branch;
  BranchId parent;
  Version at = 0;  // 1..version of parent
  std::string name;
  std::string reason;
  Durability durability = Durability::kSynced;
  // The branch's first commit, made with the branch itself: both are there, or neither. May be
  // empty; `command` counts only with events.
  std::span<const NewEvent> events = {};
  CommandId command = {};
};

template <class T>
struct Page {
  std::vector<T> items;
  std::optional<std::string> next;  // pass it back to go on; none at the end
};

struct Snapshot {
  Version version = 0;
  Bytes bytes;
};

struct StoreStats {
  std::uint64_t games = 0;
  std::uint64_t branches = 0;
  std::uint64_t events = 0;
  std::uint64_t commits = 0;     // since opening
  std::uint64_t syncs = 0;       // since opening; commits / syncs is the group size
  std::uint64_t conflicts = 0;   // since opening
  std::uint64_t duplicates = 0;  // since opening
  std::uint64_t disk_bytes = 0;
  std::uint64_t payload_bytes = 0;
};

// What stands where in a game's Merkle tree: the leaves [first_leaf, first_leaf + count) are the
// events [first, first + count) of the branch.
struct LeafRange {
  std::uint64_t first_leaf = 0;
  BranchId branch;
  Version first = 0;
  std::uint64_t count = 0;
};

class EventStore {
 public:
  virtual ~EventStore() = default;

  // --- writing -------------------------------------------------------------------------------
  // Appended::kConflict if the game or branch id exists (with the same command id: kDuplicate with
  // the first answer).
  virtual Result<Appended> create_game(const NewGame& game) = 0;
  virtual Result<Appended> append(const Commit& commit) = 0;
  // The answer a command id was given on this branch (kDuplicate), if it was taken: for callers who
  // must know before they decide again.
  virtual Result<std::optional<Appended>> find_command(const BranchId& branch,
                                                       const CommandId& command) = 0;
  // Constant time and space (but for the events that may come with it, see NewBranch). The same call
  // again gives the same branch; a branch id taken by another branch, or by the same one without
  // this first commit, is an error kConflict.
  virtual Result<BranchInfo> fork(const NewBranch& branch) = 0;
  // Hides a what-if (never the mainline, never one with live children); its events stay and can
  // still be read, but nothing can be appended to it or forked from it. Twice is as good as once.
  virtual Status delete_branch(const BranchId& branch) = 0;

  // --- reading -------------------------------------------------------------------------------
  virtual Result<BranchInfo> branch(const BranchId& branch) = 0;
  virtual Result<GameInfo> game(const GameId& game) = 0;
  virtual Result<Page<GameInfo>> games(std::optional<std::string> after, std::size_t limit) = 0;
  virtual Result<Page<BranchInfo>> branches(const GameId& game, std::optional<std::string> after,
                                            std::size_t limit) = 0;
  // Calls `see` for the events first..last (clipped to the branch's version) in order, through the
  // parents of the branch where it must; stops early when `see` returns false. Dense: a version
  // that is missing is kCorrupt.
  using See = std::function<bool(const StoredEvent&)>;
  virtual Status read(const BranchId& branch, Version first, Version last, const See& see) = 0;
  virtual Status read_backwards(const BranchId& branch, Version last, Version first,
                                const See& see) = 0;
  // Waits until the branch is beyond `after`, the store closes (kClosed) or `timeout_ms` passed,
  // and returns the branch's version then. Catch up with read(), then wait again: no gap possible.
  virtual Result<Version> wait_beyond(const BranchId& branch, Version after,
                                      std::uint32_t timeout_ms) = 0;
  // Called after every durable commit (any branch), in the order of the commits and before the
  // committer has its answer. Must be quick and must not write to the store. One listener.
  virtual void set_listener(std::function<void(const BranchId&, Version)> listener) = 0;

  // --- contents: boards, scenarios and tables by SHA-256 -------------------------------------
  virtual Result<Bytes> content(const Hash& hash) = 0;

  // --- caches: losing them loses nothing ------------------------------------------------------
  virtual Status put_snapshot(const BranchId& branch, const Snapshot& snapshot) = 0;
  // The newest snapshot at or below `at` on the branch's line (parents included).
  virtual Result<std::optional<Snapshot>> snapshot_at(const BranchId& branch, Version at) = 0;
  virtual Status drop_snapshots() = 0;
  virtual Status put_index(std::string_view key, ByteView value) = 0;
  virtual Status scan_index(std::string_view prefix, std::string_view after,
                            const std::function<bool(std::string_view, ByteView)>& see) = 0;
  virtual Status drop_index(std::string_view prefix) = 0;

  // --- beside the evidence: durable, not hashed ----------------------------------------------
  // Notes: append-only per game; returns the note's number.
  virtual Result<std::uint64_t> add_note(const GameId& game, ByteView note) = 0;
  virtual Status read_notes(const GameId& game, std::uint64_t after,
                            const std::function<bool(std::uint64_t, ByteView)>& see) = 0;
  // Records: small named values of the service itself (access tokens, deadlines). No value removes.
  // One call is one atomic, synced write.
  struct RecordChange {
    std::string key;
    std::optional<Bytes> value;
  };
  virtual Status change_records(std::span<const RecordChange> changes) = 0;
  virtual Result<std::optional<Bytes>> record(std::string_view key) = 0;
  virtual Status scan_records(std::string_view prefix,
                              const std::function<bool(std::string_view, ByteView)>& see) = 0;

  // --- evidence (see evidence.h for what the hashes are) -------------------------------------
  // The hash of the event at `version` on the branch's line.
  virtual Result<Hash> event_hash(const BranchId& branch, Version version) = 0;
  virtual Result<std::uint64_t> tree_size(const GameId& game) = 0;
  virtual Result<Hash> tree_root(const GameId& game, std::uint64_t size) = 0;
  virtual Result<std::uint64_t> leaf_of(const BranchId& branch, Version version) = 0;
  virtual Result<LeafRange> leaf_range(const GameId& game, std::uint64_t leaf) = 0;
  virtual Result<std::vector<Hash>> inclusion_proof(const GameId& game, std::uint64_t leaf,
                                                    std::uint64_t size) = 0;
  virtual Result<std::vector<Hash>> consistency_proof(const GameId& game, std::uint64_t from,
                                                      std::uint64_t to) = 0;
  // A checkpoint (C2SP tlog-checkpoint text) of the game's tree as it is now, signed with the
  // store's log key and remembered, so that a store restored from an older backup is noticed.
  virtual Result<std::string> checkpoint(const GameId& game) = 0;
  // The key that verifies the game's checkpoints, as a C2SP verifier key line: name+keyid+base64.
  // The name is the game's origin, as C2SP wants; the key behind it is the same for all games.
  virtual Result<std::string> log_key(const GameId& game) = 0;

  // --- looking after it -----------------------------------------------------------------------
  struct Finding {
    std::string check;  // "payload", "chain", "tree", "checkpoint", "continuity", "branch", ...
    std::string where;  // game/branch/version as far as known
    std::string text;   // what was found and what was expected
  };
  struct Verified {
    std::uint64_t games = 0, branches = 0, events = 0, commits = 0, checkpoints = 0;
    std::uint64_t rollbacks = 0;  // times this store was opened though behind what it had promised
    std::uint64_t restores = 0;   // times it was made from a backup
    std::vector<Finding> findings;
  };
  // Re-reads and re-hashes everything (or one game). Findings, not errors, for what is wrong.
  virtual Result<Verified> verify(std::optional<GameId> game,
                                  const std::function<void(std::uint64_t events)>& progress) = 0;
  virtual Result<StoreStats> stats() = 0;
  // Online; the directory must not exist, and does not until the backup is complete. The keys are
  // left out unless asked for: with them, a backup can sign and roll in the store's name.
  enum class BackupKeys { kLeaveOut, kInclude };
  virtual Status backup(const std::string& directory, BackupKeys keys) = 0;
  // Does now what otherwise happens in the background when there is time for it.
  virtual Status tidy() = 0;
  virtual Status close() = 0;  // finishes what is under way, then answers kClosed
};

}  // namespace wardiary

// The position of any branch at any event, in bounded time: from the nearest position kept in
// memory or snapshot on disk, forwards or backwards, whatever the length of the game.
//
// Snapshots are a cache. They are written by a thread of their own, never by whoever commits or
// asks; they stand, where the game allows it, at the beginning of a phase, whose event states the
// digest of the position; and one that does not have that digest is not used. Deleting them all
// loses nothing: the next question about a branch has them made again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "domain/apply.h"
#include "eventstore/event_store.h"
#include "replay/library.h"

namespace wardiary {

class TimeMachine {
 public:
  struct Options {
    std::size_t cache_bytes = 64u << 20;  // positions kept in memory
    Version snapshot_every = 512;  // at the next phase; where none begins, after twice as many
  };

  TimeMachine(EventStore& store, Library& library, Options options)
      : store_(store), library_(library), options_(options) {}
  TimeMachine(EventStore& store, Library& library) : TimeMachine(store, library, Options()) {}
  ~TimeMachine();  // stops writing snapshots soon; what is missing is made another time
  TimeMachine(const TimeMachine&) = delete;
  TimeMachine& operator=(const TimeMachine&) = delete;

  // The position after event `version` (at least 1). kNotFound beyond the branch's end.
  Result<Position> at(const BranchId& branch, Version version);
  // The position at the branch's end, and its version.
  struct Head {
    Version version = 0;
    Position position;
  };
  Result<Head> head(const BranchId& branch);

  // Folds first..last one by one from the position before `first`, calling `see` with the position
  // before and after each event; stops when it returns false.
  using SeeStep = std::function<bool(Version, const fb::Event&, ByteView bytes,
                                     const Position& before, const Position& after)>;
  Status walk(const BranchId& branch, Version first, Version last, const SeeStep& see);

  // Remembers a position that is known anyway (a commit that was just appended).
  void remember(const BranchId& branch, Version version, const Position& position);

  // Waits until the snapshots that are under way are written.
  void finish_snapshots();

 private:
  struct Key {
    BranchId branch;
    Version version;
    auto operator<=>(const Key&) const = default;
  };
  using PositionPtr = std::shared_ptr<const Position>;
  struct Kept {
    Key key;
    PositionPtr position;
  };
  // Somewhere to fold from: the position after `version`, 0 for an empty one.
  struct Base {
    Version version = 0;
    Position position;
    bool from_snapshot = false;
  };
  // One way over stored events, checking that each fits.
  class Fold;

  // Where version `version` of the branch's line is really stored: the branch itself or the
  // ancestor it was forked from, so that branches share what they have in common.
  Result<BranchId> owner(const BranchId& branch, Version version);
  std::optional<Kept> nearest_kept(const BranchId& owner, Version version);
  Base nearest(const BranchId& owner, Version version, const Roster& roster);
  // The newest snapshot at or before `version`; an empty position if there is none to be had.
  Base newest_snapshot(const BranchId& owner, Version version, const Roster& roster);
  Result<Position> fold_to(const OpenGame& game, const BranchId& owner, Base base, Version version);
  void keep(const BranchId& owner, Version version, PositionPtr position);

  void snapshots_wanted(const BranchId& branch);
  void snapshot_is_wrong(const BranchId& branch, Version version);
  void begin_writing();    // call with the lock held
  void write_snapshots();  // the thread
  void write_snapshots_of(const BranchId& branch);
  void replace_snapshot(const Key& wrong);

  EventStore& store_;
  Library& library_;
  const Options options_;
  std::mutex mutex_;
  std::list<Kept> recent_;  // most recently used first
  std::map<Key, std::list<Kept>::iterator> kept_;
  std::size_t kept_bytes_ = 0;

  std::mutex snapshot_mutex_;
  std::condition_variable snapshot_change_;
  std::set<BranchId> wanted_;            // branches whose snapshots are to be completed
  std::set<Key> wrong_;                  // snapshots that are to be replaced
  std::map<BranchId, Version> noticed_;  // how far a branch was when that was last asked for
  bool writing_ = false;
  std::atomic<bool> stopping_{false};
  std::thread snapshot_thread_;  // begun when there is something to write
};

}  // namespace wardiary

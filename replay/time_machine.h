// The position of any branch at any event, in bounded time: from the nearest position kept in
// memory or snapshot on disk, forwards or backwards, whatever the length of the game.
#pragma once

#include <list>
#include <map>
#include <mutex>

#include "domain/apply.h"
#include "eventstore/event_store.h"
#include "replay/library.h"

namespace wardiary {

class TimeMachine {
 public:
  struct Options {
    std::size_t cache_bytes = 64u << 20;  // positions kept in memory
    Version snapshot_every = 512;
  };

  TimeMachine(EventStore& store, Library& library, Options options)
      : store_(store), library_(library), options_(options) {}
  TimeMachine(EventStore& store, Library& library) : TimeMachine(store, library, Options()) {}

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

 private:
  struct Key {
    BranchId branch;
    Version version;
    auto operator<=>(const Key&) const = default;
  };
  struct Kept {
    Key key;
    Position position;
  };
  // Where version `version` of the branch's line is really stored: the branch itself or the
  // ancestor it was forked from, so that branches share what they have in common.
  Result<BranchId> owner(const BranchId& branch, Version version);
  std::optional<Kept> nearest_kept(const BranchId& owner, Version version);
  void keep(const BranchId& owner, Version version, const Position& position);

  EventStore& store_;
  Library& library_;
  const Options options_;
  std::mutex mutex_;
  std::list<Kept> recent_;  // most recently used first
  std::map<Key, std::list<Kept>::iterator> kept_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace wardiary

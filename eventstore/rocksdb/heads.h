// What the store keeps in memory of every branch and game: where each line stands. Small (a few
// hundred bytes per game), filled when the store opens, changed only after a commit is durable, so
// that what a reader finds here it also finds on disk.
#pragma once

#include <cstring>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "eventstore/event_store.h"
#include "eventstore/merkle.h"

namespace wardiary::embedded {

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

struct GameHead {
  BranchId mainline;
  BranchId last_branch;  // the branch of the newest leaf
  std::uint64_t payload_bytes = 0;
  std::uint32_t branches = 0;
  bool damaged = false;
  merkle::Frontier frontier;  // its size is the tree's
};

struct IdHash {
  std::size_t operator()(const Id& id) const {
    std::uint64_t a, b;
    std::memcpy(&a, id.data.data(), 8);
    std::memcpy(&b, id.data.data() + 8, 8);
    return a ^ (b * 0x9e3779b97f4a7c15ull);
  }
};

class Heads {
 public:
  std::optional<BranchHead> branch(const BranchId& id) const {
    std::shared_lock lock(mutex_);
    const auto it = branches_.find(id);
    return it == branches_.end() ? std::nullopt : std::optional(it->second);
  }
  std::optional<GameHead> game(const GameId& id) const {
    std::shared_lock lock(mutex_);
    const auto it = games_.find(id);
    return it == games_.end() ? std::nullopt : std::optional(it->second);
  }
  bool has_game(const GameId& id) const {
    std::shared_lock lock(mutex_);
    return games_.contains(id);
  }
  std::size_t branch_count() const {
    std::shared_lock lock(mutex_);
    return branches_.size();
  }
  std::size_t game_count() const {
    std::shared_lock lock(mutex_);
    return games_.size();
  }
  // For several changes at once, or a walk over all: `use(branches, games)` under the lock.
  template <class Use>
  auto change(Use&& use) {
    std::unique_lock lock(mutex_);
    return use(branches_, games_);
  }
  template <class Use>
  auto look(Use&& use) const {
    std::shared_lock lock(mutex_);
    return use(branches_, games_);
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<BranchId, BranchHead, IdHash> branches_;
  std::unordered_map<GameId, GameHead, IdHash> games_;
};

}  // namespace wardiary::embedded

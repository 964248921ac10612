// What the store keeps in memory of every branch and game: where each line stands. Small (a few
// hundred bytes per game), filled when the store opens, changed only after a commit is durable, so
// that what a reader finds here it also finds on disk.
#pragma once

#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "eventstore/event_store.h"
#include "eventstore/stored/log_store.h"

namespace wardiary::embedded {

using namespace stored;

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

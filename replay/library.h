// Games opened from the store: each is read once (first event and the contents it names), checked,
// and kept, because everything that runs a log needs it.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"

namespace wardiary {

struct OpenGame {
  GameId id;
  BranchId mainline;
  std::string name;
  Game game;

  const Roster& roster() const { return game.roster(); }
};
using OpenGamePtr = std::shared_ptr<const OpenGame>;

class Library {
 public:
  static constexpr std::size_t kOpenMax = 1'000;

  explicit Library(EventStore& store) : store_(store) {}

  Result<OpenGamePtr> game(const GameId& id);
  // The game that a branch belongs to.
  Result<OpenGamePtr> game_of(const BranchId& branch);

 private:
  Result<OpenGamePtr> open(const GameId& id);

  EventStore& store_;
  std::mutex mutex_;
  std::list<OpenGamePtr> recent_;  // most recently used first
  std::map<GameId, std::list<OpenGamePtr>::iterator> by_id_;
};

// "game 0a1b.., branch 2c3d.., version 17", as every error about stored events says it.
std::string where(const GameId& game, const BranchId& branch, Version version);

}  // namespace wardiary

// What this process knows of the games it has to do with. A game's *mark* is a random id that every
// change of the game replaces: whoever writes says which mark it has seen, and the write happens
// only if that still is the game's mark. So what is known here may be old, but nothing is ever
// built on it that is no longer true.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>

#include "eventstore/stored/log_store.h"

namespace wardiary::postgres {

using stored::BranchHead;
using stored::GameHead;
using stored::IdHash;

struct GameState {
  Id mark;
  GameHead head;
  std::unordered_map<BranchId, BranchHead, IdHash> branches;  // those seen at this mark
};

class KnownGames {
 public:
  static constexpr std::size_t kGamesMax = 20'000;
  static constexpr std::size_t kBranchesMax = 500'000;

  std::optional<GameState> game(const GameId& game) const;
  std::optional<BranchHead> branch(const BranchId& branch) const;
  // What never changes of a branch: its game, parent and fork.
  std::optional<BranchHead> origin(const BranchId& branch) const;

  // One branch and its game as they were seen together.
  void saw(const GameId& game, const Id& mark, const GameHead& head, const BranchId& branch,
           const BranchHead& branch_head);
  // A game after a change of our own.
  void changed(const GameId& game, GameState state);
  void forget(const GameId& game);
  void forget_all();

 private:
  void remember_origin(const BranchId& branch, const BranchHead& head);

  mutable std::mutex mutex_;
  std::unordered_map<GameId, GameState, IdHash> games_;
  std::unordered_map<BranchId, BranchHead, IdHash> origins_;
};

}  // namespace wardiary::postgres

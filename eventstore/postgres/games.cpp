#include "eventstore/postgres/games.h"

namespace wardiary::postgres {

std::optional<GameState> KnownGames::game(const GameId& game) const {
  std::lock_guard lock(mutex_);
  const auto it = games_.find(game);
  return it == games_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<BranchHead> KnownGames::branch(const BranchId& branch) const {
  std::lock_guard lock(mutex_);
  const auto origin = origins_.find(branch);
  if (origin == origins_.end()) return std::nullopt;
  const auto game = games_.find(origin->second.game);
  if (game == games_.end()) return std::nullopt;
  const auto it = game->second.branches.find(branch);
  return it == game->second.branches.end() ? std::nullopt : std::optional(it->second);
}

std::optional<BranchHead> KnownGames::origin(const BranchId& branch) const {
  std::lock_guard lock(mutex_);
  const auto it = origins_.find(branch);
  return it == origins_.end() ? std::nullopt : std::optional(it->second);
}

void KnownGames::remember_origin(const BranchId& branch, const BranchHead& head) {
  if (origins_.size() >= kBranchesMax) origins_.clear();
  origins_[branch] = head;
}

void KnownGames::saw(const GameId& game, const Id& mark, const GameHead& head,
                     const BranchId& branch, const BranchHead& branch_head) {
  std::lock_guard lock(mutex_);
  remember_origin(branch, branch_head);
  auto it = games_.find(game);
  // An answer may be older than what our own commit has left here meanwhile.
  if (it != games_.end() && it->second.mark != mark &&
      head.frontier.size() < it->second.head.frontier.size()) {
    return;
  }
  if (it == games_.end()) {
    if (games_.size() >= kGamesMax) games_.clear();
    it = games_.emplace(game, GameState{}).first;
  }
  if (it->second.mark != mark) {
    it->second.branches.clear();
    it->second.mark = mark;
    it->second.head = head;
  }
  it->second.branches[branch] = branch_head;
}

void KnownGames::changed(const GameId& game, GameState state) {
  std::lock_guard lock(mutex_);
  for (const auto& [branch, head] : state.branches) remember_origin(branch, head);
  if (games_.size() >= kGamesMax) games_.clear();
  games_[game] = std::move(state);
}

void KnownGames::forget(const GameId& game) {
  std::lock_guard lock(mutex_);
  games_.erase(game);
}

void KnownGames::forget_all() {
  std::lock_guard lock(mutex_);
  games_.clear();
}

}  // namespace wardiary::postgres

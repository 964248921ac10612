#include "eventstore/rocksdb/store.h"

namespace wardiary::embedded {

Result<GameHead> Store::game_head(const GameId& game) {
  auto head = heads_.game(game);
  if (!head) return not_found("no game " + to_hex(game));
  if (head->damaged) {
    return corrupt("game " + to_hex(game) + ": a record of the game does not pass its check");
  }
  return std::move(*head);
}

// A checkpoint must not promise what a power failure could still take away.
Status Store::sync_log() {
  std::lock_guard lock(sync_mutex_);
  if (!unsynced_.exchange(false)) return Done{};
  const auto status = engine_->db().SyncWAL();
  if (status.ok()) return Done{};
  State open = State::kOpen;
  state_.compare_exchange_strong(open, State::kFailed);
  return error_of(status, "syncing the log");
}

Result<std::string> Store::checkpoint(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (state_.load() == State::kFailed) {
    return Error{ErrorCode::kIo, "the store is read-only since a write failed; open it again"};
  }
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (Status s = sync_log(); !s) return s.error();
  const SignedTree tree{head->frontier.size(), head->frontier.root()};
  if (Status s = checkpoints_->remember(game, tree); !s) return s.error();
  return sign_checkpoint({log_origin(game), tree.size, tree.root}, *key_);
}

Result<std::optional<SignedTree>> Store::promised(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return checkpoints_->newest(game);
}

}  // namespace wardiary::embedded

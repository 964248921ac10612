#include "eventstore/rocksdb/store.h"

namespace wardiary::embedded {

Result<GameHead> Store::game_head(const GameId& game) const {
  auto head = heads_.game(game);
  if (!head) return not_found("no game " + to_hex(game));
  if (head->damaged) {
    return corrupt("game " + to_hex(game) + ": a record of the game does not pass its check");
  }
  return std::move(*head);
}

Result<Hash> Store::hash_on_line(const BranchId& branch, Version version) {
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  if (version < 1 || version > head->version) {
    return not_found("branch " + to_hex(branch) + " has no version " + std::to_string(version));
  }
  if (version == head->version) return head->hash;
  auto pieces = line(branch, version, version);
  if (!pieces) return std::move(pieces).error();
  const Moment moment(*engine_);
  BlockReader reader(*engine_, pieces->front(), moment);
  auto block = reader.at(version);
  if (!block) return std::move(block).error();
  if (version == (*block)->last()) return (*block)->last_hash();
  const Version first = (*block)->first();
  auto hashes = reader.hashes_at(version);
  if (!hashes) return std::move(hashes).error();
  return (*hashes)[version - first];
}

Result<Hash> Store::event_hash(const BranchId& branch, Version version) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return hash_on_line(branch, version);
}

TreeReader Store::tree_of(const GameId& game, const GameHead& head, const Moment& moment) {
  return TreeReader(
      *engine_, game, head.frontier, [this](const BranchId& b) { return piece_of(b); }, moment);
}

Result<std::uint64_t> Store::tree_size(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  return head->frontier.size();
}

Result<Hash> Store::tree_root(const GameId& game, std::uint64_t size) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (size > head->frontier.size()) {
    return not_found("game " + to_hex(game) + " has only " + std::to_string(head->frontier.size()) +
                     " leaves");
  }
  if (size == head->frontier.size()) return head->frontier.root();
  const Moment moment(*engine_);
  return tree_of(game, *head, moment).range(0, size);
}

Result<std::uint64_t> Store::leaf_of(const BranchId& branch, Version version) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto pieces = line(branch, version, version);
  if (!pieces) return std::move(pieces).error();
  if (version < 1 || pieces->empty() || pieces->front().last != version) {
    return not_found("branch " + to_hex(branch) + " has no version " + std::to_string(version));
  }
  const Moment moment(*engine_);
  BlockReader reader(*engine_, pieces->front(), moment);
  auto block = reader.at(version);
  if (!block) return std::move(block).error();
  return (*block)->leaf_of(version);
}

Result<LeafRange> Store::leaf_range(const GameId& game, std::uint64_t leaf) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (leaf >= head->frontier.size()) {
    return not_found("game " + to_hex(game) + " has no leaf " + std::to_string(leaf));
  }
  const Moment moment(*engine_);
  return tree_of(game, *head, moment).run_of(leaf);
}

Result<std::vector<Hash>> Store::inclusion_proof(const GameId& game, std::uint64_t leaf,
                                                 std::uint64_t size) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (leaf >= size || size > head->frontier.size()) {
    return invalid("a proof needs leaf < size <= " + std::to_string(head->frontier.size()));
  }
  const Moment moment(*engine_);
  return tree_of(game, *head, moment).ranges(merkle::inclusion_ranges(leaf, size));
}

Result<std::vector<Hash>> Store::consistency_proof(const GameId& game, std::uint64_t from,
                                                   std::uint64_t to) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (from < 1 || from > to || to > head->frontier.size()) {
    return invalid("a proof needs 1 <= from <= to <= " + std::to_string(head->frontier.size()));
  }
  const Moment moment(*engine_);
  return tree_of(game, *head, moment).ranges(merkle::consistency_ranges(from, to));
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

Result<std::string> Store::log_key(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (!heads_.has_game(game)) return not_found("no game " + to_hex(game));
  return VerifierKey{log_origin(game), key_->public_key()}.text();
}

}  // namespace wardiary::embedded

// What is asked about one game or branch is asked of the cluster that has it.
#include "eventstore/postgres/shards.h"

namespace wardiary::postgres {

Result<Page<BranchInfo>> Shards::branches(const GameId& game, std::optional<std::string> after,
                                          std::size_t limit) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->branches(game, std::move(after), limit);
}
Result<std::vector<Hash>> Shards::contents_of(const GameId& game) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return LogKeeper::of(**home)->contents_of(game);
}
Result<std::uint64_t> Shards::add_note(const GameId& game, ByteView note) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->add_note(game, note);
}
Status Shards::read_notes(const GameId& game, std::uint64_t after,
                          const std::function<bool(std::uint64_t, ByteView)>& see) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->read_notes(game, after, see);
}
Result<GameInfo> Shards::game(const GameId& game) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->game(game);
}
Result<std::uint64_t> Shards::tree_size(const GameId& game) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->tree_size(game);
}
Result<Hash> Shards::tree_root(const GameId& game, std::uint64_t size) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->tree_root(game, size);
}
Result<LeafRange> Shards::leaf_range(const GameId& game, std::uint64_t leaf) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->leaf_range(game, leaf);
}
Result<std::vector<Hash>> Shards::inclusion_proof(const GameId& game, std::uint64_t leaf,
                                                  std::uint64_t size) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->inclusion_proof(game, leaf, size);
}
Result<std::vector<Hash>> Shards::consistency_proof(const GameId& game, std::uint64_t from,
                                                    std::uint64_t to) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->consistency_proof(game, from, to);
}
Result<std::string> Shards::checkpoint(const GameId& game) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->checkpoint(game);
}
Result<std::optional<SignedTree>> Shards::promised(const GameId& game) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return LogKeeper::of(**home)->promised(game);
}
Result<std::string> Shards::log_key(const GameId& game) {
  auto home = home_of_game(game);
  if (!home) return std::move(home).error();
  return (*home)->log_key(game);
}

Result<std::optional<Appended>> Shards::find_command(const BranchId& branch,
                                                     const CommandId& command) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->find_command(branch, command);
}
Status Shards::delete_branch(const BranchId& branch) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->delete_branch(branch);
}
Result<BranchInfo> Shards::branch(const BranchId& branch) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->branch(branch);
}
Status Shards::read(const BranchId& branch, Version first, Version last, const See& see) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->read(branch, first, last, see);
}
Status Shards::read_backwards(const BranchId& branch, Version last, Version first, const See& see) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->read_backwards(branch, last, first, see);
}
Result<std::vector<CommitInfo>> Shards::commits(const BranchId& branch) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return LogKeeper::of(**home)->commits(branch);
}
Result<Version> Shards::wait_beyond(const BranchId& branch, Version after,
                                    std::uint32_t timeout_ms) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->wait_beyond(branch, after, timeout_ms);
}
Status Shards::put_snapshot(const BranchId& branch, const Snapshot& snapshot) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->put_snapshot(branch, snapshot);
}
Result<std::optional<Snapshot>> Shards::snapshot_at(const BranchId& branch, Version at) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->snapshot_at(branch, at);
}
Result<Hash> Shards::event_hash(const BranchId& branch, Version version) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->event_hash(branch, version);
}
Result<std::uint64_t> Shards::leaf_of(const BranchId& branch, Version version) {
  auto home = home_of_branch(branch);
  if (!home) return std::move(home).error();
  return (*home)->leaf_of(branch, version);
}

}  // namespace wardiary::postgres

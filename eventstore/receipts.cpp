#include "eventstore/receipts.h"

#include "eventstore/evidence.h"

namespace wardiary {
namespace {

Status hold_tree(EventStore& store, const GameId& game, const Checkpoint& kept) {
  auto size = store.tree_size(game);
  if (!size) return std::move(size).error();
  if (kept.size > *size) {
    return corrupt("the log had " + std::to_string(kept.size) + " events already, now it has " +
                   std::to_string(*size));
  }
  auto root = store.tree_root(game, kept.size);
  if (!root) return std::move(root).error();
  if (*root == kept.root) return Done{};
  return corrupt("the first " + std::to_string(kept.size) + " events have root " + to_hex(*root) +
                 ", signed was " + to_hex(kept.root));
}

}  // namespace

Result<Receipt> make_receipt(EventStore& store, const BranchId& branch, Version version) {
  auto info = store.branch(branch);
  if (!info) return std::move(info).error();
  Receipt out;
  auto leaf = store.leaf_of(branch, version);
  if (!leaf) return std::move(leaf).error();
  out.index = *leaf;
  auto note = store.checkpoint(info->game);
  if (!note) return std::move(note).error();
  out.checkpoint = std::move(*note);
  auto tree = parse_checkpoint(out.checkpoint);
  if (!tree) return std::move(tree).error();
  auto path = store.inclusion_proof(info->game, *leaf, tree->size);
  if (!path) return std::move(path).error();
  out.path = std::move(*path);
  return out;
}

Result<Bytes> leaf_data_of(EventStore& store, const BranchId& branch, Version version) {
  auto info = store.branch(branch);
  if (!info) return std::move(info).error();
  auto hash = store.event_hash(branch, version);
  if (!hash) return std::move(hash).error();
  auto leaf = store.leaf_of(branch, version);
  if (!leaf) return std::move(leaf).error();
  auto run = store.leaf_range(info->game, *leaf);
  if (!run) return std::move(run).error();
  return leaf_data(run->branch, version, *hash);
}

Result<GameId> game_named_by(std::string_view evidence) {
  auto receipt = Receipt::parse(evidence);
  auto checkpoint = parse_checkpoint(receipt ? receipt->checkpoint : evidence);
  if (!checkpoint) return std::move(checkpoint).error();
  const std::string start = log_origin(GameId{}).substr(0, log_origin(GameId{}).size() - 32);
  const std::string_view origin = checkpoint->origin;
  const auto game =
      origin.starts_with(start) ? fixed_from_hex<16>(origin.substr(start.size())) : std::nullopt;
  if (!game) return invalid("its origin is no game of War Diary: " + checkpoint->origin);
  return *game;
}

Status hold_checkpoint(EventStore& store, const GameId& game, const VerifierKey& key,
                       std::string_view note) {
  auto kept = verify_checkpoint(note, key);
  if (!kept) return std::move(kept).error();
  return hold_tree(store, game, *kept);
}

Status hold_receipt(EventStore& store, const GameId& game, const VerifierKey& key,
                    std::string_view text) {
  auto receipt = Receipt::parse(text);
  if (!receipt) return std::move(receipt).error();
  auto signed_tree = verify_checkpoint(receipt->checkpoint, key);
  if (!signed_tree) return std::move(signed_tree).error();
  if (Status s = hold_tree(store, game, *signed_tree); !s) return s;
  auto run = store.leaf_range(game, receipt->index);
  if (!run) return std::move(run).error();
  const Version version = run->first + (receipt->index - run->first_leaf);
  auto hash = store.event_hash(run->branch, version);
  if (!hash) return std::move(hash).error();
  auto under = receipt->verify(leaf_data(run->branch, version, *hash), key);
  return under ? Status(Done{}) : Status(std::move(under).error());
}

}  // namespace wardiary

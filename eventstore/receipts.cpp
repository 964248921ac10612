#include "eventstore/receipts.h"

#include "eventstore/evidence.h"

namespace wardiary {

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

}  // namespace wardiary

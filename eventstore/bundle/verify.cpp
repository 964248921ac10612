// Is a bundle true to itself? Everything in it is hashed anew.
#include "eventstore/bundle/bundle.h"
#include "eventstore/checkpoint.h"
#include "eventstore/evidence.h"
#include "eventstore/merkle.h"

namespace wardiary {
namespace {

constexpr std::size_t kFindingsMax = 1'000;

}  // namespace

Result<std::vector<Hash>> Bundle::leaf_hashes(const GameId& game, std::uint64_t size) const {
  if (game != game_.game) return unknown(game, "game");
  if (size > events_.size()) {
    return not_found("the tree has " + std::to_string(events_.size()) + " leaves, not " +
                     std::to_string(size));
  }
  Sha256 hasher;
  std::vector<Hash> out;
  out.reserve(size);
  for (std::uint64_t i = 0; i < size; ++i) {
    const Event& event = events_[i];
    out.push_back(
        event_leaf_hash(hasher, branches_[event.branch].branch, event.version, hash_of(event)));
  }
  return out;
}

Result<EventStore::Verified> Bundle::verify(std::optional<GameId> game,
                                            const std::function<void(std::uint64_t)>& progress) {
  if (game && *game != game_.game) return unknown(*game, "game");
  Verified out;
  out.games = 1;
  out.branches = branches_.size();
  out.events = events_.size();
  auto found = [&](const char* check, std::string where, std::string text) {
    if (out.findings.size() < kFindingsMax) {
      out.findings.push_back({check, std::move(where), std::move(text)});
    }
  };
  const ByteView all(bytes_);
  if (!equal(sha256(all.first(all.size() - Hash::kSize)), all.last(Hash::kSize))) {
    found("checksum", "the file", "its bytes do not have the SHA-256 it ends with");
  }
  for (std::size_t i = 0; i < contents_.size(); ++i) {
    if (auto bytes = content(contents_[i].hash); !bytes) {
      found("content", "contents[" + std::to_string(i) + "]", bytes.error().text);
    }
  }
  verify_chain(found, progress);
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const BranchInfo& branch = branches_[i];
    if (hash_of(events_[*find(i, branch.version)]) != branch.event_hash) {
      found("branch", "branch " + to_hex(branch.branch),
            "its last event does not have the hash the branch states");
    }
  }
  verify_checkpoint_of_tree(found);
  out.checkpoints = 1;
  return out;
}

void Bundle::verify_chain(const Found& found,
                          const std::function<void(std::uint64_t)>& progress) const {
  Sha256 hasher;
  for (std::uint64_t leaf = 0; leaf < events_.size(); ++leaf) {
    const Event& event = events_[leaf];
    const BranchInfo& branch = branches_[event.branch];
    // The recorded hash before it, so that one altered event is one finding.
    Hash previous;
    if (event.version > 1) previous = hash_of(events_[*find(event.branch, event.version - 1)]);
    const Hash hash = event_hash_of(hasher, branch.branch, event.version, previous, event.type,
                                    payload_of(event));
    if (hash != hash_of(event)) {
      found("chain",
            "branch " + to_hex(branch.branch) + ", version " + std::to_string(event.version),
            "hash " + to_hex(hash_of(event)) + " is recorded, its bytes give " + to_hex(hash));
    }
    if (progress) progress(leaf + 1);
  }
}

void Bundle::verify_checkpoint_of_tree(const Found& found) const {
  const std::string where = "game " + to_hex(game_.game);
  auto key = VerifierKey::parse(key_);
  if (!key) return found("checkpoint", where, "log key: " + key.error().text);
  auto tree = verify_checkpoint(checkpoint_, *key);
  if (!tree) return found("checkpoint", where, tree.error().text);
  if (tree->origin != log_origin(game_.game)) {
    return found("checkpoint", where, "is of " + tree->origin);
  }
  if (tree->size != events_.size()) {
    return found("tree", where,
                 "signed for " + std::to_string(tree->size) + " events, there are " +
                     std::to_string(events_.size()));
  }
  auto root = root_at(tree->size);
  if (root && *root != tree->root) {
    found("tree", where,
          "root " + to_hex(tree->root) + " is signed, the events give " + to_hex(*root));
  }
}

}  // namespace wardiary

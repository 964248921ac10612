// The Merkle tree of RFC 6962 (Certificate Transparency): pure functions over hashes. A proof needs
// the hashes of a few whole ranges of leaves; which ranges is computed here, and whoever keeps the
// tree answers for their hashes, so that the same code proves from memory and from a store.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

namespace wardiary::merkle {

Hash leaf_hash(ByteView data);                        // SHA-256(00 || data)
Hash node_hash(const Hash& left, const Hash& right);  // SHA-256(01 || left || right)
Hash empty_root();                                    // SHA-256 of nothing

// The root of the tree over these leaf hashes.
Hash root_of(std::span<const Hash> leaves);

// The largest power of two smaller than n (n >= 2): where RFC 6962 splits a tree of n leaves.
std::uint64_t split_point(std::uint64_t n);

// The right edge of a growing tree: one hash per complete subtree, largest first. Appending costs
// one node hash on average and needs nothing else of the tree.
class Frontier {
 public:
  // Called for each subtree that an append completed: its height (1 = two leaves), which of that
  // height it is (from the left), and its hash.
  using Completed = std::function<void(unsigned height, std::uint64_t index, const Hash& hash)>;

  Frontier() = default;
  // Nothing unless there are exactly as many hashes as `size` has one bits.
  static std::optional<Frontier> from(std::uint64_t size, std::vector<Hash> hashes);

  void append(const Hash& leaf) { append(leaf, nullptr); }
  void append(const Hash& leaf, const Completed& completed);
  std::uint64_t size() const { return size_; }
  const std::vector<Hash>& hashes() const { return hashes_; }
  Hash root() const;

 private:
  std::uint64_t size_ = 0;
  std::vector<Hash> hashes_;
};

// The leaves [begin, end) as one tree of their own.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const Range&) const = default;
};

// The ranges whose hashes make up a proof, in the order of the proof. Needs index < size, and
// 0 < from <= to.
std::vector<Range> inclusion_ranges(std::uint64_t index, std::uint64_t size);
std::vector<Range> consistency_ranges(std::uint64_t from, std::uint64_t to);

// Proofs over leaves in memory (tests, bundles).
std::vector<Hash> inclusion_proof(std::span<const Hash> leaves, std::uint64_t index);
std::vector<Hash> consistency_proof(std::span<const Hash> leaves, std::uint64_t from);

// True if the proof shows that `leaf` stands at `index` of the tree with this size and root.
bool verify_inclusion(const Hash& leaf, std::uint64_t index, std::uint64_t size,
                      std::span<const Hash> proof, const Hash& root);
// True if the proof shows that the tree (from, from_root) is a prefix of (to, to_root).
bool verify_consistency(std::uint64_t from, const Hash& from_root, std::uint64_t to,
                        const Hash& to_root, std::span<const Hash> proof);

}  // namespace wardiary::merkle

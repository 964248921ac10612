#include "eventstore/merkle.h"

#include <bit>
#include <cstring>

#include "domain/base/sha256.h"

namespace wardiary::merkle {
namespace {

Hash combine(std::span<const Hash> largest_first) {
  Hash root = largest_first.back();
  for (std::size_t i = largest_first.size() - 1; i-- > 0;) root = node_hash(largest_first[i], root);
  return root;
}

}  // namespace

Hash leaf_hash(ByteView data) {
  thread_local Sha256 hasher;
  return hasher.add_u8(0x00).add(data).finish();
}

Hash node_hash(const Hash& left, const Hash& right) {
  thread_local Sha256 hasher;
  std::uint8_t message[65];
  message[0] = 0x01;
  std::memcpy(message + 1, left.data.data(), 32);
  std::memcpy(message + 33, right.data.data(), 32);
  return hasher.add(message).finish();
}

Hash empty_root() {
  return sha256({});
}

std::uint64_t split_point(std::uint64_t n) {
  return std::bit_floor(n - 1);
}

Hash root_of(std::span<const Hash> leaves) {
  if (leaves.empty()) return empty_root();
  Frontier frontier;
  for (const Hash& leaf : leaves) frontier.append(leaf);
  return frontier.root();
}

std::optional<Frontier> Frontier::from(std::uint64_t size, std::vector<Hash> hashes) {
  if (hashes.size() != static_cast<std::size_t>(std::popcount(size))) return std::nullopt;
  Frontier out;
  out.size_ = size;
  out.hashes_ = std::move(hashes);
  return out;
}

void Frontier::append(const Hash& leaf, const Completed& completed) {
  hashes_.push_back(leaf);
  ++size_;
  for (unsigned height = 1; (size_ >> (height - 1) & 1) == 0; ++height) {
    const Hash right = hashes_.back();
    hashes_.pop_back();
    hashes_.back() = node_hash(hashes_.back(), right);
    if (completed) completed(height, (size_ >> height) - 1, hashes_.back());
  }
}

Hash Frontier::root() const {
  return hashes_.empty() ? empty_root() : combine(hashes_);
}

std::vector<Range> inclusion_ranges(std::uint64_t index, std::uint64_t size) {
  std::vector<Range> out;
  std::uint64_t begin = 0, end = size;
  while (end - begin > 1) {
    const std::uint64_t middle = begin + split_point(end - begin);
    if (index < middle) {
      out.push_back({middle, end});
      end = middle;
    } else {
      out.push_back({begin, middle});
      begin = middle;
    }
  }
  return {out.rbegin(), out.rend()};
}

std::vector<Range> consistency_ranges(std::uint64_t from, std::uint64_t to) {
  std::vector<Range> out;
  std::uint64_t begin = 0, end = to;
  bool whole = true;  // [begin, from) is the old tree itself, whose root the verifier has
  while (from != end) {
    const std::uint64_t middle = begin + split_point(end - begin);
    if (from <= middle) {
      out.push_back({middle, end});
      end = middle;
    } else {
      out.push_back({begin, middle});
      begin = middle;
      whole = false;
    }
  }
  if (!whole) out.push_back({begin, end});
  return {out.rbegin(), out.rend()};
}

std::vector<Hash> inclusion_proof(std::span<const Hash> leaves, std::uint64_t index) {
  std::vector<Hash> out;
  for (const Range& r : inclusion_ranges(index, leaves.size())) {
    out.push_back(root_of(leaves.subspan(r.begin, r.end - r.begin)));
  }
  return out;
}

std::vector<Hash> consistency_proof(std::span<const Hash> leaves, std::uint64_t from) {
  std::vector<Hash> out;
  for (const Range& r : consistency_ranges(from, leaves.size())) {
    out.push_back(root_of(leaves.subspan(r.begin, r.end - r.begin)));
  }
  return out;
}

// RFC 9162 section 2.1.3.2: walk from the leaf to the root; `fn` is the node's place on its level,
// `sn` the place of the last node there.
bool verify_inclusion(const Hash& leaf, std::uint64_t index, std::uint64_t size,
                      std::span<const Hash> proof, const Hash& root) {
  if (index >= size) return false;
  std::uint64_t fn = index, sn = size - 1;
  Hash r = leaf;
  for (const Hash& p : proof) {
    if (sn == 0) return false;
    if ((fn & 1) || fn == sn) {
      r = node_hash(p, r);
      while (!(fn & 1) && fn != 0) {
        fn >>= 1;
        sn >>= 1;
      }
    } else {
      r = node_hash(r, p);
    }
    fn >>= 1;
    sn >>= 1;
  }
  return sn == 0 && r == root;
}

// RFC 9162 section 2.1.4.2.
bool verify_consistency(std::uint64_t from, const Hash& from_root, std::uint64_t to,
                        const Hash& to_root, std::span<const Hash> proof) {
  if (from == 0 || from > to) return false;
  if (from == to) return proof.empty() && from_root == to_root;
  if (proof.empty()) return false;
  std::vector<Hash> path;
  if (std::has_single_bit(from)) path.push_back(from_root);
  path.insert(path.end(), proof.begin(), proof.end());
  std::uint64_t fn = from - 1, sn = to - 1;
  while (fn & 1) {
    fn >>= 1;
    sn >>= 1;
  }
  Hash fr = path[0], sr = path[0];
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (sn == 0) return false;
    if ((fn & 1) || fn == sn) {
      fr = node_hash(path[i], fr);
      sr = node_hash(path[i], sr);
      while (!(fn & 1) && fn != 0) {
        fn >>= 1;
        sn >>= 1;
      }
    } else {
      sr = node_hash(sr, path[i]);
    }
    fn >>= 1;
    sn >>= 1;
  }
  return sn == 0 && fr == from_root && sr == to_root;
}

}  // namespace wardiary::merkle

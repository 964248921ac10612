#include "domain/fairdice/chain.h"

#include "domain/base/sha256.h"
#include "domain/fairdice/fairdice.h"

namespace wardiary::fairdice {
namespace {

Hash link(Sha256& hasher, std::string_view label, const ChainId& id, ByteView bytes) {
  return add_domain(hasher, label)
      .add(id.stream)
      .add_u8(id.contributor)
      .add_u8(id.roller)
      .add(bytes)
      .finish();
}

// The smallest s with s*s >= n.
std::uint32_t square_root_up(std::uint32_t n) {
  std::uint32_t s = 1;
  while (std::uint64_t{s} * s < n) ++s;
  return s;
}

}  // namespace

Hash chain_walk(const ChainId& id, const Hash& element, std::uint64_t steps) {
  Sha256 hasher;
  Hash k = element;
  for (std::uint64_t i = 0; i < steps; ++i) k = link(hasher, "chain", id, k);
  return k;
}

Result<ContributionChain> ContributionChain::make(const ChainId& id, const Seed& seed,
                                                  std::uint32_t length) {
  if (length == 0 || length > kChainLengthMax) return invalid("chain_length: out of range");
  ContributionChain chain;
  chain.id_ = id;
  chain.length_ = length;
  chain.stride_ = square_root_up(length);
  Sha256 hasher;
  Hash k = link(hasher, "chain-seed", id, seed.view());
  for (std::uint32_t i = 0; i < length; ++i) {
    if (i % chain.stride_ == 0) chain.kept_.emplace_back(k.data);
    k = link(hasher, "chain", id, k);
  }
  chain.anchor_ = k;
  return chain;
}

Result<Hash> ContributionChain::element(std::uint64_t number) const {
  if (number >= length_) return Error{ErrorCode::kLimit, "number: the chain is used up"};
  const std::uint64_t index = length_ - 1 - number;
  const Hash from = *Hash::from(kept_[index / stride_].view());
  return chain_walk(id_, from, index % stride_);
}

bool ChainVerifier::check(std::uint64_t number, const Hash& element) {
  if (number >= length_) return false;
  const std::uint64_t depth = number + 1;
  if (depth <= known_depth_) return chain_walk(id_, known_, known_depth_ - depth) == element;
  if (chain_walk(id_, element, depth - known_depth_) != known_) return false;
  known_ = element;
  known_depth_ = depth;
  return true;
}

}  // namespace wardiary::fairdice

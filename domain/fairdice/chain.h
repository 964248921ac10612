// Contribution chains: what a player commits to before a game and spends one element per roll.
//
//   k_0     = SHA-256(DS("chain-seed") | stream | contributor | roller | seed)
//   k_(i+1) = SHA-256(DS("chain")      | stream | contributor | roller | k_i)
//   anchor  = k_N;   roll j uses k_(N-1-j), so hashing it j+1 times gives the anchor
//
// One chain per (contributor, roller): otherwise a server could choose whose simultaneous roll
// comes first, and so which dice each side gets. Elements are handed out from the end backwards:
// knowing the element of roll j gives those of all earlier rolls and of no later one.
#pragma once

#include "domain/base/result.h"
#include "domain/fairdice/secret.h"

namespace wardiary::fairdice {

inline constexpr std::uint32_t kChainLengthDefault = 16384;
inline constexpr std::uint32_t kChainLengthMax = 1u << 20;

struct ChainId {
  Id stream;
  std::uint8_t contributor = 0;
  std::uint8_t roller = 0;
};

// `steps` hashes onward from `element`: towards the anchor, towards earlier rolls.
Hash chain_walk(const ChainId& id, const Hash& element, std::uint64_t steps);

// The contributor's own view, with the seed. About sqrt(N) elements are kept, so any element costs
// about sqrt(N) hashes. What is kept is as secret as the seed, and wiped at the end.
class ContributionChain {
 public:
  // `length` must be 1..kChainLengthMax.
  static Result<ContributionChain> make(const ChainId& id, const Seed& seed, std::uint32_t length);

  const ChainId& id() const { return id_; }
  std::uint32_t length() const { return length_; }
  const Hash& anchor() const { return anchor_; }

  // The element of roll `number`; kLimit when the chain is used up.
  Result<Hash> element(std::uint64_t number) const;

 private:
  ContributionChain() = default;

  ChainId id_;
  std::uint32_t length_ = 0;
  std::uint32_t stride_ = 1;
  std::vector<Secret<32>> kept_;  // k_0, k_stride, k_2stride ...
  Hash anchor_;
};

// Anybody's view, from the anchor alone. Remembers the latest element it has seen proven, so that
// checking a game's rolls in order costs one hash each and not j+1.
class ChainVerifier {
 public:
  ChainVerifier(const ChainId& id, std::uint32_t length, const Hash& anchor)
      : id_(id), length_(length), known_(anchor) {}

  // True if `element` is the one the contributor committed to for roll `number`.
  bool check(std::uint64_t number, const Hash& element);

 private:
  ChainId id_;
  std::uint64_t length_;
  Hash known_;                     // hashing this known_depth_ times gives the anchor
  std::uint64_t known_depth_ = 0;  // roll number + 1; 0 is the anchor itself
};

}  // namespace wardiary::fairdice

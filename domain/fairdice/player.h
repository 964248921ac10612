// A contributor's side of the protocol: everything follows from one secret. Used by a player's own
// program, and by the service for the contributors whose keys it keeps.
//
//   key     Ed25519, seed = HMAC-SHA-256(secret, DS("player-key"))
//   chains  one per roller and draft (derive_chain_seed)
//
// Here is no memory: whoever signs requests must see to it that there is one per number, ever.
#pragma once

#include <map>
#include <tuple>

#include "domain/fairdice/chain.h"
#include "domain/fairdice/fairdice.h"
#include "domain/fairdice/signature.h"

namespace wardiary::fairdice {

// What fixes a contributor's chains: the epoch's stream and draft, and the contributor's own slot.
struct Commitment {
  Id stream;
  Hash draft;  // hash of the event that drafted the epoch
  std::uint8_t slot = 0;
  std::uint32_t chain_length = 0;
  auto operator<=>(const Commitment&) const = default;
};

class Player {
 public:
  explicit Player(Seed secret);

  const PublicKey& public_key() const { return key_.public_key(); }

  struct Anchors {
    std::vector<SlotAnchor> anchors;
    Signature signature;
  };
  // Commits to a chain for every slot of the epoch.
  Result<Anchors> join(const EpochTerms& terms, const Hash& draft, std::uint8_t slot,
                       bool custodial, std::span<const std::uint8_t> slots);
  // The element for roll `number` of `roller`; kLimit when the chain is used up.
  Result<Hash> element(const Commitment& commitment, std::uint8_t roller, std::uint64_t number);
  Signature sign(const Hash& digest) const { return key_.sign(digest); }

 private:
  Result<const ContributionChain*> chain(const Commitment& commitment, std::uint8_t roller);

  Seed secret_;
  PlayerKey key_;
  std::map<std::pair<Commitment, std::uint8_t>, ContributionChain> chains_;
};

}  // namespace wardiary::fairdice

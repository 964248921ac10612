// Players' Ed25519 keys and signatures. What is signed is always one of the 32-byte digests of
// fairdice.h, never a text somebody else composed.
#pragma once

#include "domain/base/result.h"
#include "domain/fairdice/ecvrf.h"

namespace wardiary::fairdice {

using Signature = FixedBytes<64>;

// A player's secret key; wiped at the end.
class PlayerKey {
 public:
  explicit PlayerKey(const Seed& seed);

  const PublicKey& public_key() const { return public_key_; }
  Signature sign(const Hash& digest) const;

 private:
  Secret<64> secret_;
  PublicKey public_key_;
};

// Strict: canonical key not of small order, s below the group order, no cofactor. An epoch admits
// only keys that are is_strong_public_key(); for those every correct implementation agrees.
bool verify_signature(const PublicKey& key, const Hash& digest, const Signature& signature);

}  // namespace wardiary::fairdice

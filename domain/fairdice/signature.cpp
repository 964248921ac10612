#include "domain/fairdice/signature.h"

#include <sodium.h>

namespace wardiary::fairdice {

PlayerKey::PlayerKey(const Seed& seed) {
  crypto_sign_seed_keypair(public_key_.data.data(), secret_.data(), seed.data());
}

Signature PlayerKey::sign(const Hash& digest) const {
  Signature out;
  crypto_sign_detached(out.data.data(), nullptr, digest.data.data(), digest.kSize, secret_.data());
  return out;
}

bool verify_signature(const PublicKey& key, const Hash& digest, const Signature& signature) {
  return crypto_sign_verify_detached(signature.data.data(), digest.data.data(), digest.kSize,
                                     key.data.data()) == 0;
}

}  // namespace wardiary::fairdice

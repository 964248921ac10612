// ECVRF-EDWARDS25519-SHA512-TAI: RFC 9381 suite 0x03, on libsodium's public API.
//
// A verifiable random function is a hash that only the holder of a key can compute and anybody can
// check. For one key and one input there is exactly one output `beta`, whoever made the key. The
// proof `pi` is not unique, so nothing may ever be derived from `pi` itself.
//
// Beyond the RFC, verification asks that the public key and Gamma lie in the prime-order subgroup,
// are canonically encoded and that c and s are not zero. Every verifier of ours keeps that rule.
#pragma once

#include "domain/base/bytes.h"
#include "domain/base/result.h"
#include "domain/fairdice/secret.h"

namespace wardiary::fairdice {

inline constexpr std::uint8_t kVrfSuite = 0x03;

using PublicKey = FixedBytes<32>;
using VrfProof = FixedBytes<80>;   // Gamma 32, c 16, s 32
using VrfOutput = FixedBytes<64>;  // beta

struct VrfResult {
  VrfProof pi;
  VrfOutput beta;
};

// A secret key, expanded once and wiped at the end. Any 32 bytes are a valid seed (RFC 8032 5.1.5).
class VrfKey {
 public:
  explicit VrfKey(const Seed& seed);

  const PublicKey& public_key() const { return public_key_; }

  // The same alpha always gives the same result. Fails only with a probability of about 2^-250.
  Result<VrfResult> prove(ByteView alpha) const;

 private:
  Secret<32> scalar_;        // x, reduced modulo the group order
  Secret<32> nonce_prefix_;  // second half of the hashed seed
  PublicKey public_key_;
};

// beta if `pi` proves it for (key, alpha); otherwise an error whose text starts with "vrf_pk:" or
// "pi:".
Result<VrfOutput> vrf_verify(const PublicKey& key, ByteView alpha, const VrfProof& pi);

// beta of a proof that was verified before. Fails when Gamma is not a point.
Result<VrfOutput> vrf_proof_to_hash(const VrfProof& pi);

// True for a canonical encoding of a point of prime order: the only public keys we accept, for the
// VRF and for players' signatures alike.
bool is_strong_public_key(const PublicKey& key);

// The point alpha is hashed to (RFC 9381 5.4.1.1); public for the RFC's intermediate values only.
std::optional<FixedBytes<32>> vrf_encode_to_curve(const PublicKey& key, ByteView alpha);

}  // namespace wardiary::fairdice

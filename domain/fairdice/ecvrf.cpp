#include "domain/fairdice/ecvrf.h"

#include <sodium.h>

#include <algorithm>

namespace wardiary::fairdice {
namespace {

using Point = FixedBytes<32>;
using Scalar = FixedBytes<32>;

constexpr std::size_t kChallengeSize = 16;

// The group order q, little-endian.
constexpr std::array<std::uint8_t, 32> kOrder = {
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};

bool is_identity(const Point& p) {
  Point identity;
  identity.data[0] = 1;
  return p == identity;
}

// libsodium's add and sub decompress laxly. A canonical encoding has y < 2^255-19, and no sign bit
// when x is 0, which is so for y = 1 and y = -1 only (RFC 8032 5.1.3). All inputs are public.
bool is_canonical(const Point& p) {
  const auto& b = p.data;
  const bool negative = (b[31] & 0x80) != 0;
  const bool high = (b[31] & 0x7f) == 0x7f &&
                    std::all_of(b.begin() + 1, b.begin() + 31, [](auto v) { return v == 0xff; });
  if (high && b[0] >= 0xed) return false;
  const bool minus_one = high && b[0] == 0xec;
  const bool one = b[0] == 1 && (b[31] & 0x7f) == 0 &&
                   std::all_of(b.begin() + 1, b.begin() + 31, [](auto v) { return v == 0; });
  return !(negative && (one || minus_one));
}

bool is_canonical_scalar(const Scalar& s) {
  return std::lexicographical_compare(s.data.rbegin(), s.data.rend(), kOrder.rbegin(),
                                      kOrder.rend());
}

// 8 P by three doublings, since libsodium's scalar multiplication refuses points outside the
// prime-order subgroup. False when `p` is not on the curve.
bool times_cofactor(Point& out, const Point& p) {
  Point twice, four_times;
  return crypto_core_ed25519_add(twice.data.data(), p.data.data(), p.data.data()) == 0 &&
         crypto_core_ed25519_add(four_times.data.data(), twice.data.data(), twice.data.data()) ==
             0 &&
         crypto_core_ed25519_add(out.data.data(), four_times.data.data(), four_times.data.data()) ==
             0;
}

class Sha512 {
 public:
  Sha512() { crypto_hash_sha512_init(&state_); }
  Sha512(const Sha512&) = default;
  ~Sha512() { sodium_memzero(&state_, sizeof state_); }

  Sha512& add(ByteView bytes) {
    crypto_hash_sha512_update(&state_, bytes.data(), bytes.size());
    return *this;
  }
  Sha512& add(std::uint8_t byte) { return add(ByteView(&byte, 1)); }
  void finish(std::uint8_t* out) { crypto_hash_sha512_final(&state_, out); }

 private:
  crypto_hash_sha512_state state_;
};

// RFC 9381 5.4.3, zero-extended to a scalar.
Scalar challenge(const Point& y, const Point& h, const Point& gamma, const Point& u,
                 const Point& v) {
  std::uint8_t digest[64];
  Sha512()
      .add(kVrfSuite)
      .add(0x02)
      .add(y.view())
      .add(h.view())
      .add(gamma.view())
      .add(u.view())
      .add(v.view())
      .add(std::uint8_t{0})
      .finish(digest);
  Scalar c;
  std::memcpy(c.data.data(), digest, kChallengeSize);
  return c;
}

// RFC 9381 5.2; false when gamma is not a point.
bool output_of(VrfOutput& beta, const Point& gamma) {
  Point cleared;
  if (!times_cofactor(cleared, gamma)) return false;
  Sha512()
      .add(kVrfSuite)
      .add(0x03)
      .add(cleared.view())
      .add(std::uint8_t{0})
      .finish(beta.data.data());
  return true;
}

struct Parts {
  Point gamma;
  Scalar c, s;
};

Parts split(const VrfProof& pi) {
  Parts out;
  const std::uint8_t* p = pi.data.data();
  std::memcpy(out.gamma.data.data(), p, 32);
  std::memcpy(out.c.data.data(), p + 32, kChallengeSize);
  std::memcpy(out.s.data.data(), p + 32 + kChallengeSize, 32);
  return out;
}

bool multiply(Point& out, const std::uint8_t* scalar, const Point& p) {
  return crypto_scalarmult_ed25519_noclamp(out.data.data(), scalar, p.data.data()) == 0;
}

bool multiply_base(Point& out, const std::uint8_t* scalar) {
  return crypto_scalarmult_ed25519_base_noclamp(out.data.data(), scalar) == 0;
}

bool subtract(Point& out, const Point& a, const Point& b) {
  return crypto_core_ed25519_sub(out.data.data(), a.data.data(), b.data.data()) == 0;
}

}  // namespace

std::optional<FixedBytes<32>> vrf_encode_to_curve(const PublicKey& key, ByteView alpha) {
  Sha512 prefix;
  prefix.add(kVrfSuite).add(0x01).add(key.view()).add(alpha);
  for (int counter = 0; counter < 256; ++counter) {
    std::uint8_t digest[64];
    Sha512(prefix).add(static_cast<std::uint8_t>(counter)).add(std::uint8_t{0}).finish(digest);
    Point candidate, h;
    std::memcpy(candidate.data.data(), digest, 32);
    if (is_canonical(candidate) && times_cofactor(h, candidate) && !is_identity(h)) return h;
  }
  return std::nullopt;
}

VrfKey::VrfKey(const Seed& seed) {
  Secret<64> expanded, wide;
  crypto_hash_sha512(expanded.data(), seed.data(), 32);
  std::memcpy(nonce_prefix_.data(), expanded.data() + 32, 32);
  std::memcpy(wide.data(), expanded.data(), 32);
  wide.data()[0] &= 248;
  wide.data()[31] = static_cast<std::uint8_t>((wide.data()[31] & 127) | 64);
  crypto_core_ed25519_scalar_reduce(scalar_.data(), wide.data());
  // A clamped scalar is never a multiple of the order, so this cannot fail.
  (void)multiply_base(public_key_, scalar_.data());
}

Result<VrfResult> VrfKey::prove(ByteView alpha) const {
  const auto h = vrf_encode_to_curve(public_key_, alpha);
  if (!h) return invalid("alpha: hashes to no point");

  Secret<64> wide;
  Sha512().add(nonce_prefix_.view()).add(h->view()).finish(wide.data());
  Secret<32> nonce;
  crypto_core_ed25519_scalar_reduce(nonce.data(), wide.data());

  Point gamma, u, v;
  if (!multiply(gamma, scalar_.data(), *h) || !multiply_base(u, nonce.data()) ||
      !multiply(v, nonce.data(), *h)) {
    return invalid("alpha: gives a zero nonce");
  }
  const Scalar c = challenge(public_key_, *h, gamma, u, v);
  Secret<32> cx;
  Scalar s;
  crypto_core_ed25519_scalar_mul(cx.data(), c.data.data(), scalar_.data());
  crypto_core_ed25519_scalar_add(s.data.data(), cx.data(), nonce.data());

  VrfResult out;
  std::uint8_t* pi = out.pi.data.data();
  std::memcpy(pi, gamma.data.data(), 32);
  std::memcpy(pi + 32, c.data.data(), kChallengeSize);
  std::memcpy(pi + 32 + kChallengeSize, s.data.data(), 32);
  if (!output_of(out.beta, gamma)) return invalid("pi: Gamma is not a point");
  return out;
}

Result<VrfOutput> vrf_verify(const PublicKey& key, ByteView alpha, const VrfProof& pi) {
  const Parts proof = split(pi);
  if (!is_canonical(key)) return invalid("vrf_pk: not a canonical point");
  if (!is_canonical(proof.gamma)) return invalid("pi: Gamma is not a canonical point");
  if (!is_canonical_scalar(proof.s)) return invalid("pi: s is not below the group order");
  if (proof.c.is_zero() || proof.s.is_zero()) return invalid("pi: c or s is zero");

  const auto h = vrf_encode_to_curve(key, alpha);
  if (!h) return invalid("alpha: hashes to no point");

  // The multiplications of key and Gamma also check that they are of prime order.
  Point sb, cy, sh, cg, u, v;
  if (!multiply(cy, proof.c.data.data(), key)) return invalid("vrf_pk: not of prime order");
  if (!multiply(cg, proof.c.data.data(), proof.gamma)) {
    return invalid("pi: Gamma is not of prime order");
  }
  if (!multiply_base(sb, proof.s.data.data()) || !multiply(sh, proof.s.data.data(), *h) ||
      !subtract(u, sb, cy) || !subtract(v, sh, cg)) {
    return invalid("pi: not a proof");
  }
  if (challenge(key, *h, proof.gamma, u, v) != proof.c) {
    return invalid("pi: does not prove this input under this key");
  }
  VrfOutput beta;
  if (!output_of(beta, proof.gamma)) return invalid("pi: Gamma is not a point");
  return beta;
}

Result<VrfOutput> vrf_proof_to_hash(const VrfProof& pi) {
  const Point gamma = split(pi).gamma;
  VrfOutput beta;
  if (!is_canonical(gamma) || !output_of(beta, gamma)) return invalid("pi: Gamma is not a point");
  return beta;
}

bool is_strong_public_key(const PublicKey& key) {
  return is_canonical(key) && crypto_core_ed25519_is_valid_point(key.data.data()) == 1;
}

}  // namespace wardiary::fairdice

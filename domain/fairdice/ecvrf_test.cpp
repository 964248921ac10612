#include "domain/fairdice/ecvrf.h"

#include <gtest/gtest.h>

namespace wardiary::fairdice {
namespace {

// RFC 9381 Appendix B.3, examples 16, 17 and 18.
struct Example {
  const char *seed, *key, *alpha, *h, *pi, *beta;
};
constexpr Example kExamples[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "91bbed02a99461df1ad4c6564a5f5d829d0b90cfc7903e7a5797bd658abf3318",
     "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f"
     "26f8a57ccaed74ee1b190bed1f479d9727d2d0f9b005a6e456a35d4fb0daab12"
     "68a1b0db10836d9826a528ca76567805",
     "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff"
     "66b71dda49d2de59d03450451af026798e8f81cd2e333de5cdf4f3e140fdd8ae"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "5b659fc3d4e9263fd9a4ed1d022d75eaacc20df5e09f9ea937502396598dc551",
     "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed593"
     "3bf0864a62558b3ed7f2fea45c92a465301b3bbf5e3e54ddf2d935be3b67926d"
     "a3ef39226bbc355bdc9850112c8f4b02",
     "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb"
     "5e33821bc613efb94db5e5b54c70a848a0bef4553a41befc57663b56373a5031"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "bf4339376f5542811de615e3313d2b36f6f53c0acfebb482159711201192576a",
     "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf80"
     "96bb474e53895c362d8628ee9f9ea3c0e52c7a5c691b6c18c9979866568add7a"
     "2d41b00b05081ed0f58ee5e31b3a970e",
     "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c45"
     "2118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f"},
};

template <std::size_t N>
FixedBytes<N> hex(const char* text) {
  return fixed_from_hex<N>(text).value();
}

// The eight points of small order, canonically encoded where such an encoding exists, and the
// encodings that are not canonical.
constexpr const char* kWeakPoints[] = {
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
};
constexpr const char* kOrderEight =
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05";

TEST(Ecvrf, ReproducesTheExamplesOfTheRfc) {
  for (const Example& e : kExamples) {
    const VrfKey key(*Seed::from(*from_hex(e.seed)));
    const Bytes alpha = *from_hex(e.alpha);
    EXPECT_EQ(to_hex(key.public_key()), e.key);
    EXPECT_EQ(to_hex(*vrf_encode_to_curve(key.public_key(), alpha)), e.h);
    const auto made = key.prove(alpha);
    ASSERT_TRUE(made.ok());
    EXPECT_EQ(to_hex(made->pi), e.pi);
    EXPECT_EQ(to_hex(made->beta), e.beta);
    const auto verified = vrf_verify(key.public_key(), alpha, made->pi);
    ASSERT_TRUE(verified.ok()) << verified.error().text;
    EXPECT_EQ(to_hex(*verified), e.beta);
    EXPECT_EQ(to_hex(*vrf_proof_to_hash(made->pi)), e.beta);
  }
}

TEST(Ecvrf, RefusesEveryFlippedBitOfAProofAndOfAKey) {
  for (const Example& e : kExamples) {
    const auto key = hex<32>(e.key);
    const auto pi = hex<80>(e.pi);
    const Bytes alpha = *from_hex(e.alpha);
    for (std::size_t bit = 0; bit < 80 * 8; ++bit) {
      VrfProof bad = pi;
      bad.data[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      EXPECT_FALSE(vrf_verify(key, alpha, bad).ok()) << "bit " << bit;
    }
    for (std::size_t bit = 0; bit < 32 * 8; ++bit) {
      PublicKey bad = key;
      bad.data[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      EXPECT_FALSE(vrf_verify(bad, alpha, pi).ok()) << "key bit " << bit;
    }
  }
}

TEST(Ecvrf, RefusesAnotherInput) {
  const Example& e = kExamples[1];
  EXPECT_FALSE(vrf_verify(hex<32>(e.key), *from_hex("73"), hex<80>(e.pi)).ok());
  EXPECT_FALSE(vrf_verify(hex<32>(e.key), *from_hex("7200"), hex<80>(e.pi)).ok());
  EXPECT_FALSE(vrf_verify(hex<32>(e.key), {}, hex<80>(e.pi)).ok());
}

TEST(Ecvrf, RefusesWeakAndNonCanonicalKeys) {
  const Example& e = kExamples[0];
  for (const char* weak : kWeakPoints) {
    EXPECT_FALSE(is_strong_public_key(hex<32>(weak))) << weak;
    const auto refused = vrf_verify(hex<32>(weak), {}, hex<80>(e.pi));
    ASSERT_FALSE(refused.ok()) << weak;
    EXPECT_EQ(refused.error().text.rfind("vrf_pk:", 0), 0u) << refused.error().text;
  }
  EXPECT_TRUE(is_strong_public_key(hex<32>(e.key)));
}

TEST(Ecvrf, RefusesAKeyOrGammaWithATorsionPart) {
  const Example& e = kExamples[0];
  const auto torsion = hex<32>(kOrderEight);
  PublicKey key = hex<32>(e.key);
  ASSERT_EQ(crypto_core_ed25519_add(key.data.data(), key.data.data(), torsion.data.data()), 0);
  EXPECT_FALSE(is_strong_public_key(key));
  EXPECT_FALSE(vrf_verify(key, {}, hex<80>(e.pi)).ok());

  VrfProof pi = hex<80>(e.pi);
  std::uint8_t gamma[32];
  ASSERT_EQ(crypto_core_ed25519_add(gamma, pi.data.data(), torsion.data.data()), 0);
  std::memcpy(pi.data.data(), gamma, 32);
  const auto refused = vrf_verify(hex<32>(e.key), {}, pi);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text, "pi: Gamma is not of prime order");
  // The output would have been the same: beta hashes 8 Gamma. Refusing keeps proofs tidy.
  EXPECT_EQ(to_hex(*vrf_proof_to_hash(pi)), e.beta);
}

TEST(Ecvrf, RefusesWeakGammas) {
  const Example& e = kExamples[2];
  for (const char* weak : kWeakPoints) {
    VrfProof pi = hex<80>(e.pi);
    const auto point = hex<32>(weak);
    std::memcpy(pi.data.data(), point.data.data(), 32);
    EXPECT_FALSE(vrf_verify(hex<32>(e.key), *from_hex(e.alpha), pi).ok()) << weak;
  }
}

TEST(Ecvrf, RefusesAResponseAboveTheGroupOrder) {
  const Example& e = kExamples[0];
  const auto order = hex<32>("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
  VrfProof pi = hex<80>(e.pi);
  unsigned carry = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    carry += pi.data[48 + i] + order.data[i];
    pi.data[48 + i] = static_cast<std::uint8_t>(carry);
    carry >>= 8;
  }
  ASSERT_EQ(carry, 0u);
  const auto refused = vrf_verify(hex<32>(e.key), {}, pi);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text, "pi: s is not below the group order");
}

TEST(Ecvrf, RefusesZeroChallengeOrResponse) {
  const Example& e = kExamples[0];
  VrfProof no_c = hex<80>(e.pi), no_s = hex<80>(e.pi);
  std::memset(no_c.data.data() + 32, 0, 16);
  std::memset(no_s.data.data() + 48, 0, 32);
  EXPECT_FALSE(vrf_verify(hex<32>(e.key), {}, no_c).ok());
  EXPECT_FALSE(vrf_verify(hex<32>(e.key), {}, no_s).ok());
}

TEST(Ecvrf, GivesOneOutputPerInputAndKey) {
  const VrfKey a(Seed::random()), b(Seed::random());
  for (std::uint8_t i = 0; i < 20; ++i) {
    const Bytes alpha(i, i);
    const auto first = a.prove(alpha), again = a.prove(alpha), other = b.prove(alpha);
    ASSERT_TRUE(first.ok() && again.ok() && other.ok());
    EXPECT_EQ(first->pi, again->pi);
    EXPECT_NE(first->beta, other->beta);
    EXPECT_EQ(*vrf_verify(a.public_key(), alpha, first->pi), first->beta);
    EXPECT_FALSE(vrf_verify(b.public_key(), alpha, first->pi).ok());
  }
}

}  // namespace
}  // namespace wardiary::fairdice

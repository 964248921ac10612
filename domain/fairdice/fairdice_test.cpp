#include "domain/fairdice/fairdice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "domain/fairdice/chain.h"
#include "domain/fairdice/signature.h"

namespace wardiary::fairdice {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

Seed seed_of(std::uint8_t byte) {
  return *Seed::from(Bytes(32, byte));
}
Id id_of(const char* text) {
  return *fixed_from_hex<16>(text);
}
RollGroup group(RollGroup::Kind kind, std::uint32_t count, std::uint32_t sides) {
  return {kind, static_cast<std::uint16_t>(count), sides, 0};
}
RollSpec dice(std::uint16_t count, std::uint32_t sides) {
  return {{group(RollGroup::kDice, count, sides)}};
}

// The golden transcript of the protocol: two contributors, one chain each for roller 0.
struct Golden {
  Id stream = id_of("000102030405060708090a0b0c0d0e0f");
  Hash epoch = sha256(domain_prefix("test-genesis"));
  VrfKey key{seed_of(0x11)};
  ContributionChain chain0 = *ContributionChain::make({stream, 0, 0}, seed_of(0xaa), 64);
  ContributionChain chain1 = *ContributionChain::make({stream, 1, 0}, seed_of(0xbb), 64);

  VrfOutput beta(std::uint64_t number, std::optional<Beacon> beacon = {}) const {
    const Contribution both[] = {{0, *chain0.element(number)}, {1, *chain1.element(number)}};
    return key.prove(make_alpha(epoch, stream, 0, number, both, beacon))->beta;
  }
  Outcome roll(std::uint64_t number, const RollSpec& spec,
               std::optional<Beacon> beacon = {}) const {
    return derive_outcome(beta(number, beacon), spec);
  }
};

TEST(GoldenTranscript, SetUp) {
  const Golden g;
  EXPECT_EQ(to_hex(g.key.public_key()),
            "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737");
  EXPECT_EQ(to_hex(g.epoch), "cf35ff492f10c56cebde9ba871d6eef18d543b33a695f97c87b2750ce24108b1");
  EXPECT_EQ(to_hex(g.chain0.anchor()),
            "e7b516ca82c81acb2ca131a127f478093a38e6f893b43ddfbefbe1ecf77b9296");
  EXPECT_EQ(to_hex(g.chain1.anchor()),
            "882f97fea76f117a2607e876f5bb651417c236dea14b94741746b24b37b858b4");
}

TEST(GoldenTranscript, FirstRoll) {
  const Golden g;
  EXPECT_EQ(to_hex(*g.chain0.element(0)),
            "a40cd6439f202b4b4600df3ec1f892570b36c8e6f6ff306a27a4c31aeef153f9");
  EXPECT_EQ(to_hex(*g.chain1.element(0)),
            "d110450b0d09d3942b0394155ed1841be8ec0a13c6ecdeb0f269ac624bbe6aa5");
  const VrfOutput beta = g.beta(0);
  EXPECT_EQ(to_hex(beta),
            "9cf2a1286a6af71e1f76209e5d8b256c5969d943a3224600e610526d24a2c6d6"
            "22b25610b6768992c6086a3b3cf757c5f9b7f1fb6b061e714fa384fa3581a1d5");
  EXPECT_EQ(to_hex(seal_of(beta)),
            "68a175f10a450ca940e47575e3fd9e545461cda31e912743b3fd7be975065c35");
  ByteStream bytes(beta);
  EXPECT_EQ(bytes.next(), 0x24);
  EXPECT_EQ(bytes.next(), 0x0b);
  EXPECT_THAT(derive_outcome(beta, dice(2, 6)).values, ElementsAre(1, 6));
}

TEST(GoldenTranscript, LaterRolls) {
  const Golden g;
  EXPECT_EQ(to_hex(g.beta(1)),
            "09233011731c05591f342793cfa88b2606e06a7023ab12f5c3fc415b60a4b816"
            "e7d3cd1f6881a4ea9637d9c889f2df8bbade85ab549615dad4a9669e4f7fce66");
  const Outcome forty = g.roll(1, dice(40, 6));
  EXPECT_THAT(forty.values,
              ElementsAreArray({2, 2, 2, 1, 1, 4, 2, 6, 3, 4, 1, 4, 3, 1, 5, 1, 3, 3, 3, 4,
                                6, 5, 6, 4, 2, 2, 1, 3, 1, 3, 4, 6, 1, 5, 5, 4, 3, 4, 6, 2}));
  EXPECT_EQ(forty.bytes_used, 41u);

  Hash randomness;
  randomness.data.fill(0xdd);
  EXPECT_THAT(g.roll(2, dice(3, 10), Beacon{1000, randomness}).values, ElementsAre(3, 6, 2));

  const Outcome percent = g.roll(3, dice(12, 100));
  EXPECT_THAT(percent.values, ElementsAre(100, 71, 70, 63, 83, 42, 53, 31, 83, 52, 77, 16));
  EXPECT_EQ(percent.bytes_used, 19u);

  Outcome deck = g.roll(4, {{group(RollGroup::kShuffle, 54, 54)}});
  EXPECT_EQ(deck.bytes_used, 55u);
  EXPECT_EQ(deck.values.size(), 54u);
  deck.values.resize(10);
  EXPECT_THAT(deck.values, ElementsAre(40, 12, 37, 21, 15, 4, 10, 36, 20, 6));

  EXPECT_THAT(g.roll(5, {{group(RollGroup::kDraw, 5, 20)}}).values, ElementsAre(4, 16, 13, 5, 9));
  EXPECT_THAT(g.roll(6, dice(1, 1000)).values, ElementsAre(149));
}

TEST(ContributionChain, EveryElementLeadsToTheAnchor) {
  for (std::uint32_t length : {1u, 2u, 3u, 10u, 64u, 101u}) {
    const ChainId id{id_of("0f0e0d0c0b0a09080706050403020100"), 3, 7};
    const auto chain = *ContributionChain::make(id, seed_of(5), length);
    ChainVerifier in_order(id, length, chain.anchor());
    for (std::uint64_t j = 0; j < length; ++j) {
      const Hash v = *chain.element(j);
      EXPECT_EQ(chain_walk(id, v, j + 1), chain.anchor());
      EXPECT_TRUE(in_order.check(j, v));
      EXPECT_TRUE(ChainVerifier(id, length, chain.anchor()).check(j, v));
    }
    for (std::uint64_t j = 0; j < length; ++j) {
      EXPECT_TRUE(in_order.check(j, *chain.element(j)));  // earlier ones again
      EXPECT_EQ(in_order.check(j + 1, *chain.element(j)), false);
    }
    EXPECT_FALSE(chain.element(length).ok());
    EXPECT_FALSE(in_order.check(length, Hash{}));
  }
}

TEST(ContributionChain, IsBoundToStreamContributorAndRoller) {
  const Id a = id_of("00000000000000000000000000000001"), b{};
  const auto anchor = [](const ChainId& id) {
    return ContributionChain::make(id, seed_of(1), 8)->anchor();
  };
  EXPECT_NE(anchor({a, 0, 1}), anchor({b, 0, 1}));
  EXPECT_NE(anchor({a, 0, 1}), anchor({a, 1, 0}));
  EXPECT_NE(anchor({a, 0, 1}), anchor({a, 0, 0}));
}

TEST(ContributionChain, RefusesLengthsOutOfRange) {
  EXPECT_FALSE(ContributionChain::make({}, seed_of(1), 0).ok());
  EXPECT_FALSE(ContributionChain::make({}, seed_of(1), kChainLengthMax + 1).ok());
}

TEST(VrfSeed, DiffersByStreamAndMaster) {
  const Id a = id_of("00000000000000000000000000000001"), b{};
  const auto key = [](const Seed& master, const Id& stream) {
    return VrfKey(derive_vrf_seed(master, stream)).public_key();
  };
  EXPECT_EQ(key(seed_of(1), a), key(seed_of(1), a));
  EXPECT_NE(key(seed_of(1), a), key(seed_of(1), b));
  EXPECT_NE(key(seed_of(1), a), key(seed_of(2), a));
}

TEST(Spec, EncodesAsTheProtocolSays) {
  const RollSpec spec{{group(RollGroup::kDice, 2, 6), group(RollGroup::kDraw, 5, 20)}};
  EXPECT_EQ(to_hex(encode_spec(spec)),
            "0002010002000000060300050000"
            "0014");
}

TEST(Spec, RefusesWhatCannotBeRolled) {
  const auto refused = [](RollSpec spec) { return !check_spec(spec).ok(); };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused(dice(0, 6)));
  EXPECT_TRUE(refused(dice(1, 0)));
  EXPECT_TRUE(refused({{group(RollGroup::kShuffle, 5, 6)}}));
  EXPECT_TRUE(refused({{group(RollGroup::kDraw, 7, 6)}}));
  EXPECT_TRUE(refused({{group(RollGroup::kDraw, 1, kPoolMax + 1)}}));
  EXPECT_TRUE(refused({{group(static_cast<RollGroup::Kind>(4), 1, 6)}}));
  EXPECT_TRUE(refused(dice(kValuesMax + 1, 6)));
  EXPECT_TRUE(refused({std::vector<RollGroup>(kGroupsMax + 1)}));
  EXPECT_FALSE(refused(dice(1, 1)));
  EXPECT_FALSE(refused(dice(1, 0xffffffff)));
  EXPECT_FALSE(refused({{group(RollGroup::kShuffle, 1, 1)}}));
}

// The construction of uniform(), over all bytes instead of random ones: each result equally often.
TEST(Uniform, IsExactForEveryOneByteRange) {
  for (unsigned n = 2; n <= 256; ++n) {
    const unsigned limit = 256 - 256 % n;
    std::map<unsigned, unsigned> seen;
    for (unsigned v = 0; v < limit; ++v) ++seen[v % n];
    ASSERT_EQ(seen.size(), n);
    for (const auto& [value, times] : seen) ASSERT_EQ(times, 256 / n) << n << ": " << value;
  }
}

TEST(Uniform, UsesTheBytesTheProtocolSays) {
  const VrfOutput beta;
  const auto used = [&](std::uint32_t n) {
    ByteStream bytes(beta);
    EXPECT_LT(bytes.uniform(n), n);
    return bytes.used();
  };
  EXPECT_EQ(used(1), 0u);
  EXPECT_EQ(used(256), 1u);
  EXPECT_EQ(used(65536), 2u);
  EXPECT_EQ(used(257) % 2, 0u);
  EXPECT_EQ(used(65537) % 4, 0u);
  EXPECT_EQ(used(0xffffffff) % 4, 0u);
}

RC_GTEST_PROP(Outcome, StaysWithinTheSpec, ()) {
  VrfOutput beta;
  beta.data[0] = *rc::gen::arbitrary<std::uint8_t>();
  beta.data[1] = *rc::gen::arbitrary<std::uint8_t>();
  const auto sides = *rc::gen::inRange<std::uint32_t>(1, 400);
  const auto count = static_cast<std::uint16_t>(*rc::gen::inRange<std::uint32_t>(1, sides + 1));
  const RollSpec spec{{group(RollGroup::kDice, count, sides),
                       group(RollGroup::kShuffle, static_cast<std::uint16_t>(sides), sides),
                       group(RollGroup::kDraw, count, sides)}};
  RC_ASSERT(check_spec(spec).ok());
  const Outcome out = derive_outcome(beta, spec);
  RC_ASSERT(out.values.size() == spec.value_count());
  RC_ASSERT(derive_outcome(beta, spec) == out);
  const auto cards = out.values.begin() + count, drawn = cards + sides;
  RC_ASSERT(std::all_of(out.values.begin(), cards, [&](auto v) { return v >= 1 && v <= sides; }));
  std::vector<std::uint32_t> deck(cards, drawn), hand(drawn, out.values.end());
  std::sort(deck.begin(), deck.end());
  std::sort(hand.begin(), hand.end());
  for (std::uint32_t i = 0; i < sides; ++i) RC_ASSERT(deck[i] == i);
  RC_ASSERT(std::adjacent_find(hand.begin(), hand.end()) == hand.end());
  RC_ASSERT(hand.back() < sides);
}

TEST(Digests, DependOnEveryField) {
  const Id stream{};
  const Request base{1, 2, Hash{}, Hash{}, dice(2, 6), Hash{}, Id{}};
  std::vector<Request> others(8, base);
  others[0].roller = 2;
  others[1].number = 3;
  others[2].prev_event.data[31] = 1;
  others[3].order_event.data[0] = 1;
  others[4].spec = dice(2, 10);
  others[5].v.data[5] = 1;
  others[6].idempotency_key.data[15] = 1;
  others[7].spec = {{{}, {}}};
  std::vector<Hash> digests{request_digest(stream, base), request_digest(id_of("000000000000000000"
                                                                               "00000000000001"),
                                                                         base)};
  for (const Request& r : others) digests.push_back(request_digest(stream, r));
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

TEST(Signature, HoldsForItsKeyAndDigestOnly) {
  const PlayerKey white(seed_of(1)), red(seed_of(2));
  Hash digest;
  const Signature made = white.sign(digest);
  EXPECT_TRUE(is_strong_public_key(white.public_key()));
  EXPECT_TRUE(verify_signature(white.public_key(), digest, made));
  EXPECT_FALSE(verify_signature(red.public_key(), digest, made));
  for (std::size_t bit = 0; bit < 64 * 8; ++bit) {
    Signature bad = made;
    bad.data[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_FALSE(verify_signature(white.public_key(), digest, bad));
  }
  digest.data[7] = 1;
  EXPECT_FALSE(verify_signature(white.public_key(), digest, made));
}

TEST(Grade, HasAWordEach) {
  for (int i = 0; i <= 5; ++i) {
    EXPECT_EQ(grade_named(grade_word(static_cast<Grade>(i))), static_cast<Grade>(i));
  }
  EXPECT_FALSE(grade_named("certain").has_value());
}

}  // namespace
}  // namespace wardiary::fairdice

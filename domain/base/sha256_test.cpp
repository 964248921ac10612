#include "domain/base/sha256.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wardiary {
namespace {

std::string hex_of(std::string_view text) {
  return to_hex(sha256(bytes_of(text)));
}

TEST(Sha256, AgreesWithTheExamplesOfFips180) {
  EXPECT_EQ(hex_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnop"
                   "qklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(hex_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, CanBeUsedAgainAfterFinishing) {
  Sha256 hasher;
  const Hash first = hasher.add("abc").finish();
  EXPECT_EQ(hasher.add("abc").finish(), first);
  EXPECT_EQ(hasher.finish(), sha256({}));
}

TEST(Sha256, AddsNumbersBigEndian) {
  Sha256 hasher;
  hasher.add_u8(1).add_u16(0x0203).add_u32(0x04050607).add_u64(0x08090a0b0c0d0e0f);
  EXPECT_EQ(hasher.finish(), sha256(*from_hex("0102030405060708090a0b0c0d0e0f")));
}

RC_GTEST_PROP(Sha256, DoesNotCareHowThePiecesAreCut, (const Bytes& a, const Bytes& b)) {
  Bytes whole = a;
  put(whole, b);
  Sha256 hasher;
  RC_ASSERT(hasher.add(a).add(b).finish() == sha256(whole));
}

TEST(HmacSha256, AgreesWithTheExamplesOfRfc4231) {
  auto hmac = [](const Bytes& key, std::string_view text) {
    return to_hex(hmac_sha256(key, bytes_of(text)));
  };
  EXPECT_EQ(hmac(Bytes(20, 0x0b), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac({'J', 'e', 'f', 'e'}, "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac(Bytes(131, 0xaa), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(HmacSha256, TakesAnEmptyKey) {
  EXPECT_EQ(to_hex(hmac_sha256({}, {})),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

}  // namespace
}  // namespace wardiary

#include "eventstore/evidence.h"

#include <gtest/gtest.h>

#include "eventstore/crc32c.h"
#include "eventstore/merkle.h"

namespace wardiary {
namespace {

Id some_id(std::uint8_t fill) {
  Id id;
  id.data.fill(fill);
  return id;
}

TEST(Evidence, AnEventIsHashedAsTheFormulaSays) {
  const Id branch = some_id(0xb1);
  Hash previous;
  previous.data.fill(0x11);
  Bytes message;
  put(message, bytes_of(std::string_view("fairdice/v1/event\0", 18)));
  put(message, branch);
  put_u64(message, 258);
  put(message, previous);
  put_u16(message, 513);
  put(message, sha256(bytes_of("payload")));
  Sha256 hasher;
  EXPECT_EQ(event_hash_of(hasher, branch, 258, previous, 513, bytes_of("payload")),
            sha256(message));
}

TEST(Evidence, ALeafIsFiftySixBytes) {
  const Id branch = some_id(0xb1);
  const Hash hash = sha256(bytes_of("event"));
  const Bytes data = leaf_data(branch, 7, hash);
  ASSERT_EQ(data.size(), 56u);
  Sha256 hasher;
  EXPECT_EQ(event_leaf_hash(hasher, branch, 7, hash), merkle::leaf_hash(data));
}

TEST(Evidence, EveryPartOfAnEventIsInItsHash) {
  Sha256 hasher;
  const Id branch = some_id(1);
  const Hash zero, base = event_hash_of(hasher, branch, 1, zero, 1, bytes_of("p"));
  EXPECT_NE(base, event_hash_of(hasher, some_id(2), 1, zero, 1, bytes_of("p")));
  EXPECT_NE(base, event_hash_of(hasher, branch, 2, zero, 1, bytes_of("p")));
  EXPECT_NE(base, event_hash_of(hasher, branch, 1, base, 1, bytes_of("p")));
  EXPECT_NE(base, event_hash_of(hasher, branch, 1, zero, 2, bytes_of("p")));
  EXPECT_NE(base, event_hash_of(hasher, branch, 1, zero, 1, bytes_of("q")));
}

TEST(Crc32c, HasThePublishedValueAndContinues) {
  EXPECT_EQ(crc32c(0, bytes_of("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(0, Bytes(32, 0)), 0x8a9136aau);
  const std::string text(1000, 'x');
  for (std::size_t cut = 0; cut <= 20; ++cut) {
    const std::string_view all = text;
    EXPECT_EQ(crc32c(crc32c(0, bytes_of(all.substr(0, cut))), bytes_of(all.substr(cut))),
              crc32c(0, bytes_of(all)));
  }
}

}  // namespace
}  // namespace wardiary

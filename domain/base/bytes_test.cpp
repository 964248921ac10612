#include "domain/base/bytes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wardiary {
namespace {

using namespace std::string_literals;

TEST(Hex, IsWrittenInLowerCaseAndReadInEither) {
  EXPECT_EQ(to_hex(Bytes{0x00, 0x9f, 0xAB}), "009fab");
  EXPECT_EQ(from_hex("009FaB"), (Bytes{0x00, 0x9f, 0xab}));
  EXPECT_EQ(from_hex(""), Bytes{});
}

TEST(Hex, RefusesHalfBytesAndOtherCharacters) {
  for (const char* bad : {"0", "abc", "0g", " 0", "0x", "--"}) {
    EXPECT_FALSE(from_hex(bad)) << bad;
  }
}

TEST(Hex, OfAFixedSizeMustHaveThatSize) {
  EXPECT_TRUE(fixed_from_hex<2>("beef"));
  EXPECT_FALSE(fixed_from_hex<2>("beefbe"));
  EXPECT_FALSE(fixed_from_hex<2>("be"));
  EXPECT_FALSE(fixed_from_hex<2>("zzzz"));
}

TEST(Base64, AgreesWithTheExamplesOfRfc4648) {
  const std::pair<const char*, const char*> examples[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (auto [text, encoded] : examples) {
    EXPECT_EQ(to_base64(bytes_of(text)), encoded);
    auto decoded = from_base64(encoded);
    ASSERT_TRUE(decoded) << encoded;
    EXPECT_EQ(text_of(*decoded), text);
  }
}

TEST(Base64, RefusesEveryTextThatIsNotTheOneItWouldWrite) {
  for (const char* bad : {"Zg", "Zg=", "Zg===", "=", "====", "A===", "Zh==", "Zm9=", "Zm8=Zm8=",
                          "Zg==\n", " Zg=", "Zm-_", "Zg=a"}) {
    EXPECT_FALSE(from_base64(bad)) << bad;
  }
}

RC_GTEST_PROP(Base64, ReadsBackWhatItWrote, (const Bytes& bytes)) {
  RC_ASSERT(from_base64(to_base64(bytes)) == bytes);
  RC_ASSERT(from_hex(to_hex(bytes)) == bytes);
}

RC_GTEST_PROP(Base64, HasOneTextForEachValue, (const std::string& text)) {
  if (auto bytes = from_base64(text)) RC_ASSERT(to_base64(*bytes) == text);
}

TEST(CleanUtf8, TakesOrdinaryTextOfAllLengths) {
  for (const char* good :
       {"", "Velikiye Luki", "tab\tand\nnewline", "Königsberg", "Смоленск", "\u00a0", "\u07ff",
        "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"}) {
    EXPECT_TRUE(is_clean_utf8(good)) << good;
  }
}

TEST(CleanUtf8, RefusesControlCharacters) {
  for (const std::string& bad : {"\0"s, "a\x01"s, "bell\x07"s, "\r\n"s, "\x1b[31m"s, "\x7f"s,
                                 "\xc2\x80"s, "\xc2\x9b"s, "\xc2\x9f"s}) {
    EXPECT_FALSE(is_clean_utf8(bad)) << to_hex(bytes_of(bad));
  }
}

TEST(CleanUtf8, RefusesWhatIsNotUtf8) {
  for (const char* bad :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xe2\x82", "\xf0\x9f\x92", "\xe0\x80\x80",
        "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff", "\xc3\x28", "\xe2\x28\xa1", "a\xffz"}) {
    EXPECT_FALSE(is_clean_utf8(bad)) << to_hex(bytes_of(bad));
  }
}

TEST(BigEndian, IsWrittenMostSignificantByteFirst) {
  Bytes out;
  put_u16(out, 0x0102);
  put_u32(out, 0x03040506);
  put_u64(out, 0x0708090a0b0c0d0e);
  EXPECT_EQ(to_hex(out), "0102030405060708090a0b0c0d0e");
  EXPECT_EQ(get_u64(out.data() + 6), 0x0708090a0b0c0d0eu);
}

TEST(FixedBytes, ComparesLikeItsBytes) {
  EXPECT_LT(*fixed_from_hex<2>("00ff"), *fixed_from_hex<2>("0100"));
  EXPECT_TRUE(Id{}.is_zero());
  EXPECT_FALSE(fixed_from_hex<2>("0001")->is_zero());
}

}  // namespace
}  // namespace wardiary

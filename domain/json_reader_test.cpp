#include "domain/json_reader.h"

#include <gtest/gtest.h>

namespace wardiary {
namespace {

using nlohmann::json;

std::string error_of(std::string_view text) {
  auto parsed = parse_json(text);
  return parsed ? "fine" : parsed.error().text;
}

TEST(ParseJson, TakesEveryKindOfValue) {
  auto parsed = parse_json(R"( {"a":[1,-2,3.5,true,null,"x\u00e9"],"b":{}} )");
  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_EQ((*parsed)["a"][5], "xé");
}

TEST(ParseJson, SaysAtWhichByteItWentWrong) {
  EXPECT_EQ(error_of(R"({"a":1,})"), "not well-formed JSON at byte 8");
  EXPECT_EQ(error_of("{} x"), "not well-formed JSON at byte 4");
  EXPECT_EQ(error_of(""), "not well-formed JSON at byte 1");
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(error_of(R"({"a":1,"b":{"a":2}})"), "fine");
  EXPECT_EQ(error_of(R"({"a":1,"a":2})"), "the key \"a\" stands twice");
  EXPECT_EQ(error_of(R"([{"x":{"b":1,"c":2,"b":3}}])"), "the key \"b\" stands twice");
}

TEST(ParseJson, LimitsDepth) {
  auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(error_of(nested(JsonLimits::kDepthMax)), "fine");
  EXPECT_EQ(error_of(nested(JsonLimits::kDepthMax + 1)), "nested deeper than 32 levels");
  EXPECT_EQ(error_of(std::string(1'000'000, '[')), "nested deeper than 32 levels");
}

TEST(ParseJson, LimitsSize) {
  const std::string big = "\"" + std::string(JsonLimits::kBytesMax, 'x') + "\"";
  auto parsed = parse_json(big);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kLimit);
}

TEST(ParseJson, RefusesTextThatIsNotUtf8AndNumbersThatAreTooBig) {
  EXPECT_NE(error_of("\"\xff\""), "fine");
  EXPECT_NE(error_of("\"\xed\xa0\x80\""), "fine");
  EXPECT_NE(error_of("1e999"), "fine");
  EXPECT_NE(error_of("NaN"), "fine");
}

// Reads `text` with `read` and returns the complaint.
template <class Read>
std::string complaint(std::string_view text, Read read) {
  const json document = *parse_json(text);
  JsonReader in(document, "game");
  read(in);
  return in.ok() ? "" : std::move(in).error().text;
}

TEST(JsonReader, NamesTheFieldThatIsMissingOrOfTheWrongKind) {
  auto text = [](JsonReader& in) { in.text("name"); };
  EXPECT_EQ(complaint(R"({})", text), "game.name: is missing");
  EXPECT_EQ(complaint(R"({"name":3})", text), "game.name: must be a text");
  EXPECT_EQ(complaint(R"({"name":"a\u0007"})", text),
            "game.name: must not contain control characters");
  auto flag = [](JsonReader& in) { in.flag_or("on", false); };
  EXPECT_EQ(complaint(R"({"on":1})", flag), "game.on: must be true or false");
  EXPECT_EQ(complaint(R"([])", flag), "game: must be an object");
}

TEST(JsonReader, NamesTheRangeANumberMustBeIn) {
  auto number = [](JsonReader& in) { in.number("n", -5, 9); };
  EXPECT_EQ(complaint(R"({"n":9})", number), "");
  EXPECT_EQ(complaint(R"({"n":-5})", number), "");
  EXPECT_EQ(complaint(R"({"n":10})", number), "game.n: is 10, must be from -5 to 9");
  EXPECT_EQ(complaint(R"({"n":-6})", number), "game.n: is -6, must be from -5 to 9");
  EXPECT_EQ(complaint(R"({"n":1.0})", number), "game.n: must be a whole number from -5 to 9");
  EXPECT_EQ(complaint(R"({"n":"1"})", number), "game.n: must be a whole number from -5 to 9");
  EXPECT_EQ(complaint(R"({"n":18446744073709551615})", number), "game.n: must be from -5 to 9");
}

TEST(JsonReader, GivesTheDefaultWhereAFieldIsAbsentOrNull) {
  for (const char* text : {"{}", R"({"a":null})"}) {
    const json document = *parse_json(text);
    JsonReader in(document, "");
    EXPECT_EQ(in.text_or("a", "x"), "x");
    EXPECT_EQ(in.number_or("a", 7, 0, 9), 7);
    EXPECT_TRUE(in.flag_or("a", true));
    EXPECT_TRUE(in.ok());
  }
}

TEST(JsonReader, NamesThePlaceInAList) {
  auto read = [](JsonReader& in) {
    in.each("list", 3, [](JsonReader& at) { at.number("n", 0, 9); });
  };
  EXPECT_EQ(complaint(R"({"list":[{"n":1},{"n":10}]})", read),
            "game.list[1].n: is 10, must be from 0 to 9");
  EXPECT_EQ(complaint(R"({"list":[{"n":1},2]})", read), "game.list[1]: must be an object");
  EXPECT_EQ(complaint(R"({"list":[{},{},{},{}]})", read), "game.list: has 4 entries, at most 3");
  EXPECT_EQ(complaint(R"({"list":{}})", read), "game.list: must be a list");
  EXPECT_EQ(complaint(R"({})", read), "game.list: is missing");
}

TEST(JsonReader, NamesTheMemberOfAnObject) {
  auto read = [](JsonReader& in) {
    in.each_member("values", [](const std::string&, JsonReader& at) {
      if (!at.value().is_number()) at.complain("", "must be a number");
    });
  };
  EXPECT_EQ(complaint(R"({"values":{"a":1,"b":"x"}})", read), "game.values.b: must be a number");
  EXPECT_EQ(complaint(R"({"values":[]})", read), "game.values: must be an object");
}

TEST(JsonReader, KeepsTheFirstComplaintOfAllItsParts) {
  EXPECT_EQ(complaint(R"({"a":{"b":1}})",
                      [](JsonReader& in) {
                        JsonReader a = in.at("a");
                        a.text("b");
                        in.text("missing");
                      }),
            "game.a.b: must be a text");
}

TEST(JsonReader, RefusesFieldsItDoesNotKnow) {
  EXPECT_EQ(complaint(R"({"a":1,"b":2})", [](JsonReader& in) { in.only({"a"}); }),
            "game.b: is not a known field");
}

TEST(JsonReader, OfListsOfTextsRefusesOtherThings) {
  auto read = [](JsonReader& in) {
    in.each_text("names", 2, [](JsonReader&, const std::string&) {});
  };
  EXPECT_EQ(complaint(R"({"names":["a","b"]})", read), "");
  EXPECT_EQ(complaint(R"({"names":["a",1]})", read), "game.names[1]: must be a text");
  EXPECT_EQ(complaint(R"({"names":["a","\u001b"]})", read),
            "game.names[1]: must not contain control characters");
}

}  // namespace
}  // namespace wardiary

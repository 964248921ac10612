#include "domain/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"

namespace wardiary {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Five areas: a square of four with one more behind it.
//   a - b
//   |   |
//   c - d - e
const char* const kAreas = R"({
  "format":"wardiary-board/1","id":"areas","kind":"area",
  "spaces":[{"id":"a","name":"Alpha","terrain":"clear"},{"id":"b"},{"id":"c"},{"id":"d"},
            {"id":"e","name":"Echo","aliases":["The Echo"],"playable":false}],
  "links":[{"a":"a","b":"b"},{"a":"a","b":"c","side":"river"},{"a":"b","b":"d"},
           {"a":"c","b":"d"},{"a":"d","b":"e"}],
  "regions":[{"id":"north","spaces":["a","b"]}]})";

// A patch of hexes in axial coordinates, all neighbours linked.
json hex_board(int width, int height) {
  json board = {{"format", "wardiary-board/1"}, {"id", "hexes"}, {"kind", "hex"}};
  board["spaces"] = json::array();
  board["links"] = json::array();
  auto name = [](int q, int r) { return std::to_string(q) + "," + std::to_string(r); };
  for (int r = 0; r < height; ++r) {
    for (int q = 0; q < width; ++q) {
      board["spaces"].push_back({{"id", name(q, r)}, {"q", q}, {"r", r}});
      if (q > 0) board["links"].push_back({{"a", name(q, r)}, {"b", name(q - 1, r)}});
      if (r > 0) board["links"].push_back({{"a", name(q, r)}, {"b", name(q, r - 1)}});
      if (r > 0 && q + 1 < width) {
        board["links"].push_back({{"a", name(q, r)}, {"b", name(q + 1, r - 1)}});
      }
    }
  }
  return board;
}

Board areas() {
  return *Board::parse(kAreas);
}

// The error after `change` was made to a good board.
std::string error_after(const std::function<void(json&)>& change) {
  json board = json::parse(kAreas);
  change(board);
  auto parsed = Board::parse(board.dump());
  return parsed ? "fine" : parsed.error().text;
}

TEST(Board, KnowsItsSpacesByIdNameAndAlias) {
  const Board board = areas();
  EXPECT_EQ(board.find("e"), SpaceId{4});
  EXPECT_EQ(board.find("Echo"), SpaceId{4});
  EXPECT_EQ(board.find("The Echo"), SpaceId{4});
  EXPECT_FALSE(board.find("f"));
  EXPECT_FALSE(board.find(""));
  EXPECT_EQ(board.space(SpaceId{0}).terrain, "clear");
  EXPECT_FALSE(board.space(SpaceId{4}).playable);
  EXPECT_EQ(board.title(), "areas");
  EXPECT_EQ(board.hash(), sha256(bytes_of(kAreas)));
}

TEST(Board, PrefersAnIdToANameOfAnotherSpace) {
  json board = json::parse(kAreas);
  board["spaces"][0]["name"] = "b";
  EXPECT_EQ(Board::parse(board.dump())->find("b"), SpaceId{1});
}

TEST(Board, ListsNeighboursInTheOrderOfItsLinks) {
  const Board board = areas();
  std::vector<int> around_d;
  for (const Neighbour& n : board.neighbours(SpaceId{3})) around_d.push_back(n.space.value);
  EXPECT_EQ(around_d, (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(board.link(board.link_between(SpaceId{2}, SpaceId{0})).side, "river");
  EXPECT_FALSE(board.link_between(SpaceId{0}, SpaceId{3}));
  EXPECT_EQ(board.facts(LinkId{1})["side"], "river");
  EXPECT_EQ(board.facts(SpaceId{0})["name"], "Alpha");
}

TEST(Board, MayHaveSpacesWithoutAnyLink) {
  json lonely = json::parse(kAreas);
  lonely["links"] = json::array();
  const Board board = *Board::parse(lonely.dump());
  for (int s = 0; s < 5; ++s) EXPECT_TRUE(board.neighbours(SpaceId{s}).empty());
  EXPECT_EQ(board.distance(SpaceId{0}, SpaceId{1}), -1);

  json last_alone = json::parse(kAreas);
  last_alone["links"].erase(4);
  EXPECT_TRUE(Board::parse(last_alone.dump())->neighbours(SpaceId{4}).empty());
}

TEST(Board, MayBeEmpty) {
  json empty = json::parse(kAreas);
  for (const char* list : {"spaces", "links", "regions"}) empty[list] = json::array();
  auto board = Board::parse(empty.dump());
  ASSERT_TRUE(board);
  EXPECT_TRUE(board->spaces().empty());
}

TEST(Board, KnowsItsRegions) {
  const Board board = areas();
  ASSERT_EQ(board.region("north").size(), 2u);
  EXPECT_EQ(board.region("north")[1], SpaceId{1});
  EXPECT_TRUE(board.region("south").empty());
}

TEST(Board, MeasuresDistancesOverLinks) {
  const Board board = areas();
  EXPECT_EQ(board.distance(SpaceId{0}, SpaceId{0}), 0);
  EXPECT_EQ(board.distance(SpaceId{0}, SpaceId{4}), 3);
  EXPECT_EQ(board.distances(SpaceId{0}, 2, nullptr), (std::vector<std::int16_t>{0, 1, 1, 2, -1}));
}

TEST(Board, CrossesOnlyWhatItMay) {
  const Board board = areas();
  auto no_rivers = [&](SpaceId, const Neighbour& step) {
    return board.link(step.link).side != "river";
  };
  EXPECT_EQ(board.distances(SpaceId{0}, 9, no_rivers)[2], 3);
  EXPECT_EQ(board.path(SpaceId{0}, SpaceId{2}, no_rivers),
            (std::vector{SpaceId{0}, SpaceId{1}, SpaceId{3}, SpaceId{2}}));
  auto nothing = [](SpaceId, const Neighbour&) { return false; };
  EXPECT_TRUE(board.path(SpaceId{0}, SpaceId{2}, nothing).empty());
  EXPECT_EQ(board.path(SpaceId{0}, SpaceId{0}, nothing), std::vector{SpaceId{0}});
}

RC_GTEST_PROP(Board, OnHexesCountsTheSameStepsByCoordinatesAndByLinks, ()) {
  static const Board board = *Board::parse(hex_board(9, 7).dump());
  const SpaceId a{*rc::gen::inRange(0, 63)};
  const SpaceId b{*rc::gen::inRange(0, 63)};
  const int steps = board.distances(a, 1000, nullptr)[b.index()];
  RC_ASSERT(board.distance(a, b) == steps);
  RC_ASSERT(board.distance(b, a) == steps);
  const auto path = board.path(a, b, nullptr);
  RC_ASSERT(static_cast<int>(path.size()) == steps + 1);
  RC_ASSERT(path.front() == a && path.back() == b);
  for (std::size_t i = 1; i < path.size(); ++i) RC_ASSERT(board.link_between(path[i - 1], path[i]));
}

TEST(Board, NamesTheFieldThatIsWrong) {
  const std::pair<std::function<void(json&)>, const char*> cases[] = {
      {[](json& b) { b["format"] = "wardiary-board/2"; }, "format: must be \"wardiary-board/1\""},
      {[](json& b) { b.erase("id"); }, "id: is missing"},
      {[](json& b) { b["kind"] = "squares"; }, "kind: must be \"hex\" or \"area\""},
      {[](json& b) { b.erase("spaces"); }, "spaces: is missing"},
      {[](json& b) { b["spaces"][2].erase("id"); }, "spaces[2].id: is missing"},
      {[](json& b) { b["spaces"][2]["id"] = ""; }, "spaces[2].id: must not be empty"},
      {[](json& b) { b["spaces"][2]["id"] = "a"; }, "spaces[2].id: \"a\" stands twice"},
      {[](json& b) { b["spaces"][1]["terrain"] = 7; }, "spaces[1].terrain: must be a text"},
      {[](json& b) { b["spaces"][1]["playable"] = "no"; }, "spaces[1].playable: must be true or"},
      {[](json& b) { b.erase("links"); }, "links: is missing"},
      {[](json& b) { b["links"][3]["b"] = "z"; }, "links[3].b: no space \"z\""},
      {[](json& b) { b["links"][3].erase("a"); }, "links[3].a: is missing"},
      {[](json& b) { b["links"][3]["b"] = "c"; }, "links[3].b: a link must join two different"},
      {[](json& b) {
         b["links"][4] = {{"a", "b"}, {"b", "a"}};
       },
       "links[4]: joins the same spaces as links[0]"},
      {[](json& b) { b["regions"][0]["spaces"][1] = "z"; }, "regions[0].spaces[1]: no space \"z\""},
      {[](json& b) { b["regions"][0].erase("id"); }, "regions[0].id: is missing"},
  };
  for (const auto& [change, expected] : cases) {
    EXPECT_THAT(error_after(change), HasSubstr(expected));
  }
}

TEST(Board, LimitsHowManySpacesThereMayBe) {
  EXPECT_THAT(error_after([](json& b) {
                for (int i = 0; i <= GameLimits::kSpacesMax; ++i) {
                  b["spaces"].push_back({{"id", std::to_string(i)}});
                }
              }),
              HasSubstr("spaces: has 16006 entries, at most 16000"));
}

}  // namespace
}  // namespace wardiary

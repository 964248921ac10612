#include "domain/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/game_testing.h"

namespace wardiary {
namespace {

using ::testing::HasSubstr;
using testing::small_roster;

// The complaint of finish() after `change` was made to a good roster.
std::string complaint(const std::function<void(Roster&)>& change) {
  Roster roster = small_roster();
  change(roster);
  auto status = roster.finish();
  return status ? "fine" : status.error().text;
}

TEST(Roster, FindsEverythingByName) {
  const Roster r = small_roster();
  EXPECT_EQ(r.unit("B1"), UnitId{3});
  EXPECT_EQ(r.space("B2"), SpaceId{4});
  EXPECT_EQ(r.side("blue"), SideId{1});
  EXPECT_EQ(r.track("weather"), TrackId{1});
  EXPECT_EQ(r.pool("deck"), PoolId{1});
  EXPECT_EQ(r.phase("fight"), 1);
  EXPECT_EQ(r.decision("retreat"), 2);
  EXPECT_EQ(r.unit_attribute("steps"), 1);
  EXPECT_EQ(r.space_attribute("fort"), 1);
  EXPECT_EQ(r.link_attribute("bridge"), 0);
}

TEST(Roster, FindsNothingByANameItDoesNotHave) {
  const Roster r = small_roster();
  EXPECT_FALSE(r.unit("X"));
  EXPECT_FALSE(r.space(""));
  EXPECT_FALSE(r.side("green"));
  EXPECT_FALSE(r.track("x"));
  EXPECT_FALSE(r.pool("x"));
  EXPECT_EQ(r.phase("x"), -1);
  EXPECT_EQ(r.decision("x"), -1);
  EXPECT_EQ(r.unit_attribute("x"), -1);
}

TEST(Roster, NumbersThePoolsItemsThroughAllPools) {
  const Roster r = small_roster();
  EXPECT_EQ(r.pool_offset(PoolId{0}), 0u);
  EXPECT_EQ(r.pool_offset(PoolId{1}), 2u);
  EXPECT_EQ(r.pool_cells(), 5u);
}

TEST(Roster, NamesTurnsAndCountsOnBeyondThem) {
  const Roster r = small_roster();
  EXPECT_EQ(r.turn_name(1), "May I");
  EXPECT_EQ(r.turn_name(3), "turn 3");
  EXPECT_EQ(r.turn_name(0), "turn 0");
  EXPECT_EQ(r.turn_name(-1), "turn -1");
}

TEST(Roster, PutsTheSideAttributeFirstAndADecisionOfNone) {
  Roster r = small_roster();
  r.unit_attributes.erase(r.unit_attributes.begin());
  r.decisions.clear();
  ASSERT_TRUE(r.finish());
  EXPECT_EQ(r.unit_attributes.front().name, "side");
  EXPECT_EQ(r.unit_attributes.front().kind, ValueKind::kSide);
  EXPECT_EQ(r.decisions, std::vector<std::string>{"none"});
}

TEST(Roster, SaysWhatIsWrongWithItsNames) {
  const std::pair<std::function<void(Roster&)>, const char*> cases[] = {
      {[](Roster& r) { r.sides.clear(); }, "sides: a game needs at least one"},
      {[](Roster& r) { r.phases.clear(); }, "phases: a game needs at least one"},
      {[](Roster& r) { r.sides[1] = "red"; }, "sides: the name \"red\" stands twice"},
      {[](Roster& r) { r.sides[1] = ""; }, "sides: an empty name"},
      {[](Roster& r) { r.units[2].name = "R1"; }, "units: the name \"R1\" stands twice"},
      {[](Roster& r) { r.units[0].name = std::string(121, 'x'); }, "units: a name is too long"},
      {[](Roster& r) { r.spaces[0] = "\xff"; }, "spaces: a name is too long or not clean UTF-8"},
      {[](Roster& r) { r.units[0].title = "\x1b"; }, "units: R1: a word is too long or not clean"},
      {[](Roster& r) { r.turns[0] = "\xff"; }, "turns: a word is too long or not clean"},
      {[](Roster& r) { r.tracks[1].words[0] = "\xff"; }, "weather: a word is too long"},
      {[](Roster& r) { r.pools[0].items[1] = "sun"; }, "cup: the name \"sun\" stands twice"},
      {[](Roster& r) { r.unit_attributes[1].name = "at"; }, "at is a name of the position's own"},
      {[](Roster& r) { r.link_attributes[0].name = "b"; }, "b is a name of the position's own"},
      {[](Roster& r) { r.unit_attributes[2].name = "side"; }, "the name \"side\" stands twice"},
      {[](Roster& r) { r.unit_attributes[1].initial = 40'000; },
       "steps: the initial value must be"},
      {[](Roster& r) { r.unit_attributes[1].kind = static_cast<ValueKind>(9); }, "no known kind"},
  };
  for (const auto& [change, expected] : cases) EXPECT_THAT(complaint(change), HasSubstr(expected));
}

TEST(Roster, SaysWhatRefersToNothing) {
  EXPECT_THAT(complaint([](Roster& r) { r.links[0].b = SpaceId{9}; }),
              HasSubstr("links: one joins a space that is not there"));
  EXPECT_THAT(complaint([](Roster& r) { r.links[0].a = SpaceId{}; }), HasSubstr("links: "));
  EXPECT_THAT(complaint([](Roster& r) { r.units[0].side = SideId{2}; }),
              HasSubstr("units: R1 has a side that is not there"));
  EXPECT_THAT(complaint([](Roster& r) { r.units[0].side = SideId{-2}; }), HasSubstr("units: R1"));
  EXPECT_EQ(complaint([](Roster& r) { r.units[0].side = kNoSide; }), "fine");
}

TEST(Roster, HasLimits) {
  auto many = [](int n) {
    std::vector<std::string> out;
    for (int i = 0; i < n; ++i) out.push_back(std::to_string(i));
    return out;
  };
  EXPECT_EQ(complaint([&](Roster& r) { r.sides = many(16); }), "fine");
  EXPECT_THAT(complaint([&](Roster& r) { r.sides = many(17); }),
              HasSubstr("sides: 17, at most 16"));
  EXPECT_THAT(complaint([&](Roster& r) { r.phases = many(256); }), HasSubstr("at most 255"));
  EXPECT_THAT(complaint([&](Roster& r) {
                for (const std::string& name : many(64)) {
                  r.unit_attributes.push_back({name, ValueKind::kNumber, 0, {}});
                }
              }),
              HasSubstr("unit attributes: 68, at most 64"));
  EXPECT_THAT(complaint([&](Roster& r) {
                r.pools[0].items = many(30'000);
                r.pools[1].items = many(30'001);
              }),
              HasSubstr("pools: 60001 items, at most 60000"));
}

}  // namespace
}  // namespace wardiary

#include "projections/luck_ledger.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace wardiary {
namespace {

Roster two_sides() {
  Roster roster;
  roster.sides = {"red", "blue"};
  roster.spaces = {"A1", "B2"};
  return roster;
}

RollRecord roll(int side, bool proven, std::vector<RollGroup> groups,
                std::vector<std::uint32_t> values, std::int16_t turn = 1) {
  RollRecord out;
  out.roller = SideId{side};
  out.proven = proven;
  out.groups = std::move(groups);
  out.values = std::move(values);
  out.turn = turn;
  out.purpose = "fire";
  out.space = SpaceId{1};
  return out;
}

constexpr RollGroup kThreeAtOneSixth{RollGroup::kDice, 3, 6, 6};
constexpr RollGroup kTwoAtOneHalf{RollGroup::kDice, 2, 6, 4};
constexpr RollGroup kOneAtTwoThirds{RollGroup::kDice, 1, 6, 3};

// The reference numbers of hits with differing odds: P(0..6), mean 13/6, variance 41/36.
TEST(LuckLedger, TheOddsOfMixedHitsAreExact) {
  const RollOdds odds = odds_of({kThreeAtOneSixth, kTwoAtOneHalf, kOneAtTwoThirds});
  EXPECT_EQ(odds.unit, RollUnit::kHits);
  const double expected[] = {125.0 / 2592, 575.0 / 2592, 235.0 / 648, 343.0 / 1296,
                             229.0 / 2592, 35.0 / 2592,  1.0 / 1296};
  ASSERT_EQ(odds.distribution.p.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(odds.distribution.p[i], expected[i], 1e-15);
  EXPECT_NEAR(odds.distribution.mean(), 13.0 / 6, 1e-12);
  EXPECT_NEAR(odds.distribution.variance(), 41.0 / 36, 1e-12);
  const std::int64_t came = outcome_of(
      RollUnit::kHits, {kThreeAtOneSixth, kTwoAtOneHalf, kOneAtTwoThirds}, {6, 5, 6, 4, 3, 3});
  EXPECT_EQ(came, 4);  // two sixes, one 4 or more, one 3 or more
  EXPECT_NEAR(odds_json(odds, came)["percentile"].get<double>(), 94.1551, 1e-4);
}

TEST(LuckLedger, SumsAddUpPerSideTurnBattleAndPurpose) {
  const Roster roster = two_sides();
  LuckLedger ledger(roster);
  ledger.add(roll(0, true, {kThreeAtOneSixth}, {6, 6, 1}, 1));
  ledger.add(roll(0, true, {kTwoAtOneHalf}, {1, 1}, 2));
  ledger.add(roll(1, true, {kOneAtTwoThirds}, {3}, 2));
  const nlohmann::json out = ledger.write();
  ASSERT_EQ(out["luck"].size(), 2u);
  const auto& red = out["luck"][0];
  EXPECT_EQ(red["side"], "red");
  EXPECT_DOUBLE_EQ(red["excess"].get<double>(), 2 - 0.5 - 1);
  EXPECT_EQ(red["turns"].size(), 2u);
  EXPECT_DOUBLE_EQ(red["turns"][0]["excess"].get<double>(), 1.5);
  EXPECT_DOUBLE_EQ(red["turns"][1]["excess"].get<double>(), -1);
  EXPECT_EQ(red["battles"][0]["of"], "1 at B2");
  EXPECT_EQ(red["purposes"][0]["rolls"], 2);
  EXPECT_TRUE(out.contains("first"));
}

TEST(LuckLedger, ProvenAndUnprovenDiceAreNeverPooledNorHitsWithPips) {
  const Roster roster = two_sides();
  LuckLedger ledger(roster);
  ledger.add(roll(0, true, {kTwoAtOneHalf}, {6, 6}));
  ledger.add(roll(0, false, {kTwoAtOneHalf}, {1, 1}));
  ledger.add(roll(0, true, {{RollGroup::kDice, 2, 6, 0}}, {3, 4}));
  EXPECT_EQ(ledger.accounts().size(), 3u);
  ASSERT_EQ(ledger.watches().size(), 2u);
  EXPECT_EQ(ledger.watches()[0]->dice.summary().dice, 4u);
  EXPECT_EQ(ledger.watches()[1]->dice.summary().dice, 2u);
}

TEST(LuckLedger, DrawsAndHostileNumbersAreCountedAsNothing) {
  const Roster roster = two_sides();
  LuckLedger ledger(roster);
  ledger.add(roll(0, true, {{RollGroup::kDraw, 2, 52, 0}}, {3, 51}));
  ledger.add(roll(0, false, {{RollGroup::kDice, 65535, 4'000'000'000u, 0}}, {1}));
  ledger.add(roll(0, false, {{RollGroup::kDice, 1, 0, 0}}, {1}));
  ledger.add(roll(-1, false, {}, {}));
  EXPECT_EQ(ledger.rolls(), 4u);
  EXPECT_TRUE(ledger.accounts().empty());
}

TEST(LuckLedger, NothingItSaysAccuses) {
  const Roster roster = two_sides();
  LuckLedger ledger(roster);
  for (int i = 0; i < 40; ++i) {
    ledger.add(roll(0, false, {{RollGroup::kDice, 5, 6, 6}}, {6, 6, 6, 6, 6}));
  }
  const std::string text = ledger.write().dump();
  EXPECT_NE(text.find("strong"), std::string::npos);
  for (const char* word : {"rigged", "cheat", "manipul", "fraud", "guilty"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace wardiary

#include "projections/condition.h"

#include <gtest/gtest.h>

namespace wardiary {
namespace {

const CreatedGame& duel() {
  static const CreatedGame made = [] {
    NewGameSpec spec;
    spec.scenario = "duel";
    auto created = create_game(*rule_system("freeform"), spec, {});
    EXPECT_TRUE(created.ok());
    return std::move(*created);
  }();
  return made;
}

bool holds(const std::string& text) {
  auto condition = Condition::parse(text, duel().game);
  EXPECT_TRUE(condition.ok()) << text << ": " << condition.error().text;
  return condition && condition->holds(duel().position);
}
std::string refused(const std::string& text) {
  auto condition = Condition::parse(text, duel().game);
  EXPECT_FALSE(condition.ok()) << text;
  return condition ? "" : condition.error().text;
}

TEST(Condition, SpeaksOfUnitsSpacesTracksScoreAndTime) {
  EXPECT_TRUE(holds("unit:R1.at == A1"));
  EXPECT_FALSE(holds("unit:R1.at == nowhere"));
  EXPECT_TRUE(holds("unit:R1.side == red and unit:R1.steps > 0"));
  EXPECT_TRUE(holds("unit:R1.strength == unit:R1.steps"));
  EXPECT_TRUE(holds("track:score.red == 0 or track:score.red != 0"));
  EXPECT_TRUE(holds("not (over == 1)"));
  EXPECT_TRUE(holds("score.red - score.blue <= 10 and score.red - score.blue > 0 - 10"));
  EXPECT_TRUE(holds("space:A1.units >= 1"));
  EXPECT_TRUE(holds("unit:\"R1\".supply != unsupplied"));
  EXPECT_TRUE(holds("turn >= 0 and winner == none"));
}

TEST(Condition, BindsNotBeforeAndBeforeOr) {
  EXPECT_TRUE(holds("over == 0 or over == 1 and over == 1"));
  EXPECT_FALSE(holds("(over == 0 or over == 1) and over == 1"));
  EXPECT_TRUE(holds("not over == 1 and over == 0"));
  EXPECT_TRUE(holds("10 - 3 - 2 == 5"));
}

TEST(Condition, SaysWhereItIsWrong) {
  EXPECT_NE(refused("unit:nobody.at == A1").find("no unit \"nobody\""), std::string::npos);
  EXPECT_NE(refused("unit:R1.colour == red").find("colour"), std::string::npos);
  EXPECT_NE(refused("unit:R1.at == Z9").find("no space"), std::string::npos);
  EXPECT_NE(refused("space:A1.control == green").find("green"), std::string::npos);
  EXPECT_NE(refused("").find("at character 1"), std::string::npos);
  EXPECT_NE(refused("turn >= 1 and").find("at character"), std::string::npos);
  EXPECT_NE(refused("(turn >= 1").find("at character"), std::string::npos);
  EXPECT_NE(refused("turn >= 1 turn").find("the end"), std::string::npos);
  EXPECT_FALSE(Condition::parse(std::string(100, '(') + "turn >= 1", duel().game).ok());
  EXPECT_EQ(Condition::parse(std::string(2'000, ' '), duel().game).error().code, ErrorCode::kLimit);
}

TEST(Condition, KnowsWhetherItsSubjectsSuffice) {
  const auto plain = [](const std::string& text) {
    return Condition::parse(text, duel().game)->follows_from_subjects();
  };
  EXPECT_TRUE(plain("unit:R1.at == A1 and track:score.red > 3 and turn >= 2"));
  EXPECT_FALSE(plain("unit:R1.supply == unsupplied"));
  EXPECT_FALSE(plain("score.red > 3"));
  EXPECT_FALSE(plain("space:A1.units > 1"));
  EXPECT_FALSE(plain("unit:R1.strength > 1"));
}

}  // namespace
}  // namespace wardiary

#include "replay/bot.h"

#include <set>

#include "replay/demo.h"
#include "replay/world_testing.h"

namespace wardiary {
namespace {

TEST(Generator, GivesTheSameNumbersEverywhere) {
  // Reference values of xoshiro256** seeded with SplitMix64(1).
  Generator generator(1);
  EXPECT_EQ(generator.next(), 12966619160104079557u);
  EXPECT_EQ(generator.next(), 9600361134598540522u);
}

TEST(Generator, IsUniformBelowSmallNumbers) {
  Generator generator(7);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts[generator.below(6)];
  for (int count : counts) EXPECT_NEAR(count, 10'000, 400);
}

TEST(SeededChance, AnswersARollTheSameWayEachTimeAndDrawsWithoutReplacement) {
  RollRequest roll;
  roll.roller = SideId{1};
  roll.groups = {
      {RollGroup::kDice, 8, 6, 0}, {RollGroup::kDraw, 5, 5, 0}, {RollGroup::kShuffle, 9, 9, 0}};
  SeededChance chance(3);
  const auto first = chance.roll(roll);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->values.size(), 22u);
  EXPECT_EQ(chance.roll(roll)->values, first->values);
  EXPECT_EQ(std::set<std::uint32_t>(first->values.begin() + 8, first->values.begin() + 13).size(),
            5u);
  EXPECT_EQ(std::set<std::uint32_t>(first->values.begin() + 13, first->values.end()).size(), 9u);
  roll.number = 1;
  EXPECT_NE(chance.roll(roll)->values, first->values);
}

TEST(Bot, AGameThatCannotGoOnSaysWhy) {
  BotOptions options;
  options.system = "freeform";
  options.spec.scenario = "duel";
  auto played = play_bot_game(options);
  ASSERT_TRUE(played.ok()) << played.error().text;
  EXPECT_NE(played->failure.find("nobody has anything to decide"), std::string::npos);
  options.system = "chess";
  EXPECT_FALSE(play_bot_game(options).ok());
}

TEST(Bot, OneSeedIsOneGame) {
  BotOptions options;
  options.system = "eastfront";
  options.spec.scenario = "Edelweiss";
  options.seed = 11;
  options.orders_max = 100;
  auto first = play_bot_game(options);
  auto again = play_bot_game(options);
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(first->position, again->position);
  ASSERT_EQ(first->commits.size(), again->commits.size());
  for (std::size_t i = 0; i < first->commits.size(); ++i) {
    ASSERT_EQ(first->commits[i].size(), again->commits[i].size());
    for (std::size_t k = 0; k < first->commits[i].size(); ++k) {
      ASSERT_TRUE(equal(first->commits[i][k], again->commits[i][k]));
    }
  }
}

TEST(Bot, AGameKeptInTheStoreGoesOnWhereItWasCutOff) {
  BotOptions options;
  options.system = "eastfront";
  options.spec.scenario = "Edelweiss";
  options.seed = 2;
  options.orders_max = 15;
  World world, straight;
  const KeepDetails details{"a game", random_id()};
  auto first = keep_bot_game(world.referee(), world.store(), world.time(), options, details);
  ASSERT_TRUE(first.ok()) << first.error().text;
  world.reopen();
  options.orders_max = 30;
  auto second = keep_bot_game(world.referee(), world.store(), world.time(), options, details);
  ASSERT_TRUE(second.ok()) << second.error().text;
  EXPECT_EQ(first->game, second->game);
  EXPECT_EQ(second->orders, 30u);
  EXPECT_EQ(world.store().stats()->games, 1u);
}

TEST(Demo, LoadingTheDemoGamesTwiceChangesNothing) {
  World world;
  auto first = load_demos(world.referee(), world.store(), world.time());
  ASSERT_TRUE(first.ok()) << first.error().text;
  ASSERT_FALSE(first->empty());
  const auto before = world.store().stats();
  world.reopen();
  auto again = load_demos(world.referee(), world.store(), world.time());
  ASSERT_TRUE(again.ok()) << again.error().text;
  for (const DemoGame& game : *again) EXPECT_TRUE(game.was_there) << game.name;
  EXPECT_EQ(world.store().stats()->events, before->events);
  EXPECT_EQ(world.store().stats()->games, before->games);
}

}  // namespace
}  // namespace wardiary

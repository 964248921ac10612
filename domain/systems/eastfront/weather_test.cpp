// Weather [12]: calendar and tables.
#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

Weather weather(World& world, int turn, std::vector<std::uint32_t> dice) {
  world.phase(Phase::kWeather, kNoSide, turn);
  world.draft([](Draft& draft) { roll_weather(draft); }, std::move(dice));
  return world.now().east_weather();
}

TEST(Weather, OfTheEastFollowsTheTable) {
  World summer("S41");  // turn 1 June II, then two a month
  EXPECT_EQ(weather(summer, 1, {}), Weather::kDry);
  EXPECT_EQ(weather(summer, 7, {}), Weather::kDry);        // September
  EXPECT_EQ(weather(summer, 8, {2, 4}), Weather::kDry);    // October, even
  EXPECT_EQ(weather(summer, 9, {2, 5}), Weather::kMud);    // October, odd
  EXPECT_EQ(weather(summer, 10, {1, 6}), Weather::kMud);   // November, odd
  EXPECT_EQ(weather(summer, 11, {3, 3}), Weather::kSnow);  // November, even
  World winter("W41");
  EXPECT_EQ(weather(winter, 1, {}), Weather::kSnow);      // December
  EXPECT_EQ(weather(winter, 6, {}), Weather::kSnow);      // February
  EXPECT_EQ(weather(winter, 7, {1, 2}), Weather::kMud);   // March, odd
  EXPECT_EQ(weather(winter, 8, {1, 1}), Weather::kSnow);  // March, even
  EXPECT_EQ(weather(winter, 9, {}), Weather::kMud);       // April
  EXPECT_EQ(weather(winter, 11, {5, 4}), Weather::kMud);  // May, odd
  EXPECT_EQ(weather(winter, 12, {5, 5}), Weather::kDry);  // May, even
}

TEST(Weather, OfTheWestIsRolledOnceTheSovietsAreThere) {
  World world("S44");
  const auto west = [&] { return static_cast<Weather>(world.now().track(t::kWestWeather)); };
  weather(world, 11, {1, 1});  // November: nobody rolls for the West yet
  EXPECT_EQ(west(), Weather::kDry);
  world.set(t::kArmyGroupE, 1);
  weather(world, 11, {1, 1, 2, 3});
  EXPECT_EQ(west(), Weather::kMud);
  World winter("W44");
  weather(winter, 1, {});
  EXPECT_EQ(static_cast<Weather>(winter.now().track(t::kWestWeather)), Weather::kMud);
  weather(winter, 5, {4, 4});  // February
  EXPECT_EQ(static_cast<Weather>(winter.now().track(t::kWestWeather)), Weather::kDry);
  World always("S41", {{"westWeatherAlways", "on"}});
  weather(always, 10, {1, 2, 1, 2});
  EXPECT_EQ(static_cast<Weather>(always.now().track(t::kWestWeather)), Weather::kMud);
}

}  // namespace
}  // namespace wardiary::eastfront

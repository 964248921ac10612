// Strategic objectives and satellites [16, 2.66].
#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

void look(World& world) {
  world.draft([](Draft& draft) { update_objectives(draft); });
}

TEST(Satellites, AreFreedAndBoundByTwoCities) {  // 16.4
  World world("S41");
  const auto bound = [&](const char* unit) {
    return world.now().is(world.unit(unit), u::kRestricted);
  };
  EXPECT_TRUE(bound("Rom3"));
  world.hold("Odessa", kAxis);
  look(world);
  EXPECT_FALSE(bound("Rom3"));
  EXPECT_TRUE(bound("Rom4"));
  EXPECT_EQ(world.now().track(t::kItalianDue), 0);
  world.hold("Sevastopol", kAxis);
  look(world);
  EXPECT_FALSE(bound("Rom4"));
  EXPECT_FALSE(bound("Hun2"));
  EXPECT_TRUE(bound("Rom1"));
  EXPECT_EQ(world.now().track(t::kItalianDue), 1);
  // Either city back in Soviet hands binds them all again.
  world.hold("Odessa", kSoviet);
  look(world);
  EXPECT_TRUE(bound("Rom3"));
  EXPECT_TRUE(bound("Hun2"));
  world.hold("Odessa", kAxis);
  look(world);
  EXPECT_FALSE(bound("Hun2"));
  // Rebuilt satellites stay bound [11.42].
  world.set(world.unit("Hun2"), u::kRebuilt, 1);
  look(world);
  EXPECT_TRUE(bound("Hun2"));
}

TEST(Satellites, MayStandAtHomeAndNextToIt) {
  World world("S42");
  const UnitId romanian = world.unit("Rom4");
  EXPECT_TRUE(satellite_may_enter(world.now(), romanian, world.hex("Bucharest")));
  EXPECT_TRUE(satellite_may_enter(world.now(), romanian, world.hex("Kishinev")));  // 1939
  EXPECT_TRUE(satellite_may_enter(world.now(), romanian, world.hex("Tiraspol")));
  EXPECT_FALSE(satellite_may_enter(world.now(), romanian, world.hex("Kiev")));
  EXPECT_TRUE(satellite_may_enter(world.now(), world.unit("1AK"), world.hex("Budapest")));
  // Outside its area a bound satellite is unsupplied [16.4].
  world.clear_map();
  world.put("Rom4", "Minsk", 3);
  EXPECT_EQ(supply_report(world.now()).front().status, "unsupplied");
}

TEST(Satellites, HungaryStandsAsideInJune1941) {  // [S41 4]
  World world("S41");
  EXPECT_FALSE(may_move_at_all(world.now(), world.unit("Hun1")));
  EXPECT_FALSE(satellite_may_enter(world.now(), world.unit("1AK"), world.hex("Budapest")));
  world.phase(Phase::kCommand, kAxis, 2);
  EXPECT_TRUE(may_move_at_all(world.now(), world.unit("Hun1")));
  EXPECT_TRUE(satellite_may_enter(world.now(), world.unit("1AK"), world.hex("Budapest")));
}

struct Surrender : ::testing::Test {
  World world{"S44"};
  void SetUp() override {
    world.clear_map();
    world.lose("Rom2");
    world.put("Rom1", "Bucharest", 2);
    world.put("Rom3", "Turnu Severin", 3);
    world.put("Rom4", "Timisoara", 4);
    world.put("1AK", "Bucharest", 4);
    for (const char* hex : {"Jassy", "Focsani", "Tulcea"}) world.hold(hex, kSoviet);
    world.phase(Phase::kSupply, kSoviet, 3);
    world.set(t::kPlayerTurn, 2);
    world.draft([](Draft& draft) { continue_supply(draft); });
  }
};

TEST_F(Surrender, IsRolledBelowHexesAndLosses) {
  ASSERT_EQ(world.now().asked(kSoviet), Ask::kSurrender);
  // Three hexes and one lost unit (the static 2nd Army): 3 or less.
  Order roll = order("RollSurrender", kSoviet);
  EXPECT_EQ(world.give(Order(roll).with_choice("country", "Bulgaria"), {}), "NO_ROLL");
  EXPECT_EQ(world.give(roll.with_choice("country", "Romania"), {4}), "");
  EXPECT_EQ(world.now().track(t::kRomania), 0);
  EXPECT_NE(world.now().phase(), Phase::kSupply);  // nothing else to roll: play goes on
}

TEST_F(Surrender, TurnsOneUnitAndRemovesTheRest) {
  Order roll = order("RollSurrender", kSoviet);
  ASSERT_EQ(world.give(roll.with_choice("country", "Romania"), {3}), "");
  ASSERT_EQ(world.now().asked(kSoviet), Ask::kDefector);
  EXPECT_EQ(world.check_legal(kSoviet), 2u);  // not the one beside the Germans
  Order choose = order("ChooseDefector", kSoviet);
  EXPECT_EQ(world.give(choose.with("unit", world.unit("Rom1"))), "NOT_A_DEFECTOR");
  EXPECT_EQ(world.give(choose.with("unit", world.unit("Rom4"))), "");
  const Situation now = world.now();
  EXPECT_EQ(now.side(world.unit("Rom4")), kSoviet);
  EXPECT_EQ(now.cv(world.unit("Rom4")), 4);
  EXPECT_EQ(now.fate(world.unit("Rom1")), Fate::kEliminated);
  EXPECT_EQ(now.fate(world.unit("Rom3")), Fate::kEliminated);
  EXPECT_EQ(now.track(t::kRomania), static_cast<int>(Allegiance::kSurrendered));
  EXPECT_TRUE(now.friendly(world.hex("Ploesti"), kAxis));  // control is unchanged
}

TEST_F(Surrender, MayBePassed) {
  EXPECT_EQ(world.give(order("Pass", kSoviet)), "");
  EXPECT_EQ(world.now().track(t::kRomania), 0);
}

TEST(Satellites, SurrenderedCountriesWithoutAxisUnitsAreConquered) {  // 16.11
  World world("S44");
  world.clear_map();
  world.set(t::kBulgaria, static_cast<int>(Allegiance::kSurrendered));
  world.set(t::kRomania, static_cast<int>(Allegiance::kSurrendered));
  world.put("1AK", "Bucharest", 4);
  world.phase(Phase::kSupply, kSoviet, 3);
  world.draft([](Draft& draft) { end_of_turn_checks(draft); });
  EXPECT_TRUE(world.now().friendly(world.hex("Sofia"), kSoviet));
  EXPECT_FALSE(world.now().friendly(world.hex("Ploesti"), kSoviet));
  EXPECT_EQ(world.now().track(t::kBulgaria), static_cast<int>(Allegiance::kConquered));
}

TEST(HungarianPlain, DrawsTheNearestUnitOffTheMap) {  // 16.7
  World world("S44");
  world.clear_map();
  world.put("6GA", "Szeged", 4);
  world.put("1AK", "Budapest", 4);
  world.put("2AK", "Novi Sad", 4);
  world.put("3Pz", "Warsaw", 4);
  world.phase(Phase::kCombat, kSoviet, 3);
  world.draft([](Draft& draft) { EXPECT_TRUE(end_of_phase_checks(draft)); });
  ASSERT_EQ(world.now().asked(kAxis), Ask::kOffMapUnit);  // two equally near
  EXPECT_EQ(world.check_legal(kAxis), 2u);
  Order choose = order("ChooseOffMapUnit", kAxis);
  EXPECT_EQ(world.give(choose.with("unit", world.unit("3Pz"))), "NOT_NEAREST");
  EXPECT_EQ(world.give(choose.with("unit", world.unit("2AK"))), "");
  EXPECT_EQ(world.now().fate(world.unit("2AK")), Fate::kOffMap);
  EXPECT_FALSE(world.position.on_board(world.unit("2AK")));
  // It comes back when the Soviets have left.
  world.draft([](Draft& draft) { return_off_map_units(draft); });
  EXPECT_FALSE(world.position.on_board(world.unit("2AK")));
  world.lose("6GA");
  world.draft([](Draft& draft) { return_off_map_units(draft); });
  EXPECT_EQ(world.now().at(world.unit("2AK")), world.hex("Szeged"));
}

TEST(HungarianPlain, IgnoresEngagedUnitsAndContestedHexes) {
  World world("S44");
  world.clear_map();
  world.put("6GA", "Szeged", 4);
  world.put("1AK", "Szeged", 4);
  world.battle("Szeged", kAxis);
  world.phase(Phase::kCombat, kSoviet, 3);
  world.draft([](Draft& draft) { EXPECT_FALSE(end_of_phase_checks(draft)); });
  EXPECT_TRUE(world.position.on_board(world.unit("1AK")));
}

}  // namespace
}  // namespace wardiary::eastfront

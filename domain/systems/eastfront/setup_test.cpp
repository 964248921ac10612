// Free set-up [3.2]: force table, start line, spacing, garrisons.
#include "domain/systems/eastfront/setup.h"
#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

Order first_selection(const World& world, SideId side) {
  Order found;
  world.game.system->legal_orders(world.game, world.position, side, [&](const Order& each) {
    found = each;
    return false;
  });
  return found;
}

// A selection with one number changed.
Order with_number(Order order, std::size_t index, int value) {
  std::vector<std::int32_t> units = order.numbers("units");
  units[index] = value;
  return order.with("units", units);
}

Order place(const World& world, SideId side, std::string_view unit, std::string_view hex) {
  return order("PlaceSetup", side).with("unit", world.unit(unit)).with("hex", world.hex(hex));
}

struct FreeSetup : ::testing::Test {
  World world{"S43"};  // Axis sets up first
  Order forces = first_selection(world, kAxis);
};

TEST_F(FreeSetup, TakesTheForceTableExactly) {
  std::vector<std::int32_t> units = forces.numbers("units");
  // T-04: one unit less is no force.
  Order fewer = forces;
  EXPECT_EQ(
      world.give(fewer.with("units", std::vector<std::int32_t>(units.begin() + 2, units.end()))),
      "FORCE_TOTAL");
  EXPECT_EQ(world.give(with_number(forces, 1, 9)), "OVER_MAX");
  EXPECT_EQ(world.give(with_number(forces, 0, world.unit("6GA").value)), "NOT_IN_POOL");
  EXPECT_EQ(world.give(with_number(forces, 0, world.unit("Ita8").value)), "NOT_IN_POOL");
  EXPECT_EQ(world.give(with_number(forces, 2, units[0])), "NOT_IN_POOL");  // twice
  EXPECT_EQ(world.give(forces), "");
  EXPECT_EQ(world.now().asked(kAxis), Ask::kPlaceSetup);
}

TEST_F(FreeSetup, RefusesOnePointTooMany) {
  // The Axis mech line of S43 is 3 units with 12: all at 4. The static line is 2 with 2; armor 12
  // with 42: raise one that is below its maximum.
  std::vector<std::int32_t> units = forces.numbers("units");
  for (std::size_t i = 0; i < units.size(); i += 2) {
    const UnitFacts& facts = world.now().facts(UnitId{units[i]});
    if (facts.type != UnitType::kArmor || units[i + 1] >= facts.max_cv) continue;
    EXPECT_EQ(world.give(with_number(forces, i + 1, units[i + 1] + 1)), "FORCE_TOTAL");
    return;
  }
  FAIL() << "no armor unit below its maximum";
}

TEST_F(FreeSetup, KeepsToItsSideOfTheLine) {
  ASSERT_EQ(world.give(forces), "");
  EXPECT_EQ(world.give(place(world, kAxis, "OKH", "Moscow")), "NOT_OWN_SIDE");
  EXPECT_EQ(world.give(place(world, kAxis, "OKH", "Warsaw")), "");
  EXPECT_EQ(world.give(place(world, kAxis, "AGC", "Warsaw")), "HQ_SPACING");
  EXPECT_EQ(world.give(place(world, kAxis, "AGC", "Lublin")), "HQ_SPACING");
  EXPECT_EQ(world.give(place(world, kAxis, "AGC", "Minsk")), "");
  EXPECT_EQ(world.give(place(world, kAxis, "6GA", "Minsk")), "NOT_IN_POOL");
  // Satellites stay at home from Summer 1943 [S43 2].
  EXPECT_EQ(world.give(place(world, kAxis, "Rom3", "Kiev")), "SATELLITE_RESTRICTED");
  EXPECT_EQ(world.give(place(world, kAxis, "Rom3", "Bucharest")), "");
  EXPECT_EQ(world.give(order("FinishSetup", kAxis)), "FRONT_HEX_EMPTY");
}

TEST_F(FreeSetup, StacksWithinTheLimit) {
  ASSERT_EQ(world.give(forces), "");
  for (const char* unit : {"3Pz", "14Pz", "24Pz", "39Pz"}) {
    ASSERT_EQ(world.give(place(world, kAxis, unit, "Minsk")), "");
  }
  EXPECT_EQ(world.give(place(world, kAxis, "40Pz", "Minsk")), "STACKING");
  EXPECT_EQ(world.give(place(world, kAxis, "39Pz", "Kiev")), "");  // placed before, moved
  EXPECT_EQ(world.give(place(world, kAxis, "40Pz", "Minsk")), "");
}

// Summer 1943: the 3rd SS corps is due in July and comes at set-up, to a home city [11.6].
TEST_F(FreeSetup, BringsReinforcementsOfTheFirstMonth) {
  ASSERT_EQ(world.give(forces), "");
  Order bring = order("PlaceReinforcement", kAxis).with("unit", world.unit("3SSPz"));
  EXPECT_EQ(world.give(bring.with("hex", world.hex("Kiev"))), "BAD_ARRIVAL_HEX");
  EXPECT_EQ(world.give(bring.with("hex", world.hex("Danzig"))), "");
  EXPECT_EQ(world.now().cv(world.unit("3SSPz")), 3);
}

TEST(Setup, EveryFrontHexMustBeHeld) {
  World world("S41", {{"historicalSetup", "off"}});
  ASSERT_EQ(world.give(first_selection(world, kSoviet)), "");
  // District units belong on the front line, the others into the cities [S41 1B].
  EXPECT_EQ(world.give(place(world, kSoviet, "8A", "Riga")), "NOT_ON_FRONT");
  const Situation now = world.now();
  const Deployment deployment(now, kSoviet);
  int cities = 0, front = 0;
  for (const auto& need : deployment.needs()) {
    (need.units.size() == 21 ? cities : front) += need.missing;
  }
  EXPECT_EQ(front, 17);
  EXPECT_EQ(cities, 21);  // 18 cities, Leningrad two, Moscow three
}

TEST(Setup, StalingradIsGarrisonedInWinter1942) {
  World world("W42");
  const Situation now = world.now();
  const Deployment deployment(now, kAxis);
  bool found = false;
  for (const Garrison& garrison : world.now().data.garrisons) {
    if (garrison.side != kAxis || garrison.at != world.hex("Stalingrad")) continue;
    found = true;
    EXPECT_EQ(garrison.units, 4);
    EXPECT_EQ(garrison.cv, 12);
    EXPECT_TRUE(garrison.armor);
  }
  EXPECT_TRUE(found);
  // All four expeditionary armies are free, the other satellites are not [W42 4].
  for (const char* unit : {"Rom3", "Rom4", "Hun2", "Ita8"}) {
    EXPECT_FALSE(world.now().is(world.unit(unit), u::kRestricted)) << unit;
  }
  EXPECT_TRUE(world.now().is(world.unit("Rom1"), u::kRestricted));
}

TEST(Setup, WinterOf1944StartsAfterTheSurrenders) {
  const World world("W44");
  EXPECT_EQ(world.now().track(t::kRomania), static_cast<int>(Allegiance::kSurrendered));
  EXPECT_EQ(world.now().track(t::kHungary), static_cast<int>(Allegiance::kSurrendered));
  EXPECT_EQ(world.now().track(t::kBulgaria), static_cast<int>(Allegiance::kSurrendered));
  EXPECT_EQ(world.now().data.off_map_foes.size(), 3u);
  // Courland is fed by sea from Danzig though the naval rules are off [W44 1].
  const RailNet net = rail_net(world.now(), kAxis);
  EXPECT_TRUE(net.in[world.hex("Ventspils").index()]);
}

}  // namespace
}  // namespace wardiary::eastfront

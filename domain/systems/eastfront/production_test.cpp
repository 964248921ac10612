// Production [11]: the tutorial's August, prices, arrivals, sealed orders.
#include "domain/systems/eastfront/production.h"
#include "domain/schema/event_generated.h"
#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

void begin(World& world, int turn) {
  world.phase(Phase::kProduction, kNoSide, turn);
  world.draft([](Draft& draft) {
    recompute_control(draft);
    begin_production(draft);
  });
}

Order step(const World& world, SideId side, std::string_view unit) {
  return order("AddStep", side).with("unit", world.unit(unit));
}
Order at(const World& world, const char* type, SideId side, std::string_view unit,
         std::string_view hex) {
  return order(type, side).with("unit", world.unit(unit)).with("hex", world.hex(hex));
}
int points(const World& world, SideId side) {
  return world.now().track(of_side(t::kAxisPoints, side));
}

struct August : ::testing::Test {
  World world{"Edelweiss"};
  void SetUp() override {
    world.set(world.unit("U"), u::kCv, 1);
    world.set(world.unit("S"), u::kCv, 2);
    world.set(world.unit("V"), u::kCv, 3);
    world.set(world.unit("K"), u::kCv, 2);
    begin(world, 2);
  }
};

TEST_F(August, AxisSpendsTwentySix) {  // E-08
  EXPECT_EQ(points(world, kAxis), 28);
  for (const char* unit : {"U", "R", "S", "V"}) EXPECT_EQ(world.give(step(world, kAxis, unit)), "");
  EXPECT_EQ(points(world, kAxis), 2);
  EXPECT_EQ(world.now().cv(world.unit("U")), 2);
  EXPECT_EQ(world.now().cv(world.unit("R")), 4);
  EXPECT_EQ(world.give(step(world, kAxis, "U")), "ALREADY_STEPPED");
  EXPECT_EQ(world.give(step(world, kAxis, "X")), "AT_MAX");
  EXPECT_EQ(world.give(step(world, kAxis, "T")), "INSUFFICIENT_PP");  // 5 for a mountain corps
}

TEST_F(August, SovietsSpendTwentyNine) {  // E-09
  EXPECT_EQ(points(world, kSoviet), 30);
  for (const char* unit : {"K", "G", "H", "D"}) {
    EXPECT_EQ(world.give(step(world, kSoviet, unit)), "") << unit;
  }
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "L", "Batumi")), "");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "M", "Grozny")), "");
  EXPECT_EQ(points(world, kSoviet), 1);
  EXPECT_EQ(world.now().cv(world.unit("L")), 1);
  EXPECT_EQ(world.give(step(world, kSoviet, "L")), "NEW_UNIT");
}

TEST_F(August, RefusesWhatTheRulesRefuse) {
  EXPECT_EQ(world.give(step(world, kAxis, "N")), "ENGAGED");
  EXPECT_EQ(world.give(step(world, kAxis, "A")), "NOT_ON_MAP");
  EXPECT_EQ(world.give(step(world, kSoviet, "L")), "NOT_ON_MAP");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "J", "Baku")), "NOT_ELIMINATED");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "M", "Rostov E1")), "BAD_ARRIVAL_HEX");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "M", "Kiev")), "BAD_ARRIVAL_HEX");
  EXPECT_EQ(world.give(at(world, "PlaceReinforcement", kSoviet, "M", "Grozny")), "NOT_DUE");
  EXPECT_EQ(world.give(order("PrepBeachhead", kSoviet)), "WRONG_BH_STATE");
  EXPECT_EQ(world.give(order("RollSurrender", kSoviet).with_choice("country", "Romania")),
            "WRONG_PHASE");
}

TEST_F(August, DisbandedUnitsWaitAMonth) {
  EXPECT_EQ(world.give(order("Disband", kSoviet).with("unit", world.unit("J"))), "");
  EXPECT_FALSE(world.position.on_board(world.unit("J")));
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "J", "Tbilisi")), "DISBANDED_THIS_MONTH");
}

TEST_F(August, OneArrivalInAMinorCityTwoInAMajorOne) {
  world.lose("A");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "L", "Grozny")), "");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "M", "Grozny")), "ARRIVAL_CAPACITY");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "M", "Moscow")), "");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "A", "Moscow")), "");
}

TEST_F(August, EndsWhenBothHaveCommitted) {
  EXPECT_EQ(world.give(order("CommitProduction", kAxis)), "");
  EXPECT_EQ(world.now().phase(), Phase::kProduction);
  EXPECT_EQ(world.now().asked(kAxis), Ask::kNothing);
  EXPECT_EQ(points(world, kAxis), 0);
  EXPECT_EQ(world.give(order("CommitProduction", kSoviet)), "");
  EXPECT_EQ(world.now().phase(), Phase::kCommand);
}

TEST_F(August, OffersOnlyWhatItAccepts) {
  EXPECT_GT(world.check_legal(kAxis), 5u);
  EXPECT_GT(world.check_legal(kSoviet), 5u);
}

TEST_F(August, HidesSpendingFromTheEnemy) {
  ScriptedChance chance({});
  Verdict verdict = decide(world.game, world.position, step(world, kAxis, "U"), chance);
  const EventList& events = std::get<Accepted>(verdict).events;
  ASSERT_GE(events.size(), 4u);  // the order; points, strength and mark of the unit
  for (std::size_t i = 1; i < events.size(); ++i) {
    EXPECT_EQ(trusted_event(events[i])->visible_to(), 1u << kAxis.value);
  }
}

// --- prices

Price price(const World& world, std::string_view unit) {
  const Situation now = world.now();
  const OilState oil = oil_state(now, rail_net(now, kAxis), rail_net(now, kSoviet));
  return price_of(now, world.unit(unit), oil);
}

TEST(Price, IsThatOfTheTable) {
  const World world("S42");
  const auto expect = [&](const char* unit, int step_price, int cadre_price) {
    EXPECT_EQ(price(world, unit).step, step_price) << unit;
    EXPECT_EQ(price(world, unit).cadre, cadre_price) << unit;
  };
  expect("3Pz", 8, 12);
  expect("2SSPz", 8, 12);
  expect("50Mot", 6, 9);
  expect("1AK", 4, 6);
  expect("54AK", 4, 6);
  expect("49Geb", 5, 8);
  expect("Rom2", 3, 2);
  expect("AGC", 10, 20);
  expect("OKH", 10, 20);
  expect("4Tk", 4, 8);
  expect("5Mk", 3, 6);
  expect("3A", 2, 4);
  expect("1Cav", 3, 6);
  expect("1Sh", 3, 6);
  expect("4Para", 6, 12);
  expect("Coast", 2, 6);
  expect("STAVKA", 10, 20);
}

TEST(Price, OfHeadquartersRisesWithoutOil) {
  World world("S42");
  world.hold("Ploesti", kSoviet);
  EXPECT_EQ(price(world, "AGC").step, 15);  // 16.2
  EXPECT_EQ(price(world, "AGC").cadre, 30);
  world.hold("Baku", kAxis);  // lost to the Soviets, but without rail to the west
  EXPECT_EQ(price(world, "AGC").step, 15);
  EXPECT_EQ(price(world, "STAVKA").step, 15);  // 16.6
  EXPECT_EQ(price(world, "3A").step, 2);
  const World winter("W41");
  EXPECT_EQ(price(winter, "AGC").step, 15);  // [W41 1]
  EXPECT_EQ(price(winter, "AGC").cadre, 30);
}

TEST(Level, CountsResourcesTwiceForTheAxis) {  // T-02, T-03
  World world("S42");
  const auto of = [&](SideId side, std::string_view source) {
    for (const LevelTerm& term : production_level(world.now(), side)) {
      if (term.source == source) return term.value;
    }
    return 0;
  };
  EXPECT_EQ(of(kAxis, "Ploesti oil"), 8);
  EXPECT_EQ(of(kAxis, "Stalino") + of(kAxis, "Stalino mineral"), 4);
  EXPECT_EQ(of(kAxis, "base"), 40);
  const World summer("S41");
  int stalino = 0;
  for (const LevelTerm& term : production_level(summer.now(), kSoviet)) {
    if (term.source.starts_with("Stalino")) stalino += term.value;
  }
  EXPECT_EQ(stalino, 3);
}

TEST(Level, FallsWithItsRoutes) {  // 16.3, 16.61, T-29
  World world("W42");
  const int before = world.now().track(t::kSovietLevel);
  world.hold("Astrakhan", kAxis);
  world.draft([](Draft& draft) { update_objectives(draft); });
  EXPECT_EQ(world.now().track(t::kSovietLevel), before - 5);
  world.hold("Vologda", kAxis);
  world.draft([](Draft& draft) { update_objectives(draft); });
  EXPECT_EQ(world.now().track(t::kSovietLevel), before - 10);
  // Baku itself: ten points of oil, and no base penalty for the sea route.
  world.hold("Vologda", kSoviet);
  world.hold("Baku", kAxis);
  world.draft([](Draft& draft) { update_objectives(draft); });
  int oil = 0;
  for (const LevelTerm& term : production_level(world.now(), kSoviet)) {
    oil += term.source == "Baku oil";
  }
  EXPECT_EQ(oil, 0);
  EXPECT_EQ(world.now().track(t::kSeaOilCut), 0);
}

TEST(Level, BaseNeverFallsBelowZero) {  // A-21
  World world("S41");
  const int before = world.now().track(t::kSovietLevel);
  world.hold("Vologda", kAxis);
  world.draft([](Draft& draft) { update_objectives(draft); });
  EXPECT_EQ(world.now().track(t::kSovietLevel), before);
}

// --- reinforcements

TEST(Reinforcement, ComesInItsMonthOrOneEarlier) {
  World world("S41");
  begin(world, 2);  // July
  EXPECT_EQ(world.give(at(world, "PlaceReinforcement", kAxis, "42AK", "Krakow")), "NOT_DUE");
  Order early = at(world, "BringEarly", kAxis, "42AK", "Krakow");
  EXPECT_EQ(world.give(early.with_choice("mode", "ReduceCV")), "");
  EXPECT_EQ(world.now().cv(world.unit("42AK")), 3);
  Order too_early = at(world, "BringEarly", kAxis, "16AK", "Danzig");
  EXPECT_EQ(world.give(too_early.with_choice("mode", "PayCadre")), "TOO_EARLY");
  EXPECT_EQ(world.give(at(world, "PlaceReinforcement", kAxis, "40Pz", "Danzig")), "");
  EXPECT_EQ(world.now().cv(world.unit("40Pz")), 4);
  EXPECT_EQ(points(world, kAxis), 54);
}

TEST(Reinforcement, ComesEarlyForThePriceOfACadre) {
  World world("W41");
  world.clear_map();
  begin(world, 9);  // April 1942: Guards tanks 1 and 2 due, 3 in May
  Order pay = at(world, "BringEarly", kSoviet, "3GTk", "Moscow");
  EXPECT_EQ(world.give(Order(pay).with_choice("mode", "ReduceCV")), "CV_TOO_LOW");
  const int before = points(world, kSoviet);
  EXPECT_EQ(world.give(pay.with_choice("mode", "PayCadre")), "");
  EXPECT_EQ(points(world, kSoviet), before - 8);
  // May's last reinforcement is June's: not in this scenario.
  begin(world, 11);
  Order june = at(world, "BringEarly", kSoviet, "5GTk", "Moscow");
  EXPECT_EQ(world.give(june.with_choice("mode", "PayCadre")), "TOO_EARLY");
}

TEST(Replacement, SSAndFortressAndSatelliteLimits) {
  World world("W43");
  world.clear_map();
  world.put("2SSPz", "Warsaw", 2);
  world.put("3SSPz", "Warsaw", 2);
  world.put("6GA", "Leningrad", 2);
  // The ring around Leningrad.
  world.put("1AK", "Volkhov", 4);
  world.put("2AK", "Luga", 4);
  world.put("4AK", "Novgorod", 4);
  world.put("5AK", "Narva", 4);
  world.put("Rom3", "Bucharest", 1);
  begin(world, 3);
  EXPECT_EQ(world.give(step(world, kAxis, "2SSPz")), "");
  EXPECT_EQ(world.give(step(world, kAxis, "3SSPz")), "SS_LIMIT");
  EXPECT_EQ(world.give(step(world, kSoviet, "6GA")), "FORTRESS_SUPPLY");
  world.set(world.unit("Ita8"), u::kFate, static_cast<int>(Fate::kEliminated));
  EXPECT_EQ(world.give(at(world, "BuildCadre", kAxis, "Ita8", "Warsaw")), "CANNOT_REBUILD");
  world.set(world.unit("Hun1"), u::kFate, static_cast<int>(Fate::kEliminated));
  EXPECT_EQ(world.give(at(world, "BuildCadre", kAxis, "Hun1", "Warsaw")), "BAD_ARRIVAL_HEX");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kAxis, "Hun1", "Budapest")), "");
  world.set(t::kRomania, static_cast<int>(Allegiance::kSurrendered));
  world.lose("Rom4");
  EXPECT_EQ(world.give(at(world, "BuildCadre", kAxis, "Rom4", "Bucharest")), "CANNOT_REBUILD");
}

TEST(Replacement, NeedsALineNow) {
  World world("S41");
  world.clear_map();
  world.put("1AK", "Smolensk", 2);
  begin(world, 2);
  EXPECT_EQ(world.give(step(world, kAxis, "1AK")), "NO_SUPPLY_LINE");
}

TEST(Cadre, OfAnHQStartsAtNothing) {  // T-21
  World world("S43");
  world.clear_map();
  world.lose("WesF");
  begin(world, 3);
  const int before = points(world, kSoviet);
  EXPECT_EQ(world.give(at(world, "BuildCadre", kSoviet, "WesF", "Moscow")), "");
  EXPECT_EQ(world.now().cv(world.unit("WesF")), 0);
  EXPECT_EQ(points(world, kSoviet), before - 20);
}

TEST(ArmyGroupE, ComesToThePortsOfTheSouth) {  // 16.5
  World world("S44");
  world.clear_map();
  world.put("6GA", "Nis", 4);
  world.draft([](Draft& draft) { end_of_phase_checks(draft); });
  EXPECT_EQ(world.now().track(t::kArmyGroupE), 1);
  begin(world, 3);
  EXPECT_EQ(world.give(at(world, "PlaceReinforcement", kAxis, "21Geb", "Warsaw")),
            "BAD_ARRIVAL_HEX");
  EXPECT_EQ(world.give(at(world, "PlaceReinforcement", kAxis, "21Geb", "Salonika")), "");
  EXPECT_EQ(world.give(at(world, "PlaceReinforcement", kAxis, "22Geb", "Salonika")),
            "ARRIVAL_CAPACITY");
  EXPECT_EQ(world.give(at(world, "PlaceReinforcement", kAxis, "22Geb", "Durazzo")), "");
}

}  // namespace
}  // namespace wardiary::eastfront

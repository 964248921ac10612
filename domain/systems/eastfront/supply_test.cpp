// Control, rail and supply [8, 9, 10] on the real board.
#include <algorithm>

#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

std::string unsupplied(const World& world) {
  std::string out;
  for (const UnitSupply& unit : supply_report(world.now())) {
    if (unit.status == "unsupplied") out += world.now().name(unit.unit);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The position at the last supply phase of the Edelweiss play-through (E-22).
World edelweiss_end() {
  World world("Edelweiss");
  world.clear_map();
  for (const char* hex : {"Rostov E1", "Rostov SE1", "Salsk", "Salsk E1", "Kropotkin", "Krasnodar",
                          "Maikop", "Stavropol", "Armavir", "Novorossiysk"}) {
    world.hold(hex, kAxis);
  }
  world.put("W", "Tuapse", 4);
  world.put("V", "Tuapse E1", 3);
  world.put("X", "Armavir", 2);
  world.put("S", "Armavir E1", 3);
  world.put("U", "Kropotkin", 0);
  world.put("Y", "Salsk", 3);
  world.put("Z", "Rostov E2", 3);
  world.put("T", "Novorossiysk", 3);
  world.put("R", "Kalach", 4);
  world.put("P", "Voroshilovgrad", 2);
  world.put("N", "Stalingrad", 4);
  world.put("O", "Stalingrad", 4);
  world.put("C", "Rostov", 3);
  world.put("E", "Kotelnikovo", 1);
  world.put("H", "Voroshilovgrad", 4);
  world.put("G", "Rostov E2", 2);
  world.put("I", "Stalingrad E1", 0);
  world.put("F", "Stalingrad", 2);
  world.put("L", "Batumi", 1);
  world.put("M", "Grozny", 1);
  world.battle("Voroshilovgrad", kAxis);
  world.battle("Rostov E2", kAxis);
  world.battle("Stalingrad", kSoviet);
  world.phase(Phase::kSupply, kSoviet, 3);
  world.control();
  return world;
}

TEST(Supply, EndOfTheTutorialIsAsPrinted) {
  const World world = edelweiss_end();
  std::string axis;
  for (char unit : unsupplied(world)) {
    if (world.now().side(world.unit(std::string(1, unit))) == kAxis) axis += unit;
  }
  EXPECT_EQ(axis, "NOSUVWXYZ");
  const RailNet net = rail_net(world.now(), kAxis);
  EXPECT_TRUE(net.in[world.hex("Millerovo").index()]);
  EXPECT_TRUE(net.in[world.hex("Kerch").index()]);
  EXPECT_FALSE(net.in[world.hex("Rostov").index()]);
}

TEST(Supply, AttritionFollowsTheCheckOfTheEnemyOnly) {
  World world = edelweiss_end();
  world.draft([](Draft& draft) { continue_supply(draft); });
  const Situation now = world.now();
  EXPECT_FALSE(world.position.on_board(world.unit("U")));  // HQ 0 dies
  EXPECT_EQ(now.cv(world.unit("W")), 3);
  EXPECT_EQ(now.cv(world.unit("X")), 1);
  EXPECT_EQ(now.cv(world.unit("N")), 3);
  EXPECT_EQ(now.cv(world.unit("T")), 3);  // over the strait to Kerch
  EXPECT_EQ(now.cv(world.unit("R")), 4);  // two hexes from Millerovo
  EXPECT_FALSE(now.is(world.unit("W"), u::kSupplied));
  EXPECT_TRUE(now.is(world.unit("R"), u::kSupplied));
  // Soviet H and C have no line either, but are not looked at now.
  EXPECT_EQ(now.cv(world.unit("H")), 4);
  EXPECT_TRUE(now.is(world.unit("H"), u::kSupplied));
}

TEST(Supply, SaysTheWayOrTheReason) {
  const World world = edelweiss_end();
  const RailNet net = rail_net(world.now(), kAxis);
  const SupplyLine good = supply_line(world.now(), world.unit("R"), net);
  ASSERT_TRUE(good.supplied);
  EXPECT_EQ(good.path.front(), world.hex("Kalach"));
  EXPECT_EQ(good.path.back(), world.hex("Millerovo"));
  EXPECT_EQ(good.path.size(), 3u);
  const SupplyLine bad = supply_line(world.now(), world.unit("W"), net);
  EXPECT_FALSE(bad.supplied);
  EXPECT_NE(bad.reason.find("[10.3]"), std::string::npos);
}

// T-16, T-17: zones of control, rivers, disputed hexes.
TEST(Control, ZonesReachOverLandSidesOnly) {
  World world("Edelweiss");
  world.clear_map();
  world.put("F", "Stalingrad", 2);
  world.put("R", "Kotelnikovo", 3);
  for (const char* hex : {"Kalach", "Kotelnikovo E1", "Rostov E2", "Stalingrad E1"}) {
    world.hold(hex, kAxis);
  }
  world.control();
  const Situation now = world.now();
  EXPECT_EQ(now.control(world.hex("Stalingrad")), Control::kSovietHeld);
  EXPECT_EQ(now.control(world.hex("Kotelnikovo")), Control::kAxisHeld);
  // Between them, over no river for either: disputed. Memory stays with the last holder.
  EXPECT_EQ(now.control(world.hex("Kotelnikovo E1")), Control::kDisputed);
  EXPECT_EQ(now.get(world.hex("Kotelnikovo E1"), h::kHeld), kAxis.value);
  // The Volga bars Stalingrad's zone to the east, the Don both zones to Kalach: memory decides.
  EXPECT_EQ(now.control(world.hex("Stalingrad E1")), Control::kAxisHeld);
  EXPECT_EQ(now.control(world.hex("Kalach")), Control::kAxisHeld);
  EXPECT_EQ(now.control(world.hex("Rostov E2")), Control::kAxisHeld);
}

TEST(Control, EngagedAndUnsuppliedUnitsHaveNoZone) {
  World world("Edelweiss");
  world.clear_map();
  world.hold("Kotelnikovo E1", kAxis);
  world.put("F", "Stalingrad", 2);
  world.put("N", "Stalingrad", 4);
  world.battle("Stalingrad", kSoviet);
  world.control();
  EXPECT_EQ(world.now().control(world.hex("Stalingrad")), Control::kSovietHeld);
  EXPECT_EQ(world.now().control(world.hex("Kotelnikovo E1")), Control::kAxisHeld);
  world.lose("N");
  world.battle("Stalingrad", kNoSide);
  world.set(world.unit("F"), u::kSupplied, 0);
  world.control();
  EXPECT_EQ(world.now().control(world.hex("Kotelnikovo E1")), Control::kAxisHeld);
  world.set(world.unit("F"), u::kSupplied, 1);
  world.control();
  EXPECT_EQ(world.now().control(world.hex("Kotelnikovo E1")), Control::kSovietHeld);
}

TEST(Control, DispersedParatroopsHoldNothing) {
  World world("W41", {{"paratroops", "on"}});
  world.clear_map();
  const UnitId para = world.put("4Para", "Minsk", 3);
  world.set(para, u::kDispersed, 1);
  world.control();
  EXPECT_EQ(world.now().control(world.hex("Minsk")), Control::kAxisHeld);
  world.set(para, u::kDispersed, 0);
  world.control();
  EXPECT_EQ(world.now().control(world.hex("Minsk")), Control::kSovietHeld);
}

TEST(Rail, CountsHexesAndStopsAtTheEnemy) {
  World world("Edelweiss");
  const auto way = [&](std::initializer_list<const char*> names) {
    std::vector<SpaceId> out;
    for (const char* name : names) out.push_back(world.hex(name));
    return out;
  };
  // E-07: Tbilisi to Armavir is seven hexes.
  const RailNet net = rail_net(world.now(), kSoviet);
  const UnitId j = world.unit("J");
  const auto path = rail_way(world.now(), net, world.hex("Tbilisi"), world.hex("Armavir"));
  ASSERT_EQ(path.size(), 8u);
  EXPECT_EQ(rail_path_cost(world.now(), j, path).hexes, 7);
  EXPECT_FALSE(rail_path_cost(world.now(), j, path).refused);
  const RailCost jump = rail_path_cost(world.now(), j, way({"Tbilisi", "Moscow"}));
  ASSERT_TRUE(jump.refused);
  EXPECT_EQ(jump.refused->code, "RAIL_BLOCKED");
  const RailCost elsewhere = rail_path_cost(world.now(), j, way({"Moscow", "Tula"}));
  EXPECT_EQ(elsewhere.refused->code, "NOT_ON_RAIL");
}

// 9.5: between two entries of the home edge, two rail hexes for every edge hex between (A-19).
TEST(Rail, RunsOffTheMapBetweenEntries) {
  World world("S41");
  world.put("1AK", "Danzig", 4);
  const SpaceId path[] = {world.hex("Danzig"), world.hex("Krakow")};
  const RailCost cost = rail_path_cost(world.now(), world.unit("1AK"), path);
  EXPECT_FALSE(cost.refused);
  EXPECT_EQ(cost.hexes, 8);  // Elbing, Thorn, Lodz, Czestochowa
  World soviet("S41");
  soviet.put("6GA", "Danzig", 4);
  soviet.lose("1AK");
  EXPECT_TRUE(rail_path_cost(soviet.now(), soviet.unit("6GA"), path).refused);
}

TEST(Rail, ReachesAFriendlyBattleButNotThroughIt) {
  World world("S41");
  const RailNet before = rail_net(world.now(), kSoviet);
  EXPECT_TRUE(before.in[world.hex("Minsk").index()]);
  EXPECT_TRUE(before.in[world.hex("Smolensk").index()]);
  World fight("S41");
  fight.put("3Pz", "Leningrad", 4);
  fight.battle("Leningrad", kSoviet);
  fight.control();
  const RailNet net = rail_net(fight.now(), kSoviet);
  EXPECT_TRUE(net.in[fight.hex("Leningrad").index()]);
}

// 10.5: a fortress feeds its largest unit, whose owner chooses among equals; A-46.
TEST(Supply, FortressFeedsOneUnit) {
  World world("S42");
  world.clear_map();
  world.put("6GA", "Leningrad", 3);
  world.put("10GA", "Leningrad", 3);
  world.put("23A", "Leningrad", 2);
  world.put("1AK", "Volkhov", 4);
  world.put("2AK", "Luga", 4);
  world.put("4AK", "Novgorod", 4);
  world.put("5AK", "Narva", 4);
  world.phase(Phase::kSupply, kAxis);
  world.control();
  world.draft([](Draft& draft) { continue_supply(draft); });
  ASSERT_EQ(world.now().asked(kSoviet), Ask::kFortressUnit);
  EXPECT_EQ(world.check_legal(kSoviet), 2u);
  Order choose = order("ChooseFortressSupplied", kSoviet);
  EXPECT_EQ(world.give(choose.with("unit", world.unit("23A"))), "NOT_LARGEST");
  EXPECT_EQ(world.give(choose.with("unit", world.unit("10GA"))), "");
  EXPECT_EQ(world.now().cv(world.unit("6GA")), 2);
  EXPECT_EQ(world.now().cv(world.unit("10GA")), 3);
  EXPECT_EQ(world.now().cv(world.unit("23A")), 1);
}

// 6.22: units too many after a repulse count as unsupplied; the owner says which.
TEST(Supply, SurplusUnitsStarve) {
  World world("S41");
  world.clear_map();
  for (const char* unit : {"6GA", "10GA", "11GA", "19GA", "20GA"}) world.put(unit, "Moscow", 3);
  world.phase(Phase::kSupply, kAxis);
  world.control();
  world.draft([](Draft& draft) { continue_supply(draft); });
  ASSERT_EQ(world.now().asked(kSoviet), Ask::kOverstack);
  EXPECT_EQ(world.check_legal(kSoviet), 5u);
  const UnitId two[] = {world.unit("6GA"), world.unit("10GA")};
  Order choose = order("ChooseOverstackVictims", kSoviet);
  EXPECT_EQ(world.give(choose.with("units", std::span<const UnitId>(two))), "WRONG_COUNT");
  EXPECT_EQ(world.give(choose.with("units", std::span<const UnitId>(two, 1))), "");
  EXPECT_EQ(world.now().cv(world.unit("6GA")), 2);
  EXPECT_EQ(world.now().cv(world.unit("10GA")), 3);
}

// T-24, T-25: straits and the sea.
TEST(Supply, SeaLinesNeedTheBase) {
  World world("S42", {{"navalPower", "on"}});
  world.clear_map();
  world.put("49Geb", "Novorossiysk", 3);
  world.hold("Novorossiysk", kAxis);
  for (const char* hex : {"Sevastopol", "Rostov", "Kerch", "Perekop", "Simferopol", "Feodosia"}) {
    world.hold(hex, kAxis);
  }
  world.control();
  const RailNet net = rail_net(world.now(), kAxis);
  EXPECT_FALSE(net.in[world.hex("Novorossiysk").index()]);                   // Batumi is Soviet
  EXPECT_TRUE(supply_line(world.now(), world.unit("49Geb"), net).supplied);  // over the strait
}

TEST(Supply, StraitClosesTheSea) {
  World world("S41", {{"navalPower", "on"}});
  const auto same_basin = [&](const char* a, const char* b) {
    for (const auto& ports : sea_basins(world.now(), kSoviet)) {
      const bool first = std::count(ports.begin(), ports.end(), world.hex(a)) > 0;
      const bool second = std::count(ports.begin(), ports.end(), world.hex(b)) > 0;
      if (first && second) return true;
    }
    return false;
  };
  EXPECT_TRUE(same_basin("Rostov", "Odessa"));
  world.hold("Kerch", kAxis);  // T-01
  EXPECT_FALSE(same_basin("Rostov", "Batumi"));
  EXPECT_TRUE(same_basin("Batumi", "Odessa"));
}

TEST(Supply, CourlandLivesByDanzig) {
  World world("W44");
  world.clear_map();
  world.put("AGN", "Ventspils", 2);
  world.control();
  EXPECT_EQ(unsupplied(world), "");
  world.put("6GA", "Danzig", 4);
  world.put("1AK", "Danzig", 4);
  world.battle("Danzig", kAxis);
  world.control();
  EXPECT_NE(unsupplied(world).find("AGN"[0]), std::string::npos);
}

}  // namespace
}  // namespace wardiary::eastfront

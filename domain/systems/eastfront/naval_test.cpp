// Naval power and paratroops [14, 15], optional.
#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

struct Sea : ::testing::Test {
  World world{"S41", {{"navalPower", "on"}}};
  void SetUp() override {
    world.phase(Phase::kMovement, kSoviet, 1);
    world.ask(kSoviet, Ask::kMovement);
    world.position.pending(kAxis) = {};
    world.set(world.unit("STAVKA"), u::kRole, static_cast<int>(Role::kNormal));
    world.set(t::kSupremeLeft, 6);
  }
  Order sail(std::string_view unit, std::string_view to) const {
    return order("SeaMove", kSoviet).with("unit", world.unit(unit)).with("toPort", world.hex(to));
  }
};

TEST_F(Sea, CostsAMoveForEachArea) {  // T-22
  EXPECT_EQ(world.give(sail("Coast", "Rostov")), "");
  EXPECT_EQ(world.now().track(t::kSupremeLeft), 3);
  EXPECT_EQ(world.now().at(world.unit("Coast")), world.hex("Rostov"));
  EXPECT_EQ(world.give(sail("Coast", "Mariupol")), "ALREADY_MOVED");
}

TEST_F(Sea, NeedsBasesStraitsPortsAndCapacity) {
  EXPECT_EQ(world.give(sail("Coast", "Constanta")), "BAD_PORT");
  EXPECT_EQ(world.give(sail("Coast", "Moscow")), "BAD_PORT");
  EXPECT_EQ(world.give(sail("24GA", "Odessa")), "BAD_PORT");  // Moscow is no port
  world.hold("Temryuk", kAxis);
  EXPECT_EQ(world.give(sail("Coast", "Rostov")), "STRAIT_CLOSED");
  EXPECT_EQ(world.give(sail("Coast", "Riga")), "SEA_NOT_CONTROLLED");
  world.hold("Temryuk", kSoviet);
  world.set(t::kSupremeLeft, 2);
  EXPECT_EQ(world.give(sail("Coast", "Rostov")), "NO_SUPREME_MOVES");
  world.set(world.hex("Batumi"), h::kPortUsed, 2);
  EXPECT_EQ(world.give(sail("Coast", "Batumi")), "PORT_CAPACITY");
  world.hold("Sevastopol", kAxis);
  EXPECT_EQ(world.give(sail("Coast", "Nikolaev")), "SEA_NOT_CONTROLLED");
}

TEST_F(Sea, FollowsTheAreasNamed) {
  Order named = sail("Coast", "Rostov");
  EXPECT_EQ(world.give(Order(named).with_text("seaAreas", "black_sea_west, azov")),
            "SEA_NOT_CONTROLLED");
  EXPECT_EQ(world.give(Order(named).with_text("seaAreas", "black_sea_east,azov")),
            "SEA_NOT_CONTROLLED");
  EXPECT_EQ(world.give(named.with_text("seaAreas", "black_sea_west, black_sea_east, azov")), "");
  EXPECT_EQ(world.now().track(t::kSupremeLeft), 3);
}

TEST_F(Sea, CarriesAMobilisingSupremeHQ) {  // 5.62
  const UnitId stavka = world.put("STAVKA", "Odessa", 3);
  world.set(t::kSupremeLeft, 0);
  const SpaceId nikolaev[] = {world.hex("Nikolaev")};
  const SpaceId rostov[] = {world.hex("Rostov")};
  Order go = order("MobiliseHQ", kSoviet).with("hq", stavka).with("sea", 1);
  EXPECT_EQ(world.give(Order(go).with("path", std::span<const SpaceId>(rostov))),
            "NO_SUPREME_MOVES");
  EXPECT_EQ(world.give(go.with("path", std::span<const SpaceId>(nikolaev))), "");
  EXPECT_EQ(world.now().at(stavka), world.hex("Nikolaev"));
  EXPECT_EQ(world.now().cv(stavka), 2);
}

TEST_F(Sea, DoesNotLandInABattle) {  // T-23
  world.put("1AK", "Batumi", 4);
  world.put("9A", "Batumi", 3);
  world.battle("Batumi", kSoviet);
  EXPECT_EQ(world.give(sail("Coast", "Batumi")), "PORT_IN_BATTLE");
}

TEST_F(Sea, IsClosedWithoutTheOption) {
  World land("S41");
  land.phase(Phase::kMovement, kSoviet, 1);
  land.ask(kSoviet, Ask::kMovement);
  EXPECT_EQ(land.give(sail("Coast", "Rostov")), "SEA_NOT_CONTROLLED");
}

struct Invasion : Sea {
  void SetUp() override {
    Sea::SetUp();
    const UnitId hq = world.put("SouF", "Sevastopol", 2);
    world.set(hq, u::kRole, static_cast<int>(Role::kInvasion));
    world.put("9A", "Sevastopol", 3);
    world.lose("Rom1");  // Constanta stands empty
  }
  Order land(std::string_view unit, std::string_view hex) const {
    return order("InvadeBySea", kSoviet)
        .with("unit", world.unit(unit))
        .with("hex", world.hex(hex))
        .with("hq", world.unit("SouF"));
  }
};

TEST_F(Invasion, TakesAnUndefendedPort) {  // T-26
  EXPECT_EQ(world.give(land("9A", "Constanta")), "");
  EXPECT_EQ(world.now().at(world.unit("9A")), world.hex("Constanta"));
  EXPECT_FALSE(world.now().is_battle(world.hex("Constanta")));
  EXPECT_EQ(world.give(land("51A", "Constanta")), "NO_INVASION_HQ");  // one unit for each HQ
  world.lose("Rom4");
  world.control();
  EXPECT_TRUE(rail_net(world.now(), kSoviet).in[world.hex("Constanta").index()]);
}

TEST_F(Invasion, AssaultsADefendedCoast) {  // T-27: repulse on 1-3
  world.put("Rom1", "Constanta", 2);
  EXPECT_EQ(world.give(land("9A", "Constanta")), "");
  EXPECT_TRUE(world.now().is_battle(world.hex("Constanta")));
  EXPECT_EQ(world.now().entry(world.unit("9A")), Entry::kSea);
  EXPECT_EQ(repulse_number(world.now(), world.hex("Constanta")), 3);
}

TEST_F(Invasion, RefusesBadBeachesAndUnits) {
  EXPECT_EQ(world.give(land("9A", "Perekop")), "BAD_BEACH");  // shoal
  EXPECT_EQ(world.give(land("9A", "Vilkovo")), "BAD_BEACH");  // swamp
  EXPECT_EQ(world.give(land("9A", "Moscow")), "BAD_BEACH");   // no coast
  EXPECT_EQ(world.give(land("9A", "Memel")), "BAD_BEACH");    // another sea
  EXPECT_EQ(world.give(land("8A", "Constanta")), "NOT_IN_PORT");
  world.put("7Tk", "Sevastopol", 2);
  EXPECT_EQ(world.give(land("7Tk", "Constanta")), "NOT_INFANTRY_TYPE");
  world.put("Rom1", "Constanta", 2);
  world.set(world.hex("Constanta"), h::kInvaders, 1);
  EXPECT_EQ(world.give(land("9A", "Constanta")), "INVADER_LIMIT");
  world.set(t::kEastWeather, static_cast<int>(Weather::kMud));
  EXPECT_EQ(world.give(land("9A", "Varna")), "BAD_BEACH");
}

TEST_F(Invasion, MarksTheTargetOfTheBlitz) {
  const UnitId hq = world.unit("SouF");
  world.set(hq, u::kBlitz, 1);
  Order first = land("9A", "Constanta");
  EXPECT_EQ(world.give(first.with("blitzTarget", world.hex("Varna"))), "");
  world.phase(Phase::kBlitzMovement, kSoviet, 1);
  world.set(hq, u::kBlitz, 0);
  world.set(hq, u::kCommandUsed, 0);
  EXPECT_EQ(world.give(land("51A", "Constanta")), "TARGET_NOT_MARKED");
  EXPECT_EQ(world.give(land("51A", "Varna")), "");
}

TEST_F(Invasion, EvacuatesACoast) {
  world.put("3A", "Odessa", 3);
  Order leave = order("EvacuateBySea", kSoviet)
                    .with("unit", world.unit("3A"))
                    .with("toPort", world.hex("Sevastopol"))
                    .with("hq", world.unit("SouF"));
  EXPECT_EQ(world.give(leave), "");
  EXPECT_EQ(world.now().at(world.unit("3A")), world.hex("Sevastopol"));
  EXPECT_EQ(world.give(leave), "ALREADY_MOVED");
  EXPECT_EQ(world.give(Order(leave).with("unit", world.unit("2GMk"))), "NO_INVASION_HQ");
}

TEST_F(Invasion, OffersOnlyWhatItAccepts) {
  std::size_t naval = 0;
  legal_naval(world.now(), kSoviet, [&](const Order& each) {
    ScriptedChance chance({});
    const Verdict verdict = decide(world.game, world.position, each, chance);
    EXPECT_TRUE(std::holds_alternative<Accepted>(verdict)) << each.type().name;
    return ++naval < 300;
  });
  EXPECT_GT(naval, 10u);
}

TEST(Beachhead, IsPreparedReadiedDeployedAndLost) {  // 15.51
  World world("W41", {{"navalPower", "on"}});
  world.clear_map();
  EXPECT_EQ(world.now().track(t::kBeachhead), static_cast<int>(Beachhead::kPrep));
  world.phase(Phase::kProduction, kNoSide, 3);
  world.draft([](Draft& draft) { begin_production(draft); });
  EXPECT_EQ(world.give(order("PrepBeachhead", kSoviet)), "WRONG_BH_STATE");
  const int before = world.now().track(t::kSovietPoints);
  EXPECT_EQ(world.give(order("ReadyBeachhead", kSoviet)), "");
  EXPECT_EQ(world.now().track(t::kSovietPoints), before - 20);

  const UnitId coast = world.put("Coast", "Feodosia", 3);
  world.set(coast, u::kInvades, world.hex("Feodosia").value);
  world.position.pending(kAxis) = {};
  world.position.pending(kSoviet) = {};
  world.phase(Phase::kSupply, kSoviet, 3);
  world.set(t::kStage, 0);
  world.draft([](Draft& draft) { continue_supply(draft); });
  ASSERT_EQ(world.now().asked(kSoviet), Ask::kBeachhead);
  EXPECT_EQ(world.give(order("DeployBeachhead", kSoviet).with("hex", world.hex("Kerch"))),
            "BAD_BEACH");
  EXPECT_EQ(world.give(order("DeployBeachhead", kSoviet).with("hex", world.hex("Feodosia"))), "");
  EXPECT_TRUE(fed_by_beachhead(world.now(), world.hex("Feodosia"), kSoviet));
  EXPECT_FALSE(fed_by_beachhead(world.now(), world.hex("Feodosia"), kAxis));
  world.lose("Coast");
  world.put("1AK", "Feodosia", 3);
  world.draft([](Draft& draft) { end_of_phase_checks(draft); });
  EXPECT_EQ(world.now().track(t::kBeachhead), static_cast<int>(Beachhead::kEliminated));
}

// --- paratroops

struct Drop : ::testing::Test {
  World world{"W41", {{"paratroops", "on"}}};
  void SetUp() override {
    world.clear_map();
    world.put("4Para", "Moscow", 3);
    const UnitId hq = world.put("WesF", "Moscow", 2);
    world.set(hq, u::kRole, static_cast<int>(Role::kPara));
    world.phase(Phase::kMovement, kSoviet, 1);
    world.set(t::kEastWeather, static_cast<int>(Weather::kSnow));
    world.position.pending(kAxis) = {};
    world.ask(kSoviet, Ask::kMovement);
  }
  Order drop(std::string_view hex) const {
    return order("ParaDrop", kSoviet)
        .with("unit", world.unit("4Para"))
        .with("hex", world.hex(hex))
        .with("hq", world.unit("WesF"));
  }
};

TEST_F(Drop, ReachesAsFarAsTheAirRange) {
  EXPECT_EQ(world.give(drop("Kiev")), "OUT_OF_RANGE");
  EXPECT_EQ(world.give(drop("Moscow")), "OUT_OF_RANGE");
  EXPECT_EQ(world.give(drop("Kaluga")), "");
  EXPECT_TRUE(world.now().is(world.unit("4Para"), u::kDispersed));
  EXPECT_EQ(world.give(drop("Tula")), "ALREADY_MOVED");
}

TEST_F(Drop, NeedsItsHQ) {
  world.set(world.unit("WesF"), u::kCommandUsed, 1);
  EXPECT_EQ(world.give(drop("Kaluga")), "NO_PARA_HQ");
  world.set(world.unit("WesF"), u::kCommandUsed, 0);
  world.put("WesF", "Tula", 2);
  EXPECT_EQ(world.give(drop("Kaluga")), "NO_PARA_HQ");
  EXPECT_EQ(check_para_role(world.now(), world.unit("WesF"))->code, "PARA_NOT_STACKED");
}

TEST_F(Drop, IsAnAirAssaultOnAnEnemyHex) {  // 14.4: repulse on 1 only
  world.put("1AK", "Kaluga", 2);
  world.hold("Kaluga", kAxis);
  EXPECT_EQ(world.give(drop("Kaluga")), "");
  EXPECT_TRUE(world.now().is_battle(world.hex("Kaluga")));
  EXPECT_EQ(repulse_number(world.now(), world.hex("Kaluga")), 1);
}

TEST_F(Drop, LinksUpOrDies) {  // 14.6, T-28
  const UnitId para = world.unit("4Para");
  world.phase(Phase::kSupply, kSoviet, 1);
  world.set(para, u::kDispersed, 1);
  World far = world;
  far.put("4Para", "Riga", 3);
  far.draft([](Draft& draft) { link_up(draft); });
  EXPECT_FALSE(far.position.on_board(para));
  World near = world;
  near.draft([](Draft& draft) { link_up(draft); });
  EXPECT_TRUE(near.position.on_board(para));
  EXPECT_FALSE(near.now().is(para, u::kDispersed));
  World among = world;
  among.put("4Para", "Riga", 3);
  among.put("6GA", "Riga", 3);
  among.put("1AK", "Riga", 3);
  among.battle("Riga", kAxis);
  among.draft([](Draft& draft) { link_up(draft); });
  EXPECT_TRUE(among.position.on_board(para));
}

}  // namespace
}  // namespace wardiary::eastfront

// Command and movement [5, 6]: radius, paths, limits, retreats, and every refusal of their orders.
#include "domain/systems/eastfront/movement.h"

#include "domain/systems/eastfront/test_field.h"

namespace wardiary::eastfront {
namespace {

TEST(EastFrontCommand, RadiusIsBlockedByTheEnemy) {  // T-06
  Field field;
  field.put("U", "Kalach", 2);
  field.put("F", "Stalingrad", 2);
  field.hold("Stalingrad", kSoviet);
  field.hold("Kotelnikovo E1", kSoviet);
  field.hold("Kotelnikovo", kSoviet);
  field.hold("1812", kSoviet);
  field.put("X", "Stalingrad E1", 4);
  field.put("W", "Kamensko E1", 4);
  field.activate("U");
  EXPECT_FALSE(in_command(field.now(), field.unit("X"), field.unit("U")));
  EXPECT_TRUE(in_command(field.now(), field.unit("W"), field.unit("U")));
  // An own unit in an enemy-controlled hex can be reached, nothing beyond it [A-09].
  field.put("V", "Kotelnikovo", 4);
  EXPECT_TRUE(in_command(field.now(), field.unit("V"), field.unit("U")));
}

TEST(EastFrontCommand, RefusesActivationsThatCannotBe) {
  Field field;
  field.put("U", "Rostov", 2);
  field.put("P", "Kamensko", 3);
  field.put("X", "Rostov", 4);
  field.hold("Rostov E1", kSoviet);
  field.command_phase(kAxis);
  EXPECT_EQ(field.act(kAxis, "P", true), "SHQ_NO_BLITZ");
  EXPECT_EQ(field.act(kAxis, "X"), "NOT_AN_HQ");
  EXPECT_EQ(field.act(kAxis, "U", false, "Rostov E1"), "DEPLOY_NOT_FRIENDLY");
  EXPECT_EQ(field.act(kAxis, "U", false, "Salsk"), "IMPASSABLE");
  field.weather(Weather::kMud);
  EXPECT_EQ(field.act(kAxis, "U", false, "Kamensko"), "NO_DEPLOY_MUD");
  field.weather(Weather::kDry);
  ASSERT_EQ(field.act(kAxis, "U", false, "Kamensko"), "");
  EXPECT_EQ(field.at("U"), "Kamensko");
  EXPECT_EQ(field.act(kAxis, "U"), "ALREADY_ACTIVATED");
  EXPECT_EQ(field.end(kAxis, "EndMovement"), "WRONG_PHASE");
}

TEST(EastFrontCommand, SupremeHeadquartersGivesTwoMovesAPoint) {  // T-07
  Field field;
  field.put("P", "Kamensko", 3);
  field.command_phase(kAxis);
  ASSERT_EQ(field.act(kAxis, "P"), "");
  ASSERT_EQ(field.end(kAxis, "EndCommand"), "");
  EXPECT_EQ(field.now().track(t::kSupremeLeft), 6);
}

TEST(EastFrontMovement, RefusesPathsThatCannotBe) {
  Field field;
  field.put("U", "Rostov", 2);
  field.activate("U");
  field.put("P", "Rostov", 3);
  field.put("X", "Rostov", 4);
  field.put("S", "Rostov", 3);
  field.put("W", "Maikop", 4);
  field.put("A", "Salsk", 3);
  field.hold("Salsk", kSoviet);
  field.movement(kAxis);
  const auto go = [&](std::string_view name, std::initializer_list<std::string_view> path) {
    return field.go(kAxis, "MoveUnit", name, path);
  };
  EXPECT_EQ(go("W", {"Tuapse"}), "NOT_IN_COMMAND");
  EXPECT_EQ(go("S", {"Rostov SE1", "Kropotkin", "Stavropol"}), "TOO_FAR");
  EXPECT_EQ(go("S", {"Krasnodar"}), "IMPASSABLE");
  EXPECT_EQ(go("A", {"Kropotkin"}), "NOT_YOUR_UNIT");
  EXPECT_EQ(go("U", {"Kamensko"}), "HQ_ACTIVE");
  EXPECT_EQ(go("P", {"Rostov SE1", "Salsk"}), "HQ_MAY_NOT_ENGAGE");
  EXPECT_EQ(go("X", {"Rostov SE1", "Salsk", "Kropotkin"}), "MUST_STOP");
  ASSERT_EQ(go("X", {"Rostov SE1", "Salsk"}), "");
  EXPECT_EQ(go("X", {"Rostov SE1"}), "ALREADY_MOVED");
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "W", {"Tuapse"}), "NO_SUPREME_MOVES");
}

TEST(EastFrontMovement, MudHoldsEverybodyBack) {
  Field field;
  field.put("U", "Rostov", 3);
  field.activate("U");
  field.put("X", "Rostov", 4);
  field.movement(kAxis);
  field.weather(Weather::kMud);
  EXPECT_EQ(field.go(kAxis, "MoveUnit", "X", {"Rostov SE1", "Salsk"}), "TOO_FAR");
  EXPECT_EQ(field.go(kAxis, "MoveUnit", "X", {"Rostov SE1"}), "");
}

TEST(EastFrontMovement, HexsideLimitCountsLeavingAndEntering) {  // T-09
  Field field;
  field.put("P", "Voroshilovgrad", 3);
  field.put("X", "Rostov", 4);
  field.put("W", "Rostov", 4);
  field.put("V", "Rostov E1", 4);
  field.put("A", "Rostov", 3);
  field.battle("Rostov", kSoviet);
  field.hold("Rostov", kSoviet);
  field.movement(kAxis, 6);
  ASSERT_EQ(field.go(kAxis, "SupremeMove", "X", {"Rostov E1"}), "");
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "V", {"Rostov"}), "HEXSIDE_LIMIT");
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "W", {"Kamensko"}), "REARGUARD_REQUIRED");
}

TEST(EastFrontMovement, LeavesABattleOnlyToFriendlyHexes) {
  Field field;
  field.put("X", "Rostov", 4);
  field.put("W", "Rostov", 4);
  field.put("A", "Rostov", 3);
  field.put("B", "Salsk", 3);
  field.battle("Rostov", kSoviet);
  field.hold("Rostov", kSoviet);
  field.hold("Rostov SE1", kSoviet);
  field.hold("Salsk", kSoviet);
  field.movement(kAxis, 6);
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "X", {"Rostov SE1"}), "DISENGAGE_NOT_FRIENDLY");
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "X", {"Rostov E1", "Salsk"}), "REENGAGE_FORBIDDEN");
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "X", {"Rostov E1", "Rostov E2"}), "");
}

TEST(EastFrontMovement, StacksOnlyAsHighAsTheTerrainAllows) {
  Field field;
  field.put("U", "Rostov", 2);
  field.activate("U");
  for (const char* name : {"X", "W"}) field.put(name, "Tuapse", 4);
  field.put("V", "Maikop", 4);
  for (const char* name : {"Z", "Y", "S", "R"}) field.put(name, "Rostov SE1", 3);
  field.put("N", "Rostov", 3);
  field.movement(kAxis, 0);
  // Four stand there but all may still move away; nobody in Tuapse can.
  EXPECT_EQ(field.go(kAxis, "MoveUnit", "N", {"Rostov SE1"}), "");
  EXPECT_EQ(field.end(kAxis, "EndMovement"), "OVERSTACKED");
  ASSERT_EQ(field.go(kAxis, "MoveUnit", "Z", {"Salsk"}), "");
  field.set(t::kSupremeLeft, 1);
  field.set(field.unit("X"), u::kMove, static_cast<int>(Move::kLand));
  field.set(field.unit("W"), u::kMove, static_cast<int>(Move::kLand));
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "V", {"Tuapse"}), "STACKING");
  EXPECT_EQ(field.end(kAxis, "EndMovement"), "");
}

TEST(EastFrontMovement, RearGuardSuffersPursuit) {
  Field field;
  field.put("S", "Kamensko", 4);
  field.put("X", "Kamensko", 4);
  field.put("H", "Kamensko", 3);
  field.battle("Kamensko", kAxis);
  field.movement(kAxis, 6);
  ASSERT_EQ(field.go(kAxis, "SupremeMove", "X", {"Voroshilovgrad"}), "");
  EXPECT_EQ(field.go(kAxis, "RailMove", "S", {"Voroshilovgrad"}), "REARGUARD_BY_RAIL");
  ASSERT_EQ(field.go(kAxis, "DesignateRearGuard", "S", {"Voroshilovgrad"}), "");
  EXPECT_EQ(field.at("S"), "Kamensko");
  EXPECT_EQ(field.now().track(t::kSupremeLeft), 4);
  // Armor is faster than infantry: double fire [6.42].
  ASSERT_EQ(field.give(order("EndMovement", kAxis), {1, 5, 6}), "");
  EXPECT_EQ(field.cv("S"), 2);
  EXPECT_EQ(field.at("S"), "Voroshilovgrad");
  EXPECT_EQ(field.now().defender(field.hex("Kamensko")), kNoSide);
}

TEST(EastFrontMovement, AllLeaveWhileOthersComeIsANewAttack) {
  Field field;
  field.put("S", "Kamensko", 4);
  field.put("X", "Rostov", 4);
  field.put("A", "Kamensko", 3);
  field.battle("Kamensko", kAxis);
  field.movement(kAxis, 6);
  ASSERT_EQ(field.go(kAxis, "SupremeMove", "X", {"Kamensko"}), "");
  ASSERT_EQ(field.go(kAxis, "DesignateRearGuard", "S", {"Voroshilovgrad"}), "");
  ASSERT_EQ(field.give(order("EndMovement", kAxis), {1, 2, 3}), "");
  EXPECT_EQ(field.now().phase(), Phase::kCombat);
  EXPECT_EQ(field.now().defender(field.hex("Kamensko")), kSoviet);
  EXPECT_TRUE(compulsory(field.now(), field.hex("Kamensko")));
}

TEST(EastFrontMovement, HeadquartersThatMobilisesPaysFirst) {
  Field field;
  field.put("U", "Rostov", 2);
  field.put("I", "Rostov E2", 1);
  field.activate("U");
  field.put("X", "Rostov", 4);
  field.movement(kAxis);
  EXPECT_EQ(field.go(kAxis, "MobiliseHQ", "P", {"Kamensko"}), "HQ_NOT_ACTIVE");
  field.set(field.unit("U"), u::kBlitz, 1);
  EXPECT_EQ(field.go(kAxis, "MobiliseHQ", "U", {"Kamensko"}), "BLITZ_HQ_STAYS");
  field.set(field.unit("U"), u::kBlitz, 0);
  ASSERT_EQ(field.go(kAxis, "MobiliseHQ", "U", {"Kamensko", "Voroshilovgrad"}), "");
  EXPECT_EQ(field.cv("U"), 1);
  EXPECT_EQ(field.at("U"), "Voroshilovgrad");
  EXPECT_EQ(field.give(order("MoveUnit", kAxis)
                           .with("unit", field.unit("X"))
                           .with("path", std::vector<std::int32_t>{field.hex("Kamensko").value})
                           .with("commandingHQ", field.unit("U"))),
            "HQ_DEACTIVATED");
}

TEST(EastFrontMovement, StraitIsCrossedFromShoreToShore) {
  Field field;
  field.put("X", "Feodosia", 4);
  field.put("W", "Kerch", 4);
  field.movement(kAxis, 6);
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "X", {"Kerch", "Novorossiysk"}), "MUST_STOP");
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "W", {"Novorossiysk", "Krymsk"}), "MUST_STOP");
  EXPECT_EQ(field.go(kAxis, "SupremeMove", "W", {"Novorossiysk"}), "");
}

TEST(EastFrontMovement, EveryLegalOrderIsAccepted) {
  World world("Edelweiss");
  EXPECT_GT(world.check_legal(kAxis), 5u);
  ASSERT_EQ(world.give(order("ActivateHQ", kAxis).with("hq", world.unit("P"))), "");
  ASSERT_EQ(world.give(order("ActivateHQ", kAxis).with("hq", world.unit("U"))), "");
  ASSERT_EQ(world.give(order("EndCommand", kAxis)), "");
  EXPECT_GT(world.check_legal(kAxis, 2'000), 100u);
}

}  // namespace
}  // namespace wardiary::eastfront

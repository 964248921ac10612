// Combat [7]: examples of the rulebook and every refusal of a combat order.
#include "domain/systems/eastfront/battle.h"
#include "domain/systems/eastfront/test_field.h"

namespace wardiary::eastfront {
namespace {

// T-11: the rulebook's example of a full round.
TEST(EastFrontCombat, FullRound) {
  Field field;
  field.put("H", "Salsk", 3);
  field.put("A", "Salsk", 3);
  field.put("B", "Salsk", 2);
  field.put("X", "Salsk", 4);
  field.put("O", "Salsk", 4);
  field.put("U", "Rostov SE1", 2);
  field.activate("U");
  field.attack("Salsk", kAxis, {{"X", "Kropotkin"}, {"O", "Kropotkin"}});
  ASSERT_EQ(field.strike(kAxis, "U", "Salsk"), "");
  ASSERT_EQ(field.begin(kAxis, "Salsk", {3, 5}), "");
  EXPECT_EQ(field.lose_one(kSoviet, "B"), "NOT_STRONGEST");
  ASSERT_EQ(field.lose_one(kSoviet, "A"), "");
  ASSERT_EQ(field.fire(kSoviet, "H", {2, 3, 6}), "");
  ASSERT_EQ(field.lose_one(kAxis, "O"), "");
  ASSERT_EQ(field.fire(kSoviet, "A", {2, 4}), "");
  EXPECT_EQ(field.fire(kSoviet, "A"), "ALREADY_FIRED");
  ASSERT_EQ(field.fire(kSoviet, "B", {3, 6}), "");  // only X has CV 4 now
  ASSERT_EQ(field.fire(kAxis, "X", {3, 5, 5}), "");
  EXPECT_EQ(field.cv("H"), 2);
  ASSERT_EQ(field.lose_one(kSoviet, "B"), "");
  ASSERT_EQ(field.fire(kAxis, "O", {3, 4, 5}), "");
  EXPECT_EQ(field.cv("A"), 2);
  EXPECT_EQ(field.cv("B"), 1);
  EXPECT_EQ(field.cv("X"), 3);
  EXPECT_EQ(field.cv("O"), 3);
  EXPECT_FALSE(field.now().is(field.unit("H"), u::kShown));
  EXPECT_TRUE(field.now().is(field.unit("X"), u::kShown));
}

// T-12, T-13: in a major city whoever is passive enjoys it.
TEST(EastFrontCombat, CityHelpsThePassiveSide) {
  Field field;
  field.put("F", "Stalingrad", 2);
  field.put("N", "Stalingrad", 4);
  field.battle("Stalingrad", kSoviet);
  field.set(field.hex("Stalingrad"), h::kSupported, 1);
  field.combat(kAxis);
  EXPECT_EQ(defensive_fire(field.now(), field.unit("F")), Firepower::kDouble);
  EXPECT_EQ(defence_multiplier(field.now(), field.hex("Stalingrad"), kSoviet), 2);
  EXPECT_EQ(offensive_fire(field.now(), field.unit("N")), Firepower::kSingle);
  field.combat(kSoviet);
  EXPECT_EQ(defensive_fire(field.now(), field.unit("N")), Firepower::kDouble);
  EXPECT_EQ(defence_multiplier(field.now(), field.hex("Stalingrad"), kAxis), 2);
}

// T-14
TEST(EastFrontCombat, RiverAssaultThrowsTheWeakestBack) {
  Field field;
  field.put("D", "Kotelnikovo", 4);
  field.put("X", "Kotelnikovo", 3);
  field.put("R", "Kotelnikovo", 4);
  field.put("U", "Kalach", 2);
  field.activate("U");
  field.attack("Kotelnikovo", kAxis, {{"X", "Kamensko E1"}, {"R", "Kalach"}});
  ASSERT_EQ(field.strike(kAxis, "U", "Kotelnikovo"), "");
  ASSERT_EQ(field.begin(kAxis, "Kotelnikovo", {5, 1}), "");
  EXPECT_EQ(field.cv("D"), 3);
  ASSERT_EQ(field.fire(kSoviet, "D", {1, 4, 6}), "");
  EXPECT_EQ(field.at("X"), "Morozovsk");
  EXPECT_EQ(field.cv("X"), 3);
  EXPECT_EQ(field.cv("R"), 3);
  EXPECT_EQ(field.fire(kAxis, "X"), "NOT_IN_BATTLE");
  ASSERT_EQ(field.fire_all(kAxis, {1, 2, 3}), "");
}

TEST(EastFrontCombat, AttackerChoosesAmongTheWeakest) {
  Field field;
  field.put("D", "Kotelnikovo", 1);
  field.put("X", "Kotelnikovo", 3);
  field.put("S", "Kotelnikovo", 2);
  field.put("R", "Kotelnikovo", 2);
  field.attack("Kotelnikovo", kAxis, {{"X", "Kamensko E1"}, {"S", "Kamensko E1"}, {"R", "Kalach"}});
  ASSERT_EQ(field.begin(kAxis, "Kotelnikovo"), "");
  ASSERT_EQ(field.fire(kSoviet, "D", {2}), "");
  EXPECT_EQ(field.throw_back(kAxis, "X"), "NOT_WEAKEST");
  ASSERT_EQ(field.throw_back(kAxis, "R"), "");
  EXPECT_EQ(field.at("R"), "Kalach");
}

TEST(EastFrontCombat, RepulseNumbersFollowTheWeather) {
  Field field;
  field.put("D", "Kotelnikovo", 1);
  field.put("R", "Kotelnikovo", 2);
  field.attack("Kotelnikovo", kAxis, {{"R", "Kalach"}});
  const SpaceId battle = field.hex("Kotelnikovo");
  EXPECT_EQ(repulse_number(field.now(), battle), 2);
  field.weather(Weather::kMud);
  EXPECT_EQ(repulse_number(field.now(), battle), 3);
  field.weather(Weather::kSnow);
  EXPECT_EQ(repulse_number(field.now(), battle), 0);
  field.weather(Weather::kDry);
  field.put("X", "Kotelnikovo", 2);
  field.attack("Kotelnikovo", kAxis, {{"X", "Rostov E2"}});
  EXPECT_EQ(repulse_number(field.now(), battle), 0);  // one attacker came on firm ground
}

TEST(EastFrontCombat, TerrainWeatherAndSupportSetTheHitsForAStep) {
  Field field;
  field.put("A", "Salsk", 3);
  field.put("X", "Salsk", 3);
  field.battle("Salsk", kSoviet);
  field.combat(kAxis);
  const SpaceId salsk = field.hex("Salsk");
  field.set(salsk, h::kSupported, 1);
  EXPECT_EQ(defence_multiplier(field.now(), salsk, kSoviet), 1);
  field.weather(Weather::kMud);
  EXPECT_EQ(defence_multiplier(field.now(), salsk, kSoviet), 2);
  EXPECT_EQ(offensive_fire(field.now(), field.unit("X")), Firepower::kSingle);
  field.set(salsk, h::kSupported, 0);
  EXPECT_EQ(defence_multiplier(field.now(), salsk, kSoviet), 3);
  field.weather(Weather::kDry);
  EXPECT_EQ(defence_multiplier(field.now(), salsk, kSoviet), 2);
}

TEST(EastFrontCombat, MountainTroopsFireDoubleInTheMountains) {
  Field field;
  field.put("T", "Tuapse", 3);
  field.put("A", "Tuapse", 3);
  EXPECT_EQ(offensive_fire(field.now(), field.unit("T")), Firepower::kDouble);
  EXPECT_EQ(defensive_fire(field.now(), field.unit("T")), Firepower::kDouble);
  field.weather(Weather::kMud);
  EXPECT_EQ(offensive_fire(field.now(), field.unit("T")), Firepower::kSingle);  // A-32
}

// T-33
TEST(EastFrontCombat, UnsupportedAttackOnAFortressHitsNobody) {
  Field field;
  field.put("A", "Sevastopol", 3);
  field.put("B", "Sevastopol", 1);
  field.put("X", "Sevastopol", 4);
  field.battle("Sevastopol", kSoviet);
  field.combat(kAxis);
  EXPECT_EQ(defensive_fire(field.now(), field.unit("A")), Firepower::kTriple);
  EXPECT_EQ(defensive_fire(field.now(), field.unit("B")), Firepower::kSingle);
  EXPECT_EQ(field.end(kAxis, "EndBattleSelection"), "COMBAT_COMPULSORY");
  ASSERT_EQ(field.begin(kAxis, "Sevastopol"), "");
  ASSERT_EQ(field.fire_all(kSoviet, {1, 2, 4, 1}), "");
  EXPECT_EQ(field.cv("X"), 3);
  ASSERT_EQ(field.fire_all(kAxis, {6, 6, 6}), "");
  EXPECT_EQ(field.cv("A"), 3);
}

TEST(EastFrontCombat, OwnerOfAFortressSaysWhichUnitFiresTriple) {
  Field field;
  field.put("A", "Sevastopol", 3);
  field.put("C", "Sevastopol", 3);
  field.put("B", "Sevastopol", 1);
  field.put("X", "Sevastopol", 4);
  field.battle("Sevastopol", kSoviet);
  field.combat(kAxis);
  ASSERT_EQ(field.begin(kAxis, "Sevastopol"), "");
  const Order weak = order("ChooseFortressSupplied", kSoviet).with("unit", field.unit("B"));
  EXPECT_EQ(field.give(weak), "NOT_LARGEST");
  ASSERT_EQ(field.give(order("ChooseFortressSupplied", kSoviet).with("unit", field.unit("A"))), "");
  EXPECT_EQ(defensive_fire(field.now(), field.unit("A")), Firepower::kTriple);
  EXPECT_EQ(defensive_fire(field.now(), field.unit("C")), Firepower::kDouble);
}

TEST(EastFrontCombat, HeadquartersTakeHitsButNeverFire) {
  Field field;
  field.put("P", "Voroshilovgrad", 2);
  field.put("A", "Voroshilovgrad", 2);
  field.put("H", "Voroshilovgrad", 4);
  field.attack("Voroshilovgrad", kSoviet, {{"H", "Kamensko"}});
  field.lose("A");
  ASSERT_EQ(field.begin(kSoviet, "Voroshilovgrad"), "");
  ASSERT_EQ(field.fire_all(kSoviet, {5, 6, 1, 1}), "");  // unsupported: two hits for a step
  EXPECT_EQ(field.cv("P"), 1);
}

TEST(EastFrontCombat, FireStopsWhenNoEnemyWillBeLeft) {
  Field field;
  field.put("A", "Salsk", 1);
  field.put("X", "Salsk", 2);
  field.put("W", "Salsk", 4);
  field.put("U", "Rostov SE1", 2);
  field.activate("U");
  field.attack("Salsk", kAxis, {{"X", "Kropotkin"}, {"W", "Kropotkin"}});
  ASSERT_EQ(field.begin(kAxis, "Salsk"), "");
  ASSERT_EQ(field.fire_all(kSoviet, {1}), "");
  ASSERT_EQ(field.fire_all(kAxis, {1, 5}), "");  // X, first in the roster, does it alone
  EXPECT_FALSE(field.on_map("A"));
  EXPECT_EQ(field.now().defender(field.hex("Salsk")), kNoSide);
  EXPECT_FALSE(field.now().is(field.unit("X"), u::kShown));
}

TEST(EastFrontCombat, RefusesStrikesThatCannotBe) {
  Field field;
  field.put("A", "Salsk", 3);
  field.put("X", "Salsk", 4);
  field.put("B", "Kotelnikovo", 3);
  field.put("W", "Kotelnikovo", 4);
  field.put("U", "Rostov", 2);
  field.put("P", "Kamensko", 3);
  field.put("I", "Grozny", 2);
  field.battle("Salsk", kSoviet);
  field.battle("Kotelnikovo", kSoviet);
  field.combat(kAxis);
  EXPECT_EQ(field.strike(kAxis, "U", "Salsk"), "HQ_NOT_ACTIVE");
  field.activate("U");
  field.activate("P");
  EXPECT_EQ(field.strike(kAxis, "U", "Kotelnikovo"), "OUT_OF_RANGE");
  EXPECT_EQ(field.strike(kAxis, "U", "Rostov"), "NO_BATTLE");
  ASSERT_EQ(field.strike(kAxis, "U", "Salsk"), "");
  EXPECT_EQ(field.strike(kAxis, "P", "Salsk"), "ONE_STRIKE_PER_BATTLE");
  EXPECT_EQ(field.strike(kAxis, "U", "Salsk"), "ONE_STRIKE_PER_HQ");
  EXPECT_EQ(field.end(kAxis, "EndBattleSelection"), "COMBAT_COMPULSORY");
  ASSERT_EQ(field.choose(kAxis, "Salsk"), "");
  EXPECT_EQ(field.choose(kAxis, "Salsk"), "ALREADY_ACTIVE");
  EXPECT_EQ(field.choose(kAxis, "Rostov"), "NO_BATTLE");
  EXPECT_EQ(field.strike(kAxis, "P", "Kotelnikovo"), "TOO_LATE");
  ASSERT_EQ(field.end(kAxis, "EndBattleSelection"), "");
  EXPECT_EQ(field.fight(kAxis, "Kotelnikovo"), "NOT_AN_ACTIVE_BATTLE");
  EXPECT_EQ(field.end(kAxis, "EndCombat"), "BATTLES_LEFT");
}

TEST(EastFrontCombat, DisorganisedHeadquartersStrikeWithLess) {
  Field field;
  field.put("U", "Rostov", 2);
  field.put("P", "Rostov", 3);
  EXPECT_EQ(field.now().effective_cmd(field.unit("P")), 3);
  field.weather(Weather::kSnow);
  EXPECT_EQ(field.now().effective_cmd(field.unit("P")), 2);  // T-08
  field.put("K", "Moscow", 3);
  field.put("I", "Rostov", 2);
  EXPECT_EQ(field.now().effective_cmd(field.unit("I")), 2);
  field.weather(Weather::kMud);
  EXPECT_EQ(field.now().effective_cmd(field.unit("I")), 1);
  EXPECT_EQ(field.now().effective_cmd(field.unit("K")), 3);  // exempt in Moscow [5.8]
}

// T-32
TEST(EastFrontCombat, HeadquartersAtZeroDiesOfItsCommand) {
  Field field;
  field.put("U", "Rostov", 0);
  field.put("I", "Baku", 1);
  field.command_phase(kAxis);
  EXPECT_EQ(field.act(kAxis, "U", true), "BLITZ_CMD_0");
  ASSERT_EQ(field.act(kAxis, "U"), "");
  ASSERT_EQ(field.end(kAxis, "EndCommand"), "");
  ASSERT_EQ(field.end(kAxis, "EndMovement"), "");
  EXPECT_FALSE(field.on_map("U"));
}

}  // namespace
}  // namespace wardiary::eastfront

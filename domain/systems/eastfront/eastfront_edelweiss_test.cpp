// The golden game: the Edelweiss tutorial of the rulebook, its orders and its printed dice, to the
// last supply phase. Where the text slips the comment names the ruling (A-nn of the digest).
#include "domain/systems/eastfront/test_play.h"

namespace wardiary::eastfront {
namespace {

class Edelweiss : public Play {
 public:
  Edelweiss() : Play("Edelweiss") {}

  void axis(const std::string& type, const std::string& fields = "",
            std::vector<std::uint32_t> dice = {}) {
    say("axis", type, fields, std::move(dice));
  }
  void soviet(const std::string& type, const std::string& fields = "",
              std::vector<std::uint32_t> dice = {}) {
    say("soviet", type, fields, std::move(dice));
  }
  void move(const std::string& side, const std::string& type, const std::string& unit,
            const std::string& path) {
    say(side, type, R"("unit":")" + unit + R"(","path":)" + path, {});
  }
  void fire(const std::string& side, const std::string& unit, std::vector<std::uint32_t> dice) {
    say(side, "Fire", R"("unit":")" + unit + "\"", std::move(dice));
  }
  void battle(const std::string& side, const std::string& type, const std::string& hex,
              std::vector<std::uint32_t> dice = {}) {
    say(side, type, R"("battleHex":")" + hex + "\"", std::move(dice));
  }

  void july_axis();
  void july_soviet();
  void august_production();
  void august_1_axis();
  void august_1_soviet();
  void august_2_axis();
  void august_2_soviet();

 private:
  void say(const std::string& side, const std::string& type, const std::string& fields,
           std::vector<std::uint32_t> dice) {
    give(R"({"type":")" + type + R"(","side":")" + side + "\"" +
             (fields.empty() ? "" : "," + fields) + "}",
         std::move(dice));
  }
};

void Edelweiss::july_axis() {
  axis("ActivateHQ", R"("hq":"U")");
  axis("EndCommand");
  move("axis", "MoveUnit", "Z", R"(["Rostov"])");
  move("axis", "MoveUnit", "Y", R"(["Rostov"])");
  move("axis", "MoveUnit", "X", R"(["Rostov"])");
  move("axis", "MoveUnit", "W", R"(["Rostov"])");
  move("axis", "MoveUnit", "V", R"(["Rostov E1"])");
  move("axis", "MoveUnit", "T", R"(["Rostov E1"])");
  move("axis", "MoveUnit", "S", R"(["Rostov E2"])");
  move("axis", "MoveUnit", "Q", R"(["Kamensko E1","Kotelnikovo"])");
  move("axis", "MoveUnit", "R", R"(["Kotelnikovo"])");
  axis("EndMovement");
  axis("AssignAirStrike", R"("hq":"U","battleHex":"Rostov")");
  for (const char* hex : {"Rostov", "Rostov E1", "Rostov E2", "Kotelnikovo"}) {
    battle("axis", "ActivateBattle", hex);
  }
  axis("EndBattleSelection");

  battle("axis", "ResolveBattle", "Rostov", {4, 5});  // E-02
  fire("soviet", "A", {1, 5, 6});
  axis("AllocateLoss", R"("unit":"Z")");
  axis("AllocateLoss", R"("unit":"Y")");
  fire("axis", "X", {3, 2, 5, 3});
  fire("axis", "W", {1, 4, 3, 6});
  fire("axis", "Y", {1, 4, 6});
  fire("axis", "Z", {2, 5, 6});
  battle("axis", "ResolveBattle", "Rostov E1");  // E-03; two dice, not three (A-07)
  fire("soviet", "B", {5, 6});
  fire("axis", "V", {3, 5, 5});
  battle("axis", "ResolveBattle", "Rostov E2");  // E-04
  fire("soviet", "C", {2, 4, 5});
  battle("axis", "ResolveBattle", "Kotelnikovo");  // E-05
  fire("soviet", "E", {2, 4});
  fire("axis", "Q", {1, 2, 3, 6});
  axis("EndCombat");
}

void Edelweiss::july_soviet() {
  soviet("ActivateHQ", R"("hq":"K")");
  soviet("EndCommand");
  move("soviet", "RailMove", "J",
       R"(["Gori","Kutaisi","Sukhumi","Sochi","Tuapse","Maikop","Armavir"])");
  move("soviet", "SupremeMove", "D", R"(["Kropotkin","Maikop"])");
  move("soviet", "SupremeMove", "C", R"(["Kotelnikovo"])");
  move("soviet", "SupremeMove", "G", R"(["Stalingrad SE1"])");
  move("soviet", "RailMove", "I",
       R"(["Armavir","Pyatigorsk","Prokhladny","Ordzhonikidze","Grozny","Kizlyar","Kochubei",
           "1916","Astrakhan","1914","Stalingrad E1"])");
  EXPECT_EQ(track(t::kSupremeLeft), 0);  // E-07
  EXPECT_EQ(refusal(R"({"type":"SupremeMove","side":"soviet","unit":"H","path":["1914"]})"),
            "NO_SUPREME_MOVES");
  soviet("EndMovement");
  soviet("EndBattleSelection");  // old battles are optional
}

void Edelweiss::august_production() {
  axis("AddStep", R"("unit":"U")");
  axis("AddStep", R"("unit":"R")");
  axis("AddStep", R"("unit":"S")");
  axis("AddStep", R"("unit":"V")");
  EXPECT_EQ(track(t::kAxisPoints), 2);  // E-08
  axis("CommitProduction");
  for (const char* unit : {"K", "G", "H", "D"}) {
    soviet("AddStep", std::string(R"("unit":")") + unit + "\"");
  }
  soviet("BuildCadre", R"("unit":"L","hex":"Batumi")");
  soviet("BuildCadre", R"("unit":"M","hex":"Grozny")");
  EXPECT_EQ(track(t::kSovietPoints), 1);  // E-09
  soviet("CommitProduction");
}

void Edelweiss::august_1_axis() {
  axis("ActivateHQ", R"("hq":"P")");
  axis("EndCommand");
  move("axis", "SupremeMove", "V", R"(["Salsk","Kropotkin","Maikop"])");
  move("axis", "SupremeMove", "T", R"(["Rostov SE1","Krasnodar"])");
  move("axis", "SupremeMove", "S", R"(["Rostov E2","Salsk E1"])");
  move("axis", "SupremeMove", "W", R"(["Rostov E1","Salsk","Kropotkin"])");
  EXPECT_EQ(refusal(R"({"type":"SupremeMove","side":"axis","unit":"X",
                        "path":["Rostov E1","Salsk NE1"]})"),
            "HEXSIDE_LIMIT");  // E-10
  move("axis", "SupremeMove", "X", R"(["Kamensko","Rostov E1","Salsk NE1"])");
  move("axis", "SupremeMove", "U", R"(["Rostov E1","Salsk"])");
  axis("EndMovement");
  axis("AssignAirStrike", R"("hq":"P","battleHex":"Maikop")");
  battle("axis", "ActivateBattle", "Maikop");
  battle("axis", "ActivateBattle", "Kotelnikovo");
  axis("EndBattleSelection");
  battle("axis", "ResolveBattle", "Maikop", {4, 5, 6});  // E-11, unsupported
  EXPECT_EQ(cv("D"), 3);
  fire("soviet", "D", {3, 5, 6});
  fire("axis", "V", {3, 2, 4});
  battle("axis", "ResolveBattle", "Kotelnikovo");  // E-12
  fire("soviet", "C", {1, 5, 6});
  fire("soviet", "E", {3});
  fire("axis", "Q", {2, 3});
  axis("EndCombat");
}

void Edelweiss::august_1_soviet() {
  soviet("Pass");
  soviet("Pass");
  soviet("Pass");
}

void Edelweiss::august_2_axis() {
  axis("ActivateHQ", R"("hq":"U","blitz":true,"deployTo":"Kropotkin")");  // E-15
  axis("EndCommand");
  EXPECT_EQ(refusal(R"({"type":"MoveUnit","side":"axis","unit":"R","path":["Kotelnikovo"]})"),
            "NOT_IN_COMMAND");
  move("axis", "MoveUnit", "T", R"(["Krymsk","Novorossiysk"])");
  move("axis", "MoveUnit", "W", R"(["Maikop"])");
  move("axis", "MoveUnit", "X", R"(["Salsk","Kropotkin","Armavir"])");
  move("axis", "MoveUnit", "S", R"(["Stavropol","Armavir"])");
  move("axis", "MoveUnit", "Y", R"(["Rostov E1","Salsk"])");
  move("axis", "MoveUnit", "Z", R"(["Rostov E1","Salsk NE1"])");
  axis("EndMovement");
  axis("AssignAirStrike", R"("hq":"U","battleHex":"Maikop")");
  battle("axis", "ActivateBattle", "Maikop");
  battle("axis", "ActivateBattle", "Armavir");
  axis("EndBattleSelection");
  battle("axis", "ResolveBattle", "Maikop", {3, 6});  // E-16
  fire("soviet", "D", {2, 5});
  fire("axis", "V", {3, 1, 6});
  fire("axis", "W", {2, 3, 5, 5});
  battle("axis", "ResolveBattle", "Armavir");  // E-17
  fire("soviet", "J", {3, 5, 6});
  fire("axis", "X", {2, 4, 6});
  fire("axis", "S", {1, 4, 5});
  axis("EndCombat");

  EXPECT_EQ(cv("U"), 1);  // E-18
  EXPECT_EQ(refusal(R"({"type":"MoveUnit","side":"axis","unit":"W","path":["Tuapse","Sochi"]})"),
            "MUST_STOP");
  move("axis", "MoveUnit", "W", R"(["Tuapse"])");
  move("axis", "MoveUnit", "V", R"(["Tuapse E1"])");
  move("axis", "MoveUnit", "S", R"(["Stavropol","Armavir E1"])");
  axis("EndMovement");
  axis("AssignAirStrike", R"("hq":"U","battleHex":"Armavir")");
  battle("axis", "ActivateBattle", "Armavir");
  axis("EndBattleSelection");
  battle("axis", "ResolveBattle", "Armavir", {6});  // E-19
  fire("soviet", "J", {6});
  fire("axis", "X", {4, 4});
  axis("EndCombat");
}

void Edelweiss::august_2_soviet() {
  soviet("ActivateHQ", R"("hq":"I","blitz":true,"deployTo":"Kotelnikovo E1")");  // E-20
  soviet("EndCommand");
  move("soviet", "MoveUnit", "G", R"(["Kotelnikovo"])");
  move("soviet", "MoveUnit", "H", R"(["Kotelnikovo E1","Kotelnikovo"])");
  soviet("EndMovement");
  soviet("AssignAirStrike", R"("hq":"I","battleHex":"Kotelnikovo")");
  battle("soviet", "ActivateBattle", "Kotelnikovo");
  soviet("EndBattleSelection");
  battle("soviet", "ResolveBattle", "Kotelnikovo", {1, 6});
  fire("axis", "Q", {6});
  soviet("AllocateLoss", R"("unit":"G")");
  fire("soviet", "H", {2, 4, 4, 6});
  soviet("EndCombat");

  move("soviet", "MoveUnit", "H", R"(["Kamensko E1","Kamensko","Voroshilovgrad"])");
  move("soviet", "MoveUnit", "C", R"(["Kamensko E1","Kamensko","Rostov"])");
  move("soviet", "MoveUnit", "G", R"(["Rostov E2"])");
  soviet("MobiliseHQ", R"("hq":"I","path":["Stalingrad E1"])");
  soviet("EndMovement");
  EXPECT_EQ(refusal(R"({"type":"EndBattleSelection","side":"soviet"})"), "COMBAT_COMPULSORY");
  battle("soviet", "ActivateBattle", "Rostov E2");
  battle("soviet", "ActivateBattle", "Voroshilovgrad");
  soviet("EndBattleSelection");
  battle("soviet", "ResolveBattle", "Rostov E2");  // E-21
  fire("axis", "Z", {1, 2, 6});
  fire("soviet", "G", {1, 2});
  battle("soviet", "ResolveBattle", "Voroshilovgrad");  // not in the text (A-08)
  fire("soviet", "H", {1, 2, 3, 4});
  soviet("EndCombat");
}

TEST(EastFrontEdelweiss, JulyAxisTurnBreaksThroughOnTheDon) {
  Edelweiss game;
  game.july_axis();
  EXPECT_EQ(game.cv("A"), 1);
  EXPECT_EQ(game.cv("Z"), 3);
  EXPECT_EQ(game.cv("Y"), 3);
  EXPECT_EQ(game.cv("X"), 4);
  EXPECT_EQ(game.cv("W"), 4);
  EXPECT_EQ(game.cv("V"), 3);
  EXPECT_EQ(game.at("B"), "");
  EXPECT_EQ(game.cv("S"), 2);
  EXPECT_EQ(game.at("S"), "1614");
  EXPECT_EQ(game.at("R"), "1713");
  EXPECT_EQ(game.cv("E"), 1);
  EXPECT_EQ(game.cv("U"), 1);
  EXPECT_FALSE(game.now().is(game.unit("A"), u::kShown));
  EXPECT_TRUE(game.now().is(game.unit("X"), u::kShown));
  EXPECT_EQ(game.now().active(), kSoviet);
  EXPECT_EQ(game.now().phase(), Phase::kCommand);
}

TEST(EastFrontEdelweiss, WholeTutorialGivesThePrintedResults) {
  Edelweiss game;
  game.july_axis();
  game.july_soviet();
  EXPECT_EQ(game.cv("K"), 2);
  EXPECT_EQ(game.now().phase(), Phase::kProduction);
  EXPECT_EQ(game.track(t::kAxisLevel), 28);
  EXPECT_EQ(game.track(t::kSovietLevel), 30);
  game.august_production();
  game.august_1_axis();
  EXPECT_EQ(game.cv("V"), 3);
  EXPECT_EQ(game.cv("Q"), 2);
  EXPECT_EQ(game.cv("P"), 2);
  EXPECT_EQ(game.at("A"), "");  // E-13
  EXPECT_EQ(game.track(t::kSovietLevel), 29);
  EXPECT_EQ(game.track(t::kAxisLevel), 29);
  game.august_1_soviet();
  for (const char* unit : {"Z", "Y", "X", "W", "V", "U", "T", "S", "R", "Q", "P", "O", "N"}) {
    EXPECT_TRUE(game.now().is(game.unit(unit), u::kSupplied)) << unit;
  }
  game.august_2_axis();
  EXPECT_EQ(game.at("D"), "");
  EXPECT_EQ(game.at("J"), "");
  EXPECT_EQ(game.cv("X"), 2);
  EXPECT_EQ(game.cv("U"), 0);
  EXPECT_EQ(game.track(t::kSovietLevel), 28);
  EXPECT_EQ(game.track(t::kAxisLevel), 31);
  game.august_2_soviet();
  // E-22: the pocket.
  EXPECT_EQ(game.at("Q"), "");
  EXPECT_EQ(game.at("U"), "");
  const std::map<std::string, int> left = {{"W", 3}, {"V", 2}, {"X", 1}, {"S", 2}, {"Y", 2},
                                           {"Z", 2}, {"N", 3}, {"O", 3}, {"T", 3}, {"R", 4},
                                           {"P", 2}, {"G", 2}, {"H", 4}, {"C", 3}};
  for (const auto& [unit, cv] : left) EXPECT_EQ(game.cv(unit), cv) << unit;
  EXPECT_EQ(game.at("I"), "1913");
  EXPECT_TRUE(game.position.over);
}

}  // namespace
}  // namespace wardiary::eastfront

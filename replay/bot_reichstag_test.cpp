// Five hundred games of Race to the Reichstag to their end: no stuck position, no refused legal
// order, every order decided again gives the same bytes, and the rules' own invariants hold at the
// end. Most are played on the drill ground, where the fighting is dense and a game takes moments.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "replay/bot.h"

namespace wardiary {
namespace {

using nlohmann::json;

json drill_scenario() {
  for (const DataFile& file : rule_system("reichstag")->data_files()) {
    if (file.name == "scenarios/drill.json") return json::parse(file.text);
  }
  return {};
}

struct Series {
  std::uint64_t first_seed = 1;
  int games = 1;
  Policy policy = Policy::kRandom;
  NewGameSpec spec;
};

void check_end(const BotGame& game) {
  const Roster& roster = game.game.roster();
  const Position& end = game.position;
  const int spent = end.get(roster.track("sp_1BF")) + end.get(roster.track("sp_1UF"));
  EXPECT_LE(spent, 100);  // [6.2]
  const int pile = roster.unit_attribute("pile");
  for (std::size_t i = 0; i < roster.units.size(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    // A piece is on the map or in exactly one pile.
    EXPECT_EQ(end.on_board(unit), end.get(unit, pile) == 1) << roster.units[i].name;
  }
}

void play(const Series& series) {
  for (int i = 0; i < series.games; ++i) {
    BotOptions options;
    options.system = "reichstag";
    options.spec = series.spec;
    options.policy = series.policy;
    options.seed = series.first_seed + static_cast<std::uint64_t>(i);
    auto game = play_bot_game(options);
    ASSERT_TRUE(game.ok()) << game.error().text;
    ASSERT_EQ(game->failure, "") << "seed " << options.seed;
    ASSERT_TRUE(game->position.over);
    check_end(*game);
  }
}

Series drill(int games, std::uint64_t seed) {
  Series series;
  series.spec.scenario = "drill";
  series.games = games;
  series.first_seed = seed;
  return series;
}

TEST(ReichstagGames, OnTheDrillGround) {
  play(drill(150, 1));
}

TEST(ReichstagGames, OnTheDrillGroundSetUpByTheProgram) {
  Series series = drill(70, 1'000);
  series.spec.options["quickSetup"] = "on";
  play(series);
}

TEST(ReichstagGames, OnTheDrillGroundWithTheOptionalRules) {
  Series series = drill(90, 2'000);
  for (const char* option : {"option24", "option25", "option26"}) {
    series.spec.options[option] = "on";
  }
  play(series);
}

TEST(ReichstagGames, OnTheDrillGroundWithTheOtherReadings) {
  Series series = drill(60, 3'000);
  for (const OptionSpec& option : rule_system("reichstag")->options()) {
    series.spec.options[option.name] = option.choices.back();
  }
  play(series);
}

TEST(ReichstagGames, OnTheDrillGroundWithReliefGroups) {  // [22]
  Series series = drill(50, 4'000);
  json scenario = drill_scenario();
  scenario["specialRules"] = {{"groups", json::array()}};
  series.spec.scenario_text = scenario.dump();
  play(series);
}

TEST(ReichstagGames, OnTheDrillGroundBetterPrepared) {  // [23]
  Series series = drill(50, 5'000);
  json scenario = drill_scenario();
  scenario["specialRules"] = {{"germansInSbahnIgnoreRetreat", true}};
  series.spec.scenario_text = scenario.dump();
  play(series);
}

TEST(ReichstagGames, PlayedGreedily) {
  Series series = drill(20, 6'000);
  series.policy = Policy::kGreedy;
  play(series);
}

TEST(ReichstagGames, InBerlin) {
  for (const char* scenario : {"base", "fantasy", "prepared"}) {
    Series series;
    series.spec.scenario = scenario;
    series.spec.options["quickSetup"] = "on";
    series.games = 2;
    play(series);
    series.policy = Policy::kGreedy;
    series.first_seed = 100;
    play(series);
  }
}

}  // namespace
}  // namespace wardiary

// The board of Berlin and the scenarios as the rules read them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

CreatedGame create(const char* scenario) {
  NewGameSpec spec;
  spec.scenario = scenario;
  auto created = create_game(*rule_system("reichstag"), spec, {});
  EXPECT_TRUE(created.ok()) << created.error().text;
  return std::move(*created);
}

std::set<SpaceId> region(const Board& board, const char* name) {
  const auto spaces = board.region(name);
  return {spaces.begin(), spaces.end()};
}

TEST(ReichstagBoard, SetUpAreasOfTheRulesAreThoseOfTheBoard) {
  const CreatedGame game = create("base");
  const ReichstagData& data = data_of(game.game);
  const std::pair<const char*, Group> areas[] = {{"setup-bf-north", Group::k1BFNorth},
                                                 {"setup-bf-south", Group::k1BFSouth},
                                                 {"setup-uf-south", Group::k1UFSouth}};
  for (const auto& [name, group] : areas) {
    std::set<SpaceId> found;
    for (std::size_t i = 0; i < data.hexes.size(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      if (in_setup_area(data, hex, group)) found.insert(hex);
    }
    EXPECT_EQ(found, region(*game.game.board, name)) << name;
  }
}

TEST(ReichstagBoard, ObjectivesAreWorthWhatTheTableSays) {
  const CreatedGame game = create("base");
  const ReichstagData& data = data_of(game.game);
  EXPECT_EQ(data.hex(data.reichstag).value, 30);
  EXPECT_EQ(data.hex(data.potsdam).value, 10);
  int in_1bf = 0, in_1uf = 0;
  for (SpaceId hex : data.objectives) {
    if (data.hex(hex).sector == Sector::kOf1BF) in_1bf += data.hex(hex).value;
    if (data.hex(hex).sector == Sector::kOf1UF) in_1uf += data.hex(hex).value;
    EXPECT_TRUE(data.hex(hex).assault_only);
    EXPECT_EQ(data.hex(hex).defence, 3);
  }
  EXPECT_EQ(in_1bf, 50);
  EXPECT_EQ(in_1uf, 50);
}

TEST(ReichstagScenarios, StartWithTheUnitsOfTheRulebook) {
  const CreatedGame game = create("base");
  int of_1bf = 0, of_1uf = 0, towers = 0, pool = 0;
  for (const UnitFacts& unit : data_of(game.game).units) {
    of_1bf += unit.group == Group::k1BFNorth || unit.group == Group::k1BFSouth;
    of_1uf += unit.group == Group::k1UFSouth;
    pool += unit.group == Group::kPool;
    towers += unit.works_as == StaticKind::kFlak && unit.cf == 6;
  }
  EXPECT_EQ(of_1bf, 24);  // [3.11]
  EXPECT_EQ(of_1uf, 12);  // [3.12]
  EXPECT_EQ(towers, 3);   // [3.2]
  EXPECT_EQ(pool, 57);
}

TEST(ReichstagScenarios, TheSeatsAreTheTwoFronts) {
  for (const ScenarioInfo& info : rule_system("reichstag")->scenarios()) {
    const CreatedGame game = create(info.id.c_str());
    ASSERT_EQ(game.game.created.seats.size(), 2u) << info.id;
    EXPECT_EQ(game.game.created.seats[0].name, "1BF");
    EXPECT_EQ(game.game.created.seats[1].name, "1UF");
  }
}

TEST(ReichstagTables, ColumnsAreCutOff) {
  EXPECT_EQ(column_of(99, 200), 0);  // 49.5 % [R-03]
  EXPECT_EQ(column_of(100, 200), 1);
  EXPECT_EQ(column_of(20, 13), 2);
  EXPECT_EQ(column_of(599, 100), 6);
  EXPECT_EQ(column_of(600, 100), 7);
  EXPECT_EQ(column_of(0, 0), 7);
}

}  // namespace
}  // namespace wardiary::reichstag

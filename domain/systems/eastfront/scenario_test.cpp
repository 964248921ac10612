// The scenario files: force tables, calendars, the production audit, the order of battle of 1941.
#include <map>
#include <numeric>

#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

struct Sheet {
  const char* id;
  int axis_level, axis_map;
  int soviet_level, soviet_map;
  int fortnights;
  int handicap;
  std::array<std::pair<int, int>, 6> axis;    // hq, armor, mech, infantry, sat. infantry, static
  std::array<std::pair<int, int>, 7> soviet;  // hq, armor, mech, infantry, shock, cavalry, sat.
};

// The eight sheets [S41 .. W44]; {0, 0}: no such line.
const Sheet kSheets[] = {
    {"S41",
     54,
     24,
     64,
     64,
     11,
     -40,
     {{{5, 13}, {10, 37}, {1, 3}, {25, 94}, {7, 17}, {2, 2}}},
     {{{6, 13}, {7, 14}, {7, 14}, {30, 76}, {0, 0}, {4, 4}, {0, 0}}}},
    {"W41",
     71,
     41,
     49,
     43,
     12,
     -25,
     {{{5, 10}, {11, 30}, {2, 6}, {27, 96}, {7, 17}, {2, 2}}},
     {{{6, 10}, {1, 2}, {2, 4}, {28, 76}, {2, 8}, {4, 12}, {0, 0}}}},
    {"S42",
     80,
     40,
     56,
     44,
     12,
     -30,
     {{{5, 12}, {11, 38}, {3, 10}, {30, 92}, {7, 17}, {2, 2}}},
     {{{6, 11}, {4, 8}, {4, 8}, {28, 88}, {4, 12}, {4, 10}, {0, 0}}}},
    {"W42",
     83,
     43,
     62,
     42,
     12,
     -15,
     {{{5, 10}, {11, 35}, {3, 8}, {31, 94}, {8, 21}, {2, 2}}},
     {{{6, 12}, {7, 16}, {5, 12}, {28, 84}, {4, 12}, {4, 12}, {0, 0}}}},
    {"S43",
     90,
     40,
     64,
     44,
     10,
     -10,
     {{{5, 12}, {12, 42}, {3, 12}, {29, 90}, {7, 12}, {2, 2}}},
     {{{6, 14}, {11, 32}, {6, 18}, {29, 94}, {4, 10}, {4, 8}, {0, 0}}}},
    {"W43",
     79,
     29,
     74,
     54,
     12,
     10,
     {{{5, 10}, {12, 38}, {4, 10}, {30, 92}, {7, 14}, {2, 2}}},
     {{{6, 12}, {11, 24}, {7, 16}, {28, 90}, {4, 14}, {4, 10}, {0, 0}}}},
    {"S44",
     66,
     26,
     82,
     62,
     12,
     50,
     {{{5, 12}, {12, 36}, {4, 12}, {29, 86}, {7, 20}, {2, 2}}},
     {{{6, 14}, {12, 34}, {7, 22}, {30, 94}, {4, 15}, {4, 12}, {0, 0}}}},
    {"W44",
     45,
     15,
     89,
     69,
     12,
     0,
     {{{5, 10}, {10, 18}, {4, 12}, {26, 50}, {0, 0}, {0, 0}}},
     {{{6, 12}, {12, 34}, {7, 22}, {29, 92}, {4, 15}, {4, 12}, {3, 5}}}},
};

class EverySheet : public ::testing::TestWithParam<Sheet> {};
INSTANTIATE_TEST_SUITE_P(EastFront, EverySheet, ::testing::ValuesIn(kSheets),
                         [](const auto& test) { return std::string(test.param.id); });

int map_value(const World& world, SideId side) {
  int sum = 0;
  for (const LevelTerm& term : production_level(world.now(), side)) {
    if (term.source != "base") sum += term.value;
  }
  return sum;
}

// Digest 1.6: base plus what the map gives is the printed level, in all eight scenarios.
TEST_P(EverySheet, StartsWithThePrintedProduction) {
  const Sheet& sheet = GetParam();
  const World world(sheet.id, {{"historicalSetup", "off"}});
  EXPECT_EQ(map_value(world, kAxis), sheet.axis_map);
  EXPECT_EQ(map_value(world, kSoviet), sheet.soviet_map);
  EXPECT_EQ(world.now().track(t::kAxisLevel), sheet.axis_level);
  EXPECT_EQ(world.now().track(t::kSovietLevel), sheet.soviet_level);
}

TEST_P(EverySheet, HasThePrintedForceTable) {
  const Sheet& sheet = GetParam();
  const World world(sheet.id, {{"historicalSetup", "off"}});
  std::vector<std::pair<int, int>> axis, soviet;
  for (const ForceLine& line : world.now().data.forces) {
    (line.side == kAxis ? axis : soviet).emplace_back(line.units, line.cv);
  }
  const auto printed = [](const auto& lines) {
    std::vector<std::pair<int, int>> out;
    for (const auto& line : lines) {
      if (line.first != 0) out.push_back(line);
    }
    return out;
  };
  EXPECT_EQ(axis, printed(sheet.axis));
  EXPECT_EQ(soviet, printed(sheet.soviet));
  EXPECT_EQ(world.now().period().axis_handicap, sheet.handicap);
  EXPECT_EQ(static_cast<int>(world.now().data.fortnights.size()), sheet.fortnights);
}

// The pool can always fill the table, and the sample set-up orders do [3.2.2].
TEST_P(EverySheet, CanBeSetUpByTheLegalOrdersOffered) {
  World world(GetParam().id, {{"historicalSetup", "off"}});
  std::size_t turn = 0;
  for (int guard = 0; world.now().phase() == Phase::kSetup && guard < 1000; ++guard) {
    const SideId side = world.position.pending(kAxis).kind != 0 ? kAxis : kSoviet;
    std::vector<Order> orders;
    world.game.system->legal_orders(world.game, world.position, side, [&](const Order& each) {
      orders.push_back(each);
      return orders.size() < 500;
    });
    ASSERT_FALSE(orders.empty());
    turn += 7;  // a different one each time
    ASSERT_EQ(world.give(orders[turn % orders.size()]), "") << world.last.text;
  }
  EXPECT_EQ(world.now().phase(), Phase::kCommand);
  for (const ForceLine& line : world.now().data.forces) {
    int units = 0, cv = 0;
    for (std::size_t i = 0; i < world.position.unit_count(); ++i) {
      const UnitId unit{static_cast<int>(i)};
      const bool here = world.position.on_board(unit) || world.now().fate(unit) == Fate::kOffMap;
      const bool reinforcement = world.now().data.starts[i].how == Start::kScheduled;
      if (!here || reinforcement || world.now().side(unit) != line.side) continue;
      if (!line.covers(world.now().facts(unit))) continue;
      units += 1;
      cv += world.now().cv(unit);
    }
    EXPECT_EQ(units, line.units) << line.name;
    EXPECT_LE(cv, line.cv) << line.name;
  }
}

TEST(Scenario, AllSheetsKnowTheSameUnits) {
  const World first("S41");
  for (const Sheet& sheet : kSheets) {
    const World other(sheet.id);
    ASSERT_EQ(other.game.roster().units.size(), first.game.roster().units.size());
    for (std::size_t i = 0; i < first.game.roster().units.size(); ++i) {
      EXPECT_EQ(other.game.roster().units[i].name, first.game.roster().units[i].name);
    }
  }
}

TEST(Scenario, HistoricalSetupOf1941IsLegalAndComplete) {
  const World world("S41");
  const Situation now = world.now();
  std::map<std::string, std::pair<int, int>> sums;
  for (const ForceLine& line : now.data.forces) {
    auto& [units, cv] = sums[(line.side == kAxis ? "axis " : "soviet ") + line.name];
    for (UnitId unit : now.units_of(line.side)) {
      if (!line.covers(now.facts(unit))) continue;
      units += 1;
      cv += now.cv(unit);
    }
    EXPECT_EQ(units, line.units) << line.name;
    EXPECT_EQ(cv, line.cv) << line.name;  // the order of battle uses every point [OB]
  }
  for (SideId side : {kAxis, kSoviet}) {
    for (SpaceId hex : now.data.front[side.index()]) {
      EXPECT_TRUE(now.any_in(hex, side)) << now.name(hex);
    }
    for (UnitId unit : now.units_of(side)) {
      EXPECT_LE(now.count_in(now.at(unit), side), now.stacking_limit(now.at(unit)));
      if (!now.facts(unit).hq()) continue;
      for (UnitId other : now.units_of(side)) {
        if (other == unit || !now.facts(other).hq()) continue;
        EXPECT_GE(now.board().distance(now.at(unit), now.at(other)), 2)
            << now.name(unit) << " " << now.name(other);
      }
    }
  }
  for (const UnitSupply& unit : supply_report(now)) {
    EXPECT_EQ(unit.status, "supplied") << now.name(unit.unit);
  }
  EXPECT_EQ(now.phase(), Phase::kCommand);
  EXPECT_EQ(now.active(), kAxis);
}

TEST(Scenario, LinkedGamesHaveOneCalendar) {
  const World year("S41", {{"linkTo", "W41"}});
  EXPECT_EQ(year.now().data.fortnights.size(), 23u);
  EXPECT_EQ(year.game.roster().turns.front(), "1941 Jun II");
  EXPECT_EQ(year.game.roster().turns.back(), "1942 May II");
  // From Winter 1942 on into Summer 1943, June is played too [S43 1].
  const World on("W42", {{"linkTo", "S43"}});
  EXPECT_EQ(on.now().data.fortnights.size(), 24u);
  const World war("S41", {{"linkTo", "W44"}});
  EXPECT_EQ(war.now().data.fortnights.size(), 11u + 7 * 12);
  int productions = 0;
  for (const Fortnight& turn : war.now().data.fortnights) productions += turn.production;
  EXPECT_EQ(productions, 47);
}

TEST(Scenario, RefusesToLinkBackwards) {
  NewGameSpec spec;
  spec.scenario = "S43";
  spec.options = {{"linkTo", "W41"}};
  const auto created = create_game(*rule_system("eastfront"), spec, {});
  ASSERT_FALSE(created.ok());
  EXPECT_NE(created.error().text.find("cannot be linked to W41"), std::string::npos);
}

// the printed 45, or the chart's 37.
TEST(Scenario, WinterOf1944MayUseTheOtherProduction) {
  const World world("W44", {{"A-04", "37"}});
  EXPECT_EQ(world.now().track(t::kAxisLevel), 37);
}

TEST(Scenario, EdelweissStartsAsPrinted) {
  const World world("Edelweiss");
  EXPECT_EQ(world.now().track(t::kAxisLevel), 28);
  EXPECT_EQ(world.now().track(t::kSovietLevel), 30);
  EXPECT_EQ(world.now().defender(world.hex("Stalingrad")), kSoviet);
  EXPECT_TRUE(world.now().is(world.unit("O"), u::kShown));
  EXPECT_FALSE(world.now().is(world.unit("F"), u::kShown));
  EXPECT_EQ(world.now().fate(world.unit("L")), Fate::kEliminated);
  EXPECT_EQ(world.now().at(world.unit("C")), world.hex("Rostov E2"));
}

}  // namespace
}  // namespace wardiary::eastfront

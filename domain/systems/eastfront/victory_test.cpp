// Victory [17]: the printed example, each term, levels, Winter 1944, linked games.
#include "domain/systems/eastfront/victory.h"

#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {
namespace {

int term(const World& world, SideId side, std::string_view name) {
  for (const ScoreTerm& each : victory_points(world.now())) {
    if (each.side == side && each.term == name) return each.value;
  }
  return 0;
}
int total(const World& world, SideId side) {
  return points_of(victory_points(world.now()), side);
}

// T-30: Soviet 50 + 12 - 10 = 52; Axis 70 + 18 - 2 - 40 = 46. Nothing else scores: the satellites
// are free, and the Italians on the map.
TEST(Victory, PrintedExample) {
  World world("S41");
  world.set(t::kAxisLevel, 70);
  world.set(t::kSovietLevel, 50);
  const int axis[] = {3, 2, 2, 2, 0};
  const char* axis_hqs[] = {"OKH", "AGN", "AGC", "AGS", "AGA"};
  for (int i = 0; i < 5; ++i) world.set(world.unit(axis_hqs[i]), u::kCv, axis[i]);
  const char* soviet_hqs[] = {"STAVKA", "LenF", "BalF", "WesF", "UkrF", "SouF"};
  for (const char* hq : soviet_hqs) world.set(world.unit(hq), u::kCv, 1);
  world.put("Ita8", "Odessa", 3);
  for (const char* unit : {"Rom3", "Rom4", "Hun2", "Ita8"}) {
    world.set(world.unit(unit), u::kRestricted, 0);
  }
  world.lose("1AK");
  for (const char* unit : {"8A", "3A", "4A", "5A", "9A", "12A", "13A", "16A", "18A", "23A"}) {
    world.lose(unit);
  }
  EXPECT_EQ(total(world, kSoviet), 52);
  EXPECT_EQ(total(world, kAxis), 46);
  const Outcome outcome = outcome_of(46, 52);
  EXPECT_EQ(outcome.winner, kSoviet);
  EXPECT_STREQ(outcome.level, "marginal");
  EXPECT_EQ(outcome.tournament_points, 2);
}

TEST(Victory, Levels) {
  const auto level = [](int axis, int soviet) {
    return std::string(outcome_of(axis, soviet).level);
  };
  EXPECT_EQ(level(10, 10), "draw");
  EXPECT_EQ(level(15, 10), "draw");
  EXPECT_EQ(level(16, 10), "marginal");
  EXPECT_EQ(level(25, 10), "marginal");
  EXPECT_EQ(level(26, 10), "major");
  EXPECT_EQ(level(35, 10), "major");
  EXPECT_EQ(level(36, 10), "decisive");
  EXPECT_EQ(outcome_of(36, 10).tournament_points, 5);
  EXPECT_EQ(outcome_of(10, 36).winner, kSoviet);
  EXPECT_FALSE(outcome_of(10, 15).winner.ok());
}

TEST(Victory, TermsOfTheAxis) {
  World world("S41");
  EXPECT_EQ(term(world, kAxis, "production"), 54);
  EXPECT_EQ(term(world, kAxis, "headquarters"), 26);
  EXPECT_EQ(term(world, kAxis, "handicap"), -40);
  EXPECT_EQ(term(world, kAxis, "restricted expeditionary satellites"), -3);
  EXPECT_EQ(term(world, kAxis, "eliminated units"), -2);  // the Italians, not there yet
  world.lose("AGA");
  EXPECT_EQ(term(world, kAxis, "eliminated headquarters"), -4);
  EXPECT_EQ(term(world, kAxis, "eliminated units"), -2);
  world.lose("Rom1");
  EXPECT_EQ(term(world, kAxis, "eliminated units"), -4);
  world.set(world.unit("3Pz"), u::kSupplied, 0);
  world.set(world.unit("Rom3"), u::kSupplied, 0);
  EXPECT_EQ(term(world, kAxis, "unsupplied German units"), -1);
}

TEST(Victory, TermsOfTheSoviets) {
  World world("S41");
  EXPECT_EQ(total(world, kSoviet), 64 + 26);
  world.lose("LenF");
  world.lose("23A");
  EXPECT_EQ(total(world, kSoviet), 64 + 22 - 4 - 1);
}

TEST(Victory, ExhaustionOfWinter1941) {
  World world("W41");
  world.clear_map();
  world.put("OKH", "Warsaw", 3);
  world.put("AGC", "Minsk", 2);
  EXPECT_EQ(term(world, kSoviet, "Axis exhaustion"), 14 - 5);
}

TEST(Victory, ParatroopsOfAGameWithoutThemDoNotCount) {
  const World without("S42");
  EXPECT_EQ(without.now().fate(without.unit("4Para")), Fate::kRemoved);
  const World with("S42", {{"paratroops", "on"}});
  EXPECT_EQ(with.now().fate(with.unit("4Para")), Fate::kPool);
}

// [W44 5]: the month of the breakthrough decides, whatever the points say.
TEST(Victory, WinterOf1944IsDecidedOnThePolishPlain) {
  struct Row {
    int turn;
    SideId winner;
  };
  const Row rows[] = {{1, kSoviet}, {3, kSoviet}, {5, kSoviet},
                      {7, kNoSide}, {9, kAxis},   {11, kAxis}};
  for (const Row& row : rows) {
    World world("W44");
    world.clear_map();
    world.phase(Phase::kCombat, kSoviet, row.turn);
    world.put("6GA", "Thorn", 4);
    world.draft([](Draft& draft) { end_phase(draft); });
    EXPECT_TRUE(world.position.over);
    EXPECT_EQ(world.position.winner, row.winner.value) << row.turn;
  }
  World never("W44");
  never.clear_map();
  never.phase(Phase::kSupply, kAxis, 12);
  never.set(t::kPlayerTurn, 2);
  never.draft([](Draft& draft) { EXPECT_TRUE(finish_period(draft)); });
  EXPECT_EQ(never.position.winner, kAxis.value);
}

TEST(Victory, LinkedGamesGoOn) {
  World year("S41", {{"linkTo", "W41"}});
  year.draft([](Draft& draft) { EXPECT_FALSE(finish_period(draft)); });
  EXPECT_FALSE(year.position.over);
  // A campaign stops for a Decisive victory: 90 to 35 here.
  World war("S41", {{"linkTo", "W44"}, {"campaign", "on"}});
  war.draft([](Draft& draft) { EXPECT_TRUE(finish_period(draft)); });
  EXPECT_EQ(war.position.winner, kSoviet.value);
}

TEST(Victory, CampaignEndsAtTheBreakthrough) {  // 16.8
  World war("S44", {{"linkTo", "W44"}, {"campaign", "on"}});
  war.clear_map();
  war.phase(Phase::kCombat, kSoviet, 3);
  war.put("6GA", "Lodz", 4);
  war.draft([](Draft& draft) { end_phase(draft); });
  EXPECT_TRUE(war.position.over);
  EXPECT_EQ(war.position.winner, kSoviet.value);
}

TEST(Victory, LinkingChangesTheBase) {  // T-05
  World year("W41", {{"linkTo", "S42"}});
  const int axis = year.now().track(t::kAxisLevel);
  const int soviet = year.now().track(t::kSovietLevel);
  year.set(t::kPeriod, 1);
  year.draft([](Draft& draft) { update_objectives(draft); });
  EXPECT_EQ(year.now().track(t::kAxisLevel), axis + 10);
  EXPECT_EQ(year.now().track(t::kSovietLevel), soviet + 6);
  EXPECT_EQ(year.now().period().link_change[0], 10);
  EXPECT_EQ(year.now().period().link_change[1], 6);
}

TEST(Victory, EdelweissHasNone) {
  World world("Edelweiss");
  world.draft([](Draft& draft) { EXPECT_TRUE(finish_period(draft)); });
  EXPECT_EQ(world.position.winner, -1);
}

}  // namespace
}  // namespace wardiary::eastfront

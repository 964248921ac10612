#include "replay/compare_lines.h"

#include <nlohmann/json.hpp>

#include "replay/branch_tree.h"
#include "replay/fork_testing.h"
#include "replay/notes.h"

namespace wardiary {
namespace {

struct Club {
  World world;
  OpenGamePtr game = world.create("freeform", "duel", Keeping::kScribed);
  BranchId line = game->mainline;
  Timelines timelines{world.store(), world.library(), world.time()};

  void turn(const BranchId& branch, int turn, int score) {
    const std::string phase = game->roster().phases[0];
    world.record(branch, R"([{"type":"PhaseBegan","turn":)" + std::to_string(turn) +
                             R"(,"phase":")" + phase +
                             R"("},{"type":"TrackChanged","track":"score.red","to":)" +
                             std::to_string(score) + "}]");
  }
  BranchId fork(const BranchId& parent, Version at, const std::string& name) {
    return fork_at(world, parent, at, name);
  }
  Comparison compare(LinePoint a, LinePoint b) {
    auto out = compare_lines(world.store(), world.library(), world.time(), timelines, a, b,
                             Viewer::referee());
    EXPECT_TRUE(out.ok()) << out.error().text;
    return std::move(*out);
  }
};

TEST(CompareLines, AlignsTurnsAndFindsWhereTheyPart) {
  Club c;
  c.turn(c.line, 1, 5);
  c.turn(c.line, 2, 6);
  const Version at = c.world.version(c.line);
  const BranchId other = c.fork(c.line, at, "other");
  c.turn(c.line, 3, 7);
  c.turn(other, 3, 7);  // the same again
  c.turn(c.line, 4, 8);
  c.turn(other, 4, 9);
  c.world.record(other, R"([{"type":"UnitRemoved","unit":"B1"},
                            {"type":"UnitMoved","unit":"R1","path":["A1","B1"]}])");
  const Comparison found = c.compare({c.line, 0}, {other, 0});
  EXPECT_EQ(found.common, at);
  // Both begin turn 4 alike and part at the score.
  EXPECT_EQ(found.diverge_a, at + 4);
  EXPECT_EQ(found.diverge_b, at + 2 + 4);  // the branch has two events of its own first
  ASSERT_GE(found.turns.size(), 4u);
  const ComparedTurn& last = found.turns.back();
  EXPECT_EQ(last.turn, 4);
  EXPECT_EQ(*last.a->score[0], 8);
  EXPECT_EQ(*last.b->score[0], 9);
  const auto json = comparison_json(found, c.game->game, Viewer::referee());
  EXPECT_EQ(json["units"]["lost"], nlohmann::json({"B1"}));
  EXPECT_EQ(json["units"]["moved"], nlohmann::json({"R1"}));
  const std::string text = comparison_text(found, c.game->game, Viewer::referee());
  EXPECT_NE(text.find("Turn 2: the same"), std::string::npos) << text;
  EXPECT_NE(text.find("On the board only in the first: B1"), std::string::npos) << text;
}

TEST(CompareLines, TakesTwoPointsOfOneLineAndRefusesTwoGames) {
  Club c;
  c.turn(c.line, 1, 5);
  const Version early = c.world.version(c.line);
  c.turn(c.line, 2, 6);
  const Comparison found = c.compare({c.line, early}, {c.line, 0});
  EXPECT_EQ(found.common, early);
  EXPECT_EQ(found.diverge_a, 0u);
  EXPECT_EQ(found.diverge_b, early + 1);
  EXPECT_FALSE(found.turns.back().a.has_value());
  EXPECT_EQ(*found.b_end.score[0], 6);
  EXPECT_TRUE(c.compare({c.line, 0}, {c.line, 0}).difference.empty());
  auto other = c.world.create("freeform", "duel");
  EXPECT_EQ(compare_lines(c.world.store(), c.world.library(), c.world.time(), c.timelines,
                          {c.line, 0}, {other->mainline, 0}, Viewer::referee())
                .error()
                .code,
            ErrorCode::kInvalid);
  EXPECT_EQ(compare_lines(c.world.store(), c.world.library(), c.world.time(), c.timelines,
                          {c.line, 0}, {c.line, 9'999}, Viewer::referee())
                .error()
                .code,
            ErrorCode::kNotFound);
}

TEST(BranchTree, ListsEveryLineBelowItsParentWithItsScore) {
  Club c;
  c.turn(c.line, 1, 5);
  const Version at = c.world.version(c.line);
  const BranchId late = c.fork(c.line, at, "late");
  const BranchId early = c.fork(c.line, at - 1, "early");
  c.turn(late, 2, 11);
  const BranchId nested = c.fork(late, c.world.version(late), "nested");
  c.turn(nested, 3, 12);
  auto tree = branch_tree(c.world.store(), c.world.library(), c.world.time(), c.game->id,
                          Viewer::referee());
  ASSERT_TRUE(tree.ok());
  std::vector<std::string> names;
  for (const BranchNode& node : *tree) {
    names.push_back(std::string(node.depth, '-') + node.info.name + " " +
                    std::to_string(*node.standing.score[0]));
  }
  EXPECT_EQ(names[1], "-early " + std::to_string(*(*tree)[1].standing.score[0]));
  EXPECT_EQ(names[2], "-late 11");
  EXPECT_EQ(names[3], "--nested 12");
  // A line with others below it stays; the mainline always.
  EXPECT_FALSE(c.world.referee().delete_branch(late, "referee", "").ok());
  EXPECT_EQ(c.world.referee().delete_branch(c.line, "referee", "").error().code,
            ErrorCode::kDenied);
  ASSERT_TRUE(c.world.referee().delete_branch(early, "referee", "led nowhere").ok());
  ASSERT_TRUE(c.world.referee().delete_branch(early, "referee", "led nowhere").ok());
  tree = branch_tree(c.world.store(), c.world.library(), c.world.time(), c.game->id,
                     Viewer::referee());
  EXPECT_EQ(tree->size(), 3u);
  EXPECT_EQ(branch_tree(c.world.store(), c.world.library(), c.world.time(), c.game->id,
                        Viewer::referee(), true)
                ->size(),
            4u);
  const auto notes = Notes(c.world.store()).list(c.game->id, {"referee", true});
  ASSERT_EQ(notes->size(), 1u);
  EXPECT_EQ(notes->front().kind, Note::Kind::kBranchDeleted);
  EXPECT_EQ(notes->front().text, "led nowhere");
}

TEST(Study, HoldsWhatASideMaySeeAndNothingElse) {
  World world;
  const GameId id = world.play("eastfront", "S41", 21, 200);
  auto game = *world.library().game(id);
  const Version at = world.version(game->mainline);
  const Position real = *world.time().at(game->mainline, at);
  ASSERT_FALSE(real.over);
  const SideId me{0};
  ForkRequest fork;
  fork.game = id;
  fork.parent = game->mainline;
  fork.at = at;
  fork.author = game->roster().sides[0];
  fork.viewer = Viewer::of(me);
  EXPECT_EQ(world.referee().fork(fork).error().code, ErrorCode::kDenied);

  auto study = world.referee().study({game->mainline, at, Viewer::of(me), "my study", "axis"});
  ASSERT_TRUE(study.ok()) << study.error().text;
  const Position mine = world.time().head(study->game->mainline)->position;
  const View view(game->game, Viewer::of(me));
  const Roster& theirs = study->game->roster();
  int hidden = 0, seen = 0;
  for (std::size_t u = 0; u < real.unit_count(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    if (!real.on_board(unit)) continue;
    const UnitId there = theirs.unit(game->roster().units[u].name);
    if (view.sees_unit(real, unit)) {
      ++seen;
      ASSERT_TRUE(there.ok());
      EXPECT_EQ(mine.at(there), real.at(unit));
    } else {
      ++hidden;
      EXPECT_FALSE(there.ok() && mine.on_board(there)) << game->roster().units[u].name;
    }
  }
  EXPECT_GT(seen, 0);
  EXPECT_GT(hidden, 0);
  EXPECT_EQ(mine.clock, real.clock);
  EXPECT_NE(study->game->id, id);
}

}  // namespace
}  // namespace wardiary

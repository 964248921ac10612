#include "replay/scribe.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "domain/schema/event_generated.h"
#include "replay/audit.h"
#include "replay/world_testing.h"

namespace wardiary {
namespace {

struct Table {
  World world;
  OpenGamePtr game;
  explicit Table(const std::string& system = "freeform", const std::string& scenario = "duel")
      : game(world.create(system, scenario, Keeping::kScribed)) {}

  Result<Scribed> scribe(const std::string& text, bool check_only = false) {
    OrderRequest request;
    request.branch = game->mainline;
    request.author = "scribe";
    std::istringstream in(text);
    return world.referee().scribe(request, in, check_only);
  }
  // The lines that could not be taken, with a word of why.
  std::string problems(const std::string& text) {
    const Version before = world.version(game->mainline);
    auto scribed = scribe(text);
    if (!scribed) return scribed.error().text;
    std::string out;
    for (const ScribeProblem& p : scribed->problems) {
      out += std::to_string(p.line) + ": " + p.text + "\n";
    }
    if (!scribed->problems.empty()) {
      EXPECT_EQ(world.version(game->mainline), before) << "nothing may be half imported";
    }
    return out;
  }
  Position now() { return world.time().head(game->mainline)->position; }
};

TEST(Scribe, TakesFactsRulingsAndCorrectionsInOneCommit) {
  Table t;
  auto scribed = t.scribe(
      "{\"type\":\"DiceRolled\",\"roller\":\"red\",\"purpose\":\"attack\",\"values\":[6,5]}\r\n"
      "{\"type\":\"UnitMoved\",\"unit\":\"R1\",\"path\":[\"A1\",\"B1\"]}\n"
      "\n"
      "{\"type\":\"TrackChanged\",\"track\":\"score.red\",\"to\":3}\n"
      "{\"type\":\"Ruling\",\"text\":\"as agreed\"}\n"
      "{\"type\":\"TrackChanged\",\"track\":\"score.red\",\"to\":9}\n"
      "{\"type\":\"TakeBack\",\"text\":\"misheard\"}\n");
  ASSERT_TRUE(scribed.ok()) << scribed.error().text;
  EXPECT_TRUE(scribed->problems.empty());
  EXPECT_EQ(scribed->commits, 4u);
  EXPECT_EQ(scribed->facts, 5u);
  EXPECT_EQ(scribed->take_backs, 1u);
  EXPECT_EQ(t.now().get(t.game->roster().track("score.red")), 3);
  EXPECT_EQ(t.now().at(t.game->roster().unit("R1")), t.game->roster().space("B1"));
  auto report = audit_game(t.world.store(), t.world.library(), t.game->id);
  EXPECT_TRUE(report->clean()) << audit_text(*report);
  // Further back than the file reaches.
  ASSERT_TRUE(t.scribe("{\"type\":\"TrackChanged\",\"track\":\"score.red\",\"to\":4}\n"
                       "{\"type\":\"TakeBack\",\"commits\":2}\n")
                  ->problems.empty());
  EXPECT_EQ(t.now().get(t.game->roster().track("score.red")), 9);
}

TEST(Scribe, TellsEveryLineThatCannotBeTakenAndWritesNothing) {
  Table t;
  const std::string said = t.problems(
      "{\"type\":\"UnitMoved\",\"unit\":\"R1\",\"path\":[\"A1\",\"B1\"]}\n"
      "{\"type\":\"UnitMoved\",\"unit\":\"nobody\",\"path\":[\"A1\",\"B1\"]}\n"
      "not json\n"
      "[1,2]\n"
      "{\"type\":\"TrackChanged\",\"track\":\"score.red\",\"to\":3}\n"
      "{\"type\":\"Nonsense\"}\n"
      "{\"to\":3}\n"
      "{\"type\":\"TakeBack\",\"commits\":0}\n");
  for (const char* line : {"2: ", "3: ", "4: ", "6: ", "7: ", "8: "}) {
    EXPECT_NE(said.find(line), std::string::npos) << said;
  }
  EXPECT_FALSE(said.starts_with("1: ")) << said;
  EXPECT_EQ(said.find("\n5: "), std::string::npos);
}

TEST(Scribe, MeetsHostileFilesWithWordsAndLittleMemory) {
  Table t;
  EXPECT_NE(t.problems(std::string(3u << 20, 'x') + "\n").find("longer than"), std::string::npos);
  EXPECT_NE(t.problems(std::string(100'000, '[') + "\n").find("1: "), std::string::npos);
  EXPECT_NE(t.problems("{\"type\":\"Ruling\",\"text\":\"\xc3\x28\"}\n").find("1: "),
            std::string::npos);
  EXPECT_NE(t.problems("{\"type\":\"Ruling\",\"te").find("1: "), std::string::npos);
  EXPECT_NE(t.problems(std::string("{\"type\":\"Rul\0ing\"}", 18)).find("1: "), std::string::npos);
  EXPECT_NE(t.problems("").find("nothing to record"), std::string::npos);
  EXPECT_NE(t.problems("\n\n\n").find("nothing to record"), std::string::npos);
  // More problems than anybody wants to read.
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "?\n";
  auto scribed = t.scribe(many);
  EXPECT_EQ(scribed->problems.size(), ScribeLimits::kProblemsMax);
  EXPECT_FALSE(scribed->all_problems);
  // More events than one commit holds.
  std::string long_file;
  for (int i = 0; i < 25'000; ++i) {
    long_file +=
        "{\"type\":\"TrackChanged\",\"track\":\"score.red\",\"to\":" + std::to_string(i % 100 + 1) +
        "}\n";
  }
  EXPECT_NE(t.problems(long_file).find("make two files"), std::string::npos);
}

TEST(Scribe, ChecksWithoutWritingAndOnlyWhereItMay) {
  Table t;
  const Version before = t.world.version(t.game->mainline);
  auto checked = t.scribe("{\"type\":\"TrackChanged\",\"track\":\"score.red\",\"to\":3}\n", true);
  EXPECT_TRUE(checked->problems.empty());
  EXPECT_FALSE(checked->answer.has_value());
  EXPECT_EQ(t.world.version(t.game->mainline), before);
  auto refereed = t.world.create("freeform", "duel");
  OrderRequest request;
  request.branch = refereed->mainline;
  std::istringstream in("{}\n");
  EXPECT_EQ(t.world.referee().scribe(request, in).error().code, ErrorCode::kDenied);
}

TEST(Scribe, TakesOrdersWithTheDiceThatFellAndTheRulesDecideThem) {
  Table t("eastfront", "S41");
  const Version before = t.world.version(t.game->mainline);
  const std::string said = t.problems(
      "{\"type\":\"EndCombat\",\"side\":\"axis\"}\n{\"order\":{\"type\":\"Nope\"},\"dice\":[1]}\n"
      "{\"order\":{\"type\":\"EndCombat\",\"side\":\"axis\"},\"dice\":\"six\"}\n");
  EXPECT_NE(said.find("1: the rules refuse it"), std::string::npos) << said;
  EXPECT_NE(said.find("2: "), std::string::npos) << said;
  EXPECT_NE(said.find("3: dice"), std::string::npos) << said;
  EXPECT_EQ(t.world.version(t.game->mainline), before);
}

// A refereed game, written out as a scribe would have, read onto a scribed game of the same
// scenario.
TEST(Scribe, WrittenOutAndReadAgainAGameHasTheSamePosition) {
  World world;
  const std::string system = "eastfront", scenario = "S41";
  const GameId id = world.play(system, scenario, 31, 400);
  auto game = *world.library().game(id);
  // With a ruling and a take-back in it.
  OrderRequest request;
  request.branch = game->mainline;
  request.author = "referee";
  const BranchInfo info = *world.store().branch(game->mainline);
  ASSERT_TRUE(world.referee().rule(request, {"", "noted"}).ok());
  ASSERT_TRUE(
      world.referee()
          .take_back(request, *undo_target(world.store(), info), "", RulingText{"", "again"})
          .ok());
  std::ostringstream text;
  auto exported = export_scribe(world.store(), *game, game->mainline, text);
  ASSERT_TRUE(exported.ok()) << exported.error().text;
  auto table = world.create(system, scenario, Keeping::kScribed);
  OrderRequest into;
  into.branch = table->mainline;
  into.author = "scribe";
  std::istringstream in(text.str());
  auto scribed = world.referee().scribe(into, in);
  ASSERT_TRUE(scribed.ok()) << scribed.error().text;
  for (const ScribeProblem& p : scribed->problems) ADD_FAILURE() << p.line << ": " << p.text;
  EXPECT_EQ(world.time().head(table->mainline)->position,
            world.time().head(game->mainline)->position)
      << system;
  auto report = audit_game(world.store(), world.library(), table->id);
  EXPECT_TRUE(report->clean()) << audit_text(*report);
}

}  // namespace
}  // namespace wardiary

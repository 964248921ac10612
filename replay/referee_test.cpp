#include "replay/referee.h"

#include <fstream>
#include <thread>

#include "replay/jsonl.h"
#include "replay/world_testing.h"

namespace wardiary {
namespace {

using nlohmann::json;

OrderRequest request_on(const BranchId& branch) {
  OrderRequest request;
  request.branch = branch;
  request.author = "tester";
  return request;
}

const json kMove = {{"type", "UnitMoved"}, {"unit", "R1"}, {"path", {"A1", "B1"}}};

TEST(Referee, FactsOfACommitAreWrittenAllOrNone) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  const Version before = world.version(game->mainline);
  const std::vector<json> facts = {kMove,
                                   {{"type", "UnitMoved"}, {"unit", "R9"}, {"path", {"A1"}}}};
  auto answer = world.referee().record(request_on(game->mainline), facts);
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().text.find("line 2"), std::string::npos) << answer.error().text;
  EXPECT_NE(answer.error().text.find("R9"), std::string::npos) << answer.error().text;
  EXPECT_EQ(world.version(game->mainline), before);
}

TEST(Referee, RefereedGamesTakeNoFacts) {
  World world;
  auto game = world.create("freeform", "duel");
  auto answer = world.referee().record(request_on(game->mainline), std::vector<json>{kMove});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kDenied);
}

TEST(Referee, TheSameCommandIsDoneOnce) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  OrderRequest request = request_on(game->mainline);
  request.command = random_id();
  auto first = world.referee().record(request, std::vector<json>{kMove});
  const Version after = world.version(game->mainline);
  world.reopen();
  auto again = world.referee().record(request, std::vector<json>{kMove});
  ASSERT_TRUE(first.ok() && again.ok());
  const auto& answer = std::get<OrderAccepted>(*again);
  EXPECT_TRUE(answer.duplicate);
  EXPECT_EQ(answer.first, std::get<OrderAccepted>(*first).first);
  EXPECT_EQ(world.version(game->mainline), after);
}

TEST(Referee, CreatingAGameTwiceWithOneCommandMakesOneGame) {
  World world;
  GameRequest request;
  request.system = "freeform";
  request.spec.scenario = "duel";
  request.command = random_id();
  auto first = world.referee().create(request);
  auto again = world.referee().create(request);
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ((*first)->id, (*again)->id);
  EXPECT_EQ(world.store().stats()->games, 1u);
}

TEST(Referee, AWrongExpectedVersionIsAConflict) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  OrderRequest request = request_on(game->mainline);
  request.expected = 1;
  auto answer = world.referee().record(request, std::vector<json>{kMove});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(std::get<VersionConflict>(*answer).current, world.version(game->mainline));
}

TEST(Referee, WritersInManyThreadsEachGetTheirTurn) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  const Version before = world.version(game->mainline);
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const json ruling = {{"type", "Ruling"}, {"text", std::to_string(t * 100 + i)}};
        auto answer = world.referee().record(request_on(game->mainline), std::vector<json>{ruling});
        EXPECT_TRUE(answer.ok() && std::holds_alternative<OrderAccepted>(*answer));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(world.version(game->mainline), before + 40);
}

TEST(Referee, AForkSaysWhereItCameFromAndHasDiceOfItsOwn) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  world.record(game->mainline, "[" + kMove.dump() + "]");
  ForkRequest request;
  request.game = game->id;
  request.parent = game->mainline;
  request.at = 3;
  request.name = "what if";
  auto forked = world.referee().fork(request);
  ASSERT_TRUE(forked.ok()) << forked.error().text;
  EXPECT_EQ(forked->forked_at, 3u);
  EXPECT_EQ(forked->version, 5u);  // BranchForked and the epoch of its dice
  EXPECT_EQ(forked->name, "what if");
  request.at = 1'000;
  EXPECT_FALSE(world.referee().fork(request).ok());
}

TEST(Referee, OneOutcomePerRollNumberAlsoAfterARestartAndAnotherOneOnABranch) {
  World world;
  auto game = world.create("freeform", "duel");
  RollRequest roll;
  roll.roller = SideId{0};
  roll.number = 5;
  roll.groups = {{RollGroup::kDice, 20, 6, 0}};
  auto values = [&](const BranchId& branch) {
    auto chance = world.dice().chance(*world.store().branch(branch), Grade::kSolo);
    EXPECT_TRUE(chance.ok()) << chance.error().text;
    auto rolled = (*chance)->roll(roll);
    EXPECT_TRUE(rolled.has_value());
    return rolled->values;
  };
  const auto first = values(game->mainline);
  EXPECT_EQ(values(game->mainline), first);
  world.reopen();
  EXPECT_EQ(values(game->mainline), first);
  ForkRequest request;
  request.game = game->id;
  request.parent = game->mainline;
  request.at = 2;
  auto forked = world.referee().fork(request);
  ASSERT_TRUE(forked.ok());
  EXPECT_NE(values(forked->branch), first);
  roll.number = 6;
  EXPECT_NE(values(game->mainline), first);
}

TEST(Referee, TheServiceDoesNotRollForAScribe) {
  World world;
  auto game = world.create("eastfront", "Edelweiss", Keeping::kScribed);
  ASSERT_TRUE(game);
  // Whatever is ordered, no die falls that nobody typed in.
  Bot bot(Policy::kRandom, 7);
  for (int i = 0; i < 300; ++i) {
    auto head = world.time().head(game->mainline);
    std::string why;
    auto order = bot.choose(game->game, head->position, why);
    if (!order) break;
    auto answer = world.referee().order(request_on(game->mainline), *order);
    ASSERT_TRUE(answer.ok()) << answer.error().text;
    if (std::holds_alternative<OrderSuspended>(*answer)) return;
  }
  FAIL() << "no order of this game asked for dice";
}

// EastFront from here on: a game with orders and dice.
class RefereeOfEastFront : public testing::Test {
 protected:
  void SetUp() override {
    if (!rule_system("eastfront")) GTEST_FAIL() << "EastFront is not part of this program";
  }
};

TEST_F(RefereeOfEastFront, AnOrderThatIsNotOneNamesTheField) {
  World world;
  auto game = world.create("eastfront", "Edelweiss");
  auto answer = world.referee().order(request_on(game->mainline),
                                      json{{"type", "Nonsense"}, {"side", "axis"}});
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().text.find("order.type"), std::string::npos) << answer.error().text;
}

TEST_F(RefereeOfEastFront, DiceTypedInAreForScribedGames) {
  World world;
  auto game = world.create("eastfront", "Edelweiss");
  auto orders = world.referee().legal_orders(game->mainline, SideId{0}, 1);
  if (orders->empty()) orders = world.referee().legal_orders(game->mainline, SideId{1}, 1);
  ASSERT_FALSE(orders->empty());
  OrderRequest request = request_on(game->mainline);
  request.dice = std::vector<std::uint32_t>{6};
  auto answer = world.referee().order(request, orders->front());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kDenied);
}

TEST_F(RefereeOfEastFront, AGameOfAnotherServiceCannotBeRolledOn) {
  World here, there;
  const GameId id = there.play("eastfront", "Edelweiss", 1, 10);
  const auto file = here.directory() / "game.jsonl";
  {
    std::ofstream out(file);
    ASSERT_TRUE(export_jsonl(there.store(), there.library(), id, out).ok());
  }
  auto imported = import_jsonl(here.store(), file);
  ASSERT_TRUE(imported.ok()) << imported.error().text;
  const BranchId mainline = here.store().game(id)->mainline;
  std::optional<Order> order;
  for (int side = 0; side < 2 && !order; ++side) {
    auto orders = here.referee().legal_orders(mainline, SideId{side}, 1);
    ASSERT_TRUE(orders.ok()) << orders.error().text;
    if (!orders->empty()) order = orders->front();
  }
  ASSERT_TRUE(order);
  auto answer = here.referee().order(request_on(mainline), *order);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kDenied) << answer.error().text;
}

}  // namespace
}  // namespace wardiary

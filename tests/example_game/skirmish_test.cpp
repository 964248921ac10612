// The example game of docs/adding-a-game.md, played to its end.
#include "tests/example_game/skirmish.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "domain/apply.h"

namespace wardiary {
namespace {

CreatedGame new_game(const char* wind) {
  NewGameSpec spec;
  spec.scenario = "race";
  spec.options["wind"] = wind;
  return *create_game(skirmish_system(), spec, {});
}

Order row(const CreatedGame& game, SideId side, const char* boat, const char* to) {
  return Order(skirmish_system().order_types()[0], side)
      .with("boat", game.game.roster().unit(boat))
      .with("to", game.game.board->find(to));
}

TEST(Skirmish, RowsToTheNextTown) {
  const CreatedGame game = new_game("off");
  ScriptedChance chance({});
  const auto verdict =
      decide(game.game, game.position, row(game, SideId{0}, "red raft", "mill"), chance);
  const auto& accepted = std::get<Accepted>(verdict);
  EXPECT_EQ(accepted.position.at(game.game.roster().unit("red raft")),
            game.game.board->find("mill"));
  EXPECT_EQ(accepted.position.pending(SideId{1}).kind, 1);
}

TEST(Skirmish, StaysWhereItIsInABadWind) {
  const CreatedGame game = new_game("on");
  ScriptedChance chance({1});
  const auto verdict =
      decide(game.game, game.position, row(game, SideId{0}, "red raft", "mill"), chance);
  const auto& accepted = std::get<Accepted>(verdict);
  EXPECT_EQ(accepted.position.at(game.game.roster().unit("red raft")),
            game.game.board->find("source"));
}

TEST(Skirmish, RefusesAnotherSidesBoatAndATownTooFar) {
  const CreatedGame game = new_game("off");
  ScriptedChance chance({});
  auto code = [&](const Order& order) {
    return std::get<Rejection>(decide(game.game, game.position, order, chance)).code;
  };
  EXPECT_EQ(code(row(game, SideId{0}, "blue barge", "port")), "NOT_YOURS");
  EXPECT_EQ(code(row(game, SideId{0}, "red raft", "bridge")), "TOO_FAR");
  EXPECT_EQ(code(row(game, SideId{1}, "blue barge", "port")), "NOT_YOUR_DECISION");
}

// Whatever legal orders are given, the game ends after three turns and its log folds.
RC_GTEST_PROP(Skirmish, EndsAndReplaysWhateverIsPlayed, ()) {
  const CreatedGame game = new_game("on");
  Position position = game.position;
  std::vector<EventList> log;
  for (int moves = 0; !position.over; ++moves) {
    RC_ASSERT(moves < 6);
    const SideId side{position.clock.side};
    std::vector<Order> orders;
    skirmish_system().legal_orders(game.game, position, side, [&](const Order& order) {
      orders.push_back(order);
      return true;
    });
    RC_ASSERT(!orders.empty());
    ScriptedChance chance({static_cast<std::uint32_t>(*rc::gen::inRange(1, 7))});
    auto verdict = decide(game.game, position, *rc::gen::elementOf(orders), chance);
    auto* accepted = std::get_if<Accepted>(&verdict);
    RC_ASSERT(accepted);
    position = accepted->position;
    log.push_back(std::move(accepted->events));
  }
  Position replayed = game.position;
  for (const EventList& events : log) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      RC_ASSERT(apply(replayed, *trusted_event(events[i]), {true}) == Fault::kNone);
    }
  }
  RC_ASSERT(replayed == position);
}

}  // namespace
}  // namespace wardiary

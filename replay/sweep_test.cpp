#include "replay/sweep.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "domain/schema/event_generated.h"
#include "replay/world_testing.h"

namespace wardiary {
namespace {

class SweepTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const GameId id = world.play("eastfront", "S41", 3, 260);
    game = *world.library().game(id);
    branch = game->mainline;
  }
  // The first version for which `wanted` holds, at or after `from`.
  Version find(const std::function<bool(const fb::Event&)>& wanted, Version from = 1) {
    Version found = 0;
    auto read = world.store().read(branch, from, world.version(branch), [&](const StoredEvent& s) {
      if (wanted(*trusted_event(s.payload))) found = s.version;
      return found == 0;
    });
    EXPECT_TRUE(read.ok());
    EXPECT_NE(found, 0u);
    return found;
  }
  Version fire_roll(unsigned dice_min) {
    return find([&](const fb::Event& e) {
      const auto* rolled = e.payload_as_DiceRolled();
      return rolled && rolled->hits() >= 0 && rolled->values()->size() >= dice_min;
    });
  }
  Result<Sweep> roll(Version version) {
    return sweep_roll(world.store(), world.library(), world.time(), branch, version);
  }
  Result<Sweep> replay(Version at, Through through, std::uint64_t trials, unsigned threads = 2,
                       std::uint64_t seed = 1, const std::atomic<bool>* cancel = nullptr) {
    SweepRequest request;
    request.branch = branch;
    request.at = at;
    request.through = through;
    request.trials = trials;
    request.threads = threads;
    request.seed = seed;
    return sweep_replay(world.store(), world.library(), world.time(), request, {}, cancel);
  }

  World world;
  OpenGamePtr game;
  BranchId branch;
};

TEST_F(SweepTest, ARollGoesThroughEveryOutcomeWithTheExactNumberOfWays) {
  const Version at = fire_roll(2);
  const fb::DiceRolled* rolled = nullptr;
  std::vector<RollGroup> groups;
  std::int32_t hits = 0;
  ASSERT_TRUE(
      world.store()
          .read(branch, at, at,
                [&](const StoredEvent& s) {
                  rolled = trusted_event(s.payload)->payload_as_DiceRolled();
                  for (const fb::RollGroup* g : *rolled->groups()) {
                    groups.push_back({RollGroup::kDice, g->count(), g->sides(), g->hits_from()});
                  }
                  hits = rolled->hits();
                  return true;
                })
          .ok());
  auto sweep = roll(at);
  ASSERT_TRUE(sweep.ok()) << sweep.error().text;
  // By hand: every group's dice hit with (sides - from + 1) / sides.
  std::map<int, double> expected{{0, 1.0}};
  double total = 1;
  for (const RollGroup& g : groups) {
    for (int d = 0; d < g.count; ++d) {
      const double p = g.hits_from > g.sides ? 0 : double(g.sides - g.hits_from + 1) / g.sides;
      std::map<int, double> next;
      for (auto [n, q] : expected) next[n] += q * (1 - p), next[n + 1] += q * p;
      expected = next;
      total *= g.sides;
    }
  }
  EXPECT_EQ(static_cast<double>(sweep->total), total);
  std::map<int, std::uint64_t> ways;
  std::uint64_t all = sweep->refused;
  int real = 0;
  for (const SweepOutcome& outcome : sweep->outcomes) {
    ways[outcome.hits] += outcome.ways;
    all += outcome.ways;
    if (!outcome.real) continue;
    ++real;
    EXPECT_EQ(outcome.hits, hits);
  }
  EXPECT_EQ(all, sweep->total);
  EXPECT_EQ(real, 1);
  for (auto [n, p] : expected) {
    EXPECT_NEAR(static_cast<double>(ways[n]) / total, p, 1e-12) << n << " hits";
  }
  for (const SweepMeasure& measure : sweep->measures) {
    EXPECT_EQ(measure.spread.total() + sweep->refused, sweep->total);
    EXPECT_GT(measure.spread.exactly(measure.real), 0) << "what happened can happen";
  }
}

TEST_F(SweepTest, OnlyRollsOfOrdersAreSwept) {
  auto wrong =
      roll(find([](const fb::Event& e) { return e.payload_type() == fb::Payload::OrderIssued; }));
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalid);
  EXPECT_NE(wrong.error().text.find("is not the roll"), std::string::npos);
  EXPECT_EQ(roll(1).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(roll(1'000'000).error().code, ErrorCode::kNotFound);
}

TEST_F(SweepTest, OneSeedIsOneAnswerWhateverTheNumberOfThreads) {
  const Version at = fire_roll(1);
  for (Through through : {Through::kOrder, Through::kPhase}) {
    auto alone = replay(at, through, 60, 1, 7);
    auto many = replay(at, through, 60, 5, 7);
    auto other = replay(at, through, 60, 2, 8);
    ASSERT_TRUE(alone.ok() && many.ok() && other.ok()) << alone.error().text;
    EXPECT_EQ(sweep_json(*alone, game->roster()), sweep_json(*many, game->roster()));
    EXPECT_NE(sweep_json(*alone, game->roster()), sweep_json(*other, game->roster()));
    EXPECT_EQ(alone->trials, 60u);
    EXPECT_TRUE(alone->complete);
  }
}

TEST_F(SweepTest, AnOrderPlayedOftenComesCloseToItsExactOdds) {
  // An order whose only roll is this one: the sampled spread must be that of the exact one.
  Version at = 0;
  Version from = 1;
  while (at == 0) {
    const Version next = find([](const fb::Event& e) { return e.payload_as_DiceRolled(); }, from);
    auto sweep = roll(next);
    ASSERT_TRUE(sweep.ok()) << sweep.error().text;
    std::uint64_t rolls = 0;
    ASSERT_TRUE(world.store()
                    .read(branch, sweep->first, sweep->last,
                          [&](const StoredEvent& s) {
                            rolls += trusted_event(s.payload)->payload_as_DiceRolled() != nullptr;
                            return true;
                          })
                    .ok());
    bool varies = false;
    for (const SweepMeasure& m : sweep->measures) varies |= m.spread.counts().size() > 1;
    if (rolls == 1 && varies) at = next;
    from = next + 1;
  }
  auto exact = roll(at);
  auto sampled = replay(at, Through::kOrder, 3'000);
  ASSERT_TRUE(sampled.ok()) << sampled.error().text;
  EXPECT_EQ(sampled->departed, 0u);
  EXPECT_EQ(sampled->unfinished, 0u);
  for (std::size_t i = 0; i < exact->measures.size(); ++i) {
    const Spread& e = exact->measures[i].spread;
    const Spread& s = sampled->measures[i].spread;
    EXPECT_EQ(exact->measures[i].real, sampled->measures[i].real);
    EXPECT_NEAR(e.mean(), s.mean(), 5 * e.deviation() / std::sqrt(3'000.0) + 1e-9);
  }
}

TEST_F(SweepTest, ATurnIsPlayedFromItsFirstOrderToItsEnd) {
  const Version at = fire_roll(1);
  auto sweep = replay(at, Through::kTurn, 8);
  ASSERT_TRUE(sweep.ok()) << sweep.error().text;
  EXPECT_LT(sweep->first, at);
  EXPECT_GE(sweep->last, at);
  EXPECT_GT(sweep->orders, 10u);
  EXPECT_EQ(sweep->unfinished, 0u);
  const auto before = world.time().at(branch, sweep->first - 1);
  const auto there = world.time().at(branch, at);
  EXPECT_EQ(before->clock.turn, there->clock.turn);
  const Version end = world.version(branch);
  EXPECT_EQ(world.store().branch(branch)->version, end) << "a sweep writes nothing";
}

TEST_F(SweepTest, ACancelledSweepSaysSo) {
  std::atomic<bool> cancel{true};
  auto none = replay(fire_roll(1), Through::kOrder, 1'000, 2, 1, &cancel);
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->complete);
  EXPECT_EQ(none->trials, 0u);
  EXPECT_FALSE(sweep_text(*none, game->roster()).empty());
}

TEST_F(SweepTest, TrialsAreLimited) {
  EXPECT_EQ(replay(fire_roll(1), Through::kOrder, 0).error().code, ErrorCode::kLimit);
  EXPECT_EQ(replay(fire_roll(1), Through::kOrder, SweepLimits::kTrialsMax + 1).error().code,
            ErrorCode::kLimit);
}

TEST(SweepOfAScribedGame, FactsWithoutAnOrderCannotBePlayedAgain) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  world.record(game->mainline, R"([{"type":"UnitMoved","unit":"R1","path":["A1","B1"]}])");
  auto sweep = sweep_roll(world.store(), world.library(), world.time(), game->mainline,
                          world.version(game->mainline));
  ASSERT_FALSE(sweep.ok());
  EXPECT_NE(sweep.error().text.find("follows from no order"), std::string::npos)
      << sweep.error().text;
}

}  // namespace
}  // namespace wardiary

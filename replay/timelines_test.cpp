#include "replay/timelines.h"

#include <nlohmann/json.hpp>

#include "domain/schema/event_generated.h"
#include "replay/fork_testing.h"

namespace wardiary {
namespace {

struct Archive {
  World world;
  std::unique_ptr<Timelines> timelines = fresh();

  std::unique_ptr<Timelines> fresh() {
    return std::make_unique<Timelines>(world.store(), world.library(), world.time());
  }
  void reopen() {
    timelines.reset();
    world.reopen();
    timelines = fresh();
  }
  std::vector<TimelinePhase> of(const BranchId& branch, const Viewer& viewer = Viewer::referee()) {
    auto phases = timelines->of(branch, viewer);
    EXPECT_TRUE(phases.ok()) << phases.error().text;
    return phases ? *phases : std::vector<TimelinePhase>();
  }
  // Straight through, without anything kept.
  std::vector<TimelinePhase> anew(const BranchId& branch,
                                  const Viewer& viewer = Viewer::referee()) {
    auto game = *world.library().game_of(branch);
    const View view(game->game, viewer);
    Timeline timeline(game->game, view);
    const Version end = world.version(branch);
    auto walked = world.time().walk(branch, 1, end,
                                    [&](Version version, const fb::Event& event, ByteView,
                                        const Position& before, const Position& after) {
                                      timeline.step(version, event, before, after);
                                      return true;
                                    });
    EXPECT_TRUE(walked.ok());
    timeline.finish(*world.time().at(branch, end));
    return timeline.phases();
  }
  // A few more orders by whoever may give one.
  void play_on(const BranchId& branch, int orders) {
    OrderRequest request;
    request.branch = branch;
    for (int i = 0; i < orders; ++i) {
      for (int s = 0; s < 2; ++s) {
        auto legal = world.referee().legal_orders(branch, SideId{s}, 40);
        ASSERT_TRUE(legal.ok());
        if (legal->empty()) continue;
        auto answer =
            world.referee().order(request, (*legal)[static_cast<std::size_t>(i) % legal->size()]);
        ASSERT_TRUE(answer.ok()) << answer.error().text;
        break;
      }
    }
  }
};

TEST(Timelines, AreTheSameGrownStepByStepReopenedOrBuiltAnew) {
  Archive a;
  const GameId id = a.world.play("eastfront", "S41", 3, 120);
  const BranchId line = (*a.world.library().game(id))->mainline;
  for (const Viewer& viewer : {Viewer::referee(), Viewer::spectator(), Viewer::of(SideId{0})}) {
    (void)a.of(line, viewer);
  }
  for (int round = 0; round < 6; ++round) {
    a.play_on(line, 7);
    if (round % 2) a.reopen();
    for (const Viewer& viewer : {Viewer::referee(), Viewer::spectator(), Viewer::of(SideId{0})}) {
      EXPECT_EQ(a.of(line, viewer), a.anew(line, viewer));
    }
  }
  const auto before = a.of(line);
  ASSERT_TRUE(a.timelines->drop().ok());
  EXPECT_EQ(a.of(line), before);
  ASSERT_GT(before.size(), 3u);
}

TEST(Timelines, OfABranchBeginWithItsParentsPhases) {
  Archive a;
  const GameId id = a.world.play("eastfront", "S41", 5, 150);
  const BranchId line = (*a.world.library().game(id))->mainline;
  const auto parent = a.of(line);
  ASSERT_GT(parent.size(), 4u);
  // In the middle of a phase, at its first and at its last event.
  const TimelinePhase& phase = parent[parent.size() / 2];
  for (Version at : {phase.first, (phase.first + phase.last) / 2, phase.last, parent[1].last}) {
    const BranchId branch = fork_at(a.world, line, at);
    EXPECT_EQ(a.of(branch), a.anew(branch)) << at;
    a.play_on(branch, 5);
    EXPECT_EQ(a.of(branch), a.anew(branch)) << at;
    const BranchId nested = fork_at(a.world, branch, a.world.version(branch) - 1);
    EXPECT_EQ(a.of(nested), a.anew(nested)) << at;
  }
  EXPECT_EQ(a.of(line), parent);
}

TEST(Timelines, ThatWereTamperedWithOrBelongToAnotherLineAreMadeAgain) {
  Archive a;
  const GameId id = a.world.play("eastfront", "S41", 5, 60);
  const BranchId line = (*a.world.library().game(id))->mainline;
  const auto right = a.of(line);
  std::vector<std::string> keys;
  ASSERT_TRUE(a.world.store()
                  .scan_index("timeline/", "",
                              [&](std::string_view key, ByteView) {
                                keys.emplace_back(key);
                                return true;
                              })
                  .ok());
  ASSERT_EQ(keys.size(), right.size());
  for (const char* junk : {"", "{}", "{\"phase\":{},\"hash\":\"\"}", "\xff", "[1]"}) {
    if (*junk == 0) continue;
    ASSERT_TRUE(a.world.store().put_index(keys.back(), bytes_of(std::string_view(junk))).ok());
    EXPECT_EQ(a.of(line), right) << junk;
  }
}

TEST(Timelines, ComeBackFromTheirJson) {
  Archive a;
  const GameId id = a.world.play("eastfront", "S41", 9, 200);
  auto game = *a.world.library().game(id);
  for (const TimelinePhase& phase : a.of(game->mainline)) {
    auto read = read_phase(phase_json(phase, game->roster()), game->roster());
    ASSERT_TRUE(read.ok()) << read.error().text;
    EXPECT_EQ(*read, phase);
  }
}

TEST(Timelines, CountOrdersLossesControlSupplyScoreAndLuck) {
  Archive a;
  const GameId id = a.world.play("eastfront", "S41", 2, 500);
  auto game = *a.world.library().game(id);
  std::uint32_t orders = 0, losses = 0, rolls = 0, lucky = 0;
  for (const TimelinePhase& phase : a.of(game->mainline)) {
    orders += phase.order_count();
    rolls += phase.rolls;
    for (int s = 0; s < 2; ++s) losses += static_cast<std::uint32_t>(phase.loss(SideId{s}));
    for (const auto& luck : phase.luck) lucky += luck.rolls;
    EXPECT_FALSE(phase.score.empty());
  }
  EXPECT_EQ(orders, 500u);
  EXPECT_GT(losses, 0u);
  EXPECT_GT(rolls, 0u);
  EXPECT_GT(lucky, 0u);
  EXPECT_LE(lucky, rolls);
  // What a side may not see of the other is not in its timeline.
  for (const TimelinePhase& phase : a.of(game->mainline, Viewer::of(SideId{0}))) {
    EXPECT_EQ(phase.strength[1], -1);
  }
}

}  // namespace
}  // namespace wardiary

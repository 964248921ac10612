#include "replay/time_machine.h"

#include <rapidcheck.h>

#include "replay/world_testing.h"

namespace wardiary {
namespace {

// The plain fold of 1..version, without any cache.
Position folded(World& world, const BranchId& branch, Version version) {
  Position position((*world.library().game_of(branch))->roster());
  auto status = world.store().read(branch, 1, version, [&](const StoredEvent& stored) {
    auto event = open_event(stored.payload);
    EXPECT_TRUE(event.ok());
    EXPECT_EQ(apply(position, **event, {.check_digests = true}), Fault::kNone);
    return true;
  });
  EXPECT_TRUE(status.ok());
  return position;
}

// R1 walks to and fro: two events a commit.
void walk_on(World& world, const BranchId& branch, int commits) {
  for (int i = 0; i < commits; ++i) {
    const auto head = world.time().head(branch);
    ASSERT_TRUE(head.ok()) << head.error().text;
    const Roster& roster = (*world.library().game_of(branch))->roster();
    const bool at_a1 = head->position.at(roster.unit("R1")) == roster.space("A1");
    const std::string path = at_a1 ? R"(["A1","B1"])" : R"(["B1","A1"])";
    world.record(branch, R"([{"type":"UnitMoved","unit":"R1","path":)" + path +
                             R"(},{"type":"TrackChanged","track":"score.red","to":)" +
                             std::to_string(head->version % 30'000) + "}]");
  }
}

BranchId fork(World& world, const OpenGamePtr& game, const BranchId& parent, Version at) {
  ForkRequest request;
  request.game = game->id;
  request.parent = parent;
  request.at = at;
  auto forked = world.referee().fork(request);
  EXPECT_TRUE(forked.ok()) << forked.error().text;
  return forked ? forked->branch : BranchId{};
}

TEST(TimeMachine, PositionAtNIsTheFoldOfNForwardsBackwardsAndOnBranches) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  ASSERT_TRUE(game);
  walk_on(world, game->mainline, 60);
  const BranchId child = fork(world, game, game->mainline, 70);
  walk_on(world, child, 20);
  const BranchId grandchild = fork(world, game, child, 85);
  walk_on(world, grandchild, 10);
  const BranchId early = fork(world, game, grandchild, 40);  // before its parent's own events
  walk_on(world, early, 5);
  // Small numbers, so that every way of getting there is taken.
  world.reopen({.cache_bytes = 20'000, .snapshot_every = 16});
  const std::vector<BranchId> lines = {game->mainline, child, grandchild, early};
  EXPECT_TRUE(rc::check("position at N is the fold of N", [&] {
    const BranchId& branch = *rc::gen::elementOf(lines);
    const Version version = *rc::gen::inRange<Version>(1, world.version(branch) + 1);
    auto at = world.time().at(branch, version);
    RC_ASSERT(at.ok());
    RC_ASSERT(*at == folded(world, branch, version));
  }));
  ASSERT_TRUE(world.store().drop_snapshots().ok());
  world.reopen({.cache_bytes = 1, .snapshot_every = 8});
  for (const BranchId& branch : lines) {
    auto head = world.time().head(branch);
    ASSERT_TRUE(head.ok());
    EXPECT_EQ(head->position, folded(world, branch, head->version));
  }
}

TEST(TimeMachine, ABranchNeverChangesItsParent) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  walk_on(world, game->mainline, 5);
  const auto before = world.time().head(game->mainline);
  const BranchId child = fork(world, game, game->mainline, before->version - 2);
  walk_on(world, child, 7);
  const auto after = world.time().head(game->mainline);
  EXPECT_EQ(after->version, before->version);
  EXPECT_EQ(after->position, before->position);
}

TEST(TimeMachine, ASnapshotOfAnotherGameIsIgnored) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  walk_on(world, game->mainline, 10);
  ASSERT_TRUE(world.store().put_snapshot(game->mainline, {12, Bytes(40, 7)}).ok());
  world.reopen();
  auto at = world.time().at(game->mainline, 15);
  ASSERT_TRUE(at.ok()) << at.error().text;
  EXPECT_EQ(*at, folded(world, game->mainline, 15));
}

TEST(TimeMachine, ThereIsNothingBeforeTheFirstOrAfterTheLastEvent) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  EXPECT_EQ(world.time().at(game->mainline, 0).error().code, ErrorCode::kInvalid);
  const Version end = world.version(game->mainline);
  EXPECT_EQ(world.time().at(game->mainline, end + 1).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(world.time().at(Id{}, 1).error().code, ErrorCode::kNotFound);
}

TEST(TimeMachine, WalksOverEventsWithThePositionsAroundThem) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  walk_on(world, game->mainline, 8);
  Version next = 10;
  auto status = world.time().walk(game->mainline, 10, 20,
                                  [&](Version version, const fb::Event&, ByteView,
                                      const Position& before, const Position& after) {
                                    EXPECT_EQ(version, next++);
                                    EXPECT_EQ(before, folded(world, game->mainline, version - 1));
                                    EXPECT_EQ(after, folded(world, game->mainline, version));
                                    return version < 15;
                                  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(next, 16u);
}

}  // namespace
}  // namespace wardiary

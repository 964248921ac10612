#include "replay/time_machine.h"

#include <rapidcheck.h>

#include "replay/fork_testing.h"

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

TEST(TimeMachine, PositionAtNIsTheFoldOfNForwardsBackwardsAndOnBranches) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  ASSERT_TRUE(game);
  walk_on(world, game->mainline, 60);
  const BranchId child = fork_at(world, game->mainline, 70);
  walk_on(world, child, 20);
  const BranchId grandchild = fork_at(world, child, 85);
  walk_on(world, grandchild, 10);
  const BranchId early = fork_at(world, grandchild, 40);  // before its parent's own events
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
  const BranchId child = fork_at(world, game->mainline, before->version - 2);
  walk_on(world, child, 7);
  const auto after = world.time().head(game->mainline);
  EXPECT_EQ(after->version, before->version);
  EXPECT_EQ(after->position, before->position);
}

// All snapshots of a line, newest first.
std::vector<Snapshot> snapshots(World& world, const BranchId& branch) {
  std::vector<Snapshot> out;
  for (Version at = world.version(branch); at > 0;) {
    auto found = world.store().snapshot_at(branch, at);
    EXPECT_TRUE(found.ok());
    if (!found || !*found) break;
    at = (*found)->version - 1;
    out.push_back(std::move(**found));
  }
  return out;
}

TEST(TimeMachine, WritesSnapshotsBesideTheCommitsAndAgainAfterTheyWereDeleted) {
  World world;
  world.reopen({.snapshot_every = 16});
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  walk_on(world, game->mainline, 60);
  world.time().finish_snapshots();
  const auto written = snapshots(world, game->mainline);
  ASSERT_GE(written.size(), 3u);
  const Roster& roster = game->roster();
  for (const Snapshot& s : written) {
    EXPECT_EQ(*Position::from_bytes(roster, s.bytes), folded(world, game->mainline, s.version));
  }
  ASSERT_TRUE(world.store().drop_snapshots().ok());
  EXPECT_TRUE(snapshots(world, game->mainline).empty());
  world.reopen({.snapshot_every = 16});
  EXPECT_TRUE(world.time().at(game->mainline, world.version(game->mainline)).ok());
  world.time().finish_snapshots();
  EXPECT_GE(snapshots(world, game->mainline).size(), 3u);
}

TEST(TimeMachine, ABranchKeepsSnapshotsOfItsOwnEventsOnly) {
  World world;
  world.reopen({.snapshot_every = 8});
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  walk_on(world, game->mainline, 20);
  const BranchId child = fork_at(world, game->mainline, 30);
  walk_on(world, child, 30);
  world.time().finish_snapshots();
  ASSERT_FALSE(snapshots(world, child).empty());
  EXPECT_GT(snapshots(world, child).front().version, 30u);
  for (const Snapshot& s : snapshots(world, child)) {
    EXPECT_EQ(*Position::from_bytes(game->roster(), s.bytes), folded(world, child, s.version));
  }
}

// The digest that the beginning of a phase states exposes a position that was put there by hand.
TEST(TimeMachine, AForgedSnapshotIsNotBelievedAndIsReplaced) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  walk_on(world, game->mainline, 10);
  const auto phase =
      world.record(game->mainline, R"([{"type":"PhaseBegan","turn":2,"phase":")" +
                                       game->roster().phases[0] + R"(","side":"red"}])");
  walk_on(world, game->mainline, 10);
  Position forged = folded(world, game->mainline, phase.last);
  forged.set(game->roster().track("score.red"), 4'711);
  ASSERT_TRUE(world.store().put_snapshot(game->mainline, {phase.last, forged.to_bytes()}).ok());
  world.reopen();
  for (Version version : {phase.last, phase.last + 3, world.version(game->mainline)}) {
    auto at = world.time().at(game->mainline, version);
    ASSERT_TRUE(at.ok()) << at.error().text;
    EXPECT_EQ(*at, folded(world, game->mainline, version));
  }
  world.time().finish_snapshots();
  const auto replaced = world.store().snapshot_at(game->mainline, phase.last);
  ASSERT_TRUE(replaced.ok() && *replaced);
  EXPECT_EQ(*Position::from_bytes(game->roster(), (*replaced)->bytes),
            folded(world, game->mainline, phase.last));
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

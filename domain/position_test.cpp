#include "domain/position.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "domain/game_testing.h"

namespace wardiary {
namespace {

using namespace testing;

TEST(Position, BeginsWithAnEmptyBoardAndInitialValues) {
  const Roster roster = small_roster();
  const Position p(roster);
  EXPECT_EQ(p.unit_count(), 6u);
  EXPECT_EQ(p.space_count(), 9u);
  EXPECT_FALSE(p.on_board(UnitId{0}));
  EXPECT_EQ(p.side(UnitId{0}), kRed);
  EXPECT_EQ(p.side(UnitId{5}), kBlue);
  EXPECT_EQ(p.get(UnitId{0}, kSteps), 3);
  EXPECT_EQ(p.get(SpaceId{8}, kControl), -1);
  EXPECT_EQ(p.get(LinkId{11}, kBridge), 1);
  EXPECT_EQ(p.get(TrackId{1}), 1);
  EXPECT_EQ(p.pool_cell(4), 0);
  EXPECT_EQ(p.clock, Clock{});
  EXPECT_FALSE(p.anyone_must_decide());
  EXPECT_EQ(p.rolls(kRed), 0u);
}

TEST(Position, KnowsWhoIsWhere) {
  Table table;
  table.draft.place(table.unit("R2"), table.space("B2"));
  table.draft.place(table.unit("B1"), table.space("B2"));
  table.draft.place(table.unit("R1"), table.space("A1"));
  const Position& p = table.draft.position();
  EXPECT_EQ(p.units_in(table.space("B2")), (std::vector{table.unit("R2"), table.unit("B1")}));
  EXPECT_TRUE(p.any_unit_in(table.space("B2"), kBlue));
  EXPECT_FALSE(p.any_unit_in(table.space("A1"), kBlue));
}

TEST(Position, EveryCellIsItsOwn) {
  const Roster roster = small_roster();
  Position p(roster);
  // Give everything another value, then read all of it back.
  std::int16_t n = 100;
  for (int u = 0; u < 6; ++u) p.set_at(UnitId{u}, SpaceId{u + 1});
  for (int u = 0; u < 6; ++u) {
    for (int a = 0; a < 4; ++a) p.set(UnitId{u}, a, n++);
  }
  for (int s = 0; s < 9; ++s) {
    for (int a = 0; a < 2; ++a) p.set(SpaceId{s}, a, n++);
  }
  for (int l = 0; l < 12; ++l) p.set(LinkId{l}, kBridge, n++);
  for (std::size_t c = 0; c < 5; ++c) p.set_pool_cell(c, n++);
  n = 100;
  for (int u = 0; u < 6; ++u) EXPECT_EQ(p.at(UnitId{u}), SpaceId{u + 1});
  for (int u = 0; u < 6; ++u) {
    for (int a = 0; a < 4; ++a) EXPECT_EQ(p.get(UnitId{u}, a), n++);
  }
  for (int s = 0; s < 9; ++s) {
    for (int a = 0; a < 2; ++a) EXPECT_EQ(p.get(SpaceId{s}, a), n++);
  }
  for (int l = 0; l < 12; ++l) EXPECT_EQ(p.get(LinkId{l}, kBridge), n++);
  for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(p.pool_cell(c), n++);
}

// A position with something in every part.
Position busy() {
  Position p(small_roster());
  p.clock = {2, 1, 0};
  p.over = true;
  p.winner = 1;
  p.pending(kBlue) = {2, 4, 3, -70'000};
  p.set_rolls(kRed, 7);
  p.set_rolls(kNoSide, 1);
  p.set_at(UnitId{0}, SpaceId{8});
  p.set(UnitId{0}, kSteps, -2);
  p.set(SpaceId{3}, kControl, 1);
  p.set(LinkId{5}, kBridge, 0);
  p.set(TrackId{0}, 1'000'000);
  p.set_pool_cell(2, 9);
  return p;
}

TEST(Position, ComesBackFromItsBytes) {
  for (const Position& p : {Position(small_roster()), busy()}) {
    auto back = Position::from_bytes(small_roster(), p.to_bytes());
    ASSERT_TRUE(back) << back.error().text;
    EXPECT_EQ(*back, p);
    EXPECT_EQ(back->digest(), p.digest());
  }
}

// These digests stand in stored games. If one changes, old games no longer verify.
TEST(Position, HasTheDigestItAlwaysHad) {
  EXPECT_EQ(to_hex(Position(small_roster()).digest()),
            "5a54833e8661a8469a704f814944a1e8fb19d12445925e81051c50a9b0250e8d");
  EXPECT_EQ(to_hex(busy().digest()),
            "d52aea72422fa4da1b25c76585624ec2876ea76ce5de6c8b2997e99701f752e8");
}

TEST(Position, DigestSeesEveryPart) {
  const std::function<void(Position&)> changes[] = {
      [](Position& p) { p.clock.turn = 3; },
      [](Position& p) { p.clock.phase = 0; },
      [](Position& p) { p.clock.side = 1; },
      [](Position& p) { p.over = false; },
      [](Position& p) { p.winner = 0; },
      [](Position& p) { p.pending(kRed).kind = 1; },
      [](Position& p) { p.pending(kBlue).space = 5; },
      [](Position& p) { p.pending(kBlue).unit = 2; },
      [](Position& p) { p.pending(kBlue).number = 0; },
      [](Position& p) { p.set_rolls(kBlue, 1); },
      [](Position& p) { p.set_rolls(kNoSide, 2); },
      [](Position& p) { p.set_at(UnitId{0}, kNowhere); },
      [](Position& p) { p.set(UnitId{5}, kGoal, 3); },
      [](Position& p) { p.set(SpaceId{8}, kFort, 1); },
      [](Position& p) { p.set(LinkId{11}, kBridge, 0); },
      [](Position& p) { p.set(TrackId{1}, 0); },
      [](Position& p) { p.set_pool_cell(4, 1); },
  };
  const Position original = busy();
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    Position changed = original;
    changes[i](changed);
    EXPECT_NE(changed, original) << i;
    EXPECT_NE(changed.digest(), original.digest()) << i;
  }
}

TEST(Position, RefusesBytesOfAnotherRosterOrSize) {
  const Bytes good = busy().to_bytes();
  Roster other = small_roster();
  other.units.pop_back();
  ASSERT_TRUE(other.finish());
  auto refused = Position::from_bytes(other, good);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  for (std::size_t n = 0; n < good.size(); ++n) {
    EXPECT_FALSE(Position::from_bytes(small_roster(), ByteView(good).first(n)));
  }
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_FALSE(Position::from_bytes(small_roster(), longer));
  EXPECT_FALSE(Position::from_bytes(small_roster(), {}));
}

TEST(Position, RefusesBytesThatNameWhatIsNotThere) {
  const std::function<void(Position&)> changes[] = {
      [](Position& p) { p.set(UnitId{1}, Roster::kSideAttribute, 2); },
      [](Position& p) { p.set(UnitId{5}, kGoal, 9); },
      [](Position& p) { p.set(UnitId{5}, kGoal, -2); },
      [](Position& p) { p.set(SpaceId{0}, 0, 2); },
      [](Position& p) { p.set(SpaceId{8}, kFort, 2); },
      [](Position& p) { p.set(LinkId{11}, kBridge, -1); },
      [](Position& p) { p.set(TrackId{1}, 2); },
      [](Position& p) { p.set_pool_cell(4, -1); },
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    Position changed = busy();
    changes[i](changed);
    auto refused = Position::from_bytes(small_roster(), changed.to_bytes());
    ASSERT_FALSE(refused) << i;
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  }
}

// Whatever is read back is exactly what was there: no two byte strings give one position.
RC_GTEST_PROP(Position, FromChangedBytesIsRefusedOrWritesTheSameBytes, ()) {
  Bytes bytes = busy().to_bytes();
  const auto changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<std::uint8_t>();
  }
  auto read = Position::from_bytes(small_roster(), bytes);
  if (!read) return;
  RC_ASSERT(read->to_bytes() == bytes);
  for (int u = 0; u < 6; ++u) RC_ASSERT(read->at(UnitId{u}).value < 9);
}

TEST(Position, TakesLittleMemory) {
  EXPECT_LT(busy().memory_bytes(), 1'000u);
}

}  // namespace
}  // namespace wardiary

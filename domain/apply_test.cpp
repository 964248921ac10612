#include "domain/apply.h"

#include <gtest/gtest.h>

#include <functional>

#include "domain/game_testing.h"

namespace wardiary {
namespace {

using namespace testing;

using Write = std::function<void(EventWriter&, EventList&)>;

// The small game with R1 at A1 and B1 at C3, and what one event does to it.
struct Fold {
  Table table;
  Position position;

  Fold() {
    table.draft.place(table.unit("R1"), table.space("A1"));
    table.draft.place(table.unit("B1"), table.space("C3"));
    position = table.draft.position();
  }
  // Applies the event; refused ones must not have changed anything.
  Fault apply_one(const Write& write, ApplyOptions options = {}) {
    EventList out;
    EventWriter writer;
    write(writer, out);
    last = out;
    const Position before = position;
    const Fault fault = apply(position, *trusted_event(out[0]), options);
    if (fault != Fault::kNone) {
      EXPECT_EQ(position, before);
      text = describe(fault, position, *trusted_event(out[0]), table.game.roster());
    }
    return fault;
  }
  Fault revert_last() { return revert(position, *trusted_event(last[0])); }

  EventList last;
  std::string text;
};

const UnitId kR1{0}, kR2{1}, kB1{3};
const SpaceId kA1{0}, kB1Space{1}, kB2{4}, kC3{8};

TEST(Apply, PlacesAUnitWithItsValues) {
  Fold f;
  const std::vector<AttributeChange> changes = {{kSteps, 3, 1}, {kFacing, 0, 1}};
  EXPECT_EQ(f.apply_one([&](auto& w, auto& out) { w.unit_placed(out, kR2, kB2, changes); }),
            Fault::kNone);
  EXPECT_EQ(f.position.at(kR2), kB2);
  EXPECT_EQ(f.position.get(kR2, kSteps), 1);
  EXPECT_EQ(f.position.get(kR2, kFacing), 1);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_FALSE(f.position.on_board(kR2));
  EXPECT_EQ(f.position.get(kR2, kSteps), 3);
}

TEST(Apply, MovesAUnitFromTheFirstToTheLastSpaceOfItsPath) {
  Fold f;
  const std::vector<SpaceId> path = {kA1, kB1Space, kB2};
  EXPECT_EQ(f.apply_one([&](auto& w, auto& out) { w.unit_moved(out, kR1, path, "road"); }),
            Fault::kNone);
  EXPECT_EQ(f.position.at(kR1), kB2);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.position.at(kR1), kA1);
}

TEST(Apply, ChangesUnitsSpacesLinksTracksAndPools) {
  Fold f;
  const Position before = f.position;
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) {
    w.unit_changed(out, kR1, {kSteps, 3, 2});
  }),
            Fault::kNone);
  EXPECT_EQ(f.position.get(kR1, kSteps), 2);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) {
    w.space_changed(out, kB2, {kControl, -1, 1});
  }),
            Fault::kNone);
  EXPECT_EQ(f.position.get(kB2, kControl), 1);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) {
    w.link_changed(out, LinkId{3}, {kBridge, 1, 0});
  }),
            Fault::kNone);
  EXPECT_EQ(f.position.get(LinkId{3}, kBridge), 0);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) { w.track_changed(out, TrackId{0}, 0, -90'000); }),
            Fault::kNone);
  EXPECT_EQ(f.position.get(TrackId{0}), -90'000);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) { w.pool_changed(out, PoolId{1}, 4, 0, 2); }),
            Fault::kNone);
  EXPECT_EQ(f.position.pool_cell(4), 2);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.position, before);
}

TEST(Apply, ChangesManySpacesAtOnce) {
  Fold f;
  const std::vector<SpaceId> spaces = {kA1, kB2, kC3};
  const std::vector<std::int16_t> from = {-1, -1, -1};
  const std::vector<std::int16_t> to = {0, 1, 0};
  EXPECT_EQ(
      f.apply_one([&](auto& w, auto& out) { w.spaces_changed(out, kControl, spaces, from, to); }),
      Fault::kNone);
  EXPECT_EQ(f.position.get(kB2, kControl), 1);
  EXPECT_EQ(f.position.get(kC3, kControl), 0);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.position.get(kC3, kControl), -1);
}

TEST(Apply, RemovesAUnitAndKeepsItsValues) {
  Fold f;
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) { w.unit_removed(out, kR1, kA1, "eliminated"); }),
            Fault::kNone);
  EXPECT_FALSE(f.position.on_board(kR1));
  EXPECT_EQ(f.position.get(kR1, kSteps), 3);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_EQ(f.position.at(kR1), kA1);
}

TEST(Apply, MovesTheClockAsksAndEnds) {
  Fold f;
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) {
    w.phase_began(out, {}, {1, 1, 0}, Hash{});
  }),
            Fault::kNone);
  EXPECT_EQ(f.position.clock, (Clock{1, 1, 0}));
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) {
    w.decision_asked(out, kBlue, {}, {2, 4, 3, 5});
  }),
            Fault::kNone);
  EXPECT_EQ(f.position.pending(kBlue).kind, 2);
  EXPECT_TRUE(f.position.anyone_must_decide());
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) { w.game_ended(out, kBlue, "", ""); }),
            Fault::kNone);
  EXPECT_TRUE(f.position.over);
  EXPECT_EQ(f.position.winner, 1);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  EXPECT_FALSE(f.position.over);
  EXPECT_EQ(f.position.winner, -1);
}

RollRequest roll_of(SideId roller, std::uint64_t number) {
  return {roller, number, "fire", {}, {}, {{RollGroup::kDice, 1, 6, 0}}, {}, ""};
}

TEST(Apply, CountsTheRollsOfEachSideAndOfNobody) {
  Fold f;
  auto roll = [&](SideId roller, std::uint64_t number) {
    return f.apply_one([&](auto& w, auto& out) {
      w.dice_rolled(out, roll_of(roller, number), Rolled{{4}, Grade::kSolo, 0, 0, {}, {}}, {});
    });
  };
  EXPECT_EQ(roll(kRed, 0), Fault::kNone);
  EXPECT_EQ(roll(kRed, 1), Fault::kNone);
  EXPECT_EQ(roll(kNoSide, 0), Fault::kNone);
  EXPECT_EQ(f.position.rolls(kRed), 2u);
  EXPECT_EQ(f.position.rolls(kBlue), 0u);
  EXPECT_EQ(roll(kRed, 1), Fault::kFromDiffers) << "a roll number has one outcome";
  EXPECT_EQ(f.text,
            "DiceRolled: the number of this side's next roll is 2, the event says it was 1");
  EXPECT_EQ(roll(kRed, 3), Fault::kFromDiffers) << "no gaps";
  EXPECT_EQ(roll(SideId{2}, 0), Fault::kNoSuchSide);
  EXPECT_EQ(roll(SideId{-2}, 0), Fault::kNoSuchSide);
}

TEST(Apply, LetsTheRestPass) {
  Fold f;
  const Position before = f.position;
  const OrderType type{"Pass", "", {}, ""};
  const Write writes[] = {
      [](auto& w, auto& out) { w.branch_forked(out, Id{}, 1, "", "", DicePolicy::kSame); },
      [&](auto& w, auto& out) { w.order_issued(out, Order(type, kRed)); },
      [](auto& w, auto& out) { w.ruling(out, "referee", "", "so be it"); },
      [](auto& w, auto& out) { w.take_back(out, 1, ""); },
      [](auto& w, auto& out) { w.revealed(out, kR1, 2); },
      [](auto& w, auto& out) { w.epoch_opened(out, EpochFacts{}); },
  };
  for (const Write& write : writes) {
    EXPECT_EQ(f.apply_one(write), Fault::kNone);
    EXPECT_EQ(f.revert_last(), Fault::kNone);
  }
  EXPECT_EQ(f.position, before);
}

struct BadEvent {
  const char* name;
  Fault fault;
  Write write;
};

TEST(Apply, RefusesEveryEventThatDoesNotFit) {
  static const std::vector<SpaceId> one = {kA1}, wrong_start = {kB2, kC3},
                                    off_map = {kA1, SpaceId{9}},
                                    over_nothing = {kA1, SpaceId{-1}, kB2}, fine = {kA1, kB2};
  static const std::vector<AttributeChange> twice = {{kSteps, 3, 2}, {kSteps, 2, 1}};
  static const std::vector<AttributeChange> unknown = {{4, 0, 1}}, differs = {{kSteps, 9, 1}};
  static const std::vector<AttributeChange> no_side = {{0, 0, 5}}, no_goal = {{kGoal, -1, 9}};
  static const std::vector<SpaceId> up = {kA1, kB2};
  static const std::vector<std::int16_t> no_sides = {0, 2};
  static const std::vector<SpaceId> down = {kB2, kA1}, both = {kB2, kB2}, far = {kA1, SpaceId{9}};
  static const std::vector<std::int16_t> minus = {-1, -1}, zero = {0, 0}, short_one = {0};
  const BadEvent cases[] = {
      {"placing no unit", Fault::kNoSuchUnit,
       [](auto& w, auto& o) { w.unit_placed(o, UnitId{6}, kA1, {}); }},
      {"placing nowhere", Fault::kNoSuchSpace,
       [](auto& w, auto& o) { w.unit_placed(o, kR2, kNowhere, {}); }},
      {"placing off the map", Fault::kNoSuchSpace,
       [](auto& w, auto& o) { w.unit_placed(o, kR2, SpaceId{9}, {}); }},
      {"placing again", Fault::kAlreadyOnBoard,
       [](auto& w, auto& o) { w.unit_placed(o, kR1, kB2, {}); }},
      {"placing with unknown value", Fault::kNoSuchAttribute,
       [](auto& w, auto& o) { w.unit_placed(o, kR2, kB2, unknown); }},
      {"placing with wrong value", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.unit_placed(o, kR2, kB2, differs); }},
      {"placing with a value twice", Fault::kBadVector,
       [](auto& w, auto& o) { w.unit_placed(o, kR2, kB2, twice); }},
      {"placing for no side", Fault::kBadValue,
       [](auto& w, auto& o) { w.unit_placed(o, kR2, kB2, no_side); }},
      {"moving no unit", Fault::kNoSuchUnit,
       [](auto& w, auto& o) { w.unit_moved(o, UnitId{6}, fine, ""); }},
      {"moving nowhere", Fault::kBadPath, [](auto& w, auto& o) { w.unit_moved(o, kR1, one, ""); }},
      {"moving along nothing", Fault::kBadPath,
       [](auto& w, auto& o) { w.unit_moved(o, kR1, {}, ""); }},
      {"moving from elsewhere", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.unit_moved(o, kR1, wrong_start, ""); }},
      {"moving off the map", Fault::kNoSuchSpace,
       [](auto& w, auto& o) { w.unit_moved(o, kR1, off_map, ""); }},
      {"moving over nothing", Fault::kNoSuchSpace,
       [](auto& w, auto& o) { w.unit_moved(o, kR1, over_nothing, ""); }},
      {"moving what is off the board", Fault::kNotOnBoard,
       [](auto& w, auto& o) { w.unit_moved(o, kR2, fine, ""); }},
      {"changing no unit", Fault::kNoSuchUnit,
       [](auto& w, auto& o) {
         w.unit_changed(o, UnitId{6}, {1, 3, 2});
       }},
      {"changing no attribute", Fault::kNoSuchAttribute,
       [](auto& w, auto& o) {
         w.unit_changed(o, kR1, {4, 3, 2});
       }},
      {"changing from what is not", Fault::kFromDiffers,
       [](auto& w, auto& o) {
         w.unit_changed(o, kR1, {1, 4, 2});
       }},
      {"changing to no side", Fault::kBadValue,
       [](auto& w, auto& o) {
         w.unit_changed(o, kR1, {0, 0, 2});
       }},
      {"a goal that is no space", Fault::kBadValue,
       [](auto& w, auto& o) {
         w.unit_changed(o, kR1, {kGoal, -1, 9});
       }},
      {"a goal below none", Fault::kBadValue,
       [](auto& w, auto& o) {
         w.unit_changed(o, kR1, {kGoal, -1, -2});
       }},
      {"placing with a goal that is no space", Fault::kBadValue,
       [](auto& w, auto& o) { w.unit_placed(o, kR2, kB2, no_goal); }},
      {"a facing without a word", Fault::kBadValue,
       [](auto& w, auto& o) {
         w.unit_changed(o, kR1, {kFacing, 0, 2});
       }},
      {"control by no side", Fault::kBadValue,
       [](auto& w, auto& o) {
         w.space_changed(o, kB2, {kControl, -1, 2});
       }},
      {"a flag that is neither", Fault::kBadValue,
       [](auto& w, auto& o) {
         w.space_changed(o, kB2, {kFort, 0, 2});
       }},
      {"control of many by no side", Fault::kBadValue,
       [](auto& w, auto& o) { w.spaces_changed(o, kControl, up, minus, no_sides); }},
      {"a bridge that is neither", Fault::kBadValue,
       [](auto& w, auto& o) {
         w.link_changed(o, LinkId{0}, {0, 1, -1});
       }},
      {"weather without a word", Fault::kBadValue,
       [](auto& w, auto& o) { w.track_changed(o, TrackId{1}, 1, 2); }},
      {"less than nothing in a pool", Fault::kBadValue,
       [](auto& w, auto& o) { w.pool_changed(o, PoolId{0}, 0, 0, -1); }},
      {"removing no unit", Fault::kNoSuchUnit,
       [](auto& w, auto& o) { w.unit_removed(o, UnitId{6}, kA1, ""); }},
      {"removing from nowhere", Fault::kNoSuchSpace,
       [](auto& w, auto& o) { w.unit_removed(o, kR1, kNowhere, ""); }},
      {"removing from elsewhere", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.unit_removed(o, kR1, kB2, ""); }},
      {"removing what is off the board", Fault::kNotOnBoard,
       [](auto& w, auto& o) { w.unit_removed(o, kR2, kB2, ""); }},
      {"changing no space", Fault::kNoSuchSpace,
       [](auto& w, auto& o) {
         w.space_changed(o, SpaceId{9}, {0, -1, 0});
       }},
      {"changing no space attribute", Fault::kNoSuchAttribute,
       [](auto& w, auto& o) {
         w.space_changed(o, kA1, {2, 0, 1});
       }},
      {"changing a space from what is not", Fault::kFromDiffers,
       [](auto& w, auto& o) {
         w.space_changed(o, kA1, {0, 0, 1});
       }},
      {"spaces out of order", Fault::kBadVector,
       [](auto& w, auto& o) { w.spaces_changed(o, 0, down, minus, zero); }},
      {"a space twice", Fault::kBadVector,
       [](auto& w, auto& o) { w.spaces_changed(o, 0, both, minus, zero); }},
      {"too few values", Fault::kBadVector,
       [](auto& w, auto& o) { w.spaces_changed(o, 0, fine, minus, short_one); }},
      {"too few old values", Fault::kBadVector,
       [](auto& w, auto& o) { w.spaces_changed(o, 0, fine, short_one, zero); }},
      {"spaces off the map", Fault::kNoSuchSpace,
       [](auto& w, auto& o) { w.spaces_changed(o, 0, far, minus, zero); }},
      {"spaces of no attribute", Fault::kNoSuchAttribute,
       [](auto& w, auto& o) { w.spaces_changed(o, 2, fine, minus, zero); }},
      {"spaces from what is not", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.spaces_changed(o, 0, fine, zero, zero); }},
      {"changing no link", Fault::kNoSuchLink,
       [](auto& w, auto& o) {
         w.link_changed(o, LinkId{12}, {0, 1, 0});
       }},
      {"changing no link attribute", Fault::kNoSuchAttribute,
       [](auto& w, auto& o) {
         w.link_changed(o, LinkId{0}, {1, 1, 0});
       }},
      {"changing a link from what is not", Fault::kFromDiffers,
       [](auto& w, auto& o) {
         w.link_changed(o, LinkId{0}, {0, 0, 1});
       }},
      {"changing no track", Fault::kNoSuchTrack,
       [](auto& w, auto& o) { w.track_changed(o, TrackId{2}, 0, 1); }},
      {"changing a track from what is not", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.track_changed(o, TrackId{0}, 1, 2); }},
      {"changing no pool item", Fault::kNoSuchPool,
       [](auto& w, auto& o) { w.pool_changed(o, PoolId{0}, 5, 0, 1); }},
      {"changing a pool from what is not", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.pool_changed(o, PoolId{0}, 1, 1, 2); }},
      {"a phase from another time", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.phase_began(o, {1, 0, 0}, {2, 0, 0}, {}); }},
      {"a phase of no side", Fault::kNoSuchSide,
       [](auto& w, auto& o) { w.phase_began(o, {}, {1, 0, 2}, {}); }},
      {"no phase", Fault::kNoSuchPhase,
       [](auto& w, auto& o) { w.phase_began(o, {}, {1, 2, 0}, {}); }},
      {"asking no side", Fault::kNoSuchSide,
       [](auto& w, auto& o) { w.decision_asked(o, SideId{2}, {}, {1, -1, -1, 0}); }},
      {"asking nobody", Fault::kNoSuchSide,
       [](auto& w, auto& o) { w.decision_asked(o, kNoSide, {}, {1, -1, -1, 0}); }},
      {"asking nothing known", Fault::kNoSuchDecision,
       [](auto& w, auto& o) { w.decision_asked(o, kRed, {}, {3, -1, -1, 0}); }},
      {"asking about no space", Fault::kNoSuchSpace,
       [](auto& w, auto& o) { w.decision_asked(o, kRed, {}, {1, 9, -1, 0}); }},
      {"asking about no unit", Fault::kNoSuchUnit,
       [](auto& w, auto& o) { w.decision_asked(o, kRed, {}, {1, -1, 6, 0}); }},
      {"asking after another question", Fault::kFromDiffers,
       [](auto& w, auto& o) { w.decision_asked(o, kRed, {1, -1, -1, 0}, {}); }},
      {"ending for no side", Fault::kNoSuchSide,
       [](auto& w, auto& o) { w.game_ended(o, SideId{2}, "", ""); }},
  };
  for (const BadEvent& bad : cases) {
    Fold f;
    EXPECT_EQ(f.apply_one(bad.write), bad.fault) << bad.name << ": " << f.text;
    EXPECT_FALSE(f.text.empty()) << bad.name;
  }
}

TEST(Apply, RefusesASecondGameCreated) {
  Fold f;
  const Write create = [&](auto& w, auto& out) { w.game_created(out, f.table.game.created); };
  EXPECT_EQ(f.apply_one(create), Fault::kNone);
  EXPECT_EQ(f.apply_one(create), Fault::kMisplaced);
  EXPECT_EQ(revert(f.position, *trusted_event(f.last[0])), Fault::kNone);
  EXPECT_EQ(f.apply_one(create), Fault::kNone) << "the first was taken back";
  auto snapshot = Position::from_bytes(f.table.game.roster(), f.position.to_bytes());
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(apply(*snapshot, *trusted_event(f.last[0])), Fault::kMisplaced);
}

TEST(Apply, RefusesToEndAGameTwice) {
  Fold f;
  const Write end = [](auto& w, auto& out) { w.game_ended(out, kRed, "", ""); };
  EXPECT_EQ(f.apply_one(end), Fault::kNone);
  EXPECT_EQ(f.apply_one(end), Fault::kMisplaced);
  EXPECT_EQ(f.apply_one([](auto& w, auto& out) { w.game_ended(out, kBlue, "", ""); }),
            Fault::kMisplaced);
  EXPECT_EQ(revert(f.position, *trusted_event(f.last[0])), Fault::kFromDiffers)
      << "red won, not blue";
}

TEST(Apply, ChecksTheDigestOfAPhaseOnlyWhenAsked) {
  Fold f;
  const Write wrong = [](auto& w, auto& out) { w.phase_began(out, {}, {1, 0, 0}, Hash{}); };
  EXPECT_EQ(f.apply_one(wrong, {true}), Fault::kDigestDiffers);
  EXPECT_EQ(f.apply_one(wrong), Fault::kNone);
  EXPECT_EQ(f.revert_last(), Fault::kNone);
  f.table.draft.begin_phase({1, 0, 0});
  const EventList& events = f.table.draft.events();
  EXPECT_EQ(apply(f.position, *trusted_event(events[events.size() - 1]), {true}), Fault::kNone);
}

TEST(Revert, RefusesWhatWasNotTheLastEvent) {
  Fold f;
  const Position before = f.position;
  const std::vector<SpaceId> path = {kA1, kB2};
  const Write writes[] = {
      [](auto& w, auto& out) { w.unit_placed(out, kR2, kB2, {}); },
      [&](auto& w, auto& out) { w.unit_moved(out, kR1, path, ""); },
      [](auto& w, auto& out) {
        w.unit_changed(out, kR1, {kSteps, 3, 2});
      },
      [](auto& w, auto& out) { w.unit_removed(out, kB1, kC3, ""); },
      [](auto& w, auto& out) { w.track_changed(out, TrackId{0}, 0, 5); },
      [](auto& w, auto& out) { w.game_ended(out, kRed, "", ""); },
      [](auto& w, auto& out) {
        w.dice_rolled(out, roll_of(kRed, 0), Rolled{{4}, Grade::kSolo, 0, 0, {}, {}}, {});
      },
  };
  for (const Write& write : writes) {
    EventList out;
    EventWriter writer;
    write(writer, out);
    EXPECT_NE(revert(f.position, *trusted_event(out[0])), Fault::kNone);
    EXPECT_EQ(f.position, before);
  }
}

TEST(Describe, SaysWhatIsAndWhatTheEventThinksItWas) {
  Fold f;
  const std::vector<SpaceId> wrong = {kB2, kC3};
  f.apply_one([](auto& w, auto& out) { w.unit_changed(out, kR1, {kSteps, 4, 2}); });
  EXPECT_EQ(f.text, "UnitChanged: unit R1: steps is 3, the event says it was 4");
  f.apply_one([&](auto& w, auto& out) { w.unit_moved(out, kR1, wrong, ""); });
  EXPECT_EQ(f.text, "UnitMoved: unit R1: its place is A1, the event says it was B2");
  f.apply_one([](auto& w, auto& out) { w.unit_removed(out, kR1, kB2, ""); });
  EXPECT_EQ(f.text, "UnitRemoved: unit R1: its place is A1, the event says it was B2");
  f.apply_one([](auto& w, auto& out) { w.space_changed(out, kB2, {kFort, 1, 0}); });
  EXPECT_EQ(f.text, "SpaceChanged: space B2: fort is 0, the event says it was 1");
  f.apply_one([](auto& w, auto& out) { w.track_changed(out, TrackId{0}, 40, 37); });
  EXPECT_EQ(f.text, "TrackChanged: track score is 0, the event says it was 40");
  f.apply_one([](auto& w, auto& out) { w.phase_began(out, {3, 1, 0}, {4, 0, 0}, {}); });
  EXPECT_EQ(f.text,
            "PhaseBegan: turn is 0, the event says it was 3; phase is 0, the event says it was 1");
}

}  // namespace
}  // namespace wardiary

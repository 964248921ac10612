#include "domain/draft.h"

#include <gtest/gtest.h>

#include "domain/game_testing.h"
#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

using namespace testing;

const fb::Event& event(const Draft& draft, std::size_t i) {
  return *trusted_event(draft.events()[i]);
}

TEST(Draft, WritesNothingForWhatIsSoAlready) {
  Table t;
  t.draft.set(t.unit("R1"), kSteps, 3);
  t.draft.set(t.space("A1"), kControl, -1);
  t.draft.set(LinkId{0}, kBridge, 1);
  t.draft.set(TrackId{1}, 1);
  t.draft.add(TrackId{0}, 0);
  t.draft.set_pool(PoolId{0}, 0, 0);
  t.draft.set_all_spaces(kFort, std::vector<std::int16_t>(9, 0));
  t.draft.settle(kRed);
  EXPECT_TRUE(t.draft.events().empty());
  EXPECT_EQ(t.draft.position(), t.before);
}

TEST(Draft, WritesOnlyTheSpacesThatChange) {
  Table t;
  std::vector<std::int16_t> control(9, -1);
  control[2] = 0;
  control[7] = 1;
  t.draft.set_all_spaces(kControl, control);
  const fb::SpacesChanged& e = *event(t.draft, 0).payload_as_SpacesChanged();
  ASSERT_EQ(e.spaces()->size(), 2u);
  EXPECT_EQ(e.spaces()->Get(1), 7);
  EXPECT_EQ(e.from()->Get(1), -1);
  EXPECT_EQ(e.to()->Get(1), 1);
}

TEST(Draft, MarksWhoMaySeeAnEventAndWhatCausedIt) {
  Table t;
  Envelope envelope{77, "Ada", [](std::size_t i) {
                      Id salt;
                      salt.data.fill(static_cast<std::uint8_t>(i));
                      return salt;
                    }};
  Draft draft(t.game, t.before, t.chance, envelope);
  draft.set(TrackId{0}, 1);
  {
    auto hidden = draft.only_for(kBlue);
    draft.set(TrackId{0}, 2);
    auto because = draft.because_of_last();
    draft.set(TrackId{0}, 3);
    draft.set(TrackId{0}, 4);
  }
  draft.set(TrackId{0}, 5);
  EXPECT_EQ(event(draft, 0).recorded_at_ms(), 77u);
  EXPECT_EQ(event(draft, 0).author()->str(), "Ada");
  EXPECT_EQ(event(draft, 1).recorded_at_ms(), 0u);
  EXPECT_EQ(event(draft, 1).author(), nullptr);
  const std::uint32_t visible[] = {0, 2, 2, 2, 0};
  const int because[] = {0, 0, 1, 2, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(event(draft, i).visible_to(), visible[i]) << i;
    EXPECT_EQ(event(draft, i).because(), because[i]) << i;
    EXPECT_EQ(event(draft, i).salt() != nullptr, visible[i] != 0) << i;
  }
  EXPECT_EQ(event(draft, 2).salt()->Get(0), 2);
}

TEST(Draft, CarriesTheDigestOfThePositionAfterAPhaseBegan) {
  Table t;
  t.draft.begin_phase({1, 1, 0});
  const auto* digest = event(t.draft, 0).payload_as_PhaseBegan()->digest();
  EXPECT_TRUE(equal(ByteView(digest->data(), digest->size()), t.draft.position().digest()));
}

TEST(Draft, SettlesEveryDecisionWhenAGameEnds) {
  Table t;
  t.draft.ask(kRed, {1, -1, -1, 0});
  t.draft.ask(kBlue, {2, 3, -1, 0});
  t.draft.end_game(kNoSide, "draw");
  EXPECT_FALSE(t.draft->anyone_must_decide());
  EXPECT_TRUE(t.draft->over);
}

TEST(Draft, RecordsARollWithItsNumberAndWhatTheRulesMadeOfIt) {
  Table t;
  ScriptedChance chance({5, 2, 6});
  Draft draft(t.game, t.before, chance);
  RollRequest request{kBlue,
                      99,
                      "fire",
                      t.space("B2"),
                      t.unit("B1"),
                      {{RollGroup::kDice, 2, 6, 5}},
                      {{"CV", 2}, {"river", -1}},
                      "fire"};
  auto judge = [](std::span<const std::uint32_t> v) {
    return RollOutcome{"col", "hit", static_cast<int>(v.size()) - 1};
  };
  EXPECT_EQ(draft.roll(request, judge), (std::vector<std::uint32_t>{5, 2}));
  request.groups[0].count = 1;
  EXPECT_EQ(draft.roll(request, nullptr), std::vector<std::uint32_t>{6});
  const fb::DiceRolled& first = *event(draft, 0).payload_as_DiceRolled();
  EXPECT_EQ(first.number(), 0u) << "the draft numbers rolls, not the rules";
  EXPECT_EQ(first.hits(), 1);
  EXPECT_EQ(first.terms()->Get(1)->label()->str(), "river");
  EXPECT_EQ(event(draft, 1).payload_as_DiceRolled()->number(), 1u);
  EXPECT_THROW(draft.roll(request, judge), RollPending);
}

TEST(DraftDeathTest, StopsARuleThatNamesWhatDoesNotExist) {
  Table t;
  EXPECT_DEATH(t.draft.move(t.unit("R1"), t.path({"A1", "B1"})), "");
  EXPECT_DEATH(t.draft.set(t.unit("R1"), kSteps, 40'000), "");
  EXPECT_DEATH(t.draft.set_pool(PoolId{0}, 0, 40'000), "");
  EXPECT_DEATH(t.draft.begin_phase({1, 9, 0}), "");
}

}  // namespace
}  // namespace wardiary

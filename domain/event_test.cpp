#include "domain/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/dice_events.h"
#include "domain/event_json.h"
#include "domain/game_testing.h"
#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

using namespace testing;

const OrderType kMarch{"March",
                       "7.1",
                       {{"unit", FieldKind::kUnit, true, {}},
                        {"path", FieldKind::kSpaces, true, {}},
                        {"note", FieldKind::kText, false, {}}},
                       "Moves a unit."};

GameCreatedFacts created_facts() {
  GameCreatedFacts facts;
  facts.system = "small";
  facts.rules_version = "3";
  facts.scenario = "S41";
  facts.options = {{"weather", "on"}};
  facts.contents = {{"board", "small", sha256(bytes_of("board"))}};
  facts.seats = {{"Ada", {kRed}}, {"Bob", {kBlue}}};
  facts.keeping = Keeping::kScribed;
  facts.dice = Grade::kImported;
  facts.roster = small_roster();
  return facts;
}

DiceEpoch epoch_facts() {
  DiceEpoch epoch;
  epoch.policy = Grade::kAsync;
  epoch.first = {{0, 3}, {255, 9}};
  epoch.answer_within_s = 86'400;
  epoch.drafted = 40;
  epoch.stream.data.fill(1);
  epoch.vrf_key.data.fill(2);
  epoch.suite = 3;
  epoch.chain_length = 4096;
  epoch.rules_hash.data.fill(5);
  epoch.contributors.resize(2);
  epoch.contributors[0] = {0, "Ada", {}, {{0, {}}, {1, {}}}, Bytes(64, 9), false};
  epoch.contributors[1] = {1, "", {}, {}, {}, true};
  return epoch;
}

// One event of every type the core writes.
EventList one_of_each() {
  const Game game = small_game();
  EventList out;
  EventWriter w;
  const AttributeChange steps{kSteps, 3, 2};
  const std::vector<SpaceId> path = {SpaceId{0}, SpaceId{1}, SpaceId{4}};
  const std::vector<std::int16_t> none = {-1, -1, -1};
  const std::vector<std::int16_t> red = {0, 0, 0};
  w.meta.recorded_at_ms = 1'700'000'000'000;
  w.meta.author = "referee";
  w.game_created(out, created_facts());
  w.meta = {};
  w.branch_forked(out, Id{}, 12, "what if", "curious", DicePolicy::kFresh);
  w.order_issued(out, Order(kMarch, kRed).with("unit", UnitId{0}).with("path", path));
  w.ruling(out, "referee", "7.1", "as printed");
  w.take_back(out, 9, "agreed");
  w.phase_began(out, {0, 0, -1}, {1, 0, 0}, sha256(bytes_of("position")));
  w.decision_asked(out, kRed, {}, {1, 4, -1, 7});
  RollRequest request{kRed,        0,           "fire",
                      SpaceId{4},  UnitId{0},   {{RollGroup::kDice, 2, 6, 5}},
                      {{"CV", 2}}, "fire table"};
  Rolled rolled{{6, 1}, Grade::kSolo, 3, 3, Bytes(80, 7), {{0, Hash{}}}};
  w.dice_rolled(out, request, rolled, {"x", "one hit", 1});
  DiceEventWriter d;
  d.epoch_opened(out, epoch_facts());
  DiceEpoch draft = epoch_facts();
  draft.slots = {0, 1, 255};
  d.epoch_drafted(out, draft);
  d.contributor_joined(out, 40, epoch_facts().contributors[0]);
  d.order_suspended(out, Order(kMarch, kRed).with("unit", UnitId{0}).with("path", path));
  d.roll_requested(out, {1, 7, 41, request.groups, Hash{}, Id{}, Bytes(64, 1)});
  d.roll_revealed(out, {42, 0, Hash{}, Bytes(64, 2)});
  d.rolls_unlocked(out, {0, 1, 255, Hash{}, Bytes(64, 3)});
  d.roll_sealed(out, {42, kRed, 7, "draw", 3, Hash{}, kRed});
  d.roll_opened(out, {44, Bytes(80, 6), {3, 1}});
  d.roll_abandoned(out, {kRed, 1, 41, 42, {1}, {{0, Bytes(64, 5)}}, "gone"});
  w.meta.visible_to = 1;
  w.meta.salt = Bytes(16, 0xaa);
  w.meta.because = 2;
  w.unit_placed(out, UnitId{0}, SpaceId{0}, std::vector{steps});
  w.meta = {};
  w.unit_moved(out, UnitId{0}, path, "road");
  w.unit_changed(out, UnitId{0}, steps);
  w.unit_removed(out, UnitId{0}, SpaceId{4}, "eliminated");
  w.space_changed(out, SpaceId{4}, {kControl, -1, 0});
  w.spaces_changed(out, kControl, path, none, red);
  w.link_changed(out, LinkId{2}, {kBridge, 1, 0});
  w.track_changed(out, TrackId{0}, 0, 40);
  w.pool_changed(out, PoolId{1}, 3, 0, 2);
  w.revealed(out, UnitId{0}, 2);
  w.game_ended(out, kRed, "decisive", "Berlin fell");
  return out;
}

// The stored bytes of every event type, by their SHA-256. They are what stored games are made of: a
// change here means that the encoder writes something else than it did, which is only right for a
// new field that the test above now fills in.
TEST(EventWriter, WritesTheBytesItAlwaysWrote) {
  const std::pair<const char*, const char*> golden[] = {
#include "domain/event_golden.inc"
  };
  const EventList events = one_of_each();
  ASSERT_EQ(events.size(), std::size(golden));
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(event_type_name(events.type(i)), golden[i].first);
    EXPECT_EQ(to_hex(sha256(events[i])).substr(0, 16), golden[i].second) << golden[i].first;
  }
}

TEST(EventWriter, WritesASmallEventInFewBytes) {
  EventList out;
  EventWriter w;
  w.unit_changed(out, UnitId{7}, {1, 4, 3});
  EXPECT_EQ(to_hex(out[0]),
            "100000005744455608000c00070008000800000000000012100000000c000c000600050008000a000c0000"
            "000001070004000300");
}

TEST(EventWriter, WritesTheSameBytesWhateverItWroteBefore) {
  const EventList once = one_of_each();
  EventList out;
  EventWriter used;
  used.ruling(out, "a", "b", std::string(5'000, 'x'));
  out.clear();
  used.track_changed(out, TrackId{0}, 0, 40);
  bool found = false;
  for (std::size_t i = 0; i < once.size(); ++i) found = found || equal(once[i], out[0]);
  EXPECT_TRUE(found);
}

TEST(EventList, KeepsEveryEventAligned) {
  const EventList events = one_of_each();
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(events[i].data()) % 8, 0u);
    EXPECT_TRUE(open_event(events[i])) << event_type_name(events.type(i));
  }
}

TEST(EventTypes, HaveNamesAndNumbers) {
  EXPECT_EQ(event_type_name(1), "GameCreated");
  EXPECT_EQ(event_type_number("UnitMoved"), static_cast<int>(fb::Payload::UnitMoved));
  EXPECT_EQ(event_type_number("Nonsense"), 0);
  EXPECT_EQ(event_type_number(""), 0);
  EXPECT_EQ(event_type_name(1'000), "");
}

TEST(OpenEvent, RefusesWhatIsNoEvent) {
  EXPECT_FALSE(open_event({}));
  EventList nothing;
  nothing.add(0, {});
  EXPECT_FALSE(open_event(nothing[0]));
  alignas(8) const std::uint8_t zeros[64] = {};
  auto refused = open_event(zeros);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(refused.error().text, "not an event: no WDEV identifier");
}

TEST(OpenEvent, RefusesEveryTruncation) {
  const EventList events = one_of_each();
  for (std::size_t i = 0; i < events.size(); ++i) {
    // The last few bytes may be padding of the FlatBuffer; most of it must be missed.
    std::size_t accepted = 0;
    for (std::size_t n = 0; n < events[i].size(); ++n)
      accepted += open_event(events[i].first(n)).ok();
    EXPECT_LE(accepted, 8u) << event_type_name(events.type(i));
  }
}

// Reads everything of an event that passed the verifier, as the program does.
void read_all(const fb::Event& event) {
  static const Roster roster = small_roster();
  static const OrderType types[] = {kMarch};
  Position position(roster);
  const Fault fault = apply(position, event, {true});
  (void)describe(fault, position, event, roster);
  (void)revert(position, event);
  (void)read_game_created(event);
  (void)read_epoch(event);
  if (auto order = read_order(event, types, roster)) (void)order_to_json(*order, roster);
  (void)event_json(event, 1, roster);
}

TEST(OpenEvent, SurvivesEveryFlippedBit) {
  const EventList events = one_of_each();
  int opened = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (std::size_t bit = 0; bit < events[i].size() * 8; ++bit) {
      EventList changed;
      Bytes bytes(events[i].begin(), events[i].end());
      bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      changed.add(0, bytes);
      auto event = open_event(changed[0]);
      if (!event) continue;
      ++opened;
      read_all(**event);
    }
  }
  EXPECT_GT(opened, 1'000);
}

RC_GTEST_PROP(OpenEvent, SurvivesAnyChange, ()) {
  static const EventList events = one_of_each();
  const auto i = *rc::gen::inRange<std::size_t>(0, events.size());
  Bytes bytes(events[i].begin(), events[i].end());
  const auto edits = *rc::gen::container<std::vector<std::pair<std::uint16_t, std::uint8_t>>>(
      rc::gen::arbitrary<std::pair<std::uint16_t, std::uint8_t>>());
  for (auto [at, value] : edits) bytes[at % bytes.size()] = value;
  EventList changed;
  changed.add(0, bytes);
  if (auto event = open_event(changed[0])) read_all(**event);
}

TEST(ReadGameCreated, GivesBackWhatWasWritten) {
  EventList out;
  EventWriter w;
  const GameCreatedFacts facts = created_facts();
  w.game_created(out, facts);
  auto back = read_game_created(**open_event(out[0]));
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->system, "small");
  EXPECT_EQ(back->rules_version, "3");
  EXPECT_EQ(back->scenario, "S41");
  EXPECT_EQ(back->options[0].value, "on");
  EXPECT_EQ(back->contents[0].sha256, facts.contents[0].sha256);
  EXPECT_EQ(back->seats[1].name, "Bob");
  EXPECT_EQ(back->seats[1].sides, std::vector{kBlue});
  EXPECT_EQ(back->keeping, Keeping::kScribed);
  EXPECT_EQ(back->dice, Grade::kImported);
  EXPECT_EQ(back->roster.unit("B3"), facts.roster.unit("B3"));
  EXPECT_EQ(back->roster.unit_attributes[2].words, facts.roster.unit_attributes[2].words);
  EXPECT_EQ(Position(back->roster), Position(facts.roster));
  // Written again it is the same, byte for byte.
  EventList again;
  w.game_created(again, *back);
  EXPECT_TRUE(equal(again[0], out[0]));
}

TEST(ReadGameCreated, RefusesSeatsWithoutSidesAndHashesOfOtherLengths) {
  EventWriter w;
  auto error_of = [&](GameCreatedFacts facts) {
    EventList out;
    w.game_created(out, facts);
    auto read = read_game_created(**open_event(out[0]));
    return read ? "fine" : read.error().text;
  };
  GameCreatedFacts facts = created_facts();
  facts.seats[0].sides = {SideId{2}};
  EXPECT_EQ(error_of(facts), "GameCreated: seat Ada has a side that is not there");
  facts = created_facts();
  facts.dice = static_cast<Grade>(99);
  EXPECT_EQ(error_of(facts), "GameCreated: an unknown way of keeping or grade of dice");
  facts = created_facts();
  facts.roster.spaces.pop_back();
  EXPECT_EQ(error_of(facts), "roster: links: one joins a space that is not there");
}

TEST(ReadGameCreated, RefusesOtherEvents) {
  const EventList events = one_of_each();
  auto read = read_game_created(**open_event(events[1]));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().text, "the first event of a game is not GameCreated");
}

TEST(ReadEpoch, GivesBackWhatWasWritten) {
  EventList out;
  EventWriter w;
  w.epoch_opened(out, epoch_facts());
  auto back = read_epoch(**open_event(out[0]));
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(back->stream, epoch_facts().stream);
  EXPECT_EQ(back->chain_length, 4096u);
  ASSERT_EQ(back->contributors.size(), 2u);
  EXPECT_EQ(back->contributors[0].anchors.size(), 2u);
  EXPECT_TRUE(back->contributors[1].custodial);
}

TEST(ReadOrder, GivesBackWhatWasOrderedAndChecksEveryId) {
  const Roster roster = small_roster();
  const OrderType types[] = {kMarch};
  EventWriter w;
  EventList out;
  const std::vector<SpaceId> path = {SpaceId{0}, SpaceId{1}};
  const Order good = Order(types[0], kBlue)
                         .with("unit", UnitId{3})
                         .with("path", path)
                         .with_text("note", "by night");
  w.order_issued(out, good);
  auto back = read_order(**open_event(out[0]), types, roster);
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(*back, good);

  auto error_of = [&](const Order& order) {
    EventList one;
    w.order_issued(one, order);
    auto read = read_order(**open_event(one[0]), types, roster);
    return read ? "fine" : read.error().text;
  };
  EXPECT_EQ(error_of(Order(good).with("unit", UnitId{6})), "order March: bad value in unit");
  EXPECT_EQ(error_of(Order(good).with("path", std::vector{0, 9})),
            "order March: bad value in path");
  EXPECT_EQ(error_of(Order(good).with_text("unit", "R1")), "order March: bad value in unit");
  EXPECT_EQ(error_of(Order(types[0], kBlue)), "order March: no unit");
  Order nobody = good;
  nobody.side = SideId{2};
  EXPECT_EQ(error_of(nobody), "order March: no such side");
  const OrderType other{"Retreat", "", {}, ""};
  EXPECT_EQ(error_of(Order(other, kRed)), "no order Retreat in this game");
}

}  // namespace
}  // namespace wardiary

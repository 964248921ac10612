// Rolls that stay hidden, and what the record of a branch's dice makes of every step around them.
#include "replay/dice_record.h"

#include <gtest/gtest.h>

#include "domain/base/sha256.h"
#include "domain/fairdice/player.h"
#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

using fairdice::Player;
using fairdice::Seed;

const OrderType kDraw{"Draw", "1", {}, "Draws a card."};

Seed seed_of(std::uint8_t byte) {
  std::array<std::uint8_t, 32> bytes;
  bytes.fill(byte);
  return Seed(bytes);
}

Bytes bytes_of_signature(const fairdice::Signature& s) {
  return Bytes(s.data.begin(), s.data.end());
}

// Two players and the service with all their secrets in one place, and the log they write.
class Table {
 public:
  Table() : vrf_(seed_of(9)) {
    stream.data.fill(7);
    for (std::uint8_t slot : slots) players_.emplace(slot, Player(seed_of(slot)));
    DiceRecord::Context context;
    context.stream = stream;
    context.policy = Grade::kLive;
    context.rules = sha256(bytes_of("rules"));
    context.hash_of = hash_of;
    record.emplace(std::move(context));
  }

  static Hash hash_of(std::uint64_t at) {
    Sha256 hasher;
    return hasher.add("event").add_u64(at).finish();
  }
  // The next event of the log; nothing if the record takes it.
  template <class Write>
  std::optional<Wrong> add(Write write) {
    EventList events;
    writer.meta.recorded_at_ms = ++now_;
    write(events);
    auto wrong = record->add(version + 1, *trusted_event(events[0]));
    if (!wrong) ++version;
    return wrong;
  }
  void open_epoch() {
    DiceEpoch draft;
    draft.stream = stream;
    draft.vrf_key = vrf_.public_key();
    draft.suite = fairdice::kVrfSuite;
    draft.chain_length = 16;
    draft.rules_hash = sha256(bytes_of("rules"));
    draft.policy = Grade::kLive;
    draft.slots = slots;
    ASSERT_FALSE(add([&](EventList& out) { writer.epoch_drafted(out, draft); }));
    const std::uint64_t drafted = version;
    DiceEpoch epoch = draft;
    epoch.drafted = drafted;
    for (std::uint8_t slot : slots) {
      const fairdice::EpochTerms terms{stream, draft.suite,  draft.vrf_key,
                                       16,     Grade::kLive, draft.rules_hash};
      Player& player = players_.at(slot);
      auto joined = player.join(terms, hash_of(drafted), slot, false, slots);
      EpochFacts::Contributor c;
      c.slot = slot;
      c.key = player.public_key();
      for (const auto& [roller, anchor] : joined->anchors) c.anchors.emplace_back(roller, anchor);
      c.signature = bytes_of_signature(joined->signature);
      ASSERT_FALSE(add([&](EventList& out) { writer.contributor_joined(out, drafted, c); }));
      epoch.contributors.push_back(c);
    }
    ASSERT_FALSE(add([&](EventList& out) { writer.epoch_opened(out, epoch); }));
    draft_ = drafted;
  }
  Hash element(std::uint8_t slot, std::uint64_t number) {
    return *players_.at(slot).element({stream, hash_of(draft_), slot, 16}, 0, number);
  }
  // Side 0 orders a card to be drawn; everybody contributes.
  void order_and_contribute() {
    ASSERT_FALSE(
        add([&](EventList& out) { writer.order_suspended(out, Order(kDraw, SideId{0})); }));
    RollRequestedFacts facts;
    facts.number = record->next_number(0);
    facts.order = version;
    facts.groups = groups;
    facts.element = element(0, facts.number);
    const Hash digest =
        fairdice::request_digest(stream, record->request_of(facts, hash_of(version)));
    facts.signature = bytes_of_signature(players_.at(0).sign(digest));
    ASSERT_FALSE(add([&](EventList& out) { writer.roll_requested(out, facts); }));
    request = version;
    for (std::uint8_t slot : {std::uint8_t{1}, kServiceSlot}) {
      const Hash v = element(slot, facts.number);
      const Hash signed_digest = fairdice::reveal_digest(stream, digest, slot, v);
      const Bytes signature = bytes_of_signature(players_.at(slot).sign(signed_digest));
      ASSERT_FALSE(add([&](EventList& out) {
        writer.roll_revealed(out, {request, slot, v, signature});
      }));
    }
    roll = *fairdice::make_roll(vrf_, record->alpha(record->pending()->rolls[0]), {groups});
  }
  std::optional<Wrong> seal(const Hash& seal) {
    const RollSealedFacts facts{request, SideId{0}, 0, "card", fairdice::kVrfSuite,
                                seal,    SideId{0}};
    return add([&](EventList& out) { writer.roll_sealed(out, facts); });
  }
  // The order is issued and its roll recorded, for side 0 only if `hidden`.
  std::optional<Wrong> roll_it(bool hidden) {
    EventList events;
    EventWriter plain;
    plain.meta.recorded_at_ms = ++now_;
    plain.order_issued(events, Order(kDraw, SideId{0}));
    plain.meta = {};
    plain.meta.visible_to = hidden ? 1 : 0;
    RollRequest asked;
    asked.roller = SideId{0};
    asked.purpose = "card";
    asked.groups = groups;
    Rolled rolled;
    rolled.values = roll->outcome.values;
    rolled.grade = Grade::kLive;
    rolled.request = request;
    rolled.suite = fairdice::kVrfSuite;
    rolled.proof.assign(roll->pi.data.begin(), roll->pi.data.end());
    plain.dice_rolled(events, asked, rolled, {});
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (auto wrong = record->add(++version, *trusted_event(events[i]))) return wrong;
    }
    return std::nullopt;
  }
  std::optional<Wrong> open(std::uint64_t sealed, std::vector<std::uint32_t> values) {
    const Bytes proof(roll->pi.data.begin(), roll->pi.data.end());
    return add([&](EventList& out) { writer.roll_opened(out, {sealed, proof, values}); });
  }

  Id stream;
  const std::vector<std::uint8_t> slots = {0, 1, kServiceSlot};
  const std::vector<RollGroup> groups = {{RollGroup::kDraw, 2, 40, 0}};
  std::optional<DiceRecord> record;
  DiceEventWriter writer;
  std::uint64_t version = 0;
  std::uint64_t request = 0;
  std::optional<fairdice::Roll> roll;

 private:
  fairdice::VrfKey vrf_;
  std::map<std::uint8_t, Player> players_;
  std::uint64_t draft_ = 0;
  std::uint64_t now_ = 1'000;
};

TEST(DiceRecord, AHiddenRollIsSealedAndLaterOpened) {
  Table table;
  table.open_epoch();
  table.order_and_contribute();
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_FALSE(table.seal(table.roll->seal));
  const std::uint64_t sealed = table.version;
  auto wrong = table.roll_it(/*hidden=*/true);
  ASSERT_FALSE(wrong) << wrong->field << ": " << wrong->recorded << ", " << wrong->expected;
  EXPECT_EQ(table.record->sealed().size(), 1u);
  auto others = table.roll->outcome.values;
  others[0] = (others[0] + 1) % 40;
  EXPECT_EQ(table.open(sealed, others)->field, "values");
  EXPECT_EQ(table.open(sealed + 1, table.roll->outcome.values)->field, "sealed");
  EXPECT_FALSE(table.open(sealed, table.roll->outcome.values));
  EXPECT_TRUE(table.record->sealed().empty());
  EXPECT_EQ(table.open(sealed, table.roll->outcome.values)->field, "sealed");  // once
}

TEST(DiceRecord, ASealThatIsNotOfTheRollIsFound) {
  Table table;
  table.open_epoch();
  table.order_and_contribute();
  ASSERT_FALSE(table.seal(sha256(bytes_of("another"))));
  EXPECT_EQ(table.seal(table.roll->seal)->field, "request");  // sealed once
  EXPECT_EQ(table.roll_it(true)->field, "seal");
}

TEST(DiceRecord, HiddenRollsNeedASealAndOpenOnesHaveNone) {
  Table hidden;
  hidden.open_epoch();
  hidden.order_and_contribute();
  EXPECT_EQ(hidden.roll_it(true)->field, "seal");
  Table open;
  open.open_epoch();
  open.order_and_contribute();
  ASSERT_FALSE(open.seal(open.roll->seal));
  EXPECT_EQ(open.roll_it(false)->field, "seal");
}

TEST(DiceRecord, ARollNeedsEveryContribution) {
  Table table;
  table.open_epoch();
  EXPECT_EQ(table.seal(Hash{})->field, "type");
  table.order_and_contribute();
  EXPECT_FALSE(table.roll_it(false));
  EXPECT_EQ(table.record->proven(), 1u);
  EXPECT_EQ(table.record->rolls(0), 1u);
  EXPECT_EQ(table.record->pending(), nullptr);
}

}  // namespace
}  // namespace wardiary

#include "replay/live_dice.h"

#include <nlohmann/json.hpp>

#include "domain/fairdice/transcript_json.h"
#include "replay/live_testing.h"

namespace wardiary {
namespace {

using nlohmann::json;

std::vector<std::uint32_t> values_at(LiveTable& table, Version first, Version last) {
  std::vector<std::uint32_t> out;
  auto read = table.world.store().read(table.branch, first, last, [&](const StoredEvent& s) {
    const auto* rolled = trusted_event(s.payload)->payload_as_DiceRolled();
    if (rolled) out.insert(out.end(), rolled->values()->begin(), rolled->values()->end());
    return true;
  });
  EXPECT_TRUE(read.ok());
  return out;
}

TEST(LiveDice, AnOrderThatRollsWaitsUntilAllHaveJoined) {
  LiveTable table;
  EXPECT_EQ(table.state()["owed"].size(), 2u);  // the service has joined for the rolls of nobody
  std::optional<Error> error;
  while (const auto next = table.choose()) {
    auto answer = table.order(*next);
    if (answer) continue;
    error = answer.error();
    break;
  }
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, ErrorCode::kConflict);
  EXPECT_NE(error->text.find("missing: axis, soviet"), std::string::npos) << error->text;
  const Version before = table.version();
  table.join_all();
  EXPECT_EQ(table.version(), before + 3);  // two joined, and the epoch
  EXPECT_TRUE(table.state()["owed"].empty());
  EXPECT_TRUE(table.play_until_suspended());
}

TEST(LiveDice, AGamePlaysAndProvesItself) {
  LiveTable table;
  table.join_all();
  table.play(120);
  ASSERT_FALSE(testing::Test::HasFatalFailure());
  EXPECT_GT(table.count(fb::Payload::DiceRolled), 5u);
  EXPECT_EQ(table.count(fb::Payload::RollRequested), table.count(fb::Payload::DiceRolled));
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);

  auto branch = table.world.store().branch(table.branch);
  auto transcripts = dice_transcripts(table.world.store(), table.game->game, *branch);
  ASSERT_TRUE(transcripts.ok()) << transcripts.error().text;
  ASSERT_EQ(transcripts->size(), 1u);
  EXPECT_EQ(transcripts->front().rolls.size(), table.count(fb::Payload::DiceRolled));
  for (auto& player : table.players) {
    auto checked = player->check(transcripts->front());
    EXPECT_TRUE(checked.ok()) << checked.error().text;
  }
  // Written and read again it is the same, and one changed die is noticed by every player.
  auto text = fairdice::transcript_to_json(transcripts->front());
  auto again = fairdice::transcript_from_json(text);
  ASSERT_TRUE(again.ok()) << again.error().text;
  again->rolls[0].values[0] = again->rolls[0].values[0] % 6 + 1;
  EXPECT_FALSE(table.players[0]->check(*again).ok());
}

TEST(LiveDice, NothingElseIsOrderedWhileAnOrderWaits) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  const Version before = table.version();
  auto other = table.order(*table.last_order, random_id());
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::kConflict);
  EXPECT_NE(other.error().text.find("owes the request"), std::string::npos) << other.error().text;
  OrderRequest ruling;
  ruling.branch = table.branch;
  ruling.author = "referee";
  auto ruled = table.world.referee().rule(ruling, {"", "let it be"}, {});
  ASSERT_FALSE(ruled.ok());
  EXPECT_EQ(ruled.error().code, ErrorCode::kConflict);
  EXPECT_EQ(table.version(), before);
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);
  for (const AuditCheck& check : report.checks) {
    if (check.name == "obligations") {
      EXPECT_EQ(check.examined, 1u);
    }
  }
}

TEST(LiveDice, TheOrderGoesOnAcrossRestartsAtEveryStep) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  table.world.reopen();
  auto waiting = table.order(*table.last_order, table.last_command);
  ASSERT_TRUE(waiting.ok()) << waiting.error().text;
  ASSERT_TRUE(std::holds_alternative<OrderSuspended>(*waiting));
  EXPECT_TRUE(std::get<OrderSuspended>(*waiting).duplicate);
  const Version suspended = std::get<OrderSuspended>(*waiting).version;
  while (true) {
    const json owed = table.state()["owed"];
    if (owed.empty()) break;
    const auto slot = owed[0]["slot"].get<std::uint8_t>();
    auto done = owed[0]["what"] == "request" ? table.request(slot) : table.reveal(slot);
    ASSERT_TRUE(done.ok()) << done.error().text;
    table.world.reopen();
  }
  auto done = table.order(*table.last_order, table.last_command);
  ASSERT_TRUE(done.ok()) << done.error().text;
  const auto* accepted = std::get_if<OrderAccepted>(&*done);
  ASSERT_TRUE(accepted);
  EXPECT_TRUE(accepted->duplicate);
  EXPECT_GT(accepted->first, suspended);
  const Version last = table.version();
  table.order(*table.last_order, table.last_command).ok();
  EXPECT_EQ(table.version(), last);
  EXPECT_TRUE(table.audit().clean());
}

TEST(LiveDice, OneRequestPerNumberWhateverIsRetried) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  json state = table.state();
  const auto roller = state["next"]["roller"].get<std::uint8_t>();
  auto first = table.players[roller]->request(state);
  ASSERT_TRUE(first.ok()) << first.error().text;
  // Asked again with the same facts, the same bytes; with other facts for the number, refused.
  EXPECT_EQ(*table.players[roller]->request(state), *first);
  json other = state;
  other["next"]["prevEvent"] = std::string(64, 'a');
  auto second = table.players[roller]->request(other);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  // Also by a program that was started anew.
  const auto file = table.world.directory() / (table.players[roller]->name() + ".player");
  table.players[roller].reset();
  auto again = PlayerFile::open(file);
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_FALSE(again->request(other).ok());
  table.players[roller] = std::make_unique<PlayerFile>(std::move(*again));

  auto facts = roll_request_from_json(*first);
  auto taken = table.world.referee().request_roll(table.branch, *facts, "player");
  ASSERT_TRUE(taken.ok()) << taken.error().text;
  auto repeated = table.world.referee().request_roll(table.branch, *facts, "player");
  ASSERT_TRUE(repeated.ok()) << repeated.error().text;
  EXPECT_TRUE(repeated->duplicate);
  facts->key.data[0] ^= 1;
  EXPECT_EQ(table.world.referee().request_roll(table.branch, *facts, "player").error().code,
            ErrorCode::kConflict);
}

TEST(LiveDice, WhatIsNotSignedOrNotCommittedToIsRefused) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  const auto roller = table.state()["next"]["roller"].get<std::uint8_t>();
  const std::uint8_t opponent = roller ? 0 : 1;
  EXPECT_EQ(table.request(opponent).error().code, ErrorCode::kConflict);
  auto facts = *roll_request_from_json(*table.players[roller]->request(table.state()));
  const Version before = table.version();
  auto refused = [&](auto change) {
    RollRequestedFacts bad = facts;
    change(bad);
    return !table.world.referee().request_roll(table.branch, bad, "player").ok();
  };
  EXPECT_TRUE(refused([](auto& f) { f.signature[5] ^= 1; }));
  EXPECT_TRUE(refused([](auto& f) { f.element.data[5] ^= 1; }));
  EXPECT_TRUE(refused([](auto& f) { ++f.number; }));
  EXPECT_TRUE(refused([](auto& f) { ++f.order; }));
  EXPECT_TRUE(refused([](auto& f) { ++f.groups[0].count; }));
  EXPECT_TRUE(refused([](auto& f) { f.key.data[0] ^= 1; }));
  EXPECT_TRUE(refused([&](auto& f) { f.roller = opponent; }));
  EXPECT_EQ(table.version(), before);
  ASSERT_TRUE(table.world.referee().request_roll(table.branch, facts, "player").ok());

  auto reveal = *reveal_from_json(*table.players[opponent]->reveal(table.state()));
  const Version requested = table.version();
  for (int i = 0; i < 4; ++i) {
    RollRevealedFacts bad = reveal;
    if (i == 0) bad.signature[5] ^= 1;
    if (i == 1) bad.element.data[5] ^= 1;
    if (i == 2) bad.contributor = roller;
    if (i == 3) ++bad.request;
    EXPECT_FALSE(table.world.referee().reveal_roll(table.branch, bad, "player").ok()) << i;
  }
  EXPECT_EQ(table.version(), requested);
  EXPECT_TRUE(table.world.referee().reveal_roll(table.branch, reveal, "player").ok());
}

TEST(LiveDice, APlayerRevealsForOneRequestOnly) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  const auto roller = table.state()["next"]["roller"].get<std::uint8_t>();
  const std::uint8_t opponent = roller ? 0 : 1;
  ASSERT_TRUE(table.request(roller).ok());
  const json state = table.state();
  ASSERT_TRUE(table.players[opponent]->reveal(state).ok());
  json forged = state;
  forged["order"]["requests"][0]["orderEvent"] = std::string(64, 'b');
  auto refused = table.players[opponent]->reveal(forged);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text.find("has not signed"), std::string::npos);
  json other_epoch = state;
  other_epoch["epoch"]["hash"] = std::string(64, 'c');
  EXPECT_FALSE(table.players[opponent]->reveal(other_epoch).ok());
}

TEST(LiveDice, WhatWasUnlockedInAdvanceNeedsNoReveal) {
  LiveTable table(Grade::kAsync);
  table.join_all();
  table.unlock(0, 100);
  table.unlock(1, 100);
  ASSERT_TRUE(table.play_until_suspended());
  const json owed = table.state()["owed"];
  ASSERT_EQ(owed.size(), 1u);
  auto done = table.request(owed[0]["slot"].get<std::uint8_t>());
  ASSERT_TRUE(done.ok()) << done.error().text;
  table.settle();
  table.play(40);
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);
  auto branch = table.world.store().branch(table.branch);
  auto transcripts = dice_transcripts(table.world.store(), table.game->game, *branch);
  ASSERT_TRUE(transcripts.ok() && !transcripts->empty());
  for (const auto& roll : transcripts->front().rolls) EXPECT_EQ(roll.grade, Grade::kAsync);
  for (auto& player : table.players) {
    auto checked = player->check(transcripts->front());
    EXPECT_TRUE(checked.ok()) << checked.error().text;
  }
}

TEST(LiveDice, AnOrderIsGivenUpOnlyWithConsentAndNeverRolledAgain) {
  LiveTable table(Grade::kLive, [](GameRequest& r) { r.answer_within_s = 3'600; });
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  const auto roller = table.state()["next"]["roller"].get<std::uint8_t>();
  const std::uint8_t opponent = roller ? 0 : 1;
  ASSERT_TRUE(table.request(roller).ok());
  const json state = table.state();
  EXPECT_EQ(state["owed"][0]["slot"], opponent);
  EXPECT_FALSE(state["owed"][0]["lapsed"].get<bool>());
  const auto consent = *agreement_from_json(*table.players[roller]->agree(state));
  const auto other = *agreement_from_json(*table.players[opponent]->agree(state));
  auto give_up = [&](std::vector<std::pair<std::uint8_t, Bytes>> agreed) {
    return table.world.referee().abandon_order(table.branch, std::move(agreed), "gone", "referee");
  };
  const Version before = table.version();
  EXPECT_FALSE(give_up({}).ok());
  EXPECT_FALSE(give_up({consent}).ok());  // the time is not over
  EXPECT_EQ(table.version(), before);
  table.world.now_ms += 3'600'001;
  EXPECT_TRUE(table.state()["owed"][0]["lapsed"].get<bool>());
  EXPECT_FALSE(give_up({other}).ok());  // the one who owes cannot get rid of it alone
  const SideId side{roller};
  const auto rolls = table.world.time().head(table.branch)->position.rolls(side);
  auto done = give_up({consent});
  ASSERT_TRUE(done.ok()) << done.error().text;
  EXPECT_EQ(table.world.time().head(table.branch)->position.rolls(side), rolls + 1);
  EXPECT_TRUE(table.state()["owed"].empty());
  EXPECT_EQ(table.order(*table.last_order, table.last_command).error().code, ErrorCode::kConflict);
  // The same order again is another roll: the next number.
  auto again = table.order(*table.last_order, random_id());
  ASSERT_TRUE(again.ok()) << again.error().text;
  ASSERT_TRUE(std::holds_alternative<OrderSuspended>(*again));
  EXPECT_EQ(table.state()["next"]["number"], rolls + 1);
  table.settle();
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);
}

TEST(LiveDice, BeforeTheTimeIsOverEverybodyMustAgree) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  const json state = table.state();
  std::vector<std::pair<std::uint8_t, Bytes>> agreed;
  for (auto& player : table.players) {
    agreed.push_back(*agreement_from_json(*player->agree(state)));
  }
  auto bad = agreed;
  bad[1].second[0] ^= 1;
  EXPECT_FALSE(table.world.referee().abandon_order(table.branch, bad, "", "referee").ok());
  auto done = table.world.referee().abandon_order(table.branch, agreed, "mistake", "referee");
  ASSERT_TRUE(done.ok()) << done.error().text;
  EXPECT_EQ(table.count(fb::Payload::RollAbandoned), 1u);
  EXPECT_TRUE(table.audit().clean()) << audit_text(table.audit());
}

TEST(LiveDice, ANewEpochFollowsWhenTheChainsAreUsedUp) {
  LiveTable table(Grade::kLive, [](GameRequest& r) { r.chain_length = 8; });
  table.join_all();
  for (int i = 0; i < 200 && table.count(fb::Payload::EpochOpened) < 3; ++i) {
    const auto next = table.choose();
    ASSERT_TRUE(next.has_value());
    auto answer = table.order(*next);
    if (!answer) {
      EXPECT_NE(answer.error().text.find("join again"), std::string::npos) << answer.error().text;
      table.settle();
      answer = table.order(*next);
    }
    ASSERT_TRUE(answer.ok()) << answer.error().text;
    table.settle();
  }
  EXPECT_GE(table.count(fb::Payload::EpochOpened), 3u);
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);
  auto branch = table.world.store().branch(table.branch);
  auto transcripts = dice_transcripts(table.world.store(), table.game->game, *branch);
  ASSERT_TRUE(transcripts.ok()) << transcripts.error().text;
  EXPECT_GE(transcripts->size(), 2u);
  for (const auto& transcript : *transcripts) {
    auto checked = table.players[0]->check(transcript);
    EXPECT_TRUE(checked.ok()) << checked.error().text;
  }
}

TEST(LiveDice, TheServicesOwnDiceRollOverByThemselves) {
  LiveTable table(Grade::kSolo, [](GameRequest& r) { r.chain_length = 8; });
  for (int i = 0; i < 300 && table.count(fb::Payload::EpochOpened) < 3; ++i) {
    const auto next = table.choose();
    ASSERT_TRUE(next.has_value());
    auto answer = table.order(*next);
    ASSERT_TRUE(answer.ok()) << answer.error().text;
    ASSERT_TRUE(std::holds_alternative<OrderAccepted>(*answer));
    if (i % 50 == 49) table.world.reopen();
  }
  EXPECT_GE(table.count(fb::Payload::EpochOpened), 3u);
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);
}

TEST(LiveDice, TheServiceMayKeepThekeyOfASide) {
  LiveTable table(Grade::kLive, [](GameRequest& r) { r.custodial = {SideId{1}}; });
  EXPECT_EQ(table.state()["owed"].size(), 1u);
  ASSERT_TRUE(table.join(0).ok());
  table.play(60);
  ASSERT_FALSE(testing::Test::HasFatalFailure());
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);
}

TEST(LiveDice, AWhatIfHasDiceOfItsOwnAndCannotSpendThoseOfTheGame) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  ForkRequest fork;
  fork.game = table.game->id;
  fork.parent = table.branch;
  fork.at = table.version();
  fork.author = "referee";
  auto what_if = table.world.referee().fork(fork);
  ASSERT_TRUE(what_if.ok()) << what_if.error().text;
  OrderRequest request;
  request.branch = what_if->branch;
  auto answer = table.world.referee().order(request, *table.last_order);
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  ASSERT_TRUE(std::holds_alternative<OrderAccepted>(*answer));
  EXPECT_FALSE(table.world.referee().dice_state(what_if->branch).ok());
  table.settle();
  const AuditReport report = table.audit();
  EXPECT_TRUE(report.clean()) << audit_text(report);
}

TEST(LiveDice, TheSameRequestsGiveTheSameDiceWheneverTheyAreAnswered) {
  LiveTable table;
  table.join_all();
  ASSERT_TRUE(table.play_until_suspended());
  // Everything but the last reveal, then a copy of the store: both lines come to the same dice.
  const auto roller = table.state()["next"]["roller"].get<std::uint8_t>();
  ASSERT_TRUE(table.request(roller).ok());
  const Version before = table.version();
  table.settle();
  const auto first = values_at(table, before, table.version());
  ASSERT_FALSE(first.empty());
  auto branch = table.world.store().branch(table.branch);
  auto transcripts = dice_transcripts(table.world.store(), table.game->game, *branch);
  ASSERT_TRUE(transcripts.ok());
  EXPECT_EQ(transcripts->front().rolls.front().values,
            std::vector(first.begin(),
                        first.begin() +
                            static_cast<long>(transcripts->front().rolls.front().values.size())));
}

}  // namespace
}  // namespace wardiary

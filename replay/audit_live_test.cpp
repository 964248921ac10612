// Faults planted in the evidence of live dice: each must be found and named.
#include <algorithm>

#include "replay/live_testing.h"
#include "replay/planted_testing.h"

namespace wardiary::planted {
namespace {

// Two players, an order given up after its time was over, and some thirty rolls.
const Log& live_log() {
  static const Log log = [] {
    LiveTable table(Grade::kLive, [](GameRequest& r) { r.answer_within_s = 60; });
    table.join_all();
    EXPECT_TRUE(table.play_until_suspended());
    const auto roller = table.state()["next"]["roller"].get<std::uint8_t>();
    EXPECT_TRUE(table.request(roller).ok());
    auto consent = agreement_from_json(*table.players[roller]->agree(table.state()));
    table.world.now_ms += 60'001;
    EXPECT_TRUE(table.world.referee().abandon_order(table.branch, {*consent}, "", "referee").ok());
    table.play(60);
    return take(table.world, table.game->id);
  }();
  return log;
}

const Log& async_log() {
  static const Log log = [] {
    LiveTable table(Grade::kAsync);
    table.join_all();
    table.unlock(0, 50);
    table.unlock(1, 50);
    table.play(40);
    return take(table.world, table.game->id);
  }();
  return log;
}

std::size_t find_where(const Log& log, fb::Payload type,
                       const std::function<bool(const fb::Event&)>& good) {
  for (std::size_t i = 0; i < log.events.size(); ++i) {
    if (log.events[i].payload() == type && good(log.events[i].event())) return i;
  }
  ADD_FAILURE() << "no such event";
  return 0;
}

// A request after the first of its roller: its number is written.
std::size_t later_request(const Log& log) {
  return find_where(log, fb::Payload::RollRequested,
                    [](const fb::Event& e) { return e.payload_as_RollRequested()->number() > 1; });
}
const fb::RollRequested* request_at(Log& log, std::size_t i) {
  return log.events[i].event().payload_as_RollRequested();
}
// A player's reveal, not the service's.
std::size_t reveal_of_player(const Log& log) {
  return find_where(log, fb::Payload::RollRevealed, [](const fb::Event& e) {
    return e.payload_as_RollRevealed()->contributor() != kServiceSlot;
  });
}
const fb::RollRevealed* reveal_at(Log& log, std::size_t i) {
  return log.events[i].event().payload_as_RollRevealed();
}
const fb::Contributor* joined_at(Log& log, std::size_t i) {
  return log.events[i].event().payload_as_ContributorJoined()->contributor();
}

const std::vector<PlantedFault>& live_faults() {
  static const std::vector<PlantedFault> faults = {
      {"a request with a forged signature",
       [](Log& log) {
         const std::size_t i = later_request(log);
         flip(request_at(log, i)->signature(), 9);
         return i;
       },
       "requests", "signature"},
      {"a request with another contribution",
       [](Log& log) {
         const std::size_t i = later_request(log);
         flip(request_at(log, i)->element());
         return i;
       },
       "requests", "element"},
      {"a request with another number",
       [](Log& log) {
         const std::size_t i = later_request(log);
         overwrite<std::uint64_t>(request_at(log, i), fb::RollRequested::VT_NUMBER,
                                  request_at(log, i)->number() + 1);
         return i;
       },
       "requests", "number"},
      {"a roll number used twice",
       [](Log& log) {
         const std::size_t i = later_request(log);
         overwrite<std::uint64_t>(request_at(log, i), fb::RollRequested::VT_NUMBER,
                                  request_at(log, i)->number() - 1);
         return i;
       },
       "requests", "number"},
      {"a request put under another order",
       [](Log& log) {
         const std::size_t i = later_request(log);
         overwrite<std::uint64_t>(request_at(log, i), fb::RollRequested::VT_ORDER,
                                  request_at(log, i)->order() - 1);
         return i;
       },
       "requests", "order"},
      {"a request with another idempotency key",
       [](Log& log) {
         const std::size_t i = later_request(log);
         flip(request_at(log, i)->key());
         return i;
       },
       "requests", "signature"},
      {"a request for more dice than were signed for",
       [](Log& log) {
         const std::size_t i = later_request(log);
         const fb::RollGroup* group = request_at(log, i)->groups()->Get(0);
         auto* raw = reinterpret_cast<std::uint8_t*>(const_cast<fb::RollGroup*>(group));
         ++raw[2];  // its count
         return i;
       },
       "requests", "signature"},
      {"a request that was dropped",
       [](Log& log) {
         const std::size_t i = later_request(log);
         log.events.erase(log.events.begin() + static_cast<long>(i));
         return i;
       },
       "requests", "request"},
      {"a request recorded twice",
       [](Log& log) {
         const std::size_t i = later_request(log);
         log.events.insert(log.events.begin() + static_cast<long>(i), log.events[i]);
         return i + 1;
       },
       "requests", "type"},
      {"a reveal with a forged signature",
       [](Log& log) {
         const std::size_t i = reveal_of_player(log);
         flip(reveal_at(log, i)->signature(), 9);
         return i;
       },
       "requests", "signature"},
      {"a reveal of another element",
       [](Log& log) {
         const std::size_t i = reveal_of_player(log);
         flip(reveal_at(log, i)->element());
         return i;
       },
       "requests", "element"},
      {"a reveal in another's name",
       [](Log& log) {
         const std::size_t i = find_where(log, fb::Payload::RollRevealed, [](const fb::Event& e) {
           return e.payload_as_RollRevealed()->contributor() == kServiceSlot;
         });
         overwrite<std::uint8_t>(reveal_at(log, i), fb::RollRevealed::VT_CONTRIBUTOR, 77);
         return i;
       },
       "requests", "contributor"},
      {"a reveal for another request",
       [](Log& log) {
         const std::size_t i = reveal_of_player(log);
         overwrite<std::uint64_t>(reveal_at(log, i), fb::RollRevealed::VT_REQUEST,
                                  reveal_at(log, i)->request() - 1);
         return i;
       },
       "requests", "request"},
      {"a reveal that was dropped",
       [](Log& log) {
         const std::size_t i = reveal_of_player(log);
         log.events.erase(log.events.begin() + static_cast<long>(i));
         return find_where(log, fb::Payload::DiceRolled, [](const fb::Event&) { return true; });
       },
       "dice", "request"},
      {"a reveal before its request",
       [](Log& log) {
         const std::size_t i = later_request(log);
         std::swap(log.events[i], log.events[i + 1]);
         return i;
       },
       "requests", "request"},
      {"a roll that answers no request",
       [](Log& log) {
         const std::size_t i =
             find_where(log, fb::Payload::DiceRolled, [](const fb::Event&) { return true; });
         overwrite<std::uint64_t>(roll_at(log, i), fb::DiceRolled::VT_REQUEST,
                                  roll_at(log, i)->request() - 1);
         return i;
       },
       "dice", "request"},
      {"a live roll with another value",
       [](Log& log) {
         const std::size_t i =
             find_where(log, fb::Payload::DiceRolled, [](const fb::Event&) { return true; });
         auto* values = const_cast<std::uint8_t*>(roll_at(log, i)->values()->Data());
         values[0] = static_cast<std::uint8_t>(values[0] % 6 + 1);
         return i;
       },
       "dice", "values"},
      {"an order that waited and vanished",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::OrderSuspended, 1);
         log.events.erase(log.events.begin() + static_cast<long>(i));
         return i;
       },
       "requests", "order"},
      {"a second order while one waits",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::OrderSuspended, 1);
         log.events.insert(log.events.begin() + static_cast<long>(i), log.events[i]);
         return i + 1;
       },
       "requests", "type"},
      {"a fact that rides along with a reveal",
       [](Log& log) {
         const std::size_t i = reveal_of_player(log);
         const std::size_t fact =
             find_where(log, fb::Payload::DecisionAsked, [](const fb::Event&) { return true; });
         log.events.insert(log.events.begin() + static_cast<long>(i) + 1, log.events[fact]);
         return i;
       },
       "", ""},
      {"anchors that were never signed",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::ContributorJoined, 1);
         flip(joined_at(log, i)->anchors()->Get(0)->value());
         return i;
       },
       "epochs", "contributors[0].signature"},
      {"a player's key exchanged before the epoch",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::ContributorJoined, 1);
         flip(joined_at(log, i)->key(), 3);
         return i;
       },
       "epochs", ""},
      {"a contributor who joined twice",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::ContributorJoined, 1);
         log.events.insert(log.events.begin() + static_cast<long>(i), log.events[i]);
         return i + 1;
       },
       "epochs", "slot"},
      {"an epoch opened without everybody",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::ContributorJoined, 2);
         log.events.erase(log.events.begin() + static_cast<long>(i));
         return log.find(fb::Payload::EpochOpened);
       },
       "epochs", "contributors[1]"},
      {"an epoch with other keys than joined",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         const auto* epoch = log.events[i].event().payload_as_EpochOpened();
         flip(epoch->contributors()->Get(1)->key(), 3);
         return i;
       },
       "epochs", "contributors[1]"},
      {"an epoch of another draft",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         const auto* epoch = log.events[i].event().payload_as_EpochOpened();
         overwrite<std::uint64_t>(epoch, fb::EpochOpened::VT_DRAFTED, epoch->drafted() + 1);
         return i;
       },
       "epochs", "drafted"},
      {"a shorter time to answer than was agreed on",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         overwrite<std::uint32_t>(log.events[i].event().payload_as_EpochOpened(),
                                  fb::EpochOpened::VT_ANSWER_WITHIN_S, 1);
         return i;
       },
       "epochs", "terms"},
      {"a draft with another key of the service",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochDrafted);
         const auto* key = log.events[i].event().payload_as_EpochDrafted()->vrf_key();
         std::fill_n(const_cast<std::uint8_t*>(key->Data()), key->size(), std::uint8_t{255});
         return i;
       },
       "epochs", "vrfKey"},
      {"a draft of other rules",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochDrafted);
         flip(log.events[i].event().payload_as_EpochDrafted()->rules_hash());
         return i;
       },
       "epochs", "rulesHash"},
      {"consent to give up an order that was forged",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::RollAbandoned);
         const auto* e = log.events[i].event().payload_as_RollAbandoned();
         flip(e->agreed()->Get(0)->signature());
         return i;
       },
       "requests", "agreed"},
      {"an abandoned roll blamed on another",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::RollAbandoned);
         flip(log.events[i].event().payload_as_RollAbandoned()->owed_by());
         return i;
       },
       "requests", "owedBy"},
      {"an abandoned roll that was cut out, to be rolled again",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::RollAbandoned);
         log.events.erase(log.events.begin() + static_cast<long>(i));
         std::size_t next = i;  // the next order is not the one that waits
         while (log.events[next].payload() != fb::Payload::OrderIssued) ++next;
         return next;
       },
       "requests", "order"},
  };
  return faults;
}

const std::vector<PlantedFault>& async_faults() {
  static const std::vector<PlantedFault> faults = {
      {"an unlock with a forged signature",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::RollsUnlocked);
         flip(log.events[i].event().payload_as_RollsUnlocked()->signature(), 9);
         return i;
       },
       "requests", "signature"},
      {"an unlock of another element",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::RollsUnlocked);
         flip(log.events[i].event().payload_as_RollsUnlocked()->element());
         return i;
       },
       "requests", "element"},
      {"an unlock that reaches further than it was signed for",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::RollsUnlocked);
         const auto* e = log.events[i].event().payload_as_RollsUnlocked();
         overwrite<std::uint64_t>(e, fb::RollsUnlocked::VT_UP_TO, e->up_to() + 1);
         return i;
       },
       "requests", "element"},
      {"dice unlocked in advance passed off as live",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::DiceRolled);
         overwrite<std::uint8_t>(roll_at(log, i), fb::DiceRolled::VT_GRADE, 0);
         return i;
       },
       "dice", "grade"},
  };
  return faults;
}

TEST(LiveAudit, LogsWithoutAFaultAreClean) {
  for (const Log* log : {&live_log(), &async_log()}) {
    const AuditReport report = audit_of(*log);
    EXPECT_TRUE(report.clean()) << audit_text(report);
    EXPECT_GT(check_of(report, "requests").examined, 20u);
  }
}

class PlantedInLiveDice : public ::testing::TestWithParam<std::size_t> {};
TEST_P(PlantedInLiveDice, IsFoundAndNamed) {
  const auto& faults = live_faults();
  if (GetParam() < faults.size()) {
    expect_found(faults[GetParam()], live_log());
  } else {
    expect_found(async_faults()[GetParam() - faults.size()], async_log());
  }
}
INSTANTIATE_TEST_SUITE_P(Every, PlantedInLiveDice,
                         ::testing::Range<std::size_t>(0, live_faults().size() +
                                                              async_faults().size()));

}  // namespace
}  // namespace wardiary::planted

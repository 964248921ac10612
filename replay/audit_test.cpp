// A clean game has no finding; every planted fault is found by the check that is meant for it, at
// the event it was planted in. Faults are planted by writing the log anew with altered events, so
// that chain and tree are sound and only the audit can tell.
#include "replay/audit.h"

#include <nlohmann/json.hpp>

#include "replay/planted_testing.h"

namespace wardiary {
namespace {

using nlohmann::json;

using namespace planted;

std::vector<PlantedFault> dice_faults() {
  constexpr auto kRoll = fb::Payload::DiceRolled;
  return {
      {"an edited die",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         auto* values = const_cast<flatbuffers::Vector<std::uint32_t>*>(roll_at(log, i)->values());
         values->Mutate(0, values->Get(0) % 6 + 1);
         return i;
       },
       "dice", "values"},
      {"an impossible face",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         const_cast<flatbuffers::Vector<std::uint32_t>*>(roll_at(log, i)->values())->Mutate(0, 7);
         return i;
       },
       "dice", "values"},
      {"a forged proof",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         flip(roll_at(log, i)->proof(), 50);
         return i;
       },
       "dice", "proof"},
      {"another contribution",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         flip(roll_at(log, i)->elements()->Get(0)->value(), 3);
         return i;
       },
       "dice", "elements[0]"},
      {"dice passed off as rolled elsewhere",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         overwrite<std::uint8_t>(roll_at(log, i), fb::DiceRolled::VT_GRADE,
                                 static_cast<std::uint8_t>(fb::Grade::Imported));
         return i;
       },
       "dice", "grade"},
      {"another suite",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         overwrite<std::uint8_t>(roll_at(log, i), fb::DiceRolled::VT_SUITE, 9);
         return i;
       },
       "dice", "suite"},
      {"a roll number left out",
       [](Log& log) {
         const std::size_t i = log.find(kRoll, 2);
         const auto* e = roll_at(log, i);
         overwrite<std::uint64_t>(e, fb::DiceRolled::VT_NUMBER, e->number() + 1);
         return i;
       },
       "rolls", "number"},
      {"a changed number of dice hitting",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         const fb::RollGroup* group = roll_at(log, i)->groups()->Get(0);
         auto* raw = reinterpret_cast<std::uint8_t*>(const_cast<fb::RollGroup*>(group));
         raw[sizeof(fb::RollGroup) - 4] ^= 1;  // hits_from, before the struct's padding
         return i;
       },
       "decisions", "groups"},
      {"a changed modifier",
       [](Log& log) {
         std::size_t n = 0;
         while (!roll_at(log, log.find(kRoll, n))->terms()) ++n;
         const std::size_t i = log.find(kRoll, n);
         flip(roll_at(log, i)->terms()->Get(0)->label(), 0);
         return i;
       },
       "decisions", "terms"},
      {"a forged signature under the anchors",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         flip(log.events[i].event().payload_as_EpochOpened()->contributors()->Get(0)->signature());
         return i;
       },
       "epochs", "contributors[0].signature"},
      {"an exchanged dice key",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         flip(log.events[i].event().payload_as_EpochOpened()->vrf_key());
         return i;
       },
       "epochs", ""},
      {"other rules than the players signed for",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         flip(log.events[i].event().payload_as_EpochOpened()->rules_hash());
         return i;
       },
       "epochs", "rulesHash"},
      {"an epoch of another branch",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         flip(log.events[i].event().payload_as_EpochOpened()->stream());
         return i;
       },
       "epochs", "stream"},
      {"a shortened chain",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         overwrite<std::uint32_t>(log.events[i].event().payload_as_EpochOpened(),
                                  fb::EpochOpened::VT_CHAIN_LENGTH, 100);
         return i;
       },
       "epochs", "contributors[0].signature"},
      {"a second epoch",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         const LoggedEvent again = log.events[i];
         log.events.insert(log.events.begin() + static_cast<long>(i) + 1, again);
         return i + 1;
       },
       "epochs", "type"},
  };
}

std::vector<PlantedFault> log_faults() {
  return {
      {"two events exchanged",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::DiceRolled);
         std::swap(log.events[i], log.events[i - 1]);
         return i - 1;
       },
       "", ""},
      {"an event dropped",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::DecisionAsked, 5);
         log.events.erase(log.events.begin() + static_cast<long>(i));
         return i;
       },
       "", ""},
      {"an order dropped",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::OrderIssued, 3);
         log.events.erase(log.events.begin() + static_cast<long>(i));
         return i;
       },
       "", ""},
      {"facts without an order at the end",
       [](Log& log) {
         EventList list;
         EventWriter writer;
         writer.meta.recorded_at_ms = 5;
         writer.revealed(list, UnitId{0}, 1);
         log.events.push_back({list.type(0), Bytes(list[0].begin(), list[0].end())});
         return log.events.size() - 1;
       },
       "commits", "type"},
      {"an order by the other side",
       [](Log& log) {
         std::size_t n = 0;
         while (log.events[log.find(fb::Payload::OrderIssued, n)]
                    .event()
                    .payload_as_OrderIssued()
                    ->side() == 0) {
           ++n;
         }
         const std::size_t i = log.find(fb::Payload::OrderIssued, n);
         overwrite<std::int8_t>(log.events[i].event().payload_as_OrderIssued(),
                                fb::OrderIssued::VT_SIDE, 0);
         return i;
       },
       "decisions", "order"},
      {"an order of another type",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::OrderIssued, 1);
         flip(log.events[i].event().payload_as_OrderIssued()->type());
         return i;
       },
       "decisions", "order"},
      {"an edited digest",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::PhaseBegan, 1);
         flip(log.events[i].event().payload_as_PhaseBegan()->digest());
         return i;
       },
       "digests", "digest"},
      {"an event stored under another type",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::DecisionAsked, 2);
         log.events[i].type = static_cast<std::uint16_t>(fb::Payload::Ruling);
         return i;
       },
       "types", "type"},
      {"bytes that are no event",
       [](Log& log) {
         log.events.back().bytes.assign(64, 0xAB);
         return log.events.size() - 1;
       },
       "structure", "bytes"},
      {"the game created twice",
       [](Log& log) {
         log.events.push_back(log.events.front());
         return log.events.size() - 1;
       },
       "continuity", "event"},
      {"a unit set up elsewhere",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::UnitPlaced);
         const auto* e = log.events[i].event().payload_as_UnitPlaced();
         overwrite<std::int16_t>(e, fb::UnitPlaced::VT_AT, static_cast<std::int16_t>(e->at() + 1));
         return i;
       },
       "creation", "at"},
      {"a fact that was never ordered",
       [](Log& log) {
         const std::size_t order = log.find(fb::Payload::OrderIssued, 2);
         EventList list;
         EventWriter writer;
         writer.revealed(list, UnitId{0}, 1);
         log.events.insert(log.events.begin() + static_cast<long>(order),
                           {list.type(0), Bytes(list[0].begin(), list[0].end())});
         return order;
       },
       "decisions", "type"},
  };
}

TEST(AuditTest, ACleanGameHasNoFindingAndEverythingWasExamined) {
  const AuditReport report = audit_of(played());
  EXPECT_TRUE(report.clean()) << audit_text(report);
  for (const AuditCheck& check : report.checks) {
    // These are of live dice (audit_live_test.cpp) and of games with rulings.
    const bool none = check.name == "requests" || check.name == "obligations";
    if (check.name != "rulings" && !none) {
      EXPECT_GT(check.examined, 0u) << check.name;
    }
    EXPECT_EQ(check.remark, "") << check.name;
  }
  std::size_t orders = 0;
  for (const LoggedEvent& e : played().events) orders += e.payload() == fb::Payload::OrderIssued;
  EXPECT_EQ(check_of(report, "decisions").examined, orders);
  EXPECT_EQ(report.events, played().events.size());
  const json document = audit_json(report);
  EXPECT_EQ(document["clean"], true);
  EXPECT_EQ(document["checks"].size(), report.checks.size());
}

TEST(AuditTest, EveryPlantedFaultOfTheDiceIsFoundAndNamed) {
  for (const PlantedFault& fault : dice_faults()) expect_found(fault);
}

TEST(AuditTest, EveryPlantedFaultOfTheLogIsFoundAndNamed) {
  for (const PlantedFault& fault : log_faults()) expect_found(fault);
}

TEST(AuditTest, ADieChangedTogetherWithNothingElseIsAlsoADifferentDecision) {
  Log log = played();
  std::size_t n = 0;
  while (roll_at(log, log.find(fb::Payload::DiceRolled, n))->hits() < 1) ++n;
  const std::size_t i = log.find(fb::Payload::DiceRolled, n);
  const auto* e = roll_at(log, i);
  auto* values = const_cast<flatbuffers::Vector<std::uint32_t>*>(e->values());
  for (unsigned k = 0; k < values->size(); ++k) values->Mutate(k, 1);  // no hits at all
  const AuditReport report = audit_of(log);
  const AuditCheck& check = check_of(report, "decisions");
  ASSERT_TRUE(check.first.has_value());
  EXPECT_GE(check.first->version, i + 1);
}

TEST(AuditTest, AScribedGameIsCleanAndItsRulingsAreCounted) {
  World world;
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  world.record(game->mainline, R"([{"type":"Ruling","text":"agreed"},
      {"type":"DiceRolled","roller":"red","purpose":"test","values":[6,1]},
      {"type":"UnitMoved","unit":"R1","path":["A1","B1"]}])");
  auto report = audit_game(world.store(), world.library(), game->id);
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(report->clean()) << audit_text(*report);
  EXPECT_EQ(check_of(*report, "rulings").examined, 1u);
  EXPECT_EQ(check_of(*report, "dice").examined, 1u);
}

TEST(AuditTest, WhatIfsAreAuditedToo) {
  World world;
  const GameId id = world.play("eastfront", "Edelweiss", 4, 60);
  const BranchId mainline = world.store().game(id)->mainline;
  for (DicePolicy policy : {DicePolicy::kFresh, DicePolicy::kSame, DicePolicy::kExpected}) {
    ForkRequest request;
    request.game = id;
    request.parent = mainline;
    request.at = world.version(mainline);
    request.policy = policy;
    auto forked = world.referee().fork(request);
    ASSERT_TRUE(forked.ok()) << forked.error().text;
    Bot bot(Policy::kGreedy, 9);
    for (int i = 0; i < 40; ++i) {
      auto head = world.time().head(forked->branch);
      std::string why;
      auto order = bot.choose((*world.library().game(id))->game, head->position, why);
      if (!order) break;
      OrderRequest asked;
      asked.branch = forked->branch;
      asked.author = "bot";
      auto answer = world.referee().order(asked, *order);
      ASSERT_TRUE(answer.ok()) << answer.error().text;
    }
  }
  auto report = audit_game(world.store(), world.library(), id);
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(report->clean()) << audit_text(*report);
  EXPECT_EQ(report->branches, 4u);
}

}  // namespace
}  // namespace wardiary

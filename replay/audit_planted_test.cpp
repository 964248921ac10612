// More planted faults: in single fields of the log, with its hashes made good, and in the evidence
// itself, where a bundle is altered and its checksum made good.
#include <sstream>

#include "domain/base/sha256.h"
#include "replay/bundle.h"
#include "replay/planted_testing.h"

namespace wardiary {
namespace {

using namespace planted;

constexpr auto kRoll = fb::Payload::DiceRolled;

// The first event of a type for which `fits` holds.
template <class Fits>
std::size_t find_where(const Log& log, fb::Payload payload, Fits fits) {
  for (std::size_t i = 0; i < log.events.size(); ++i) {
    if (log.events[i].payload() == payload && fits(log.events[i].event())) return i;
  }
  ADD_FAILURE() << "the game has no such event: " << fb::EnumNamePayload(payload);
  return 0;
}
std::size_t roll_where(Log& log, const std::function<bool(const fb::DiceRolled&)>& fits) {
  return find_where(log, kRoll,
                    [&](const fb::Event& e) { return fits(*e.payload_as_DiceRolled()); });
}

std::vector<PlantedFault> roll_faults() {
  return {
      {"a roll number used twice",
       [](Log& log) {
         const std::size_t i = roll_where(log, [](auto& e) { return e.number() >= 2; });
         overwrite<std::uint64_t>(roll_at(log, i), fb::DiceRolled::VT_NUMBER,
                                  roll_at(log, i)->number() - 1);
         return i;
       },
       "rolls", "number"},
      {"another purpose",
       [](Log& log) {
         const std::size_t i = log.find(kRoll);
         flip(roll_at(log, i)->purpose());
         return i;
       },
       "decisions", "purpose"},
      {"another result in words",
       [](Log& log) {
         const std::size_t i = roll_where(log, [](auto& e) { return e.result() != nullptr; });
         flip(roll_at(log, i)->result());
         return i;
       },
       "decisions", "result"},
      {"another table",
       [](Log& log) {
         const std::size_t i = roll_where(log, [](auto& e) { return e.table() != nullptr; });
         flip(roll_at(log, i)->table());
         return i;
       },
       "decisions", "table"},
      {"more hits than were rolled",
       [](Log& log) {
         const std::size_t i = roll_where(log, [](auto& e) { return e.hits() >= 0; });
         overwrite<std::int32_t>(roll_at(log, i), fb::DiceRolled::VT_HITS,
                                 roll_at(log, i)->hits() + 1);
         return i;
       },
       "decisions", "hits"},
      {"a roll said to be for another space",
       [](Log& log) {
         const std::size_t i = roll_where(log, [](auto& e) { return e.space() > 0; });
         overwrite<std::int16_t>(roll_at(log, i), fb::DiceRolled::VT_SPACE,
                                 static_cast<std::int16_t>(roll_at(log, i)->space() - 1));
         return i;
       },
       "decisions", "space"},
      {"a changed number in a modifier",
       [](Log& log) {
         const std::size_t i = roll_where(log, [](auto& e) {
           return e.terms() && e.terms()->size() > 0 && e.terms()->Get(0)->value() != 0;
         });
         const fb::Term* term = roll_at(log, i)->terms()->Get(0);
         overwrite<std::int32_t>(term, fb::Term::VT_VALUE, term->value() + 1);
         return i;
       },
       "decisions", "terms"},
      {"an anchor exchanged",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         const auto* epoch = log.events[i].event().payload_as_EpochOpened();
         flip(epoch->contributors()->Get(0)->anchors()->Get(0)->value());
         return i;
       },
       "epochs", "contributors[0].signature"},
      {"a contributor's key exchanged",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         flip(log.events[i].event().payload_as_EpochOpened()->contributors()->Get(0)->key(), 7);
         return i;
       },
       "epochs", ""},
      {"a custodial key passed off as a player's own",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::EpochOpened);
         overwrite<std::uint8_t>(
             log.events[i].event().payload_as_EpochOpened()->contributors()->Get(0),
             fb::Contributor::VT_CUSTODIAL, 0);
         return i;
       },
       "epochs", "contributors[0].signature"},
  };
}

std::vector<PlantedFault> fact_faults() {
  return {
      {"a fact with another before",
       [](Log& log) {
         const std::size_t i = find_where(log, fb::Payload::UnitChanged, [](const fb::Event& e) {
           return e.payload_as_UnitChanged()->from() > 0;
         });
         const auto* e = log.events[i].event().payload_as_UnitChanged();
         overwrite<std::int16_t>(e, fb::UnitChanged::VT_FROM,
                                 static_cast<std::int16_t>(e->from() + 1));
         return i;
       },
       "continuity", "from"},
      {"a fact with another after",
       [](Log& log) {
         const std::size_t i = find_where(log, fb::Payload::UnitChanged, [](const fb::Event& e) {
           return e.payload_as_UnitChanged()->to() > 0;
         });
         const auto* e = log.events[i].event().payload_as_UnitChanged();
         overwrite<std::int16_t>(e, fb::UnitChanged::VT_TO, static_cast<std::int16_t>(e->to() + 1));
         return i;
       },
       "", ""},
      {"a unit that moved where it could not",
       [](Log& log) {
         const std::size_t i = find_where(log, fb::Payload::UnitMoved, [](const fb::Event& e) {
           return e.payload_as_UnitMoved()->path()->size() >= 2;
         });
         auto* path = const_cast<flatbuffers::Vector<std::int16_t>*>(
             log.events[i].event().payload_as_UnitMoved()->path());
         const auto last = static_cast<flatbuffers::uoffset_t>(path->size() - 1);
         path->Mutate(last, static_cast<std::int16_t>(path->Get(last) > 0 ? 0 : 1));
         return i;
       },
       "", ""},
      {"an order with another argument",
       [](Log& log) {
         const std::size_t i = find_where(log, fb::Payload::OrderIssued, [](const fb::Event& e) {
           const auto* arguments = e.payload_as_OrderIssued()->arguments();
           return arguments && arguments->size() > 0 && arguments->Get(0)->values() &&
                  arguments->Get(0)->values()->size() > 0;
         });
         const auto* order = log.events[i].event().payload_as_OrderIssued();
         auto* values =
             const_cast<flatbuffers::Vector<std::int32_t>*>(order->arguments()->Get(0)->values());
         values->Mutate(0, values->Get(0) > 0 ? values->Get(0) - 1 : 1);
         return i;
       },
       "decisions", ""},
      {"a game ended a second time",
       [](Log& log) {
         EventList list;
         EventWriter writer;
         writer.meta.recorded_at_ms = 5;
         writer.game_ended(list, SideId{0}, "decisive", "");
         log.events.push_back({list.type(0), Bytes(list[0].begin(), list[0].end())});
         return log.events.size() - 1;
       },
       "continuity", "event"},
      {"an order given twice",
       [](Log& log) {
         const std::size_t i = log.find(fb::Payload::OrderIssued, 2);
         log.events.push_back(log.events[i]);
         return log.events.size() - 1;
       },
       "decisions", ""},
      {"another rules version",
       [](Log& log) {
         flip(log.events[0].event().payload_as_GameCreated()->rules_version());
         return log.find(fb::Payload::EpochOpened);
       },
       "epochs", "rulesHash"},
      {"a unit with another name",
       [](Log& log) {
         const auto* created = log.events[0].event().payload_as_GameCreated();
         flip(created->roster()->units()->Get(3)->title());
         return std::size_t{0};
       },
       "creation", ""},
      {"a game said to be played with another board",
       [](Log& log) {
         flip(log.events[0].event().payload_as_GameCreated()->contents()->Get(0)->sha256());
         return std::size_t{0};
       },
       "contents", "game"},
  };
}

TEST(PlantedFaults, InRollsAreFoundAndNamed) {
  for (const PlantedFault& fault : roll_faults()) expect_found(fault);
}
TEST(PlantedFaults, InFactsAndOrdersAreFoundAndNamed) {
  for (const PlantedFault& fault : fact_faults()) expect_found(fault);
}

// ------------------------------------------------------------------------- in the evidence itself

struct Opened {
  Bytes bytes;
  std::unique_ptr<Bundle> bundle;
};
const Opened& bundle_played() {
  static const Opened opened = [] {
    World world;
    const GameId id = world.play("eastfront", "Edelweiss", 4, 12);
    std::ostringstream out;
    EXPECT_TRUE(export_bundle(world.store(), world.library(), id, out).ok());
    const std::string text = out.str();
    Opened made;
    made.bytes.assign(text.begin(), text.end());
    made.bundle = std::move(*Bundle::open(made.bytes));
    return made;
  }();
  return opened;
}
std::size_t place_of(const Bytes& bytes, std::string_view text, std::size_t n = 0) {
  std::size_t at = 0;
  for (at = text_of(bytes).find(text); n > 0; --n) at = text_of(bytes).find(text, at + 1);
  EXPECT_NE(at, std::string_view::npos) << text;
  return at;
}
std::size_t place_of(const Bytes& bytes, const Hash& hash, std::size_t n = 0) {
  return place_of(bytes, text_of(hash.view()), n);
}

struct EvidenceFault {
  const char* name;
  std::function<void(Bytes&)> plant;
  const char* field;  // the kind of evidence that is named
};

std::vector<EvidenceFault> evidence_faults() {
  auto event_hash = [](Version version) {
    Bundle& bundle = *bundle_played().bundle;
    return *bundle.event_hash(bundle.info().mainline, version);
  };
  return {
      {"an event's bytes edited",
       [=](Bytes& b) { b[place_of(b, event_hash(9)) + Hash::kSize + 40] ^= 1; }, "chain"},
      {"an event stored under another type",
       [=](Bytes& b) { b[place_of(b, event_hash(9)) - 5] ^= 1; }, "chain"},
      {"a recorded hash edited", [=](Bytes& b) { b[place_of(b, event_hash(9))] ^= 1; }, "chain"},
      {"a branch that states another end",
       [](Bytes& b) { b[place_of(b, bundle_played().bundle->all_branches()[0].event_hash)] ^= 1; },
       "branch"},
      {"a forged signature under the checkpoint",
       [](Bytes& b) {
         char& digit = reinterpret_cast<char&>(b[place_of(b, "\u2014 wardiary/") + 75]);
         digit = digit == 'A' ? 'B' : 'A';
       },
       "checkpoint"},
      {"a checkpoint with another root",
       [](Bytes& b) {
         char& digit = reinterpret_cast<char&>(b[place_of(b, "\n\n\u2014") - 20]);
         digit = digit == 'A' ? 'B' : 'A';
       },
       "checkpoint"},
      {"the log's key exchanged",
       [](Bytes& b) {
         char& digit = reinterpret_cast<char&>(b[place_of(b, "+A") + 12]);
         digit = digit == 'A' ? 'B' : 'A';
       },
       "checkpoint"},
      {"board data edited", [](Bytes& b) { b[place_of(b, "wardiary-board/1")] ^= 1; }, "content"},
      {"scenario data edited", [](Bytes& b) { b[place_of(b, "wardiary-scenario/1")] ^= 1; },
       "content"},
      {"another game's name on the log", [](Bytes& b) { b[kBundleMagic.size()] ^= 1; },
       "checkpoint"},
  };
}

TEST(PlantedFaults, InTheEvidenceAreFoundAndNamed) {
  for (const EvidenceFault& fault : evidence_faults()) {
    SCOPED_TRACE(fault.name);
    Bytes bytes = bundle_played().bytes;
    fault.plant(bytes);
    const Hash sum = sha256(ByteView(bytes).first(bytes.size() - Hash::kSize));
    std::copy(sum.data.begin(), sum.data.end(), bytes.end() - Hash::kSize);
    auto bundle = Bundle::open(bytes);
    ASSERT_TRUE(bundle.ok()) << bundle.error().text;
    auto report = verify_bundle(**bundle, {});
    ASSERT_TRUE(report.ok()) << report.error().text;
    const AuditCheck& check = check_of(*report, "store");
    ASSERT_TRUE(check.first.has_value()) << audit_text(*report);
    EXPECT_EQ(check.first->field, fault.field) << audit_text(*report);
    EXPECT_NE(audit_html(*report).find("There are findings"), std::string::npos);
  }
}

TEST(PlantedFaults, AreOfAtLeastFortyKinds) {
  // 15 of dice and 12 of the log in audit_test.cpp.
  EXPECT_GE(27 + roll_faults().size() + fact_faults().size() + evidence_faults().size(), 40u);
}

}  // namespace
}  // namespace wardiary

// The events of provable dice (docs/dice.md): what they say, their encoders, and reading them back.
// DiceRolled itself is written by the rules' drafts (event.h).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "domain/event.h"

namespace wardiary {

// An epoch as it is recorded. A draft has `slots` instead of contributors.
struct DiceEpoch : EpochFacts {
  Grade policy = Grade::kSolo;
  // Rollers whose rolls were counted before: the number of the first roll in this epoch.
  std::vector<std::pair<std::uint8_t, std::uint64_t>> first;
  std::uint32_t answer_within_s = 0;  // for what a contributor owes; 0: for ever
  std::uint64_t drafted = 0;          // version of the draft it completes
  std::vector<std::uint8_t> slots;    // of a draft: who will contribute
};
bool same_contributor(const EpochFacts::Contributor& a, const EpochFacts::Contributor& b);

// What passes between players and service while a roll is made, as it is recorded.
struct RollRequestedFacts {
  std::uint8_t roller = 0;
  std::uint64_t number = 0;  // in the epoch
  std::uint64_t order = 0;   // version of the OrderSuspended
  std::vector<RollGroup> groups;
  Hash element;
  Id key;
  Bytes signature;
};
struct RollRevealedFacts {
  std::uint64_t request = 0;  // version
  std::uint8_t contributor = 0;
  Hash element;
  Bytes signature;
};
struct RollsUnlockedFacts {
  std::uint8_t contributor = 0;
  std::uint8_t roller = 0;
  std::uint64_t up_to = 0;
  Hash element;
  Bytes signature;
};
struct RollSealedFacts {
  std::uint64_t request = 0;  // version, 0 none
  SideId roller;
  std::uint64_t number = 0;
  std::string purpose;
  std::uint8_t suite = 0;
  Hash seal;
  SideId owner;
};
struct RollOpenedFacts {
  std::uint64_t sealed = 0;  // version
  Bytes proof;
  std::vector<std::uint32_t> values;
};
struct RollAbandonedFacts {
  SideId roller;
  std::uint64_t number = 0;
  std::uint64_t order = 0;    // version
  std::uint64_t request = 0;  // version, 0 none
  std::vector<std::uint8_t> owed_by;
  std::vector<std::pair<std::uint8_t, Bytes>> agreed;  // slot, signature
  std::string text;
};

// The encoders: each appends one event. Reused; not for sharing between threads.
class DiceEventWriter {
 public:
  DiceEventWriter();
  ~DiceEventWriter();
  DiceEventWriter(const DiceEventWriter&) = delete;
  DiceEventWriter& operator=(const DiceEventWriter&) = delete;

  EventMeta meta;  // goes onto every event written; the caller resets it

  void epoch_opened(EventList& out, const DiceEpoch& epoch);
  void epoch_drafted(EventList& out, const DiceEpoch& draft);
  void contributor_joined(EventList& out, std::uint64_t drafted,
                          const EpochFacts::Contributor& contributor);
  void order_suspended(EventList& out, const Order& order);
  void roll_requested(EventList& out, const RollRequestedFacts& facts);
  void roll_revealed(EventList& out, const RollRevealedFacts& facts);
  void rolls_unlocked(EventList& out, const RollsUnlockedFacts& facts);
  void roll_sealed(EventList& out, const RollSealedFacts& facts);
  void roll_opened(EventList& out, const RollOpenedFacts& facts);
  void roll_abandoned(EventList& out, const RollAbandonedFacts& facts);

 private:
  struct Builder;
  std::unique_ptr<Builder> builder_;
};

Result<DiceEpoch> read_dice_epoch(const fb::Event& event);
Result<DiceEpoch> read_epoch_draft(const fb::Event& event);
Result<EpochFacts::Contributor> read_joined(const fb::Event& event);
Result<RollRequestedFacts> read_roll_requested(const fb::Event& event);
Result<RollRevealedFacts> read_roll_revealed(const fb::Event& event);
Result<RollsUnlockedFacts> read_rolls_unlocked(const fb::Event& event);
Result<RollSealedFacts> read_roll_sealed(const fb::Event& event);
Result<RollOpenedFacts> read_roll_opened(const fb::Event& event);
Result<RollAbandonedFacts> read_roll_abandoned(const fb::Event& event);

}  // namespace wardiary

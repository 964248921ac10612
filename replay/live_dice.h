// Live dice: what players and service owe one another for a roll. The referee (referee.h) has the
// doors: dice_state, join, request_roll, reveal_roll, unlock_rolls, abandon_order. docs/dice.md
// tells the story; dice_record.h knows what is in order.
//
//   create a game with dice live or async   EpochDrafted
//   every contributor joins                 ContributorJoined .. EpochOpened
//   an order needs a roll                   OrderSuspended; nothing else is ordered meanwhile
//   the roller's program asks for it        RollRequested
//   everybody else's reveals                RollRevealed (or RollsUnlocked, in advance)
//   the service rolls and decides           OrderIssued, DiceRolled, what follows
//
// Everything is in the log: after a crash or restart the same step is owed by the same contributor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/fairdice/player.h"
#include "domain/fairdice/transcript.h"
#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "replay/dice_record.h"

namespace wardiary {

struct Obligation {
  enum class What { kJoin, kRequest, kReveal, kRoll };
  What what = What::kJoin;
  std::uint8_t slot = kServiceSlot;
  std::uint64_t about = 0;  // version of the draft, order or request
  std::uint64_t since_ms = 0;
  std::uint64_t deadline_ms = 0;  // 0: none
};
// "join", "request", "reveal", "roll".
const char* word_of(Obligation::What what);

// The request that the roller must sign next.
struct NextRequest {
  RollRequest roll;  // as the rules ask for it
  std::uint8_t roller = 0;
  std::uint64_t number = 0;  // in the epoch
  std::uint64_t order = 0;   // version of the OrderSuspended
  Hash order_event;
  Hash prev_event;  // the last event on record: nothing else can come before the request
};

struct DiceState {
  BranchInfo branch;
  Grade policy = Grade::kSolo;
  DiceRecord record;
  std::optional<NextRequest> next;  // while an order waits for its request
  std::vector<Obligation> owed;
};

// "soviet", "the service".
std::string slot_name(std::uint8_t slot, const Roster& roster);
// `next_roller` is whose request the pending order waits for, if the rules say so.
std::vector<Obligation> obligations(const DiceRecord& record,
                                    std::optional<std::uint8_t> next_roller);
std::string obligation_text(const Obligation& obligation, const Roster& roster);

// `wardiary-dice-state/1` (docs/formats.md): everything a player's program needs to do its part.
nlohmann::json dice_state_json(const DiceState& state, const Roster& roster, std::uint64_t now_ms);

// The signed requests, reveals and rolls of a branch, one transcript per epoch, checkable by itself
// (`wardiary-dice/1`). An error where an epoch has an abandoned roll: a transcript has no gaps.
Result<std::vector<fairdice::DiceTranscript>> dice_transcripts(EventStore& store, const Game& game,
                                                               const BranchInfo& branch);

// `wardiary-dice-set/1` of them.
nlohmann::json transcripts_json(const std::vector<fairdice::DiceTranscript>& transcripts);

// A record of a branch's own dice that begins with its line's, and the events that move it on.
DiceRecord::Context dice_context(EventStore& store, const Game& game, const BranchInfo& branch);
Status read_dice(EventStore& store, const BranchInfo& branch, Version first, Version last,
                 DiceRecord& record);

// Answers the rolls of a pending order as far as its requests are complete.
class LiveChance : public Chance {
 public:
  LiveChance(const DiceRecord& record, const fairdice::VrfKey& key) : record_(record), key_(key) {}
  std::optional<Rolled> roll(const RollRequest& request) override;
  // The rules ask otherwise than was requested: the rules have changed since.
  bool contradicted() const { return contradicted_; }
  // The seal of each roll that was answered.
  const std::vector<Hash>& seals() const { return seals_; }

 private:
  const DiceRecord& record_;
  const fairdice::VrfKey& key_;
  std::size_t next_ = 0;
  std::vector<Hash> seals_;
  bool contradicted_ = false;
};

}  // namespace wardiary

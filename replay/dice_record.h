// The dice of one branch as its log tells them: epochs drafted, joined and opened, orders that wait
// for a roll, requests, reveals, unlocks, rolls, seals. Every event is held against what came
// before it. The referee takes only what this accepts and the audit runs a log through it again, so
// that what is taken and what is found in order are one thing.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domain/dice_events.h"
#include "domain/fairdice/chain.h"
#include "domain/fairdice/fairdice.h"
#include "domain/fairdice/signature.h"

namespace wardiary {

// What is wrong with a field; the audit adds where.
struct Wrong {
  std::string field;
  std::string recorded;
  std::string expected;
};

// What is left to do for an event once everything around it was found in order: work that needs
// nothing else, so that it may be done elsewhere and later.
struct SignatureJob {
  Hash key;
  Hash digest;
  Bytes signature;
  std::string field;
  std::string expected;
};
struct RollJob {
  Hash vrf_key;
  Bytes alpha;
  fairdice::VrfProof pi;
  fairdice::RollSpec spec;
  std::vector<std::uint32_t> values;
  std::optional<Hash> seal;  // published before the roll was
};
using ProofJob = std::variant<SignatureJob, RollJob>;
std::optional<Wrong> check_proof_job(const ProofJob& job);

// The slot a roller has in the protocol: its side's number, 255 for rolls of nobody.
inline constexpr std::uint8_t kServiceSlot = 255;
std::uint8_t roller_slot(SideId roller);

class DiceRecord {
 public:
  struct Context {
    Id stream;                    // the branch
    Grade policy = Grade::kSolo;  // the grade its dice have
    bool what_if = false;
    Hash rules;                        // hash of everything its rules rest on
    std::vector<std::uint64_t> rolls;  // by side, then nobody: rolled on the line before the branch
    // The hash of an event on the branch's line; asked for rarely.
    std::function<Hash(std::uint64_t version)> hash_of;
  };
  explicit DiceRecord(Context context);

  // The next event of the branch. Nothing if it is in order or does not concern the dice; then the
  // record has moved on. With `later`, signatures and proofs are handed on instead of being
  // checked.
  using Later = std::function<void(ProofJob)>;
  std::optional<Wrong> add(std::uint64_t version, const fb::Event& event, const Later& later = {});

  // --- what the log has come to
  struct Draft {
    std::uint64_t version = 0;
    std::uint64_t at_ms = 0;
    Hash hash;
    DiceEpoch facts;
    std::map<std::uint8_t, EpochFacts::Contributor> joined;
    // Who has not joined, ascending.
    std::vector<std::uint8_t> missing() const;
  };
  struct Epoch {
    std::uint64_t version = 0;
    Hash hash;
    Hash draft;  // hash of the event that drafted it
    DiceEpoch facts;
    std::map<std::uint8_t, std::uint64_t> first;  // by roller, where not 0
    // By contributor slot and roller.
    std::map<std::pair<std::uint8_t, std::uint8_t>, fairdice::ChainVerifier> chains;
    struct Unlock {
      std::uint64_t up_to = 0;
      Hash element;
      std::uint64_t version = 0;
      Bytes signature;
    };
    std::map<std::pair<std::uint8_t, std::uint8_t>, Unlock> unlocks;

    // Contributors keep keys of their own and every roll is requested.
    bool live() const { return facts.drafted != 0; }
    const EpochFacts::Contributor* contributor(std::uint8_t slot) const;
    std::uint64_t first_of(std::uint8_t roller) const;
  };
  struct Disclosure {
    Hash element;  // of this roll
    std::optional<std::uint64_t> up_to;
    Hash given;  // as it was signed: of roll `up_to`
    Bytes signature;
  };
  struct Roll {
    std::uint64_t version = 0;  // of the request
    std::uint64_t at_ms = 0;
    RollRequestedFacts facts;
    Hash prev_event;
    Hash digest;
    std::map<std::uint8_t, Disclosure> disclosed;  // all contributors but the roller
    std::optional<RollSealedFacts> sealed;
    std::uint64_t sealed_version = 0;
  };
  struct Pending {
    std::uint64_t version = 0;  // of the OrderSuspended
    std::uint64_t at_ms = 0;
    Hash hash;
    std::string order;  // everything the order says, to compare it by
    std::string author;
    std::vector<Roll> rolls;  // in the order in which the rules asked for them
    bool issued = false;      // its OrderIssued is on record and its rolls follow
    std::size_t done = 0;     // of `rolls`: rolled with the order, or abandoned
  };
  const std::optional<Draft>& draft() const { return draft_; }
  const std::optional<Epoch>& epoch() const { return epoch_; }
  // The order that waits for a roll, if one does.
  const Pending* pending() const { return pending_ && !pending_->issued ? &*pending_ : nullptr; }
  // How many rolls `roller` (a slot) has made on this line, abandoned ones included.
  std::uint64_t rolls(std::uint8_t roller) const;
  std::uint64_t proven() const { return proven_; }
  std::uint64_t abandoned() const { return abandoned_; }
  // Sealed rolls that are not opened: version of the RollSealed and what will open it.
  struct Sealed {
    RollSealedFacts facts;
    Bytes proof;
    std::vector<std::uint32_t> values;
  };
  const std::map<std::uint64_t, Sealed>& sealed() const { return sealed_; }

  // Contributors whose element of `roll` is missing, ascending.
  std::vector<std::uint8_t> missing(const Roll& roll) const;
  // Every contributor's element, slots ascending; all are there.
  std::vector<fairdice::Contribution> contributions(const Roll& roll) const;
  Bytes alpha(const Roll& roll) const;
  // The grade that the evidence of a complete roll gives it.
  Grade grade_of(const Roll& roll) const;
  fairdice::Request request_of(const RollRequestedFacts& facts, const Hash& prev_event) const;
  // The number in the epoch that the roller's next request has: after those that wait.
  std::uint64_t next_number(std::uint8_t roller) const;
  // How many more rolls of this roller the epoch's chains reach for, and whether that is so few
  // that an order might need more: then it is time for a new epoch.
  std::uint64_t left(std::uint8_t roller) const;
  bool nearly_used_up(std::uint8_t roller) const;
  // Who has not given what the pending order needs: those who have not revealed, or else
  // `next_roller`, whose request is missing.
  struct Owed {
    std::vector<std::uint8_t> slots;
    std::uint64_t since_ms = 0;
    std::uint64_t deadline_ms = 0;  // 0: none
  };
  Owed owed(std::uint8_t next_roller) const;

  // The rolls that were made with requests, for a transcript: called as each is found.
  struct Made {
    const Epoch& epoch;
    const Roll& roll;
    Hash order_event;
    Grade grade = Grade::kLive;
    Bytes proof;
    std::vector<std::uint32_t> values;
  };
  std::function<void(const Made&)> on_roll;

 private:
  using Checked = std::optional<Wrong>;
  Checked take(std::uint64_t version, const fb::Event& event, const Later& later);
  Checked check_terms(const DiceEpoch& facts) const;
  Checked check_contributor(const DiceEpoch& terms, const EpochFacts::Contributor& c,
                            const Later& later) const;
  Checked drafted(std::uint64_t version, const fb::Event& event);
  Checked joined(const fb::Event& event, const Later& later);
  Checked opened(std::uint64_t version, const fb::Event& event, const Later& later);
  Checked check_custodial(const DiceEpoch& facts) const;
  Checked suspended(std::uint64_t version, const fb::Event& event);
  Checked issued(const fb::Event& event);
  Checked requested(std::uint64_t version, const fb::Event& event, const Later& later);
  Checked revealed(const fb::Event& event, const Later& later);
  Checked unlocked(std::uint64_t version, const fb::Event& event, const Later& later);
  Checked sealed(std::uint64_t version, const fb::Event& event);
  Checked open_sealed(const fb::Event& event);
  Checked abandon(const fb::Event& event, const Later& later);
  Checked rolled(const fb::Event& event, const Later& later);
  Checked check_proof(const fb::Event& event, fairdice::RollSpec spec,
                      std::vector<std::uint32_t> values, const Later& later);
  Checked roll_of_request(const fb::Event& event, RollJob& job);
  Checked roll_of_elements(const fb::Event& event, RollJob& job);
  Checked check_signature(SignatureJob job, const Later& later) const;
  Checked finish_order();
  Checked check_agreed(const RollAbandonedFacts& facts, const Later& later) const;
  bool chain_holds(std::uint8_t contributor, std::uint8_t roller, std::uint64_t number,
                   const Hash& element);
  void disclose_unlocked(Roll& roll);

  Context context_;
  std::optional<Draft> draft_;
  std::optional<Epoch> epoch_;
  std::optional<Pending> pending_;
  std::map<std::uint8_t, std::uint64_t> rolls_;
  std::map<std::uint64_t, Sealed> sealed_;
  std::uint64_t proven_ = 0;
  std::uint64_t abandoned_ = 0;
  std::uint64_t now_ms_ = 0;  // of the commit that is being read
};

}  // namespace wardiary

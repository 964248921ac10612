// A roll with everything a stranger needs to check it, and the check.
//
// What is checked of an epoch: the VRF key and all player keys are sound, every contributor signed
// the terms and one anchor per roller. Of a roll: the roller's signature under the request, each
// opponent's signature under a reveal of that very request or under an unlock that covers it, every
// contribution against its anchor, the grade against that evidence, the VRF proof over alpha, and
// the values. Of a sequence: numbers per roller run from 0 without a gap and none occurs twice.
//
// What cannot be checked from here: that the epoch's and orders' event hashes are those of the log
// (the audit does), a beacon's own signature, and the seal of a roll that is not yet opened.
#pragma once

#include <map>

#include "domain/fairdice/chain.h"
#include "domain/fairdice/fairdice.h"
#include "domain/fairdice/signature.h"

namespace wardiary::fairdice {

struct Contributor {
  std::uint8_t slot = 0;
  bool custodial = false;  // the service keeps this key
  PublicKey key;
  std::vector<Hash> anchors;  // one per contributor of the epoch, in the same order
  Signature signature;        // under anchors_digest
};

struct Epoch {
  Hash hash;  // of the event that opened it
  EpochTerms terms;
  std::vector<Contributor> contributors;  // slots ascending
};

// An opponent's contribution: a reveal for this request, or with `up_to` an unlock in advance.
struct Disclosure {
  std::uint8_t contributor = 0;
  std::optional<std::uint64_t> up_to;
  Hash v;
  Signature signature;
};

struct RollTranscript {
  Grade grade = Grade::kLive;
  Request request;
  Signature signature;                  // the roller's, under request_digest
  std::vector<Disclosure> disclosures;  // every other contributor, slots ascending
  std::optional<Beacon> beacon;
  std::optional<Hash> seal;    // present if the roll was sealed
  std::optional<VrfProof> pi;  // absent as long as a sealed roll is not opened
  std::vector<std::uint32_t> values;
};

// All rolls of one epoch, by roller and number. `counters` has one entry per contributor: how many
// rolls that slot has made, so that a roll cut off at the end does not go unnoticed.
struct DiceTranscript {
  Epoch epoch;
  std::vector<std::uint64_t> counters;
  std::vector<RollTranscript> rolls;
};

// What was found good, in numbers, for a report.
struct CheckedRoll {
  unsigned signatures = 0;
  unsigned contributions = 0;
  bool opened = true;  // false: sealed, and neither proof nor values are known yet
  Outcome outcome;
};

class EpochVerifier {
 public:
  // An error names the wrong field, as in "contributors[1].signature: ...".
  static Result<EpochVerifier> open(Epoch epoch);

  const Epoch& epoch() const { return epoch_; }

  // One roll on its own, whatever its number. An error names the wrong field.
  Result<CheckedRoll> check(const RollTranscript& roll);
  // The same, as the next roll of its roller.
  Result<CheckedRoll> check_next(const RollTranscript& roll);
  // How many rolls check_next has accepted from this roller.
  std::uint64_t count(std::uint8_t roller) const;

 private:
  EpochVerifier() = default;

  std::optional<std::size_t> index_of(std::uint8_t slot) const;
  ChainVerifier& chain(std::size_t contributor, std::size_t roller);
  Status check_grade(const RollTranscript& roll) const;
  Status check_disclosure(const RollTranscript& roll, const Hash& digest,
                          const Disclosure& disclosure, Hash& v);
  Result<std::vector<Contribution>> collect(const RollTranscript& roll, const Hash& digest);
  Result<CheckedRoll> check_result(const RollTranscript& roll,
                                   const std::vector<Contribution>& contributions) const;

  Epoch epoch_;
  std::vector<ChainVerifier> chains_;  // contributor * n + roller
  std::map<std::uint8_t, std::uint64_t> counts_;
};

// Everything in order; returns how many rolls were checked.
Result<std::size_t> verify_transcript(const DiceTranscript& transcript);

}  // namespace wardiary::fairdice

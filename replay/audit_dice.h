// The dice of one branch, checked against the epoch that was opened before they were rolled.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "domain/event.h"
#include "domain/fairdice/chain.h"
#include "domain/fairdice/fairdice.h"

namespace wardiary {

// What is wrong with a field; the audit adds where.
struct Wrong {
  std::string field;
  std::string recorded;
  std::string expected;
};

// What is left to do for a roll once everything around its proof was found in order: work that
// needs nothing else, so that it may be done elsewhere and later.
struct ProofJob {
  Hash vrf_key;
  Bytes alpha;
  fairdice::VrfProof pi;
  fairdice::RollSpec spec;
  std::vector<std::uint32_t> values;
};
std::optional<Wrong> check_proof_job(const ProofJob& job);

class DiceAudit {
 public:
  // `stream` is the branch, `policy` the grade its dice have.
  DiceAudit(const Id& stream, Grade policy, bool what_if)
      : stream_(stream), policy_(policy), what_if_(what_if) {}

  // The epoch's own keys, anchors and signatures. `hash` is that of the event.
  std::optional<Wrong> open(const fb::Event& event, const Hash& hash, const Hash& rules);
  // One DiceRolled event. With `later` its proof is handed on instead of being checked.
  using Later = std::function<void(ProofJob)>;
  std::optional<Wrong> check(const fb::Event& event, const Later& later = {});
  std::uint64_t proven() const { return proven_; }

 private:
  std::optional<Wrong> check_contributor(const EpochFacts::Contributor& contributor) const;
  std::optional<Wrong> check_proof(const fb::Event& event, const std::vector<RollGroup>& groups,
                                   const std::vector<std::uint32_t>& values, const Later& later);

  Id stream_;
  Grade policy_;
  bool what_if_;
  std::optional<EpochFacts> epoch_;
  Hash epoch_hash_;
  // By contributor slot and roller.
  std::map<std::pair<std::uint8_t, std::uint8_t>, fairdice::ChainVerifier> chains_;
  std::uint64_t proven_ = 0;
};

}  // namespace wardiary

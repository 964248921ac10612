#include "replay/audit_dice.h"

#include <algorithm>

#include "domain/fairdice/signature.h"
#include "domain/schema/event_generated.h"
#include "replay/dice_box.h"

namespace wardiary {
namespace {

std::string list(const std::vector<std::uint32_t>& values) {
  std::string out;
  for (std::uint32_t v : values) out += (out.empty() ? "" : " ") + std::to_string(v);
  return out;
}

// Whether these faces can fall with these dice, and nothing more.
std::optional<Wrong> check_possible(const std::vector<RollGroup>& groups,
                                    const std::vector<std::uint32_t>& values) {
  std::size_t next = 0;
  for (const RollGroup& group : groups) {
    std::vector<std::uint32_t> drawn;
    for (int i = 0; i < group.count; ++i, ++next) {
      if (next >= values.size()) {
        return Wrong{"values", list(values), "a value for every die of the groups"};
      }
      const std::uint32_t v = values[next];
      const bool dice = group.kind == RollGroup::kDice;
      if (dice ? v < 1 || v > group.sides : v >= group.sides) {
        return Wrong{"values", std::to_string(v),
                     (dice ? "1 to " : "below ") + std::to_string(group.sides)};
      }
      if (!dice) drawn.push_back(v);
    }
    std::sort(drawn.begin(), drawn.end());
    if (std::adjacent_find(drawn.begin(), drawn.end()) != drawn.end()) {
      return Wrong{"values", list(values), "nothing drawn twice"};
    }
  }
  if (next != values.size()) {
    return Wrong{"values", list(values), std::to_string(next) + " values"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Wrong> check_proof_job(const ProofJob& job) {
  auto beta = fairdice::vrf_verify(job.vrf_key, job.alpha, job.pi);
  if (!beta) return Wrong{"proof", beta.error().text, "a proof by the epoch's key"};
  const fairdice::Outcome outcome = fairdice::derive_outcome(*beta, job.spec);
  if (outcome.values != job.values) return Wrong{"values", list(job.values), list(outcome.values)};
  return std::nullopt;
}

std::optional<Wrong> DiceAudit::check_contributor(const EpochFacts::Contributor& c) const {
  const std::string field = "contributors[" + std::to_string(c.slot) + "]";
  if (!fairdice::is_strong_public_key(c.key)) {
    return Wrong{field + ".key", to_hex(c.key), "a sound public key"};
  }
  std::vector<fairdice::SlotAnchor> anchors;
  for (const auto& [roller, anchor] : c.anchors) anchors.push_back({roller, anchor});
  const bool ascending = std::is_sorted(anchors.begin(), anchors.end(),
                                        [](auto& a, auto& b) { return a.slot < b.slot; });
  if (!ascending) return Wrong{field + ".anchors", "not ascending", "rollers ascending"};
  const fairdice::EpochTerms terms{epoch_->stream,       epoch_->suite, epoch_->vrf_key,
                                   epoch_->chain_length, policy_,       epoch_->rules_hash};
  const auto signature = fairdice::Signature::from(c.signature);
  const Hash digest = fairdice::anchors_digest(terms, c.slot, c.custodial, anchors);
  if (!signature || !fairdice::verify_signature(c.key, digest, *signature)) {
    return Wrong{field + ".signature", to_hex(c.signature),
                 "the contributor's, over the epoch's terms and anchors"};
  }
  return std::nullopt;
}

std::optional<Wrong> DiceAudit::open(const fb::Event& event, const Hash& hash, const Hash& rules) {
  if (epoch_) return Wrong{"type", "a second epoch", "one epoch per branch"};
  auto facts = read_epoch(event);
  if (!facts) return Wrong{"epoch", facts.error().text, "keys and anchors"};
  epoch_ = std::move(*facts);
  epoch_hash_ = hash;
  if (epoch_->stream != stream_) {
    return Wrong{"stream", to_hex(epoch_->stream), to_hex(stream_)};
  }
  if (epoch_->suite != fairdice::kVrfSuite) {
    return Wrong{"suite", std::to_string(epoch_->suite), std::to_string(fairdice::kVrfSuite)};
  }
  if (!fairdice::is_strong_public_key(epoch_->vrf_key)) {
    return Wrong{"vrfKey", to_hex(epoch_->vrf_key), "a sound public key"};
  }
  if (epoch_->chain_length < 1 || epoch_->chain_length > fairdice::kChainLengthMax) {
    return Wrong{"chainLength", std::to_string(epoch_->chain_length),
                 "1 to " + std::to_string(fairdice::kChainLengthMax)};
  }
  if (epoch_->rules_hash != rules) {
    return Wrong{"rulesHash", to_hex(epoch_->rules_hash), to_hex(rules)};
  }
  if (epoch_->contributors.empty()) return Wrong{"contributors", "none", "at least one"};
  for (const EpochFacts::Contributor& c : epoch_->contributors) {
    if (auto wrong = check_contributor(c)) return wrong;
    for (const auto& [roller, anchor] : c.anchors) {
      chains_.emplace(
          std::pair{c.slot, roller},
          fairdice::ChainVerifier({stream_, c.slot, roller}, epoch_->chain_length, anchor));
    }
  }
  return std::nullopt;
}

std::optional<Wrong> DiceAudit::check(const fb::Event& event, const Later& later) {
  const fb::DiceRolled& e = *event.payload_as_DiceRolled();
  std::vector<RollGroup> groups;
  for (const fb::RollGroup* g : *e.groups()) {
    groups.push_back(
        {static_cast<RollGroup::Kind>(g->kind()), g->count(), g->sides(), g->hits_from()});
  }
  const std::vector<std::uint32_t> values(e.values()->begin(), e.values()->end());
  if (auto wrong = check_possible(groups, values)) return wrong;

  const Grade grade = static_cast<Grade>(e.grade());
  if (grade != policy_) {
    return Wrong{"grade", fairdice::grade_word(grade), fairdice::grade_word(policy_)};
  }
  const bool has_proof = e.proof() && e.proof()->size() > 0;
  // A what-if may use recorded, chosen or expected faces instead of its own dice.
  if (!has_proof && (policy_ == Grade::kImported || what_if_)) return std::nullopt;
  if (policy_ == Grade::kImported) return Wrong{"proof", "a proof", "none: rolled elsewhere"};
  if (!has_proof) return Wrong{"proof", "none", "a proof"};
  return check_proof(event, groups, values, later);
}

std::optional<Wrong> DiceAudit::check_proof(const fb::Event& event,
                                            const std::vector<RollGroup>& groups,
                                            const std::vector<std::uint32_t>& values,
                                            const Later& later) {
  const fb::DiceRolled& e = *event.payload_as_DiceRolled();
  if (!epoch_) return Wrong{"proof", "a proof", "an epoch opened before it"};
  if (e.suite() != epoch_->suite) {
    return Wrong{"suite", std::to_string(e.suite()), std::to_string(epoch_->suite)};
  }
  const fairdice::RollSpec spec{groups};
  if (auto good = fairdice::check_spec(spec); !good) {
    return Wrong{"groups", good.error().text, "dice that the protocol knows"};
  }
  const std::uint8_t roller = roller_slot(SideId{e.roller()});
  std::vector<fairdice::Contribution> contributions;
  const std::size_t given = e.elements() ? e.elements()->size() : 0;
  if (given != epoch_->contributors.size()) {
    return Wrong{"elements", std::to_string(given), std::to_string(epoch_->contributors.size())};
  }
  for (std::size_t i = 0; i < given; ++i) {
    const fb::Element* element = e.elements()->Get(static_cast<flatbuffers::uoffset_t>(i));
    const std::uint8_t slot = epoch_->contributors[i].slot;
    const auto value = Hash::from({element->value()->data(), element->value()->size()});
    auto chain = chains_.find({slot, roller});
    if (element->slot() != slot || !value || chain == chains_.end() ||
        !chain->second.check(e.number(), *value)) {
      return Wrong{"elements[" + std::to_string(i) + "]", value ? to_hex(*value) : "malformed",
                   "the element that slot " + std::to_string(slot) + " committed to for roll " +
                       std::to_string(e.number())};
    }
    contributions.push_back({slot, *value});
  }
  const auto pi = fairdice::VrfProof::from({e.proof()->data(), e.proof()->size()});
  if (!pi) return Wrong{"proof", std::to_string(e.proof()->size()) + " bytes", "80 bytes"};
  ProofJob job{
      epoch_->vrf_key,
      fairdice::make_alpha(epoch_hash_, stream_, roller, e.number(), contributions, std::nullopt),
      *pi, spec, values};
  ++proven_;
  if (!later) return check_proof_job(job);
  later(std::move(job));
  return std::nullopt;
}

}  // namespace wardiary

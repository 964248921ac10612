#include "replay/dice_record.h"

#include <algorithm>

#include "domain/schema/event_generated.h"

namespace wardiary {

using fairdice::ChainId;
using fairdice::ChainVerifier;

std::uint8_t roller_slot(SideId roller) {
  return roller.ok() ? static_cast<std::uint8_t>(roller.value) : kServiceSlot;
}

DiceRecord::DiceRecord(Context context) : context_(std::move(context)) {
  const std::size_t sides = context_.rolls.empty() ? 0 : context_.rolls.size() - 1;
  for (std::size_t s = 0; s < context_.rolls.size(); ++s) {
    const std::uint8_t slot = s < sides ? static_cast<std::uint8_t>(s) : kServiceSlot;
    if (context_.rolls[s]) rolls_[slot] = context_.rolls[s];
  }
}

std::optional<Wrong> DiceRecord::add(std::uint64_t version, const fb::Event& event,
                                     const Later& later) {
  std::optional<Wrong> unfinished;
  if (event.recorded_at_ms()) {
    now_ms_ = event.recorded_at_ms();
    unfinished = finish_order();
  }
  auto wrong = take(version, event, later);
  return unfinished ? unfinished : wrong;
}

std::optional<Wrong> DiceRecord::take(std::uint64_t version, const fb::Event& event,
                                      const Later& later) {
  switch (event.payload_type()) {
    case fb::Payload::EpochDrafted:
      return drafted(version, event);
    case fb::Payload::ContributorJoined:
      return joined(event, later);
    case fb::Payload::EpochOpened:
      return opened(version, event, later);
    case fb::Payload::OrderSuspended:
      return suspended(version, event);
    case fb::Payload::OrderIssued:
      return issued(event);
    case fb::Payload::RollRequested:
      return requested(version, event, later);
    case fb::Payload::RollRevealed:
      return revealed(event, later);
    case fb::Payload::RollsUnlocked:
      return unlocked(version, event, later);
    case fb::Payload::RollSealed:
      return sealed(version, event);
    case fb::Payload::RollOpened:
      return open_sealed(event);
    case fb::Payload::RollAbandoned:
      return abandon(event, later);
    case fb::Payload::DiceRolled:
      return rolled(event, later);
    default:
      return std::nullopt;
  }
}

// ------------------------------------------------------------------------------------- questions

std::vector<std::uint8_t> DiceRecord::Draft::missing() const {
  std::vector<std::uint8_t> out;
  for (std::uint8_t slot : facts.slots) {
    if (!joined.count(slot)) out.push_back(slot);
  }
  return out;
}

const EpochFacts::Contributor* DiceRecord::Epoch::contributor(std::uint8_t slot) const {
  for (const EpochFacts::Contributor& c : facts.contributors) {
    if (c.slot == slot) return &c;
  }
  return nullptr;
}

std::uint64_t DiceRecord::Epoch::first_of(std::uint8_t roller) const {
  const auto found = first.find(roller);
  return found == first.end() ? 0 : found->second;
}

std::uint64_t DiceRecord::rolls(std::uint8_t roller) const {
  const auto found = rolls_.find(roller);
  return found == rolls_.end() ? 0 : found->second;
}

std::vector<std::uint8_t> DiceRecord::missing(const Roll& roll) const {
  std::vector<std::uint8_t> out;
  for (const EpochFacts::Contributor& c : epoch_->facts.contributors) {
    if (c.slot != roll.facts.roller && !roll.disclosed.count(c.slot)) out.push_back(c.slot);
  }
  return out;
}

std::vector<fairdice::Contribution> DiceRecord::contributions(const Roll& roll) const {
  std::vector<fairdice::Contribution> out;
  for (const EpochFacts::Contributor& c : epoch_->facts.contributors) {
    const auto given = roll.disclosed.find(c.slot);
    if (c.slot == roll.facts.roller) {
      out.push_back({c.slot, roll.facts.element});
    } else if (given != roll.disclosed.end()) {
      out.push_back({c.slot, given->second.element});
    }
  }
  return out;
}

Bytes DiceRecord::alpha(const Roll& roll) const {
  return fairdice::make_alpha(epoch_->hash, context_.stream, roll.facts.roller, roll.facts.number,
                              contributions(roll), std::nullopt);
}

Grade DiceRecord::grade_of(const Roll& roll) const {
  for (const auto& [slot, disclosure] : roll.disclosed) {
    if (disclosure.up_to) return Grade::kAsync;
  }
  return Grade::kLive;
}

fairdice::Request DiceRecord::request_of(const RollRequestedFacts& facts,
                                         const Hash& prev_event) const {
  return {facts.roller,   facts.number,  prev_event, pending_ ? pending_->hash : Hash{},
          {facts.groups}, facts.element, facts.key};
}

std::uint64_t DiceRecord::next_number(std::uint8_t roller) const {
  std::uint64_t number = rolls(roller) - std::min(rolls(roller), epoch_->first_of(roller));
  if (!pending_) return number;
  for (std::size_t i = pending_->done; i < pending_->rolls.size(); ++i) {
    number += pending_->rolls[i].facts.roller == roller ? 1 : 0;
  }
  return number;
}

std::uint64_t DiceRecord::left(std::uint8_t roller) const {
  const std::uint64_t length = epoch_->facts.chain_length;
  return length - std::min(length, next_number(roller));
}

bool DiceRecord::nearly_used_up(std::uint8_t roller) const {
  constexpr std::uint64_t kRollsAhead = 64;
  return left(roller) < std::min<std::uint64_t>(kRollsAhead, epoch_->facts.chain_length / 2);
}

DiceRecord::Owed DiceRecord::owed(std::uint8_t next_roller) const {
  Owed out;
  if (!pending_) return out;
  out.since_ms = pending_->at_ms;
  if (!pending_->rolls.empty()) {
    out.slots = missing(pending_->rolls.back());
    out.since_ms = pending_->rolls.back().at_ms;
  }
  if (out.slots.empty()) out.slots = {next_roller};
  if (epoch_->facts.answer_within_s) {
    out.deadline_ms = out.since_ms + std::uint64_t{epoch_->facts.answer_within_s} * 1'000;
  }
  return out;
}

// ---------------------------------------------------------------------------------------- epochs

std::optional<Wrong> DiceRecord::check_signature(SignatureJob job, const Later& later) const {
  if (!later) return check_proof_job(job);
  later(std::move(job));
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::check_terms(const DiceEpoch& facts) const {
  if (facts.stream != context_.stream) {
    return Wrong{"stream", to_hex(facts.stream), to_hex(context_.stream)};
  }
  if (facts.suite != fairdice::kVrfSuite) {
    return Wrong{"suite", std::to_string(facts.suite), std::to_string(fairdice::kVrfSuite)};
  }
  if (!fairdice::is_strong_public_key(facts.vrf_key)) {
    return Wrong{"vrfKey", to_hex(facts.vrf_key), "a sound public key"};
  }
  if (facts.chain_length < 1 || facts.chain_length > fairdice::kChainLengthMax) {
    return Wrong{"chainLength", std::to_string(facts.chain_length),
                 "1 to " + std::to_string(fairdice::kChainLengthMax)};
  }
  if (facts.rules_hash != context_.rules) {
    return Wrong{"rulesHash", to_hex(facts.rules_hash), to_hex(context_.rules)};
  }
  if (facts.policy != context_.policy) {
    return Wrong{"policy", fairdice::grade_word(facts.policy),
                 fairdice::grade_word(context_.policy)};
  }
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::check_contributor(const DiceEpoch& terms,
                                                   const EpochFacts::Contributor& c,
                                                   const Later& later) const {
  const std::string field = "contributors[" + std::to_string(c.slot) + "]";
  if (!fairdice::is_strong_public_key(c.key)) {
    return Wrong{field + ".key", to_hex(c.key), "a sound public key"};
  }
  std::vector<fairdice::SlotAnchor> anchors;
  for (const auto& [roller, anchor] : c.anchors) anchors.push_back({roller, anchor});
  for (std::size_t i = 1; i < anchors.size(); ++i) {
    if (anchors[i].slot <= anchors[i - 1].slot) {
      return Wrong{field + ".anchors", "not ascending", "rollers ascending"};
    }
  }
  const fairdice::EpochTerms signed_terms{terms.stream,       terms.suite,  terms.vrf_key,
                                          terms.chain_length, terms.policy, terms.rules_hash};
  return check_signature(
      {c.key, fairdice::anchors_digest(signed_terms, c.slot, c.custodial, anchors), c.signature,
       field + ".signature", "the contributor's, over the epoch's terms and anchors"},
      later);
}

std::optional<Wrong> DiceRecord::drafted(std::uint64_t version, const fb::Event& event) {
  auto facts = read_epoch_draft(event);
  if (!facts) return Wrong{"draft", facts.error().text, "the terms of an epoch"};
  if (draft_) return Wrong{"type", "a second draft", "the first one completed"};
  if (pending_) return Wrong{"type", "a draft", "the order that waits finished first"};
  if (auto wrong = check_terms(*facts)) return wrong;
  const bool ascending = std::adjacent_find(facts->slots.begin(), facts->slots.end(),
                                            std::greater_equal<>()) == facts->slots.end();
  if (facts->slots.size() < 2 || !ascending) {
    return Wrong{"slots", std::to_string(facts->slots.size()), "two or more, ascending"};
  }
  draft_ = Draft{version, now_ms_, context_.hash_of(version), std::move(*facts), {}};
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::joined(const fb::Event& event, const Later& later) {
  auto c = read_joined(event);
  if (!c) return Wrong{"contributor", c.error().text, "a key and anchors"};
  const std::uint64_t drafted = event.payload_as_ContributorJoined()->drafted();
  if (!draft_ || drafted != draft_->version) {
    return Wrong{"drafted", std::to_string(drafted),
                 draft_ ? std::to_string(draft_->version) : "an epoch that is being drafted"};
  }
  const auto& slots = draft_->facts.slots;
  if (std::find(slots.begin(), slots.end(), c->slot) == slots.end()) {
    return Wrong{"slot", std::to_string(c->slot), "one that the draft names"};
  }
  if (draft_->joined.count(c->slot)) {
    return Wrong{"slot", std::to_string(c->slot), "one that has not joined yet"};
  }
  for (const auto& [slot, other] : draft_->joined) {
    // One key in two seats would pass one player's dice off as everybody's.
    if (other.key == c->key) return Wrong{"key", to_hex(c->key), "a key of its own"};
  }
  std::vector<std::uint8_t> rollers;
  for (const auto& [roller, anchor] : c->anchors) rollers.push_back(roller);
  if (rollers != slots) {
    return Wrong{"anchors", std::to_string(rollers.size()), "one for each contributor"};
  }
  if (auto wrong = check_contributor(draft_->facts, *c, later)) return wrong;
  draft_->joined.emplace(c->slot, std::move(*c));
  return std::nullopt;
}

// The service's own epochs: one at the beginning, and another only when a chain is about used up,
// since with every epoch the dice to come are others.
std::optional<Wrong> DiceRecord::check_custodial(const DiceEpoch& facts) const {
  const bool live = context_.policy == Grade::kLive || context_.policy == Grade::kAsync;
  if (live) return Wrong{"drafted", "none", "a draft that every contributor joined"};
  std::vector<std::pair<std::uint8_t, std::uint64_t>> first;
  if (epoch_) {
    bool used_up = false;
    for (const auto& [roller, count] : rolls_) {
      used_up = used_up || nearly_used_up(roller);
      first.emplace_back(roller, count);
    }
    if (!used_up) return Wrong{"type", "a second epoch", "one epoch until a chain is used up"};
  }
  if (facts.first != first) return Wrong{"first", "other numbers", "the rolls made so far"};
  if (facts.contributors.empty()) return Wrong{"contributors", "none", "at least one"};
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::opened(std::uint64_t version, const fb::Event& event,
                                        const Later& later) {
  auto facts = read_dice_epoch(event);
  if (!facts) return Wrong{"epoch", facts.error().text, "keys and anchors"};
  // The first logs do not state the policy of the service's own epochs; it is the signed one.
  const bool unstated = facts->drafted == 0 && facts->policy == Grade::kSolo;
  if (unstated) facts->policy = context_.policy;
  if (auto wrong = check_terms(*facts)) return wrong;
  if (facts->drafted == 0) {
    if (auto wrong = check_custodial(*facts)) return wrong;
  } else {
    if (!draft_ || facts->drafted != draft_->version) {
      return Wrong{"drafted", std::to_string(facts->drafted), "the version of the open draft"};
    }
    if (facts->chain_length != draft_->facts.chain_length ||
        facts->vrf_key != draft_->facts.vrf_key ||
        facts->answer_within_s != draft_->facts.answer_within_s) {
      return Wrong{"terms", "others", "those of the draft"};
    }
    std::vector<std::pair<std::uint8_t, std::uint64_t>> first(rolls_.begin(), rolls_.end());
    if (facts->first != first) return Wrong{"first", "other numbers", "the rolls made so far"};
    if (facts->contributors.size() != draft_->facts.slots.size()) {
      return Wrong{"contributors", std::to_string(facts->contributors.size()),
                   std::to_string(draft_->facts.slots.size())};
    }
    for (const EpochFacts::Contributor& c : facts->contributors) {
      const auto found = draft_->joined.find(c.slot);
      if (found == draft_->joined.end() || !same_contributor(found->second, c)) {
        return Wrong{"contributors[" + std::to_string(c.slot) + "]", "another", "as it joined"};
      }
    }
  }
  for (std::size_t i = 0; i < facts->contributors.size(); ++i) {
    const EpochFacts::Contributor& c = facts->contributors[i];
    if (i > 0 && c.slot <= facts->contributors[i - 1].slot) {
      return Wrong{"contributors", "not ascending", "slots ascending"};
    }
    // Those that joined were checked then.
    if (facts->drafted == 0) {
      if (auto wrong = check_contributor(*facts, c, later)) return wrong;
    }
  }
  Epoch epoch;
  epoch.version = version;
  epoch.hash = context_.hash_of(version);
  if (draft_) epoch.draft = draft_->hash;
  for (const auto& [roller, number] : facts->first) epoch.first[roller] = number;
  for (const EpochFacts::Contributor& c : facts->contributors) {
    for (const auto& [roller, anchor] : c.anchors) {
      epoch.chains.emplace(
          std::pair{c.slot, roller},
          ChainVerifier({context_.stream, c.slot, roller}, facts->chain_length, anchor));
    }
  }
  epoch.facts = std::move(*facts);
  epoch_ = std::move(epoch);
  draft_.reset();
  return std::nullopt;
}

bool DiceRecord::chain_holds(std::uint8_t contributor, std::uint8_t roller, std::uint64_t number,
                             const Hash& element) {
  auto chain = epoch_->chains.find({contributor, roller});
  return chain != epoch_->chains.end() && chain->second.check(number, element);
}

}  // namespace wardiary

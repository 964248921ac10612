// The rolls of a dice record: orders that wait, what players give for them, and what comes of it.
#include <algorithm>

#include "domain/schema/event_generated.h"
#include "replay/dice_record.h"

namespace wardiary {
namespace {

std::string list(const std::vector<std::uint32_t>& values) {
  std::string out;
  for (std::uint32_t v : values) out += (out.empty() ? "" : " ") + std::to_string(v);
  return out;
}

std::string list_slots(const std::vector<std::uint8_t>& slots) {
  return slots.empty() ? "nobody" : list({slots.begin(), slots.end()});
}

std::string slot_text(std::uint8_t slot) {
  return "slot " + std::to_string(slot);
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

// Everything an order says, so that two say the same if and only if their texts are equal.
std::string everything(const fb::OrderIssued& order) {
  std::string out = order.type()->str() + '\0' + std::to_string(order.side());
  for (unsigned i = 0; order.arguments() && i < order.arguments()->size(); ++i) {
    const fb::Argument* argument = order.arguments()->Get(i);
    out += '\0' + argument->field()->str() + '\0';
    if (argument->text()) out += '"' + argument->text()->str();
    for (unsigned k = 0; argument->values() && k < argument->values()->size(); ++k) {
      out += ' ' + std::to_string(argument->values()->Get(k));
    }
  }
  return out;
}

std::optional<Wrong> check_signature_job(const SignatureJob& job) {
  const auto signature = fairdice::Signature::from(job.signature);
  if (!signature || !fairdice::verify_signature(job.key, job.digest, *signature)) {
    return Wrong{job.field, to_hex(job.signature), job.expected};
  }
  return std::nullopt;
}

std::optional<Wrong> check_roll_job(const RollJob& job) {
  auto beta = fairdice::vrf_verify(job.vrf_key, job.alpha, job.pi);
  if (!beta) return Wrong{"proof", beta.error().text, "a proof by the epoch's key"};
  const fairdice::Outcome outcome = fairdice::derive_outcome(*beta, job.spec);
  if (outcome.values != job.values) return Wrong{"values", list(job.values), list(outcome.values)};
  if (const Hash seal = fairdice::seal_of(*beta); job.seal && *job.seal != seal) {
    return Wrong{"seal", to_hex(*job.seal), to_hex(seal)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Wrong> check_proof_job(const ProofJob& job) {
  if (const auto* signature = std::get_if<SignatureJob>(&job))
    return check_signature_job(*signature);
  return check_roll_job(std::get<RollJob>(job));
}

// --------------------------------------------------------------------------- orders that wait

std::optional<Wrong> DiceRecord::suspended(std::uint64_t version, const fb::Event& event) {
  if (!epoch_ || !epoch_->live()) {
    return Wrong{"type", "an order that waits", "an epoch whose players roll live"};
  }
  if (draft_) return Wrong{"type", "an order that waits", "the drafted epoch opened first"};
  if (pending_) {
    return Wrong{"type", "a second order that waits",
                 "the order of version " + std::to_string(pending_->version) + " finished first"};
  }
  Pending pending;
  pending.version = version;
  pending.at_ms = now_ms_;
  pending.hash = context_.hash_of(version);
  if (event.author()) pending.author = event.author()->str();
  pending.order = everything(*event.payload_as_OrderSuspended()->order());
  pending_ = std::move(pending);
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::issued(const fb::Event& event) {
  if (!pending_) return std::nullopt;
  if (everything(*event.payload_as_OrderIssued()) != pending_->order) {
    return Wrong{"order", "another order",
                 "the one of version " + std::to_string(pending_->version) + ", which waits"};
  }
  pending_->issued = true;
  return std::nullopt;
}

// A new commit begins: was everything rolled that was asked for?
std::optional<Wrong> DiceRecord::finish_order() {
  if (!pending_ || !pending_->issued) return std::nullopt;
  std::optional<Wrong> wrong;
  if (pending_->done != pending_->rolls.size()) {
    wrong = Wrong{"rolls", std::to_string(pending_->done),
                  std::to_string(pending_->rolls.size()) + ", as many as were requested"};
  }
  pending_.reset();
  return wrong;
}

// --------------------------------------------------------------- what players give for a roll

void DiceRecord::disclose_unlocked(Roll& roll) {
  for (const EpochFacts::Contributor& c : epoch_->facts.contributors) {
    const auto found = epoch_->unlocks.find({c.slot, roll.facts.roller});
    if (found == epoch_->unlocks.end() || found->second.up_to < roll.facts.number) continue;
    const Epoch::Unlock& unlock = found->second;
    const Hash element = fairdice::chain_walk({context_.stream, c.slot, roll.facts.roller},
                                              unlock.element, unlock.up_to - roll.facts.number);
    roll.disclosed[c.slot] = {element, unlock.up_to, unlock.element, unlock.signature};
  }
}

std::optional<Wrong> DiceRecord::requested(std::uint64_t version, const fb::Event& event,
                                           const Later& later) {
  auto facts = read_roll_requested(event);
  if (!facts) return Wrong{"request", facts.error().text, "a request"};
  if (!pending() || facts->order != pending_->version) {
    return Wrong{"order", std::to_string(facts->order),
                 pending() ? std::to_string(pending_->version) : "an order that waits for a roll"};
  }
  if (!pending_->rolls.empty() && !missing(pending_->rolls.back()).empty()) {
    return Wrong{"type", "a request", "the reveals of the one before it"};
  }
  const EpochFacts::Contributor* roller = epoch_->contributor(facts->roller);
  if (!roller) return Wrong{"roller", std::to_string(facts->roller), "a contributor"};
  if (facts->number != next_number(facts->roller)) {
    return Wrong{"number", std::to_string(facts->number),
                 std::to_string(next_number(facts->roller))};
  }
  if (auto good = fairdice::check_spec({facts->groups}); !good) {
    return Wrong{"groups", good.error().text, "dice that the protocol knows"};
  }
  if (!chain_holds(facts->roller, facts->roller, facts->number, facts->element)) {
    return Wrong{"element", to_hex(facts->element), "the one that the roller committed to"};
  }
  Roll roll;
  roll.version = version;
  roll.at_ms = now_ms_;
  roll.prev_event = context_.hash_of(version - 1);
  roll.digest = fairdice::request_digest(context_.stream, request_of(*facts, roll.prev_event));
  if (auto wrong = check_signature({roller->key, roll.digest, facts->signature, "signature",
                                    "the roller's, over the request"},
                                   later)) {
    return wrong;
  }
  roll.facts = std::move(*facts);
  disclose_unlocked(roll);
  pending_->rolls.push_back(std::move(roll));
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::revealed(const fb::Event& event, const Later& later) {
  auto facts = read_roll_revealed(event);
  if (!facts) return Wrong{"reveal", facts.error().text, "a reveal"};
  if (!pending() || pending_->rolls.empty() || facts->request != pending_->rolls.back().version) {
    return Wrong{"request", std::to_string(facts->request), "a request that waits for reveals"};
  }
  Roll& roll = pending_->rolls.back();
  const std::vector<std::uint8_t> owing = missing(roll);
  if (std::find(owing.begin(), owing.end(), facts->contributor) == owing.end()) {
    return Wrong{"contributor", std::to_string(facts->contributor),
                 "one who owes it: " + list_slots(owing)};
  }
  if (!chain_holds(facts->contributor, roll.facts.roller, roll.facts.number, facts->element)) {
    return Wrong{"element", to_hex(facts->element), "the one that the contributor committed to"};
  }
  const Hash digest =
      fairdice::reveal_digest(context_.stream, roll.digest, facts->contributor, facts->element);
  if (auto wrong =
          check_signature({epoch_->contributor(facts->contributor)->key, digest, facts->signature,
                           "signature", "the contributor's, over this request and element"},
                          later)) {
    return wrong;
  }
  roll.disclosed[facts->contributor] = {facts->element, std::nullopt, facts->element,
                                        std::move(facts->signature)};
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::unlocked(std::uint64_t version, const fb::Event& event,
                                          const Later& later) {
  auto facts = read_rolls_unlocked(event);
  if (!facts) return Wrong{"unlock", facts.error().text, "an unlock"};
  if (!epoch_ || !epoch_->live() || epoch_->facts.policy != Grade::kAsync) {
    return Wrong{"type", "an unlock", "an epoch whose players agreed on async dice"};
  }
  // The roller must not see what is to come between an order and its request.
  if (pending_) return Wrong{"type", "an unlock", "the order that waits finished first"};
  const EpochFacts::Contributor* contributor = epoch_->contributor(facts->contributor);
  if (!contributor || !epoch_->contributor(facts->roller) || facts->contributor == facts->roller) {
    return Wrong{"contributor", slot_text(facts->contributor) + " for " + slot_text(facts->roller),
                 "two contributors"};
  }
  const auto key = std::pair{facts->contributor, facts->roller};
  const auto before = epoch_->unlocks.find(key);
  const std::uint64_t least = before == epoch_->unlocks.end()
                                  ? next_number(facts->roller)
                                  : std::max(before->second.up_to + 1, next_number(facts->roller));
  if (facts->up_to < least || facts->up_to >= epoch_->facts.chain_length) {
    return Wrong{"upTo", std::to_string(facts->up_to),
                 std::to_string(least) + " to " + std::to_string(epoch_->facts.chain_length - 1)};
  }
  const Hash digest = fairdice::unlock_digest(context_.stream, epoch_->hash, facts->contributor,
                                              facts->roller, facts->up_to, facts->element);
  if (!chain_holds(facts->contributor, facts->roller, facts->up_to, facts->element)) {
    return Wrong{"element", to_hex(facts->element), "the one that the contributor committed to"};
  }
  if (auto wrong = check_signature({contributor->key, digest, facts->signature, "signature",
                                    "the contributor's, over what it unlocks"},
                                   later)) {
    return wrong;
  }
  epoch_->unlocks[key] = {facts->up_to, facts->element, version, std::move(facts->signature)};
  return std::nullopt;
}

// ------------------------------------------------------------------------- what comes of it

std::optional<Wrong> DiceRecord::sealed(std::uint64_t version, const fb::Event& event) {
  auto facts = read_roll_sealed(event);
  if (!facts) return Wrong{"seal", facts.error().text, "a seal"};
  if (!pending()) return Wrong{"type", "a seal", "an order that waits for it"};
  for (Roll& roll : pending_->rolls) {
    if (roll.version != facts->request) continue;
    if (roll.sealed) return Wrong{"request", std::to_string(facts->request), "sealed once"};
    if (!missing(roll).empty()) return Wrong{"request", "not complete", "every contribution"};
    const std::uint64_t number = epoch_->first_of(roll.facts.roller) + roll.facts.number;
    if (roller_slot(facts->roller) != roll.facts.roller || facts->number != number) {
      return Wrong{"number", std::to_string(facts->number), std::to_string(number)};
    }
    if (facts->suite != epoch_->facts.suite) {
      return Wrong{"suite", std::to_string(facts->suite), std::to_string(epoch_->facts.suite)};
    }
    roll.sealed = std::move(*facts);
    roll.sealed_version = version;
    return std::nullopt;
  }
  return Wrong{"request", std::to_string(facts->request), "a request of the order that waits"};
}

std::optional<Wrong> DiceRecord::open_sealed(const fb::Event& event) {
  auto facts = read_roll_opened(event);
  if (!facts) return Wrong{"sealed", facts.error().text, "a sealed roll"};
  const auto found = sealed_.find(facts->sealed);
  if (found == sealed_.end()) {
    return Wrong{"sealed", std::to_string(facts->sealed), "a sealed roll that is not yet opened"};
  }
  if (facts->proof != found->second.proof) {
    return Wrong{"proof", to_hex(facts->proof), to_hex(found->second.proof)};
  }
  if (facts->values != found->second.values) {
    return Wrong{"values", list(facts->values), list(found->second.values)};
  }
  sealed_.erase(found);
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::check_agreed(const RollAbandonedFacts& facts,
                                              const Later& later) const {
  const std::uint64_t deadline = owed(0).deadline_ms;
  const bool lapsed = deadline != 0 && now_ms_ >= deadline;
  const Hash digest = fairdice::abandon_digest(context_.stream, epoch_->hash, pending_->hash);
  auto agreed = facts.agreed.begin();
  for (const EpochFacts::Contributor& c : epoch_->facts.contributors) {
    const bool owes = std::count(facts.owed_by.begin(), facts.owed_by.end(), c.slot) != 0;
    if (c.custodial || (owes && lapsed)) continue;
    if (agreed == facts.agreed.end() || agreed->first != c.slot) {
      return Wrong{"agreed", "without " + slot_text(c.slot),
                   owes ? "the agreement of everybody before the time is over"
                        : "the agreement of everybody who owes nothing"};
    }
    if (auto wrong = check_signature(
            {c.key, digest, agreed->second, "agreed", "the signature of " + slot_text(c.slot)},
            later)) {
      return wrong;
    }
    ++agreed;
  }
  if (agreed != facts.agreed.end()) return Wrong{"agreed", "too many", "each who must, once"};
  return std::nullopt;
}

// One event for each roll that was requested, and for the one whose request is owed.
std::optional<Wrong> DiceRecord::abandon(const fb::Event& event, const Later& later) {
  auto facts = read_roll_abandoned(event);
  if (!facts) return Wrong{"abandoned", facts.error().text, "an abandoned roll"};
  if (!pending() || facts->order != pending_->version) {
    return Wrong{"order", std::to_string(facts->order), "the order that waits for a roll"};
  }
  const bool has_request = pending_->done < pending_->rolls.size();
  const Roll* roll = has_request ? &pending_->rolls[pending_->done] : nullptr;
  const std::uint64_t request = roll ? roll->version : 0;
  if (facts->request != request) {
    return Wrong{"request", std::to_string(facts->request), std::to_string(request)};
  }
  const std::uint8_t roller = roller_slot(facts->roller);
  const bool known = roll ? roll->facts.roller == roller : epoch_->contributor(roller) != nullptr;
  if (!known) return Wrong{"roller", slot_text(roller), "the roller of the request"};
  if (facts->number != rolls(roller)) {
    return Wrong{"number", std::to_string(facts->number), std::to_string(rolls(roller))};
  }
  const bool incomplete = !pending_->rolls.empty() && !missing(pending_->rolls.back()).empty();
  const std::vector<std::uint8_t> owing =
      incomplete ? missing(pending_->rolls.back()) : facts->owed_by;
  if (facts->owed_by != owing || owing.empty() || (!roll && owing != std::vector{roller})) {
    return Wrong{"owedBy", list_slots(facts->owed_by),
                 incomplete ? list_slots(owing) : "the roller"};
  }
  if (auto wrong = check_agreed(*facts, later)) return wrong;
  ++rolls_[roller];
  ++abandoned_;
  if (roll) ++pending_->done;
  if (!roll || (incomplete && pending_->done == pending_->rolls.size())) pending_.reset();
  return std::nullopt;
}

std::optional<Wrong> DiceRecord::rolled(const fb::Event& event, const Later& later) {
  const fb::DiceRolled& e = *event.payload_as_DiceRolled();
  rolls_[roller_slot(SideId{e.roller()})] = e.number() + 1;
  std::vector<RollGroup> groups;
  for (const fb::RollGroup* g : *e.groups()) {
    groups.push_back(
        {static_cast<RollGroup::Kind>(g->kind()), g->count(), g->sides(), g->hits_from()});
  }
  std::vector<std::uint32_t> values(e.values()->begin(), e.values()->end());
  if (auto wrong = check_possible(groups, values)) return wrong;

  const Grade grade = static_cast<Grade>(e.grade());
  const bool admitted =
      grade == context_.policy || (context_.policy == Grade::kAsync && grade == Grade::kLive);
  if (!admitted) {
    return Wrong{"grade", fairdice::grade_word(grade), fairdice::grade_word(context_.policy)};
  }
  const bool has_proof = e.proof() && e.proof()->size() > 0;
  // A what-if may use recorded, chosen or expected faces instead of its own dice.
  if (!has_proof && (context_.policy == Grade::kImported || context_.what_if)) return std::nullopt;
  if (context_.policy == Grade::kImported) {
    return Wrong{"proof", "a proof", "none: rolled elsewhere"};
  }
  if (!has_proof) return Wrong{"proof", "none", "a proof"};
  return check_proof(event, {std::move(groups)}, std::move(values), later);
}

std::optional<Wrong> DiceRecord::check_proof(const fb::Event& event, fairdice::RollSpec spec,
                                             std::vector<std::uint32_t> values,
                                             const Later& later) {
  const fb::DiceRolled& e = *event.payload_as_DiceRolled();
  if (!epoch_) return Wrong{"proof", "a proof", "an epoch opened before it"};
  if (e.suite() != epoch_->facts.suite) {
    return Wrong{"suite", std::to_string(e.suite()), std::to_string(epoch_->facts.suite)};
  }
  if (auto good = fairdice::check_spec(spec); !good) {
    return Wrong{"groups", good.error().text, "dice that the protocol knows"};
  }
  const auto pi = fairdice::VrfProof::from({e.proof()->data(), e.proof()->size()});
  if (!pi) return Wrong{"proof", std::to_string(e.proof()->size()) + " bytes", "80 bytes"};
  RollJob job{epoch_->facts.vrf_key, {}, *pi, std::move(spec), std::move(values), {}};
  auto wrong = epoch_->live() ? roll_of_request(event, job) : roll_of_elements(event, job);
  if (wrong) return wrong;
  ++proven_;
  if (!later) return check_proof_job(job);
  later(std::move(job));
  return std::nullopt;
}

// Where contributors keep their own keys: the roll answers the order's next request.
std::optional<Wrong> DiceRecord::roll_of_request(const fb::Event& event, RollJob& job) {
  const fb::DiceRolled& e = *event.payload_as_DiceRolled();
  if (!pending_ || !pending_->issued || pending_->done == pending_->rolls.size() ||
      e.request() != pending_->rolls[pending_->done].version) {
    return Wrong{"request", std::to_string(e.request()), "the next request of this order"};
  }
  const Roll& roll = pending_->rolls[pending_->done];
  if (const auto owing = missing(roll); !owing.empty()) {
    return Wrong{"request", "without " + list_slots(owing), "every contribution"};
  }
  const std::uint64_t number = epoch_->first_of(roll.facts.roller) + roll.facts.number;
  if (roller_slot(SideId{e.roller()}) != roll.facts.roller || e.number() != number) {
    return Wrong{"number", std::to_string(e.number()), std::to_string(number)};
  }
  if (job.spec.groups != roll.facts.groups) return Wrong{"groups", "others", "as requested"};
  if (e.elements() && e.elements()->size()) {
    return Wrong{"elements", std::to_string(e.elements()->size()), "none: the reveals have them"};
  }
  const Grade grade = grade_of(roll);
  if (static_cast<Grade>(e.grade()) != grade) {
    return Wrong{"grade", fairdice::grade_word(static_cast<Grade>(e.grade())),
                 fairdice::grade_word(grade)};
  }
  if ((event.visible_to() != 0) != roll.sealed.has_value()) {
    return Wrong{"seal", roll.sealed ? "a seal" : "none",
                 roll.sealed ? "none: everybody may see the roll" : "a seal for a hidden roll"};
  }
  job.alpha = alpha(roll);
  if (roll.sealed) {
    job.seal = roll.sealed->seal;
    sealed_[roll.sealed_version] = {*roll.sealed, Bytes(job.pi.data.begin(), job.pi.data.end()),
                                    job.values};
  }
  if (on_roll) {
    on_roll({*epoch_, roll, pending_->hash, grade, Bytes(job.pi.data.begin(), job.pi.data.end()),
             job.values});
  }
  ++pending_->done;
  return std::nullopt;
}

// Where the service keeps the only key: the roll says itself what was put in.
std::optional<Wrong> DiceRecord::roll_of_elements(const fb::Event& event, RollJob& job) {
  const fb::DiceRolled& e = *event.payload_as_DiceRolled();
  const std::uint8_t roller = roller_slot(SideId{e.roller()});
  const std::uint64_t number =
      e.number() - std::min<std::uint64_t>(e.number(), epoch_->first_of(roller));
  const auto& contributors = epoch_->facts.contributors;
  const std::size_t given = e.elements() ? e.elements()->size() : 0;
  if (given != contributors.size()) {
    return Wrong{"elements", std::to_string(given), std::to_string(contributors.size())};
  }
  std::vector<fairdice::Contribution> contributions;
  for (std::size_t i = 0; i < given; ++i) {
    const fb::Element* element = e.elements()->Get(static_cast<flatbuffers::uoffset_t>(i));
    const std::uint8_t slot = contributors[i].slot;
    const auto value = Hash::from({element->value()->data(), element->value()->size()});
    if (element->slot() != slot || !value || !chain_holds(slot, roller, number, *value)) {
      return Wrong{"elements[" + std::to_string(i) + "]", value ? to_hex(*value) : "malformed",
                   "the element that slot " + std::to_string(slot) + " committed to for roll " +
                       std::to_string(e.number())};
    }
    contributions.push_back({slot, *value});
  }
  if (e.beacon_round() || e.beacon()) {
    return Wrong{"beacon", std::to_string(e.beacon_round()), "none: no beacon was agreed on"};
  }
  job.alpha = fairdice::make_alpha(epoch_->hash, context_.stream, roller, number, contributions,
                                   std::nullopt);
  return std::nullopt;
}

}  // namespace wardiary

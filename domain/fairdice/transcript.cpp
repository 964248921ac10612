#include "domain/fairdice/transcript.h"

#include <algorithm>

namespace wardiary::fairdice {
namespace {

std::string at(const char* list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

// One contributor on its own: its key is sound, and it signed the terms and its anchors.
Status check_contributor(const Epoch& epoch, std::size_t i) {
  const Contributor& c = epoch.contributors[i];
  const std::size_t n = epoch.contributors.size();
  if (i > 0 && c.slot <= epoch.contributors[i - 1].slot) return invalid("slot: not ascending");
  if (!is_strong_public_key(c.key)) return invalid("key: not a point of prime order");
  for (std::size_t k = 0; k < i; ++k) {
    // One key in two seats would pass one player's dice off as everybody's.
    if (epoch.contributors[k].key == c.key) return invalid("key: used by another contributor");
  }
  if (c.anchors.size() != n) return invalid("anchors: one is needed for each contributor");
  std::vector<SlotAnchor> anchors;
  for (std::size_t k = 0; k < n; ++k) {
    anchors.push_back({epoch.contributors[k].slot, c.anchors[k]});
  }
  const Hash digest = anchors_digest(epoch.terms, c.slot, c.custodial, anchors);
  if (!verify_signature(c.key, digest, c.signature)) {
    return invalid("signature: not by this key over these terms and anchors");
  }
  return Done{};
}

// Which rolls the players agreed to accept.
bool admits(Grade policy, Grade grade) {
  return grade == policy || (policy == Grade::kAsync && grade == Grade::kLive);
}

}  // namespace

Result<EpochVerifier> EpochVerifier::open(Epoch epoch) {
  const EpochTerms& terms = epoch.terms;
  const std::size_t n = epoch.contributors.size();
  if (terms.suite != kVrfSuite) return invalid("suite: unknown");
  if (!is_strong_public_key(terms.vrf_pk)) return invalid("vrf_pk: not a point of prime order");
  if (terms.chain_length == 0 || terms.chain_length > kChainLengthMax) {
    return invalid("chain_length: out of range");
  }
  if (terms.policy == Grade::kImported || terms.policy == Grade::kBranch) {
    return invalid("policy: carries no proof");
  }
  if (n == 0 || n > 255) return invalid("contributors: must be 1 to 255");
  if ((terms.policy == Grade::kSolo) != (n == 1)) {
    return invalid("policy: solo means one contributor, anything else more");
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (auto checked = check_contributor(epoch, i); !checked) {
      return std::move(checked).error().within(at("contributors", i));
    }
  }
  EpochVerifier out;
  for (const Contributor& c : epoch.contributors) {
    for (std::size_t r = 0; r < n; ++r) {
      const ChainId id{terms.stream, c.slot, epoch.contributors[r].slot};
      out.chains_.emplace_back(id, terms.chain_length, c.anchors[r]);
    }
  }
  out.epoch_ = std::move(epoch);
  return out;
}

std::optional<std::size_t> EpochVerifier::index_of(std::uint8_t slot) const {
  for (std::size_t i = 0; i < epoch_.contributors.size(); ++i) {
    if (epoch_.contributors[i].slot == slot) return i;
  }
  return std::nullopt;
}

ChainVerifier& EpochVerifier::chain(std::size_t contributor, std::size_t roller) {
  return chains_[contributor * epoch_.contributors.size() + roller];
}

std::uint64_t EpochVerifier::count(std::uint8_t roller) const {
  const auto found = counts_.find(roller);
  return found == counts_.end() ? 0 : found->second;
}

// The grade claims something about when opponents contributed: hold it against the evidence.
Status EpochVerifier::check_grade(const RollTranscript& roll) const {
  if (!admits(epoch_.terms.policy, roll.grade)) return invalid("grade: not what was agreed on");
  if (roll.beacon.has_value() != (roll.grade == Grade::kBeacon)) {
    return invalid("beacon: belongs to a roll of grade beacon, and only there");
  }
  const bool unlocked = std::any_of(roll.disclosures.begin(), roll.disclosures.end(),
                                    [](const Disclosure& d) { return d.up_to.has_value(); });
  if (roll.grade == Grade::kLive && unlocked) {
    return invalid("grade: live, but an opponent had unlocked this roll in advance");
  }
  if (roll.grade == Grade::kAsync && !unlocked) {
    return invalid("grade: async, but every opponent revealed after the request");
  }
  return Done{};
}

Status EpochVerifier::check_disclosure(const RollTranscript& roll, const Hash& digest,
                                       const Disclosure& disclosure, Hash& v) {
  const Request& request = roll.request;
  const Id& stream = epoch_.terms.stream;
  const std::size_t who = *index_of(disclosure.contributor);
  const std::size_t roller = *index_of(request.roller);
  const std::uint64_t number = disclosure.up_to.value_or(request.number);
  if (number < request.number) return invalid("up_to: does not reach this roll");
  const Hash signed_digest =
      disclosure.up_to ? unlock_digest(stream, epoch_.hash, disclosure.contributor, request.roller,
                                       *disclosure.up_to, disclosure.v)
                       : reveal_digest(stream, digest, disclosure.contributor, disclosure.v);
  if (!verify_signature(epoch_.contributors[who].key, signed_digest, disclosure.signature)) {
    return invalid("signature: not by this contributor over this contribution");
  }
  if (!chain(who, roller).check(number, disclosure.v)) {
    return invalid("v: does not lead to the anchor");
  }
  const ChainId id{stream, disclosure.contributor, request.roller};
  v = chain_walk(id, disclosure.v, number - request.number);
  return Done{};
}

// Every contributor's element of this roll, slots ascending, each one proven.
Result<std::vector<Contribution>> EpochVerifier::collect(const RollTranscript& roll,
                                                         const Hash& digest) {
  const Request& request = roll.request;
  std::vector<Contribution> out;
  std::size_t next = 0;
  for (const Contributor& c : epoch_.contributors) {
    Hash v = request.v;
    if (c.slot == request.roller) {
      const std::size_t self = *index_of(c.slot);
      if (!chain(self, self).check(request.number, v)) {
        return invalid("request.v: does not lead to the anchor");
      }
    } else {
      const std::string where = at("disclosures", next);
      if (next == roll.disclosures.size() || roll.disclosures[next].contributor != c.slot) {
        return invalid(where + ".contributor: slot " + std::to_string(c.slot) + " must be here");
      }
      if (auto checked = check_disclosure(roll, digest, roll.disclosures[next], v); !checked) {
        return std::move(checked).error().within(where);
      }
      ++next;
    }
    out.push_back({c.slot, v});
  }
  if (next != roll.disclosures.size()) return invalid(at("disclosures", next) + ": too many");
  return out;
}

Result<CheckedRoll> EpochVerifier::check_result(
    const RollTranscript& roll, const std::vector<Contribution>& contributions) const {
  CheckedRoll out;
  out.signatures = static_cast<unsigned>(contributions.size());
  out.contributions = static_cast<unsigned>(contributions.size());
  if (!roll.pi) {
    if (!roll.seal) return invalid("pi: missing from a roll that is not sealed");
    if (!roll.values.empty()) return invalid("values: present in a roll that is not opened");
    out.opened = false;
    return out;
  }
  const Request& request = roll.request;
  const Bytes alpha = make_alpha(epoch_.hash, epoch_.terms.stream, request.roller, request.number,
                                 contributions, roll.beacon);
  auto beta = vrf_verify(epoch_.terms.vrf_pk, alpha, *roll.pi);
  if (!beta) return std::move(beta).error();
  if (roll.seal && *roll.seal != seal_of(*beta)) return invalid("seal: not of this roll");
  out.outcome = derive_outcome(*beta, request.spec);
  if (out.outcome.values != roll.values) return invalid("values: not what the proof yields");
  return out;
}

Result<CheckedRoll> EpochVerifier::check(const RollTranscript& roll) {
  const Request& request = roll.request;
  const auto roller = index_of(request.roller);
  if (!roller) return invalid("request.roller: not a contributor");
  if (request.number >= epoch_.terms.chain_length) {
    return invalid("request.number: beyond the contribution chains");
  }
  if (auto checked = check_spec(request.spec); !checked) {
    return std::move(checked).error().within("request");
  }
  if (auto checked = check_grade(roll); !checked) return std::move(checked).error();
  const Hash digest = request_digest(epoch_.terms.stream, request);
  if (!verify_signature(epoch_.contributors[*roller].key, digest, roll.signature)) {
    return invalid("signature: not by the roller over this request");
  }
  auto contributions = collect(roll, digest);
  if (!contributions) return std::move(contributions).error();
  return check_result(roll, *contributions);
}

Result<CheckedRoll> EpochVerifier::check_next(const RollTranscript& roll) {
  const std::uint64_t expected = count(roll.request.roller);
  if (roll.request.number != expected) {
    return invalid("request.number: expected " + std::to_string(expected));
  }
  auto checked = check(roll);
  if (checked) ++counts_[roll.request.roller];
  return checked;
}

Result<std::size_t> verify_transcript(const DiceTranscript& transcript) {
  auto verifier = EpochVerifier::open(transcript.epoch);
  if (!verifier) return std::move(verifier).error().within("epoch");
  const auto& contributors = transcript.epoch.contributors;
  for (std::size_t i = 0; i < transcript.rolls.size(); ++i) {
    const RollTranscript& roll = transcript.rolls[i];
    if (i > 0 && roll.request.roller < transcript.rolls[i - 1].request.roller) {
      return invalid(at("rolls", i) + ".request.roller: rolls are not in order");
    }
    if (auto checked = verifier->check_next(roll); !checked) {
      return std::move(checked).error().within(at("rolls", i));
    }
  }
  if (transcript.counters.size() != contributors.size()) {
    return invalid("counters: one is needed for each contributor");
  }
  for (std::size_t i = 0; i < contributors.size(); ++i) {
    if (transcript.counters[i] != verifier->count(contributors[i].slot)) {
      return invalid(at("counters", i) + ": not the number of rolls given");
    }
  }
  return transcript.rolls.size();
}

}  // namespace wardiary::fairdice

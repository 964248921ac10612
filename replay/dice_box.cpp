#include "replay/dice_box.h"

#include <algorithm>

#include "domain/fairdice/signature.h"

namespace wardiary {

using fairdice::ChainId;
using fairdice::ContributionChain;
using fairdice::Seed;

namespace {

constexpr std::uint8_t kCustodialSlot = 0;  // the one contributor of a custodial epoch

// Everything the service keeps for a stream is derived from the master key, so a restart or a
// restored backup gives the same dice again.
Seed derive(const Seed& master, std::string_view label, const Id& stream, std::uint8_t roller,
            const FirstRolls& first = {}) {
  Bytes message = fairdice::domain_prefix(label);
  put(message, stream);
  message.push_back(roller);
  for (const auto& [each, number] : first) {
    message.push_back(each);
    put_u64(message, number);
  }
  const Hash seed = hmac_sha256(master.view(), message);
  return Seed(seed.data);
}

Result<ContributionChain> custodial_chain(const Seed& master, const DiceEpoch& epoch,
                                          std::uint8_t roller) {
  const Seed seed = derive(master, "custody-chain", epoch.stream, roller, epoch.first);
  return ContributionChain::make(ChainId{epoch.stream, kCustodialSlot, roller}, seed,
                                 epoch.chain_length);
}

DiceEpoch terms_of(const Seed& master, const Id& stream, const Hash& rules_hash, Grade policy) {
  DiceEpoch epoch;
  epoch.stream = stream;
  epoch.vrf_key = fairdice::VrfKey(fairdice::derive_vrf_seed(master, stream)).public_key();
  epoch.suite = fairdice::kVrfSuite;
  epoch.chain_length = fairdice::kChainLengthDefault;
  epoch.rules_hash = rules_hash;
  epoch.policy = policy;
  return epoch;
}

// All sides, then the rolls of nobody.
std::vector<std::uint8_t> roller_slots(std::size_t sides) {
  std::vector<std::uint8_t> out;
  for (std::size_t s = 0; s < sides; ++s) out.push_back(static_cast<std::uint8_t>(s));
  out.push_back(kServiceSlot);
  return out;
}

}  // namespace

Hash rules_hash(const GameCreatedFacts& facts) {
  Sha256 hasher;
  hasher.add(facts.system).add_u8(0).add(facts.rules_version).add_u8(0);
  for (const GameOption& option : facts.options) {
    hasher.add(option.name).add_u8(0).add(option.value).add_u8(0);
  }
  for (const ContentRef& content : facts.contents) hasher.add(content.sha256);
  return hasher.finish();
}

Result<DiceEpoch> custodial_epoch(const Seed& master, const Id& stream, std::size_t sides,
                                  const Hash& rules_hash, Grade policy, const FirstRolls& first,
                                  std::uint32_t chain_length) {
  DiceEpoch epoch = terms_of(master, stream, rules_hash, policy);
  epoch.first = first;
  epoch.chain_length = chain_length;

  EpochFacts::Contributor service;
  service.slot = kCustodialSlot;
  service.name = "service";
  service.custodial = true;
  std::vector<fairdice::SlotAnchor> anchors;
  for (std::uint8_t roller : roller_slots(sides)) {
    auto chain = custodial_chain(master, epoch, roller);
    if (!chain) return std::move(chain).error();
    anchors.push_back({roller, chain->anchor()});
    service.anchors.emplace_back(roller, chain->anchor());
  }
  const fairdice::PlayerKey key(derive(master, "custody-key", stream, kCustodialSlot));
  service.key = key.public_key();
  const fairdice::EpochTerms terms{stream, epoch.suite, epoch.vrf_key, epoch.chain_length,
                                   policy, rules_hash};
  const auto signature =
      key.sign(fairdice::anchors_digest(terms, kCustodialSlot, /*custodial=*/true, anchors));
  service.signature.assign(signature.data.begin(), signature.data.end());
  epoch.contributors.push_back(std::move(service));
  return epoch;
}

DiceEpoch draft_epoch(const Seed& master, const Id& stream, std::size_t sides,
                      const Hash& rules_hash, Grade policy) {
  DiceEpoch draft = terms_of(master, stream, rules_hash, policy);
  draft.slots = roller_slots(sides);
  return draft;
}

EpochChance::EpochChance(const Seed& master, const DiceEpoch& epoch, const Hash& epoch_hash,
                         Grade grade)
    : master_(master.clone()),
      epoch_(epoch),
      epoch_hash_(epoch_hash),
      grade_(grade),
      key_(fairdice::derive_vrf_seed(master, epoch.stream)) {}

const ContributionChain* EpochChance::chain_for(std::uint8_t roller) {
  auto found = chains_.find(roller);
  if (found != chains_.end()) return &found->second;
  auto chain = custodial_chain(master_, epoch_, roller);
  if (!chain) return nullptr;
  return &chains_.emplace(roller, std::move(*chain)).first->second;
}

std::optional<Rolled> EpochChance::roll(const RollRequest& request) {
  const std::uint8_t roller = roller_slot(request.roller);
  const ContributionChain* chain = chain_for(roller);
  if (!chain) return std::nullopt;
  std::uint64_t number = request.number;
  for (const auto& [each, first] : epoch_.first) {
    if (each == roller) number -= std::min(number, first);
  }
  auto element = chain->element(number);
  if (!element) return std::nullopt;
  const fairdice::Contribution contribution{kCustodialSlot, *element};
  const Bytes alpha = fairdice::make_alpha(epoch_hash_, epoch_.stream, roller, number,
                                           {&contribution, 1}, std::nullopt);
  auto roll = fairdice::make_roll(key_, alpha, fairdice::RollSpec{request.groups});
  if (!roll) return std::nullopt;
  Rolled rolled;
  rolled.values = std::move(roll->outcome.values);
  rolled.grade = grade_;
  rolled.suite = fairdice::kVrfSuite;
  rolled.proof.assign(roll->pi.data.begin(), roll->pi.data.end());
  rolled.elements.push_back({kCustodialSlot, *element});
  return rolled;
}

Result<DiceBox::Epoch> DiceBox::find_epoch(const BranchInfo& branch) {
  // The last one of the branch. Its first stands in the branch's first commit; others only follow
  // where a chain was used up, so that searching on is for branches with that many events.
  const Version first = branch.parent ? branch.forked_at + 1 : 1;
  std::optional<DiceEpoch> facts;
  Version version = 0;
  Status problem = Done{};
  Status read = store_.read(branch.branch, first, branch.version, [&](const StoredEvent& stored) {
    if (event_type_name(stored.type) != "EpochOpened") return true;
    auto event = open_event(stored.payload);
    auto epoch = event ? read_dice_epoch(**event) : Result<DiceEpoch>(event.error());
    if (!epoch) {
      problem = std::move(epoch).error();
    } else {
      facts = std::move(*epoch);
      version = stored.version;
    }
    return problem && branch.version >= facts->chain_length;
  });
  if (!read) return std::move(read).error();
  if (!problem) return std::move(problem).error();
  if (!facts) return not_found("branch " + to_hex(branch.branch) + " has no dice epoch");
  auto hash = store_.event_hash(branch.branch, version);
  if (!hash) return std::move(hash).error();
  return Epoch{std::move(*facts), *hash};
}

void DiceBox::forget(const BranchId& branch) {
  std::lock_guard lock(mutex_);
  open_.erase(branch);
}

fairdice::VrfKey DiceBox::vrf_key(const Id& stream) const {
  return fairdice::VrfKey(fairdice::derive_vrf_seed(master_, stream));
}

fairdice::Player DiceBox::custodian(const Id& stream, std::uint8_t slot) const {
  return fairdice::Player(derive(master_, "custody-secret", stream, slot));
}

Result<std::shared_ptr<Chance>> DiceBox::chance(const BranchInfo& branch, Grade grade) {
  {
    std::lock_guard lock(mutex_);
    auto found = open_.find(branch.branch);
    if (found != open_.end()) return found->second;
  }
  auto epoch = find_epoch(branch);
  if (!epoch) return std::move(epoch).error();
  // A game of another service can be looked at here, but its dice cannot be made here: they would
  // not have the proofs its epoch promises.
  const Hash key = fairdice::VrfKey(fairdice::derive_vrf_seed(master_, branch.branch)).public_key();
  if (key != epoch->facts.vrf_key) {
    return Error{ErrorCode::kDenied, "the dice of branch " + to_hex(branch.branch) +
                                         " are made with another service's key; fork a branch to "
                                         "play on here"};
  }
  auto chance = std::make_shared<EpochChance>(master_, epoch->facts, epoch->hash, grade);
  std::lock_guard lock(mutex_);
  if (open_.size() >= kOpenMax) open_.erase(open_.begin());
  open_.emplace(branch.branch, chance);
  return std::shared_ptr<Chance>(chance);
}

}  // namespace wardiary

#include "replay/dice_box.h"

#include <sodium.h>

#include "domain/fairdice/signature.h"

namespace wardiary {

using fairdice::ChainId;
using fairdice::ContributionChain;
using fairdice::Seed;

namespace {

constexpr std::uint8_t kServiceSlot = 0;

// Everything the service keeps for a stream is derived from the master key, so a restart or a
// restored backup gives the same dice again.
Seed derive(const Seed& master, std::string_view label, const Id& stream, std::uint8_t roller) {
  Bytes message = fairdice::domain_prefix(label);
  put(message, stream);
  message.push_back(roller);
  const Hash seed = hmac_sha256(master.view(), message);
  return Seed(seed.data);
}

Result<ContributionChain> custodial_chain(const Seed& master, const Id& stream, std::uint8_t roller,
                                          std::uint32_t length) {
  const Seed seed = derive(master, "custody-chain", stream, roller);
  return ContributionChain::make(ChainId{stream, kServiceSlot, roller}, seed, length);
}

}  // namespace

std::uint8_t roller_slot(SideId roller) {
  return roller.ok() ? static_cast<std::uint8_t>(roller.value) : std::uint8_t{255};
}

Hash rules_hash(const GameCreatedFacts& facts) {
  Sha256 hasher;
  hasher.add(facts.system).add_u8(0).add(facts.rules_version).add_u8(0);
  for (const GameOption& option : facts.options) {
    hasher.add(option.name).add_u8(0).add(option.value).add_u8(0);
  }
  for (const ContentRef& content : facts.contents) hasher.add(content.sha256);
  return hasher.finish();
}

Result<EpochFacts> custodial_epoch(const Seed& master, const Id& stream, std::size_t sides,
                                   const Hash& rules_hash, Grade policy) {
  EpochFacts epoch;
  epoch.stream = stream;
  epoch.vrf_key = fairdice::VrfKey(fairdice::derive_vrf_seed(master, stream)).public_key();
  epoch.suite = fairdice::kVrfSuite;
  epoch.chain_length = fairdice::kChainLengthDefault;
  epoch.rules_hash = rules_hash;

  EpochFacts::Contributor service;
  service.slot = kServiceSlot;
  service.name = "service";
  service.custodial = true;
  std::vector<fairdice::SlotAnchor> anchors;
  std::vector<std::uint8_t> rollers;
  for (std::size_t s = 0; s < sides; ++s) rollers.push_back(static_cast<std::uint8_t>(s));
  rollers.push_back(roller_slot(kNoSide));
  for (std::uint8_t roller : rollers) {
    auto chain = custodial_chain(master, stream, roller, epoch.chain_length);
    if (!chain) return std::move(chain).error();
    anchors.push_back({roller, chain->anchor()});
    service.anchors.emplace_back(roller, chain->anchor());
  }
  const fairdice::PlayerKey key(derive(master, "custody-key", stream, kServiceSlot));
  service.key = key.public_key();
  const fairdice::EpochTerms terms{stream, epoch.suite, epoch.vrf_key, epoch.chain_length,
                                   policy, rules_hash};
  const auto signature =
      key.sign(fairdice::anchors_digest(terms, kServiceSlot, /*custodial=*/true, anchors));
  service.signature.assign(signature.data.begin(), signature.data.end());
  epoch.contributors.push_back(std::move(service));
  return epoch;
}

EpochChance::EpochChance(const Seed& master, const EpochFacts& epoch, const Hash& epoch_hash,
                         Grade grade)
    : master_(master.clone()),
      epoch_(epoch),
      epoch_hash_(epoch_hash),
      grade_(grade),
      key_(fairdice::derive_vrf_seed(master, epoch.stream)) {}

const ContributionChain* EpochChance::chain_for(std::uint8_t roller) {
  auto found = chains_.find(roller);
  if (found != chains_.end()) return &found->second;
  auto chain = custodial_chain(master_, epoch_.stream, roller, epoch_.chain_length);
  if (!chain) return nullptr;
  return &chains_.emplace(roller, std::move(*chain)).first->second;
}

std::optional<Rolled> EpochChance::roll(const RollRequest& request) {
  const std::uint8_t roller = roller_slot(request.roller);
  const ContributionChain* chain = chain_for(roller);
  if (!chain) return std::nullopt;
  auto element = chain->element(request.number);
  if (!element) return std::nullopt;
  const fairdice::Contribution contribution{kServiceSlot, *element};
  const Bytes alpha = fairdice::make_alpha(epoch_hash_, epoch_.stream, roller, request.number,
                                           {&contribution, 1}, std::nullopt);
  auto roll = fairdice::make_roll(key_, alpha, fairdice::RollSpec{request.groups});
  if (!roll) return std::nullopt;
  Rolled rolled;
  rolled.values = std::move(roll->outcome.values);
  rolled.grade = grade_;
  rolled.suite = fairdice::kVrfSuite;
  rolled.proof.assign(roll->pi.data.begin(), roll->pi.data.end());
  rolled.elements.push_back({kServiceSlot, *element});
  return rolled;
}

Result<DiceBox::Epoch> DiceBox::find_epoch(const BranchInfo& branch) {
  // The epoch stands in a branch's first commit: after GameCreated and the set-up, or right after
  // BranchForked.
  const Version first = branch.parent ? branch.forked_at + 1 : 1;
  std::optional<EpochFacts> facts;
  Version version = 0;
  Status problem = Done{};
  Status read = store_.read(branch.branch, first, branch.version, [&](const StoredEvent& stored) {
    if (event_type_name(stored.type) != "EpochOpened") return true;
    auto event = open_event(stored.payload);
    auto epoch = event ? read_epoch(**event) : Result<EpochFacts>(event.error());
    if (!epoch) {
      problem = std::move(epoch).error();
    } else {
      facts = std::move(*epoch);
      version = stored.version;
    }
    return false;
  });
  if (!read) return std::move(read).error();
  if (!problem) return std::move(problem).error();
  if (!facts) return not_found("branch " + to_hex(branch.branch) + " has no dice epoch");
  auto hash = store_.event_hash(branch.branch, version);
  if (!hash) return std::move(hash).error();
  return Epoch{std::move(*facts), *hash};
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

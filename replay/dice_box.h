// The service's side of provable dice (docs/dice.md): opens an epoch for every branch and answers
// the rolls of its rules. One outcome exists per (epoch, roller, number), so asking again after a
// crash, a retry or a refused order gives the same dice; and a branch has its own stream and key,
// so it can neither show nor spend the dice of its parent.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "domain/chance.h"
#include "domain/event.h"
#include "domain/fairdice/chain.h"
#include "domain/fairdice/fairdice.h"
#include "domain/fairdice/player.h"
#include "eventstore/event_store.h"
#include "replay/dice_record.h"

namespace wardiary {

// Answers with the epoch's provable dice; the contributor is kept by the service (grade solo), or,
// on a what-if branch, graded kBranch.
class EpochChance : public Chance {
 public:
  EpochChance(const fairdice::Seed& master, const DiceEpoch& epoch, const Hash& epoch_hash,
              Grade grade);
  std::optional<Rolled> roll(const RollRequest& request) override;

 private:
  const fairdice::ContributionChain* chain_for(std::uint8_t roller);

  fairdice::Seed master_;
  DiceEpoch epoch_;
  Hash epoch_hash_;
  Grade grade_;
  fairdice::VrfKey key_;
  std::map<std::uint8_t, fairdice::ContributionChain> chains_;
};

// One hash for everything the rules of a game rest on: code version, options, board, tables.
Hash rules_hash(const GameCreatedFacts& facts);

// By roller: how many rolls were made before an epoch.
using FirstRolls = std::vector<std::pair<std::uint8_t, std::uint64_t>>;

// The epoch of a stream whose one contributor is kept by the service, signed by its key. `first` is
// empty for the first epoch of a stream.
Result<DiceEpoch> custodial_epoch(const fairdice::Seed& master, const Id& stream, std::size_t sides,
                                  const Hash& rules_hash, Grade policy,
                                  const FirstRolls& first = {},
                                  std::uint32_t chain_length = fairdice::kChainLengthDefault);

// The terms of an epoch whose contributors keep keys of their own, all sides and the service.
DiceEpoch draft_epoch(const fairdice::Seed& master, const Id& stream, std::size_t sides,
                      const Hash& rules_hash, Grade policy);

class DiceBox {
 public:
  static constexpr std::size_t kOpenMax = 256;

  DiceBox(EventStore& store, const fairdice::Seed& master)
      : store_(store), master_(master.clone()) {}

  const fairdice::Seed& master() const { return master_; }
  // The chance of a branch, from its epoch event. `grade` is recorded on its rolls. One roll at a
  // time: the referee holds the branch while it decides.
  Result<std::shared_ptr<Chance>> chance(const BranchInfo& branch, Grade grade);
  // A new epoch was opened: the chance above is another now.
  void forget(const BranchId& branch);

  // The proving key of a stream, and a contributor of it whose key the service keeps.
  fairdice::VrfKey vrf_key(const Id& stream) const;
  fairdice::Player custodian(const Id& stream, std::uint8_t slot) const;

  // The open epoch of a branch.
  struct Epoch {
    DiceEpoch facts;
    Hash hash;
  };
  Result<Epoch> find_epoch(const BranchInfo& branch);

 private:
  EventStore& store_;
  fairdice::Seed master_;
  std::mutex mutex_;
  std::map<BranchId, std::shared_ptr<Chance>> open_;
};

}  // namespace wardiary

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
#include "eventstore/event_store.h"

namespace wardiary {

// Answers with the epoch's provable dice; the contributor is kept by the service (grade solo), or,
// on a what-if branch, graded kBranch.
class EpochChance : public Chance {
 public:
  EpochChance(const fairdice::Seed& master, const EpochFacts& epoch, const Hash& epoch_hash,
              Grade grade);
  std::optional<Rolled> roll(const RollRequest& request) override;

 private:
  const fairdice::ContributionChain* chain_for(std::uint8_t roller);

  fairdice::Seed master_;
  EpochFacts epoch_;
  Hash epoch_hash_;
  Grade grade_;
  fairdice::VrfKey key_;
  std::map<std::uint8_t, fairdice::ContributionChain> chains_;
};

// The slot a roller has in the protocol: its side's number, 255 for rolls of nobody.
std::uint8_t roller_slot(SideId roller);

// One hash for everything the rules of a game rest on: code version, options, board, tables.
Hash rules_hash(const GameCreatedFacts& facts);

// The epoch of a stream whose one contributor is kept by the service, signed by its key.
Result<EpochFacts> custodial_epoch(const fairdice::Seed& master, const Id& stream,
                                   std::size_t sides, const Hash& rules_hash, Grade policy);

class DiceBox {
 public:
  static constexpr std::size_t kOpenMax = 256;

  DiceBox(EventStore& store, const fairdice::Seed& master)
      : store_(store), master_(master.clone()) {}

  const fairdice::Seed& master() const { return master_; }
  // The chance of a branch, from its epoch event. `grade` is recorded on its rolls. One roll at a
  // time: the referee holds the branch while it decides.
  Result<std::shared_ptr<Chance>> chance(const BranchInfo& branch, Grade grade);

 private:
  struct Epoch {
    EpochFacts facts;
    Hash hash;
  };
  Result<Epoch> find_epoch(const BranchInfo& branch);

  EventStore& store_;
  fairdice::Seed master_;
  std::mutex mutex_;
  std::map<BranchId, std::shared_ptr<Chance>> open_;
};

}  // namespace wardiary

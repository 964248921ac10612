// The referee: everything that writes into the diary goes through here. It creates games, decides
// orders by the rules and appends what follows, records facts for scribes, forks branches. One
// order is one commit: accepted whole, or refused with nothing written.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "replay/dice_box.h"
#include "replay/library.h"
#include "replay/time_machine.h"

namespace wardiary {

struct GameRequest {
  std::string name;
  std::string system;
  NewGameSpec spec;
  std::vector<SeatSpec> seats;
  Keeping keeping = Keeping::kRefereed;
  CommandId command;  // zero: one is made up
  std::string author;
};

struct OrderRequest {
  BranchId branch;
  std::optional<Version> expected;  // none: whatever the version is when its turn comes
  CommandId command;                // zero: one is made up, and a retry may order twice
  std::string author;
  // Dice rolled elsewhere, for scribed games only.
  std::optional<std::vector<std::uint32_t>> dice;
  // kBuffered: a crash may lose the last orders; for what can be played again (demos, bots).
  Durability durability = Durability::kSynced;
};

struct OrderAccepted {
  Version first = 0;
  Version last = 0;
  bool duplicate = false;  // this command was answered before, with these versions
};
struct VersionConflict {
  Version current = 0;
};
struct OrderSuspended {
  RollRequest waiting_for;
};
using OrderAnswer = std::variant<OrderAccepted, Rejection, VersionConflict, OrderSuspended>;

struct ForkRequest {
  GameId game;
  BranchId parent;
  Version at = 0;
  std::string name;
  std::string reason;
  DicePolicy policy = DicePolicy::kFresh;
  std::string author;
  CommandId command;  // zero: one is made up, and a retry may fork twice
};

class Referee {
 public:
  using Now = std::function<std::uint64_t()>;  // milliseconds since 1970

  Referee(EventStore& store, Library& library, TimeMachine& time, DiceBox& dice, Now now)
      : store_(store), library_(library), time_(time), dice_(dice), now_(std::move(now)) {}

  Result<OpenGamePtr> create(const GameRequest& request);
  // `order` is the JSON form (order.h). An error is something wrong with the request or the store;
  // a refusal by the rules is an answer.
  Result<OrderAnswer> order(const OrderRequest& request, const nlohmann::json& order);
  Result<OrderAnswer> order(const OrderRequest& request, const Order& order);
  // What the order would come to, without writing or rolling anything (NeedsRoll where it rolls).
  Result<Verdict> try_order(const BranchId& branch, const Order& order);
  // Facts of a scribed game, appended in one commit: all or none. kDenied for refereed games.
  Result<OrderAnswer> record(const OrderRequest& request, std::span<const nlohmann::json> facts);
  Result<BranchInfo> fork(const ForkRequest& request);
  // What `side` may order now.
  Result<std::vector<Order>> legal_orders(const BranchId& branch, SideId side, std::size_t most);

 private:
  // One writer per branch at a time; branches share a few locks.
  std::mutex& lock_for(const BranchId& branch) { return locks_[branch.data[15] % locks_.size()]; }
  Result<std::shared_ptr<Chance>> chance_for(const OpenGame& game, const BranchInfo& branch,
                                             const OrderRequest& request);
  // The branch a request writes to; or the answer, where it was given before or the branch has
  // moved on. Call with the branch's lock held.
  Result<std::variant<BranchInfo, OrderAnswer>> find_branch(const OrderRequest& request);
  Result<OrderAnswer> append(const OrderRequest& request, const BranchInfo& branch,
                             const EventList& events, const Position& after);
  Envelope envelope(const OrderRequest& request, const BranchInfo& branch);

  EventStore& store_;
  Library& library_;
  TimeMachine& time_;
  DiceBox& dice_;
  Now now_;
  std::array<std::mutex, 64> locks_;
};

// A fresh random id.
Id random_id();

}  // namespace wardiary

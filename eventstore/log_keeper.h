// What a store that keeps its own log can say beyond the contract of event_store.h, for those who
// copy it and for services that share it. A bundle cannot.
#pragma once

#include <optional>
#include <vector>

#include "eventstore/checkpoint_file.h"
#include "eventstore/event_store.h"

namespace wardiary {

// One commit of a branch, as its command was answered.
struct CommitInfo {
  CommandId command;
  Version first = 0;
  Version last = 0;
};

class LogKeeper {
 public:
  virtual ~LogKeeper() = default;

  // The commits of the branch's own events, oldest first.
  virtual Result<std::vector<CommitInfo>> commits(const BranchId& branch) = 0;
  // The hashes of the contents a game was made with.
  virtual Result<std::vector<Hash>> contents_of(const GameId& game) = 0;
  // The newest checkpoint of the game that was signed, as the store remembers it.
  virtual Result<std::optional<SignedTree>> promised(const GameId& game) = 0;
  // Asks a store that other processes write to as well to tell the listener also of what they commit
  // to this branch (the newest version, perhaps more than once), a moment later.
  virtual void watch(const BranchId&, bool /*on*/) {}

  // The store as one of these, if it is one.
  static LogKeeper* of(EventStore& store) { return dynamic_cast<LogKeeper*>(&store); }
};

}  // namespace wardiary

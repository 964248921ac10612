// Bringing a game from a file into a store, whatever the file's form: a reader of that form gives
// its parts to a GameSink twice, first to a checker, then to a writer. So nothing is written unless
// everything fits, and JSON lines and bundles are held to the same laws.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "domain/base/sha256.h"
#include "domain/rule_system.h"
#include "eventstore/event_store.h"
#include "eventstore/merkle.h"

namespace wardiary {

using TransferProgress = std::function<void(std::uint64_t events)>;

struct Imported {
  GameId game;
  std::string name;
  std::uint64_t events = 0;
  std::uint64_t branches = 0;
  bool already_there = false;  // the same game, event for event: nothing was written
};

struct TransferHead {
  GameId game;
  BranchId mainline;
  std::string name;
  std::uint64_t created_at_ms = 0;
  std::uint64_t events = 0;
  std::optional<Hash> root;
};

struct TransferEvent {
  BranchId branch;
  Version version = 0;
  std::uint16_t type = 0;
  Bytes bytes;
};

// The parts of a game in this order: head, contents, branches, events as in its tree, the end.
class GameSink {
 public:
  static constexpr std::size_t kBranchesMax = 10'000;

  virtual ~GameSink() = default;
  virtual Status header(const TransferHead& header) = 0;
  // Only the text decides: contents are found by their hash.
  virtual Status content(Content content) = 0;
  virtual Status branch(BranchInfo branch) = 0;
  virtual Status event(TransferEvent event) = 0;
  virtual Status finish() = 0;
};

// Gives a file's parts to the sink; called twice.
using GameSource = std::function<Status(GameSink& sink)>;

// Checks every part (hashes, continuity, digests, contents) and only then writes. kConflict if the
// store has another game under this id. An import that was cut off by a crash is completed by doing
// it again.
Result<Imported> import_game(EventStore& store, const GameSource& source,
                             const TransferProgress& progress = {});

}  // namespace wardiary

// The records around the events as they are stored (docs/formats-store.md), the same bytes in every
// engine.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eventstore/event_store.h"
#include "eventstore/merkle.h"
#include "eventstore/stored/layout.h"

namespace wardiary::stored {

// What changes in a game with every commit: the right edge of its tree.
struct GameHead {
  BranchId mainline;     // not part of the record
  BranchId last_branch;  // the branch of the newest leaf
  std::uint64_t payload_bytes = 0;
  std::uint32_t branches = 0;
  bool damaged = false;       // its record did not pass its check
  merkle::Frontier frontier;  // its size is the tree's
};

struct BranchRecord {
  BranchId parent;  // all zero for the mainline
  Version forked_at = 0;
  Hash fork_hash;
  std::uint32_t depth = 0;
  bool deleted = false;
  std::string name, reason;

  bool is_mainline() const { return parent.is_zero(); }
  std::string body() const;
  static std::optional<BranchRecord> parse(std::string_view body);
};
struct GameRecord {
  BranchId mainline;
  std::uint64_t created_at_ms = 0;
  std::string name;
  std::vector<Hash> contents;  // that the game came with

  std::string body() const;
  static std::optional<GameRecord> parse(std::string_view body);
};
// What a command id was answered: the commit's last version and number of events.
struct CommandRecord {
  Version last = 0;
  std::uint32_t events = 0;

  std::string body() const;
  static std::optional<CommandRecord> parse(std::string_view body);
};
std::string game_head_body(const GameHead& head);
bool parse_game_head(std::string_view body, GameHead& head);
std::string branch_head_body(Version version, const Hash& hash);
bool parse_branch_head(std::string_view body, Version& version, Hash& hash);

struct IdHash {
  std::size_t operator()(const Id& id) const {
    std::uint64_t a, b;
    std::memcpy(&a, id.data.data(), 8);
    std::memcpy(&b, id.data.data() + 8, 8);
    return a ^ (b * 0x9e3779b97f4a7c15ull);
  }
};

}  // namespace wardiary::stored

// A block: 1 to 64 consecutive events of one branch in one stored value. A commit is written as one
// block (a large one as several); the sealer later gathers the blocks of several small commits into
// one. Both kinds have the same form, so readers see no difference:
//
//   u8  1                      form of the block
//   u8  events                 1..64
//   u8  runs                   1..events
//   u64 ends                   bit i: event i is the last of its commit
//   32  event hash             of the last event
//   events x (u16 type, u32 payload bytes)
//   payloads
//   runs x (u8 events, u64 first leaf)   where the events stand in the game's tree
//   u32 check                  as layout.h
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eventstore/event_store.h"
#include "eventstore/stored/layout.h"

namespace wardiary::stored {

inline constexpr std::size_t kBlockEventsMax = 64;
inline constexpr std::size_t kBlockBytesMax = 256u << 10;  // unless a single event is larger

struct LeafRun {
  std::uint8_t count = 0;
  std::uint64_t first_leaf = 0;
};

// A block read from the store. Views point into the value it was parsed from.
class Block {
 public:
  // False if the value is not a block that was written under this key.
  bool parse(Family family, std::string_view key, std::string_view value);

  const BranchId& branch() const { return branch_; }
  Version first() const { return first_; }
  Version last() const { return first_ + events_.size() - 1; }
  bool holds(Version v) const { return !events_.empty() && v >= first_ && v <= last(); }
  std::span<const NewEvent> events() const { return events_; }
  const NewEvent& event(Version v) const { return events_[v - first_]; }
  bool ends_commit(Version v) const { return ends_ >> (v - first_) & 1; }
  std::uint64_t ends() const { return ends_; }
  const Hash& last_hash() const { return last_hash_; }
  std::span<const LeafRun> runs() const { return runs_; }
  std::uint64_t leaf_of(Version v) const;
  void clear() { events_.clear(); }

 private:
  BranchId branch_;
  Version first_ = 0;
  std::uint64_t ends_ = 0;
  Hash last_hash_;
  std::vector<NewEvent> events_;
  std::vector<LeafRun> runs_;
};

// A block being written. The part that hashing and encoding need is made by the caller; where the
// events stand in the tree is known only when the commit's turn has come, and stands at the end.
class BlockDraft {
 public:
  BlockDraft(Family family, const BranchId& branch, Version first, std::span<const NewEvent> events,
             std::uint64_t ends, const Hash& last_hash, std::size_t run_count);
  std::size_t count() const { return count_; }
  const std::string& key() const { return key_; }
  // Ends the block; the value is then complete. Call once.
  const std::string& finish(std::span<const LeafRun> runs);

 private:
  std::string key_;
  std::string value_;
  std::uint32_t check_;
  std::size_t count_;
};

// How many of `events` (at least one) the next block takes.
std::size_t block_share(std::span<const NewEvent> events);

}  // namespace wardiary::stored

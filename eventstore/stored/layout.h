// The column families of the embedded store, their keys, and the check every value carries.
// docs/formats-store.md describes the same for readers outside this code.
//
// Ids are 16 bytes, integers big-endian, so keys sort by branch and version. Every value ends with
// the CRC-32C of (family number || key || body): a value that was altered, or stands under another
// key or in another family than it was written for, is noticed when it is read.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "domain/base/bytes.h"
#include "eventstore/crc32c.h"
#include "eventstore/event_store.h"

namespace wardiary::stored {

enum class Family : std::uint8_t {
  kDefault,    // nothing; RocksDB wants it
  kEvents,     // branch || first version -> block (block.h), fresh: the events of one commit
  kSegments,   // branch || first version -> block, sealed: up to 64 events of several commits
  kGames,      // game -> mainline, created at, name
  kBranches,   // game || branch -> parent, forked at, fork hash, depth, flags, name, reason
  kHeads,      // 'b' || branch, 's' || branch, 'g' || game -> what changes with every commit
  kCommands,   // branch || command -> last version, number of events
  kLeaves,     // game || first leaf -> branch, first version: a run that ends where the next begins
  kTree,       // game || level || index -> root of 256^(level + 1) leaves
  kContents,   // SHA-256 -> the bytes
  kSnapshots,  // branch || version -> bytes
  kIndex,      // caller's key -> value
  kNotes,      // game || number -> note
  kRecords,    // caller's key -> value
};
inline constexpr std::size_t kFamilyCount = 14;
inline constexpr std::array<const char*, kFamilyCount> kFamilyNames = {
    "default", "events", "segments", "games",     "branches", "heads", "commands",
    "leaves",  "tree",   "contents", "snapshots", "index",    "notes", "records"};

// A key under construction: ids and integers one after another.
class Key {
 public:
  Key& add(ByteView bytes) {
    text_.append(text_of(bytes));
    return *this;
  }
  Key& add(char c) {
    text_.push_back(c);
    return *this;
  }
  Key& add_u64(std::uint64_t v) {
    for (int i = 7; i >= 0; --i) text_.push_back(static_cast<char>(v >> (8 * i)));
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline std::string id_key(const Id& id) {
  return std::string(text_of(id));
}
inline std::string pair_key(const Id& a, const Id& b) {
  return Key().add(a).add(b).text();
}
inline std::string number_key(const Id& id, std::uint64_t n) {
  return Key().add(id).add_u64(n).text();
}
inline std::string branch_head_key(const BranchId& b) {
  return Key().add('b').add(b).text();
}
inline std::string sealed_key(const BranchId& b) {
  return Key().add('s').add(b).text();
}
inline std::string game_head_key(const GameId& g) {
  return Key().add('g').add(g).text();
}
inline std::string tile_key(const GameId& g, unsigned level, std::uint64_t index) {
  return Key().add(g).add(static_cast<char>(level)).add_u64(index).text();
}

inline std::uint32_t check_start(Family family, std::string_view key) {
  const auto number = static_cast<std::uint8_t>(family);
  return crc32c(crc32c(0, ByteView(&number, 1)), bytes_of(key));
}

// `body` with its check.
std::string checked(Family family, std::string_view key, std::string_view body);
// The body, or nothing if the check does not hold.
std::optional<std::string_view> unchecked(Family family, std::string_view key,
                                          std::string_view value);

// Reads a record from front to back. After any read beyond the end, ok() is false and the values
// are zero.
class RecordReader {
 public:
  explicit RecordReader(std::string_view body) : rest_(body) {}
  std::uint64_t number(std::size_t bytes);
  template <std::size_t N>
  FixedBytes<N> fixed() {
    FixedBytes<N> out;
    const std::string_view bytes = take(N);
    if (bytes.size() == N) std::memcpy(out.data.data(), bytes.data(), N);
    return out;
  }
  std::string text() { return std::string(take(number(4))); }  // u32 length first
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t n);
  std::string_view rest_;
  bool ok_ = true;
};

// Writes a record in the same order.
class RecordWriter {
 public:
  RecordWriter& number(std::uint64_t v, std::size_t bytes) {
    for (std::size_t i = bytes; i-- > 0;) body_.push_back(static_cast<char>(v >> (8 * i)));
    return *this;
  }
  RecordWriter& fixed(ByteView bytes) {
    body_.append(text_of(bytes));
    return *this;
  }
  RecordWriter& text(std::string_view t) {
    number(t.size(), 4);
    body_.append(t);
    return *this;
  }
  const std::string& body() const { return body_; }

 private:
  std::string body_;
};

}  // namespace wardiary::stored

// The store's memory of what it has promised, outside the database: a restore of the database alone
// cannot roll it back, so a store that is behind its own word is noticed. Lines of text, appended
// and synced before the promise is given, each with a CRC-32C in hex at its end:
//
//   checkpoint <game> <size> <root> <check>
//   written <number of writes> <check>
//   key <file> <fingerprint> <check>
//   rollback <game> <size> <root> <size now> <root now> <unix ms> <check>
//   rewound <number of writes> <number now> <unix ms> <check>
//   restored <unix ms> <check>
//
// `written` is said when the store is closed: so many writes its database had. The last three say
// that somebody opened the store though it was behind, or made it from a backup; like the keys,
// they are never removed. When the file has grown long with old checkpoints it is rewritten with
// the newest of each game.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

namespace wardiary {

// The tree of a game as a checkpoint states it.
struct SignedTree {
  std::uint64_t size = 0;
  Hash root;
  bool operator==(const SignedTree&) const = default;
};

// Says which key a key file holds and nothing else about it.
std::string key_fingerprint(const std::string& file, const FixedBytes<32>& key);

class CheckpointFile {
 public:
  // Makes an empty file.
  static Status create(const std::filesystem::path& file);
  // kNotFound if there is none, kCorrupt (naming the line) if a line does not hold. A last line
  // without its end was being written when the power went; it was never handed out and is dropped.
  static Result<std::unique_ptr<CheckpointFile>> open(const std::filesystem::path& file);
  ~CheckpointFile();

  // Remembers a checkpoint; on disk when it returns. Nothing to do if a newer or equal one is
  // known.
  Status remember(const Id& game, const SignedTree& tree);
  // Records that the store goes on from `now` though it had signed more.
  Status accept_rollback(const Id& game, const SignedTree& now, std::uint64_t unix_ms);

  // The database holds so many writes, all of them on disk; and: it goes on with fewer.
  Status remember_written(std::uint64_t writes);
  Status accept_rewind(std::uint64_t writes_now, std::uint64_t unix_ms);
  std::uint64_t written() const;

  // Records that this is a copy from a backup: what was promised after the backup it cannot know.
  Status note_restored(std::uint64_t unix_ms);

  // Notes the key in `file` if none was noted, or `is_new`. kCorrupt if it is none of those noted.
  Status check_key(const std::string& file, const FixedBytes<32>& key, bool is_new);

  std::optional<SignedTree> newest(const Id& game) const;
  std::map<Id, SignedTree> all() const;
  // How often the store was opened though behind what it had promised, and made from a backup.
  std::size_t rollback_count() const;
  std::size_t restore_count() const;

 private:
  explicit CheckpointFile(std::filesystem::path file) : file_(std::move(file)) {}
  Status load();
  Status rewrite();
  Status append(const std::string& line);
  Status keep(const std::string& line);
  bool take(const std::vector<std::string>& words, const std::string& line);

  const std::filesystem::path file_;
  mutable std::mutex mutex_;
  int fd_ = -1;
  bool failed_ = false;  // after a failed write nothing may be promised any more
  std::map<Id, SignedTree> newest_;
  std::uint64_t written_ = 0;
  std::multimap<std::string, std::string> keys_;  // file -> fingerprint
  std::vector<std::string> kept_;                 // the lines that are never removed
  std::size_t rollbacks_ = 0, rewinds_ = 0, restores_ = 0;
};

}  // namespace wardiary

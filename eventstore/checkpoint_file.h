// The store's memory of what it has signed, outside the database: a restore of the database alone
// cannot roll it back, so a store that is behind its own word is noticed. Lines of text, appended
// and synced before a signed checkpoint is handed out, each with a CRC-32C in hex at its end:
//
//   checkpoint <game> <size> <root> <check>
//   rollback <game> <size> <root> <size now> <root now> <unix ms> <check>
//
// A rollback line says that somebody opened the store though it was behind; it is never removed.
// When the file has grown long with old checkpoints it is rewritten with the newest of each game.
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

struct SignedTree {
  std::uint64_t size = 0;
  Hash root;
  bool operator==(const SignedTree&) const = default;
};

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

  std::optional<SignedTree> newest(const Id& game) const;
  std::map<Id, SignedTree> all() const;
  std::size_t rollback_count() const;

 private:
  explicit CheckpointFile(std::filesystem::path file) : file_(std::move(file)) {}
  Status load();
  Status rewrite();
  Status append(const std::string& line);

  const std::filesystem::path file_;
  mutable std::mutex mutex_;
  int fd_ = -1;
  bool failed_ = false;  // after a failed write nothing may be promised any more
  std::map<Id, SignedTree> newest_;
  std::vector<std::string> rollbacks_;
};

}  // namespace wardiary

// The event store on one machine: RocksDB below the contract of event_store.h. A data directory
// (data_dir.h) belongs to one process at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "eventstore/event_store.h"

namespace rocksdb {
class Env;
}

namespace wardiary {

struct StoreOptions {
  std::string directory;
  // Make a new store, with fresh keys, if there is none. Otherwise kNotFound.
  bool create_if_missing = false;
  // Make new keys where a key file is missing (a backup restored without its keys).
  bool create_missing_keys = false;
  // Open though the store is behind a checkpoint it has signed (an older backup was put back), or
  // its memory of them is lost, or its write-ahead log is damaged before its end. That it was done
  // is recorded in checkpoints.log for good.
  bool accept_rollback = false;
  std::size_t cache_bytes = 64u << 20;  // RocksDB's block cache
  // The newest events of a branch are left in fresh blocks; older ones are sealed once 64 of them
  // have come together.
  std::uint64_t seal_keep_events = 64;
  bool seal_in_background = true;
  // Commits are refused with kFull when less than this is free, while there is still room to
  // finish what is under way.
  std::uint64_t reserve_bytes = 64u << 20;
  rocksdb::Env* env = nullptr;  // for fault tests; must outlive the store
};

// kNotFound: no store there. kInvalid: made by another version. kConflict: open elsewhere.
// kCorrupt: files damaged or missing, or behind a signed checkpoint (see accept_rollback).
Result<std::unique_ptr<EventStore>> open_rocksdb_store(const StoreOptions& options);

// verify() for a directory, where a store that cannot even be opened is a finding too.
Result<EventStore::Verified> verify_rocksdb_store(
    const StoreOptions& options, const std::function<void(std::uint64_t events)>& progress);

// Copies a backup made by EventStore::backup into a new data directory, after verifying every hash
// of the copy. kCorrupt with the first finding if it does not verify; `directory` is then not made.
Status restore_rocksdb_store(const std::string& backup, const std::string& directory,
                             const std::function<void(std::uint64_t events)>& progress = nullptr);

}  // namespace wardiary

// One store's games, whole, in another of any engine: events with their bytes, versions, commands
// and places in the tree, branches, contents, notes and the service's own records. Caches are left
// to be made again.
//
// A copy is resumed and continued by copying again: what is there already is compared, what is
// missing is added. Afterwards every byte of every event, every hash, tree and signed checkpoint of
// the copy has been compared with the original.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "eventstore/event_store.h"

namespace wardiary {

struct Copied {
  std::uint64_t games = 0, branches = 0, commits = 0, events = 0, checkpoints = 0, notes = 0,
                records = 0;
  std::uint64_t new_events = 0;  // that this run has written
};

// kConflict, naming the place, if the copy holds something else than the original; kCorrupt if
// either of them does not verify. Nobody may write to either store meanwhile; `progress` is told
// the events done so far.
Result<Copied> copy_store(EventStore& from, EventStore& to,
                          const std::function<void(std::uint64_t events)>& progress = nullptr);

// A copy in a data directory of its own (rocksdb_store.h), for stores that have no files to copy:
// the directory must not exist, and does not until the copy is complete. `key_directory` holds the
// keys.
Status copy_to_directory(EventStore& from, const std::string& key_directory,
                         const std::string& directory, EventStore::BackupKeys keys);

}  // namespace wardiary

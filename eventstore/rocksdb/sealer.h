// Gathers the fresh blocks of cold history into full ones, which replay reads several times faster.
// The events and their hashes stay what they are: the chain is recomputed before a block is sealed,
// and the sealed block replaces the fresh ones in one atomic write. A branch whose bytes do not
// verify is left as it is, for verify() to report.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "eventstore/rocksdb/engine.h"
#include "eventstore/rocksdb/heads.h"
#include "eventstore/stored/block_reader.h"

namespace wardiary::embedded {

class Sealer {
 public:
  // `keep`: how many of a branch's newest events stay in fresh blocks.
  Sealer(Engine& engine, Heads& heads, std::uint64_t keep, bool background);
  ~Sealer();

  // Told by the writer after each commit; cheap.
  void noticed(const BranchId& branch, const BranchHead& head);
  // Seals all there is to seal, in the caller's thread.
  Status seal_all();
  void stop();

 private:
  bool worth_sealing(const BranchHead& head) const;
  void work();
  Status seal_branch(const BranchId& branch);
  // Writes the next full blocks; false when there is nothing left to do.
  Result<bool> seal_some(const Piece& piece, Version& sealed);

  Engine& engine_;
  Heads& heads_;
  const std::uint64_t keep_;
  std::mutex sealing_;  // one at a time
  std::mutex mutex_;
  std::condition_variable wake_;
  std::unordered_set<BranchId, IdHash> waiting_;
  std::uint64_t noticed_ = 0;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace wardiary::embedded

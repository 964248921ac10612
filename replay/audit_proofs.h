// The proofs of an audit, checked beside everything else: they are nine tenths of its work and
// depend on nothing, so they go to as many threads as the machine has cores.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "domain/fairdice/fairdice.h"
#include "replay/dice_record.h"

namespace wardiary {

class ProofChecks {
 public:
  // 0 threads: one per core.
  explicit ProofChecks(unsigned threads = 0);
  ~ProofChecks();
  ProofChecks(const ProofChecks&) = delete;
  ProofChecks& operator=(const ProofChecks&) = delete;

  // Waits while too many are under way, so that memory does not grow with the game.
  void add(std::uint64_t version, ProofJob job, int check);
  struct Failed {
    std::uint64_t version = 0;
    Wrong wrong;
    int check = 0;  // the one it was added under
  };
  // Waits for all that were added since; the failed ones by version.
  std::vector<Failed> finish();

 private:
  static constexpr std::size_t kWaitingMax = 4'096;
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  struct Waiting {
    std::uint64_t version;
    ProofJob job;
    int check;
  };
  std::deque<Waiting> waiting_;
  std::size_t under_way_ = 0;
  bool closing_ = false;
  std::vector<Failed> failed_;
  unsigned threads_max_;
  std::vector<std::thread> threads_;  // started when there is something to do
};

}  // namespace wardiary

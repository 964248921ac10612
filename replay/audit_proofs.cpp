#include "replay/audit_proofs.h"

#include <algorithm>

namespace wardiary {

ProofChecks::ProofChecks(unsigned threads)
    : threads_max_(threads ? threads : std::clamp(std::thread::hardware_concurrency(), 1u, 64u)) {}

ProofChecks::~ProofChecks() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ProofChecks::add(std::uint64_t version, ProofJob job, int check) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kWaitingMax; });
  waiting_.push_back({version, std::move(job), check});
  if (threads_.size() < threads_max_ && waiting_.size() > threads_.size()) {
    threads_.emplace_back([this] { work(); });
  }
  lock.unlock();
  changed_.notify_all();
}

std::vector<ProofChecks::Failed> ProofChecks::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && under_way_ == 0; });
  std::vector<Failed> out = std::move(failed_);
  failed_.clear();
  std::sort(out.begin(), out.end(),
            [](const Failed& a, const Failed& b) { return a.version < b.version; });
  return out;
}

void ProofChecks::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    auto [version, job, check] = std::move(waiting_.front());
    waiting_.pop_front();
    ++under_way_;
    lock.unlock();
    auto wrong = check_proof_job(job);
    lock.lock();
    --under_way_;
    if (wrong) failed_.push_back({version, std::move(*wrong), check});
    changed_.notify_all();
  }
}

}  // namespace wardiary

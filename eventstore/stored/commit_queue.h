// Many callers, one writer at a time. Whoever finds the queue idle becomes the leader and writes at
// once in its own thread; whoever comes while a write is under way waits, and the next leader takes
// all that wait as one group: one batch, one sync, however many callers.
//
// Those just answered often come straight back with their next commit, a moment too late for the
// group that is about to begin. On a fast disk that is as well: one half of the callers hashes and
// encodes while the other half is written. On a slow one each half would wait for the other's sync;
// so a leader gives them a moment, a third of the time the last write took, as long as experience
// says that they come. A caller alone never waits.
#pragma once

#include <semaphore.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

namespace wardiary::stored {

// `Request` needs a public `std::size_t bytes` (its share of the batch).
template <class Request>
class CommitQueue {
 public:
  static constexpr std::size_t kGroupBytesMax = 8u << 20;
  static constexpr std::size_t kGroupRequestsMax = 1024;

  // Returns when `request` has been part of a group that `write(std::span<Request*>)` has handled,
  // in this thread or in another's.
  template <class Write>
  void run(Request& request, Write&& write) {
    Waiter self(request);
    bool idle = false;
    {
      std::lock_guard lock(mutex_);
      waiters_.push_back(&self);
      idle = waiters_.size() == 1;
      if (patient_ && waiters_.size() >= wanted_) {
        patient_->call(Turn::kLeader);
        patient_ = nullptr;
      }
    }
    if (!idle && self.wait() == Turn::kDone) return;
    await_returning(self, idle);
    const std::size_t taken = take_group();
    const auto start = Clock::now();
    write(std::span<Request*>(group_requests_));
    last_write_ = Clock::now() - start;
    finish_group(taken, self);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kPatienceMax = std::chrono::milliseconds(5);
  static constexpr unsigned kRestMax = 1024;  // groups

  enum class Turn { kLeader, kDone };
  // A semaphore and nothing that spins: with more callers than cores, whoever spins takes the time
  // of those who write.
  class Waiter {
   public:
    explicit Waiter(Request& r) : request(&r) { ::sem_init(&called_, 0, 0); }
    ~Waiter() { ::sem_destroy(&called_); }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    Turn wait() {
      while (::sem_wait(&called_) != 0) {
      }
      return turn_;
    }
    // As wait(), but false when `patience` passed without a call.
    bool wait_for(Clock::duration patience) {
      timespec until{};
      ::clock_gettime(CLOCK_MONOTONIC, &until);
      until.tv_nsec += static_cast<long>(std::chrono::nanoseconds(patience).count());
      until.tv_sec += until.tv_nsec / 1'000'000'000;
      until.tv_nsec %= 1'000'000'000;
      return ::sem_clockwait(&called_, CLOCK_MONOTONIC, &until) == 0;
    }
    // The waiter may be gone when this returns.
    void call(Turn turn) {
      turn_ = turn;
      ::sem_post(&called_);
    }
    Request* const request;

   private:
    sem_t called_;
    Turn turn_ = Turn::kDone;
  };

  // Called by a leader: gives those who were answered just now time to come back. A leader that
  // found the queue idle is one of them, the first.
  void await_returning(Waiter& self, bool first) {
    const Clock::duration patience = std::min(last_write_ / 3, kPatienceMax);
    {
      std::lock_guard lock(mutex_);
      wanted_ = first ? answered_ : waiters_.size() + answered_;
      if (wanted_ <= waiters_.size() || Clock::now() - finished_ > patience) return;
      if (rest_ > 0) {
        --rest_;
        return;
      }
      patient_ = &self;
    }
    if (self.wait_for(patience)) {
      next_rest_ = 1;
      return;
    }
    std::unique_lock lock(mutex_);
    if (!patient_) {  // called at the last moment
      lock.unlock();
      (void)self.wait();
      return;
    }
    patient_ = nullptr;
    if (waiters_.size() * 4 >= wanted_ * 3) return;  // most of them came
    rest_ = next_rest_;
    next_rest_ = std::min(next_rest_ * 2, kRestMax);
  }

  std::size_t take_group() {
    std::lock_guard lock(mutex_);
    group_requests_.clear();
    std::size_t bytes = 0;
    for (Waiter* waiter : waiters_) {
      bytes += waiter->request->bytes;
      if (!group_requests_.empty() && bytes > kGroupBytesMax) break;
      if (group_requests_.size() == kGroupRequestsMax) break;
      group_requests_.push_back(waiter->request);
    }
    return group_requests_.size();
  }

  // The next leader is woken first: its write can begin while the answered callers wake up.
  void finish_group(std::size_t taken, Waiter& self) {
    Waiter* next = nullptr;
    std::vector<Waiter*> answered;
    {
      std::lock_guard lock(mutex_);
      answered.assign(waiters_.begin(), waiters_.begin() + static_cast<std::ptrdiff_t>(taken));
      waiters_.erase(waiters_.begin(), waiters_.begin() + static_cast<std::ptrdiff_t>(taken));
      if (!waiters_.empty()) next = waiters_.front();
      answered_ = taken;
      finished_ = Clock::now();
    }
    if (next) next->call(Turn::kLeader);
    for (Waiter* waiter : answered) {
      if (waiter != &self) waiter->call(Turn::kDone);
    }
  }

  std::mutex mutex_;
  std::deque<Waiter*> waiters_;
  Waiter* patient_ = nullptr;  // the leader that waits for others to come back
  std::size_t wanted_ = 0;     // until so many wait
  std::size_t answered_ = 0;   // the size of the last group
  Clock::time_point finished_{};
  // The leader's own:
  std::vector<Request*> group_requests_;
  Clock::duration last_write_{};
  unsigned rest_ = 0, next_rest_ = 1;  // how many groups to go on without waiting
};

}  // namespace wardiary::stored

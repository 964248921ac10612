// Many callers, one writer at a time. Whoever finds the queue idle becomes the leader and writes at
// once in its own thread; whoever comes while a write is under way waits, and the next leader takes
// all that wait as one group: one batch, one sync, however many callers. With many callers two
// halves alternate: one hashes and encodes while the other is being written. (Waiting for both
// halves to come together was tried: larger groups, fewer commits per second.)
#pragma once

#include <semaphore.h>

#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

namespace wardiary::embedded {

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
    }
    if (!idle && self.wait() == Turn::kDone) return;
    const std::size_t taken = take_group();
    write(std::span<Request*>(group_requests_));
    finish_group(taken, self);
  }

 private:
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
    }
    if (next) next->call(Turn::kLeader);
    for (Waiter* waiter : answered) {
      if (waiter != &self) waiter->call(Turn::kDone);
    }
  }

  std::mutex mutex_;
  std::deque<Waiter*> waiters_;
  std::vector<Request*> group_requests_;  // the leader's own
};

}  // namespace wardiary::embedded

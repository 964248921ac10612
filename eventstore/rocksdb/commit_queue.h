// Many callers, one writer at a time. Whoever finds the queue idle becomes the leader and writes at
// once in its own thread; whoever comes while a write is under way waits, and the next leader takes
// all that wait as one group: one batch, one sync, however many callers.
#pragma once

#include <atomic>
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
    Waiter self{&request};
    {
      std::lock_guard lock(mutex_);
      waiters_.push_back(&self);
      if (waiters_.size() == 1) self.state.store(kLeader, std::memory_order_relaxed);
    }
    self.state.wait(kWaiting, std::memory_order_acquire);
    if (self.state.load(std::memory_order_acquire) == kDone) return;
    const std::size_t taken = take_group();
    write(std::span<Request*>(group_requests_));
    finish_group(taken, self);
  }

 private:
  static constexpr int kWaiting = 0, kLeader = 1, kDone = 2;
  struct Waiter {
    Request* request;
    std::atomic<int> state{kWaiting};
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
    if (next) wake(*next, kLeader);
    for (Waiter* waiter : answered) {
      if (waiter != &self) wake(*waiter, kDone);
    }
  }

  // The waiter may be gone as soon as its state is stored; notify_one only uses the address.
  static void wake(Waiter& waiter, int state) {
    waiter.state.store(state, std::memory_order_release);
    waiter.state.notify_one();
  }

  std::mutex mutex_;
  std::deque<Waiter*> waiters_;
  std::vector<Request*> group_requests_;  // the leader's own
};

}  // namespace wardiary::embedded

// Threads for handlers that may block or compute, and a bounded queue before them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wardiary::http {

class WorkerPool {
 public:
  WorkerPool(unsigned threads, std::size_t queued_max) : queued_max_(queued_max) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~WorkerPool() { stop(); }

  // False when the queue is full or the pool has stopped: the job is then not taken.
  bool post(std::function<void()> job) {
    {
      std::lock_guard lock(mutex_);
      if (stopping_ || jobs_.size() >= queued_max_) return false;
      jobs_.push_back(std::move(job));
    }
    ready_.notify_one();
    return true;
  }

  std::size_t queued() const {
    std::lock_guard lock(mutex_);
    return jobs_.size();
  }

  // Drops what is queued and waits for what runs.
  void stop() {
    std::deque<std::function<void()>> dropped;
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      dropped.swap(jobs_);
    }
    ready_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
    }
  }

  const std::size_t queued_max_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

}  // namespace wardiary::http

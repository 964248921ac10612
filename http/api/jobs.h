// Work that takes longer than a request should: started by one request, watched and cancelled by
// others. Jobs live in memory; a restart forgets them, and asking again starts them again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

namespace wardiary::http {

class Jobs {
 public:
  static constexpr std::size_t kWaitingMax = 20;  // then kLimit
  static constexpr std::size_t kKeptMax = 200;    // finished ones; the oldest go first

  enum class State : std::uint8_t { kWaiting, kRunning, kDone, kFailed, kCancelled };

  // What the work tells and is told while it runs.
  struct Progress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};  // 0: not known
    std::atomic<bool> cancelled{false};
  };
  // Gives the result as JSON text.
  using Work = std::function<Result<std::string>(Progress&)>;

  struct Job {
    Id id;
    std::string kind;  // "sweep"
    Id game;
    std::string owner;  // who may look at it, besides the referee
    State state = State::kWaiting;
    std::uint64_t started_at_ms = 0;
    std::uint64_t done = 0, total = 0;
    std::string result;  // for kDone
    Error error;         // for kFailed
  };

  explicit Jobs(unsigned threads = 1);
  ~Jobs();  // cancels what is left and waits for it

  Result<Id> start(std::string kind, const Id& game, std::string owner, std::uint64_t now_ms,
                   Work work);
  std::optional<Job> find(const Id& id) const;
  // The jobs of a game, newest first.
  std::vector<Job> of_game(const Id& game) const;
  // The work stops at its next look; its result is dropped. A finished job is forgotten.
  void cancel(const Id& id);

  struct Counts {
    std::size_t waiting = 0, running = 0;
    std::uint64_t finished = 0;  // since the start
  };
  Counts counts() const;

 private:
  struct Entry {
    Job job;
    Work work;
    Progress progress;
    std::uint64_t number = 0;
  };
  void run();
  void forget_old();
  static Job seen(const Entry& entry);

  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::map<Id, std::shared_ptr<Entry>> entries_;
  std::deque<std::shared_ptr<Entry>> waiting_;
  std::uint64_t started_ = 0;
  std::size_t running_ = 0;
  std::uint64_t finished_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

std::string_view name_of(Jobs::State state);

}  // namespace wardiary::http

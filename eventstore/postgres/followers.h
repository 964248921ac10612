// Who waits for news of which branch in this process. Commits of this process are told as they
// land; those of other processes are found by asking, a few times a second, where the watched
// branches stand: one question for all of them, and none while nobody waits. Versions are dense and
// only grow, so whoever reads on from the last version it has seen misses nothing.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "eventstore/event_store.h"

namespace wardiary::postgres {

class Followers {
 public:
  using Listener = std::function<void(const BranchId&, Version)>;
  using Heads = std::vector<std::pair<BranchId, Version>>;
  // Where these branches stand now; an error is passed over until the next time.
  using Ask = std::function<Result<Heads>(const std::vector<BranchId>&)>;

  Followers(std::uint32_t poll_ms, Ask ask);
  ~Followers() { stop(); }

  void set_listener(Listener listener);
  void watch(const BranchId& branch, bool on);
  // A branch has come to `version`, by a commit of this process if `own`.
  void tell(const BranchId& branch, Version version, bool own);
  // Until the branch is beyond `after`, the time has passed or stop() was called; the newest
  // version known. `now` is asked once, after the wait has begun.
  Result<Version> wait(const BranchId& branch, Version after, std::uint32_t timeout_ms,
                       const std::function<Result<Version>()>& now);
  void stop();

 private:
  struct Watched {
    Version seen = 0;
    int waiting = 0;
    bool listened = false;
  };
  void work();

  const std::chrono::milliseconds poll_;
  const Ask ask_;
  std::mutex mutex_;
  std::condition_variable changed_, wanted_;
  std::map<BranchId, Watched> watched_;
  bool stopping_ = false;
  std::shared_mutex listener_mutex_;
  Listener listener_;
  std::thread thread_;  // started when somebody first waits
};

}  // namespace wardiary::postgres

// The connections of one process to one cluster: taken for one question or transaction, given back,
// opened when needed. A server that goes away is looked for again, in the order of the hosts of the
// uri, until somebody takes writes or the caller's patience ends.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "eventstore/postgres/connection.h"
#include "eventstore/postgres_store.h"

namespace wardiary::postgres {

class Pool {
 public:
  explicit Pool(const PostgresOptions& options);

  // A connection in use. Given back when it is gone; thrown away if it is no longer usable.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (connection_) pool_->give_back(std::move(connection_));
    }
    Connection* operator->() { return connection_.get(); }

   private:
    Pool* pool_;
    std::unique_ptr<Connection> connection_;
  };
  // One attempt: waits for a free connection, or opens one.
  Answer<Lease> take(Deadline deadline);

  // Asks until there is an answer: again after a lost connection or a lock that took too long,
  // until the patience ends. Only for what may be done twice.
  Result<Rows> ask(const Statement& statement, const Params& params);
  Result<std::vector<Rows>> ask_all(std::span<const Call> calls);

  Deadline answer_deadline() const { return Clock::now() + answer_timeout_; }
  Deadline patience() const { return Clock::now() + patience_; }
  // Gives up all idle connections (a server was lost, the others may be too).
  void drop_idle();
  // Sets what new connections are told first.
  void set_setup(const std::string& setup);
  std::uint64_t reconnects() const;

 private:
  void give_back(std::unique_ptr<Connection> connection);
  template <class T>
  Result<T> insist(const std::function<Answer<T>(Connection&)>& ask);

  const std::string uri_;
  const std::size_t size_max_;
  const int connect_seconds_;
  const Clock::duration answer_timeout_, patience_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t open_ = 0;  // idle and in use
  std::uint64_t lost_ = 0;
  std::string setup_;
};

// Waits a little, longer from time to time, never beyond the deadline. False if that has passed.
class Backoff {
 public:
  explicit Backoff(Deadline deadline) : deadline_(deadline) {}
  bool wait();

 private:
  const Deadline deadline_;
  std::chrono::milliseconds next_{10};
};

}  // namespace wardiary::postgres

#include "eventstore/postgres/pool.h"

#include <algorithm>
#include <thread>

namespace wardiary::postgres {
namespace {

constexpr std::chrono::milliseconds kBackoffMax{500};

}  // namespace

bool Backoff::wait() {
  const auto now = Clock::now();
  if (now >= deadline_) return false;
  std::this_thread::sleep_for(std::min<Clock::duration>(next_, deadline_ - now));
  next_ = std::min(next_ * 2, kBackoffMax);
  return true;
}

Pool::Pool(const PostgresOptions& options)
    : uri_(options.uri),
      size_max_(std::max<std::size_t>(options.connections_max, 2)),
      connect_seconds_(options.connect_seconds),
      answer_timeout_(std::chrono::milliseconds(options.answer_timeout_ms)),
      patience_(std::chrono::milliseconds(options.patience_ms)) {}

void Pool::set_setup(const std::string& setup) {
  std::lock_guard lock(mutex_);
  setup_ = setup;
}

std::uint64_t Pool::reconnects() const {
  std::lock_guard lock(mutex_);
  return lost_;
}

Answer<Pool::Lease> Pool::take(Deadline deadline) {
  std::string setup;
  {
    std::unique_lock lock(mutex_);
    const bool free =
        freed_.wait_until(lock, deadline, [&] { return !idle_.empty() || open_ < size_max_; });
    if (!free) {
      return Failure{Failure::Kind::kAgain, "", "all connections to PostgreSQL are in use"};
    }
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return Lease(*this, std::move(connection));
    }
    ++open_;
    setup = setup_;
  }
  auto opened = Connection::open(uri_, connect_seconds_, setup);
  if (opened) return Lease(*this, std::move(*opened));
  std::lock_guard lock(mutex_);
  --open_;
  freed_.notify_one();
  Failure failure = opened.failure();
  failure.kind = Failure::Kind::kAgain;  // nothing was asked yet
  return failure;
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
  std::unique_ptr<Connection> gone;  // closed after the lock is
  std::lock_guard lock(mutex_);
  if (connection->usable()) {
    idle_.push_back(std::move(connection));
  } else {
    gone = std::move(connection);
    --open_;
    ++lost_;
  }
  freed_.notify_one();
}

void Pool::drop_idle() {
  std::vector<std::unique_ptr<Connection>> gone;
  std::lock_guard lock(mutex_);
  open_ -= idle_.size();
  gone.swap(idle_);
}

template <class T>
Result<T> Pool::insist(const std::function<Answer<T>(Connection&)>& ask) {
  Backoff backoff(patience());
  for (;;) {
    Failure failure;
    auto lease = take(answer_deadline());
    if (lease) {
      auto answer = ask(*(*lease).operator->());
      if (answer) return std::move(*answer);
      failure = answer.failure();
      if (failure.kind == Failure::Kind::kLost) drop_idle();
    } else {
      failure = lease.failure();
    }
    const bool again =
        failure.kind == Failure::Kind::kLost || failure.kind == Failure::Kind::kAgain;
    if (!again) return failure.error();
    if (!backoff.wait()) return Error{ErrorCode::kIo, "PostgreSQL: " + failure.text};
  }
}

Result<Rows> Pool::ask(const Statement& statement, const Params& params) {
  return insist<Rows>([&](Connection& c) {
    return c.run({&statement, params}, answer_deadline());
  });
}

Result<std::vector<Rows>> Pool::ask_all(std::span<const Call> calls) {
  return insist<std::vector<Rows>>(
      [&](Connection& c) { return c.transact(calls, answer_deadline()); });
}

}  // namespace wardiary::postgres

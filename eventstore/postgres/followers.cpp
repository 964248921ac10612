#include "eventstore/postgres/followers.h"

namespace wardiary::postgres {

Followers::Followers(std::uint32_t poll_ms, Ask ask)
    : poll_(std::max(1u, poll_ms)), ask_(std::move(ask)) {}

void Followers::set_listener(Listener listener) {
  std::unique_lock lock(listener_mutex_);
  listener_ = std::move(listener);
}

void Followers::watch(const BranchId& branch, bool on) {
  std::lock_guard lock(mutex_);
  if (stopping_) return;
  if (on) {
    watched_[branch].listened = true;
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    wanted_.notify_all();
    return;
  }
  const auto it = watched_.find(branch);
  if (it == watched_.end()) return;
  it->second.listened = false;
  if (it->second.waiting == 0) watched_.erase(it);
}

void Followers::tell(const BranchId& branch, Version version, bool own) {
  std::shared_lock listening(listener_mutex_);
  bool news = own;
  {
    std::lock_guard lock(mutex_);
    const auto it = watched_.find(branch);
    if (it != watched_.end()) {
      news = version > it->second.seen;
      it->second.seen = std::max(it->second.seen, version);
      changed_.notify_all();
    }
  }
  if (news && listener_) listener_(branch, version);
}

Result<Version> Followers::wait(const BranchId& branch, Version after, std::uint32_t timeout_ms,
                                const std::function<Result<Version>()>& now) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  const Error closed{ErrorCode::kClosed, "the store is closed"};
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return closed;
    ++watched_[branch].waiting;  // before looking: what comes after the look is then found
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    wanted_.notify_all();
  }
  auto version = now();
  std::unique_lock lock(mutex_);
  Watched& watched = watched_[branch];
  if (version) {
    watched.seen = std::max(watched.seen, *version);
    const auto ended = [&] { return stopping_ || watched.seen > after; };
    changed_.wait_until(lock, deadline, ended);
    version = watched.seen;
    if (stopping_) version = closed;
  }
  if (--watched.waiting == 0 && !watched.listened) watched_.erase(branch);
  return version;
}

void Followers::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wanted_.wait(lock, [&] { return stopping_ || !watched_.empty(); });
    if (stopping_) break;
    std::vector<BranchId> branches;
    for (const auto& [branch, watched] : watched_) branches.push_back(branch);
    lock.unlock();
    auto heads = ask_(branches);
    if (heads) {
      for (const auto& [branch, version] : *heads) tell(branch, version, false);
    }
    lock.lock();
    wanted_.wait_for(lock, poll_, [&] { return stopping_; });
  }
}

void Followers::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  wanted_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace wardiary::postgres

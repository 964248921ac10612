#include "http/api/jobs.h"

#include <algorithm>

#include "replay/referee.h"

namespace wardiary::http {

std::string_view name_of(Jobs::State state) {
  constexpr std::string_view kNames[] = {"waiting", "running", "done", "failed", "cancelled"};
  return kNames[static_cast<std::size_t>(state)];
}

Jobs::Jobs(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Jobs::~Jobs() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    waiting_.clear();
    for (auto& [id, entry] : entries_) entry->progress.cancelled = true;
  }
  ready_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

Result<Id> Jobs::start(std::string kind, const Id& game, std::string owner, std::uint64_t now_ms,
                       Work work) {
  auto entry = std::make_shared<Entry>();
  entry->job.id = random_id();
  entry->job.kind = std::move(kind);
  entry->job.game = game;
  entry->job.owner = std::move(owner);
  entry->job.started_at_ms = now_ms;
  entry->work = std::move(work);
  std::lock_guard lock(mutex_);
  if (stopping_) return Error{ErrorCode::kClosed, "the service is shutting down"};
  if (waiting_.size() >= kWaitingMax) {
    return Error{ErrorCode::kLimit, "too many jobs are waiting; ask again later"};
  }
  entry->number = ++started_;
  forget_old();
  entries_.emplace(entry->job.id, entry);
  waiting_.push_back(entry);
  ready_.notify_one();
  return entry->job.id;
}

void Jobs::forget_old() {
  if (entries_.size() < kKeptMax) return;
  auto oldest = entries_.end();
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    const State state = it->second->job.state;
    if (state == State::kWaiting || state == State::kRunning) continue;
    if (oldest == entries_.end() || it->second->number < oldest->second->number) oldest = it;
  }
  if (oldest != entries_.end()) entries_.erase(oldest);
}

void Jobs::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ready_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    auto entry = waiting_.front();
    waiting_.pop_front();
    entry->job.state = State::kRunning;
    ++running_;
    lock.unlock();
    Result<std::string> result = Error{ErrorCode::kIo, ""};
    try {
      result = entry->work(entry->progress);
    } catch (const std::exception&) {
      // Out of memory, say. What went wrong is internal.
    }
    lock.lock();
    --running_;
    ++finished_;
    entry->work = nullptr;
    if (entry->progress.cancelled) {
      entry->job.state = State::kCancelled;
    } else if (result) {
      entry->job.state = State::kDone;
      entry->job.result = std::move(*result);
    } else {
      entry->job.state = State::kFailed;
      entry->job.error = result.error();
    }
  }
}

Jobs::Job Jobs::seen(const Entry& entry) {
  Job out = entry.job;
  out.done = entry.progress.done;
  out.total = entry.progress.total;
  if (out.state == State::kRunning && entry.progress.cancelled) out.state = State::kCancelled;
  return out;
}

std::optional<Jobs::Job> Jobs::find(const Id& id) const {
  std::lock_guard lock(mutex_);
  auto found = entries_.find(id);
  return found == entries_.end() ? std::nullopt : std::optional(seen(*found->second));
}

std::vector<Jobs::Job> Jobs::of_game(const Id& game) const {
  std::lock_guard lock(mutex_);
  std::vector<const Entry*> found;
  for (const auto& [id, entry] : entries_) {
    if (entry->job.game == game) found.push_back(entry.get());
  }
  std::sort(found.begin(), found.end(),
            [](const Entry* a, const Entry* b) { return a->number > b->number; });
  std::vector<Job> out;
  for (const Entry* entry : found) out.push_back(seen(*entry));
  return out;
}

void Jobs::cancel(const Id& id) {
  std::lock_guard lock(mutex_);
  auto found = entries_.find(id);
  if (found == entries_.end()) return;
  Entry& entry = *found->second;
  if (entry.job.state == State::kRunning) {
    entry.progress.cancelled = true;
    return;
  }
  if (entry.job.state == State::kWaiting) std::erase(waiting_, found->second);
  entries_.erase(found);
}

Jobs::Counts Jobs::counts() const {
  std::lock_guard lock(mutex_);
  return {waiting_.size(), running_, finished_};
}

}  // namespace wardiary::http

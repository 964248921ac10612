// How a group of waiting writes reaches the disk (see commit_queue.h for who writes it).
#include "eventstore/rocksdb/store.h"

namespace wardiary::embedded {
namespace {

constexpr std::uint64_t kGroupsPerSpaceCheck = 64;

}  // namespace

void Store::run(Request& request) {
  queue_.run(request, [this](std::span<Request*> requests) { write_group(requests); });
}

Status Store::outcome_of(const Request& request) const {
  return request.outcome == Request::Outcome::kLanded ? Status(Done{}) : Status(request.error);
}

// Refusing while there is still room keeps a full disk from tearing a commit.
Status Store::check_space() {
  if (groups_until_space_check_-- > 0) return Done{};
  std::uint64_t free = 0;
  const auto status = engine_->env()->GetFreeSpace(dir_.database().string(), &free);
  const bool full = status.ok() && free < options_.reserve_bytes;
  groups_until_space_check_ = full ? 0 : kGroupsPerSpaceCheck;
  if (!full) return Done{};
  return Error{ErrorCode::kFull, "only " + std::to_string(free >> 20) + " MiB are free in " +
                                     dir_.root.string() + "; nothing was written"};
}

void Store::write_group(std::span<Request*> requests) {
  const auto refuse = [&](const Error& error) {
    for (Request* request : requests) {
      request->outcome = Request::Outcome::kFailed;
      request->error = error;
    }
  };
  if (state_.load() == State::kFailed) {
    return refuse({ErrorCode::kIo, "the store is read-only since a write failed; open it again"});
  }
  if (Status s = check_space(); !s) return refuse(s.error());

  Group group;
  bool sync = false;
  std::vector<Request*> planned;
  planned.reserve(requests.size());
  for (Request* request : requests) {
    request->outcome = Request::Outcome::kStale;
    if (!request->plan(group)) continue;
    planned.push_back(request);
    sync = sync || request->sync;
  }
  if (planned.empty()) return;
  for (const auto& [game, head] : group.games) {
    if (head.frontier.size() > 0) {
      engine_->put(group.batch, Family::kHeads, game_head_key(game), game_head_body(head));
    }
  }
  rocksdb::WriteOptions options;
  options.sync = sync;
  const auto status = engine_->db().Write(options, &group.batch);
  if (!status.ok()) return failed(planned, status);
  if (sync) ++syncs_;
  unsynced_.store(!sync);
  landed(planned, group);
}

void Store::landed(std::span<Request*> requests, Group& group) {
  heads_.change([&](BranchMap& branches, GameMap& games) {
    for (Request* request : requests) {
      if (request->landed) request->landed(branches);
      request->outcome = Request::Outcome::kLanded;
    }
    for (auto& [game, head] : group.games) games[game] = std::move(head);
  });
  std::shared_lock lock(listener_mutex_);
  for (Request* request : requests) {
    if (!request->news) continue;
    tell(request->news->first, request->news->second);
    if (listener_) listener_(request->news->first, request->news->second);
  }
}

// Whether the bytes reached the disk cannot be known, and after a failed sync a later success would
// prove nothing either: from here on this store acknowledges no more writes.
void Store::failed(std::span<Request*> requests, const rocksdb::Status& status) {
  State open = State::kOpen;
  state_.compare_exchange_strong(open, State::kFailed);
  Error error =
      error_of(status, "the write failed; what became of it shows when the store is open again");
  if (error.code != ErrorCode::kFull) error.code = ErrorCode::kUnknown;
  for (Request* request : requests) {
    request->outcome = Request::Outcome::kFailed;
    request->error = error;
  }
}

}  // namespace wardiary::embedded

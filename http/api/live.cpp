#include "http/api/live.h"

#include <algorithm>

#include "eventstore/log_keeper.h"
#include "http/api/service.h"

namespace wardiary::http {

std::string version_message(Version version) {
  const std::string number = std::to_string(version);
  return sse_event(number, "version", "{\"version\":" + number + "}");
}

std::shared_ptr<Stream> Live::follow(const BranchId& branch) {
  auto stream = std::make_shared<Stream>();
  std::lock_guard lock(mutex_);
  followers_[branch].push_back(stream);
  return stream;
}

bool Live::tell(const BranchId& branch, Version version) {
  std::lock_guard lock(mutex_);
  auto found = followers_.find(branch);
  if (found == followers_.end()) return false;
  const SharedBytes message = share(version_message(version));
  auto gone = [&](const std::weak_ptr<Stream>& weak) {
    auto stream = weak.lock();
    return !stream || stream->send(message) == Stream::Sent::kClosed;
  };
  auto& list = found->second;
  list.erase(std::remove_if(list.begin(), list.end(), gone), list.end());
  if (!list.empty()) return true;
  followers_.erase(found);
  return false;
}

bool Live::is_followed(const BranchId& branch) const {
  std::lock_guard lock(mutex_);
  return followers_.contains(branch);
}

std::size_t Live::followers() const {
  std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& [branch, list] : followers_) count += list.size();
  return count;
}

namespace {

// A message with the current version at once, then one per commit. A reader that comes back catches
// up by reading events after the last version it has seen: no gap.
Answer get_stream(const Scene& scene) {
  auto stream = scene.service.live->follow(scene.branch.branch);
  // Where several services share a store, the others' commits are to be heard of too.
  if (LogKeeper* keeper = LogKeeper::of(scene.service.store)) {
    keeper->watch(scene.branch.branch, true);
  }
  // Asked again after joining the followers, so that no commit falls between.
  auto now = scene.service.store.branch(scene.branch.branch);
  stream->send(version_message(now ? now->version : scene.branch.version));
  return stream_response(std::move(stream));
}

}  // namespace

void add_live_routes(Routes& routes) {
  routes.add(Method::kGet, "/stream", get_stream);
}

}  // namespace wardiary::http

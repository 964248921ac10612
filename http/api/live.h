// Live streams: who follows which branch, told of every new version.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "eventstore/event_store.h"
#include "http/server/stream.h"

namespace wardiary::http {

class Live {
 public:
  // The stream that will be told of every version of the branch from now on.
  std::shared_ptr<Stream> follow(const BranchId& branch);
  // Tells all followers. Quick: one shared string, no waiting; a follower whose buffer is full
  // misses nothing, because the next message it gets carries a later version.
  // False if there are none (any more).
  bool tell(const BranchId& branch, Version version);
  bool is_followed(const BranchId& branch) const;
  std::size_t followers() const;  // those that have left are counted until the next message

 private:
  mutable std::mutex mutex_;
  std::map<BranchId, std::vector<std::weak_ptr<Stream>>> followers_;
};

// {"version":N} as a server-sent event whose id is N.
std::string version_message(Version version);

}  // namespace wardiary::http

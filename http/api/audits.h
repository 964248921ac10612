// Audits asked for over HTTP. Running a whole game again costs seconds, so a report is kept until the
// game has grown, and only a few audits run at a time.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "replay/audit.h"

namespace wardiary::http {

class Audits {
 public:
  static constexpr std::size_t kKeptMax = 200;

  struct Kept {
    std::uint64_t tree_size = 0;
    std::uint64_t at_ms = 0;
    AuditReport report;
  };

  Audits(EventStore& store, Library& library) : store_(store), library_(library) {}
  // The report on the game as it is now. One audit at a time: the next asker waits and mostly finds
  // the answer there.
  Result<std::shared_ptr<const Kept>> of(const GameId& game, std::uint64_t now_ms);

 private:
  EventStore& store_;
  Library& library_;
  std::mutex running_;
  std::map<GameId, std::shared_ptr<const Kept>> kept_;
};

}  // namespace wardiary::http

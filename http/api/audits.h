// Audits asked for over HTTP. Running a whole game again costs seconds, so a report is kept until
// the game has grown, and only a few audits run at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>

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
  Result<std::shared_ptr<const Kept>> of(const GameId& game, std::uint64_t now_ms,
                                         const std::function<void(std::uint64_t)>& progress = {});

 private:
  EventStore& store_;
  Library& library_;
  std::mutex running_;
  std::map<GameId, std::shared_ptr<const Kept>> kept_;
};

// As the API answers it. What was recorded and expected may be hidden while the game runs; that and
// where something is wrong is not.
nlohmann::json kept_json(const Audits::Kept& kept, bool open);

}  // namespace wardiary::http

// Counts for Prometheus: requests and latencies by route, and gauges that are asked for when they
// are read. Counting costs a look-up and three additions, without a lock.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "http/server/server.h"

namespace wardiary::http {

class Metrics {
 public:
  // One line per route; call once, before requests come.
  void learn(const Router& router);
  void seen(const AccessRecord& record);

  // The text form (version 0.0.4) of everything counted here.
  std::string text() const;

 private:
  // Upper bounds in microseconds; the last bucket takes the rest.
  static constexpr std::array<std::uint64_t, 12> kBounds = {
      100, 250, 500, 1'000, 2'500, 5'000, 10'000, 50'000, 100'000, 500'000, 1'000'000, 5'000'000};
  struct Slot {
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> buckets{};
    std::array<std::atomic<std::uint64_t>, 6> by_class{};  // 1xx..5xx, at 1..5
    std::atomic<std::uint64_t> micros{0}, bytes_in{0}, bytes_out{0};
  };
  static std::string key_of(Method method, std::string_view route);

  std::map<std::string, std::unique_ptr<Slot>, std::less<>> slots_;  // "GET /games"
  Slot other_;                                                       // what no route took
};

// One gauge or counter as Prometheus reads it.
void append_metric(std::string& out, std::string_view name, std::string_view type,
                   std::string_view help, double value);

}  // namespace wardiary::http

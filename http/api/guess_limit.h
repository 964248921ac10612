// Slows down who tries tokens: an address that sent many unknown ones within a minute must wait,
// also with a right one that was not seen before. A token that is known to be good stays good, so
// one guest at a club's address does not lock out the others.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <unordered_map>

namespace wardiary::http {

class GuessLimit {
 public:
  static constexpr unsigned kFailuresMax = 20;  // per address and window
  static constexpr std::chrono::seconds kWindow{60};
  static constexpr std::size_t kAddressesMax = 10'000;

  using Time = std::chrono::steady_clock::time_point;

  bool may_try(const std::string& peer, Time now);
  void failed(const std::string& peer, Time now);

 private:
  struct Failures {
    Time since;
    unsigned count = 0;
  };
  void make_room(Time now);

  std::mutex mutex_;
  std::unordered_map<std::string, Failures> by_address_;
};

// The part of an address that one customer holds: all of an IPv4 address, the first 64 bits of an
// IPv6 one.
std::string network_of(const std::string& peer);

}  // namespace wardiary::http

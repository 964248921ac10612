#include "http/api/guess_limit.h"

#include <arpa/inet.h>

#include <algorithm>
#include <iterator>

namespace wardiary::http {

std::string network_of(const std::string& peer) {
  in6_addr address{};
  if (inet_pton(AF_INET6, peer.c_str(), &address) != 1) return peer;
  if (IN6_IS_ADDR_V4MAPPED(&address)) return peer;
  std::fill(std::begin(address.s6_addr) + 8, std::end(address.s6_addr), std::uint8_t{0});
  char text[INET6_ADDRSTRLEN];
  return inet_ntop(AF_INET6, &address, text, sizeof text) ? text : peer;
}

bool GuessLimit::may_try(const std::string& peer, Time now) {
  std::lock_guard lock(mutex_);
  if (by_address_.empty()) return true;
  auto found = by_address_.find(network_of(peer));
  if (found == by_address_.end()) return true;
  if (now - found->second.since >= kWindow) {
    by_address_.erase(found);
    return true;
  }
  return found->second.count < kFailuresMax;
}

void GuessLimit::failed(const std::string& peer, Time now) {
  std::lock_guard lock(mutex_);
  if (by_address_.size() >= kAddressesMax) make_room(now);
  Failures& failures = by_address_[network_of(peer)];
  if (failures.count == 0 || now - failures.since >= kWindow) failures = {now, 0};
  ++failures.count;
}

// What has expired goes; if nothing has, everything does: better a fresh start than no memory left.
void GuessLimit::make_room(Time now) {
  std::erase_if(by_address_,
                [&](const auto& entry) { return now - entry.second.since >= kWindow; });
  if (by_address_.size() >= kAddressesMax) by_address_.clear();
}

}  // namespace wardiary::http

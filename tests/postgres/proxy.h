// A TCP relay in front of a server that cuts the connection after so many bytes have passed, in
// either direction: a lost connection in whatever state one likes.
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <limits>
#include <thread>
#include <vector>

namespace wardiary::testing {

class Proxy {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  explicit Proxy(int server_port) : server_port_(server_port) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    (void)::bind(listener_, reinterpret_cast<sockaddr*>(&address), length);
    (void)::listen(listener_, 64);
    (void)::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~Proxy() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
    for (std::thread& relay : relays_) relay.join();
  }
  int port() const { return port_; }
  // From now on: so many more bytes to the server, or to the client, then every connection that
  // carries one more is cut. Once; afterwards everything passes again.
  void cut_after(std::int64_t to_server, std::int64_t to_client) {
    to_server_ = to_server;
    to_client_ = to_client;
    armed_ = true;
  }
  bool armed() const { return armed_; }
  void disarm() { armed_ = false; }

 private:
  static sockaddr_in loopback(int port) {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    out.sin_port = htons(static_cast<std::uint16_t>(port));
    return out;
  }
  void accept_all() {
    for (;;) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      relays_.emplace_back([this, client] { relay(client); });
    }
  }
  void relay(int client) {
    const int server = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(server_port_);
    if (::connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
      pollfd fds[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
      while (!stopping_) {
        if (::poll(fds, 2, 50) < 0) break;
        if (fds[0].revents != 0 && !pass(client, server, to_server_)) break;
        if (fds[1].revents != 0 && !pass(server, client, to_client_)) break;
      }
    }
    // Reset rather than closed: nothing that is still under way arrives.
    const linger hard{1, 0};
    ::setsockopt(client, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    ::setsockopt(server, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    ::close(client);
    ::close(server);
  }
  bool pass(int from, int to, std::atomic<std::int64_t>& left) {
    char buffer[16384];
    const ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n <= 0) return false;
    ssize_t allowed = n;
    if (armed_) {
      const std::int64_t before = left.fetch_sub(n);
      if (before < n) {
        allowed = static_cast<ssize_t>(std::max<std::int64_t>(0, before));
        armed_ = false;
      }
    }
    for (ssize_t done = 0; done < allowed;) {
      const ssize_t m = ::write(to, buffer + done, static_cast<std::size_t>(allowed - done));
      if (m <= 0) return false;
      done += m;
    }
    return allowed == n;
  }

  const int server_port_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> stopping_{false}, armed_{false};
  std::atomic<std::int64_t> to_server_{kNever}, to_client_{kNever};
  std::thread acceptor_;
  std::vector<std::thread> relays_;  // the acceptor's own until it has ended
};

}  // namespace wardiary::testing

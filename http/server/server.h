// Running servers. `start_server` opens the socket and returns; requests are served on the server's
// own threads until `drain` or destruction.
//
// Two back ends carry the same routes. The built-in one keeps every limit below. Crow, where it was
// found when this was built, keeps fewer: docs/http-server.md lists the differences.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/router.h"

namespace wardiary::http {

// Every one has a default that suits a server on the open internet. Deadlines are absolute: they
// run from the first byte (header, body, write) and are not re-armed by a trickle of bytes, but
// `rate_min` gives a large body or answer the time it needs: deadline + bytes so far / rate_min.
// They are checked once a second.
struct Limits {
  std::size_t header_bytes_max = 8u * 1024;             // request line and fields: 431
  std::size_t header_count_max = 100;                   // 431
  std::size_t body_bytes_max = 1024u * 1024;            // 413; a route may state its own
  std::size_t connections_max = 20'000;                 // 503 and closed
  std::size_t streams_max = 5'000;                      // 503
  std::size_t queued_max = 1'000;                       // requests waiting for a worker: 503
  std::size_t requests_per_connection_max = 1'000'000;  // then Connection: close
  std::size_t pipelined_bytes_max = 64u * 1024;         // answers gathered before they are written
  std::chrono::seconds header_deadline{10};
  std::chrono::seconds body_deadline{10};
  std::chrono::seconds write_deadline{10};
  std::chrono::seconds idle_deadline{60};     // between requests of a kept-alive connection
  std::chrono::seconds stream_heartbeat{15};  // ":\n\n" when nothing else was sent
  std::size_t rate_min = 16u * 1024;          // bytes per second
  std::size_t gzip_bytes_min = 1'400;         // smaller answers are not compressed
};

// One finished request, for logs and metrics. The views live for the duration of the call.
struct AccessRecord {
  Method method;
  std::string_view route;  // its pattern; empty when none matched
  std::string_view path;   // as sent, without the query (which may hold secrets)
  std::string_view peer;
  std::string_view id;
  int status;
  std::uint64_t micros;     // from the complete request to the answer, ready to be sent
  std::uint64_t bytes_in;   // of the body
  std::uint64_t bytes_out;  // of the body, as sent
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one, see Server::port
  unsigned io_threads = 1;
  unsigned worker_threads = 2;
  Limits limits;
  std::string tls_certificate_file;  // PEM chain; empty: no TLS
  std::string tls_key_file;
  bool behind_proxy = false;  // believe the last X-Forwarded-For address
  bool gzip = true;
  std::string name;  // value of the Server header; empty: none
  // Called on server threads, several at a time; must not block.
  std::function<void(const AccessRecord&)> on_access;
};

class Server {
 public:
  struct Counts {
    std::size_t connections = 0, streams = 0, queued = 0;
    std::uint64_t accepted = 0, refused = 0, cut = 0;  // since the start; cut: missed a deadline
  };

  virtual ~Server() = default;  // stops at once, if not drained before
  virtual std::uint16_t port() const = 0;
  virtual Counts counts() const = 0;
  // Stops accepting, closes idle connections and streams, lets running requests finish and their
  // answers go out, for `grace` at most. Returns when the last connection is closed.
  virtual void drain(std::chrono::milliseconds grace) = 0;
};

// "builtin", and "crow" where compiled in. The first one is the default (-DWARDIARY_HTTP=crow at
// configuration makes that Crow).
std::vector<std::string> backends();

// Fails with kInvalid for an unknown back end, wrong routes or unusable certificate files, and with
// kIo when the address cannot be listened on.
Result<std::unique_ptr<Server>> start_server(std::string_view backend, ServerOptions options,
                                             Router router);

// What `start_server` chooses from. `start_crow` fails where Crow was not compiled in.
Result<std::unique_ptr<Server>> start_builtin(ServerOptions options, Router router);
Result<std::unique_ptr<Server>> start_crow(ServerOptions options, Router router);

}  // namespace wardiary::http

// A server with a few routes of every kind, for http_conformance.py, http_abuse.py and
// bench_http.py. Prints its port on a line of its own and drains on SIGTERM.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "http/server/server.h"
#include "http/server/stream.h"

namespace wardiary::http {
namespace {

// Every subscriber gets the same numbered events; who falls behind catches up from its own number.
class Ticker {
 public:
  struct Reader {
    std::shared_ptr<Stream> stream;
    std::uint64_t next = 1;
  };

  Response subscribe(std::uint64_t after) {
    auto reader = std::make_shared<Reader>();
    reader->stream = std::make_shared<Stream>(16 * 1024);
    reader->next = after + 1;
    reader->stream->on_ready([this, weak = std::weak_ptr(reader)] {
      if (auto woken = weak.lock()) feed(*woken);
    });
    std::lock_guard lock(mutex_);
    readers_.push_back(reader);
    feed_locked(*reader);
    return stream_response(reader->stream);
  }

  void publish(std::uint64_t count, std::size_t bytes) {
    std::lock_guard lock(mutex_);
    for (std::uint64_t i = 0; i < count; ++i) {
      events_.push_back(
          share(sse_event(std::to_string(events_.size() + 1), "tick", std::string(bytes, 'x'))));
    }
    std::erase_if(readers_, [](const auto& reader) { return reader->stream->closed(); });
    for (auto& reader : readers_) feed_locked(*reader);
  }

  void close_all() {
    std::lock_guard lock(mutex_);
    for (auto& reader : readers_) reader->stream->close();
  }

 private:
  void feed(Reader& reader) {
    std::lock_guard lock(mutex_);
    feed_locked(reader);
  }
  void feed_locked(Reader& reader) {
    while (reader.next <= events_.size() &&
           reader.stream->send(events_[reader.next - 1]) == Stream::Sent::kOk) {
      ++reader.next;
    }
  }

  std::mutex mutex_;
  std::vector<SharedBytes> events_;
  std::vector<std::shared_ptr<Reader>> readers_;
};

std::string body_of(std::size_t size) {
  std::string text = "{\"pad\":\"";
  while (text.size() + 2 < size) {
    text.append(std::string_view("abcdefghijklmnopqrstuvwxyz").substr(0, size - 2 - text.size()));
  }
  return text + "\"}";
}

Response echo(const Request& request) {
  nlohmann::json values = nlohmann::json::object(), query = nlohmann::json::object();
  for (const PathValue& value : request.values) values[std::string(value.name)] = value.text;
  for (std::size_t i = 0; i < request.query.size(); ++i) {
    query[request.query[i].first] = request.query[i].second;
  }
  return json_response(200, {{"method", name_of(request.method)},
                             {"body_bytes", request.body.size()},
                             {"body", request.body.substr(0, 100)},
                             {"values", values},
                             {"query", query},
                             {"peer", request.peer}});
}

void add_plain_routes(Router& router) {
  const SharedBytes page = share(body_of(600));
  router.get(
      "/x",
      [page](const Request&) {
        Response response{200, {{"Content-Type", "application/json"}}, page};
        return response;
      },
      Run::kInline);
  router.post(
      "/x",
      [page](const Request&) {
        Response response{200, {{"Content-Type", "application/json"}}, page};
        return response;
      },
      Run::kInline);
  router.get("/pool", [page](const Request&) {
    Response response{200, {{"Content-Type", "application/json"}}, page};
    return response;
  });
  router.get("/echo/{text:text}", echo, Run::kInline, {"a", "b"});
  router.get("/number/{n:uint}", echo, Run::kInline);
  router.get("/game/{g:id}/events/{n:uint}", echo);
  router.get("/files/{file:path}", echo);
  router.post("/echo", echo);
  router.add({Method::kPost, "/large", echo, {}, Run::kPool, {}, 32 * 1024 * 1024});
  router.get("/big/{bytes:uint}", [](const Request& request) {
    return text_response(200, body_of(std::min<std::size_t>(request.path_uint("bytes"), 64 << 20)),
                         "application/octet-stream");
  });
  router.get(
      "/text/{bytes:uint}",
      [](const Request& request) {
        Response response =
            text_response(200, body_of(std::min<std::size_t>(request.path_uint("bytes"), 64 << 20)),
                          "text/plain");
        response.headers.add("ETag", "\"v1\"");
        return response;
      },
      Run::kInline);
  router.get("/sleep/{ms:uint}", [](const Request& request) {
    std::this_thread::sleep_for(std::chrono::milliseconds(request.path_uint("ms")));
    return text_response(200, "slept", "text/plain");
  });
  router.get("/throw", [](const Request&) -> Response { throw std::runtime_error("secret"); });
  router.get("/inject", [](const Request&) {
    Response response = text_response(200, "x", "text/plain");
    response.headers.add("X-Bad", "a\r\nSet-Cookie: b=c");
    return response;
  });
  router.get(
      "/none", [](const Request&) { return empty_response(204); }, Run::kInline);
}

void add_live_routes(Router& router, Ticker& ticker) {
  router.add({Method::kGet,
              "/later/{ms:uint}",
              {},
              [](const Request& request, Reply reply) {
                std::thread([ms = request.path_uint("ms"), reply = std::move(reply)]() mutable {
                  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
                  reply(text_response(200, "later", "text/plain"));
                }).detach();
              },
              Run::kInline,
              {},
              0});
  router.add({Method::kGet, "/dropped", {}, [](const Request&, Reply) {}, Run::kInline, {}, 0});
  router.get("/stream",
             [&ticker](const Request& request) {
               const auto after = request.query.get_uint("after", 1u << 30);
               if (!after) return problem(after.error());
               return ticker.subscribe(after->value_or(0));
             },
             Run::kInline, {"after"});
  router.post("/tick/{count:uint}/{bytes:uint}", [&ticker](const Request& request) {
    ticker.publish(std::min<std::uint64_t>(request.path_uint("count"), 100'000),
                   std::min<std::size_t>(request.path_uint("bytes"), 1 << 20));
    return empty_response(204);
  });
  router.post("/end", [&ticker](const Request&) {
    ticker.close_all();
    return empty_response(204);
  });
}

// The server's own counts, once it runs.
void add_counts_route(Router& router, std::atomic<Server*>& server) {
  router.get(
      "/counts",
      [&server](const Request&) {
        const Server* running = server;
        if (!running) return empty_response(503);
        const Server::Counts counts = running->counts();
        return json_response(200, {{"connections", counts.connections},
                                   {"streams", counts.streams},
                                   {"queued", counts.queued},
                                   {"accepted", counts.accepted},
                                   {"refused", counts.refused},
                                   {"cut", counts.cut}});
      },
      Run::kInline);
}

std::map<std::string, std::string> read_flags(int argc, char** argv) {
  std::map<std::string, std::string> flags;
  for (int i = 1; i + 1 < argc; i += 2) flags[argv[i]] = argv[i + 1];
  return flags;
}

int run(std::map<std::string, std::string> flags) {
  const auto number = [&](const char* name, long otherwise) {
    return flags.count(name) ? std::atol(flags[name].c_str()) : otherwise;
  };
  ServerOptions options;
  options.port = static_cast<std::uint16_t>(number("--port", 0));
  options.io_threads = static_cast<unsigned>(number("--io", 1));
  options.worker_threads = static_cast<unsigned>(number("--workers", 2));
  options.tls_certificate_file = flags["--cert"];
  options.tls_key_file = flags["--key"];
  options.behind_proxy = number("--proxy", 0) != 0;
  const std::chrono::seconds deadline(number("--deadline", 10));
  options.limits.header_deadline = options.limits.body_deadline = deadline;
  options.limits.write_deadline = deadline;
  options.limits.idle_deadline = std::chrono::seconds(number("--idle", 60));
  options.limits.stream_heartbeat = std::chrono::seconds(number("--heartbeat", 15));
  options.limits.connections_max = static_cast<std::size_t>(number("--connections", 20'000));
  options.limits.queued_max = static_cast<std::size_t>(number("--queued", 1'000));
  if (number("--log", 0)) {
    options.on_access = [](const AccessRecord& entry) {
      std::fprintf(stderr, "%s %s %s %d %s\n", std::string(entry.id).c_str(),
                   std::string(name_of(entry.method)).c_str(), std::string(entry.path).c_str(),
                   entry.status, std::string(entry.route).c_str());
    };
  }
  Ticker ticker;
  Router router;
  add_plain_routes(router);
  add_live_routes(router, ticker);
  std::atomic<Server*> running = nullptr;
  add_counts_route(router, running);
  auto server = start_server(flags.count("--http") ? flags["--http"] : backends().front(),
                             std::move(options), std::move(router));
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().text.c_str());
    return 1;
  }
  running = server->get();
  std::printf("%u\n", (*server)->port());
  std::fflush(stdout);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  int signal = 0;
  sigwait(&set, &signal);
  (*server)->drain(std::chrono::milliseconds(number("--grace", 10'000)));
  return 0;
}

}  // namespace
}  // namespace wardiary::http

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const std::string& name : wardiary::http::backends()) std::printf("%s\n", name.c_str());
    return 0;
  }
  // Blocked before any thread starts, so that only sigwait takes them.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return wardiary::http::run(wardiary::http::read_flags(argc, argv));
}

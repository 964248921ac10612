// The Crow back end, compiled where CMake finds Crow. Crow routes everything to one function and
// our router does the rest, so both back ends answer alike. What Crow cannot do
// (docs/http-server.md has the list) is answered plainly: 501 for live streams, 413 for a body that
// has already been read.
#include <crow.h>

#include "http/server/backends.h"
#include "http/server/builtin/response_writer.h"
#include "http/server/server.h"
#include "http/server/stream.h"

namespace wardiary::http {

const bool kCrowCompiled = true;

namespace {

using Clock = std::chrono::steady_clock;

class CrowServer final : public Server {
 public:
  CrowServer(ServerOptions options, Router router)
      : options_(std::move(options)), router_(std::move(router)) {
    for (const char* pattern : {"/", "/<path>"}) {
      auto& rule = app_.route_dynamic(pattern).methods("GET"_method, "HEAD"_method, "POST"_method,
                                                       "PUT"_method, "PATCH"_method,
                                                       "DELETE"_method, "OPTIONS"_method);
      if (pattern[1] == '\0') {
        rule([this](const crow::request& in) { return handle(in); });
      } else {
        rule([this](const crow::request& in, std::string) { return handle(in); });
      }
    }
  }

  ~CrowServer() override {
    app_.stop();
    if (running_.valid()) running_.wait();
  }

  Status listen() {
    app_.loglevel(crow::LogLevel::Critical);
    app_.signal_clear();
    app_.server_name(options_.name);
    app_.bindaddr(options_.address).port(options_.port);
    app_.timeout(static_cast<std::uint8_t>(
        std::clamp<std::int64_t>(options_.limits.idle_deadline.count(), 1, 255)));
    app_.concurrency(std::max(2u, options_.io_threads + options_.worker_threads));
    running_ = app_.run_async();
    // Crow says neither that it failed nor why; its thread then simply ends.
    for (int i = 0; i < 100; ++i) {
      if (app_.wait_for_server_start(std::chrono::milliseconds(50)) == std::cv_status::no_timeout) {
        return Done{};
      }
      if (running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) break;
    }
    return Error{ErrorCode::kIo,
                 "cannot listen on " + options_.address + ":" + std::to_string(options_.port)};
  }

  std::uint16_t port() const override { return app_.port(); }
  Counts counts() const override { return {}; }

  void drain(std::chrono::milliseconds grace) override {
    draining_ = true;
    const auto deadline = Clock::now() + grace;
    while (in_flight_ > 0 && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    app_.stop();
    if (running_.valid()) running_.wait();
  }

 private:
  crow::response handle(const crow::request& in) {
    ++in_flight_;
    const auto start = Clock::now();
    Request request = make_request(method_from(crow::method_name(in.method)), in.raw_url, in.body);
    for (const auto& [name, value] : in.headers) request.headers.add(name, value);
    request.peer = in.remote_ip_address;
    request.id = "crow-" + std::to_string(++requests_);
    const Route* route = nullptr;
    const Response response = respond(request, route);
    record(request, route, response, start);
    crow::response out(response.status);
    for (std::size_t i = 0; i < response.headers.size(); ++i) {
      const auto [name, value] = response.headers[i];
      out.add_header(std::string(name), std::string(value));
    }
    out.add_header("X-Request-Id", request.id);
    out.body = response.text();
    --in_flight_;
    return out;
  }

  Response respond(Request& request, const Route*& route) {
    if (draining_) return problem(503, "closed", "Shutting down");
    Response known;
    route = router_.find(request, known);
    const std::size_t own = route ? route->body_bytes_max : 0;
    if (request.body.size() > (own ? own : options_.limits.body_bytes_max)) {
      return problem(413, "body_too_large", "The body is too large");
    }
    Response response = route ? run_and_wait(*route, request) : std::move(known);
    if (response.is_stream()) {
      std::get<std::shared_ptr<Stream>>(response.body)->abandon();
      return problem(501, "no_streams", "This server has no live streams", "poll instead");
    }
    std::string checked;
    if (!append_head(checked, response, {})) return problem(500, "internal", "Internal error");
    if (options_.gzip && is_compressible(response, options_.limits)) {
      response.headers.add("Vary", "Accept-Encoding");
      if (accepts_gzip(request)) gzip(response);
    }
    return response;
  }

  void record(const Request& request, const Route* route, const Response& response,
              Clock::time_point start) const {
    if (!options_.on_access) return;
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    options_.on_access({request.method, route ? std::string_view(route->pattern) : "", request.path,
                        request.peer, request.id, response.status,
                        static_cast<std::uint64_t>(micros.count()), request.body.size(),
                        response.text().size()});
  }

  const ServerOptions options_;
  const Router router_;
  crow::SimpleApp app_;
  std::future<void> running_;
  std::atomic<bool> draining_ = false;
  std::atomic<int> in_flight_ = 0;
  std::atomic<std::uint64_t> requests_ = 0;
};

}  // namespace

Result<std::unique_ptr<Server>> start_crow(ServerOptions options, Router router) {
  if (Status routes = router.check(); !routes) return std::move(routes).error();
  if (!options.tls_certificate_file.empty()) {
    return invalid("the Crow back end is used without TLS, behind a proxy");
  }
  try {
    auto server = std::make_unique<CrowServer>(std::move(options), std::move(router));
    if (Status listening = server->listen(); !listening) return std::move(listening).error();
    return std::unique_ptr<Server>(std::move(server));
  } catch (const std::exception& error) {
    return Error{ErrorCode::kIo, std::string("cannot start Crow: ") + error.what()};
  }
}

}  // namespace wardiary::http

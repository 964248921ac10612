// The built-in back end: an acceptor, one event loop per I/O thread, a pool of workers.
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <ctime>

#include "http/server/builtin/connection.h"
#include "http/server/builtin/loop.h"
#include "http/server/builtin/response_writer.h"
#include "http/server/server.h"

namespace wardiary::http {
namespace {

using boost::asio::ip::tcp;
using ErrorBits = boost::system::error_code;

constexpr int kBacklog = 4096;
constexpr std::chrono::milliseconds kAcceptPause{100};

// What a client gets that finds the server full: written without waiting, then closed.
std::string refusal_text() {
  Response response = problem(503, "too_many_connections", "Too many connections");
  response.headers.add("Retry-After", "5");
  HeadFacts facts;
  const std::string date = http_date(std::time(nullptr));
  facts.date = date;
  facts.request_id = "none";
  facts.close = true;
  std::string text;
  append_head(text, response, facts);
  return text.append(response.text());
}

class BuiltinServer final : public Server {
 public:
  explicit BuiltinServer(std::shared_ptr<Core> core) : core_(std::move(core)) {
    const unsigned threads = std::max(1u, core_->options.io_threads);
    for (unsigned i = 0; i < threads; ++i) loops_.push_back(std::make_unique<Loop>(core_, i));
    acceptor_ = std::make_unique<Acceptor>(loops_.front()->context());
    pause_ = std::make_unique<boost::asio::steady_timer>(loops_.front()->context());
  }

  ~BuiltinServer() override { stop(); }

  Status listen() {
    const auto& options = core_->options;
    ErrorBits ec;
    const auto address = boost::asio::ip::make_address(options.address, ec);
    if (ec) return invalid("'" + options.address + "' is not an IP address");
    const tcp::endpoint endpoint(address, options.port);
    const auto failed = [&](const char* what) {
      return Error{ErrorCode::kIo, std::string("cannot ") + what + " " + options.address + ":" +
                                       std::to_string(options.port) + ": " + ec.message()};
    };
    if (acceptor_->open(endpoint.protocol(), ec); ec) return failed("open a socket for");
    acceptor_->set_option(Acceptor::reuse_address(true), ec);
    if (acceptor_->bind(endpoint, ec); ec) return failed("bind to");
    if (acceptor_->listen(kBacklog, ec); ec) return failed("listen on");
    acceptor_->non_blocking(true, ec);
    port_ = acceptor_->local_endpoint(ec).port();
    accept();
    for (auto& loop : loops_) loop->start();
    return Done{};
  }

  std::uint16_t port() const override { return port_; }

  Counts counts() const override {
    Counts counts;
    counts.connections = core_->connections();
    counts.streams = core_->streams;
    counts.queued = core_->pool.queued();
    counts.accepted = core_->accepted;
    counts.refused = core_->refused;
    counts.cut = core_->cut;
    return counts;
  }

  void drain(std::chrono::milliseconds grace) override {
    const auto deadline = std::chrono::steady_clock::now() + grace;
    core_->draining = true;
    boost::asio::post(loops_.front()->context(), [this] { close_acceptor(); });
    for (auto& loop : loops_) boost::asio::post(loop->context(), [&loop] { loop->drain(); });
    core_->wait_until_none(deadline);
    stop();
  }

 private:
  void stop() {
    if (stopped_) return;
    stopped_ = true;
    // The loop with the acceptor first; it must not hand connections to loops that have ended.
    boost::asio::post(loops_.front()->context(), [this] { close_acceptor(); });
    for (auto& loop : loops_) loop->stop();
    core_->pool.stop();
    acceptor_.reset();
    pause_.reset();
    loops_.clear();
  }

  void close_acceptor() {
    ErrorBits ignored;
    acceptor_->close(ignored);
    pause_->cancel();
  }

  void accept() {
    Loop& loop = *loops_[next_loop_++ % loops_.size()];
    acceptor_->async_accept(loop.context(), [this, &loop](ErrorBits ec, Socket socket) {
      if (!acceptor_->is_open()) return;
      if (!ec) {
        take(loop, std::move(socket));
        return accept();
      }
      if (ec == boost::asio::error::connection_aborted) return accept();
      // Out of descriptors or memory: others must finish first.
      pause_->expires_after(kAcceptPause);
      pause_->async_wait([this](ErrorBits cancelled) {
        if (!cancelled && acceptor_->is_open()) accept();
      });
    });
  }

  void take(Loop& loop, Socket socket) {
    if (core_->connections() >= core_->options.limits.connections_max) {
      ++core_->refused;
      ErrorBits ignored;
      socket.non_blocking(true, ignored);
      if (core_->tls) return;
      socket.write_some(boost::asio::buffer(refusal_text()), ignored);
      // Unread bytes would turn the close into a reset that overtakes the answer.
      socket.shutdown(Socket::shutdown_send, ignored);
      socket.read_some(boost::asio::buffer(loops_.front()->scratch()), ignored);
      return;
    }
    ++core_->accepted;
    core_->connection_opened();
    auto connection = std::make_shared<Connection>(loop, core_, std::move(socket));
    if (&loop == Loop::current()) return loop.add(std::move(connection));
    boost::asio::post(loop.context(), [&loop, connection] { loop.add(connection); });
  }

  const std::shared_ptr<Core> core_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<boost::asio::steady_timer> pause_;
  std::size_t next_loop_ = 0;
  std::uint16_t port_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<std::unique_ptr<Server>> start_builtin(ServerOptions options, Router router) {
  if (Status routes = router.check(); !routes) return std::move(routes).error();
  std::shared_ptr<TlsContext> tls;
  if (!options.tls_certificate_file.empty()) {
    auto loaded = TlsContext::load(options.tls_certificate_file, options.tls_key_file);
    if (!loaded) return std::move(loaded).error();
    tls = std::move(*loaded);
    // OpenSSL writes to its sockets itself, without the flag that keeps a departed peer from
    // raising this.
    std::signal(SIGPIPE, SIG_IGN);
  }
  try {
    auto core = std::make_shared<Core>(std::move(options), std::move(router), std::move(tls));
    auto server = std::make_unique<BuiltinServer>(std::move(core));
    if (Status listening = server->listen(); !listening) return std::move(listening).error();
    return std::unique_ptr<Server>(std::move(server));
  } catch (const std::exception& error) {
    return Error{ErrorCode::kIo, std::string("cannot start the server: ") + error.what()};
  }
}

}  // namespace wardiary::http

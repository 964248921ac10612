// One I/O thread: its event loop, its connections, and the letters other threads send to them.
// Connections belong to one loop for life, so nothing in them needs a lock.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "http/server/builtin/transport.h"
#include "http/server/builtin/worker_pool.h"
#include "http/server/server.h"

namespace wardiary::http {

class Connection;
class Loop;

// What all loops of a server share. Connections keep it alive: a Reply may outlive the server.
struct Core {
  Core(ServerOptions options_in, Router router_in, std::shared_ptr<TlsContext> tls_in)
      : options(std::move(options_in)),
        router(std::move(router_in)),
        tls(std::move(tls_in)),
        pool(std::max(1u, options.worker_threads), options.limits.queued_max) {}

  const ServerOptions options;
  const Router router;
  const std::shared_ptr<TlsContext> tls;
  std::atomic<bool> draining = false;
  std::atomic<std::size_t> streams = 0;
  std::atomic<std::uint64_t> accepted = 0, refused = 0, cut = 0;

  void connection_opened();
  void connection_closed();
  std::size_t connections() const;
  // True when none is left before `deadline`.
  bool wait_until_none(std::chrono::steady_clock::time_point deadline);

  // Last, so that its threads end before what they use does.
  WorkerPool pool;

 private:
  mutable std::mutex mutex_;
  std::condition_variable none_;
  std::size_t connections_ = 0;
};

// Where other threads leave answers (and the news that a stream has something) for a loop's
// connections. It outlives the loop, and then takes letters only to drop them.
class Mailbox {
 public:
  explicit Mailbox(Loop& loop) : loop_(&loop) {}
  struct Letter {
    std::shared_ptr<Connection> to;
    std::optional<Response> answer;  // nothing: look at the stream
  };
  void post(Letter letter);
  std::vector<Letter> take();
  void close();

 private:
  std::mutex mutex_;
  std::vector<Letter> letters_;
  Loop* loop_;
};

class Loop {
 public:
  Loop(std::shared_ptr<Core> core, unsigned number);
  ~Loop();
  void start();
  // Closes every connection and ends the thread.
  void stop();

  // On any thread.
  boost::asio::io_context& context() { return context_; }
  static Loop* current();  // the loop whose thread this is, or null

  // On the loop's thread only.
  void add(std::shared_ptr<Connection> connection);
  void remove(Connection& connection);
  void drain();
  void deliver();
  const std::string& date() const { return date_; }
  std::vector<char>& scratch() { return scratch_; }
  const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
  void next_request_id(std::string& id);

 private:
  void sweep();
  void schedule_sweep();

  std::shared_ptr<Core> core_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<Executor> work_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                    boost::asio::wait_traits<std::chrono::steady_clock>, Executor>
      timer_;
  std::shared_ptr<Mailbox> mailbox_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::vector<char> scratch_;  // every read of this thread goes here first
  std::string date_;
  std::string id_prefix_;
  std::uint64_t requests_ = 0;
  std::thread thread_;
};

}  // namespace wardiary::http

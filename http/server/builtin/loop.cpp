#include "http/server/builtin/loop.h"

#include <array>
#include <boost/asio/post.hpp>
#include <charconv>
#include <random>

#include "http/server/builtin/connection.h"
#include "http/server/builtin/response_writer.h"

namespace wardiary::http {
namespace {

constexpr std::size_t kReadBytes = 64u * 1024;
thread_local Loop* current_loop = nullptr;

}  // namespace

void Core::connection_opened() {
  std::lock_guard lock(mutex_);
  ++connections_;
}

void Core::connection_closed() {
  std::lock_guard lock(mutex_);
  if (--connections_ == 0) none_.notify_all();
}

std::size_t Core::connections() const {
  std::lock_guard lock(mutex_);
  return connections_;
}

bool Core::wait_until_none(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return none_.wait_until(lock, deadline, [this] { return connections_ == 0; });
}

void Mailbox::post(Letter letter) {
  std::lock_guard lock(mutex_);
  if (!loop_) return;
  letters_.push_back(std::move(letter));
  // One call fetches all letters, however many were written meanwhile.
  if (letters_.size() == 1) {
    boost::asio::post(loop_->context(), [loop = loop_] { loop->deliver(); });
  }
}

std::vector<Mailbox::Letter> Mailbox::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(letters_, {});
}

void Mailbox::close() {
  std::vector<Letter> dropped;  // destroyed without the lock: a letter may hold the last reference
  std::lock_guard lock(mutex_);
  loop_ = nullptr;
  dropped.swap(letters_);
}

Loop::Loop(std::shared_ptr<Core> core, unsigned number)
    : core_(std::move(core)),
      work_(context_.get_executor()),
      timer_(context_),
      mailbox_(std::make_shared<Mailbox>(*this)),
      scratch_(kReadBytes) {
  std::array<char, 32> text;
  std::random_device random;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), random(), 16).ptr;
  id_prefix_.assign(text.data(), end).append("-").append(std::to_string(number)).append("-");
  date_ = http_date(std::time(nullptr));
}

Loop::~Loop() {
  stop();
}

void Loop::start() {
  schedule_sweep();
  thread_ = std::thread([this] {
    current_loop = this;
    context_.run();
  });
}

void Loop::stop() {
  if (!thread_.joinable()) return;
  boost::asio::post(context_, [this] {
    while (!connections_.empty()) connections_.back()->close();
    mailbox_->close();
    timer_.cancel();
    context_.stop();
  });
  thread_.join();
}

Loop* Loop::current() {
  return current_loop;
}

void Loop::add(std::shared_ptr<Connection> connection) {
  connection->index = connections_.size();
  connections_.push_back(connection);
  connection->start();
}

void Loop::remove(Connection& connection) {
  const std::size_t at = connection.index;
  const auto kept = std::move(connections_[at]);  // until we are done with its index
  if (at + 1 != connections_.size()) {
    connections_[at] = std::move(connections_.back());
    connections_[at]->index = at;
  }
  connections_.pop_back();
  core_->connection_closed();
}

void Loop::drain() {
  // Backwards, as closing one moves the last into its place.
  for (std::size_t i = connections_.size(); i-- > 0;) connections_[i]->drain();
}

void Loop::deliver() {
  for (Mailbox::Letter& letter : mailbox_->take()) {
    letter.to->receive(std::move(letter.answer));
  }
}

void Loop::next_request_id(std::string& id) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), ++requests_, 16).ptr;
  id.assign(id_prefix_).append(digits.data(), end);
}

void Loop::schedule_sweep() {
  timer_.expires_after(std::chrono::seconds(1));
  timer_.async_wait([this](boost::system::error_code ec) {
    if (ec) return;
    sweep();
    schedule_sweep();
  });
}

void Loop::sweep() {
  date_ = http_date(std::time(nullptr));
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = connections_.size(); i-- > 0;) connections_[i]->sweep(now);
}

}  // namespace wardiary::http

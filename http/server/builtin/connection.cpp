// The life of a connection: sockets, deadlines and the driver. What happens to one request is in
// exchange.cpp.
#include "http/server/builtin/connection.h"

#include <boost/asio/post.hpp>

#include "http/server/builtin/response_writer.h"
#include "http/server/stream.h"

namespace wardiary::http {
namespace {

constexpr std::size_t kIdleMemoryMax = 1024;
constexpr std::chrono::seconds kLingerDeadline{2};
constexpr std::size_t kLingerBytesMax = 8u * 1024u * 1024;

using Clock = std::chrono::steady_clock;
using Io = Transport::Io;

}  // namespace

Connection::Connection(Loop& loop, std::shared_ptr<Core> core, Socket socket)
    : loop_(&loop),
      core_(std::move(core)),
      mailbox_(loop.mailbox()),
      transport_(std::make_unique<Transport>(std::move(socket), core_->tls.get())),
      since_(Clock::now()) {
  boost::system::error_code ec;
  const auto endpoint = transport_->socket().remote_endpoint(ec);
  if (!ec) address_ = endpoint.address().to_string();
  request_.secure = transport_->is_tls();
}

Connection::~Connection() = default;

void Connection::start() {
  state_ = transport_->is_tls() ? State::kHandshake : State::kIdle;
  pump();
}

bool Connection::reading() const {
  return state_ == State::kIdle || state_ == State::kHeader || state_ == State::kBody;
}

void Connection::pump() {
  const auto self = shared_from_this();  // closing drops the loop's reference
  for (;;) {
    if (state_ == State::kClosed) return;
    if (state_ == State::kHandshake && !step_handshake()) return;
    if (!flush()) return;
    if (state_ == State::kHandling) return;
    if (state_ == State::kStreaming) {
      if (fill_from_stream()) continue;
      return wait_readable();  // to notice that the client leaves
    }
    if (state_ == State::kLingering) return wait_readable();
    if (closing_) {
      linger();
    } else if (starved_) {
      return wait_readable();
    } else {
      in_.erase(0, parse(in_));
    }
  }
}

bool Connection::step_handshake() {
  switch (transport_->handshake()) {
    case Io::kOk:
      state_ = State::kIdle;
      since_ = Clock::now();
      return true;
    case Io::kWantRead:
      wait_readable();
      return false;
    case Io::kWantWrite:
      wait_writable();
      return false;
    case Io::kEnd:
      close();
      return false;
  }
  return false;
}

// True when nothing is left to write.
bool Connection::flush() {
  const std::size_t tail_size = tail_ ? tail_->size() : 0;
  while (written_ < out_.size() + tail_size) {
    const std::size_t in_out = std::min(written_, out_.size());
    const std::string_view first = std::string_view(out_).substr(in_out);
    const std::string_view second =
        tail_ ? std::string_view(*tail_).substr(written_ - in_out) : std::string_view();
    std::size_t done = 0;
    const Io io = transport_->write(first, second, done);
    written_ += done;
    if (io == Io::kOk) continue;
    if (io == Io::kEnd) {
      close();
      return false;
    }
    if (!writing_) {
      // What the kernel took at once says nothing about the reader, so it earns no time.
      writing_ = true;
      write_since_ = Clock::now();
      written_before_ = written_;
    }
    io == Io::kWantRead ? wait_readable() : wait_writable();
    return false;
  }
  out_.clear();
  tail_.reset();
  written_ = 0;
  writing_ = false;
  return true;
}

void Connection::wait_readable() {
  if (wait_read_) return;
  wait_read_ = true;
  auto wake = [self = shared_from_this()](const boost::system::error_code& ec = {}) {
    self->wait_read_ = false;
    if (!ec) self->on_readable();
  };
  if (transport_->has_buffered()) {
    boost::asio::post(loop_->context(), [wake = std::move(wake)]() mutable { wake(); });
  } else {
    transport_->socket().async_wait(Socket::wait_read, std::move(wake));
  }
}

void Connection::wait_writable() {
  if (wait_write_) return;
  wait_write_ = true;
  transport_->socket().async_wait(Socket::wait_write,
                                  [self = shared_from_this()](const boost::system::error_code& ec) {
                                    self->wait_write_ = false;
                                    if (!ec) self->pump();
                                  });
}

void Connection::on_readable() {
  if (state_ == State::kClosed) return;
  // Writing comes first, and so does the answer to what was read before.
  if (state_ == State::kHandshake || writing_ || state_ == State::kHandling) return pump();
  std::vector<char>& scratch = loop_->scratch();
  std::size_t size = 0;
  const Io io = transport_->read(scratch.data(), scratch.size(), size);
  if (io == Io::kEnd) return close();
  if (io == Io::kWantWrite) return wait_writable();
  if (io == Io::kWantRead) return wait_readable();
  const std::string_view data(scratch.data(), size);
  if (state_ == State::kLingering) {
    lingered_ += size;
    return lingered_ > kLingerBytesMax ? close() : pump();
  }
  if (in_.empty() && reading() && !closing_) {
    const auto self = shared_from_this();
    const std::size_t used = parse(data);
    in_.assign(data.substr(used));
  } else {
    // A stream's client may pipeline too, within bounds.
    if (in_.size() + size > limits().header_bytes_max + scratch.size()) return close();
    in_.append(data);
    starved_ = false;
  }
  pump();
}

void Connection::linger() {
  transport_->finish_sending();
  // Closing on unread bytes would send a reset that overtakes the answer.
  if (!input_left_ && in_.empty()) return close();
  in_.clear();
  lingered_ = 0;
  state_ = State::kLingering;
  since_ = Clock::now();
}

bool Connection::is_late(Time now) const {
  const auto after = [&](Time start, std::chrono::seconds allowed, std::size_t bytes) {
    return now > start + allowed +
                     std::chrono::seconds(bytes / std::max<std::size_t>(1, limits().rate_min));
  };
  if (writing_) {
    return after(write_since_, limits().write_deadline, written_ - written_before_);
  }
  switch (state_) {
    case State::kHandshake:
    case State::kHeader:
      return after(since_, limits().header_deadline, 0);
    case State::kBody:
      return after(since_, limits().body_deadline, request_.body.size());
    case State::kIdle:
      return after(since_, limits().idle_deadline, 0);
    case State::kLingering:
      return after(since_, kLingerDeadline, 0);
    case State::kHandling:
    case State::kStreaming:
    case State::kClosed:
      return false;
  }
  return false;
}

void Connection::sweep(Time now) {
  if (is_late(now)) {
    if (writing_ || (state_ != State::kIdle && state_ != State::kLingering)) ++core_->cut;
    if (writing_ || !(state_ == State::kHeader || state_ == State::kBody)) return close();
    refuse(408, "too_slow", "The request took too long to arrive");
    return pump();
  }
  if (state_ == State::kStreaming && !writing_ && now >= since_ + limits().stream_heartbeat) {
    stream_chunked_ ? append_chunk(out_, ":\n\n") : static_cast<void>(out_.append(":\n\n"));
    since_ = now;
    return pump();
  }
  // A connection that idles keeps little more than its socket.
  if (state_ == State::kIdle && !writing_ &&
      out_.capacity() + in_.capacity() + request_.body.capacity() + request_.headers.memory() >
          kIdleMemoryMax) {
    std::string().swap(out_);
    if (in_.empty()) std::string().swap(in_);
    const bool secure = request_.secure;
    request_ = Request();
    request_.secure = secure;
  }
}

void Connection::drain() {
  if (state_ == State::kStreaming) return stream_->close();
  if (state_ == State::kIdle && !writing_ && in_.empty()) return close();
  // Otherwise the answer in progress says Connection: close.
}

void Connection::close() {
  if (state_ == State::kClosed) return;
  const auto self = shared_from_this();
  if (stream_) end_stream();
  state_ = State::kClosed;
  // The request stays: a handler may be reading it.
  transport_.reset();
  tail_.reset();
  loop_->remove(*this);
}

}  // namespace wardiary::http

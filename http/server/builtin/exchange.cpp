// One request and its answer on a connection.
#include <boost/asio/ip/address.hpp>

#include "http/server/builtin/connection.h"
#include "http/server/builtin/response_writer.h"
#include "http/server/stream.h"

namespace wardiary::http {
namespace {

// Bodies up to this size are copied behind their head and sent in one call.
constexpr std::size_t kCopiedBodyMax = 16u * 1024;
constexpr std::size_t kStreamWriteBytes = 64u * 1024;
constexpr std::size_t kGzipInlineMax = 64u * 1024;  // some hundred microseconds
constexpr std::size_t kRequestIdMax = 64;

using Clock = std::chrono::steady_clock;
using Step = RequestParser::Step;

// The address the proxy in front of us saw: the last one of the list, as the others are hearsay.
std::string_view forwarded_peer(const Request& request) {
  std::string_view list;
  for (std::size_t i = 0; i < request.headers.size(); ++i) {
    const auto [name, value] = request.headers[i];
    if (same_token(name, "X-Forwarded-For")) list = value;
  }
  const std::size_t comma = list.rfind(',');
  if (comma != std::string_view::npos) list.remove_prefix(comma + 1);
  while (!list.empty() && list.front() == ' ') list.remove_prefix(1);
  boost::system::error_code ec;
  boost::asio::ip::make_address(std::string(list), ec);
  return ec ? std::string_view() : list;
}

bool is_sane_id(std::string_view id) {
  return !id.empty() && id.size() <= kRequestIdMax &&
         id.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
             std::string_view::npos;
}

}  // namespace

// Parses and answers requests from `data` as far as it goes; returns how much was used.
std::size_t Connection::parse(std::string_view data) {
  std::size_t total = 0;
  bool starved = false;
  while (reading() && !closing_ && !tail_ && out_.size() < limits().pipelined_bytes_max) {
    if (total == data.size()) {
      starved = true;
      break;
    }
    if (state_ == State::kIdle) begin_request();
    std::size_t used = 0;
    const Step step = parser_.feed(data.substr(total), used);
    total += used;
    if (step == Step::kError) {
      const auto& why = parser_.refusal();
      refuse(why.status, why.code, why.title);
    } else if (step == Step::kMore) {
      starved = true;
      break;
    } else if (step == Step::kDone || (on_head() && !parser_.body_expected())) {
      dispatch();
    }
  }
  starved_ = starved;
  return total;
}

void Connection::begin_request() {
  state_ = State::kHeader;
  since_ = Clock::now();
  route_ = nullptr;
  request_.path.clear();
  parser_.start(request_, limits());
  loop_->next_request_id(request_.id);
  request_.peer = address_;
}

// The header is complete. False when it was answered already.
bool Connection::on_head() {
  if (core_->options.behind_proxy) {
    if (const auto peer = forwarded_peer(request_); !peer.empty()) request_.peer = peer;
    const auto id = request_.headers.get("X-Request-Id");
    if (id && is_sane_id(*id)) request_.id = *id;
  }
  Response known;
  route_ = core_->router.find(request_, known);
  if (!route_) {
    request_since_ = Clock::now();
    // What is not clearly HTTP to us may be framed otherwise than we think.
    const bool odd = request_.path.empty() || request_.method == Method::kOther;
    if (parser_.body_expected() || odd) closing_ = input_left_ = true;
    respond(std::move(known));
    return false;
  }
  if (!parser_.body_expected()) return true;
  const std::size_t body_max =
      route_->body_bytes_max ? route_->body_bytes_max : limits().body_bytes_max;
  parser_.set_body_limit(body_max);
  if (parser_.body_size() > body_max) {
    refuse(413, "body_too_large", "The body is too large");
    return false;
  }
  state_ = State::kBody;
  since_ = Clock::now();
  if (parser_.expects_continue()) out_.append("HTTP/1.1 100 Continue\r\n\r\n");
  return true;
}

// Answers a request that cannot be read to its end, and closes.
void Connection::refuse(int status, const char* code, const char* title) {
  closing_ = input_left_ = true;
  request_since_ = Clock::now();
  respond(problem(status, code, title));
}

void Connection::dispatch() {
  request_since_ = Clock::now();
  const Route& route = *route_;
  if (route.run == Run::kInline) {
    if (route.handler) return respond(run_handler(route, request_));
    state_ = State::kHandling;
    running_ = true;
    run_later(route, request_, Reply(shared_from_this()));
    running_ = false;
    if (early_answer_) respond(*std::exchange(early_answer_, std::nullopt));
    return;
  }
  state_ = State::kHandling;
  gzip_tried_ = static_cast<bool>(route.handler);
  const bool taken = core_->pool.post([self = shared_from_this(), &route] {
    if (!route.handler) return run_later(route, self->request_, Reply(self));
    Response response = run_handler(route, self->request_);
    // Here rather than on the I/O thread, which has others to serve.
    if (self->core_->options.gzip && is_compressible(response, self->limits()) &&
        accepts_gzip(self->request_)) {
      gzip(response);
    }
    self->mailbox_->post({self, std::move(response)});
  });
  if (taken) return;
  Response busy = problem(503, "busy", "Too many requests are waiting");
  busy.headers.add("Retry-After", "1");
  respond(std::move(busy));
}

void Connection::answer(Response response) {
  if (Loop::current() == loop_ && running_) {
    early_answer_ = std::move(response);
  } else {
    mailbox_->post({shared_from_this(), std::move(response)});
  }
}

void Connection::receive(std::optional<Response> answer) {
  if (state_ == State::kClosed) return;
  if (answer && state_ == State::kHandling) respond(std::move(*answer));
  pump();
}

void Connection::respond(Response response) {
  if (compress_elsewhere(response)) return;
  if (!response.is_stream()) return send(response);
  const bool too_many = core_->streams >= limits().streams_max;
  const bool unwanted = request_.method == Method::kHead || core_->draining;
  if (!too_many && !unwanted) return start_stream(response);
  std::get<std::shared_ptr<Stream>>(response.body)->abandon();
  if (too_many || core_->draining) {
    response = problem(503, "too_many_streams", "No further live stream is possible now");
    response.headers.add("Retry-After", "5");
  } else {
    response.body = std::string();
  }
  send(response);
}

// Compresses the body where that is wanted; a large one on the pool, which answers again.
bool Connection::compress_elsewhere(Response& response) {
  if (gzip_tried_ || !core_->options.gzip || !is_compressible(response, limits()) ||
      !accepts_gzip(request_)) {
    return false;
  }
  gzip_tried_ = true;
  if (response.text().size() <= kGzipInlineMax || closing_) {
    gzip(response);
    return false;
  }
  auto shared = std::make_shared<Response>(std::move(response));
  state_ = State::kHandling;
  const bool taken = core_->pool.post([self = shared_from_this(), shared] {
    gzip(*shared);
    self->mailbox_->post({self, std::move(*shared)});
  });
  if (!taken) response = std::move(*shared);
  return taken;
}

void Connection::send(Response& response) {
  closing_ = closing_ || !parser_.keep_alive() || core_->draining ||
             ++requests_ >= limits().requests_per_connection_max;
  HeadFacts facts;
  facts.date = loop_->date();
  facts.server = core_->options.name;
  facts.request_id = request_.id;
  facts.http11 = parser_.is_http11();
  facts.close = closing_;
  facts.vary = core_->options.gzip &&
               (response.headers.has("Content-Encoding") || is_compressible(response, limits()));
  if (!append_head(out_, response, facts)) {
    response = problem(500, "internal", "Internal error");
    append_head(out_, response, facts);
  }
  std::size_t body_bytes = 0;
  if (request_.method != Method::kHead && has_body(response.status)) {
    body_bytes = response.text().size();
    if (body_bytes <= kCopiedBodyMax) {
      out_.append(response.text());
    } else if (auto* own = std::get_if<std::string>(&response.body)) {
      tail_ = share(std::move(*own));
    } else {
      tail_ = std::get<SharedBytes>(response.body);
    }
  }
  record(response, body_bytes);
  finish_request();
}

void Connection::start_stream(Response& response) {
  stream_ = std::get<std::shared_ptr<Stream>>(response.body);
  stream_chunked_ = parser_.is_http11();
  closing_ = closing_ || !parser_.keep_alive() || !stream_chunked_;
  HeadFacts facts;
  facts.date = loop_->date();
  facts.server = core_->options.name;
  facts.request_id = request_.id;
  facts.http11 = parser_.is_http11();
  facts.close = closing_;
  facts.chunked = stream_chunked_;
  ++core_->streams;
  if (!append_head(out_, response, facts)) {
    end_stream();
    response = problem(500, "internal", "Internal error");
    return send(response);
  }
  record(response, 0);
  state_ = State::kStreaming;
  since_ = Clock::now();
  // The stream may outlive the connection, so it must not keep it.
  stream_->attach([mailbox = mailbox_, weak = weak_from_this()] {
    if (auto self = weak.lock()) mailbox->post({std::move(self), std::nullopt});
  });
}

// True when there is something to write, or the stream has ended.
bool Connection::fill_from_stream() {
  thread_local std::vector<SharedBytes> chunks;
  chunks.clear();
  const bool end = stream_->take(chunks, kStreamWriteBytes);
  for (const SharedBytes& chunk : chunks) {
    stream_chunked_ ? append_chunk(out_, *chunk) : static_cast<void>(out_.append(*chunk));
  }
  if (!chunks.empty()) since_ = Clock::now();
  const bool some = !chunks.empty();
  chunks.clear();
  if (!end) return some;
  if (stream_chunked_) out_.append("0\r\n\r\n");
  end_stream();
  closing_ = closing_ || core_->draining;
  finish_request();
  return true;
}

void Connection::end_stream() {
  --core_->streams;
  std::exchange(stream_, nullptr)->abandon();
}

void Connection::finish_request() {
  state_ = State::kIdle;
  since_ = Clock::now();
  starved_ = false;
  gzip_tried_ = false;
}

void Connection::record(const Response& response, std::size_t body_bytes) const {
  if (!core_->options.on_access) return;
  AccessRecord entry{};
  entry.method = request_.method;
  entry.route = route_ ? std::string_view(route_->pattern) : std::string_view();
  entry.path = request_.path;
  entry.peer = request_.peer;
  entry.id = request_.id;
  entry.status = response.status;
  entry.micros = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - request_since_).count());
  entry.bytes_in = request_.body.size();
  entry.bytes_out = body_bytes;
  core_->options.on_access(entry);
}

}  // namespace wardiary::http

#include "http/server/builtin/request_parser.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <limits>

namespace wardiary::http {
namespace {

namespace beast = boost::beast;
using beast::http::field;
using ErrorBits = beast::error_code;

constexpr std::size_t kChunkExtensionBytesMax = 4u * 1024;
constexpr std::size_t kBodyReserveMax = 64u * 1024;

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A name or address and perhaps a port. Anything that could mean something else to a proxy in front
// of us (a list, a path, user information) is refused.
bool is_host(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_~:[]%").find(c) != std::string_view::npos;
  });
}

}  // namespace

// The base class is made anew for each request (it cannot be reset); what the caller asks about is
// kept here.
class RequestParser::Parser {
 public:
  class Beast;

  Request* request = nullptr;
  const Limits* limits = nullptr;
  Refusal refusal{400, "malformed", "Malformed request"};
  std::size_t header_bytes = 0;
  std::size_t extension_bytes = 0;
  std::uint64_t body_limit = 0;
  std::string_view input;  // what is being parsed now
  unsigned hosts = 0;
  unsigned lengths = 0;
  bool http11 = false;
  bool expects_continue = false;
  bool head_seen = false;

  void restart();
  Beast& beast() { return *beast_; }
  ~Parser();

 private:
  // In place, to spare an allocation per request.
  alignas(16) std::byte room_[256];
  Beast* beast_ = nullptr;
};

class RequestParser::Parser::Beast final : public beast::http::basic_parser<true> {
 public:
  explicit Beast(Parser& owner) : owner_(owner) {
    header_limit(static_cast<std::uint32_t>(owner.limits->header_bytes_max));
    // Ours is checked where the route, and so the limit, is known. (None would mean nothing fits.)
    body_limit(std::numeric_limits<std::uint64_t>::max());
  }

 private:
  void refuse(ErrorBits& ec, int status, const char* code, const char* title) {
    owner_.refusal = {status, code, title};
    ec = beast::http::error::bad_value;
  }

  void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target,
                       int version, ErrorBits&) override {
    owner_.request->method = method_from(view(method));
    owner_.request->target.assign(target.data(), target.size());
    owner_.http11 = version == 11;
  }

  void on_response_impl(int, beast::string_view, int, ErrorBits&) override {}

  void on_field_impl(field name, beast::string_view name_text, beast::string_view value_text,
                     ErrorBits& ec) override {
    if (owner_.head_seen) return;  // a trailer: nothing of ours reads those
    const std::string_view value = view(value_text);
    // Beast joins a folded line in a buffer of its own, so a value outside the input was folded.
    // RFC 9112 5.2 lets us refuse it, and proxies disagree about it.
    const bool inside =
        std::less_equal<>()(owner_.input.data(), value.data()) &&
        std::less_equal<>()(value.data(), owner_.input.data() + owner_.input.size());
    if (!value.empty() && !inside) {
      return refuse(ec, 400, "folded_header", "Folded header lines are not accepted");
    }
    if (owner_.request->headers.size() >= owner_.limits->header_count_max) {
      return refuse(ec, 431, "too_many_headers", "Too many header fields");
    }
    switch (name) {
      case field::host:
        ++owner_.hosts;
        if (!is_host(value)) return refuse(ec, 400, "bad_host", "The Host header is wrong");
        break;
      case field::content_length:
        // Beast takes repeated equal values; a proxy may not.
        if (++owner_.lengths > 1 || !all_digits(value)) {
          return refuse(ec, 400, "bad_length", "The Content-Length header is wrong");
        }
        break;
      case field::transfer_encoding:
        if (!owner_.http11) {
          return refuse(ec, 400, "bad_transfer_encoding", "HTTP/1.0 has no Transfer-Encoding");
        }
        // Beast reads a body it does not know the end of as the next request.
        if (!same_token(value, "chunked")) {
          return refuse(ec, 501, "unknown_transfer_encoding", "Unknown transfer coding");
        }
        break;
      case field::expect:
        if (!same_token(value, "100-continue")) {
          return refuse(ec, 417, "unknown_expectation", "Unknown expectation");
        }
        owner_.expects_continue = owner_.http11;
        break;
      default:
        break;
    }
    owner_.request->headers.add(view(name_text), value);
  }

  void on_header_impl(ErrorBits& ec) override {
    owner_.head_seen = true;
    if (owner_.hosts > 1 || (owner_.hosts == 0 && owner_.http11)) {
      refuse(ec, 400, "bad_host", "Exactly one Host header is needed");
    }
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorBits&) override {
    // Not more on the client's word alone.
    if (length) {
      owner_.request->body.reserve(std::min<std::uint64_t>(*length, kBodyReserveMax));
    }
  }

  std::size_t on_body_impl(beast::string_view bytes, ErrorBits&) override {
    owner_.request->body.append(bytes.data(), bytes.size());
    return bytes.size();
  }

  void on_chunk_header_impl(std::uint64_t size, beast::string_view extensions,
                            ErrorBits& ec) override {
    owner_.extension_bytes += extensions.size();
    if (owner_.extension_bytes > kChunkExtensionBytesMax) {
      return refuse(ec, 400, "malformed", "Too many chunk extensions");
    }
    if (size > owner_.body_limit -
                   std::min<std::uint64_t>(owner_.body_limit, owner_.request->body.size())) {
      return refuse(ec, 413, "body_too_large", "The body is too large");
    }
  }

  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view bytes, ErrorBits&) override {
    owner_.request->body.append(bytes.data(), bytes.size());
    return bytes.size();
  }

  void on_finish_impl(ErrorBits&) override {}

  Parser& owner_;
};

void RequestParser::Parser::restart() {
  static_assert(sizeof(Beast) <= sizeof(room_) && alignof(Beast) <= 16);
  if (beast_) beast_->~Beast();
  beast_ = new (room_) Beast(*this);
}

RequestParser::Parser::~Parser() {
  if (beast_) beast_->~Beast();
}

RequestParser::RequestParser() : parser_(std::make_unique<Parser>()) {}
RequestParser::~RequestParser() = default;

void RequestParser::start(Request& request, const Limits& limits) {
  Parser& p = *parser_;
  p.request = &request;
  p.limits = &limits;
  p.refusal = {400, "malformed", "Malformed request"};
  p.header_bytes = p.extension_bytes = 0;
  p.body_limit = limits.body_bytes_max;
  p.hosts = p.lengths = 0;
  p.http11 = p.expects_continue = p.head_seen = false;
  p.restart();
  request.method = Method::kGet;
  request.target.clear();
  request.headers.clear();
  request.body.clear();
}

RequestParser::Step RequestParser::feed(std::string_view data, std::size_t& used) {
  Parser& p = *parser_;
  const bool in_head = !p.head_seen;
  p.input = data;
  ErrorBits ec;
  used = p.beast().put({data.data(), data.size()}, ec);
  if (in_head) {
    // Beast's own limit starts anew with each call, so a trickled header would have none.
    p.header_bytes += used;
    const bool over =
        p.header_bytes > p.limits->header_bytes_max ||
        (!p.head_seen && p.header_bytes + (data.size() - used) > p.limits->header_bytes_max);
    if (over || ec == beast::http::error::header_limit) {
      p.refusal = {431, "header_too_large", "The header is too large"};
      return Step::kError;
    }
  } else if (data.size() - used > p.limits->header_bytes_max) {
    // A chunk header or trailer without end; body bytes are always used.
    if (!ec || ec == beast::http::error::need_more) return Step::kError;
  }
  if (ec == beast::http::error::need_more) return Step::kMore;
  if (ec) return Step::kError;
  if (in_head && p.head_seen) {
    p.beast().eager(true);  // from here on as much as there is, in one call
    return Step::kHead;
  }
  if (p.beast().is_done()) return Step::kDone;
  return Step::kMore;
}

const RequestParser::Refusal& RequestParser::refusal() const {
  return parser_->refusal;
}

void RequestParser::set_body_limit(std::uint64_t bytes) {
  parser_->body_limit = bytes;
}

bool RequestParser::body_expected() const {
  return !parser_->beast().is_done();
}

std::uint64_t RequestParser::body_size() const {
  const auto length = parser_->beast().content_length();
  return length ? *length : 0;
}

bool RequestParser::keep_alive() const {
  return parser_->head_seen && parser_->beast().keep_alive();
}

bool RequestParser::is_http11() const {
  return parser_->http11;
}

bool RequestParser::expects_continue() const {
  return parser_->expects_continue;
}

}  // namespace wardiary::http

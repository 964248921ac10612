// What a handler sees of HTTP: plain values. A request comes in as a Request, the answer goes out
// as a Response; neither knows which server library carries them. Handlers are functions from one
// to the other (or, when the answer comes later from another thread, take a Reply to give it to),
// so they are tested without a socket. Routes are in router.h, running servers in server.h.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

namespace wardiary::http {

enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions, kOther };

// "GET"; "OTHER" for kOther. `method_from` is case-sensitive, as HTTP is.
std::string_view name_of(Method method);
Method method_from(std::string_view name);

// Equality of ASCII text without regard to case, as header names and tokens need it.
bool same_token(std::string_view a, std::string_view b);

// Header fields in the order they came. Names compare without regard to case. Kept as one text and
// offsets into it, so that a request of twenty fields costs no twenty allocations.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string_view, std::string_view>> fields);

  void add(std::string_view name, std::string_view value);
  void set(std::string_view name, std::string_view value);  // replaces every field of that name
  void remove(std::string_view name);
  void clear();

  // The first field of that name; nothing when there is none. Views live until the next change.
  std::optional<std::string_view> get(std::string_view name) const;
  bool has(std::string_view name) const { return get(name).has_value(); }

  std::size_t size() const { return fields_.size(); }
  std::pair<std::string_view, std::string_view> operator[](std::size_t index) const;
  std::size_t memory() const { return text_.capacity() + fields_.capacity() * sizeof(Field); }

 private:
  struct Field {
    std::uint32_t name, name_size, value, value_size;
  };
  std::string text_;
  std::vector<Field> fields_;
};

// The decoded query string. A name occurs at most once (the parser refuses a second), and a route
// lists the names it knows (the router refuses others), so a misspelt parameter is never ignored.
// The typed getters answer with an error that names the parameter; absent is not an error.
class Query {
 public:
  std::optional<std::string_view> get(std::string_view name) const;
  bool has(std::string_view name) const { return get(name).has_value(); }
  Result<std::optional<std::uint64_t>> get_uint(std::string_view name, std::uint64_t max) const;
  Result<std::optional<Id>> get_id(std::string_view name) const;
  Result<bool> get_bool(std::string_view name, bool otherwise) const;  // "true" or "false"

  void add(std::string name, std::string value);
  void clear() { fields_.clear(); }
  std::size_t size() const { return fields_.size(); }
  const std::pair<std::string, std::string>& operator[](std::size_t i) const { return fields_[i]; }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// One value taken from the path by a pattern such as /games/{game:id}/events/{version:uint}.
struct PathValue {
  std::string_view name;   // "game"; points into the route
  std::string text;        // decoded
  std::uint64_t number{};  // for {..:uint}
  Id id{};                 // for {..:id}
};

struct Request {
  Method method = Method::kGet;
  std::string target;             // as sent: "/games/0a1b?after=3"
  std::string path;               // the target without its query, still encoded
  std::vector<PathValue> values;  // what the route's pattern took from the path, decoded
  Query query;                    // decoded
  Headers headers;
  std::string body;
  std::string peer;     // address of the client; behind a proxy, what the proxy says it is
  std::string id;       // for logs and the X-Request-Id of the answer
  bool secure = false;  // came over TLS to this process

  // The value of a path parameter. Asking for a name the route's pattern does not have is a mistake
  // of the programmer and yields an empty text, 0 or the zero id.
  std::string_view path_text(std::string_view name) const;
  std::uint64_t path_uint(std::string_view name) const;
  Id path_id(std::string_view name) const;
};

// Bytes that many answers share: an immutable page in a cache, one event sent to a thousand
// streams.
using SharedBytes = std::shared_ptr<const std::string>;
inline SharedBytes share(std::string bytes) {
  return std::make_shared<const std::string>(std::move(bytes));
}

class Stream;  // stream.h

// The server adds Date, Content-Length, Connection, X-Request-Id and, where it compresses, the
// fields for that. A header with a line break in it turns the answer into a 500, never onto the
// wire.
struct Response {
  int status = 200;
  Headers headers;
  std::variant<std::string, SharedBytes, std::shared_ptr<Stream>> body;

  std::string_view text() const;  // the body's bytes; empty for a stream
  bool is_stream() const { return body.index() == 2; }
};

// Short ways to build the usual answers.
Response json_response(int status, const nlohmann::json& value);
Response text_response(int status, std::string text, std::string_view content_type);
Response stream_response(std::shared_ptr<Stream> stream,
                         std::string_view content_type = "text/event-stream");
Response empty_response(int status);

// RFC 9457 problem details. `code` is the stable word clients test for; it also forms the "type"
// (urn:wardiary:problem:<code>). `extra` holds further members (the field, the rule, the version).
Response problem(int status, std::string_view code, std::string_view title,
                 std::string_view detail = {});
Response problem(int status, std::string_view code, std::string_view title, std::string_view detail,
                 const nlohmann::json& extra);
// The field an error of ours is about: errors on input begin with its path, as in
// "seats[1].sides: must name a side". Empty where the text does not begin so.
std::string_view field_of(std::string_view error_text);
// The usual mapping of our own errors: kInvalid 400, kNotFound 404, kConflict 409, kDenied 403,
// kLimit 413, kFull 507, kClosed 503; kCorrupt, kUnknown and kIo are 500 and say nothing internal.
Response problem(const Error& error);

// True when `field` (an If-None-Match or If-Match value) lists `etag` or is "*". A W/ prefix is
// ignored on both sides: our tags name a version of the content, whatever its encoding on the wire.
bool etag_listed(std::string_view field, std::string_view etag);

// "OK", "Not Found", ...
std::string_view reason_of(int status);

// Where a later answer goes. Call it once, from any thread; further calls do nothing. A Reply
// dropped without an answer answers 500, so a client never hangs on a lost one. The request it
// belongs to stays valid until then. It may outlive the server: the answer is then dropped.
class Reply {
 public:
  class Target {
   public:
    virtual ~Target() = default;
    virtual void answer(Response response) = 0;
  };

  explicit Reply(std::shared_ptr<Target> target) : target_(std::move(target)) {}
  Reply(Reply&&) noexcept = default;
  Reply& operator=(Reply&&) = delete;
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;
  ~Reply();

  void operator()(Response response);

 private:
  std::shared_ptr<Target> target_;
};

using Handler = std::function<Response(const Request&)>;
using LaterHandler = std::function<void(const Request&, Reply)>;

}  // namespace wardiary::http

// The wire form of an answer.
#pragma once

#include <string>
#include <string_view>

#include "http/server/server.h"

namespace wardiary::http {

// What the server knows about an answer that its handler does not.
struct HeadFacts {
  std::string_view date;
  std::string_view server;  // empty: no Server header
  std::string_view request_id;
  bool http11 = true;
  bool close = false;
  bool chunked = false;  // a stream
  bool vary = false;     // the answer depends on Accept-Encoding
};

// False when a header name or value would break the message; nothing is then appended.
bool append_head(std::string& out, const Response& response, const HeadFacts& facts);
// One chunk of a chunked body; `bytes` must not be empty (that would be the last one).
void append_chunk(std::string& out, std::string_view bytes);

// 204 and 304 have none.
bool has_body(int status);

// "Thu, 18 Nov 2026 08:00:00 GMT"
std::string http_date(std::int64_t unix_seconds);

// Text of some size, not encoded yet: its wire form depends on what the client accepts.
bool is_compressible(const Response& response, const Limits& limits);
bool accepts_gzip(const Request& request);
// Replaces the body by its gzip form. A strong ETag becomes a weak one, as the bytes are others.
void gzip(Response& response);

}  // namespace wardiary::http

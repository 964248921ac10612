// Boost.Beast's request parser, fed directly, with the checks it leaves to its caller. Beast stays
// inside request_parser.cpp: it is a third of a minute of compile time that no one else needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "http/server/server.h"

namespace wardiary::http {

class RequestParser {
 public:
  RequestParser();
  ~RequestParser();

  // Prepares for the next request of a connection, which will be written to `request` (cleared but
  // for its peer). Both arguments must outlive the parsing.
  void start(Request& request, const Limits& limits);

  enum class Step {
    kMore,   // all that could be used was used; give the rest again with more behind it
    kHead,   // the header is complete: look at it, set the body limit, go on
    kDone,   // the request is complete
    kError,  // refuse it: see `refusal`
  };
  // Uses a part of `data` and says how much. What was not used must be given again.
  Step feed(std::string_view data, std::size_t& used);

  struct Refusal {
    int status;
    const char* code;
    const char* title;
  };
  const Refusal& refusal() const;

  // Valid from kHead on.
  void set_body_limit(std::uint64_t bytes);
  bool body_expected() const;       // one with bytes in it
  std::uint64_t body_size() const;  // as announced; 0 when chunked
  bool keep_alive() const;
  bool is_http11() const;
  bool expects_continue() const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace wardiary::http

// Which function answers which request. Patterns are paths whose segments are literals or typed
// parameters:
//
//   /games/{game:id}/branches/{branch:id}/events/{version:uint}     /assets/{file:path}
//
//   id    32 hexadecimal digits           -> request.path_id
//   uint  decimal, no sign or leading 0   -> request.path_uint
//   word  1-64 of A-Z a-z 0-9 _ - .       -> request.path_text
//   text  any clean UTF-8 segment         -> request.path_text
//   path  all remaining segments, last in its pattern -> request.path_text, joined by '/'
//
// Literals match the bytes as sent (/%78 is not /x); parameters are percent-decoded first,
// strictly: a wrong escape, an encoded slash or NUL, control characters, bad UTF-8 and the segments
// "." and
// ".." match nothing. At each segment a literal is preferred to a parameter. A path that exists
// with other methods is 405 with Allow; HEAD is answered by GET; OPTIONS is answered by the router.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "http/server/http.h"

namespace wardiary::http {

// Inline handlers run on the I/O thread and must neither block nor compute for long (tens of
// microseconds); all others run on the worker pool, which costs about 5 us.
enum class Run : std::uint8_t { kPool, kInline };

struct Route {
  Method method = Method::kGet;
  std::string pattern;
  // Exactly one of the two: answer at once, or through the Reply.
  Handler handler;
  LaterHandler later;
  Run run = Run::kPool;
  std::vector<std::string> query;  // the query parameters it knows; any other is a 400
  std::size_t body_bytes_max = 0;  // 0: Limits::body_bytes_max
};

class Router {
 public:
  Router();
  ~Router();
  Router(Router&&) noexcept;
  Router& operator=(Router&&) noexcept;

  // A wrong pattern, a second route for the same method and pattern, or a route without exactly one
  // handler is remembered and reported by `check`, which every server calls before it starts.
  void add(Route route);
  void get(std::string pattern, Handler handler, Run run = Run::kPool,
           std::vector<std::string> query = {});
  void post(std::string pattern, Handler handler, Run run = Run::kPool,
            std::vector<std::string> query = {});
  Status check() const;
  const std::vector<std::unique_ptr<Route>>& routes() const;

  // Takes request.target apart (path, segments, query), finds the route and fills request.values.
  // Nothing when the answer is already known - bad target, 404, 405, OPTIONS - and then is in
  // `answer`. The route's pattern is the name to count the request under.
  const Route* find(Request& request, Response& answer) const;

  // Finds and runs, for tests. Waits for a later answer. Exceptions of handlers become a 500.
  Response respond(Request& request) const;

 private:
  struct Node;
  Node* child_for(Node& node, std::string_view segment, bool last, const std::string& pattern);
  std::string allowed(const Node& node) const;

  std::unique_ptr<Node> root_;
  std::vector<std::unique_ptr<Route>> routes_;
  std::string first_error_;
};

// Runs the route's handler, turning exceptions into a 500.
Response run_handler(const Route& route, const Request& request);
void run_later(const Route& route, const Request& request, Reply reply);
// Either kind, waiting for a later answer.
Response run_and_wait(const Route& route, const Request& request);

// A request as a test or another back end makes one.
Request make_request(Method method, std::string_view target, std::string body = {},
                     Headers headers = {});

}  // namespace wardiary::http

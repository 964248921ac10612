// What a handler is given, and how handlers become routes. A handler is a plain function from its
// scene to an answer; who asks, which game and which branch were found out before it is called, and
// what it returns is finished (errors as problems, tags, caching) after it, once for all.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "http/api/access.h"
#include "http/server/router.h"
#include "projections/view.h"
#include "replay/library.h"

namespace wardiary::http {

class Service;

// An error becomes application/problem+json (http.h, problem).
using Answer = Result<Response>;

// Who asks for what, of the service as a whole.
struct Asker {
  Service& service;
  const Request& request;
  Grant grant;
};

// ... of one game, that of {game:id} in the path.
struct GameScene : Asker {
  OpenGamePtr game;
  bool over =
      false;  // a game opens up when its mainline is over; a what-if that ends opens nothing
  Viewer viewer;

  View view() const { return View(game->game, viewer); }
  bool is_referee() const { return Access::is_referee(grant, *game); }
  bool sees_everything() const { return viewer.kind == Viewer::Kind::kReferee; }
};

// ... of one branch of it, that of {branch:id}.
struct Scene : GameScene {
  BranchInfo branch;
};

struct RouteExtra {
  std::vector<std::string> query = {};  // the query parameters it knows
  std::size_t body_bytes_max = 0;       // 0: the server's own limit
};

class Routes {
 public:
  using Extra = RouteExtra;

  Routes(Service& service, Router& router) : service_(service), router_(router) {}

  // The whole pattern.
  void add(Method method, const std::string& pattern, Answer (*handler)(const Asker&),
           Extra extra = {});
  // The pattern below /games/{game:id}; "" for the game itself.
  void add(Method method, const std::string& below, Answer (*handler)(const GameScene&),
           Extra extra = {});
  // The pattern below /games/{game:id}/branches/{branch:id}.
  void add(Method method, const std::string& below, Answer (*handler)(const Scene&),
           Extra extra = {});
  // For what needs neither who asks nor tags: health, files. `handler` must be quick.
  void inline_get(const std::string& pattern, Handler handler);

 private:
  void add_route(Method method, std::string pattern, Handler handler, Extra extra);

  Service& service_;
  Router& router_;
};

// May they give orders for this side here? The mainline belongs to its seats; a what-if to whoever
// may look at everything in it.
bool may_order(const Scene& scene, SideId side);

// The same branch for another request parameter (?branch=, "branch" in a body); kNotFound if it is
// not this game's.
Result<BranchInfo> branch_of(const GameScene& scene, const BranchId& branch);

// A JSON object as body, at most as deep and long as the limits say.
Result<nlohmann::json> read_body(const Request& request);
// The parts of a page: ?limit=, at least 1, and ?after=, a cursor of ours.
Result<std::size_t> limit_of(const Request& request, std::size_t usual, std::size_t max);
Result<Version> version_after(const Request& request);
std::optional<std::string> cursor_of(const Request& request);
// The value of a parameter that must be there: kInvalid naming it otherwise.
Result<std::uint64_t> required_uint(const Request& request, std::string_view name);

// ?format=json|markdown|html, JSON if it is not said.
enum class Format : std::uint8_t { kJson, kMarkdown, kHtml };
Result<Format> format_of(const Request& request);
Response markdown_response(std::string text);
Response page_response(std::string html);  // of ours: a page without script or link

Response json_text(int status, std::string body);
// What is shown of a version that exists never changes for who sees everything, and may be kept for
// ever; anybody else's redacted answer is asked for again, because a game opens up when it ends.
Response by_version(const GameScene& scene, std::string body);
Response denied(std::string_view detail);     // 403 denied
Response is_hidden(std::string_view detail);  // 403 hidden

// The id that every retry with the same Idempotency-Key maps to, for this asker; none without one.
// Keys belong to whoever sent them: another seat's key of the same words is another command.
std::optional<CommandId> command_of(const Asker& asker);
// Who is named as author of what this asker writes.
std::string author_of(const Grant& grant);

}  // namespace wardiary::http

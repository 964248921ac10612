#include "http/api/service.h"

#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "http/api/live.h"

namespace wardiary::http {

using nlohmann::json;

std::uint64_t now_ms() {
  using std::chrono::system_clock;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch())
          .count());
}

namespace {

Response not_allowed(const Error& error) {
  if (error.code != ErrorCode::kDenied) return problem(error);
  Response answer = problem(401, "unknown_token", "Not known", error.text);
  answer.headers.set("WWW-Authenticate", "Bearer");
  return answer;
}

}  // namespace

Service::Service(EventStore& events, const fairdice::Seed& master, ServiceOptions service_options)
    : store(events),
      library(events),
      time(events, library),
      dice(events, master),
      referee(events, library, time, dice, now_ms),
      access(events),
      audits(events, library),
      options(std::move(service_options)),
      live(std::make_unique<Live>()) {
  store.set_listener([this](const BranchId& branch, Version version) { live->tell(branch, version); });
}

Service::~Service() { store.set_listener(nullptr); }

Router Service::routes() {
  Router router;
  add_audit_routes(*this, router);
  add_game_routes(*this, router);
  add_branch_routes(*this, router);
  add_reading_routes(*this, router);
  add_insight_routes(*this, router);
  add_order_routes(*this, router);
  add_live_routes(*this, router);
  add_site_routes(*this, router);
  return router;
}

GameOrAnswer open_game(Service& service, const Request& request) {
  GameOrAnswer out;
  auto grant = service.access.who(request);
  if (!grant) {
    out.answer = not_allowed(grant.error());
    return out;
  }
  auto game = service.library.game(request.path_id("game"));
  if (!game) {
    out.answer = problem(game.error());
    return out;
  }
  out.game = *game;
  out.grant = std::move(*grant);
  return out;
}

SceneOrAnswer open_scene(Service& service, const Request& request) {
  SceneOrAnswer out;
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) {
    out.answer = std::move(opened.answer);
    return out;
  }
  auto branch = service.store.branch(request.path_id("branch"));
  if (!branch || branch->game != opened.game->id) {
    out.answer = branch ? problem(not_found("the game has no such branch")) : problem(branch.error());
    return out;
  }
  // A game opens up when its mainline is over; a what-if that ends opens nothing.
  auto head = service.time.head(opened.game->mainline);
  if (!head) {
    out.answer = problem(head.error());
    return out;
  }
  Scene scene;
  scene.game = opened.game;
  scene.branch = std::move(*branch);
  scene.over = head->position.over;
  scene.viewer = Access::viewer(opened.grant, *opened.game, scene.over);
  scene.grant = std::move(opened.grant);
  out.scene = std::move(scene);
  return out;
}

Response plain_json(int status, std::string body) {
  Response answer = text_response(status, std::move(body), "application/json");
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

Response immutable_json(const Request& request, std::string_view tag, std::string body) {
  const std::string etag = "\"" + std::string(tag) + "\"";
  auto known = request.headers.get("If-None-Match");
  Response answer = known && etag_listed(*known, etag)
                        ? empty_response(304)
                        : text_response(200, std::move(body), "application/json");
  answer.headers.set("ETag", etag);
  // What it shows depends on who asks, so only the asker's own cache may keep it.
  answer.headers.set("Cache-Control", "private, max-age=31536000, immutable");
  answer.headers.set("Vary", "Authorization");
  return answer;
}

BodyOrAnswer read_body(const Request& request) {
  BodyOrAnswer out;
  auto document = parse_json(request.body);
  if (!document) {
    out.answer = problem(400, "invalid", "The body is not usable", document.error().text);
    return out;
  }
  if (!document->is_object()) {
    out.answer = problem(400, "invalid", "The body is not usable", "it must be a JSON object");
    return out;
  }
  out.body = std::make_shared<json>(std::move(*document));
  return out;
}

}  // namespace wardiary::http

// The REST service: everything a handler needs, and the routes. Handlers are plain functions from a
// request to a response, one file per resource (games.cpp, branches.cpp, reading.cpp, orders.cpp,
// live.cpp, site.cpp); they know no server library.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "eventstore/event_store.h"
#include "http/api/access.h"
#include "http/api/audits.h"
#include "http/server/http.h"
#include "http/server/router.h"
#include "projections/view.h"
#include "replay/dice_box.h"
#include "replay/library.h"
#include "replay/referee.h"
#include "replay/time_machine.h"

namespace wardiary::http {

class Live;  // live.h

struct ServiceOptions {
  std::filesystem::path web_directory;  // the built page; empty: API only
  bool anyone_may_create = true;        // otherwise only the administrator
};

class Service {
 public:
  Service(EventStore& store, const fairdice::Seed& master, ServiceOptions options);
  ~Service();

  Router routes();

  EventStore& store;
  Library library;
  TimeMachine time;
  DiceBox dice;
  Referee referee;
  Access access;
  Audits audits;
  const ServiceOptions options;
  const std::unique_ptr<Live> live;
};

// One branch as one request sees it: the game, the branch, who asks and what they may see.
struct Scene {
  OpenGamePtr game;
  BranchInfo branch;
  Grant grant;
  bool over = false;
  Viewer viewer;

  View view() const { return View(game->game, viewer); }
};
// Finds what {game} and {branch} of the path name; the error is the answer.
struct SceneOrAnswer {
  std::optional<Scene> scene;
  Response answer;
};
SceneOrAnswer open_scene(Service& service, const Request& request);
struct GameOrAnswer {
  OpenGamePtr game;
  Grant grant;
  Response answer;
};
GameOrAnswer open_game(Service& service, const Request& request);

// Answers that never change carry a strong tag and may be kept for ever; `tag` names the content.
Response immutable_json(const Request& request, std::string_view tag, std::string body);
Response plain_json(int status, std::string body);
// A JSON body, at most as deep and long as the limits say; the error is the answer.
struct BodyOrAnswer {
  std::shared_ptr<nlohmann::json> body;
  Response answer;
};
BodyOrAnswer read_body(const Request& request);

// Milliseconds since 1970.
std::uint64_t now_ms();

void add_audit_routes(Service& service, Router& router);
void add_game_routes(Service& service, Router& router);
void add_branch_routes(Service& service, Router& router);
void add_reading_routes(Service& service, Router& router);
void add_insight_routes(Service& service, Router& router);
void add_order_routes(Service& service, Router& router);
void add_live_routes(Service& service, Router& router);
void add_site_routes(Service& service, Router& router);

}  // namespace wardiary::http

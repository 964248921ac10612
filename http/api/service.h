// The REST service: everything a handler needs, and the routes. Handlers are plain functions from a
// scene (scene.h) to an answer, one file per resource; they know no server library.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>

#include "eventstore/event_store.h"
#include "http/api/access.h"
#include "http/api/audits.h"
#include "http/api/jobs.h"
#include "http/api/metrics.h"
#include "http/api/scene.h"
#include "http/server/http.h"
#include "http/server/router.h"
#include "replay/dice_box.h"
#include "replay/histories.h"
#include "replay/library.h"
#include "replay/referee.h"
#include "replay/time_machine.h"
#include "replay/timelines.h"

namespace wardiary::http {

class Live;  // live.h

struct ServiceOptions {
  std::filesystem::path web_directory;  // the built page; empty: API only
  bool anyone_may_create = true;        // otherwise only the administrator
  bool anyone_may_look = true;          // otherwise a token of the game is needed
  bool open_metrics = false;            // otherwise for loopback and the administrator
};

class Service {
 public:
  Service(EventStore& store, const fairdice::Seed& master, ServiceOptions options);
  ~Service();

  Router routes();

  EventStore& store;
  Library library;
  TimeMachine time;
  Timelines timelines;
  Histories histories;
  DiceBox dice;
  Referee referee;
  Access access;
  Audits audits;
  const ServiceOptions options;
  const std::unique_ptr<Live> live;
  Metrics metrics;
  std::function<Server::Counts()> server_counts;  // set before the first request, if at all
  std::atomic<bool> stopping{false};              // no longer ready for new work
  std::mutex players_mutex;  // held while the players of a game are read and changed
  Jobs jobs;                 // last: its threads use everything above
};

// Milliseconds since 1970.
std::uint64_t now_ms();

void add_game_routes(Routes& routes);
void add_creation_routes(Routes& routes);
void add_token_routes(Routes& routes);
void add_branch_routes(Routes& routes);
void add_reading_routes(Routes& routes);
void add_event_routes(Routes& routes);
void add_insight_routes(Routes& routes);
void add_compare_routes(Routes& routes);
void add_legal_routes(Routes& routes);
void add_order_routes(Routes& routes);
void add_dice_play_routes(Routes& routes);
void add_agreement_routes(Routes& routes);
void add_report_routes(Routes& routes);
void add_live_routes(Routes& routes);
void add_audit_routes(Routes& routes);
void add_job_routes(Routes& routes);
void add_evidence_routes(Routes& routes);
void add_note_routes(Routes& routes);
void add_operation_routes(Routes& routes);
void add_site_routes(Routes& routes, const std::filesystem::path& web_directory);

}  // namespace wardiary::http

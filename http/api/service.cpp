#include "http/api/service.h"

#include "eventstore/log_keeper.h"
#include "http/api/live.h"

namespace wardiary::http {

std::uint64_t now_ms() {
  using std::chrono::system_clock;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch())
          .count());
}

Service::Service(EventStore& events, const fairdice::Seed& master, ServiceOptions service_options)
    : store(events),
      library(events),
      time(events, library),
      timelines(events, library, time),
      histories(events, library, time),
      dice(events, master),
      referee(events, library, time, dice, now_ms),
      access(events),
      audits(events, library),
      options(std::move(service_options)),
      live(std::make_unique<Live>()) {
  store.set_listener(
      [this, keeper = LogKeeper::of(store)](const BranchId& branch, Version version) {
        if (live->tell(branch, version) || !keeper) return;
        keeper->watch(branch, false);
        if (live->is_followed(branch)) keeper->watch(branch, true);  // somebody came meanwhile
      });
}

Service::~Service() {
  store.set_listener(nullptr);
}

Router Service::routes() {
  Router router;
  Routes routes(*this, router);
  add_game_routes(routes);
  add_creation_routes(routes);
  add_token_routes(routes);
  add_branch_routes(routes);
  add_reading_routes(routes);
  add_event_routes(routes);
  add_insight_routes(routes);
  add_compare_routes(routes);
  add_legal_routes(routes);
  add_order_routes(routes);
  add_dice_play_routes(routes);
  add_agreement_routes(routes);
  add_note_routes(routes);
  add_report_routes(routes);
  add_live_routes(routes);
  add_audit_routes(routes);
  add_job_routes(routes);
  add_evidence_routes(routes);
  add_operation_routes(routes);
  add_site_routes(routes, options.web_directory);
  metrics.learn(router);
  return router;
}

}  // namespace wardiary::http

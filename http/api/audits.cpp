#include "http/api/audits.h"

#include <nlohmann/json.hpp>

#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

Result<std::shared_ptr<const Audits::Kept>> Audits::of(const GameId& game, std::uint64_t now_ms) {
  std::lock_guard lock(running_);
  auto size = store_.tree_size(game);
  if (!size) return std::move(size).error();
  auto found = kept_.find(game);
  if (found != kept_.end() && found->second->tree_size == *size) return found->second;
  auto report = audit_game(store_, library_, game);
  if (!report) return std::move(report).error();
  if (kept_.size() >= kKeptMax) kept_.clear();
  auto fresh = std::make_shared<const Kept>(Kept{*size, now_ms, std::move(*report)});
  kept_[game] = fresh;
  return fresh;
}

namespace {

Response get_audit(Service& service, const Request& request) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  auto head = service.time.head(opened.game->mainline);
  if (!head) return problem(head.error());
  auto kept = service.audits.of(opened.game->id, now_ms());
  if (!kept) return problem(kept.error());
  // What was recorded may be hidden while the game runs; that and where something is wrong is not.
  const bool open = head->position.over || Access::is_referee(opened.grant, *opened.game);
  json checks = json::array();
  for (const AuditCheck& check : (*kept)->report.checks) {
    json failure;
    if (check.first) {
      failure = {{"branch", to_hex(check.first->branch)},
                 {"version", check.first->version},
                 {"field", check.first->field}};
      if (open) {
        failure["recorded"] = check.first->recorded;
        failure["expected"] = check.first->expected;
      }
    }
    checks.push_back({{"name", check.name},
                      {"what", check.what},
                      {"examined", check.examined},
                      {"failed", check.failed},
                      {"failure", std::move(failure)}});
  }
  Response answer = json_response(200, {{"clean", (*kept)->report.clean()},
                                        {"at", (*kept)->at_ms},
                                        {"events", (*kept)->report.events},
                                        {"checks", std::move(checks)}});
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

}  // namespace

void add_audit_routes(Service& service, Router& router) {
  router.get("/games/{game:id}/audit", [&service](const Request& r) { return get_audit(service, r); });
}

}  // namespace wardiary::http

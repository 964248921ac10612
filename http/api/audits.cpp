#include "http/api/audits.h"

#include <nlohmann/json.hpp>

#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

Result<std::shared_ptr<const Audits::Kept>> Audits::of(
    const GameId& game, std::uint64_t now_ms, const std::function<void(std::uint64_t)>& progress) {
  std::lock_guard lock(running_);
  auto size = store_.tree_size(game);
  if (!size) return std::move(size).error();
  auto found = kept_.find(game);
  if (found != kept_.end() && found->second->tree_size == *size) return found->second;
  auto report = audit_game(store_, library_, game, progress);
  if (!report) return std::move(report).error();
  if (kept_.size() >= kKeptMax) kept_.clear();
  auto fresh = std::make_shared<const Kept>(Kept{*size, now_ms, std::move(*report)});
  kept_[game] = fresh;
  return fresh;
}

json kept_json(const Audits::Kept& kept, bool open) {
  json checks = json::array();
  for (const AuditCheck& check : kept.report.checks) {
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
    if (open && !check.remark.empty()) checks.back()["remark"] = check.remark;
  }
  return {{"clean", kept.report.clean()},
          {"at", kept.at_ms},
          {"events", kept.report.events},
          {"checks", std::move(checks)}};
}

namespace {

AuditReport without_values(AuditReport report) {
  for (AuditCheck& check : report.checks) {
    check.remark.clear();
    if (!check.first) continue;
    check.first->recorded = "(hidden)";
    check.first->expected = "(hidden)";
  }
  return report;
}

Answer get_audit(const GameScene& scene) {
  auto format = format_of(scene.request);
  if (!format) return std::move(format).error();
  auto kept = scene.service.audits.of(scene.game->id, now_ms());
  if (!kept) return std::move(kept).error();
  const bool open = scene.sees_everything();
  if (*format == Format::kJson) return json_response(200, kept_json(**kept, open));
  const AuditReport report = open ? (*kept)->report : without_values((*kept)->report);
  return *format == Format::kHtml ? page_response(audit_html(report))
                                  : markdown_response(audit_text(report));
}

}  // namespace

void add_audit_routes(Routes& routes) {
  routes.add(Method::kGet, "/audit", get_audit, {{"format"}});
}

}  // namespace wardiary::http

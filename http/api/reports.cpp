// The game told afterwards: the report of a line.
#include <nlohmann/json.hpp>

#include "http/api/service.h"
#include "replay/after_action.h"

namespace wardiary::http {

namespace {

// ?format=html|markdown, ?language=en|es, ?audit=false to leave the audit out.
Answer get_report(const Scene& scene) {
  auto audit = scene.request.query.get_bool("audit", true);
  if (!audit) return std::move(audit).error();
  const std::string_view format = scene.request.query.get("format").value_or("html");
  if (format != "html" && format != "markdown") return invalid("format: must be html or markdown");
  const auto language = language_of(scene.request.query.get("language").value_or("en"));
  if (!language) return invalid("language: must be en or es");
  AfterActionRequest wanted;
  wanted.branch = scene.branch.branch;
  wanted.language = *language;
  wanted.viewer = scene.viewer;
  wanted.reader = {author_of(scene.grant), scene.is_referee()};
  wanted.audit = *audit;
  auto report = after_action(scene.service.store, scene.service.library, scene.service.time,
                             scene.service.timelines, wanted);
  if (!report) return std::move(report).error();
  return format == "html" ? page_response(report->report.html())
                          : markdown_response(report->report.markdown());
}

}  // namespace

void add_report_routes(Routes& routes) {
  routes.add(Method::kGet, "/report", get_report, {{"format", "language", "audit"}});
}

}  // namespace wardiary::http

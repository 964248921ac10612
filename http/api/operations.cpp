// For who runs the service: health, metrics, and the description of this API.
#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "http/api/api_page.h"
#include "http/api/live.h"
#include "http/api/service.h"

namespace wardiary::http {

namespace {

Response plain(int status, std::string text) {
  Response answer = text_response(status, std::move(text), "text/plain; charset=utf-8");
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

// Whether new requests may be sent here: the store answers, and nobody has asked it to stop.
Answer get_ready(const Asker& asker) {
  if (asker.service.stopping) return problem(503, "closed", "Shutting down");
  auto games = asker.service.store.games(std::nullopt, 1);
  if (!games) return problem(503, "not_ready", "Not ready");
  return plain(200, "ready\n");
}

bool is_loopback(std::string_view peer) {
  return peer.starts_with("127.") || peer == "::1" || peer.starts_with("::ffff:127.");
}

void append_server(std::string& out, const Server::Counts& counts) {
  const auto count = [](auto n) { return static_cast<double>(n); };
  append_metric(out, "wardiary_connections", "gauge", "Open connections.",
                count(counts.connections));
  append_metric(out, "wardiary_streams", "gauge", "Open live streams.", count(counts.streams));
  append_metric(out, "wardiary_queued_requests", "gauge", "Requests waiting for a worker.",
                count(counts.queued));
  append_metric(out, "wardiary_connections_accepted_total", "counter", "Connections accepted.",
                count(counts.accepted));
  append_metric(out, "wardiary_connections_refused_total", "counter",
                "Connections refused because there were too many.", count(counts.refused));
  append_metric(out, "wardiary_connections_cut_total", "counter",
                "Connections cut because they missed a deadline.", count(counts.cut));
}

void append_store(std::string& out, const StoreStats& stats) {
  const auto count = [](std::uint64_t n) { return static_cast<double>(n); };
  append_metric(out, "wardiary_store_games", "gauge", "Games in the store.", count(stats.games));
  append_metric(out, "wardiary_store_branches", "gauge", "Branches.", count(stats.branches));
  append_metric(out, "wardiary_store_events", "gauge", "Events.", count(stats.events));
  append_metric(out, "wardiary_store_disk_bytes", "gauge", "Bytes on disk.",
                count(stats.disk_bytes));
  append_metric(out, "wardiary_appends_total", "counter", "Commits since the start.",
                count(stats.commits));
  append_metric(out, "wardiary_syncs_total", "counter",
                "Syncs since the start; appends per sync is the group size.", count(stats.syncs));
  append_metric(out, "wardiary_append_group_size", "gauge", "Appends per sync so far.",
                stats.syncs ? count(stats.commits) / count(stats.syncs) : 0.0);
  append_metric(out, "wardiary_conflicts_total", "counter",
                "Commits decided on a version that had passed.", count(stats.conflicts));
  append_metric(out, "wardiary_duplicates_total", "counter", "Commits that had been made already.",
                count(stats.duplicates));
}

Answer get_metrics(const Asker& asker) {
  Service& service = asker.service;
  if (!service.options.open_metrics && asker.grant.role != Grant::Role::kAdmin &&
      !is_loopback(asker.request.peer)) {
    return denied("metrics are for this machine and the administrator");
  }
  auto stats = service.store.stats();
  if (!stats) return std::move(stats).error();
  std::string out = service.metrics.text();
  if (service.server_counts) append_server(out, service.server_counts());
  append_store(out, *stats);
  append_metric(out, "wardiary_followers", "gauge", "Readers of live branches.",
                static_cast<double>(service.live->followers()));
  const Jobs::Counts jobs = service.jobs.counts();
  append_metric(out, "wardiary_jobs_waiting", "gauge", "Jobs waiting.",
                static_cast<double>(jobs.waiting));
  append_metric(out, "wardiary_jobs_running", "gauge", "Jobs running.",
                static_cast<double>(jobs.running));
  append_metric(out, "wardiary_jobs_total", "counter", "Jobs finished.",
                static_cast<double>(jobs.finished));
  return text_response(200, std::move(out), "text/plain; version=0.0.4; charset=utf-8");
}

// The same bytes for everybody until the next release.
Response fixed(const Request& request, const SharedBytes& bytes, const std::string& etag,
               std::string_view type) {
  auto known = request.headers.get("If-None-Match");
  Response answer = known && etag_listed(*known, etag) ? empty_response(304) : page_response({});
  if (answer.status == 200) {
    answer.body = bytes;
    answer.headers.set("Content-Type", type);
  }
  answer.headers.set("ETag", etag);
  answer.headers.set("Cache-Control", "no-cache");
  return answer;
}

}  // namespace

void add_operation_routes(Routes& routes) {
  routes.inline_get("/healthz", [](const Request&) { return plain(200, "ok\n"); });
  routes.add(Method::kGet, "/readyz", get_ready);
  routes.add(Method::kGet, "/metrics", get_metrics);
  const SharedBytes description = share(std::string(openapi_text()));
  const SharedBytes page = share(api_page(openapi_text()));
  const auto tag_of = [](const SharedBytes& bytes) {
    return "\"" + to_hex(sha256(bytes_of(*bytes))).substr(0, 32) + "\"";
  };
  routes.inline_get("/openapi.json", [description, tag = tag_of(description)](const Request& r) {
    return fixed(r, description, tag, "application/json");
  });
  routes.inline_get("/docs", [page, tag = tag_of(page)](const Request& r) {
    return fixed(r, page, tag, "text/html; charset=utf-8");
  });
}

}  // namespace wardiary::http

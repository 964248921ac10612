// What differs: between two events of a line, and between two lines.
#include "projections/compare.h"
#include <nlohmann/json.hpp>
#include "replay/compare_lines.h"

#include "domain/json_writer.h"
#include "http/api/service.h"

namespace wardiary::http {

namespace {

Answer get_diff(const Scene& scene) {
  auto from = required_uint(scene.request, "from");
  if (!from) return std::move(from).error();
  auto to = required_uint(scene.request, "to");
  if (!to) return std::move(to).error();
  auto a = scene.service.time.at(scene.branch.branch, *from);
  if (!a) return std::move(a).error();
  auto b = scene.service.time.at(scene.branch.branch, *to);
  if (!b) return std::move(b).error();
  std::string body;
  JsonWriter out(body);
  out.begin_object();
  out.member("from", static_cast<std::int64_t>(*from)).member("to", static_cast<std::int64_t>(*to));
  out.key("difference");
  write_difference(out, difference(*a, *b), *a, *b, scene.game->game, scene.view());
  out.end_object();
  return by_version(scene, std::move(body));
}

// A branch that a parameter names, and how far along it: ?a=&atA=.
Result<LinePoint> point_named(const GameScene& scene, std::string_view name, std::string_view at) {
  auto id = scene.request.query.get_id(name);
  if (!id) return std::move(id).error();
  if (!*id) return invalid(std::string(name) + ": is missing");
  auto branch = branch_of(scene, **id);
  if (!branch) return std::move(branch).error();
  auto version = scene.request.query.get_uint(at, branch->version);
  if (!version) return std::move(version).error();
  return LinePoint{branch->branch, version->value_or(0)};
}

// Two lines side by side, turn by turn (wardiary-compare/1).
Answer get_compare(const GameScene& scene) {
  auto a = point_named(scene, "a", "atA");
  if (!a) return std::move(a).error();
  auto b = point_named(scene, "b", "atB");
  if (!b) return std::move(b).error();
  auto format = format_of(scene.request);
  if (!format) return std::move(format).error();
  Service& service = scene.service;
  auto compared = compare_lines(service.store, service.library, service.time, service.timelines, *a,
                                *b, scene.viewer);
  if (!compared) return std::move(compared).error();
  if (*format == Format::kHtml) return invalid("format: must be json or markdown");
  if (*format == Format::kMarkdown) {
    return markdown_response(comparison_text(*compared, scene.game->game, scene.viewer));
  }
  return json_response(200, comparison_json(*compared, scene.game->game, scene.viewer));
}

}  // namespace

void add_compare_routes(Routes& routes) {
  routes.add(Method::kGet, "/diff", get_diff, {{"from", "to"}});
  routes.add(Method::kGet, "/compare", get_compare, {{"a", "b", "atA", "atB", "format"}});
}

}  // namespace wardiary::http

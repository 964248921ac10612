// What differs: between two events of a line, and between two lines.
#include "projections/compare.h"
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

// The last version both lines share: where the younger left the other's line.
Result<Version> common_version(EventStore& store, const BranchInfo& a, const BranchInfo& b) {
  std::vector<std::pair<BranchId, Version>> line;  // a's branch and its ancestors, and how far
  BranchInfo at = a;
  line.emplace_back(at.branch, at.version);
  while (at.parent) {
    const Version until = at.forked_at;
    auto parent = store.branch(*at.parent);
    if (!parent) return std::move(parent).error();
    at = std::move(*parent);
    line.emplace_back(at.branch, until);
  }
  at = b;
  Version until = b.version;
  for (;;) {
    for (const auto& [branch, shared] : line) {
      if (branch == at.branch) return std::min(shared, until);
    }
    if (!at.parent) return not_found("the branches have nothing in common");
    until = at.forked_at;
    auto parent = store.branch(*at.parent);
    if (!parent) return std::move(parent).error();
    at = std::move(*parent);
  }
}

// The branch that a parameter names.
Result<BranchInfo> line_named(const GameScene& scene, std::string_view name) {
  auto id = scene.request.query.get_id(name);
  if (!id) return std::move(id).error();
  if (!*id) return invalid(std::string(name) + ": is missing");
  return branch_of(scene, **id);
}

Answer get_compare(const GameScene& scene) {
  auto a = line_named(scene, "a");
  if (!a) return std::move(a).error();
  auto b = line_named(scene, "b");
  if (!b) return std::move(b).error();
  auto common = common_version(scene.service.store, *a, *b);
  if (!common) return std::move(common).error();
  auto a_end = scene.service.time.at(a->branch, a->version);
  if (!a_end) return std::move(a_end).error();
  auto b_end = scene.service.time.at(b->branch, b->version);
  if (!b_end) return std::move(b_end).error();
  std::string body;
  JsonWriter out(body);
  out.begin_object();
  out.member("a", to_hex(a->branch)).member("b", to_hex(b->branch));
  out.member("common", static_cast<std::int64_t>(*common));
  out.key("difference");
  write_difference(out, difference(*a_end, *b_end), *a_end, *b_end, scene.game->game, scene.view());
  out.end_object();
  return json_text(200, std::move(body));
}

}  // namespace

void add_compare_routes(Routes& routes) {
  routes.add(Method::kGet, "/diff", get_diff, {{"from", "to"}});
  routes.add(Method::kGet, "/compare", get_compare, {{"a", "b"}});
}

}  // namespace wardiary::http

// Branches: the tree of a game's lines, and new what-ifs.
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

json branch_json(const BranchInfo& branch) {
  return {{"id", to_hex(branch.branch)},
          {"parent", branch.parent ? json(to_hex(*branch.parent)) : json()},
          {"forkedAt", branch.forked_at},
          {"version", branch.version},
          {"name", branch.name},
          {"reason", branch.reason},
          {"deleted", branch.deleted}};
}

Answer get_branches(const GameScene& scene) {
  auto limit = limit_of(scene.request, 200, 1'000);
  if (!limit) return std::move(limit).error();
  auto page = scene.service.store.branches(scene.game->id, cursor_of(scene.request), *limit);
  if (!page) return std::move(page).error();
  json branches = json::array();
  for (const BranchInfo& branch : page->items) branches.push_back(branch_json(branch));
  return json_response(
      200, {{"branches", std::move(branches)}, {"next", page->next ? json(*page->next) : json()}});
}

Answer get_branch(const Scene& scene) {
  return json_response(200, branch_json(scene.branch));
}

Result<ForkRequest> read_fork(const GameScene& scene, const json& body) {
  JsonReader in(body, "");
  in.only({"parent", "at", "name", "reason", "dice"});
  ForkRequest wanted;
  wanted.game = scene.game->id;
  auto parent = fixed_from_hex<16>(in.text("parent"));
  if (!parent) in.complain("parent", "must be a branch id");
  wanted.at = static_cast<Version>(in.number("at", 1, INT64_MAX));
  wanted.name = in.text_or("name", "");
  wanted.reason = in.text_or("reason", "");
  const std::string policy = in.text_or("dice", "fresh");
  constexpr std::string_view kPolicies[] = {"same", "fresh", "fixed", "expected"};
  bool known = false;
  for (std::size_t i = 0; i < std::size(kPolicies); ++i) {
    if (kPolicies[i] != policy) continue;
    wanted.policy = static_cast<DicePolicy>(i);
    known = true;
  }
  if (!known) in.complain("dice", "must be same, fresh, fixed or expected");
  if (!in.ok()) return std::move(in).error();
  wanted.parent = *parent;
  wanted.author = author_of(scene.grant);
  if (auto command = command_of(scene)) wanted.command = *command;
  return wanted;
}

Answer post_branch(const GameScene& scene) {
  // A what-if shows everything that is hidden, so while the game runs only its referee may fork.
  if (!scene.sees_everything()) {
    return denied("while a game runs, only its referee may branch from it");
  }
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  auto wanted = read_fork(scene, *body);
  if (!wanted) return std::move(wanted).error();
  auto parent = branch_of(scene, wanted->parent);
  if (!parent) return std::move(parent).error();
  auto branch = scene.service.referee.fork(*wanted);
  if (!branch) return std::move(branch).error();
  Response answer = json_response(201, branch_json(*branch));
  answer.headers.set("Location",
                     "/games/" + to_hex(scene.game->id) + "/branches/" + to_hex(branch->branch));
  return answer;
}

Answer delete_branch(const Scene& scene) {
  if (!scene.is_referee()) return denied("only the referee may put a branch away");
  auto deleted = scene.service.store.delete_branch(scene.branch.branch);
  if (!deleted) return std::move(deleted).error();
  return empty_response(204);
}

}  // namespace

void add_branch_routes(Routes& routes) {
  routes.add(Method::kGet, "/branches", get_branches, {{"after", "limit"}});
  routes.add(Method::kPost, "/branches", post_branch);
  routes.add(Method::kGet, "", get_branch);
  routes.add(Method::kDelete, "", delete_branch);
}

}  // namespace wardiary::http

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

Response get_branches(Service& service, const Request& request) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  auto limit = request.query.get_uint("limit", 1'000);
  if (!limit) return problem(limit.error());
  std::optional<std::string> after;
  if (auto cursor = request.query.get("after")) after = std::string(*cursor);
  auto page = service.store.branches(opened.game->id, after, limit->value_or(200));
  if (!page) return problem(page.error());
  json branches = json::array();
  for (const BranchInfo& branch : page->items) branches.push_back(branch_json(branch));
  return json_response(200, {{"branches", std::move(branches)},
                             {"next", page->next ? json(*page->next) : json()}});
}

Response post_branch(Service& service, const Request& request) {
  GameOrAnswer opened = open_game(service, request);
  if (!opened.game) return std::move(opened.answer);
  auto head = service.time.head(opened.game->mainline);
  if (!head) return problem(head.error());
  // A what-if shows everything that is hidden, so while the game runs only its referee may fork.
  if (!head->position.over && !Access::is_referee(opened.grant, *opened.game)) {
    return problem(403, "denied", "Not allowed",
                   "while a game runs, only its referee may branch from it");
  }
  BodyOrAnswer read = read_body(request);
  if (!read.body) return std::move(read.answer);
  JsonReader in(*read.body, "");
  in.only({"parent", "at", "name", "reason", "dice"});
  ForkRequest wanted;
  wanted.game = opened.game->id;
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
  if (!in.ok()) return problem(std::move(in).error());
  wanted.parent = *parent;
  wanted.author = std::string(role_word(opened.grant.role));
  auto branch = service.referee.fork(wanted);
  if (!branch) return problem(branch.error());
  Response answer = json_response(201, branch_json(*branch));
  answer.headers.set("Location", "/games/" + to_hex(opened.game->id) + "/branches/" +
                                     to_hex(branch->branch));
  return answer;
}

Response delete_branch(Service& service, const Request& request) {
  SceneOrAnswer opened = open_scene(service, request);
  if (!opened.scene) return std::move(opened.answer);
  if (!Access::is_referee(opened.scene->grant, *opened.scene->game)) {
    return problem(403, "denied", "Not allowed", "only the referee may put a branch away");
  }
  if (auto status = service.store.delete_branch(opened.scene->branch.branch); !status) {
    return problem(status.error());
  }
  return empty_response(204);
}

}  // namespace

void add_branch_routes(Service& service, Router& router) {
  router.get("/games/{game:id}/branches",
             [&service](const Request& r) { return get_branches(service, r); }, Run::kPool,
             {"after", "limit"});
  router.post("/games/{game:id}/branches",
              [&service](const Request& r) { return post_branch(service, r); });
  router.add({Method::kDelete, "/games/{game:id}/branches/{branch:id}",
              [&service](const Request& r) { return delete_branch(service, r); }, nullptr, Run::kPool,
              {}, 0});
}

}  // namespace wardiary::http

// What people agree on: take-backs, rulings of the referee, and studies of what one side sees.
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "http/api/order_answers.h"
#include "http/api/service.h"
#include "replay/take_back.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::size_t kFactsMax = 1'000;

json proposal_json(const OpenProposal& proposal) {
  return {{"version", proposal.version}, {"to", proposal.to},
          {"by", proposal.by},           {"text", proposal.text},
          {"agreed", proposal.agreed},   {"waitingFor", proposal.waiting_for}};
}

// The proposal that stands open, and where taking back the last order would go.
Answer get_take_back(const Scene& scene) {
  auto open = scene.service.referee.open_take_back(scene.branch.branch);
  if (!open) return std::move(open).error();
  auto undo = undo_target(scene.service.store, scene.branch);
  return json_response(200, {{"proposal", *open ? proposal_json(**open) : json()},
                             {"undo", undo ? json(*undo) : json()}});
}

bool has_seat(const GameScene& scene) {
  return scene.grant.role == Grant::Role::kSeat && scene.grant.game == scene.game->id;
}

// A seat proposes; whoever may do it alone - on a what-if, in a game kept by hand, the referee with
// a ruling - has it done.
Answer post_take_back(const Scene& scene) {
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"to", "text", "rule", "expectedVersion"});
  const auto to = static_cast<Version>(in.number("to", 1, INT64_MAX));
  const std::string text = in.text_or("text", "");
  const std::string rule = in.text_or("rule", "");
  auto request = read_order_request(scene, in);
  if (!request) return std::move(request).error();
  const bool alone = scene.branch.parent ? scene.sees_everything() : scene.is_referee();
  if (!alone && !has_seat(scene)) return denied("take-backs are proposed by the players");
  Referee& referee = scene.service.referee;
  const bool by_ruling =
      !scene.branch.parent && scene.game->game.created.keeping != Keeping::kScribed;
  auto answer = !alone      ? referee.propose_take_back(*request, to, text)
                : by_ruling ? referee.take_back(*request, to, text, RulingText{rule, text})
                            : referee.take_back(*request, to, text);
  if (!answer) return std::move(answer).error();
  return answer_order(*answer);
}

Answer answer_take_back(const Scene& scene) {
  if (!has_seat(scene)) return denied("take-backs are answered by the players");
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"agreed", "text", "expectedVersion"});
  if (!in.has("agreed")) in.complain("agreed", "is missing");
  const bool agreed = in.flag_or("agreed", false);
  const std::string text = in.text_or("text", "");
  auto request = read_order_request(scene, in);
  if (!request) return std::move(request).error();
  auto answer = scene.service.referee.answer_take_back(*request, scene.request.path_uint("version"),
                                                       agreed, text);
  if (!answer) return std::move(answer).error();
  return answer_order(*answer);
}

// A deviation from the rules, with the facts that correct the game; the audit lists it.
Answer post_ruling(const Scene& scene) {
  if (!scene.is_referee()) return denied("rulings are the referee's");
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"rule", "text", "facts", "expectedVersion"});
  RulingText ruling{in.text_or("rule", ""), in.text("text")};
  std::vector<json> facts;
  if (in.has("facts")) {
    in.each("facts", kFactsMax, [&](JsonReader& fact) { facts.push_back(fact.value()); });
  }
  auto request = read_order_request(scene, in);
  if (!request) return std::move(request).error();
  auto answer = scene.service.referee.rule(*request, ruling, facts);
  if (!answer) return std::move(answer).error();
  return answer_order(*answer);
}

// A game of its own that begins as the position looks to who asks: nothing hidden is in it.
Answer post_study(const Scene& scene) {
  if (!has_seat(scene) && !scene.is_referee() && !scene.over) {
    return denied("studies are made by who has a seat in the game");
  }
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"at", "name"});
  StudyRequest wanted;
  wanted.branch = scene.branch.branch;
  wanted.at = static_cast<Version>(
      in.number_or("at", static_cast<std::int64_t>(scene.branch.version), 1, INT64_MAX));
  wanted.viewer = scene.viewer;
  wanted.name = in.text_or("name", "");
  wanted.author = author_of(scene.grant);
  if (!in.ok()) return std::move(in).error();
  auto study = scene.service.referee.study(wanted);
  if (!study) return std::move(study).error();
  const OpenGame& game = *study->game;
  auto token = scene.service.access.issue({Grant::Role::kReferee, game.id, "", {}}, "", now_ms());
  if (!token) return std::move(token).error();
  Response answer = json_response(201, {{"id", to_hex(game.id)},
                                        {"mainline", to_hex(game.mainline)},
                                        {"unknownBlocks", study->unknown_blocks},
                                        {"tokens", {{"referee", token->secret}}}});
  answer.headers.set("Location", "/games/" + to_hex(game.id));
  return answer;
}

}  // namespace

void add_agreement_routes(Routes& routes) {
  routes.add(Method::kGet, "/takeback", get_take_back);
  routes.add(Method::kPost, "/takeback", post_take_back);
  routes.add(Method::kPost, "/takeback/{version:uint}", answer_take_back);
  routes.add(Method::kPost, "/rulings", post_ruling);
  routes.add(Method::kPost, "/study", post_study);
}

}  // namespace wardiary::http

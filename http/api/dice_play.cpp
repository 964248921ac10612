// Live dice over HTTP: what is owed for a roll, and the doors through which players' programs hand
// in what they owe. Signatures are the players' own; a token is needed all the same, so that nobody
// else can take a seat's place or fill the log.
#include <nlohmann/json.hpp>

#include "http/api/service.h"
#include "replay/live_dice.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

// Everybody may see what is owed: keys, anchors and what has been revealed are public. What is
// being rolled for may not be.
Answer get_state(const Scene& scene) {
  auto state = scene.service.referee.dice_state(scene.branch.branch);
  if (!state) return std::move(state).error();
  json out = dice_state_json(*state, scene.game->roster(), now_ms());
  const bool roller = state->next && may_order(scene, SideId{state->next->roller});
  if (state->next && !roller && !scene.sees_everything()) out["next"].erase("purpose");
  return json_response(200, out);
}

Answer get_transcripts(const Scene& scene) {
  // A sealed roll's values are in its transcript: until the game is over that is for the referee.
  auto state = scene.service.referee.dice_state(scene.branch.branch);
  if (!state) return std::move(state).error();
  if (!state->record.sealed().empty() && !scene.sees_everything()) {
    return is_hidden("the game has sealed rolls; the transcripts open with the game");
  }
  auto branch = scene.service.store.branch(scene.branch.branch);
  if (!branch) return std::move(branch).error();
  auto all = dice_transcripts(scene.service.store, scene.game->game, *branch);
  if (!all) return std::move(all).error();
  return json_response(200, transcripts_json(*all));
}

// The slot that a body speaks for; none if it does not say.
std::optional<SideId> speaks_for(const std::string& door, const json& body) {
  const char* field = door == "join" ? "slot" : door == "request" ? "roller" : "contributor";
  if (!body.contains(field) || !body[field].is_number_unsigned()) return std::nullopt;
  const auto slot = body[field].get<std::uint64_t>();
  if (slot >= kServiceSlot) return std::nullopt;
  return SideId{static_cast<int>(slot)};
}

Answer hand_in(const Scene& scene, const std::string& door) {
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  const auto side = speaks_for(door, *body);
  bool allowed = scene.is_referee();
  if (door == "abandon") {
    for (std::size_t s = 0; s < scene.game->roster().sides.size(); ++s) {
      allowed = allowed || may_order(scene, SideId{static_cast<int>(s)});
    }
  } else if (side && side->index() < scene.game->roster().sides.size()) {
    allowed = may_order(scene, *side);
  }
  if (!allowed) return denied("this seat does not contribute for that side");
  auto answer =
      hand_in_dice(scene.service.referee, scene.branch.branch, door, *body, author_of(scene.grant));
  if (!answer) return std::move(answer).error();
  return json_response(200, dice_answer_json(*answer));
}

template <const char* kDoor>
Answer post(const Scene& scene) {
  return hand_in(scene, kDoor);
}

constexpr char kJoin[] = "join", kRequest[] = "request", kReveal[] = "reveal", kUnlock[] = "unlock",
               kAbandon[] = "abandon";

}  // namespace

void add_dice_play_routes(Routes& routes) {
  routes.add(Method::kGet, "/dice/state", get_state);
  routes.add(Method::kGet, "/dice/transcripts", get_transcripts);
  routes.add(Method::kPost, "/dice/join", post<kJoin>);
  routes.add(Method::kPost, "/dice/request", post<kRequest>);
  routes.add(Method::kPost, "/dice/reveal", post<kReveal>);
  routes.add(Method::kPost, "/dice/unlock", post<kUnlock>);
  routes.add(Method::kPost, "/dice/abandon", post<kAbandon>);
}

}  // namespace wardiary::http

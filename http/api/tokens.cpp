// Who may come in: tokens of a game and of the administrators, invitations, and who sits where.
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "http/api/players.h"
#include "http/api/service.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

// Where the page takes an invitation. The token stands in the fragment, which browsers never send.
std::string invitation(const GameId& game, const std::string& secret, const std::string& label) {
  std::string word;
  for (char c : label) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) {
      word += c;
    } else {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      word += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return "/#/join/" + to_hex(game) + "/" + secret + "/" + word;
}

const SeatSpec* find_seat(const OpenGame& game, std::string_view name) {
  for (const SeatSpec& seat : game.game.created.seats) {
    if (seat.name == name) return &seat;
  }
  return nullptr;
}

// Who sits there: said by the referee, or by whoever holds the seat.
Answer put_seat(const GameScene& scene) {
  const SeatSpec* seat = find_seat(*scene.game, scene.request.path_text("seat"));
  if (!seat) return not_found("the game has no such seat");
  const bool own = scene.grant.role == Grant::Role::kSeat && scene.grant.game == scene.game->id &&
                   scene.grant.seat == seat->name;
  if (!own && !scene.is_referee()) return denied("this seat is not yours");
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"player"});
  const std::string player = in.text("player");
  if (!is_player_name(player)) in.complain("player", "must be one line of text");
  if (!in.ok()) return std::move(in).error();
  std::lock_guard lock(scene.service.players_mutex);
  auto players = players_of(scene.service.store, scene.game->id);
  if (!players) return std::move(players).error();
  (*players)[seat->name] = player;
  if (player.empty()) players->erase(seat->name);
  if (auto set = set_players(scene.service.store, scene.game->id, *players); !set) {
    return std::move(set).error();
  }
  return json_response(200, {{"name", seat->name}, {"player", player}});
}

json listed_json(const Access::Listed& token) {
  json out = {{"id", token.id},
              {"role", role_word(token.grant.role)},
              {"label", token.label},
              {"createdAt", token.created_at_ms}};
  if (token.grant.role == Grant::Role::kSeat) out["seat"] = token.grant.seat;
  return out;
}

Answer list_tokens(const Asker& asker, const std::optional<GameId>& game) {
  auto limit = limit_of(asker.request, 100, 1'000);
  if (!limit) return std::move(limit).error();
  auto page = asker.service.access.list(game, cursor_of(asker.request), *limit);
  if (!page) return std::move(page).error();
  json tokens = json::array();
  for (const Access::Listed& token : page->items) tokens.push_back(listed_json(token));
  return json_response(
      200, {{"tokens", std::move(tokens)}, {"next", page->next ? json(*page->next) : json()}});
}

Answer revoke_token(const Asker& asker, const std::optional<GameId>& game) {
  auto revoked = asker.service.access.revoke(game, asker.request.path_text("token"));
  if (!revoked) return std::move(revoked).error();
  return empty_response(204);
}

constexpr std::string_view kOnlyReferee = "only the referee may see and make tokens";
constexpr std::string_view kOnlyAdmin = "only the administrator may do this";

Answer get_tokens(const GameScene& scene) {
  if (!scene.is_referee()) return denied(kOnlyReferee);
  return list_tokens(scene, scene.game->id);
}

std::string read_label(JsonReader& in) {
  std::string label = in.text_or("label", "");
  if (label.size() > Access::kLabelBytesMax || !is_clean_utf8(label)) {
    in.complain("label", "must be a text of at most 100 bytes");
  }
  return label;
}

Answer post_token(const GameScene& scene) {
  if (!scene.is_referee()) return denied(kOnlyReferee);
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"role", "seat", "label"});
  Grant grant;
  grant.game = scene.game->id;
  const auto role = role_of(in.text("role"));
  if (!role || *role == Grant::Role::kAdmin) {
    in.complain("role", "must be seat, referee or spectator");
  } else {
    grant.role = *role;
  }
  if (grant.role == Grant::Role::kSeat) {
    const SeatSpec* seat = find_seat(*scene.game, in.text("seat"));
    if (!seat) in.complain("seat", "the game has no such seat");
    if (seat) grant.seat = seat->name, grant.sides = seat->sides;
  } else if (in.has("seat")) {
    in.complain("seat", "goes with the role seat only");
  }
  const std::string label = read_label(in);
  if (!in.ok()) return std::move(in).error();
  auto issued = scene.service.access.issue(grant, label, now_ms());
  if (!issued) return std::move(issued).error();
  const std::string shown = !label.empty() ? label : author_of(grant);
  return json_response(201, {{"id", issued->id},
                             {"role", role_word(grant.role)},
                             {"token", issued->secret},
                             {"link", invitation(scene.game->id, issued->secret, shown)}});
}

Answer delete_token(const GameScene& scene) {
  if (!scene.is_referee()) return denied(kOnlyReferee);
  return revoke_token(scene, scene.game->id);
}

Answer get_admin_tokens(const Asker& asker) {
  if (asker.grant.role != Grant::Role::kAdmin) return denied(kOnlyAdmin);
  return list_tokens(asker, std::nullopt);
}

Answer post_admin_token(const Asker& asker) {
  if (asker.grant.role != Grant::Role::kAdmin) return denied(kOnlyAdmin);
  auto body = read_body(asker.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"label"});
  const std::string label = read_label(in);
  if (!in.ok()) return std::move(in).error();
  auto issued = asker.service.access.issue({Grant::Role::kAdmin, {}, "", {}}, label, now_ms());
  if (!issued) return std::move(issued).error();
  return json_response(201, {{"id", issued->id}, {"role", "admin"}, {"token", issued->secret}});
}

Answer delete_admin_token(const Asker& asker) {
  if (asker.grant.role != Grant::Role::kAdmin) return denied(kOnlyAdmin);
  return revoke_token(asker, std::nullopt);
}

}  // namespace

void add_token_routes(Routes& routes) {
  routes.add(Method::kPut, "/seats/{seat:text}", put_seat);
  routes.add(Method::kGet, "/tokens", get_tokens, {{"after", "limit"}});
  routes.add(Method::kPost, "/tokens", post_token);
  routes.add(Method::kDelete, "/tokens/{token:word}", delete_token);
  routes.add(Method::kGet, "/admin/tokens", get_admin_tokens, {{"after", "limit"}});
  routes.add(Method::kPost, "/admin/tokens", post_admin_token);
  routes.add(Method::kDelete, "/admin/tokens/{token:word}", delete_admin_token);
}

}  // namespace wardiary::http

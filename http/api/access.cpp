#include "http/api/access.h"

#include <sodium.h>

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/json_reader.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

constexpr std::string_view kRoles[] = {"seat", "referee", "spectator", "admin"};
constexpr std::string_view kTokenStart = "wd_";

std::string key_of(std::string_view token) {
  return "token/" + to_hex(sha256(bytes_of(token)));
}

Result<Grant> read_grant(ByteView stored) {
  auto document = parse_json(text_of(stored));
  if (!document) return corrupt("an access record is not readable");
  JsonReader in(*document, "grant");
  Grant grant;
  const std::string role = in.text("role");
  for (std::size_t i = 0; i < std::size(kRoles); ++i) {
    if (kRoles[i] == role) grant.role = static_cast<Grant::Role>(i);
  }
  if (in.has("game")) grant.game = fixed_from_hex<16>(in.text("game"));
  grant.seat = in.text_or("seat", "");
  if (const json* sides = in.get("sides"); sides && sides->is_array()) {
    for (const json& side : *sides) grant.sides.push_back(SideId{side.get<int>()});
  }
  if (!in.ok()) return corrupt("an access record is not readable");
  return grant;
}

}  // namespace

std::string_view role_word(Grant::Role role) { return kRoles[static_cast<std::size_t>(role)]; }

Result<std::string> Access::issue(const Grant& grant) {
  FixedBytes<32> random;
  randombytes_buf(random.data.data(), random.data.size());
  const std::string token = std::string(kTokenStart) + to_hex(random);
  json record = {{"role", role_word(grant.role)}, {"seat", grant.seat}};
  if (grant.game) record["game"] = to_hex(*grant.game);
  record["sides"] = json::array();
  for (SideId side : grant.sides) record["sides"].push_back(side.value);
  const std::string text = record.dump();
  const EventStore::RecordChange change{key_of(token), Bytes(text.begin(), text.end())};
  if (auto status = store_.change_records({&change, 1}); !status) return std::move(status).error();
  return token;
}

Status Access::revoke(std::string_view token) {
  const EventStore::RecordChange change{key_of(token), std::nullopt};
  return store_.change_records({&change, 1});
}

Result<Grant> Access::who(const Request& request) {
  auto header = request.headers.get("Authorization");
  if (!header) return Grant{};
  constexpr std::string_view kScheme = "Bearer ";
  const Error unknown{ErrorCode::kDenied, "the token is not known"};
  if (header->size() <= kScheme.size() || !same_token(header->substr(0, kScheme.size()), kScheme)) {
    return unknown;
  }
  const std::string_view token = header->substr(kScheme.size());
  if (!token.starts_with(kTokenStart) || token.size() != kTokenStart.size() + 64) return unknown;
  auto stored = store_.record(key_of(token));
  if (!stored) return std::move(stored).error();
  if (!*stored) return unknown;
  return read_grant(**stored);
}

bool Access::is_referee(const Grant& grant, const OpenGame& game) {
  return grant.role == Grant::Role::kAdmin ||
         (grant.role == Grant::Role::kReferee && grant.game == game.id);
}

Viewer Access::viewer(const Grant& grant, const OpenGame& game, bool over) {
  if (over || is_referee(grant, game)) return Viewer::referee();
  if (grant.role == Grant::Role::kSeat && grant.game == game.id && !grant.sides.empty()) {
    return Viewer::of(grant.sides.front());
  }
  return Viewer::spectator();
}

bool Access::may_order(const Grant& grant, const OpenGame& game, SideId side) {
  if (is_referee(grant, game)) return true;
  if (grant.role != Grant::Role::kSeat || grant.game != game.id) return false;
  for (SideId own : grant.sides) {
    if (own == side) return true;
  }
  return false;
}

}  // namespace wardiary::http

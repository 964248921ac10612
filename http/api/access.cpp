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

const std::string kTokenKey = "token/";
constexpr std::size_t kIdDigits = 16;

std::string hash_of(std::string_view token) {
  return to_hex(sha256(bytes_of(token)));
}

std::string list_prefix(const std::optional<GameId>& game) {
  return "grant/" + (game ? to_hex(*game) : std::string("admin")) + "/";
}

json grant_json(const Grant& grant) {
  json out = {{"role", role_word(grant.role)}, {"seat", grant.seat}};
  if (grant.game) out["game"] = to_hex(*grant.game);
  out["sides"] = json::array();
  for (SideId side : grant.sides) out["sides"].push_back(side.value);
  return out;
}

Result<Grant> read_grant(ByteView stored) {
  auto document = parse_json(text_of(stored));
  if (!document) return corrupt("an access record is not readable");
  JsonReader in(*document, "grant");
  Grant grant;
  const auto role = role_of(in.text("role"));
  if (!role) return corrupt("an access record is not readable");
  grant.role = *role;
  if (in.has("game")) grant.game = fixed_from_hex<16>(in.text("game"));
  grant.seat = in.text_or("seat", "");
  if (const json* sides = in.get("sides"); sides && sides->is_array()) {
    for (const json& side : *sides) grant.sides.push_back(SideId{side.get<int>()});
  }
  if (!in.ok()) return corrupt("an access record is not readable");
  return grant;
}

}  // namespace

std::string_view role_word(Grant::Role role) {
  return kRoles[static_cast<std::size_t>(role)];
}

std::optional<Grant::Role> role_of(std::string_view word) {
  for (std::size_t i = 0; i < std::size(kRoles); ++i) {
    if (kRoles[i] == word) return static_cast<Grant::Role>(i);
  }
  return std::nullopt;
}

Result<Access::Issued> Access::issue(const Grant& grant, std::string_view label,
                                     std::uint64_t now_ms) {
  FixedBytes<32> random;
  randombytes_buf(random.data.data(), random.data.size());
  const std::string token = std::string(kTokenStart) + to_hex(random);
  const std::string hash = hash_of(token);
  json record = grant_json(grant);
  const std::string what = record.dump();
  record["hash"] = hash;
  record["label"] = label;
  record["createdAt"] = now_ms;
  const std::string listed = record.dump();
  const std::string id = hash.substr(0, kIdDigits);
  const EventStore::RecordChange changes[] = {
      {kTokenKey + hash, Bytes(what.begin(), what.end())},
      {list_prefix(grant.game) + id, Bytes(listed.begin(), listed.end())}};
  if (auto status = store_.change_records(changes); !status) return std::move(status).error();
  return Issued{id, token};
}

Result<Page<Access::Listed>> Access::list(const std::optional<GameId>& game,
                                          const std::optional<std::string>& after,
                                          std::size_t limit) {
  Page<Listed> page;
  Status readable = Done{};
  const std::string prefix = list_prefix(game);
  Status scanned = store_.scan_records(prefix, [&](std::string_view key, ByteView value) {
    const std::string id(key.substr(prefix.size()));
    if (after && id <= *after) return true;
    if (page.items.size() == limit) {
      page.next = page.items.back().id;
      return false;
    }
    auto grant = read_grant(value);
    auto document = parse_json(text_of(value));
    if (!grant || !document) {
      readable = corrupt("an access record is not readable");
      return false;
    }
    page.items.push_back({id, std::move(*grant), document->value("label", ""),
                          document->value("createdAt", std::uint64_t{0})});
    return true;
  });
  if (!scanned) return std::move(scanned).error();
  if (!readable) return std::move(readable).error();
  return page;
}

Status Access::revoke(const std::optional<GameId>& game, std::string_view id) {
  const std::string listed = list_prefix(game) + std::string(id);
  auto stored = store_.record(listed);
  if (!stored) return std::move(stored).error();
  if (!*stored) return not_found("there is no such token");
  auto document = parse_json(text_of(**stored));
  if (!document) return corrupt("an access record is not readable");
  const std::string key = kTokenKey + document->value("hash", "");
  const EventStore::RecordChange changes[] = {{key, std::nullopt}, {listed, std::nullopt}};
  if (auto status = store_.change_records(changes); !status) return status;
  std::lock_guard lock(mutex_);
  known_.erase(key);
  ++revoked_;
  return Done{};
}

Result<Grant> Access::who(const Request& request) {
  auto header = request.headers.get("Authorization");
  if (!header) return Grant{};
  const auto now = std::chrono::steady_clock::now();
  auto unknown = [&] {
    guesses_.failed(request.peer, now);
    return Error{ErrorCode::kDenied, "the token is not known"};
  };
  constexpr std::string_view kScheme = "Bearer ";
  if (header->size() <= kScheme.size() || !same_token(header->substr(0, kScheme.size()), kScheme)) {
    return unknown();
  }
  const std::string_view token = header->substr(kScheme.size());
  const std::string key = kTokenKey + hash_of(token);
  std::uint64_t revoked = 0;
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find(key); found != known_.end()) return found->second;
    revoked = revoked_;
  }
  if (!guesses_.may_try(request.peer, now)) {
    return Error{ErrorCode::kLimit, "too many unknown tokens came from this address"};
  }
  if (!token.starts_with(kTokenStart) || token.size() != kTokenStart.size() + 64) return unknown();
  auto stored = store_.record(key);
  if (!stored) return std::move(stored).error();
  if (!*stored) return unknown();
  auto grant = read_grant(**stored);
  if (!grant) return grant;
  std::lock_guard lock(mutex_);
  // Not if one was revoked meanwhile: it might be this one.
  if (revoked == revoked_) {
    if (known_.size() >= kKnownMax) known_.clear();
    known_.emplace(key, *grant);
  }
  return grant;
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

#include "eventstore/postgres/schema.h"
#include "eventstore/postgres/store.h"

namespace wardiary::postgres {
namespace {

using stored::Family;
using stored::pair_key;

const Statement kLook{"wd_look",
                      "select h.game, h.v, b.v, g.mark, g.v from wardiary_branch_head h "
                      "left join wardiary_branch b on b.k = h.game || h.k "
                      "left join wardiary_game_head g on g.k = h.game where h.k = $1::bytea"};
const Statement kGameHead{"wd_game_head", "select v from wardiary_game_head where k = $1::bytea"};
const Statement kGames{"wd_games",
                       "select g.k, g.v, h.v from wardiary_game g "
                       "left join wardiary_game_head h on h.k = g.k "
                       "where g.k > $1::bytea order by g.k limit $2::bigint"};
const Statement kGame{"wd_game",
                      "select g.k, g.v, h.v from wardiary_game g "
                      "left join wardiary_game_head h on h.k = g.k where g.k = $1::bytea"};
const Statement kBranches{
    "wd_branches",
    "select b.k, b.v, h.v from wardiary_branch b left join "
    "wardiary_branch_head h on h.k = substring(b.k from 17 for 16) "
    "where b.k > $1::bytea and b.k < $2::bytea order by b.k limit $3::bigint"};

Error damaged_branch(const BranchId& branch) {
  return corrupt("branch " + to_hex(branch) +
                 ": a record of the branch does not pass its check; run verify");
}
Error damaged_game(const GameId& game) {
  return corrupt("game " + to_hex(game) + ": a record of the game does not pass its check");
}

// The branch as its two records say it; nothing if one of them does not pass its check.
std::optional<std::pair<BranchHead, stored::BranchRecord>> read_branch(
    const GameId& game, const BranchId& branch, std::string_view head_value,
    std::string_view record_value) {
  const auto head_body =
      stored::unchecked(Family::kHeads, stored::branch_head_key(branch), head_value);
  const auto body = stored::unchecked(Family::kBranches, pair_key(game, branch), record_value);
  auto record = body ? stored::BranchRecord::parse(*body) : std::nullopt;
  BranchHead head;
  if (!record || !head_body || !stored::parse_branch_head(*head_body, head.version, head.hash)) {
    return std::nullopt;
  }
  head.game = game;
  head.parent = record->parent;
  head.mainline = record->is_mainline();
  head.forked_at = record->forked_at;
  head.fork_hash = record->fork_hash;
  head.depth = record->depth;
  head.deleted = record->deleted;
  return std::pair(head, std::move(*record));
}

bool read_head(const GameId& game, std::string_view value, GameHead& head) {
  const auto body = stored::unchecked(Family::kHeads, stored::game_head_key(game), value);
  return body && stored::parse_game_head(*body, head);
}

std::optional<GameInfo> read_game(const Rows& rows, std::size_t row) {
  const auto id = Id::from(bytes_of(rows.bytes(row, 0)));
  if (!id) return std::nullopt;
  const auto body = stored::unchecked(Family::kGames, stored::id_key(*id), rows.bytes(row, 1));
  const auto record = body ? stored::GameRecord::parse(*body) : std::nullopt;
  GameHead head;
  if (!record || !read_head(*id, rows.bytes(row, 2), head)) return std::nullopt;
  return GameInfo{*id, record->mainline, record->name, record->created_at_ms, head.frontier.size()};
}

}  // namespace

// A branch and its game as they are now, in one question. What was seen is remembered.
Result<Store::Seen> Store::look(const BranchId& branch) {
  auto rows = pool_.ask(kLook, Params().bytes(branch.view()));
  if (!rows) return std::move(rows).error();
  if (rows->count() == 0) return not_found("no branch " + to_hex(branch));
  const auto game = Id::from(bytes_of(rows->bytes(0, 0)));
  const auto mark = Id::from(bytes_of(rows->bytes(0, 3)));
  GameHead game_head;
  if (!game || !mark) return damaged_branch(branch);
  auto read = read_branch(*game, branch, rows->bytes(0, 1), rows->bytes(0, 2));
  if (!read) return damaged_branch(branch);
  if (!read_head(*game, rows->bytes(0, 4), game_head)) return damaged_game(*game);
  known_.saw(*game, *mark, game_head, branch, read->first);
  return Seen{read->first, std::move(read->second)};
}

Result<BranchHead> Store::head_of(const BranchId& branch) {
  auto seen = look(branch);
  if (!seen) return std::move(seen).error();
  return seen->head;
}

Result<BranchHead> Store::ancestor(const BranchId& branch) {
  if (auto known = known_.origin(branch)) return *known;
  return head_of(branch);
}

Result<GameHead> Store::game_head(const GameId& game) {
  auto rows = pool_.ask(kGameHead, Params().bytes(game.view()));
  if (!rows) return std::move(rows).error();
  if (rows->count() == 0) return not_found("no game " + to_hex(game));
  GameHead head;
  if (!read_head(game, rows->bytes(0, 0), head)) return damaged_game(game);
  return head;
}

std::unique_ptr<stored::Source> Store::source() {
  return std::make_unique<TableSource>([this](const Statement& statement, const Params& params) {
    return pool_.ask(statement, params);
  });
}

Result<std::optional<std::string>> Store::stored_now(Family f, std::string_view key) {
  return source()->get(f, key);
}

Result<BranchInfo> Store::branch(const BranchId& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto seen = look(branch);
  if (!seen) return std::move(seen).error();
  return stored::info_from(branch, seen->head, seen->record);
}

Result<GameInfo> Store::game(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto rows = pool_.ask(kGame, Params().bytes(game.view()));
  if (!rows) return std::move(rows).error();
  if (rows->count() == 0) return not_found("no game " + to_hex(game));
  auto info = read_game(*rows, 0);
  if (!info) return damaged_game(game);
  return *info;
}

Result<Page<GameInfo>> Store::games(std::optional<std::string> after, std::size_t limit) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = stored::check_page(limit); !s) return s.error();
  auto cursor = stored::check_cursor(after);
  if (!cursor) return std::move(cursor).error();
  auto rows =
      pool_.ask(kGames, Params().bytes(*cursor ? stored::id_key(**cursor) : "").number(limit + 1));
  if (!rows) return std::move(rows).error();
  Page<GameInfo> page;
  for (std::size_t i = 0; i < rows->count() && i < limit; ++i) {
    // A damaged record hides its game here; verify() names it.
    if (auto info = read_game(*rows, i)) page.items.push_back(std::move(*info));
  }
  if (rows->count() > limit) page.next = to_hex(bytes_of(rows->bytes(limit - 1, 0)));
  return page;
}

Result<Page<BranchInfo>> Store::branches(const GameId& game, std::optional<std::string> after,
                                         std::size_t limit) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = stored::check_page(limit); !s) return s.error();
  if (auto head = game_head(game); !head) return std::move(head).error();
  auto cursor = stored::check_cursor(after);
  if (!cursor) return std::move(cursor).error();
  const std::string prefix = stored::id_key(game);
  const std::string from = *cursor ? pair_key(game, **cursor) : prefix;
  auto rows = pool_.ask(kBranches, Params().bytes(from).bytes(range_end(prefix)).number(limit + 1));
  if (!rows) return std::move(rows).error();
  Page<BranchInfo> page;
  for (std::size_t i = 0; i < rows->count() && i < limit; ++i) {
    const std::string_view key = rows->bytes(i, 0);
    const auto id = key.size() == 32 ? Id::from(bytes_of(key.substr(16))) : std::nullopt;
    const auto read =
        id ? read_branch(game, *id, rows->bytes(i, 2), rows->bytes(i, 1)) : std::nullopt;
    if (read) page.items.push_back(stored::info_from(*id, read->first, read->second));
  }
  if (rows->count() > limit) page.next = to_hex(bytes_of(rows->bytes(limit - 1, 0).substr(16)));
  return page;
}

Result<Version> Store::wait_beyond(const BranchId& branch, Version after,
                                   std::uint32_t timeout_ms) {
  return followers_.wait(branch, after, timeout_ms, [&]() -> Result<Version> {
    auto pass = enter();
    if (!pass) return std::move(pass).error();
    auto head = head_of(branch);
    if (!head) return std::move(head).error();
    return head->version;
  });
}

void Store::set_listener(std::function<void(const BranchId&, Version)> listener) {
  followers_.set_listener(std::move(listener));
}

void Store::watch(const BranchId& branch, bool on) {
  followers_.watch(branch, on);
}

}  // namespace wardiary::postgres

#include <algorithm>

#include "eventstore/copy.h"
#include "eventstore/postgres/store.h"

namespace wardiary::postgres {
namespace {

constexpr auto kVerifyPatience = std::chrono::minutes(30);

// Never goes back: two processes may sign at once.
const Statement kRemember{"wd_remember",
                          "insert into wardiary_checkpoint (k, v) values ($1::bytea, $2::bytea) "
                          "on conflict (k) do update set v = excluded.v "
                          "where wardiary_checkpoint.v < excluded.v"};
const Statement kRemembered{"wd_remembered",
                            "select k, v from wardiary_checkpoint where k = $1::bytea"};
const Statement kCount{"wd_count",
                       "select (select count(*) from wardiary_branch_head), count(*), "
                       "coalesce(sum(events), 0)::bigint, coalesce(sum(bytes), 0)::bigint "
                       "from wardiary_game_head"};
const Statement kSize{"wd_size", "select pg_database_size(current_database())::bigint"};

}  // namespace

// Remembered in the tables, for the other processes, and in the key directory, where a restored
// database cannot take it back; then signed. The write to the tables also makes sure that what is
// signed has reached the standbys.
Result<std::string> Store::checkpoint(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  const SignedTree tree{head->frontier.size(), head->frontier.root()};
  auto done = pool_.ask(kRemember, Params().bytes(game.view()).bytes(checkpoint_value(game, tree)));
  if (!done) return std::move(done).error();
  Status s = memory_->with([&](CheckpointFile& memory) { return memory.remember(game, tree); });
  if (!s) return s.error();
  return sign_checkpoint({log_origin(game), tree.size, tree.root}, *key_);
}

Result<std::optional<SignedTree>> Store::promised(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  std::optional<SignedTree> out;
  Status s = memory_->with([&](CheckpointFile& memory) -> Status {
    out = memory.newest(game);
    return Done{};
  });
  if (!s) return s.error();
  auto in_tables = promised_in_tables([&](const Statement&, const Params&) {
    return pool_.ask(kRemembered, Params().bytes(game.view()));
  });
  if (!in_tables) return std::move(in_tables).error();
  for (const auto& [id, tree] : *in_tables) {
    if (!out || tree.size > out->size) out = tree;
  }
  return out;
}

// In one transaction, so that everything is seen as it was at one moment.
Result<EventStore::Verified> Store::verify(
    std::optional<GameId> game, const std::function<void(std::uint64_t events)>& progress) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (game) {
    if (auto head = game_head(*game); !head && head.error().code == ErrorCode::kNotFound) {
      return std::move(head).error();
    }
  }
  auto lease = pool_.take(pool_.patience());
  if (!lease) return lease.failure().error();
  Connection& connection = *(*lease).operator->();
  const auto deadline = [] { return Clock::now() + kVerifyPatience; };
  auto begun = connection.script(
      "begin transaction isolation level repeatable read read only; "
      "set local idle_in_transaction_session_timeout = 0",
      deadline());
  if (!begun) return begun.failure().error();
  const Ask ask = [&](const Statement& statement, const Params& params) -> Result<Rows> {
    auto rows = connection.run({&statement, params}, deadline());
    if (!rows) return rows.failure().error();
    return std::move(*rows);
  };
  stored::Promises promises;
  Status s = memory_->with([&](CheckpointFile& memory) -> Status {
    promises = stored::Promises::of(memory);
    return Done{};
  });
  if (!s) return s.error();
  EventStore::Verified out;
  auto in_tables = promised_in_tables(ask);
  if (in_tables) {
    for (const auto& [id, tree] : *in_tables) {
      const auto [begin, end] = promises.signed_trees.equal_range(id);
      const bool known = std::any_of(begin, end, [&](const auto& p) { return p.second == tree; });
      if (!known) promises.signed_trees.emplace(id, tree);
    }
  }
  TableSource records(ask);
  stored::Verifier verifier(records, promises, progress);
  out = game ? verifier.verify_one(*game) : verifier.verify_all();
  if (!in_tables) out.findings.push_back({"checkpoint", "checkpoints", in_tables.error().text});
  if (!connection.usable()) {
    return Error{ErrorCode::kIo, "PostgreSQL: the connection was lost while verifying"};
  }
  (void)connection.script("rollback", deadline());
  return out;
}

Result<StoreStats> Store::stats() {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto rows = pool_.ask(kCount, Params());
  if (!rows) return std::move(rows).error();
  StoreStats out;
  out.branches = rows->number(0, 0);
  out.games = rows->number(0, 1);
  out.events = rows->number(0, 2);
  out.payload_bytes = rows->number(0, 3);
  out.commits = commits_;
  out.syncs = syncs_;
  out.conflicts = conflicts_;
  out.duplicates = duplicates_;
  // Not every server of this kind can say it.
  if (auto size = pool_.ask(kSize, Params())) out.disk_bytes = size->number(0, 0);
  return out;
}

// The server's own means (base backups, archived logs) bring back a cluster; this brings back a
// diary, verified, wherever an embedded store will do.
Status Store::backup(const std::string& directory, BackupKeys keys) {
  return copy_to_directory(*this, options_.directory, directory, keys);
}

// The server looks after its tables by itself (autovacuum).
Status Store::tidy() {
  auto pass = enter();
  return pass ? Status(Done{}) : Status(std::move(pass).error());
}

}  // namespace wardiary::postgres

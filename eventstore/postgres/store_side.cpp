#include <map>

#include "eventstore/postgres/store.h"

namespace wardiary::postgres {
namespace {

using stored::Family;

// Caches need not survive a crash, and must not wait for a standby.
const Statement kHurry{"wd_hurry", "set local synchronous_commit = off"};
const Statement kPutSnapshot{"wd_put_snapshot",
                             "insert into wardiary_snapshot (k, v) values ($1::bytea, $2::bytea) "
                             "on conflict (k) do update set v = excluded.v"};
const Statement kPutIndex{"wd_put_index",
                          "insert into wardiary_index (k, v) values ($1::bytea, $2::bytea) "
                          "on conflict (k) do update set v = excluded.v"};
const Statement kDropSnapshots{"wd_drop_snapshots",
                               "delete from wardiary_snapshot where k >= $1::bytea and "
                               "k < $2::bytea"};
const Statement kDropIndex{"wd_drop_index",
                           "delete from wardiary_index where k >= $1::bytea and k < $2::bytea"};
const Statement kAddNote{"wd_add_note",
                         "insert into wardiary_note (k, v, token) values "
                         "($1::bytea, $2::bytea, $3::bytea)"};
const Statement kTokenOf{"wd_note_token", "select token from wardiary_note where k = $1::bytea"};
const Statement kPutRecords{"wd_put_records",
                            "insert into wardiary_record (k, v) select x.k, x.v from "
                            "unnest($1::bytea[], $2::bytea[]) as x(k, v) "
                            "on conflict (k) do update set v = excluded.v"};
const Statement kDropRecords{"wd_drop_records",
                             "delete from wardiary_record where k = any($1::bytea[])"};

Bytes to_bytes(std::string_view body) {
  const ByteView bytes = bytes_of(body);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Status Store::put_cached(const Statement& statement, std::string_view key, std::string_view value) {
  const Call calls[] = {{&kHurry, {}}, {&statement, Params().bytes(key).bytes(value)}};
  auto done = pool_.ask_all(calls);
  return done ? Status(Done{}) : Status(std::move(done).error());
}

Status Store::drop_range(const Statement& statement, std::string_view prefix) {
  auto done = pool_.ask(statement, Params().bytes(prefix).bytes(range_end(prefix)));
  return done ? Status(Done{}) : Status(std::move(done).error());
}

Status Store::put_snapshot(const BranchId& branch, const Snapshot& snapshot) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  if (snapshot.version < 1 || snapshot.version > head->version) {
    return invalid("version: a snapshot can be of 1.." + std::to_string(head->version) +
                   ", not of " + std::to_string(snapshot.version));
  }
  if (snapshot.bytes.size() > StoreLimits::kSnapshotBytesMax) {
    return stored::limit("the snapshot has too many bytes", StoreLimits::kSnapshotBytesMax);
  }
  // Kept with the branch that owns the version, so that all branches through it find it.
  auto pieces = line(branch, snapshot.version, snapshot.version);
  if (!pieces) return std::move(pieces).error();
  const std::string key = stored::number_key(pieces->front().branch, snapshot.version);
  return put_cached(kPutSnapshot, key,
                    stored::checked(Family::kSnapshots, key, text_of(snapshot.bytes)));
}

Result<std::optional<Snapshot>> Store::snapshot_at(const BranchId& branch, Version at) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto pieces = line(branch, 1, at);
  if (!pieces) return std::move(pieces).error();
  const auto records = source();
  for (auto piece = pieces->rbegin(); piece != pieces->rend(); ++piece) {
    const auto it = records->cursor(Family::kSnapshots, stored::id_key(piece->branch));
    for (it->seek_back(stored::number_key(piece->branch, piece->last)); it->valid(); it->prev()) {
      // A damaged snapshot is as good as none: an older one, or the events, will do.
      const auto body = stored::unchecked(Family::kSnapshots, it->key(), it->value());
      if (!body || it->key().size() != 24) continue;
      return std::optional(Snapshot{get_u64(bytes_of(it->key()).data() + 16), to_bytes(*body)});
    }
    if (Status s = it->status(); !s) return s.error();
  }
  return std::optional<Snapshot>();
}

Status Store::drop_snapshots() {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return drop_range(kDropSnapshots, "");
}

Status Store::put_index(std::string_view key, ByteView value) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = stored::check_key(key); !s) return s;
  if (Status s = stored::check_value(value); !s) return s;
  return put_cached(kPutIndex, key, stored::checked(Family::kIndex, key, text_of(value)));
}

Status Store::scan_index(std::string_view prefix, std::string_view after,
                         const std::function<bool(std::string_view, ByteView)>& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return source()->scan(
      Family::kIndex, prefix, after,
      [&](std::string_view key, std::string_view body) { return see(key, bytes_of(body)); });
}

Status Store::drop_index(std::string_view prefix) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return drop_range(kDropIndex, prefix);
}

Result<std::uint64_t> Store::add_note(const GameId& game, ByteView note) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (auto head = game_head(game); !head) return std::move(head).error();
  if (Status s = stored::check_note(note); !s) return s.error();
  const Id token = random_mark();  // by which this note is known again if the answer is lost
  Backoff backoff(pool_.patience());
  std::optional<std::uint64_t> doubtful;
  for (;;) {
    if (doubtful) {
      auto rows = pool_.ask(kTokenOf, Params().bytes(stored::number_key(game, *doubtful)));
      if (!rows) return std::move(rows).error();
      if (rows->count() == 1 && rows->bytes(0, 0) == text_of(token)) {
        if (Status s = barrier(game); !s) return s.error();
        return *doubtful;
      }
    }
    const auto it = source()->cursor(Family::kNotes, stored::id_key(game));
    it->seek_back(stored::number_key(game, ~std::uint64_t{0}));
    if (Status s = it->status(); !s) return s.error();
    const bool any = it->valid() && it->key().size() == 24;
    const std::uint64_t number = 1 + (any ? get_u64(bytes_of(it->key()).data() + 16) : 0);
    const std::string key = stored::number_key(game, number);
    Params params;
    params.bytes(key).bytes(stored::checked(Family::kNotes, key, text_of(note)));
    const Call call{&kAddNote, std::move(params.bytes(token.view()))};
    auto done = transact({&call, 1});
    if (done) return number;
    if (done.failure().kind == Failure::Kind::kTaken) continue;  // another process was first
    if (done.failure().kind == Failure::Kind::kLost) doubtful = number;
    const bool again = doubtful || done.failure().kind == Failure::Kind::kAgain;
    if (!again || !backoff.wait()) return done.failure().error();
  }
}

Status Store::read_notes(const GameId& game, std::uint64_t after,
                         const std::function<bool(std::uint64_t, ByteView)>& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (auto head = game_head(game); !head) return std::move(head).error();
  return source()->scan(Family::kNotes, stored::id_key(game), stored::number_key(game, after),
                        [&](std::string_view key, std::string_view body) {
                          const auto* p = bytes_of(key).data();
                          return key.size() != 24 || see(get_u64(p + 16), bytes_of(body));
                        });
}

Status Store::change_records(std::span<const RecordChange> changes) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = stored::check_changes(changes); !s) return s;
  std::map<std::string_view, const std::optional<Bytes>*> last;  // of several for one key
  for (const RecordChange& change : changes) last[change.key] = &change.value;
  std::vector<std::string> keys, values, dropped;
  for (const auto& [key, value] : last) {
    if (!*value) {
      dropped.emplace_back(key);
      continue;
    }
    keys.emplace_back(key);
    values.push_back(stored::checked(Family::kRecords, key, text_of(**value)));
  }
  const Call calls[] = {{&kPutRecords, Params().byte_array(keys).byte_array(values)},
                        {&kDropRecords, Params().byte_array(dropped)}};
  auto done = pool_.ask_all(calls);
  return done ? Status(Done{}) : Status(std::move(done).error());
}

Result<std::optional<Bytes>> Store::record(std::string_view key) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto body = stored_now(Family::kRecords, key);
  if (!body) return std::move(body).error();
  return *body ? std::optional(to_bytes(**body)) : std::nullopt;
}

Status Store::scan_records(std::string_view prefix,
                           const std::function<bool(std::string_view, ByteView)>& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return source()->scan(
      Family::kRecords, prefix, "",
      [&](std::string_view key, std::string_view body) { return see(key, bytes_of(body)); });
}

}  // namespace wardiary::postgres

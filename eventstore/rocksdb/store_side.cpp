#include "eventstore/rocksdb/store.h"
#include "eventstore/stored/commit.h"

namespace wardiary::embedded {
namespace {

using L = StoreLimits;

Bytes to_bytes(std::string_view body) {
  const ByteView bytes = bytes_of(body);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Status Store::put_snapshot(const BranchId& branch, const Snapshot& snapshot) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  if (snapshot.version < 1 || snapshot.version > head->version) {
    return invalid("version: a snapshot can be of 1.." + std::to_string(head->version) +
                   ", not of " + std::to_string(snapshot.version));
  }
  if (snapshot.bytes.size() > L::kSnapshotBytesMax) {
    return limit("the snapshot has too many bytes", L::kSnapshotBytesMax);
  }
  // Kept with the branch that owns the version, so that all branches through it find it.
  auto pieces = line(branch, snapshot.version, snapshot.version);
  if (!pieces) return std::move(pieces).error();
  rocksdb::WriteBatch batch;
  engine_->put(batch, Family::kSnapshots, number_key(pieces->front().branch, snapshot.version),
               text_of(snapshot.bytes));
  const auto status = engine_->db().Write(rocksdb::WriteOptions(), &batch);
  return status.ok() ? Status(Done{}) : Status(error_of(status, "writing a snapshot"));
}

Result<std::optional<Snapshot>> Store::snapshot_at(const BranchId& branch, Version at) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto pieces = line(branch, 1, at);
  if (!pieces) return std::move(pieces).error();
  const std::unique_ptr<rocksdb::Iterator> it(
      engine_->db().NewIterator(rocksdb::ReadOptions(), engine_->family(Family::kSnapshots)));
  for (auto piece = pieces->rbegin(); piece != pieces->rend(); ++piece) {
    it->SeekForPrev(number_key(piece->branch, piece->last));
    for (; it->Valid() && it->key().starts_with(id_key(piece->branch)); it->Prev()) {
      // A damaged snapshot is as good as none: an older one, or the events, will do.
      const auto body = unchecked(Family::kSnapshots, view(it->key()), view(it->value()));
      if (!body || it->key().size() != 24) continue;
      const Version version = get_u64(reinterpret_cast<const std::uint8_t*>(it->key().data()) + 16);
      return std::optional(Snapshot{version, to_bytes(*body)});
    }
  }
  return std::optional<Snapshot>();
}

Status Store::drop_snapshots() {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  const std::string end(25, '\xff');
  const auto status = engine_->db().DeleteRange(rocksdb::WriteOptions(),
                                                engine_->family(Family::kSnapshots), "", end);
  return status.ok() ? Status(Done{}) : Status(error_of(status, "dropping snapshots"));
}

Status Store::put_index(std::string_view key, ByteView value) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_key(key); !s) return s;
  if (Status s = check_value(value); !s) return s;
  rocksdb::WriteBatch batch;
  engine_->put(batch, Family::kIndex, key, text_of(value));
  const auto status = engine_->db().Write(rocksdb::WriteOptions(), &batch);
  return status.ok() ? Status(Done{}) : Status(error_of(status, "writing the index"));
}

Status Store::scan_index(std::string_view prefix, std::string_view after,
                         const std::function<bool(std::string_view, ByteView)>& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return engine_->scan(
      Family::kIndex, prefix, after,
      [&](std::string_view key, std::string_view body) { return see(key, bytes_of(body)); });
}

Status Store::drop_index(std::string_view prefix) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  std::string end = prefix_end(prefix);
  if (end.empty()) end.assign(L::kKeyBytesMax + 1, '\xff');
  const auto status = engine_->db().DeleteRange(
      rocksdb::WriteOptions(), engine_->family(Family::kIndex), slice(prefix), end);
  return status.ok() ? Status(Done{}) : Status(error_of(status, "dropping the index"));
}

Result<std::uint64_t> Store::add_note(const GameId& game, ByteView note) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (!heads_.has_game(game)) return not_found("no game " + to_hex(game));
  if (Status s = check_note(note); !s) return s.error();
  std::uint64_t number = 0;
  Request request;
  request.bytes = note.size();
  request.plan = [&](Group& group) {
    auto count = note_counts_.find(game);
    if (count == note_counts_.end()) {
      const std::unique_ptr<rocksdb::Iterator> it(
          engine_->db().NewIterator(rocksdb::ReadOptions(), engine_->family(Family::kNotes)));
      it->SeekForPrev(number_key(game, ~std::uint64_t{0}));
      const bool any = it->Valid() && it->key().size() == 24 && it->key().starts_with(id_key(game));
      const auto* key = reinterpret_cast<const std::uint8_t*>(any ? it->key().data() : nullptr);
      count = note_counts_.emplace(game, any ? get_u64(key + 16) : 0).first;
    }
    number = ++count->second;
    engine_->put(group.batch, Family::kNotes, number_key(game, number), text_of(note));
    return true;
  };
  run(request);
  if (Status s = outcome_of(request); !s) return s.error();
  return number;
}

Status Store::read_notes(const GameId& game, std::uint64_t after,
                         const std::function<bool(std::uint64_t, ByteView)>& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (!heads_.has_game(game)) return not_found("no game " + to_hex(game));
  return engine_->scan(Family::kNotes, id_key(game), number_key(game, after),
                       [&](std::string_view key, std::string_view body) {
                         const auto* p = reinterpret_cast<const std::uint8_t*>(key.data());
                         return key.size() != 24 || see(get_u64(p + 16), bytes_of(body));
                       });
}

Status Store::change_records(std::span<const RecordChange> changes) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_changes(changes); !s) return s;
  Request request;
  for (const RecordChange& change : changes) {
    request.bytes += change.key.size() + (change.value ? change.value->size() : 0);
  }
  request.plan = [&](Group& group) {
    for (const RecordChange& change : changes) {
      if (change.value) {
        engine_->put(group.batch, Family::kRecords, change.key, text_of(*change.value));
      } else {
        group.batch.Delete(engine_->family(Family::kRecords), change.key);
      }
    }
    return true;
  };
  run(request);
  return outcome_of(request);
}

Result<std::optional<Bytes>> Store::record(std::string_view key) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto body = engine_->get(Family::kRecords, key);
  if (!body) return std::move(body).error();
  return *body ? std::optional(to_bytes(**body)) : std::nullopt;
}

Status Store::scan_records(std::string_view prefix,
                           const std::function<bool(std::string_view, ByteView)>& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return engine_->scan(
      Family::kRecords, prefix, "",
      [&](std::string_view key, std::string_view body) { return see(key, bytes_of(body)); });
}

}  // namespace wardiary::embedded

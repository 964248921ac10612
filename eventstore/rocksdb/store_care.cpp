#include <filesystem>

#include <rocksdb/utilities/checkpoint.h>

#include "eventstore/rocksdb/store.h"
#include "eventstore/stored/verifier.h"

namespace wardiary::embedded {
namespace {

namespace fs = std::filesystem;

Status copy_file(const fs::path& from, const fs::path& to, unsigned mode) {
  auto content = read_file(from);
  if (!content) return std::move(content).error();
  return write_file(to, *content, mode);
}

Status copy_keys(const DataDir& from, const DataDir& to) {
  if (Status s = copy_file(from.log_key(), to.log_key(), 0600); !s) return s;
  return copy_file(from.master_key(), to.master_key(), 0600);
}

Status rename_whole(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return Error{ErrorCode::kIo, "cannot make " + to.string() + ": " + error.message()};
  return sync_directory(fs::absolute(to).parent_path());
}

Status sync_tree(const fs::path& root) {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(root, error)) {
    Status s = entry.is_directory() ? sync_directory(entry.path()) : sync_file(entry.path());
    if (!s) return s;
  }
  return error ? Status(Error{ErrorCode::kIo, root.string() + ": " + error.message()})
               : sync_directory(root);
}

// A directory that goes away again unless it was moved to its final place.
struct Partial {
  fs::path path;
  ~Partial() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace

Result<EventStore::Verified> Store::verify(
    std::optional<GameId> game, const std::function<void(std::uint64_t events)>& progress) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (game && !heads_.has_game(*game)) return not_found("no game " + to_hex(*game));
  EngineSource source(*engine_);
  const Promises promises = Promises::of(*checkpoints_);
  Verifier verifier(source, promises, progress);
  return game ? verifier.verify_one(*game) : verifier.verify_all();
}

Result<StoreStats> Store::stats() {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  StoreStats out;
  heads_.look([&](const BranchMap& branches, const GameMap& games) {
    out.games = games.size();
    out.branches = branches.size();
    for (const auto& [id, game] : games) {
      out.events += game.frontier.size();
      out.payload_bytes += game.payload_bytes;
    }
  });
  out.commits = commits_;
  out.syncs = syncs_;
  out.conflicts = conflicts_;
  out.duplicates = duplicates_;
  std::error_code error;
  for (fs::recursive_directory_iterator it(dir_.root, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone;  // RocksDB may remove a file while we look
    const std::uint64_t size = it->is_regular_file(gone) ? it->file_size(gone) : 0;
    if (!gone) out.disk_bytes += size;
  }
  return out;
}

Status Store::backup(const std::string& directory, BackupKeys keys) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  const fs::path target = fs::absolute(directory).lexically_normal();
  if (fs::exists(target)) return Error{ErrorCode::kConflict, target.string() + " exists already"};
  const Partial partial{target.string() + ".partial"};
  std::error_code error;
  fs::remove_all(partial.path, error);
  fs::create_directories(partial.path, error);
  if (error) {
    return Error{ErrorCode::kIo, "cannot make " + partial.path.string() + ": " + error.message()};
  }
  const DataDir copy{partial.path};
  // What was signed first, then the events: the copy is then never behind its own word.
  if (Status s = copy_file(dir_.checkpoints(), copy.checkpoints(), 0644); !s) return s;
  rocksdb::Checkpoint* made = nullptr;
  auto status = rocksdb::Checkpoint::Create(&engine_->db(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(copy.database().string(), 0);
  if (!status.ok()) return error_of(status, "backup to " + target.string());
  if (keys == BackupKeys::kInclude) {
    if (Status s = copy_keys(dir_, copy); !s) return s;
  }
  if (Status s = copy.write_format(); !s) return s;
  return rename_whole(partial.path, target);
}

Status Store::tidy() {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = sealer_->seal_all(); !s) return s;
  for (const Family family : {Family::kEvents, Family::kSegments, Family::kHeads}) {
    const auto status = engine_->db().CompactRange(rocksdb::CompactRangeOptions(),
                                                   engine_->family(family), nullptr, nullptr);
    if (!status.ok()) return error_of(status, "compacting");
  }
  return Done{};
}

}  // namespace wardiary::embedded

namespace wardiary {

namespace fs = std::filesystem;

Result<EventStore::Verified> verify_rocksdb_store(
    const StoreOptions& options, const std::function<void(std::uint64_t events)>& progress) {
  auto store = open_rocksdb_store(options);
  if (store) {
    auto verified = (*store)->verify(std::nullopt, progress);
    (void)(*store)->close();
    return verified;
  }
  // Where there is no store, or one that others use or own, there is nothing to find fault with.
  const ErrorCode code = store.error().code;
  std::error_code ignored;
  const bool none = !fs::exists(DataDir{options.directory}.database(), ignored);
  if (none || code == ErrorCode::kConflict || code == ErrorCode::kDenied ||
      code == ErrorCode::kFull) {
    return std::move(store).error();
  }
  EventStore::Verified out;
  out.findings.push_back({"open", options.directory, store.error().text});
  return out;
}

Status restore_rocksdb_store(const std::string& backup, const std::string& directory,
                             const std::function<void(std::uint64_t events)>& progress) {
  const DataDir source{backup};
  const fs::path target = fs::absolute(directory).lexically_normal();
  if (Status s = source.check_format(); !s) return s;
  if (fs::exists(target)) return Error{ErrorCode::kConflict, target.string() + " exists already"};
  const embedded::Partial partial{target.string() + ".partial"};
  std::error_code error;
  fs::remove_all(partial.path, error);
  fs::create_directories(target.parent_path(), error);
  fs::copy(backup, partial.path, fs::copy_options::recursive, error);
  if (error) {
    return Error{ErrorCode::kIo,
                 "cannot copy to " + partial.path.string() + ": " + error.message()};
  }
  // Opening wants keys; those made only for the check go away again.
  const DataDir copy{partial.path};
  const bool with_keys = fs::exists(copy.log_key());
  StoreOptions options;
  options.directory = partial.path.string();
  options.create_missing_keys = true;
  options.seal_in_background = false;
  auto verified = verify_rocksdb_store(options, progress);
  if (!verified) return std::move(verified).error().within("restore");
  if (!verified->findings.empty()) {
    const auto& first = verified->findings.front();
    return corrupt("the backup does not verify: " + first.where + ": " + first.text);
  }
  if (!with_keys) {
    fs::remove(copy.log_key(), error);
    fs::remove(copy.master_key(), error);
  }
  {
    auto checkpoints = CheckpointFile::open(copy.checkpoints());
    if (!checkpoints) return std::move(checkpoints).error();
    if (Status s = (*checkpoints)->note_restored(embedded::now_ms()); !s) return s;
  }
  if (Status s = embedded::sync_tree(partial.path); !s) return s;
  return embedded::rename_whole(partial.path, target);
}

}  // namespace wardiary

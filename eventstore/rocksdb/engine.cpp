#include "eventstore/rocksdb/engine.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/table_properties_collectors.h>

#include <algorithm>

namespace wardiary::embedded {
namespace {

constexpr std::size_t kEventBufferBytes = 32u << 20;
constexpr std::size_t kSmallBufferBytes = 4u << 20;
constexpr std::size_t kBlockBytes = 16u << 10;
constexpr std::uint64_t kWalBytesMax = 128u << 20;

bool lz4_compiled_in() {
  const auto known = rocksdb::GetSupportedCompressions();
  return std::find(known.begin(), known.end(), rocksdb::kLZ4Compression) != known.end();
}

rocksdb::DBOptions db_options(const StoreOptions& options) {
  rocksdb::DBOptions db;
  if (options.env) db.env = options.env;
  db.create_if_missing = true;  // the format file decides whether there is a store (store_open.cpp)
  db.create_missing_column_families = true;
  db.paranoid_checks = true;
  db.max_open_files = 512;
  db.max_total_wal_size = kWalBytesMax;
  db.max_background_jobs = 2;
  db.allow_concurrent_memtable_write = false;  // one writer (commit_queue.h); skip list without CAS
  db.keep_log_file_num = 4;
  db.max_log_file_size = 4u << 20;
  db.info_log_level = rocksdb::WARN_LEVEL;
  db.track_and_verify_wals_in_manifest = true;
  db.file_checksum_gen_factory = rocksdb::GetFileChecksumGenCrc32cFactory();  // for verify()
  // A record cut off at the end of the log is an unfinished commit and dropped; damage anywhere
  // else could hide acknowledged commits and must not be passed over in silence.
  db.wal_recovery_mode = options.accept_rollback
                             ? rocksdb::WALRecoveryMode::kPointInTimeRecovery
                             : rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  return db;
}

rocksdb::ColumnFamilyOptions family_options(Family f,
                                            const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions cf;
  const bool large = f == Family::kEvents || f == Family::kSegments;
  cf.write_buffer_size = large ? kEventBufferBytes : kSmallBufferBytes;
  cf.compression = lz4_compiled_in() ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
  rocksdb::BlockBasedTableOptions table;
  table.block_size = kBlockBytes;
  table.block_cache = cache;
  table.format_version = 5;
  if (!large) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  cf.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  // Commits of many branches alternate, but within a branch keys only grow: with a hint per branch
  // the memtable need not search for the place. (Possible because there is one writer.)
  if (f == Family::kEvents) {
    cf.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(16));
  } else if (f == Family::kHeads) {
    cf.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(17));
  }
  // Every commit asks whether its command id is known; almost always it is not.
  if (f == Family::kCommands) {
    cf.memtable_whole_key_filtering = true;
    cf.memtable_prefix_bloom_size_ratio = 0.05;
  }
  // Sealing deletes the fresh blocks it has gathered; have files full of such marks compacted soon.
  if (f == Family::kEvents) {
    cf.table_properties_collector_factories.push_back(
        rocksdb::NewCompactOnDeletionCollectorFactory(512, 256));
  }
  return cf;
}

Error open_error(const rocksdb::Status& status, const std::string& path) {
  const std::string text = status.ToString();
  const bool lock = status.IsIOError() && text.find("lock") != std::string::npos &&
                    text.find("LOCK") != std::string::npos;
  if (lock) {
    return {ErrorCode::kConflict, path + " is in use: another process (or this one) has it open"};
  }
  if (status.IsIOError() && text.find("No such file") != std::string::npos) {
    return corrupt(path + ": a file of the database is missing: " + text);
  }
  return error_of(status, "cannot open " + path);
}

}  // namespace

Error error_of(const rocksdb::Status& status, const std::string& what) {
  ErrorCode code = ErrorCode::kIo;
  if (status.IsNoSpace() || status.subcode() == rocksdb::Status::kSpaceLimit) {
    code = ErrorCode::kFull;
  } else if (status.IsCorruption()) {
    code = ErrorCode::kCorrupt;
  } else if (status.IsShutdownInProgress()) {
    code = ErrorCode::kClosed;
  }
  return {code, what + ": " + status.ToString()};
}

Result<std::unique_ptr<Engine>> Engine::open(const StoreOptions& options, const std::string& path) {
  const auto cache = rocksdb::NewLRUCache(options.cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    families.emplace_back(kFamilyNames[i], family_options(static_cast<Family>(i), cache));
  }
  std::unique_ptr<Engine> engine(new Engine);
  rocksdb::DB* db = nullptr;
  const auto status =
      rocksdb::DB::Open(db_options(options), path, families, &engine->handles_, &db);
  if (!status.ok()) return open_error(status, path);
  engine->db_.reset(db);
  engine->env_ = db->GetEnv();
  return engine;
}

Engine::~Engine() {
  if (!db_) return;
  for (auto* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
  (void)db_->Close();
}

Result<std::optional<std::string>> Engine::get(Family f, std::string_view key,
                                               const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  rocksdb::PinnableSlice value;
  const auto status = db_->Get(options, family(f), slice(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>();
  const std::string name = kFamilyNames[static_cast<std::size_t>(f)];
  if (!status.ok()) return error_of(status, "reading " + name);
  const auto body = unchecked(f, key, view(value));
  if (!body) return fails_check(f, key);
  return std::optional(std::string(*body));
}

void Engine::put(rocksdb::WriteBatch& batch, Family f, std::string_view key,
                 std::string_view body) {
  batch.Put(family(f), slice(key), checked(f, key, body));
}

Status Engine::scan(Family f, std::string_view prefix, std::string_view after, const See& see,
                    const Damaged& damaged, const rocksdb::Snapshot* snapshot) {
  const std::string end = prefix_end(prefix);
  const rocksdb::Slice bound(end);
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  if (!end.empty()) options.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(options, family(f)));
  it->Seek(slice(std::max(prefix, after)));
  if (it->Valid() && !after.empty() && view(it->key()) == after) it->Next();
  for (; it->Valid(); it->Next()) {
    const auto body = unchecked(f, view(it->key()), view(it->value()));
    if (body) {
      if (!see(view(it->key()), *body)) return Done{};
    } else if (damaged) {
      damaged(view(it->key()));
    } else {
      return fails_check(f, view(it->key()));
    }
  }
  if (!it->status().ok()) {
    return error_of(it->status(),
                    std::string("reading ") + kFamilyNames[static_cast<std::size_t>(f)]);
  }
  return Done{};
}

}  // namespace wardiary::embedded

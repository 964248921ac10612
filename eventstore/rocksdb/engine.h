// RocksDB as this store uses it: opened with our column families and options, values with their
// check, and its statuses turned into our errors. Nothing above this file sees a rocksdb::Status.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rocksdb/db.h>

#include "domain/base/result.h"
#include "eventstore/rocksdb_store.h"
#include "eventstore/stored/source.h"

namespace wardiary::embedded {

using namespace stored;

class Engine {
 public:
  // kConflict if another process has it open, kCorrupt if RocksDB finds files missing or damaged.
  static Result<std::unique_ptr<Engine>> open(const StoreOptions& options, const std::string& path);
  ~Engine();

  rocksdb::DB& db() { return *db_; }
  rocksdb::Env* env() { return env_; }
  rocksdb::ColumnFamilyHandle* family(Family f) const {
    return handles_[static_cast<std::size_t>(f)];
  }

  // The body stored under a key, nothing if there is none, kCorrupt if it fails its check.
  Result<std::optional<std::string>> get(Family f, std::string_view key,
                                         const rocksdb::Snapshot* snapshot = nullptr);
  void put(rocksdb::WriteBatch& batch, Family f, std::string_view key, std::string_view body);

  // As Source::scan.
  using See = Source::See;
  using Damaged = Source::Damaged;
  Status scan(Family f, std::string_view prefix, std::string_view after, const See& see,
              const Damaged& damaged = nullptr, const rocksdb::Snapshot* snapshot = nullptr);

 private:
  Engine() = default;
  rocksdb::Env* env_ = nullptr;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

// The records as they are when this is made, until it is gone.
class EngineSource final : public Source {
 public:
  explicit EngineSource(Engine& engine) : engine_(engine), moment_(engine.db().GetSnapshot()) {}
  ~EngineSource() override { engine_.db().ReleaseSnapshot(moment_); }
  EngineSource(const EngineSource&) = delete;
  EngineSource& operator=(const EngineSource&) = delete;

  Result<std::optional<std::string>> get(Family f, std::string_view key) override;
  Status scan(Family f, std::string_view prefix, std::string_view after, const See& see,
              const Damaged& damaged) override;
  std::unique_ptr<Cursor> cursor(Family f, std::string_view prefix) override;
  Status beginnings(Family f, std::size_t bytes,
                    const std::function<void(std::string_view)>& see) override;
  Status check_files() override;

 private:
  Engine& engine_;
  const rocksdb::Snapshot* moment_;
};

Error error_of(const rocksdb::Status& status, const std::string& what);
inline rocksdb::Slice slice(std::string_view text) {
  return {text.data(), text.size()};
}
inline std::string_view view(const rocksdb::Slice& s) {
  return {s.data(), s.size()};
}

}  // namespace wardiary::embedded

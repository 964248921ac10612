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
#include "eventstore/rocksdb/layout.h"
#include "eventstore/rocksdb_store.h"

namespace wardiary::embedded {

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

  // Calls `see(key, body)` for the keys that start with `prefix` and are greater than `after`, in
  // order, until it returns false. A value that fails its check is kCorrupt, unless `damaged` is
  // given: then it is told the key and the scan goes on.
  using See = std::function<bool(std::string_view key, std::string_view body)>;
  using Damaged = std::function<void(std::string_view key)>;
  Status scan(Family f, std::string_view prefix, std::string_view after, const See& see,
              const Damaged& damaged = nullptr, const rocksdb::Snapshot* snapshot = nullptr);

 private:
  Engine() = default;
  rocksdb::Env* env_ = nullptr;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

Error error_of(const rocksdb::Status& status, const std::string& what);
inline rocksdb::Slice slice(std::string_view text) {
  return {text.data(), text.size()};
}
inline std::string_view view(const rocksdb::Slice& s) {
  return {s.data(), s.size()};
}
// The smallest key greater than all keys that start with `prefix`; empty if there is none.
std::string prefix_end(std::string_view prefix);

}  // namespace wardiary::embedded

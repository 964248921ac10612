// A file system for tests that can fail at a chosen moment and, after a power failure, keeps only
// what was synced.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace wardiary::testing {

class FaultFileSystem : public rocksdb::FileSystemWrapper {
 public:
  FaultFileSystem() : rocksdb::FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "FaultFileSystem"; }

  // The power goes after this many more writes and syncs; from then on everything fails.
  void cut_power_after(std::int64_t operations) { operations_left_ = operations; }
  bool power_is_out() const { return operations_left_ <= 0; }
  void fail_syncs(bool fail) { fail_syncs_ = fail; }
  void fill_disk(bool full) { full_ = full; }
  void set_free_space(std::uint64_t bytes) { free_space_ = bytes; }
  std::uint64_t syncs() const { return syncs_; }

  // What a machine finds after the power came back: every file cut to what had been synced.
  void forget_unsynced() {
    std::lock_guard lock(mutex_);
    for (const auto& [name, synced] : synced_) {
      std::error_code error;
      if (std::filesystem::file_size(name, error) > synced && !error) {
        std::filesystem::resize_file(name, synced, error);
      }
    }
  }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override {
    if (auto s = step(false); !s.ok()) return s;
    auto s = target()->NewWritableFile(name, options, file, context);
    if (!s.ok()) return s;
    {
      std::lock_guard lock(mutex_);
      synced_[name] = 0;
    }
    *file = std::make_unique<File>(std::move(*file), *this, name);
    return s;
  }
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override {
    if (auto s = step(false); !s.ok()) return s;
    auto s = target()->RenameFile(from, to, options, context);
    std::lock_guard lock(mutex_);
    if (s.ok() && synced_.contains(from)) {
      synced_[to] = synced_[from];
      synced_.erase(from);
    }
    return s;
  }
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override {
    if (auto s = step(false); !s.ok()) return s;
    std::lock_guard lock(mutex_);
    synced_.erase(name);
    return target()->DeleteFile(name, options, context);
  }
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options,
                                 std::uint64_t* bytes, rocksdb::IODebugContext* context) override {
    if (free_space_ == 0) return target()->GetFreeSpace(path, options, bytes, context);
    *bytes = free_space_;
    return rocksdb::IOStatus::OK();
  }

 private:
  class File : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<rocksdb::FSWritableFile>&& file, FaultFileSystem& fs, std::string name)
        : FSWritableFileOwnerWrapper(std::move(file)), fs_(fs), name_(std::move(name)) {}
    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* context) override {
      if (auto s = fs_.step(false); !s.ok()) return s;
      written_ += data.size();
      return target()->Append(data, options, context);
    }
    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             const rocksdb::DataVerificationInfo& info,
                             rocksdb::IODebugContext* context) override {
      if (auto s = fs_.step(false); !s.ok()) return s;
      written_ += data.size();
      return target()->Append(data, options, info, context);
    }
    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
      if (auto s = fs_.step(true); !s.ok()) return s;
      auto s = target()->Sync(options, context);
      if (s.ok()) fs_.synced(name_, written_);
      return s;
    }
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                            rocksdb::IODebugContext* context) override {
      if (auto s = fs_.step(true); !s.ok()) return s;
      auto s = target()->Fsync(options, context);
      if (s.ok()) fs_.synced(name_, written_);
      return s;
    }

   private:
    FaultFileSystem& fs_;
    const std::string name_;
    std::uint64_t written_ = 0;
  };

  rocksdb::IOStatus step(bool sync) {
    if (operations_left_.fetch_sub(1) <= 0) {
      operations_left_ = 0;
      return rocksdb::IOStatus::IOError("the power is out");
    }
    if (sync && fail_syncs_) return rocksdb::IOStatus::IOError("the sync failed");
    if (!sync && full_) return rocksdb::IOStatus::NoSpace("the disk is full");
    return rocksdb::IOStatus::OK();
  }
  void synced(const std::string& name, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    const auto file = synced_.find(name);
    if (file != synced_.end()) file->second = size;
    ++syncs_;
  }

  std::atomic<std::int64_t> operations_left_{std::int64_t{1} << 60};
  std::atomic<bool> fail_syncs_{false}, full_{false};
  std::atomic<std::uint64_t> free_space_{0}, syncs_{0};
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> synced_;
};

}  // namespace wardiary::testing

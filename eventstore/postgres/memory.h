// checkpoints.log (checkpoint_file.h) of a key directory that several processes share: each change
// is made under a lock and on the newest content.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

#include "eventstore/checkpoint_file.h"

namespace wardiary::postgres {

class SharedMemory {
 public:
  explicit SharedMemory(std::filesystem::path file) : file_(std::move(file)) {}
  ~SharedMemory();

  // Calls `use` with the file as it is now, while no other process uses it.
  Status with(const std::function<Status(CheckpointFile&)>& use);

 private:
  const std::filesystem::path file_;
  std::mutex mutex_;
  int lock_ = -1;
  std::unique_ptr<CheckpointFile> open_;
  std::uint64_t inode_ = 0, size_ = 0;  // as we left it
};

}  // namespace wardiary::postgres

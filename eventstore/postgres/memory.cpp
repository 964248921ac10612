#include "eventstore/postgres/memory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "eventstore/data_dir.h"

namespace wardiary::postgres {

SharedMemory::~SharedMemory() {
  if (lock_ >= 0) ::close(lock_);
}

Status SharedMemory::with(const std::function<Status(CheckpointFile&)>& use) {
  std::lock_guard lock(mutex_);
  const std::filesystem::path lock_file = file_.string() + ".lock";
  if (lock_ < 0) lock_ = ::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) return system_error("cannot open", lock_file);
  while (::flock(lock_, LOCK_EX) != 0) {
    if (errno != EINTR) return system_error("cannot lock", lock_file);
  }
  const auto stand = [&] {
    struct ::stat info {};
    const bool there = ::stat(file_.c_str(), &info) == 0;
    return std::pair<std::uint64_t, std::uint64_t>(there ? info.st_ino : 0,
                                                   there ? info.st_size : 0);
  };
  Status out = Done{};
  if (!open_ || stand() != std::pair(inode_, size_)) {
    auto opened = CheckpointFile::open(file_);
    if (opened) {
      open_ = std::move(*opened);
    } else {
      open_.reset();
      out = std::move(opened).error();
    }
  }
  if (open_) out = use(*open_);
  std::tie(inode_, size_) = stand();
  ::flock(lock_, LOCK_UN);
  return out;
}

}  // namespace wardiary::postgres

#include "eventstore/data_dir.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace wardiary {
namespace {

constexpr std::size_t kSmallFileMax = 256u << 20;

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Error system_error(const std::string& what, const std::filesystem::path& file) {
  const int number = errno;
  const ErrorCode code = number == ENOENT                      ? ErrorCode::kNotFound
                         : number == ENOSPC                    ? ErrorCode::kFull
                         : number == EEXIST                    ? ErrorCode::kConflict
                         : number == EACCES || number == EPERM ? ErrorCode::kDenied
                                                               : ErrorCode::kIo;
  return {code, what + " " + file.string() + ": " + std::string(::strerror(number))};
}

Result<std::string> read_file(const std::filesystem::path& file) {
  const File in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.ok()) return system_error("cannot open", file);
  std::string out;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(in.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot read", file);
    if (n == 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
    if (out.size() > kSmallFileMax) return invalid(file.string() + ": larger than 256 MiB");
  }
}

Status sync_file(const std::filesystem::path& file) {
  const File in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.ok()) return system_error("cannot open", file);
  if (::fsync(in.get()) != 0) return system_error("cannot sync", file);
  return Done{};
}

Status sync_directory(const std::filesystem::path& directory) {
  const File dir(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!dir.ok()) return system_error("cannot open", directory);
  if (::fsync(dir.get()) != 0) return system_error("cannot sync", directory);
  return Done{};
}

Status write_file(const std::filesystem::path& file, std::string_view content, unsigned mode) {
  const std::filesystem::path temporary = file.string() + ".new";
  ::unlink(temporary.c_str());  // left over from a crash
  {
    // O_EXCL with the final mode: nobody else can have it open, and it is never readable more
    // widely.
    const File out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!out.ok()) return system_error("cannot create", temporary);
    if (!write_all(out.get(), content)) return system_error("cannot write", temporary);
    if (::fsync(out.get()) != 0) return system_error("cannot sync", temporary);
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0) return system_error("cannot replace", file);
  return sync_directory(file.parent_path());
}

Status create_key(const std::filesystem::path& file) {
  if (sodium_init() < 0) return Error{ErrorCode::kIo, "libsodium cannot be initialised"};
  if (std::filesystem::exists(file)) {
    return Error{ErrorCode::kConflict, file.string() + " exists already"};
  }
  FixedBytes<32> key;
  randombytes_buf(key.data.data(), key.data.size());
  return write_file(file, to_hex(key) + "\n", 0600);
}

Result<FixedBytes<32>> read_key(const std::filesystem::path& file) {
  struct ::stat info {};
  if (::stat(file.c_str(), &info) != 0) return system_error("cannot read", file);
  if ((info.st_mode & 077) != 0) {
    return Error{ErrorCode::kDenied, file.string() + " can be read by others: chmod 600 it"};
  }
  auto text = read_file(file);
  if (!text) return std::move(text).error();
  if (text->ends_with('\n')) text->pop_back();
  const auto key = fixed_from_hex<32>(*text);
  if (!key || to_hex(*key) != *text) {  // as it was written, not merely as it can be read
    return corrupt(file.string() + " does not hold a key of 64 hex digits");
  }
  return *key;
}

Result<FixedBytes<32>> read_master_key(const std::filesystem::path& data_directory) {
  return read_key(DataDir{data_directory}.master_key());
}

Status DataDir::check_format(std::string_view word) const {
  auto text = read_file(format());
  if (!text) {
    if (text.error().code != ErrorCode::kNotFound) return std::move(text).error();
    return not_found(root.string() + " holds no War Diary store (no file 'format')");
  }
  if (*text == std::string(word) + std::to_string(kStoreFormat) + "\n") return Done{};
  const std::string shown = text->substr(0, text->find('\n')).substr(0, 60);
  return invalid(format().string() + " says '" + shown + "'; this program reads '" +
                 std::string(word) + std::to_string(kStoreFormat) + "' only");
}

Status DataDir::write_format(std::string_view word) const {
  return write_file(format(), std::string(word) + std::to_string(kStoreFormat) + "\n");
}

}  // namespace wardiary

// Any text as a game in JSON lines: an error that names the line, and then the store has nothing of
// it; or a game that verifies.
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

#include "eventstore/rocksdb_store.h"
#include "replay/jsonl.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

namespace {

std::unique_ptr<EventStore> empty_store() {
  static std::string place;
  if (place.empty()) {
    place = std::filesystem::temp_directory_path() / "wardiary-fuzz-XXXXXX";
    fuzz::must(::mkdtemp(place.data()) != nullptr);
    std::atexit([] { std::filesystem::remove_all(place); });
  }
  std::filesystem::remove_all(place + "/data");
  StoreOptions options;
  options.directory = place + "/data";
  options.create_if_missing = true;
  options.seal_in_background = false;
  return std::move(*open_rocksdb_store(options));
}

// A file that is nowhere but in memory.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("jsonl", MFD_CLOEXEC)) { fuzz::must(fd_ >= 0); }
  std::string hold(const std::uint8_t* data, std::size_t size) {
    fuzz::must(::ftruncate(fd_, 0) == 0);
    fuzz::must(::pwrite(fd_, data, size, 0) == static_cast<::ssize_t>(size));
    return "/proc/self/fd/" + std::to_string(fd_);
  }

 private:
  int fd_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  static std::unique_ptr<EventStore> store = empty_store();
  const auto imported = import_jsonl(*store, file.hold(data, size));
  if (!imported) {
    fuzz::must(!imported.error().text.empty());
    fuzz::must(store->stats()->games == 0);
    return 0;
  }
  fuzz::must(store->verify(imported->game, nullptr)->findings.empty());
  store.reset();
  store = empty_store();
  return 0;
}

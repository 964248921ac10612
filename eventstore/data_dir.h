// The data directory around the database, and the files in it that are not the database:
//
//   format           "wardiary-store 1": what this directory holds; any other version is refused
//   log.key          seed of the Ed25519 key that signs checkpoints   (hex, mode 0600)
//   master.key       32 random bytes the dice keys are derived from   (hex, mode 0600)
//   checkpoints.log  the newest signed checkpoint per game            (checkpoint_file.h)
//   db/              RocksDB
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

namespace wardiary {

inline constexpr int kStoreFormat = 1;
inline constexpr std::string_view kStoreWord = "wardiary-store ";
// A directory with the keys of a store that is elsewhere (postgres_store.h).
inline constexpr std::string_view kKeysWord = "wardiary-keys ";

struct DataDir {
  std::filesystem::path root;

  std::filesystem::path format() const { return root / "format"; }
  std::filesystem::path log_key() const { return root / "log.key"; }
  std::filesystem::path master_key() const { return root / "master.key"; }
  std::filesystem::path checkpoints() const { return root / "checkpoints.log"; }
  std::filesystem::path database() const { return root / "db"; }

  // kNotFound if there is no store here, kInvalid if its format is not ours.
  Status check_format(std::string_view word = kStoreWord) const;
  // Makes the directory and the format file; call after everything else of a new store stands.
  Status write_format(std::string_view word = kStoreWord) const;
};

// The secret in a key file. kDenied if others than the owner may read it.
Result<FixedBytes<32>> read_key(const std::filesystem::path& file);
// Makes a key file with fresh random bytes, readable by its owner alone from the first moment and
// on disk when this returns. kConflict if it exists.
Status create_key(const std::filesystem::path& file);
// The key that dice are derived from (see read_key).
Result<FixedBytes<32>> read_master_key(const std::filesystem::path& data_directory);

// Whole small files. Writing replaces atomically (the old or the new content, never a mixture) and
// is on disk when it returns.
Result<std::string> read_file(const std::filesystem::path& file);
Status write_file(const std::filesystem::path& file, std::string_view content,
                  unsigned mode = 0644);
// Makes a file's content, or the names in a directory, durable.
Status sync_file(const std::filesystem::path& file);
Status sync_directory(const std::filesystem::path& directory);
// The last system error as text: "cannot open X: No such file or directory".
Error system_error(const std::string& what, const std::filesystem::path& file);

}  // namespace wardiary

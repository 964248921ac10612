// The records of a store as they were at one moment, whatever engine keeps them: keys and values in
// families (layout.h), in the order of their keys. What reads or verifies a log reads through this,
// so that every engine is read and verified by the same code.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "domain/base/result.h"
#include "eventstore/stored/layout.h"

namespace wardiary::stored {

// A place among the keys of one family that start with one prefix. Values are as stored, with their
// check; views are valid until the cursor moves.
class Cursor {
 public:
  virtual ~Cursor() = default;
  virtual void seek(std::string_view key) = 0;       // the first key not before `key`
  virtual void seek_back(std::string_view key) = 0;  // the last key not behind `key`
  virtual void next() = 0;
  virtual void prev() = 0;
  virtual bool valid() const = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  virtual Status status() const = 0;  // why it is not valid, if not because there are no more
};

class Source {
 public:
  virtual ~Source() = default;

  // The body stored under a key, nothing if there is none, kCorrupt if it fails its check.
  virtual Result<std::optional<std::string>> get(Family f, std::string_view key) = 0;
  // Calls `see(key, body)` for the keys that start with `prefix` and are greater than `after`, in
  // order, until it returns false. A value that fails its check is kCorrupt, unless `damaged` is
  // given: then it is told the key and the scan goes on.
  using See = std::function<bool(std::string_view key, std::string_view body)>;
  using Damaged = std::function<void(std::string_view key)>;
  virtual Status scan(Family f, std::string_view prefix, std::string_view after, const See& see,
                      const Damaged& damaged = nullptr) = 0;
  virtual std::unique_ptr<Cursor> cursor(Family f, std::string_view prefix) = 0;
  // Calls `see` once for each beginning of `bytes` bytes that keys of the family have; a shorter
  // key is its own beginning.
  virtual Status beginnings(Family f, std::size_t bytes,
                            const std::function<void(std::string_view)>& see) = 0;
  // Whatever the engine itself can say about the health of its files.
  virtual Status check_files() = 0;
};

// What to say of a value that fails its check.
inline Error fails_check(Family f, std::string_view key) {
  return corrupt(std::string(kFamilyNames[static_cast<std::size_t>(f)]) + " record " +
                 to_hex(bytes_of(key)) + " does not pass its check");
}
// The smallest key greater than all keys that start with `prefix`; empty if there is none.
std::string prefix_end(std::string_view prefix);

}  // namespace wardiary::stored

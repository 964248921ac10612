// Where a diary is: a data directory with an embedded store, or PostgreSQL clusters and the
// directory with their keys.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "domain/base/bytes.h"
#include "eventstore/event_store.h"

namespace wardiary::cli {

struct Place {
  std::string directory;
  std::vector<std::string> stores;  // postgres://...; none: the directory holds the store itself

  Place() = default;
  explicit Place(std::string dir, std::vector<std::string> uris = {})
      : directory(std::move(dir)), stores(std::move(uris)) {}
  operator const std::string&() const { return directory; }  // NOLINT

  bool is_embedded() const { return stores.empty(); }
  std::string shown() const;  // for people; without passwords
};

struct Opening {
  bool create = false;  // make what is missing
  bool accept_rollback = false;
};
struct OpenedStore {
  std::unique_ptr<EventStore> store;
  FixedBytes<32> master;  // the key that dice are derived from
};
// Weak settings of a server are told on standard error.
Result<OpenedStore> open_store(const Place& place, const Opening& opening = {});

}  // namespace wardiary::cli

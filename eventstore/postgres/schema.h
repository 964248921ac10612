// The tables of the store, how they are made and brought up to date, and what the server's settings
// must be for its promises to hold. docs/formats-store.md describes the tables for other readers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eventstore/postgres/pool.h"
#include "eventstore/stored/layout.h"

namespace wardiary::postgres {

inline constexpr int kSchemaVersion = 1;

// The table that keeps a family of records; null for those this engine does not have. The heads of
// branches and games have tables of their own.
const char* table_of(stored::Family family);

// Makes the tables, or those that a newer version has added. Doing it twice changes nothing.
Status create_schema(Connection& connection, Deadline deadline);
// kNotFound without tables, kInvalid if they are newer or older than this program.
Status check_schema(Connection& connection, Deadline deadline);

// Small facts about the cluster itself, by name.
Result<std::optional<std::string>> read_meta(Connection& connection, const std::string& name,
                                             Deadline deadline);
// Writes it unless it is there; gives what is there then.
Result<std::string> settle_meta(Connection& connection, const std::string& name,
                                const std::string& value, Deadline deadline);

Status write_meta(Connection& connection, const std::string& name, const std::string& value,
                  Deadline deadline);

// What is wrong with the settings, in words that say what to do.
struct Settings {
  std::vector<std::string> warnings;
  std::string setup;  // what every connection must be told
};
Settings check_settings(Connection& connection, Deadline deadline);

}  // namespace wardiary::postgres

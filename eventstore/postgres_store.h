// The event store on a PostgreSQL cluster: the contract of event_store.h for those who outgrow one
// machine. Several service processes may use one cluster at once; each sees what the others commit.
//
// What signs and what rolls dice stays outside the database: a *key directory* holds log.key,
// master.key and checkpoints-<cluster>.log, the memory of what was promised (checkpoint_file.h), so
// that whoever can write to the database can neither forge a checkpoint nor take one back
// unnoticed. Every process on a cluster needs the same two keys; processes on one machine share one
// directory.
//
// Only SQL that CockroachDB and YugabyteDB understand too is used: no sequences, triggers, advisory
// locks or notifications.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "eventstore/event_store.h"

namespace wardiary {

struct PostgresOptions {
  std::string uri;        // postgres://user@host1,host2,host3/database?...
  std::string directory;  // the key directory
  // Make the tables, or bring older ones up to date, and make missing keys.
  bool create_if_missing = false;
  bool create_missing_keys = false;
  bool accept_rollback = false;              // as StoreOptions
  std::size_t connections_max = 8;           // of this process
  int connect_seconds = 3;                   // per host
  std::uint32_t answer_timeout_ms = 10'000;  // then the outcome of what was asked is unknown
  // How long to look for a server that takes writes before giving up: a failover takes a while.
  std::uint32_t patience_ms = 30'000;
  std::uint32_t poll_ms = 200;  // how often to look for what other processes have committed
  // Told what is wrong with the settings of the server.
  std::function<void(const std::string&)> warn;
};

// Whether a --store argument means PostgreSQL.
bool is_postgres_uri(const std::string& text);
// The uri without its password, for messages.
std::string shown_uri(const std::string& uri);

// kNotFound: no tables, or no keys here. kInvalid: made by a newer version. kIo: no server answers.
// kDenied: it does not let us in. kCorrupt: wrong keys, or behind a signed checkpoint.
Result<std::unique_ptr<EventStore>> open_postgres_store(const PostgresOptions& options);

// Several clusters as one store: a game lives whole in one of them, chosen by the ids of game and
// clusters (rendezvous hashing), so that another cluster may be added later: games stay where they
// are, new ones are spread over all. The clusters know each other: a set that is not the one they
// were made with is refused, unless `options` allow to create, which records a larger one.
Result<std::unique_ptr<EventStore>> open_postgres_stores(const PostgresOptions& options,
                                                         const std::vector<std::string>& uris);

}  // namespace wardiary

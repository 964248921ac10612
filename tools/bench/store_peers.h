// What bench_store compares, all given the same bytes: the bare disk, RocksDB by itself, SQLite and
// PostgreSQL where they are found, and our store. Each appends a client's next events and returns
// when they are on disk (if it was asked to sync).
#pragma once

#include <rocksdb/db.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "eventstore/event_store.h"
#include "eventstore/rocksdb_store.h"

namespace rocksdb {
class Env;
}

namespace wardiary::bench {

inline constexpr int kClientsMax = 64;

[[noreturn]] void die(const std::string& text);
Id make_id(char kind, std::uint64_t number);

// With more than 0, every sync of every file-based peer also sleeps that long: on a directory in
// memory this stands for a disk of known speed.
extern int sync_us;
rocksdb::Env* bench_env();

// The events of a game that a bot played by the rules of EastFront, one after another, for ever.
class Corpus {
 public:
  static const Corpus& get();
  const std::string& at(std::uint64_t n) const { return events_[n % events_.size()]; }
  std::vector<NewEvent> batch(std::uint64_t from, std::size_t count) const;
  double mean_bytes() const;

 private:
  Corpus();
  std::vector<std::string> events_;
};

class Peer {
 public:
  virtual ~Peer() = default;
  virtual const char* name() const = 0;
  virtual int clients_max() const { return kClientsMax; }
  // Called by many threads, each with its own client number.
  virtual void write(int client, std::size_t events, bool sync) = 0;
};

class RawDisk : public Peer {
 public:
  explicit RawDisk(const std::string& file);
  ~RawDisk() override;
  const char* name() const override { return "fdatasync"; }
  int clients_max() const override { return 1; }
  void write(int client, std::size_t events, bool sync) override;

 private:
  int fd_;
  std::uint64_t next_ = 0;
};

// One column family, one key per event, one WriteBatch per commit with a head record, written by
// each client by itself (RocksDB's own group commit).
class RawRocksdb : public Peer {
 public:
  explicit RawRocksdb(const std::string& path);
  const char* name() const override { return "rocksdb"; }
  void write(int client, std::size_t events, bool sync) override;
  static std::string key(int client, std::uint64_t n);
  rocksdb::DB& db() { return *db_; }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<std::uint64_t> next_ = std::vector<std::uint64_t>(kClientsMax);
};

class Ours : public Peer {
 public:
  explicit Ours(const std::string& directory);
  const char* name() const override { return "store"; }
  void write(int client, std::size_t events, bool sync) override;
  void reopen();
  EventStore& store() { return *store_; }

 private:
  std::string directory_;
  std::unique_ptr<EventStore> store_;
  std::vector<Version> versions_;
};

// One table (branch, version) -> bytes without rowid, write-ahead log, synchronous=FULL. It has one
// writer at a time, so only one client is measured. Null where the program was built without it.
std::unique_ptr<Peer> make_sqlite(const std::string& file);
std::uint64_t sqlite_bytes(const std::string& file);  // 0 without it

// The same table on a server ("host=... dbname=..."), a connection and a transaction per client.
// Null where the program was built without libpq.
std::unique_ptr<Peer> make_postgres(const std::string& server);

}  // namespace wardiary::bench

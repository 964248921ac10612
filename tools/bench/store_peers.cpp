#include "tools/bench/store_peers.h"

#include <fcntl.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "replay/bot.h"

#if WARDIARY_BENCH_SQLITE
#include <sqlite3.h>
#endif
#if WARDIARY_BENCH_POSTGRES
#include <libpq-fe.h>
#endif

namespace wardiary::bench {

int sync_us = 0;

namespace {

void pretend_to_sync() {
  if (sync_us > 0) std::this_thread::sleep_for(std::chrono::microseconds(sync_us));
}

// The default file system with syncs that take at least `sync_us`.
class SlowSyncs : public rocksdb::FileSystemWrapper {
 public:
  SlowSyncs() : rocksdb::FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "SlowSyncs"; }
  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* context) override {
    auto s = target()->NewWritableFile(name, options, file, context);
    if (s.ok()) *file = std::make_unique<File>(std::move(*file));
    return s;
  }

 private:
  class File : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    explicit File(std::unique_ptr<rocksdb::FSWritableFile>&& file)
        : FSWritableFileOwnerWrapper(std::move(file)) {}
    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* context) override {
      pretend_to_sync();
      return target()->Sync(options, context);
    }
  };
};

}  // namespace

void die(const std::string& text) {
  std::fprintf(stderr, "bench_store: %s\n", text.c_str());
  std::exit(1);
}

Id make_id(char kind, std::uint64_t number) {
  Id out;
  out.data[0] = static_cast<std::uint8_t>(kind);
  for (int i = 0; i < 8; ++i) out.data[8 + i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
  return out;
}

rocksdb::Env* bench_env() {
  static const auto env = rocksdb::NewCompositeEnv(std::make_shared<SlowSyncs>());
  return env.get();
}

// --- the events ---------------------------------------------------------------------------------

Corpus::Corpus() {
  BotOptions options;
  options.system = "eastfront";
  options.spec.scenario = "S43";
  options.redecide = false;
  auto played = play_bot_game(options);
  if (!played) die(played.error().text);
  // Without the creation, whose first event holds every name of the game.
  for (std::size_t c = 1; c < played->commits.size(); ++c) {
    const EventList& commit = played->commits[c];
    for (std::size_t i = 0; i < commit.size(); ++i) events_.emplace_back(text_of(commit[i]));
  }
  if (events_.empty()) die("the bot's game has no events");
}

const Corpus& Corpus::get() {
  static const Corpus corpus;
  return corpus;
}

std::vector<NewEvent> Corpus::batch(std::uint64_t from, std::size_t count) const {
  std::vector<NewEvent> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back({1, bytes_of(at(from + i))});
  return out;
}

double Corpus::mean_bytes() const {
  double sum = 0;
  for (const std::string& event : events_) sum += double(event.size());
  return sum / double(events_.size());
}

// --- the bare disk, RocksDB, ours ---------------------------------------------------------------

RawDisk::RawDisk(const std::string& file)
    : fd_(::open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644)) {
  if (fd_ < 0) die("cannot make " + file);
}

RawDisk::~RawDisk() {
  ::close(fd_);
}

void RawDisk::write(int, std::size_t events, bool) {
  std::string bytes;
  for (std::size_t i = 0; i < events; ++i) bytes += Corpus::get().at(next_++);
  if (::write(fd_, bytes.data(), bytes.size()) < 0 || ::fdatasync(fd_) != 0) die("disk");
  pretend_to_sync();
}

RawRocksdb::RawRocksdb(const std::string& path) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.env = bench_env();
  options.compression = rocksdb::kLZ4Compression;
  options.write_buffer_size = 32u << 20;
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 16u << 10;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* db = nullptr;
  if (!rocksdb::DB::Open(options, path, &db).ok()) die("cannot open raw RocksDB");
  db_.reset(db);
}

void RawRocksdb::write(int client, std::size_t events, bool sync) {
  rocksdb::WriteBatch batch;
  std::uint64_t& next = next_[static_cast<std::size_t>(client)];
  for (std::size_t i = 0; i < events; ++i) {
    ++next;
    batch.Put(key(client, next), Corpus::get().at(next));
  }
  batch.Put("head" + std::to_string(client), key(client, next) + std::string(32, 'h'));
  rocksdb::WriteOptions options;
  options.sync = sync;
  if (!db_->Write(options, &batch).ok()) die("raw RocksDB write");
}

std::string RawRocksdb::key(int client, std::uint64_t n) {
  std::string out(16, '\0');
  out[7] = static_cast<char>(client);
  for (int i = 0; i < 8; ++i) out[8 + i] = static_cast<char>(n >> (56 - 8 * i));
  return out;
}

Ours::Ours(const std::string& directory) : directory_(directory) {
  reopen();
  const auto events = Corpus::get().batch(0, 1);
  for (int c = 0; c < kClientsMax; ++c) {
    const auto number = static_cast<std::uint64_t>(c);
    auto made = store_->create_game(
        {make_id('G', number), make_id('B', number), "", 0, make_id('C', 0), events, {}});
    if (!made) die(made.error().text);
    versions_.push_back(store_->branch(make_id('B', number))->version);
  }
}

void Ours::reopen() {
  store_.reset();
  StoreOptions options;
  options.directory = directory_;
  options.create_if_missing = true;
  options.seal_in_background = false;
  options.env = bench_env();
  auto opened = open_rocksdb_store(options);
  if (!opened) die(opened.error().text);
  store_ = std::move(*opened);
}

void Ours::write(int client, std::size_t events, bool sync) {
  const auto number = static_cast<std::uint64_t>(client);
  Version& version = versions_[number];
  const auto batch = Corpus::get().batch(version, events);
  auto done = store_->append({make_id('B', number), version, make_id('C', version + 1), batch,
                              sync ? Durability::kSynced : Durability::kBuffered});
  if (!done || done->kind != Appended::Kind::kOk) die("append");
  version = done->last;
}

// --- SQLite -------------------------------------------------------------------------------------

#if WARDIARY_BENCH_SQLITE
namespace {

class Sqlite : public Peer {
 public:
  explicit Sqlite(const std::string& file) {
    if (::sqlite3_open(file.c_str(), &db_) != SQLITE_OK) die("cannot open SQLite");
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    run("CREATE TABLE IF NOT EXISTS events (branch INTEGER, version INTEGER, bytes BLOB,"
        " PRIMARY KEY (branch, version)) WITHOUT ROWID");
    ::sqlite3_prepare_v2(db_, "INSERT INTO events VALUES (?, ?, ?)", -1, &insert_, nullptr);
  }
  ~Sqlite() override {
    ::sqlite3_finalize(insert_);
    ::sqlite3_close(db_);
  }
  const char* name() const override { return "sqlite"; }
  int clients_max() const override { return 1; }
  void write(int client, std::size_t events, bool sync) override {
    if (sync != syncing_) run(sync ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=OFF");
    syncing_ = sync;
    run("BEGIN");
    for (std::size_t i = 0; i < events; ++i) {
      const std::string& bytes = Corpus::get().at(++next_);
      ::sqlite3_bind_int(insert_, 1, client);
      ::sqlite3_bind_int64(insert_, 2, static_cast<::sqlite3_int64>(next_));
      ::sqlite3_bind_blob(insert_, 3, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
      if (::sqlite3_step(insert_) != SQLITE_DONE) die("SQLite insert");
      ::sqlite3_reset(insert_);
    }
    run("COMMIT");
  }

 private:
  void run(const char* sql) {
    if (::sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      die(std::string("SQLite: ") + ::sqlite3_errmsg(db_));
    }
  }
  ::sqlite3* db_ = nullptr;
  ::sqlite3_stmt* insert_ = nullptr;
  std::uint64_t next_ = 0;
  bool syncing_ = true;
};

}  // namespace

std::unique_ptr<Peer> make_sqlite(const std::string& file) {
  return std::make_unique<Sqlite>(file);
}
#else
std::unique_ptr<Peer> make_sqlite(const std::string&) {
  return nullptr;
}
#endif

std::uint64_t sqlite_bytes(const std::string& file) {
  std::error_code ignored;
  const auto bytes = std::filesystem::file_size(file, ignored);
  return ignored ? 0 : bytes;
}

// --- PostgreSQL ---------------------------------------------------------------------------------

#if WARDIARY_BENCH_POSTGRES
namespace {

class Postgres : public Peer {
 public:
  explicit Postgres(const std::string& server) : server_(server), clients_(kClientsMax) {
    run(connection(0),
        "DROP TABLE IF EXISTS wardiary_bench;"
        "CREATE TABLE wardiary_bench (branch int, version bigint, bytes bytea,"
        " PRIMARY KEY (branch, version))");
  }
  ~Postgres() override {
    run(connection(0), "DROP TABLE wardiary_bench");
    for (Client& client : clients_) ::PQfinish(client.connection);
  }
  const char* name() const override { return "postgres"; }
  // One statement per commit: its rows go as arrays, as a good client would send them.
  void write(int number, std::size_t events, bool sync) override {
    Client& client = clients_[static_cast<std::size_t>(number)];
    if (!sync) die("PostgreSQL is measured with sync only");
    std::string sql = "INSERT INTO wardiary_bench VALUES ";
    for (std::size_t i = 0; i < events; ++i) {
      ++client.next;
      sql += (i ? ",(" : "(") + std::to_string(number) + "," + std::to_string(client.next) +
             ",'\\x" + to_hex(bytes_of(Corpus::get().at(client.next))) + "')";
    }
    run(connection(number), sql.c_str());
  }

 private:
  struct Client {
    ::PGconn* connection = nullptr;
    std::uint64_t next = 0;
  };
  ::PGconn* connection(int number) {
    Client& client = clients_[static_cast<std::size_t>(number)];
    if (!client.connection) client.connection = ::PQconnectdb(server_.c_str());
    if (::PQstatus(client.connection) != CONNECTION_OK) {
      die(std::string("PostgreSQL: ") + ::PQerrorMessage(client.connection));
    }
    return client.connection;
  }
  static void run(::PGconn* connection, const char* sql) {
    ::PGresult* result = ::PQexec(connection, sql);
    if (::PQresultStatus(result) != PGRES_COMMAND_OK) {
      die(std::string("PostgreSQL: ") + ::PQerrorMessage(connection));
    }
    ::PQclear(result);
  }
  const std::string server_;
  std::vector<Client> clients_;
};

}  // namespace

std::unique_ptr<Peer> make_postgres(const std::string& server) {
  return std::make_unique<Postgres>(server);
}
#else
std::unique_ptr<Peer> make_postgres(const std::string&) {
  return nullptr;
}
#endif

}  // namespace wardiary::bench

// bench_postgres: commits per second on PostgreSQL through the store, beside a raw libpq insert of
// the same bytes on the same cluster and beside the embedded store, for 1, 8 and 32 clients.
//
//   run_cluster 3 bench_postgres [--seconds S]      (WARDIARY_STORE names the cluster)
//
// raw: one connection per client, one prepared insert of one row per commit, acknowledged as the
// cluster acknowledges; nothing is hashed, nothing checked, no command remembered.
#include <libpq-fe.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "eventstore/postgres_store.h"
#include "eventstore/rocksdb_store.h"

namespace wardiary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kEvents = 5;
constexpr std::size_t kEventBytes = 200;

[[noreturn]] void die(const std::string& text) {
  std::fprintf(stderr, "bench_postgres: %s\n", text.c_str());
  std::exit(1);
}

Id make_id(char kind, std::uint64_t a, std::uint64_t b = 0) {
  Id out;
  out.data[0] = static_cast<std::uint8_t>(kind);
  for (int i = 0; i < 7; ++i) out.data[1 + i] = static_cast<std::uint8_t>(a >> (8 * i));
  for (int i = 0; i < 8; ++i) out.data[8 + i] = static_cast<std::uint8_t>(b >> (8 * i));
  return out;
}

// How often per second `clients` threads get `work(client, n)` done.
double rate(int clients, double seconds, const std::function<void(int, std::uint64_t)>& work) {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  std::vector<std::thread> threads;
  for (int c = 0; c < clients; ++c) {
    threads.emplace_back([&, c] {
      for (std::uint64_t n = 0; !stop; ++n) {
        work(c, n);
        ++done;
      }
    });
  }
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(done) / std::chrono::duration<double>(Clock::now() - start).count();
}

PGconn* connect(const std::string& uri) {
  const char* const names[] = {"target_session_attrs", "dbname", nullptr};
  const char* const values[] = {"read-write", uri.c_str(), nullptr};
  PGconn* connection = PQconnectdbParams(names, values, 1);
  if (PQstatus(connection) != CONNECTION_OK) die(PQerrorMessage(connection));
  return connection;
}

double raw_rate(const std::string& uri, int clients, double seconds, int round) {
  PGconn* first = connect(uri);
  PQclear(PQexec(first, "create table if not exists bench_raw (k bytea primary key, v bytea)"));
  PQfinish(first);
  std::vector<PGconn*> connections;
  for (int c = 0; c < clients; ++c) {
    connections.push_back(connect(uri));
    PQclear(PQprepare(connections.back(), "put",
                      "insert into bench_raw values ($1::bytea, $2::bytea)", 0, nullptr));
  }
  const std::string body(kEvents * kEventBytes, 'x');
  const double out = rate(clients, seconds, [&](int c, std::uint64_t n) {
    const Id key = make_id('R', static_cast<std::uint64_t>(round * 1000 + c), n);
    const char* values[] = {reinterpret_cast<const char*>(key.data.data()), body.data()};
    const int lengths[] = {16, static_cast<int>(body.size())};
    const int formats[] = {1, 1};
    PGresult* result = PQexecPrepared(connections[static_cast<std::size_t>(c)], "put", 2, values,
                                      lengths, formats, 1);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) die(PQresultErrorMessage(result));
    PQclear(result);
  });
  for (PGconn* connection : connections) PQfinish(connection);
  return out;
}

double store_rate(EventStore& store, int clients, double seconds, int round) {
  const std::string payload(kEventBytes, 'x');
  const std::vector<NewEvent> events(kEvents, NewEvent{1, bytes_of(payload)});
  std::vector<Version> versions;
  for (int c = 0; c < clients; ++c) {
    const auto id = static_cast<std::uint64_t>(round * 1000 + c);
    auto made = store.create_game(
        {make_id('G', id), make_id('B', id), "", 0, make_id('C', id), events, {}});
    if (!made) die(made.error().text);
    versions.push_back(made->last);
  }
  return rate(clients, seconds, [&](int c, std::uint64_t n) {
    const auto id = static_cast<std::uint64_t>(round * 1000 + c);
    Version& version = versions[static_cast<std::size_t>(c)];
    auto done = store.append({make_id('B', id), version, make_id('C', id, n + 1), events});
    if (!done || done->kind != Appended::Kind::kOk) die("an append failed");
    version = done->last;
  });
}

}  // namespace
}  // namespace wardiary

int main(int argc, char** argv) {
  using namespace wardiary;
  const char* uri = std::getenv("WARDIARY_STORE");
  if (!uri) die("WARDIARY_STORE names no cluster; run it with: run_cluster 3 bench_postgres");
  const double seconds = argc == 3 && std::string(argv[1]) == "--seconds" ? std::atof(argv[2]) : 4;
  std::string directory =
      (std::filesystem::temp_directory_path() / "wardiary-bench-XXXXXX").string();
  if (!::mkdtemp(directory.data())) die("no temporary directory");
  PostgresOptions options;
  options.uri = uri;
  options.directory = directory + "/keys";
  options.create_if_missing = true;
  auto cluster = open_postgres_store(options);
  if (!cluster) die(cluster.error().text);
  StoreOptions embedded_options;
  embedded_options.directory = directory + "/data";
  embedded_options.create_if_missing = true;
  auto embedded = open_rocksdb_store(embedded_options);
  if (!embedded) die(embedded.error().text);

  std::printf("commits of %zu events of %zu bytes, per second\n", kEvents, kEventBytes);
  std::printf("%8s %12s %12s %12s %12s\n", "clients", "raw libpq", "postgres", "ratio", "embedded");
  int round = 0;
  for (const int clients : {1, 8, 32}) {
    // Each measured twice, turn and turn about, so that a slow moment does not decide.
    double raw = 0, store = 0, local = 0;
    for (int turn = 0; turn < 2; ++turn) {
      ++round;
      raw += raw_rate(uri, clients, seconds, round) / 2;
      store += store_rate(**cluster, clients, seconds, round) / 2;
      local += store_rate(**embedded, clients, seconds, round) / 2;
    }
    std::printf("%8d %12.0f %12.0f %12.2f %12.0f\n", clients, raw, store, store / raw, local);
  }
  (void)(*cluster)->close();
  (void)(*embedded)->close();
  std::filesystem::remove_all(directory);
  return 0;
}

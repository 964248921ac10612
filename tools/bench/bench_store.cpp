// The store beside what it cannot beat and beside its peers, all given the same bytes with the same
// sync: the disk, RocksDB, SQLite, and PostgreSQL if a server is named. They take turns within one
// run, in short slices, and are compared as ratios, because a shared machine changes its speed by
// the minute.
//
//   bench_store [DIRECTORY] [--quick] [--seconds S] [--rounds R] [--sync-us N] [--postgres SERVER]
//               [--only append,read,branches,open,killed]
//
// With --sync-us every sync of a file also sleeps that long (store_peers.h).
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tools/bench/store_peers.h"

namespace wardiary::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string directory;
  std::string postgres;
  std::string only;
  double seconds = 2;
  int rounds = 5;
};

// CPU seconds used so far: by all threads of this process, or by this thread alone. Unlike time on
// the wall they do not depend on what else the machine does.
double cpu_seconds(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

// The share of CPU time that the hypervisor gave to others since the last call.
double stolen_share() {
  static std::uint64_t last_total = 0, last_stolen = 0;
  std::ifstream in("/proc/stat");
  std::string cpu;
  in >> cpu;
  std::uint64_t total = 0, stolen = 0, value = 0;
  for (int i = 0; i < 8 && in >> value; ++i) {
    total += value;
    if (i == 7) stolen = value;
  }
  const double share =
      total > last_total ? double(stolen - last_stolen) / double(total - last_total) : 0;
  last_total = total;
  last_stolen = stolen;
  return share;
}

// Runs `step(client)` in each of `clients` threads for a while; gives steps per second.
double rate(int clients, double seconds, const std::function<void(int)>& step) {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> steps{0};
  std::vector<std::thread> threads;
  const auto start = Clock::now();
  for (int c = 0; c < clients; ++c) {
    threads.emplace_back([&, c] {
      std::uint64_t mine = 0;
      while (!stop.load(std::memory_order_relaxed)) {
        step(c);
        ++mine;
      }
      steps += mine;
    });
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (auto& thread : threads) thread.join();
  return double(steps) / since(start);
}

// --- measurements -------------------------------------------------------------------------------

// Medians of several interleaved slices; slices in which much CPU was stolen are left out as long
// as enough others remain.
struct Series {
  std::vector<double> all, quiet;
  void add(double value) {
    all.push_back(value);
    if (stolen_share() < 0.10) quiet.push_back(value);
  }
  double value() const { return median(quiet.size() >= 3 ? quiet : all); }
};

// Events per second, and CPU microseconds per event, of one peer.
struct Appending {
  Series rate, cpu;
  void measure(Peer& peer, int clients, std::size_t batch, double seconds, bool sync) {
    const double before = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const auto start = Clock::now();
    const double events =
        double(batch) * bench::rate(clients, seconds, [&](int c) { peer.write(c, batch, sync); });
    cpu.add((cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - before) * 1e6 / (events * since(start)));
    rate.add(events);
  }
};

// The peers in turn, several times; the store is the last and the second is RocksDB.
void append_row(const Settings& s, std::span<Peer* const> peers, Ours& ours, int clients,
                std::size_t batch) {
  std::vector<Appending> results(peers.size());
  const auto before = ours.store().stats();
  stolen_share();
  for (int round = 0; round < s.rounds; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      if (i > 0 && clients > peers[i]->clients_max()) continue;
      results[i].measure(*peers[i], i == 0 ? 1 : clients, batch, s.seconds, true);
    }
  }
  const auto after = ours.store().stats();
  std::printf("%7d %5zu", clients, batch);
  for (const Appending& result : results) std::printf(" %10.0f", result.rate.value());
  const double mine = results.back().rate.value();
  for (std::size_t i = 0; i + 1 < peers.size(); ++i) {
    const double theirs = results[i].rate.value();
    std::printf(" %9.2f", theirs > 0 ? mine / theirs : 0);
  }
  std::printf(" %6.1f %8.1f %9.1f\n",
              double(after->commits - before->commits) / double(after->syncs - before->syncs),
              results[1].cpu.value(), results.back().cpu.value());
  std::fflush(stdout);
}

void bench_append(const Settings& s) {
  RawDisk disk(s.directory + "/raw.bin");
  RawRocksdb raw(s.directory + "/raw");
  // SQLite does its own syncs: no pretending there.
  const auto sqlite = sync_us > 0 ? nullptr : make_sqlite(s.directory + "/peer.sqlite");
  const auto postgres = s.postgres.empty() ? nullptr : make_postgres(s.postgres);
  Ours ours(s.directory + "/ours");
  std::vector<Peer*> peers{&disk, &raw};
  if (sqlite) peers.push_back(sqlite.get());
  if (postgres) peers.push_back(postgres.get());
  peers.push_back(&ours);
  std::printf("\nappend, synced: events per second; the store's ratio to each; commits per sync;");
  std::printf(" CPU microseconds per event of RocksDB and of the store\n%7s %5s", "clients",
              "batch");
  for (const Peer* peer : peers) std::printf(" %10s", peer->name());
  for (std::size_t i = 0; i + 1 < peers.size(); ++i) {
    std::printf(" %9s", (std::string("/") + peers[i]->name()).substr(0, 9).c_str());
  }
  std::printf(" %6s %8s %9s\n", "group", "cpu raw", "cpu store");
  for (const int clients : {1, 8, 32}) {
    for (const std::size_t batch : {1, 10, 100}) append_row(s, peers, ours, clients, batch);
  }
  Appending r, o;
  for (int round = 0; round < s.rounds; ++round) {
    r.measure(raw, 1, 10, s.seconds, false);
    o.measure(ours, 1, 10, s.seconds, false);
  }
  std::printf("append, not synced, 1 client x 10: rocksdb %.0f, store %.0f events/s, ratio %.2f; ",
              r.rate.value(), o.rate.value(), o.rate.value() / r.rate.value());
  std::printf("CPU per event %.2f and %.2f us, ratio %.2f\n", r.cpu.value(), o.cpu.value(),
              r.cpu.value() / o.cpu.value());
}

double scan_rate(EventStore& store, const BranchId& branch) {
  std::uint64_t events = 0, sum = 0;
  const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  const Status s = store.read(branch, 1, ~Version{0}, [&](const StoredEvent& e) {
    sum += e.payload.empty() ? 0 : e.payload[0];
    return ++events, true;
  });
  if (!s || sum == 1) die("scan");
  return double(events) / (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start);
}

double raw_scan_rate(rocksdb::DB& db) {
  std::uint64_t events = 0, sum = 0;
  const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  const std::unique_ptr<rocksdb::Iterator> it(db.NewIterator(rocksdb::ReadOptions()));
  const std::string end = RawRocksdb::key(1, 0);
  for (it->SeekToFirst(); it->Valid() && it->key().compare(end) < 0; it->Next()) {
    sum += static_cast<std::uint8_t>(it->value()[0]);
    ++events;
  }
  if (sum == 1) die("scan");
  return double(events) / (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start);
}

std::uint64_t size_of(const std::string& directory) {
  std::uint64_t out = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file() && entry.path().extension() == ".sst") out += entry.file_size();
  }
  return out;
}

void bench_read(const Settings& s, std::uint64_t events) {
  std::printf(
      "\nreading %lu events of one branch, written one per commit (events per CPU second)\n",
      events);
  RawRocksdb raw(s.directory + "/raw-read");
  Ours single(s.directory + "/ours-read"), ten(s.directory + "/ours-read10");
  for (std::uint64_t i = 0; i < events; ++i) raw.write(0, 1, false), single.write(0, 1, false);
  for (std::uint64_t i = 0; i < events / 10; ++i) ten.write(0, 10, false);
  rocksdb::FlushOptions flush;
  (void)raw.db().Flush(flush);
  (void)raw.db().CompactRange(rocksdb::CompactRangeOptions(), nullptr, nullptr);
  single.reopen();
  ten.reopen();
  Series r, fresh, fresh10, sealed, verify;
  for (int round = 0; round < s.rounds; ++round) {
    stolen_share();
    r.add(raw_scan_rate(raw.db()));
    fresh.add(scan_rate(single.store(), make_id('B', 0)));
    fresh10.add(scan_rate(ten.store(), make_id('B', 0)));
  }
  const auto start = Clock::now();
  if (!single.store().tidy()) die("tidy");
  const double sealing = double(events) / since(start);
  for (int round = 0; round < s.rounds; ++round) {
    stolen_share();
    r.add(raw_scan_rate(raw.db()));
    sealed.add(scan_rate(single.store(), make_id('B', 0)));
    const double begin = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    const auto verified = single.store().verify(make_id('G', 0), nullptr);
    if (!verified || !verified->findings.empty()) die("verify");
    verify.add(double(verified->events) / (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - begin));
  }
  const double base = r.value();
  const auto line = [&](const char* name, double v) {
    std::printf("  %-34s %12.0f  %6.2f x raw iterator\n", name, v, v / base);
  };
  line("raw RocksDB iterator", base);
  line("store, 1 event per block (fresh)", fresh.value());
  line("store, 10 events per block (fresh)", fresh10.value());
  line("store, sealed", sealed.value());
  line("verify (all hashes, chain, tree)", verify.value());
  line("sealing incl. compaction", sealing);
  std::printf("  sealed / fresh: %.2f\n", sealed.value() / fresh.value());
  single.reopen();
  const double bytes = double(size_of(s.directory + "/ours-read")) / double(events);
  const double payload = Corpus::get().mean_bytes();
  const double raw_bytes = double(size_of(s.directory + "/raw-read")) / double(events);
  std::printf(
      "  disk: raw RocksDB %.1f, store sealed %.1f bytes per event of %.1f and a key of 16: ",
      raw_bytes, bytes, payload);
  std::printf("%.2f and %.2f of that\n", raw_bytes / (payload + 16), bytes / (payload + 16));
  if (const auto sqlite = make_sqlite(s.directory + "/disk.sqlite")) {
    for (std::uint64_t i = 0; i < events / 100; ++i) sqlite->write(0, 100, false);
    std::printf("  disk: store %.2f of SQLite\n",
                bytes * double(events) / double(sqlite_bytes(s.directory + "/disk.sqlite")));
  }
}

void bench_branches(const Settings& s, std::uint64_t events) {
  Ours ours(s.directory + "/ours-branch");
  for (std::uint64_t i = 0; i < events / 100; ++i) ours.write(0, 100, false);
  if (!ours.store().tidy()) die("tidy");
  std::uint64_t next = 1000;
  const auto fork_at = [&](Version at) {
    if (!ours.store().fork({make_id('G', 0), make_id('B', ++next), make_id('B', 0), at, "", ""}))
      die("fork");
  };
  Series commit, early, late;
  for (int round = 0; round < s.rounds; ++round) {
    stolen_share();
    commit.add(rate(1, s.seconds / 2, [&](int) { ours.write(1, 1, true); }));
    early.add(rate(1, s.seconds / 2, [&](int) { fork_at(next % 100 + 1); }));
    late.add(rate(1, s.seconds / 2, [&](int) { fork_at(events - next % 100); }));
  }
  std::printf(
      "\nbranches: fork at event ~100 costs %.2f, at event ~%lu %.2f of one synced commit\n",
      commit.value() / early.value(), events, commit.value() / late.value());
}

// --- opening ------------------------------------------------------------------------------------

double resident_mb() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t total = 0, pages = 0;
  in >> total >> pages;
  return double(pages) * 4096 / 1e6;
}

// What any store on these files must do: open the database and read what it keeps of each game.
double raw_open_ms(const std::string& directory) {
  const auto start = Clock::now();
  rocksdb::DBOptions options;
  std::vector<std::string> names;
  const std::string path = directory + "/db";
  if (!rocksdb::DB::ListColumnFamilies(options, path, &names).ok()) die("cannot list " + path);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  if (!rocksdb::DB::Open(options, path, families, &handles, &opened).ok()) die("raw open");
  const std::unique_ptr<rocksdb::DB> db(opened);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "heads" && names[i] != "games" && names[i] != "branches") continue;
    const std::unique_ptr<rocksdb::Iterator> it(
        db->NewIterator(rocksdb::ReadOptions(), handles[i]));
    for (it->SeekToFirst(); it->Valid(); it->Next()) bytes += it->value().size();
  }
  const double ms = since(start) * 1000;
  if (bytes == 0) die("no heads");
  for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
  return ms;
}

StoreOptions options_for(const std::string& directory) {
  StoreOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  options.seal_in_background = false;
  return options;
}

std::unique_ptr<EventStore> opened(const std::string& directory) {
  auto store = open_rocksdb_store(options_for(directory));
  if (!store) die(store.error().text);
  return std::move(*store);
}

void create_games(EventStore& store, std::uint64_t games, std::size_t events_each) {
  const auto events = Corpus::get().batch(0, events_each);
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t g = 1000 + t; g < 1000 + games; g += 16) {
        const NewGame game{make_id('G', g), make_id('B', g), "", 0, make_id('C', 0), events, {}};
        if (!store.create_game(game)) die("create");
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

void bench_open(const Settings& s, std::uint64_t games) {
  const std::string directory = s.directory + "/ours-open";
  create_games(*opened(directory), games, 100);
  Series raw, ours, list;
  double more = 0;
  for (int round = 0; round < s.rounds; ++round) {
    stolen_share();
    raw.add(raw_open_ms(directory));
    const double before = resident_mb();
    auto start = Clock::now();
    const auto store = opened(directory);
    ours.add(since(start) * 1000);
    if (round == 0) more = resident_mb() - before;
    start = Clock::now();
    std::uint64_t listed = 0;
    std::optional<std::string> after;
    do {
      auto page = store->games(after, StoreLimits::kPageMax);
      if (!page) die("games");
      listed += page->items.size();
      after = page->next;
    } while (after);
    if (listed != games) die("not all games were listed");
    list.add(since(start) * 1000);
  }
  std::printf("\nopening %lu games of 100 events: %.0f ms, %.2f x RocksDB's open and scan of heads",
              games, ours.value(), ours.value() / raw.value());
  std::printf(" (%.0f ms); %.0f MB more; listing them %.0f ms\n", raw.value(), more, list.value());
}

// A process that writes until it is killed; what it leaves is opened by RocksDB alone and by us.
void bench_killed(const Settings& s, std::uint64_t events) {
  Series raw, ours;
  for (int round = 0; round < s.rounds; ++round) {
    const std::string directory = s.directory + "/killed" + std::to_string(round);
    const ::pid_t child = ::fork();
    if (child == 0) {
      Ours writer(directory);
      for (std::uint64_t i = 0; i < events / 10; ++i) writer.write(int(i % 32), 10, false);
      writer.write(0, 1, true);
      ::_exit(0);  // without closing anything
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) die("the writer failed");
    fs::copy(directory, directory + "-copy", fs::copy_options::recursive);
    stolen_share();
    raw.add(raw_open_ms(directory + "-copy"));
    const auto start = Clock::now();
    const auto store = opened(directory);
    ours.add(since(start) * 1000);
  }
  std::printf(
      "\nopening after a kill with %lu events in the log: %.0f ms, %.2f x RocksDB's (%.0f ms)\n",
      events, ours.value(), ours.value() / raw.value(), raw.value());
}

int run(int argc, char** argv) {
  Settings s;
  bool quick = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const bool has_value = i + 1 < argc;
    if (option == "--quick") {
      quick = true;
    } else if (option == "--seconds" && has_value) {
      s.seconds = std::atof(argv[++i]);
    } else if (option == "--sync-us" && has_value) {
      sync_us = std::atoi(argv[++i]);
    } else if (option == "--rounds" && has_value) {
      s.rounds = std::atoi(argv[++i]);
    } else if (option == "--postgres" && has_value) {
      s.postgres = argv[++i];
    } else if (option == "--only" && has_value) {
      s.only = argv[++i];
    } else if (option.starts_with("-")) {
      die("no option " + option);
    } else {
      s.directory = option;
    }
  }
  if (quick) s.seconds = 0.3, s.rounds = 3;
  std::string place =
      (s.directory.empty() ? fs::temp_directory_path() : fs::path(s.directory)).string() +
      "/wardiary-bench-XXXXXX";
  if (!::mkdtemp(place.data())) die("cannot make " + place);
  s.directory = place;
  const auto wanted = [&](const char* name) {
    return s.only.empty() || s.only.find(name) != std::string::npos;
  };
  std::printf("events of %.1f bytes on average\n", Corpus::get().mean_bytes());
  if (wanted("killed")) bench_killed(s, quick ? 20'000 : 250'000);  // first: it forks
  if (wanted("append")) bench_append(s);
  if (wanted("read")) bench_read(s, quick ? 100'000 : 500'000);
  if (wanted("branches")) bench_branches(s, quick ? 100'000 : 1'000'000);
  if (wanted("open")) bench_open(s, quick ? 2'000 : 100'000);
  std::error_code ignored;
  fs::remove_all(place, ignored);
  return 0;
}

}  // namespace
}  // namespace wardiary::bench

int main(int argc, char** argv) {
  return wardiary::bench::run(argc, argv);
}

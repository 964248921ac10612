// The store beside what it cannot beat: the disk's own sync, and RocksDB given the same bytes with
// the same sync. All are measured in turn within one run, in short slices, and compared as ratios,
// because a shared machine changes its speed by the minute.
//
//   bench_store [DIRECTORY] [--quick] [--seconds S] [--rounds R] [--sync-us N]
//
// With --sync-us every sync also sleeps that long: on a directory in memory this stands for a disk
// of known speed, which tells apart what the store does from what the disk's other users do.
//
// Raw RocksDB means: one column family, one key per event, one WriteBatch per commit with a head
// record, written by each client by itself (RocksDB's own group commit).
#include <fcntl.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "eventstore/event_store.h"
#include "eventstore/rocksdb_store.h"

namespace wardiary {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string directory;
  double seconds = 2;
  int rounds = 5;
};

int sync_us = 0;

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

rocksdb::Env* bench_env() {
  static const auto env = rocksdb::NewCompositeEnv(std::make_shared<SlowSyncs>());
  return env.get();
}

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

Id make_id(char kind, std::uint64_t number) {
  Id out;
  out.data[0] = static_cast<std::uint8_t>(kind);
  for (int i = 0; i < 8; ++i) out.data[8 + i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
  return out;
}

// Events of about 140 bytes that compress as real ones do: a few fields change, the rest repeats.
class Corpus {
 public:
  Corpus() {
    std::mt19937_64 random(7);
    for (int i = 0; i < 4096; ++i) {
      std::string e(100 + random() % 80, '\0');
      for (std::size_t k = 0; k < e.size(); ++k) e[k] = static_cast<char>(k % 16 == 0 ? k : 0);
      for (int k = 0; k < 28; ++k) e[random() % e.size()] = static_cast<char>(random());
      events_.push_back(std::move(e));
    }
  }
  const std::string& at(std::uint64_t n) const { return events_[n % events_.size()]; }
  std::vector<NewEvent> batch(std::uint64_t from, std::size_t count) const {
    std::vector<NewEvent> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back({1, bytes_of(at(from + i))});
    return out;
  }

 private:
  std::vector<std::string> events_;
};
const Corpus& corpus() {
  static const Corpus c;
  return c;
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

[[noreturn]] void die(const std::string& text) {
  std::fprintf(stderr, "bench_store: %s\n", text.c_str());
  std::exit(1);
}

// --- the three that are compared ----------------------------------------------------------------

class RawDisk {
 public:
  explicit RawDisk(const std::string& file)
      : fd_(::open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644)) {}
  ~RawDisk() { ::close(fd_); }
  void write(std::size_t events) {
    std::string bytes;
    for (std::size_t i = 0; i < events; ++i) bytes += corpus().at(next_++);
    if (::write(fd_, bytes.data(), bytes.size()) < 0 || ::fdatasync(fd_) != 0) die("disk");
    pretend_to_sync();
  }

 private:
  int fd_;
  std::uint64_t next_ = 0;
};

class RawRocksdb {
 public:
  explicit RawRocksdb(const std::string& path) {
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
    next_.assign(64, 0);
  }
  void write(int client, std::size_t events, bool sync) {
    rocksdb::WriteBatch batch;
    std::uint64_t& next = next_[static_cast<std::size_t>(client)];
    for (std::size_t i = 0; i < events; ++i) {
      ++next;
      batch.Put(key(client, next), corpus().at(next));
    }
    batch.Put("head" + std::to_string(client), key(client, next) + std::string(32, 'h'));
    rocksdb::WriteOptions options;
    options.sync = sync;
    if (!db_->Write(options, &batch).ok()) die("raw RocksDB write");
  }
  static std::string key(int client, std::uint64_t n) {
    std::string out(16, '\0');
    out[7] = static_cast<char>(client);
    for (int i = 0; i < 8; ++i) out[8 + i] = static_cast<char>(n >> (56 - 8 * i));
    return out;
  }
  rocksdb::DB& db() { return *db_; }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<std::uint64_t> next_;
};

class Ours {
 public:
  explicit Ours(const std::string& directory, bool seal = false) : directory_(directory) {
    open(seal);
    for (int c = 0; c < 64; ++c) {
      const auto events = corpus().batch(0, 1);
      auto made = store_->create_game(
          {make_id('G', c), make_id('B', c), "", 0, make_id('C', 0), events, {}});
      if (!made) die(made.error().text);
      versions_.push_back(store_->branch(make_id('B', c))->version);
    }
  }
  void open(bool seal = false) {
    store_.reset();
    StoreOptions options;
    options.directory = directory_;
    options.create_if_missing = true;
    options.seal_in_background = seal;
    options.env = bench_env();
    auto opened = open_rocksdb_store(options);
    if (!opened) die(opened.error().text);
    store_ = std::move(*opened);
  }
  void write(int client, std::size_t events, bool sync) {
    Version& version = versions_[static_cast<std::size_t>(client)];
    const auto batch = corpus().batch(version, events);
    auto done = store_->append({make_id('B', client), version, make_id('C', version + 1), batch,
                                sync ? Durability::kSynced : Durability::kBuffered});
    if (!done || done->kind != Appended::Kind::kOk) die("append");
    version = done->last;
  }
  EventStore& store() { return *store_; }

 private:
  std::string directory_;
  std::unique_ptr<EventStore> store_;
  std::vector<Version> versions_;
};

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

// Events per second, and CPU microseconds per event, of one of the three.
struct Appending {
  Series rate, cpu;
  void measure(int clients, std::size_t batch, double seconds,
               const std::function<void(int)>& step) {
    const double before = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const auto start = Clock::now();
    const double events = double(batch) * wardiary::rate(clients, seconds, step);
    cpu.add((cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - before) * 1e6 / (events * since(start)));
    rate.add(events);
  }
};

void bench_append(const Settings& s) {
  std::printf("\nappend, synced (events per second; CPU microseconds per event)\n");
  std::printf("%8s %6s %12s %12s %12s %11s %9s %8s %9s %9s\n", "clients", "batch", "fdatasync",
              "rocksdb", "store", "/fdatasync", "/rocksdb", "group", "cpu raw", "cpu store");
  RawDisk disk(s.directory + "/raw.bin");
  RawRocksdb raw(s.directory + "/raw");
  Ours ours(s.directory + "/ours");
  for (const int clients : {1, 8, 32}) {
    for (const std::size_t batch : {1, 10, 100}) {
      Appending d, r, o;
      const auto before = ours.store().stats();
      stolen_share();
      for (int round = 0; round < s.rounds; ++round) {
        d.measure(1, batch, s.seconds, [&](int) { disk.write(batch); });
        r.measure(clients, batch, s.seconds, [&](int c) { raw.write(c, batch, true); });
        o.measure(clients, batch, s.seconds, [&](int c) { ours.write(c, batch, true); });
      }
      const auto after = ours.store().stats();
      const double group =
          double(after->commits - before->commits) / double(after->syncs - before->syncs);
      std::printf("%8d %6zu %12.0f %12.0f %12.0f %11.2f %9.2f %8.1f %9.1f %9.1f\n", clients, batch,
                  d.rate.value(), r.rate.value(), o.rate.value(), o.rate.value() / d.rate.value(),
                  o.rate.value() / r.rate.value(), group, r.cpu.value(), o.cpu.value());
      std::fflush(stdout);
    }
  }
  Appending r, o;
  for (int round = 0; round < s.rounds; ++round) {
    r.measure(1, 10, s.seconds, [&](int c) { raw.write(c, 10, false); });
    o.measure(1, 10, s.seconds, [&](int c) { ours.write(c, 10, false); });
  }
  std::printf(
      "\nappend, not synced, 1 client x 10: rocksdb %.0f, store %.0f events/s, ratio %.2f; ",
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
  single.open();
  ten.open();
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
  single.open();
  const double bytes = double(size_of(s.directory + "/ours-read")) / double(events);
  double payload = 0;
  for (std::uint64_t i = 0; i < 4096; ++i) payload += double(corpus().at(i).size()) / 4096;
  std::printf(
      "  disk: raw RocksDB %.1f, store sealed %.1f bytes per event; %.2f x payload + 16 byte key\n",
      double(size_of(s.directory + "/raw-read")) / double(events), bytes, bytes / (payload + 16));
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

void bench_open(const Settings& s, std::uint64_t games) {
  const std::string directory = s.directory + "/ours-open";
  {
    Ours ours(directory);
    const auto events = corpus().batch(0, 10);
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint64_t g = 1000 + t; g < 1000 + games; g += 4) {
          if (!ours.store().create_game(
                  {make_id('G', g), make_id('B', g), "", 0, make_id('C', 0), events, {}})) {
            die("create");
          }
        }
      });
    }
    for (auto& thread : threads) thread.join();
  }
  const auto resident = [] {
    std::ifstream in("/proc/self/statm");
    std::uint64_t total = 0, pages = 0;
    in >> total >> pages;
    return double(pages) * 4096 / 1e6;
  };
  const double before = resident();
  StoreOptions options;
  options.directory = directory;
  options.seal_in_background = false;
  const auto start = Clock::now();
  const auto opened = open_rocksdb_store(options);
  if (!opened) die(opened.error().text);
  std::printf("\nopening %lu games: %.0f ms, %.0f MB resident more\n", games, since(start) * 1000,
              resident() - before);
}

int run(int argc, char** argv) {
  Settings s;
  bool quick = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--quick") {
      quick = true;
    } else if (option == "--seconds" && i + 1 < argc) {
      s.seconds = std::atof(argv[++i]);
    } else if (option == "--sync-us" && i + 1 < argc) {
      sync_us = std::atoi(argv[++i]);
    } else if (option == "--rounds" && i + 1 < argc) {
      s.rounds = std::atoi(argv[++i]);
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
  bench_append(s);
  bench_read(s, quick ? 100'000 : 500'000);
  bench_branches(s, quick ? 100'000 : 1'000'000);
  bench_open(s, quick ? 2'000 : 20'000);
  std::error_code ignored;
  fs::remove_all(place, ignored);
  return 0;
}

}  // namespace
}  // namespace wardiary

int main(int argc, char** argv) {
  return wardiary::run(argc, argv);
}

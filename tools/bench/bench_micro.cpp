// The core, one operation at a time, each beside the limit it is measured against: the fold beside
// reading the same memory, hashing beside bare SHA-256, a snapshot beside copying it. Run with
//   bench_micro --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
// The counter `of_limit` is the limit's time divided by ours: 1 would be the limit itself.
#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <numeric>

#include "domain/base/sha256.h"
#include "domain/event_json.h"
#include "domain/json_writer.h"
#include "domain/position_json.h"
#include "tools/bench/bench_game.h"

namespace wardiary::bench {
namespace {

constexpr std::size_t kInCache = 2'000;
constexpr std::size_t kOutOfCache = 1'000'000;

const Log& the_log() {
  static const Log log(kOutOfCache);
  return log;
}

// Time of this thread on the processor, so that a busy machine does not spoil the ratios.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The best of some rounds of `work`, per run.
template <class Work>
double limit_seconds(int runs, Work work) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const double began = cpu_seconds();
    for (int i = 0; i < runs; ++i) work();
    best = std::min(best, (cpu_seconds() - began) / runs);
  }
  return best;
}

// Reading the bytes of the first `count` events, eight at a time.
double read_seconds(const Log& log, std::size_t count) {
  const ByteView first = log.events()[0];
  const ByteView last = log.events()[count - 1];
  const std::size_t words = static_cast<std::size_t>(last.data() + last.size() - first.data()) / 8;
  const auto* data = reinterpret_cast<const std::uint64_t*>(first.data());
  return limit_seconds(count < 10'000 ? 100 : 1, [&] {
    benchmark::DoNotOptimize(std::accumulate(data, data + words, std::uint64_t{0}));
  });
}

// Runs `work`, which handles `events` events, and reports its rate and its ratio to the limit.
template <class Work>
void run(benchmark::State& state, std::size_t events, double limit, Work work) {
  const double began = cpu_seconds();
  for (auto _ : state) work();
  const double each = (cpu_seconds() - began) / static_cast<double>(state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(events * state.iterations()));
  state.counters["of_limit"] = limit / each;
}

void fold_events(benchmark::State& state, std::size_t count, bool verify) {
  const Log& log = the_log();
  run(state, count, read_seconds(log, count),
      [&] { benchmark::DoNotOptimize(fold(log, count, verify)); });
}
void fold_in_cache(benchmark::State& state) {
  fold_events(state, kInCache, false);
}
void fold_out_of_cache(benchmark::State& state) {
  fold_events(state, kOutOfCache, false);
}
void verify_and_fold(benchmark::State& state) {
  fold_events(state, kOutOfCache, true);
}
BENCHMARK(fold_in_cache);
BENCHMARK(fold_out_of_cache)->Unit(benchmark::kMillisecond);
BENCHMARK(verify_and_fold)->Unit(benchmark::kMillisecond);

void fold_backwards(benchmark::State& state) {
  const Log& log = the_log();
  const Position there = fold(log, kInCache, false);
  run(state, kInCache, read_seconds(log, kInCache), [&] {
    Position position = there;
    for (std::size_t i = kInCache; i-- > 0;) {
      if (revert(position, *trusted_event(log.events()[i])) != Fault::kNone) std::abort();
    }
  });
}
BENCHMARK(fold_backwards);

void verify_events(benchmark::State& state) {
  const Log& log = the_log();
  for (auto _ : state) {
    for (std::size_t i = 0; i < kInCache; ++i)
      benchmark::DoNotOptimize(open_event(log.events()[i]).ok());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kInCache * state.iterations()));
}
BENCHMARK(verify_events);

void encode_move(benchmark::State& state) {
  EventWriter writer;
  EventList out;
  const std::vector<SpaceId> path = {SpaceId{1}, SpaceId{2}, SpaceId{3}, SpaceId{4}};
  for (auto _ : state) {
    out.clear();
    writer.unit_moved(out, UnitId{7}, path, "road");
    benchmark::DoNotOptimize(out[0].data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(encode_move);

void encode_change(benchmark::State& state) {
  EventWriter writer;
  EventList out;
  for (auto _ : state) {
    out.clear();
    writer.unit_changed(out, UnitId{7}, {kStrength, 4, 3});
    benchmark::DoNotOptimize(out[0].data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(encode_change);

void events_to_json_page(benchmark::State& state) {
  const Log& log = the_log();
  std::string out;
  for (auto _ : state) {
    out.clear();
    JsonWriter writer(out);
    writer.begin_array();
    for (std::size_t i = 0; i < 64; ++i) {
      write_event_json(writer, *trusted_event(log.events()[1'000 + i]), i, log.roster());
    }
    writer.end_array();
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(64 * state.iterations());
}
BENCHMARK(events_to_json_page);

void position_to_json(benchmark::State& state) {
  const Log& log = the_log();
  for (auto _ : state) benchmark::DoNotOptimize(position_json(log.end(), log.roster()));
}
BENCHMARK(position_to_json);

void position_digest(benchmark::State& state) {
  const Position& position = the_log().end();
  const Bytes bytes = position.to_bytes();
  const double limit = limit_seconds(1'000, [&] { benchmark::DoNotOptimize(sha256(bytes)); });
  run(state, 1, limit, [&] { benchmark::DoNotOptimize(position.digest()); });
}
BENCHMARK(position_digest);

void snapshot_encode(benchmark::State& state) {
  const Position& position = the_log().end();
  const Bytes bytes = position.to_bytes();
  const double limit = limit_seconds(1'000, [&] { benchmark::DoNotOptimize(Bytes(bytes)); });
  run(state, 1, limit, [&] { benchmark::DoNotOptimize(position.to_bytes()); });
}
BENCHMARK(snapshot_encode);

void snapshot_load(benchmark::State& state) {
  const Log& log = the_log();
  const Bytes bytes = log.end().to_bytes();
  for (auto _ : state) benchmark::DoNotOptimize(Position::from_bytes(log.roster(), bytes).ok());
}
BENCHMARK(snapshot_load);

void position_copy(benchmark::State& state) {
  const Position& position = the_log().end();
  for (auto _ : state) benchmark::DoNotOptimize(Position(position));
}
BENCHMARK(position_copy);

void sha256_chain_step(benchmark::State& state) {
  Hash chain;
  const Bytes event(173, 7);
  for (auto _ : state) {
    Sha256 hasher;
    chain = hasher.add(chain).add(event).finish();
    benchmark::DoNotOptimize(chain);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sha256_chain_step);

void sha256_long(benchmark::State& state) {
  const Bytes bytes(1 << 20, 7);
  for (auto _ : state) benchmark::DoNotOptimize(sha256(bytes));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes.size()) * state.iterations());
}
BENCHMARK(sha256_long)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace wardiary::bench

BENCHMARK_MAIN();

// bench_replay: the position at a random event of a branch of 10,000 and of 1,000,000 events, with
// nothing kept in memory, beside the least it can cost: getting a snapshot and reading half as many
// events as snapshots are apart. Wanted: the long branch within 1.5 of the short one, and the
// median within 1.5 of that least. And walking over events beside folding them, and a history from
// the index beside looking through all events.
//
//   bench_replay [events of the long branch]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "eventstore/data_dir.h"
#include "eventstore/rocksdb_store.h"
#include "replay/histories.h"
#include "replay/referee.h"

namespace {

using namespace wardiary;
using Clock_ = std::chrono::steady_clock;

constexpr Version kShort = 10'000;
constexpr int kQuestions = 1'000;
constexpr int kRounds = 5;

double micros(Clock_::time_point begun) {
  return std::chrono::duration<double, std::micro>(Clock_::now() - begun).count();
}
[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "bench_replay: %s\n", why.c_str());
  std::exit(1);
}
template <class T>
T need(Result<T> result) {
  if (!result) stop(result.error().text);
  return std::move(*result);
}

// A scribed game with units that walk to and fro; a phase begins every 64 events.
BranchId make_line(EventStore& store, Referee& referee, TimeMachine& time, Version events) {
  GameRequest request;
  request.system = "eastfront";
  request.spec.scenario = "S41";
  request.keeping = Keeping::kScribed;
  const OpenGamePtr game = need(referee.create(request));
  const BranchId line = game->mainline;
  Version version = need(store.branch(line)).version;
  Position position = need(time.at(line, version));
  std::vector<UnitId> units;
  for (std::size_t u = 0; u < position.unit_count(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    if (position.on_board(unit)) units.push_back(unit);
  }
  ScriptedChance none({});
  std::uint64_t step = 0;
  while (version < events) {
    Envelope envelope;
    envelope.recorded_at_ms = 1;
    Draft draft(game->game, std::move(position), none, envelope);
    while (draft.events().size() < 1'000 && version + draft.events().size() < events) {
      if (++step % 64 == 0) {
        Clock to = draft->clock;
        to.turn = static_cast<std::int16_t>(1 + to.turn % 30'000);
        draft.begin_phase(to);
        continue;
      }
      const UnitId unit = units[step * 7919 % units.size()];
      const SpaceId at = draft->at(unit);
      const std::vector<SpaceId> path = {
          at, SpaceId{static_cast<int>((at.index() + 1) % draft->space_count())}};
      draft.move(unit, path, "");
    }
    std::vector<NewEvent> list;
    const EventList& drafted = draft.events();
    for (std::size_t i = 0; i < drafted.size(); ++i) list.push_back({drafted.type(i), drafted[i]});
    Commit commit{line, version, random_id(), list, Durability::kBuffered};
    version = need(store.append(commit)).last;
    position = draft.take_position();
  }
  return line;
}

struct Times {
  std::vector<double> all;
  double at(double share) {
    std::sort(all.begin(), all.end());
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
  }
};

class Random {
 public:
  std::uint64_t below(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 20) % limit;
  }

 private:
  std::uint64_t state_ = 2026;
};

int run(const std::string& directory, Version long_events) {
  StoreOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  auto store = need(open_rocksdb_store(options));
  Library library(*store);
  TimeMachine::Options bare;
  bare.cache_bytes = 1;
  TimeMachine time(*store, library, bare);
  DiceBox dice(*store, fairdice::Seed(read_master_key(directory)->data));
  Referee referee(*store, library, time, dice, [] { return std::uint64_t{1}; });
  const BranchId lines[] = {make_line(*store, referee, time, kShort),
                            make_line(*store, referee, time, long_events)};
  const Version ends[] = {kShort, long_events};
  for (int i : {0, 1}) (void)need(time.at(lines[i], ends[i]));  // asks for the snapshots
  time.finish_snapshots();
  (void)store->tidy();

  Random random;
  Times took[2], least[2];
  for (int round = 0; round < kRounds; ++round) {
    for (int i : {0, 1}) {
      for (int q = 0; q < kQuestions / kRounds; ++q) {
        const Version version = 2'000 + random.below(ends[i] - 2'000);
        auto begun = Clock_::now();
        (void)need(time.at(lines[i], version));
        took[i].all.push_back(micros(begun));
        begun = Clock_::now();
        const auto snapshot = need(store->snapshot_at(lines[i], version));
        if (!snapshot) stop("a snapshot is missing");
        std::uint64_t bytes = 0;
        (void)store->read(lines[i], snapshot->version, snapshot->version + bare.snapshot_every / 2,
                          [&](const StoredEvent& s) {
                            bytes += s.payload.size();
                            return true;
                          });
        least[i].all.push_back(micros(begun));
      }
    }
  }
  for (int i : {0, 1}) {
    std::printf(
        "branch of %9llu events: p50 %7.1f us, p99 %7.1f us; least possible p50 %7.1f us; "
        "ratio %.2f (wanted: 1.50)\n",
        static_cast<unsigned long long>(ends[i]), took[i].at(0.5), took[i].at(0.99),
        least[i].at(0.5), took[i].at(0.5) / least[i].at(0.5));
  }
  std::printf("long / short: p50 %.2f, p99 %.2f (wanted: p50 at most 1.50)\n",
              took[1].at(0.5) / took[0].at(0.5), took[1].at(0.99) / took[0].at(0.99));

  // Walking, which shows the position before and after each event, beside folding alone.
  const Version stretch = std::min<Version>(long_events, 200'000);
  auto begun = Clock_::now();
  Position folded(need(library.game_of(lines[1]))->roster());
  (void)store->read(lines[1], 1, stretch, [&](const StoredEvent& s) {
    return apply(folded, **open_event(s.payload)) == Fault::kNone;
  });
  const double fold = micros(begun);
  begun = Clock_::now();
  (void)time.walk(
      lines[1], 1, stretch,
      [](Version, const fb::Event&, ByteView, const Position&, const Position&) { return true; });
  const double walk = micros(begun);
  std::printf("walk: %.2f us an event, %.2f of folding it\n", walk / static_cast<double>(stretch),
              walk / fold);

  Histories histories(*store, library, time);
  const Thing unit = Thing::of(UnitId{0});
  (void)need(histories.touching(lines[1], unit, 1, long_events));  // makes the index
  begun = Clock_::now();
  const auto touched = need(histories.touching(lines[1], unit, 1, long_events));
  const double indexed = micros(begun);
  begun = Clock_::now();
  std::size_t scanned = 0;
  (void)store->read(lines[1], 1, long_events, [&](const StoredEvent& s) {
    scanned += touches(**open_event(s.payload), unit);
    return true;
  });
  const double scan = micros(begun);
  if (scanned != touched.size()) stop("the index is wrong");
  std::printf("history of a unit (%zu events): %.0f us by index, %.0f us by looking (%.0fx)\n",
              touched.size(), indexed, scan, scan / indexed);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Version events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  if (events < 20'000) stop("the long branch needs at least 20000 events");
  const std::string directory =
      (std::filesystem::temp_directory_path() / "wardiary-bench-replay").string();
  std::filesystem::remove_all(directory);
  const int code = run(directory, events);
  std::filesystem::remove_all(directory);
  return code;
}

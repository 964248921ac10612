// The audit beside the proofs it has to check, and the statistics of many dice beside reading their
// events; both sides of each comparison are measured in the same run, as CPU time.
#include <sodium.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "domain/schema/event_generated.h"
#include "eventstore/data_dir.h"
#include "eventstore/rocksdb_store.h"
#include "projections/luck_ledger.h"
#include "replay/audit.h"
#include "replay/live_dice.h"
#include "replay/bot_keeper.h"
#include "replay/referee.h"

namespace wardiary {
namespace {

template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().text.c_str());
  std::exit(1);
}

double cpu_ms() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto ms = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}
double wall_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}
struct Cost {
  double cpu = 0, wall = 0;
};
template <class Work>
Cost cost_of(const Work& work) {
  const double cpu = cpu_ms(), wall = wall_ms();
  work();
  return {cpu_ms() - cpu, wall_ms() - wall};
}

struct Diary {
  std::filesystem::path directory = std::filesystem::temp_directory_path() /
                                    ("wardiary-bench-audit-" + std::to_string(::getpid()));
  std::unique_ptr<EventStore> store;
  std::unique_ptr<Library> library;
  std::unique_ptr<TimeMachine> time;
  std::unique_ptr<DiceBox> dice;
  std::unique_ptr<Referee> referee;

  Diary() {
    StoreOptions options;
    options.directory = directory.string();
    options.create_if_missing = true;
    store = need(open_rocksdb_store(options));
    library = std::make_unique<Library>(*store);
    time = std::make_unique<TimeMachine>(*store, *library);
    const auto master = need(read_master_key(directory));
    dice = std::make_unique<DiceBox>(*store, fairdice::Seed(master.data));
    referee = std::make_unique<Referee>(*store, *library, *time, *dice, [] { return 1u; });
  }
  ~Diary() {
    store.reset();
    std::filesystem::remove_all(directory);
  }
};

// The proofs of a game and nothing else, one after the other.
std::uint64_t check_proofs(Diary& diary, const OpenGame& game) {
  const BranchInfo branch = need(diary.store->branch(game.mainline));
  DiceRecord dice(dice_context(*diary.store, game.game, branch));
  std::uint64_t rolls = 0;
  need(diary.store->read(game.mainline, 1, UINT64_MAX, [&](const StoredEvent& stored) {
    const fb::Event& event = *trusted_event(stored.payload);
    const bool roll = event.payload_type() == fb::Payload::DiceRolled;
    if (!roll && event.payload_type() != fb::Payload::EpochOpened) return true;
    if (dice.add(stored.version, event)) std::abort();
    rolls += roll ? 1 : 0;
    return true;
  }));
  return rolls;
}

struct Measured {
  std::uint64_t events = 0, rolls = 0;
  Cost audit, proofs;
  double rest() const { return audit.cpu - proofs.cpu; }
};

Measured measure(Diary& diary, std::size_t orders) {
  BotOptions options;
  options.system = "eastfront";
  options.spec.scenario = "S41";
  options.seed = 1;
  options.policy = Policy::kGreedy;
  options.orders_max = orders;
  const GameId id =
      need(keep_bot_game(*diary.referee, *diary.store, *diary.time, options, {})).game;
  const OpenGamePtr game = need(diary.library->game(id));
  constexpr int kTimes = 8;
  Measured out;
  for (int i = 0; i < kTimes; ++i) {
    const Cost one = cost_of([&] {
      const AuditReport report = need(audit_game(*diary.store, *diary.library, id));
      if (!report.clean()) std::abort();
      out.events = report.events;
    });
    const Cost two = cost_of([&] { out.rolls = check_proofs(diary, *game); });
    out.audit = {out.audit.cpu + one.cpu / kTimes, out.audit.wall + one.wall / kTimes};
    out.proofs = {out.proofs.cpu + two.cpu / kTimes, out.proofs.wall + two.wall / kTimes};
  }
  return out;
}

// A set-up alone tells what an audit costs before the first order; the rest grows with the events.
void bench_audit(Diary& diary) {
  const Measured whole = measure(diary, 100'000), start = measure(diary, 1);
  const double proofs = 1'000 * whole.proofs.cpu / static_cast<double>(whole.rolls);
  const double per_event =
      (whole.rest() - start.rest()) / static_cast<double>(whole.events - start.events);
  const double rest = start.rest() + per_event * (10'000 - static_cast<double>(start.events));
  std::printf("audit of %llu events, %llu proven rolls: %.1f ms of CPU in %.1f ms (%.2f cores)\n",
              static_cast<unsigned long long>(whole.events),
              static_cast<unsigned long long>(whole.rolls), whole.audit.cpu, whole.audit.wall,
              whole.audit.cpu / whole.audit.wall);
  std::printf("  its proofs alone: %.1f ms; everything else: %.1f ms, of which set-up %.1f ms\n",
              whole.proofs.cpu, whole.rest(), start.rest());
  std::printf(
      "  at these costs 10,000 events with 1,000 rolls: %.0f ms, %.1f %% beside the proofs\n",
      proofs + rest, 100 * rest / (proofs + rest));
}

void bench_statistics(Diary& diary) {
  constexpr int kRolls = 25'000, kDice = 4;
  GameRequest request;
  request.system = "freeform";
  request.spec.scenario = request.name = "duel";
  request.keeping = Keeping::kScribed;
  const OpenGamePtr game = need(diary.referee->create(request));
  EventWriter writer;
  std::uint32_t state = 1;
  for (int i = 0; i < kRolls;) {
    EventList list;
    for (int k = 0; k < 1'000; ++k, ++i) {
      RollRequest asked;
      asked.roller = SideId{0};
      asked.number = static_cast<std::uint64_t>(i);
      asked.purpose = "attack";
      asked.groups = {{RollGroup::kDice, kDice, 6, 5}};
      Rolled rolled;
      rolled.grade = Grade::kImported;
      for (int d = 0; d < kDice; ++d) {
        state = state * 1664525 + 1013904223;
        rolled.values.push_back(1 + (state >> 16) % 6);
      }
      writer.dice_rolled(list, asked, rolled, {});
    }
    std::vector<NewEvent> events;
    for (std::size_t k = 0; k < list.size(); ++k) events.push_back({list.type(k), list[k]});
    const Version version = need(diary.store->branch(game->mainline)).version;
    need(diary.store->append({game->mainline, version, random_id(), events}));
  }
  std::vector<RollRecord> rolls;
  std::uint64_t bytes = 0;
  auto read_all = [&](auto see) {
    need(diary.store->read(game->mainline, 1, UINT64_MAX, [&](const StoredEvent& stored) {
      const auto event = open_event(stored.payload);
      bytes += stored.payload.size();
      if ((*event)->payload_type() == fb::Payload::DiceRolled) see(**event, stored.version);
      return true;
    }));
  };
  const Cost reading = cost_of([&] {
    read_all([&](const fb::Event& e, Version v) { rolls.push_back(read_roll(e, v, 1)); });
  });
  const Cost statistics = cost_of([&] {
    LuckLedger ledger(game->roster());
    for (const RollRecord& roll : rolls) ledger.add(roll);
    if (ledger.rolls() != kRolls) std::abort();
    if (ledger.watches()[0]->dice.summary().dice != kRolls * kDice) std::abort();
  });
  std::printf("%d dice: reading their events %.1f ms, all their statistics %.1f ms (%.2f times)\n",
              kRolls * kDice, reading.cpu, statistics.cpu, statistics.cpu / reading.cpu);
}

}  // namespace
}  // namespace wardiary

int main() {
  if (sodium_init() < 0) return 1;
  wardiary::Diary diary;
  wardiary::bench_audit(diary);
  wardiary::bench_statistics(diary);
  return 0;
}

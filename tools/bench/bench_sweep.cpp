// bench_sweep: orders decided again per second by a sweep on all cores, beside what one thread
// decides on its own in the same run. The sweep also measures every end; wanted: at least 0.8 of
// (cores x the one thread's rate).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "domain/schema/event_generated.h"
#include "eventstore/data_dir.h"
#include "eventstore/rocksdb_store.h"
#include "replay/bot_keeper.h"
#include "replay/sweep_script.h"

namespace {

using namespace wardiary;

double seconds_of(const std::function<void()>& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

// Decides the script's first order so often, with dice of its own each time.
void decide_only(const Script& script, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    SeededChance chance(i, Grade::kBranch);
    const Verdict verdict =
        decide(script.game->game, script.before, script.orders.front().order, chance);
    if (!std::holds_alternative<Accepted>(verdict)) std::abort();
  }
}

int run(const std::string& directory) {
  StoreOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  auto store = open_rocksdb_store(options);
  if (!store) return std::fprintf(stderr, "%s\n", store.error().text.c_str()), 1;
  Library library(**store);
  TimeMachine time(**store, library);
  DiceBox dice(**store, fairdice::Seed(read_master_key(directory)->data));
  Referee referee(**store, library, time, dice, [] { return std::uint64_t{1}; });
  BotOptions bot;
  bot.system = "eastfront";
  bot.spec.scenario = "S41";
  bot.policy = Policy::kGreedy;
  bot.orders_max = 260;
  auto kept = keep_bot_game(referee, **store, time, bot, {});
  if (!kept) return std::fprintf(stderr, "%s\n", kept.error().text.c_str()), 1;
  const BranchId branch = (*library.game(kept->game))->mainline;
  Version roll = 0;
  (void)(*store)->read(branch, 1, (*store)->branch(branch)->version, [&](const StoredEvent& s) {
    const auto* rolled = trusted_event(s.payload)->payload_as_DiceRolled();
    if (rolled && rolled->hits() >= 0) roll = s.version;
    return true;
  });
  auto script = read_script(**store, library, time, branch, roll, Through::kOrder);
  if (!script) return std::fprintf(stderr, "%s\n", script.error().text.c_str()), 1;

  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  SweepRequest request;
  request.branch = branch;
  request.at = roll;
  request.trials = 20'000;
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const double alone = seconds_of([&] { decide_only(*script, request.trials); });
    const double swept = seconds_of([&] { (void)sweep_replay(**store, library, time, request); });
    const double rate = static_cast<double>(request.trials) / alone;
    const double sweep_rate = static_cast<double>(request.trials) / swept;
    const double ratio = sweep_rate / (cores * rate);
    best = std::max(best, ratio);
    std::printf("one thread %.0f orders/s, sweep on %u cores %.0f orders/s, ratio %.2f\n", rate,
                cores, sweep_rate, ratio);
  }
  std::printf("best ratio %.2f (wanted: 0.80)\n", best);
  return 0;
}

}  // namespace

int main() {
  const std::string directory =
      (std::filesystem::temp_directory_path() / "wardiary-bench-sweep").string();
  std::filesystem::remove_all(directory);
  const int code = run(directory);
  std::filesystem::remove_all(directory);
  return code;
}

// bench_eastfront: the rules of EastFront beside what bounds them, in one run.
//   supply   every unit's supply in a Summer 1941 position, beside a plain breadth-first search
//   over
//            the same board for both sides (wanted: within 4 times)
//   game     deciding and applying a whole Summer 1941 game, beside proving its dice (less than 1)
//   legal    listing the legal orders of a decision point, beside deciding one order there (within
//   20)
#include <algorithm>
#include <ctime>
#include <functional>
#include <map>

#include "tools/bench/bench_eastfront.h"

namespace {

using namespace wardiary;
using bench::PlayedGame;

// Of this process: how busy the machine is otherwise does not matter.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(const std::function<void()>& work) {
  const double begun = cpu_seconds();
  work();
  return cpu_seconds() - begun;
}

// The fastest of several runs: what the work itself takes.
double best_of(int runs, const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) best = std::min(best, seconds_of(work));
  return best;
}

std::size_t sink = 0;  // keeps results alive

void measure_supply(const PlayedGame& played) {
  const Position& position = played.steps()[played.steps().size() / 2].before;
  constexpr int kTimes = 500;
  const double search = best_of(15, [&] {
    for (int i = 0; i < kTimes; ++i) {
      for (const int side : {0, 1}) {
        sink += bench::breadth_first(*played.game().board, position, SideId{side});
      }
    }
  });
  const double supply = best_of(15, [&] {
    for (int i = 0; i < kTimes; ++i) {
      sink += played.game().system->supply(played.game(), position).size();
    }
  });
  std::printf("supply  %8.2f us, breadth-first search %8.2f us, ratio %5.2f (wanted 4)\n",
              1e6 * supply / kTimes, 1e6 * search / kTimes, supply / search);
}

void measure_game(const PlayedGame& played) {
  const double rules = best_of(3, [&] {
    for (const PlayedGame::Step& step : played.steps()) {
      sink += played.decide_again(step).clock.phase;
    }
  });
  const double proofs = best_of(3, [&] { sink += bench::prove(played.rolls()); });
  std::printf(
      "game    %8.1f ms for %zu orders, %zu proofs %8.1f ms, ratio %5.2f (wanted below 1)\n",
      1e3 * rules, played.steps().size(), played.rolls(), 1e3 * proofs, rules / proofs);
}

// By decision: what listing costs beside deciding the order that was given there.
void measure_legal(const PlayedGame& played) {
  struct Sum {
    double listing = 0, deciding = 0;
    std::size_t points = 0, orders = 0;
  };
  std::map<std::string, Sum> by_decision;
  Sum all;
  for (std::size_t i = 0; i < played.steps().size(); i += 7) {
    const PlayedGame::Step& step = played.steps()[i];
    std::size_t orders = 0;
    const double listing =
        best_of(3, [&] { orders = played.legal(step.before, step.order.side).size(); });
    const double deciding = best_of(3, [&] { sink += played.decide_again(step).clock.phase; });
    const auto kind = step.before.pending(step.order.side).kind;
    for (Sum* sum : {&all, &by_decision[played.game().roster().decisions[kind]]}) {
      sum->listing += listing;
      sum->deciding += deciding;
      sum->points += 1;
      sum->orders += orders;
    }
  }
  const auto tell = [](const std::string& name, const Sum& sum) {
    const double points = static_cast<double>(sum.points);
    std::printf("  %-14s %5zu points, %7.1f orders, list %8.1f us, decide %7.1f us, ratio %5.1f\n",
                name.c_str(), sum.points, static_cast<double>(sum.orders) / points,
                1e6 * sum.listing / points, 1e6 * sum.deciding / points,
                sum.listing / sum.deciding);
  };
  std::printf("legal   ratio %5.2f (wanted 20)\n", all.listing / all.deciding);
  for (const auto& [name, sum] : by_decision) tell(name, sum);
}

}  // namespace

int main() {
  const PlayedGame played("S41", 1, 100'000);
  measure_supply(played);
  measure_game(played);
  measure_legal(played);
  return sink == 0;
}

// Fixed pieces of work whose instructions are counted under callgrind (tests/instructions_test.py).
// `bench_instructions NAME` prepares the work and does it once inside measured_work(), the only
// part that is counted. Prints the digest of what came out, so that a fast wrong answer fails.
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "domain/base/sha256.h"
#include "domain/event_json.h"
#include "domain/json_writer.h"
#include "domain/position_json.h"
#include "tools/bench/bench_eastfront.h"
#include "tools/bench/bench_game.h"

using namespace wardiary;

namespace {

std::function<void()> work;
std::string outcome;

constexpr std::size_t kEvents = 20'000;

// Enough of a Summer 1941 game to have movement, battles and Production in it, and every so manieth
// decision of it.
constexpr std::size_t kOrders = 250;
constexpr std::size_t kEachPoint = 25;
const bench::PlayedGame& eastfront() {
  static const bench::PlayedGame game("S41", 1, kOrders);
  return game;
}

}  // namespace

extern "C" __attribute__((noinline)) void measured_work() {
  work();
}

int main(int argc, char** argv) {
  const bench::Log log(kEvents);
  Position position(log.roster());
  const std::map<std::string, std::function<void()>, std::less<>> works = {
      {"fold", [&] { position = bench::fold(log, kEvents, false); }},
      {"verify",
       [&] {
         std::size_t good = 0;
         for (std::size_t i = 0; i < kEvents; ++i) good += open_event(log.events()[i]).ok();
         outcome = std::to_string(good);
       }},
      {"revert",
       [&] {
         position = log.end();
         for (std::size_t i = kEvents; i-- > 0;) revert(position, *trusted_event(log.events()[i]));
       }},
      {"encode",
       [&] {
         EventWriter writer;
         EventList out;
         const std::vector<SpaceId> path = {SpaceId{1}, SpaceId{2}, SpaceId{3}};
         for (int i = 0; i < 1'000; ++i) writer.unit_moved(out, UnitId{i % 200}, path, "road");
         outcome = std::to_string(out.size());
       }},
      {"json page",
       [&] {
         JsonWriter writer(outcome);
         writer.begin_array();
         for (std::size_t i = 0; i < 64; ++i) {
           write_event_json(writer, *trusted_event(log.events()[1'000 + i]), i, log.roster());
         }
         writer.end_array();
       }},
      {"position json", [&] { outcome = position_json(log.end(), log.roster()); }},
      {"eastfront supply",
       [&] {
         const auto& game = eastfront().game();
         const auto& middle = eastfront().steps()[eastfront().steps().size() / 2].before;
         for (const UnitSupply& unit : game.system->supply(game, middle)) {
           outcome += unit.status[0];
         }
       }},
      {"eastfront search",
       [&] {
         const auto& middle = eastfront().steps()[eastfront().steps().size() / 2].before;
         std::size_t reached = 0;
         for (const int side : {0, 1}) {
           reached += bench::breadth_first(*eastfront().game().board, middle, SideId{side});
         }
         outcome = std::to_string(reached);
       }},
      {"eastfront game",
       [&] {
         for (const auto& step : eastfront().steps()) position = eastfront().decide_again(step);
       }},
      {"eastfront legal",
       [&] {
         std::size_t orders = 0;
         for (std::size_t i = 0; i < eastfront().steps().size(); i += kEachPoint) {
           const auto& step = eastfront().steps()[i];
           orders += eastfront().legal(step.before, step.order.side).size();
         }
         outcome = std::to_string(orders);
       }},
      {"eastfront answer",
       [&] {
         for (std::size_t i = 0; i < eastfront().steps().size(); i += kEachPoint) {
           position = eastfront().decide_again(eastfront().steps()[i]);
         }
       }},
      {"snapshot",
       [&] {
         const Bytes bytes = log.end().to_bytes();
         position = *Position::from_bytes(log.roster(), bytes);
       }},
  };
  const auto chosen = works.find(argc == 2 ? std::string(argv[1]) : std::string());
  if (chosen == works.end()) {
    for (const auto& [name, unused] : works) std::puts(name.c_str());
    return 2;
  }
  if (chosen->first.starts_with("eastfront")) (void)eastfront();  // played before it is measured
  work = chosen->second;
  measured_work();
  std::printf("%s\n", to_hex(sha256(bytes_of(outcome + to_hex(position.digest())))).c_str());
  return 0;
}

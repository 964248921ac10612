// Re-plays: the same orders, fresh dice, many times, on every core.
#include <algorithm>
#include <mutex>
#include <thread>

#include "replay/bot.h"
#include "replay/sweep_script.h"

namespace wardiary {
namespace {

// Each trial has a seed of its own, so that it does not matter which thread plays it.
std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t trial) {
  return Generator(seed ^ (trial + 1) * 0xD1B54A32D192ED03u).next();
}

bool before_clock(const Clock& a, const Clock& b) {
  return a.turn != b.turn ? a.turn < b.turn : a.phase < b.phase;
}

// One way a stretch may go.
class Trial {
 public:
  enum class End : std::uint8_t { kFollowed, kDeparted, kUnfinished };

  Trial(const Script& script, Through through, std::uint64_t seed)
      : script_(script),
        game_(script.game->game),
        through_(through),
        chance_(seed, Grade::kBranch),
        generator_(seed),
        position_(script.before),
        decisions_left_(64 + 2 * script.orders.size()) {}

  End play() {
    for (const ScriptedOrder& next : script_.orders) {
      if (!follow(next)) return End::kUnfinished;
    }
    // The stretch ends where it really did: when time has gone as far.
    while (through_ != Through::kOrder && !position_.over && still_inside()) {
      if (!improvise()) return End::kUnfinished;
    }
    return departed_ ? End::kDeparted : End::kFollowed;
  }
  const Position& position() const { return position_; }

 private:
  bool still_inside() const {
    const Clock& began = script_.before.clock;
    const Clock& ended = script_.after.clock;
    if (script_.after.over) return position_.clock.turn == began.turn;
    if (ended == began || (through_ == Through::kTurn && ended.turn == began.turn)) {
      return false;  // the line itself ends inside it
    }
    return through_ == Through::kTurn ? position_.clock.turn == began.turn
                                      : position_.clock == began;
  }
  bool give(const Order& order) {
    Verdict verdict = decide(game_, position_, order, chance_);
    auto* accepted = std::get_if<Accepted>(&verdict);
    if (!accepted) return false;
    position_ = std::move(accepted->position);
    return true;
  }
  // Gives the order if it still makes sense. False if the trial cannot go on at all.
  bool follow(const ScriptedOrder& next) {
    while (!position_.over) {
      const bool asked = position_.pending(next.order.side).kind == next.question.kind;
      if (asked && give(next.order)) return true;
      departed_ = true;
      // Asked the same and refused, or time has gone past it: the order is left out.
      if (asked || before_clock(next.clock, position_.clock)) return true;
      if (!improvise()) return false;
    }
    departed_ = true;
    return true;
  }
  // Answers a question that nobody is on record for, as the rule system prefers.
  bool improvise() {
    departed_ = true;
    if (decisions_left_-- == 0) return false;
    std::vector<Order> orders;
    const std::size_t sides = game_.roster().sides.size();
    for (std::size_t s = 0; s < sides && orders.empty(); ++s) {
      const SideId side{static_cast<int>(s)};
      if (position_.pending(side).kind == 0) continue;
      game_.system->legal_orders(game_, position_, side, [&](const Order& order) {
        orders.push_back(order);
        return orders.size() < Bot::kChoicesMax;
      });
    }
    if (orders.empty()) return false;
    const std::size_t picked = game_.system->prefer(
        game_, position_, orders, [&](std::uint32_t n) { return generator_.below(n); });
    return picked < orders.size() && give(orders[picked]);
  }

  const Script& script_;
  const Game& game_;
  const Through through_;
  SeededChance chance_;
  Generator generator_;
  Position position_;
  std::size_t decisions_left_;
  bool departed_ = false;
};

struct Tally {
  std::vector<Spread> spreads;
  std::uint64_t trials = 0, departed = 0, unfinished = 0;

  void add(const Tally& other) {
    for (std::size_t i = 0; i < spreads.size(); ++i) spreads[i].add(other.spreads[i]);
    trials += other.trials;
    departed += other.departed;
    unfinished += other.unfinished;
  }
};

class Player {
 public:
  Player(const Script& script, const SweepRequest& request, const std::atomic<bool>* cancel)
      : script_(script),
        request_(request),
        cancel_(cancel),
        gauge_(script.game->game, script.before),
        measures_(gauge_.measures(script.after)) {}

  Sweep run(unsigned threads, const SweepProgress& progress) {
    total_.spreads.resize(measures_.size());
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back([this] { work({}); });
    work(progress);
    others.clear();  // joins
    Sweep out;
    out.kind = Sweep::Kind::kReplay;
    out.first = script_.first;
    out.last = script_.last;
    out.orders = script_.orders.size();
    out.measures = std::move(measures_);
    for (std::size_t i = 0; i < out.measures.size(); ++i) {
      out.measures[i].spread = std::move(total_.spreads[i]);
    }
    out.seed = request_.seed;
    out.trials = total_.trials;
    out.departed = total_.departed;
    out.unfinished = total_.unfinished;
    out.complete = total_.trials == request_.trials;
    return out;
  }

 private:
  // A few trials at a time, so that threads seldom meet and a cancel is soon seen.
  static constexpr std::uint64_t kBatch = 16;

  void work(const SweepProgress& progress) {
    Tally mine;
    mine.spreads.resize(measures_.size());
    std::vector<std::int64_t> values;
    while (!cancel_ || !cancel_->load(std::memory_order_relaxed)) {
      const std::uint64_t first = next_.fetch_add(kBatch, std::memory_order_relaxed);
      if (first >= request_.trials) break;
      const std::uint64_t end = std::min(first + kBatch, request_.trials);
      for (std::uint64_t trial = first; trial < end; ++trial) play(trial, mine, values);
      const std::uint64_t done = done_.fetch_add(end - first, std::memory_order_relaxed);
      if (progress) progress(done + end - first, request_.trials);
    }
    std::lock_guard lock(mutex_);
    total_.add(mine);
  }
  void play(std::uint64_t number, Tally& tally, std::vector<std::int64_t>& values) const {
    Trial trial(script_, request_.through, trial_seed(request_.seed, number));
    const Trial::End end = trial.play();
    ++tally.trials;
    tally.departed += end == Trial::End::kDeparted;
    if (end == Trial::End::kUnfinished) {
      ++tally.unfinished;
      return;
    }
    gauge_.read(trial.position(), values);
    for (std::size_t i = 0; i < values.size(); ++i) tally.spreads[i].add(values[i]);
  }

  const Script& script_;
  const SweepRequest& request_;
  const std::atomic<bool>* cancel_;
  const Gauge gauge_;
  std::vector<SweepMeasure> measures_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  Tally total_;
};

}  // namespace

Result<Sweep> sweep_replay(EventStore& store, Library& library, TimeMachine& time,
                           const SweepRequest& request, const SweepProgress& progress,
                           const std::atomic<bool>* cancel) {
  if (request.trials == 0 || request.trials > SweepLimits::kTrialsMax) {
    return Error{ErrorCode::kLimit,
                 "trials: must be from 1 to " + std::to_string(SweepLimits::kTrialsMax)};
  }
  auto script = read_script(store, library, time, request.branch, request.at, request.through);
  if (!script) return std::move(script).error();
  const unsigned wanted =
      request.threads ? request.threads : std::max(1u, std::thread::hardware_concurrency());
  const unsigned threads = std::min(wanted, SweepLimits::kThreadsMax);
  return Player(*script, request, cancel).run(threads, progress);
}

}  // namespace wardiary

// "How likely was that": one roll played through every outcome it could have had, or a stretch of a
// line - one order, a phase, a turn - played again many times with fresh dice by the same orders.
// Everything happens in memory on a copy of the position; the store is only read.
//
// What comes out tells of hidden pieces: callers show it to the referee, or of games that are over.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "replay/time_machine.h"

namespace wardiary {

struct SweepLimits {
  static constexpr std::uint64_t kTrialsMax = 10'000'000;
  static constexpr std::uint64_t kOutcomesMax = 50'000;  // of one roll, each decided once
  static constexpr std::size_t kStretchEventsMax = 100'000;
  static constexpr unsigned kThreadsMax = 64;
  static constexpr std::size_t kRowsMax = 1'000;  // different outcomes that are listed
};

// How often each value came up. Counts are whole numbers, so that the order in which threads finish
// changes nothing.
class Spread {
 public:
  void add(std::int64_t value, std::uint64_t ways = 1) { counts_[value] += ways, total_ += ways; }
  void add(const Spread& other);

  std::uint64_t total() const { return total_; }
  const std::map<std::int64_t, std::uint64_t>& counts() const { return counts_; }
  double mean() const;
  double deviation() const;  // standard deviation
  // Shares of everything that came up.
  double below(std::int64_t value) const;
  double exactly(std::int64_t value) const;
  double above(std::int64_t value) const;
  bool operator==(const Spread&) const = default;

 private:
  std::map<std::int64_t, std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

// One thing that is measured at the end of a stretch.
struct SweepMeasure {
  enum class Kind : std::uint8_t {
    kLosses,   // steps that units lost since the beginning
    kControl,  // spaces controlled
    kScore,
  };
  Kind kind = Kind::kLosses;
  SideId side;
  Spread spread;
  std::int64_t real = 0;  // what really came out
  bool operator==(const SweepMeasure&) const = default;
};

// Different ends of one roll.
struct SweepOutcome {
  std::vector<std::uint32_t> faces;  // one of the rolls that lead here
  std::string result;                // what the rules call it
  std::int32_t hits = -1;
  std::uint64_t ways = 0;
  std::vector<std::int64_t> values;  // as the measures stand in the sweep
  bool real = false;                 // what really came out
};

struct Sweep {
  enum class Kind : std::uint8_t { kRoll, kReplay };
  Kind kind = Kind::kReplay;
  Version first = 0;  // the stretch: its first and last event
  Version last = 0;
  std::uint64_t orders = 0;  // on record in the stretch
  std::vector<SweepMeasure> measures;
  bool complete = true;  // not cancelled

  // kRoll: `ways` of `total` are exact. Where there are too many rolls for one by one, dice that
  // the rules count alike are taken together.
  enum class Method : std::uint8_t { kEveryRoll, kEveryCombination, kEveryNumberOfHits };
  Method method = Method::kEveryRoll;
  Version roll = 0;
  std::uint64_t total = 0;
  std::uint64_t later_rolls = 0;  // of the same order: they keep their faces where they still occur
  std::uint64_t refused = 0;      // ways in which the order cannot be decided at all
  std::vector<SweepOutcome> outcomes;  // most likely first
  bool all_outcomes = true;            // not cut at kRowsMax

  // kReplay
  std::uint64_t seed = 0;
  std::uint64_t trials = 0;      // that were played
  std::uint64_t departed = 0;    // of these, with decisions that nobody is on record for
  std::uint64_t unfinished = 0;  // that did not come to the stretch's end; they are not measured
};

// How far a re-play goes from the order it begins with.
enum class Through : std::uint8_t { kOrder, kPhase, kTurn };

struct SweepRequest {
  BranchId branch;
  Version at = 0;  // any event of the order; for phases and turns, any event in it
  Through through = Through::kOrder;
  std::uint64_t trials = 10'000;
  std::uint64_t seed = 1;
  unsigned threads = 0;  // 0: one per core; the answer does not depend on it
};

// Called from the caller's own thread now and then. `cancel` stops the work soon after it is set;
// what was done until then is the answer, and `complete` says so.
using SweepProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// The roll that stands at version `roll`, played through every outcome, the order's other rolls as
// recorded. kInvalid if it is no roll of an order; kLimit if it has too many outcomes.
Result<Sweep> sweep_roll(EventStore& store, Library& library, TimeMachine& time,
                         const BranchId& branch, Version roll, const SweepProgress& progress = {},
                         const std::atomic<bool>* cancel = nullptr);

// The stretch around `at`, played again. A trial follows the recorded orders as long as the rules
// take them; where its dice lead elsewhere, decisions that nobody is on record for are taken as the
// rule system prefers, and orders that make no sense any more are left out. Such trials are
// counted.
Result<Sweep> sweep_replay(EventStore& store, Library& library, TimeMachine& time,
                           const SweepRequest& request, const SweepProgress& progress = {},
                           const std::atomic<bool>* cancel = nullptr);

std::string_view name_of(SweepMeasure::Kind kind);  // "losses", "control", "score"
// `wardiary-sweep/1`.
nlohmann::json sweep_json(const Sweep& sweep, const Roster& roster);
std::string sweep_text(const Sweep& sweep, const Roster& roster);

}  // namespace wardiary

// The turn and phase index of a branch: for each phase which events belong to it and what they came
// to: orders, losses by side and type, control, supply, score by term, luck. A fold: stepping over
// one event costs constant time (supply and score are asked of the rules once per phase), it can be
// taken up again where it was left, and building it again gives the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "domain/event.h"
#include "domain/rule_system.h"
#include "projections/luck_ledger.h"
#include "projections/view.h"

namespace wardiary {

struct TimelinePhase {
  struct Supply {  // a unit whose supply is another at the end than it was at the beginning
    UnitId unit;
    std::string from, to;  // empty: it was not on the board
    bool operator==(const Supply&) const = default;
  };
  struct Score {
    SideId side;
    std::string term;
    std::int32_t value = 0;
    bool operator==(const Score&) const = default;
  };
  struct Luck {
    SideId side;
    bool proven = false;
    RollUnit unit = RollUnit::kNone;
    std::uint32_t rolls = 0;
    double actual = 0, expected = 0, variance = 0;
    bool operator==(const Luck&) const = default;
  };

  Clock clock;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint32_t rolls = 0;
  std::uint32_t control_changes = 0;
  std::vector<std::uint32_t> orders;                        // by side
  std::vector<std::map<std::string, std::int32_t>> losses;  // steps lost, by side and type
  std::vector<std::int32_t> gained;                         // spaces, by side; less those lost
  std::vector<std::int32_t> strength;  // steps on the board at its end, by side; -1 not to be seen
  std::vector<std::uint64_t> battles;  // versions of rolls with hits, for marks
  // At its end. Supply lists what the phase changed, and how many units have which status.
  std::vector<Supply> supply_changes;
  std::vector<std::map<std::string, std::uint32_t>>
      supply;                // by side: how many units of each status
  std::vector<Score> score;  // nothing where it may not be seen
  std::vector<Luck> luck;
  bool operator==(const TimelinePhase&) const = default;

  std::uint32_t order_count() const;
  std::int32_t loss(SideId side) const;
  std::int64_t score_of(SideId side) const;
};

class Timeline {
 public:
  // Both must live as long as the timeline.
  Timeline(const Game& game, const View& view);

  // Goes on with a phase that was left: it, the position before its first event, and after its
  // last.
  void resume(TimelinePhase open, const Position& before, const Position& now);
  // Begins in the middle of a game, with the event after `before`.
  void begin_at(const Position& before) { at_end_ = statuses(before); }
  void step(std::uint64_t version, const fb::Event& event, const Position& before,
            const Position& after);
  // Works out supply, score and strength of the phase that is still open. Stepping may go on.
  void finish(const Position& now);

  const std::vector<TimelinePhase>& phases() const { return phases_; }

 private:
  struct UnitStatus {
    std::string status;  // empty: not on the board, or not to be seen
    SideId side;
  };
  void begin_phase(std::uint64_t version, const Position& after);
  void count_change(const Position& before, const Position& after, UnitId unit, bool seen);
  void count_control(std::int16_t from, std::int16_t to);
  void count_roll(const fb::Event& event, std::uint64_t version);
  std::vector<UnitStatus> statuses(const Position& position) const;
  std::vector<std::int32_t> strengths(const Position& position) const;

  const Game& game_;
  const View& view_;
  int control_attribute_;
  std::vector<TimelinePhase> phases_;
  std::vector<UnitStatus> at_beginning_;  // supply when the open phase began
  std::vector<UnitStatus> at_end_;        // and when it was finished last
};

// One phase as the API shows it, and back. kCorrupt for what phase_json did not write.
nlohmann::json phase_json(const TimelinePhase& phase, const Roster& roster);
Result<TimelinePhase> read_phase(const nlohmann::json& phase, const Roster& roster);

}  // namespace wardiary

// What a sweep plays: a stretch of a line as its orders, with the position before and after it.
#pragma once

#include "replay/sweep.h"

namespace wardiary {

// One order on record, and what its side was asked when it gave it.
struct ScriptedOrder {
  Version version = 0;
  Order order;
  Question question;
  Clock clock;
};

struct Script {
  OpenGamePtr game;
  Version first = 0, last = 0;
  Position before, after;
  std::vector<ScriptedOrder> orders;
  EventList events;  // of the whole stretch, from `first`
};

// The stretch around `at`. kInvalid where it holds facts that no order led to: they cannot be
// played again.
Result<Script> read_script(EventStore& store, Library& library, TimeMachine& time,
                           const BranchId& branch, Version at, Through through);

// Reads positions: losses, control and score by side.
class Gauge {
 public:
  Gauge(const Game& game, const Position& before);
  // The measures, empty but for what really came out.
  std::vector<SweepMeasure> measures(const Position& real) const;
  // What a position comes to, in the order of the measures.
  void read(const Position& position, std::vector<std::int64_t>& out) const;

 private:
  const Game& game_;
  int control_;                         // the space attribute, -1 if there is none
  std::vector<std::int16_t> strength_;  // of each unit at the beginning
  std::vector<SideId> side_;
};

}  // namespace wardiary

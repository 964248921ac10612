// A game for the benchmarks: two hundred units on a board of twenty by twenty, and a log of as many
// random events as wanted, always the same ones.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "domain/apply.h"
#include "domain/event.h"
#include "domain/position.h"

namespace wardiary::bench {

constexpr int kWidth = 20;
constexpr int kUnits = 200;
constexpr int kStrength = 1;  // unit attribute

inline Roster bench_roster() {
  Roster r;
  r.sides = {"red", "blue"};
  r.phases = {"move", "fight", "supply"};
  r.decisions = {"none", "move"};
  for (int s = 0; s < kWidth * kWidth; ++s) r.spaces.push_back("s" + std::to_string(s));
  for (int u = 0; u < kUnits; ++u) {
    r.units.push_back({"unit " + std::to_string(u), "", "infantry", SideId{u % 2}});
  }
  r.unit_attributes = {{"side", ValueKind::kSide, -1, {}}, {"strength", ValueKind::kNumber, 4, {}}};
  r.space_attributes = {{"control", ValueKind::kSide, -1, {}}};
  for (int t = 0; t < 8; ++t)
    r.tracks.push_back({"track " + std::to_string(t), ValueKind::kNumber, 0, {}});
  if (!r.finish()) std::abort();
  return r;
}

// A small generator of our own, so that the events are the same on every machine.
class Random {
 public:
  std::uint32_t below(std::uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_ = 2026;
};

// Events and the position they lead to. Of ten events six move, two change a unit, one a space, one
// a track; every 64th begins a phase.
class Log {
 public:
  explicit Log(std::size_t count) : roster_(bench_roster()), end_(roster_) {
    EventWriter writer;
    Random random;
    for (int u = 0; u < kUnits; ++u) {
      writer.unit_placed(events_, UnitId{u}, SpaceId{static_cast<int>(random.below(400))}, {});
      step();
    }
    while (events_.size() < count) {
      add(writer, random);
      step();
    }
  }
  const Roster& roster() const { return roster_; }
  const EventList& events() const { return events_; }
  const Position& end() const { return end_; }
  std::size_t bytes() const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < events_.size(); ++i) n += events_[i].size();
    return n;
  }

 private:
  void step() {
    const ByteView last = events_[events_.size() - 1];
    if (apply(end_, *trusted_event(last)) != Fault::kNone) std::abort();
  }
  void add(EventWriter& writer, Random& random) {
    const UnitId unit{static_cast<int>(random.below(kUnits))};
    const SpaceId space{static_cast<int>(random.below(400))};
    if (events_.size() % 64 == 0) {
      Clock to = end_.clock;
      to.turn = static_cast<std::int16_t>(1 + (to.turn + 1) % 1'000);
      to.phase = static_cast<std::uint8_t>((to.phase + 1) % 3);
      return writer.phase_began(events_, end_.clock, to, Hash{});
    }
    switch (random.below(10)) {
      case 0: {
        const std::int16_t from = end_.get(space, 0);
        return writer.space_changed(events_, space,
                                    {0, from, static_cast<std::int16_t>(1 - (from == 1))});
      }
      case 1: {
        const TrackId track{static_cast<int>(random.below(8))};
        const std::int32_t from = end_.get(track);
        return writer.track_changed(events_, track, from, from + 1);
      }
      case 2:
      case 3: {
        const std::int16_t from = end_.get(unit, kStrength);
        const auto to = static_cast<std::int16_t>(from > 1 ? from - 1 : 4);
        return writer.unit_changed(events_, unit, {kStrength, from, to});
      }
      default:
        return move(writer, random, unit);
    }
  }
  // One to four steps to spaces with the next numbers.
  void move(EventWriter& writer, Random& random, UnitId unit) {
    std::vector<SpaceId> path{end_.at(unit)};
    const std::uint32_t steps = 1 + random.below(4);
    for (std::uint32_t i = 0; i < steps; ++i)
      path.push_back(SpaceId{(path.back().value + 1) % 400});
    writer.unit_moved(events_, unit, path, "");
  }

  Roster roster_;
  EventList events_;
  Position end_;
};

// Folds events [0, count) onto an empty position; stops the program at the first that does not fit.
inline Position fold(const Log& log, std::size_t count, bool verify) {
  Position position(log.roster());
  for (std::size_t i = 0; i < count; ++i) {
    const ByteView bytes = log.events()[i];
    const fb::Event* event = verify ? *open_event(bytes) : trusted_event(bytes);
    if (apply(position, *event) != Fault::kNone) std::abort();
  }
  return position;
}

}  // namespace wardiary::bench

// A position: everything that is true of a game after some event, as flat arrays of small integers.
// It is a value: cheap to copy, compare, hash and store. It knows no rules; what the numbers mean is
// in the roster, what may be done with them in the rule system.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/ids.h"
#include "domain/roster.h"

namespace wardiary {

struct Clock {
  std::int16_t turn = 0;    // 0 = not begun
  std::uint8_t phase = 0;   // index into the roster's phases
  std::int8_t side = -1;    // the active side, -1 none
  bool operator==(const Clock&) const = default;
  SideId active() const { return SideId{side}; }
};

// What a side must decide next, and what it is about. kind 0 = nothing.
struct Question {
  std::uint8_t kind = 0;
  std::int16_t space = -1;
  std::int16_t unit = -1;
  std::int32_t number = 0;
  bool operator==(const Question&) const = default;
};

// How many of everything a position has; the offsets of its arrays follow from it.
struct Shape {
  std::uint32_t units = 0, unit_attributes = 0;
  std::uint32_t spaces = 0, space_attributes = 0;
  std::uint32_t links = 0, link_attributes = 0;
  std::uint32_t pool_cells = 0, tracks = 0, sides = 0;
  std::uint32_t phases = 0, decisions = 0;  // how many there are; a position has no array of them
  bool operator==(const Shape&) const = default;

  std::size_t unit_values() const { return units; }
  std::size_t space_values() const { return unit_values() + units * std::size_t{unit_attributes}; }
  std::size_t link_values() const { return space_values() + spaces * std::size_t{space_attributes}; }
  std::size_t pool_values() const { return link_values() + links * std::size_t{link_attributes}; }
  std::size_t cells() const { return pool_values() + pool_cells; }
};

// What the values of each attribute may be, so that none names a unit, space or side that is not
// there. One table for all positions of a game.
struct ValueRanges {
  std::vector<ValueRange> units, spaces, links, tracks;
};

class Position {
 public:
  Position() = default;
  // As a game stands right after GameCreated: no unit on the board, every value at its initial.
  explicit Position(const Roster& roster);

  // The same to every rule: equal values. (`begun` follows from the log, not from the values.)
  bool operator==(const Position& other) const;
  const Shape& shape() const { return shape_; }
  const ValueRanges& ranges() const { return *ranges_; }

  // GameCreated has been applied; there is no second one.
  bool begun = false;

  // --- time and decisions
  Clock clock;
  bool over = false;
  std::int8_t winner = -1;
  const Question& pending(SideId side) const { return pending_[side.index()]; }
  Question& pending(SideId side) { return pending_[side.index()]; }
  bool anyone_must_decide() const;
  // How many rolls a side has made so far, i.e. the number of its next one. Never goes back, not
  // even by a take-back: a roll number has one outcome. kNoSide counts the rolls of nobody.
  std::uint32_t rolls(SideId roller) const { return rolls_[roll_index(roller)]; }
  void set_rolls(SideId roller, std::uint32_t count) { rolls_[roll_index(roller)] = count; }

  // --- units
  std::size_t unit_count() const { return shape_.units; }
  SpaceId at(UnitId unit) const { return SpaceId{cells_[unit.index()]}; }
  bool on_board(UnitId unit) const { return cells_[unit.index()] >= 0; }
  SideId side(UnitId unit) const { return SideId{get(unit, Roster::kSideAttribute)}; }
  std::int16_t get(UnitId unit, int attribute) const { return cells_[cell(unit, attribute)]; }
  // All units in a space, in roster order.
  std::vector<UnitId> units_in(SpaceId space) const;
  bool any_unit_in(SpaceId space, SideId side) const;

  // --- spaces, links, tracks, pools
  std::size_t space_count() const { return shape_.spaces; }
  std::int16_t get(SpaceId space, int attribute) const { return cells_[cell(space, attribute)]; }
  std::int16_t get(LinkId link, int attribute) const { return cells_[cell(link, attribute)]; }
  std::int32_t get(TrackId track) const { return tracks_[track.index()]; }
  std::int16_t pool_cell(std::size_t cell) const { return cells_[shape_.pool_values() + cell]; }

  // --- changing it: for apply() and loaders only; rules change positions through a Draft
  void set_at(UnitId unit, SpaceId space) { cells_[unit.index()] = space.value; }
  void set(UnitId unit, int attribute, std::int16_t v) { cells_[cell(unit, attribute)] = v; }
  void set(SpaceId space, int attribute, std::int16_t v) { cells_[cell(space, attribute)] = v; }
  void set(LinkId link, int attribute, std::int16_t v) { cells_[cell(link, attribute)] = v; }
  void set(TrackId track, std::int32_t v) { tracks_[track.index()] = v; }
  void set_pool_cell(std::size_t cell, std::int16_t v) { cells_[shape_.pool_values() + cell] = v; }

  // --- identity and storage
  // SHA-256 over a canonical form: equal positions have equal digests on every machine.
  Hash digest() const;
  // The canonical form itself (a snapshot), and back; kCorrupt if it does not fit the roster.
  Bytes to_bytes() const;
  static Result<Position> from_bytes(const Roster& roster, ByteView bytes);
  std::size_t memory_bytes() const;

 private:
  bool names_only_what_exists() const;
  std::size_t roll_index(SideId roller) const { return roller.ok() ? roller.index() : shape_.sides; }
  std::size_t cell(UnitId unit, int attribute) const {
    return shape_.unit_values() + unit.index() * shape_.unit_attributes +
           static_cast<std::size_t>(attribute);
  }
  std::size_t cell(SpaceId space, int attribute) const {
    return shape_.space_values() + space.index() * shape_.space_attributes +
           static_cast<std::size_t>(attribute);
  }
  std::size_t cell(LinkId link, int attribute) const {
    return shape_.link_values() + link.index() * shape_.link_attributes +
           static_cast<std::size_t>(attribute);
  }

  Shape shape_;
  std::shared_ptr<const ValueRanges> ranges_;
  std::vector<std::int16_t> cells_;  // unit places, unit, space and link values, pool counts
  std::vector<std::int32_t> tracks_;
  std::vector<Question> pending_;     // per side
  std::vector<std::uint32_t> rolls_;  // per side, and one for nobody
};

}  // namespace wardiary

// What an event is about: the units, spaces and tracks it touches. Histories and "why" are filters
// on a branch's events by these.
#pragma once

#include <functional>

#include "domain/event.h"

namespace wardiary {

// Whether a commit begins with this event: when it was recorded stands on a commit's first event
// only.
bool begins_commit(const fb::Event& event);

// Something that has a history. The clock is changed by phases that begin and by the game's end.
struct Thing {
  enum class Kind : std::uint8_t { kUnit, kSpace, kTrack, kClock };
  Kind kind = Kind::kClock;
  std::int16_t index = 0;
  auto operator<=>(const Thing&) const = default;

  static Thing of(UnitId unit) { return {Kind::kUnit, unit.value}; }
  static Thing of(SpaceId space) { return {Kind::kSpace, space.value}; }
  static Thing of(TrackId track) { return {Kind::kTrack, track.value}; }
  static Thing clock() { return {}; }
};

// Calls `see` with everything the event touches, possibly twice. A unit moving into, out of or
// through a space touches it; so does a roll about it.
void each_thing(const fb::Event& event, const std::function<void(Thing)>& see);
bool touches(const fb::Event& event, Thing thing);

bool touches_unit(const fb::Event& event, UnitId unit);
bool touches_space(const fb::Event& event, SpaceId space);
bool touches_track(const fb::Event& event, TrackId track);

// Whether the event changed this value of a unit (attribute -1: its place).
bool changes_unit(const fb::Event& event, UnitId unit, int attribute);
// Whether it changed this value of a space (-1: any of them).
bool changes_space(const fb::Event& event, SpaceId space, int attribute);

}  // namespace wardiary

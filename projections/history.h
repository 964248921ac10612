// What an event is about: the units, spaces and tracks it touches. Histories and "why" are filters on
// a branch's events by these.
#pragma once

#include "domain/event.h"

namespace wardiary {

bool touches_unit(const fb::Event& event, UnitId unit);
// A unit moving into, out of or through a space touches it; so does a roll about it.
bool touches_space(const fb::Event& event, SpaceId space);
bool touches_track(const fb::Event& event, TrackId track);

// Whether the event changed this value of a unit (attribute -1: its place).
bool changes_unit(const fb::Event& event, UnitId unit, int attribute);
bool changes_space(const fb::Event& event, SpaceId space, int attribute);

}  // namespace wardiary

// What a viewer may see. Everything that leaves the service goes through a View, which knows the
// game's own rules of sight and writes positions and events with the rest left out: server-side, so
// that nothing hidden ever travels.
//
// Units that are seen but not known appear as "?soviet@1515": of that side, in that space. The name
// says nothing about which unit it is, and means nothing beyond the one answer it stands in.
#pragma once

#include <string>

#include "domain/event.h"
#include "domain/rule_system.h"

namespace wardiary {

class JsonWriter;

class View {
 public:
  View(const Game& game, const Viewer& viewer) : game_(game), viewer_(viewer) {}

  const Viewer& viewer() const { return viewer_; }
  bool sees_everything() const { return viewer_.kind == Viewer::Kind::kReferee; }

  // `wardiary-position/1` of what can be seen.
  void write_position(JsonWriter& out, const Position& position) const;
  // The event as far as it can be seen; {"version":7,"type":"Hidden"} if not at all. Orders are
  // written in the system's own words. `before` and `after` are the positions around it.
  void write_event(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                   const Position& before, const Position& after) const;
  bool sees_event(const fb::Event& event, const Position& before, const Position& after) const;
  bool sees_unit(const Position& position, UnitId unit) const;
  bool sees_score(const Position& position) const;
  bool sees_track(const Position& position, TrackId track) const;
  // Whether it sees the value at one of the two positions at least, as around an event.
  bool sees_value(const Position& before, const Position& after, UnitId unit, int attribute) const;

 private:
  UnitSight sight(const Position& before, const Position& after, UnitId unit) const;
  std::string token(const Position& position, UnitId unit) const;
  void write_unit_event(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                        const Position& before, const Position& after, UnitId unit) const;
  void write_order(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                   const Position& before) const;

  const Game& game_;
  Viewer viewer_;
};

}  // namespace wardiary

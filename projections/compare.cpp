#include "projections/compare.h"

#include "domain/event_json.h"
#include "domain/json_writer.h"

namespace wardiary {

Difference difference(const Position& a, const Position& b) {
  Difference out;
  for (std::size_t u = 0; u < a.unit_count(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    UnitDifference d{unit, a.at(unit), b.at(unit), {}};
    for (std::uint32_t k = 0; k < a.shape().unit_attributes; ++k) {
      const int attribute = static_cast<int>(k);
      const auto from = a.get(unit, attribute);
      const auto to = b.get(unit, attribute);
      if (from != to) d.changes.push_back({attribute, from, to});
    }
    if (d.from != d.to || !d.changes.empty()) out.units.push_back(std::move(d));
  }
  for (std::size_t s = 0; s < a.space_count(); ++s) {
    const SpaceId space{static_cast<int>(s)};
    for (std::uint32_t k = 0; k < a.shape().space_attributes; ++k) {
      const int attribute = static_cast<int>(k);
      const auto from = a.get(space, attribute);
      const auto to = b.get(space, attribute);
      if (from != to) out.spaces.push_back({space, {attribute, from, to}});
    }
  }
  for (std::size_t t = 0; t < a.shape().tracks; ++t) {
    const TrackId track{static_cast<int>(t)};
    if (a.get(track) != b.get(track)) out.tracks.push_back({track, a.get(track), b.get(track)});
  }
  return out;
}

namespace {

void write_change(JsonWriter& out, const std::vector<Attribute>& attributes,
                  const AttributeChange& change, const Roster& roster) {
  const Attribute& attribute = attributes[static_cast<std::size_t>(change.attribute)];
  out.member("attribute", attribute.name);
  out.key("from");
  write_value(out, attribute, change.from, roster);
  out.key("to");
  write_value(out, attribute, change.to, roster);
}

void write_place(JsonWriter& out, std::string_view key, SpaceId space, const Roster& roster) {
  out.key(key);
  if (space.ok()) {
    out.text(roster.spaces[space.index()]);
  } else {
    out.null();
  }
}

}  // namespace

void write_difference(JsonWriter& out, const Difference& d, const Position& a, const Position& b,
                      const Game& game, const View& view) {
  const Roster& roster = game.roster();
  out.begin_object().key("units").begin_array();
  for (const UnitDifference& unit : d.units) {
    // A unit that is hidden at either point could be followed through the other.
    if (!view.sees_unit(a, unit.unit) || !view.sees_unit(b, unit.unit)) continue;
    out.begin_object().member("unit", roster.units[unit.unit.index()].name);
    write_place(out, "from", unit.from, roster);
    write_place(out, "to", unit.to, roster);
    out.key("changes").begin_array();
    for (const AttributeChange& change : unit.changes) {
      if (!view.sees_value(a, b, unit.unit, change.attribute)) continue;
      out.begin_object();
      write_change(out, roster.unit_attributes, change, roster);
      out.end_object();
    }
    out.end_array().end_object();
  }
  out.end_array().key("spaces").begin_array();
  for (const SpaceDifference& space : d.spaces) {
    out.begin_object().member("space", roster.spaces[space.space.index()]);
    write_change(out, roster.space_attributes, space.change, roster);
    out.end_object();
  }
  out.end_array().key("tracks").begin_array();
  for (const TrackDifference& track : d.tracks) {
    if (!view.sees_track(b, track.track)) continue;
    out.begin_object().member("track", roster.tracks[track.track.index()].name);
    out.key("from");
    write_value(out, roster.tracks[track.track.index()], track.from, roster);
    out.key("to");
    write_value(out, roster.tracks[track.track.index()], track.to, roster);
    out.end_object();
  }
  out.end_array().end_object();
}

}  // namespace wardiary

#include "projections/readings.h"

#include <map>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_writer.h"

namespace wardiary {

using nlohmann::json;

namespace {

json unit_name(const Game& game, UnitId unit) {
  return game.roster().units[unit.index()].name;
}
json space_name(const Game& game, SpaceId space) {
  return space ? json(game.roster().spaces[space.index()]) : json();
}
// What people call the space, if the board has a name for it.
json place_name(const Game& game, SpaceId space) {
  const bool named = space && game.board && !game.board->space(space).name.empty();
  return named ? json(game.board->space(space).name) : json();
}
json side_name(const Game& game, SideId side) {
  return side ? json(game.roster().sides[side.index()]) : json();
}
json list_of(const Game& game, const std::vector<SpaceId>& spaces) {
  json out = json::array();
  for (SpaceId space : spaces) out.push_back(space_name(game, space));
  return out;
}

// The supply of a unit one does not know would tell it from its neighbours: left out.
json supply_rows(const Game& game, const Position& position, const View& view) {
  json out = json::array();
  if (!game.system) return out;
  for (const UnitSupply& supply : game.system->supply(game, position)) {
    if (!view.sees_unit(position, supply.unit)) continue;
    json row = {{"unit", unit_name(game, supply.unit)},
                {"side", side_name(game, position.side(supply.unit))},
                {"at", space_name(game, position.at(supply.unit))},
                {"status", supply.status},
                {"path", list_of(game, supply.path)}};
    if (!supply.reason.empty()) row["reason"] = supply.reason;
    out.push_back(std::move(row));
  }
  return out;
}

json score_rows(const Game& game, const Position& position, const View& view) {
  json out = json::array();
  if (!game.system || !view.sees_score(position)) return out;
  std::map<SideId, std::int64_t> totals;
  for (const ScoreTerm& term : game.system->score(game, position)) {
    totals[term.side] += term.value;
    out.push_back({{"side", side_name(game, term.side)},
                   {"term", term.term},
                   {"value", term.value},
                   {"rule", term.rule}});
  }
  for (const auto& [side, total] : totals) {
    out.push_back({{"side", side_name(game, side)}, {"term", "total"}, {"value", total}});
  }
  return out;
}

json source_rows(const Game& game, const Position& position, const View& view) {
  json out = json::array();
  if (!game.system) return out;
  for (const TrackTerm& term : game.system->track_terms(game, position)) {
    if (!view.sees_track(position, term.track)) continue;
    out.push_back({{"track", game.roster().tracks[term.track.index()].name},
                   {"source", term.source},
                   {"at", space_name(game, term.space)},
                   {"value", term.value},
                   {"rule", term.rule}});
  }
  return out;
}

// The attribute "control", as the page and the charts take it.
json control_rows(const Game& game, const Position& position, const View&) {
  json out = json::array();
  const Roster& roster = game.roster();
  const int attribute = roster.space_attribute("control");
  if (attribute < 0) return out;
  const Attribute& control = roster.space_attributes[static_cast<std::size_t>(attribute)];
  for (std::size_t i = 0; i < position.space_count(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    const int value = position.get(space, attribute);
    if (value == control.initial) continue;
    std::string text;
    JsonWriter writer(text);
    write_value(writer, control, value, roster);
    out.push_back({{"at", space_name(game, space)},
                   {"name", place_name(game, space)},
                   {"control", json::parse(text)}});
  }
  return out;
}

json battle_rows(const Game& game, const Position& position, const View& view) {
  json out = json::array();
  if (!game.system) return out;
  for (const Battle& battle : game.system->battles(game, position)) {
    std::map<SideId, int> units;
    for (UnitId unit : position.units_in(battle.space)) ++units[position.side(unit)];
    json counts = json::object();
    for (const auto& [side, count] : units) {
      if (side) counts[game.roster().sides[side.index()]] = count;
    }
    json known = json::array();
    for (UnitId unit : position.units_in(battle.space)) {
      if (view.sees_unit(position, unit)) known.push_back(unit_name(game, unit));
    }
    out.push_back({{"at", space_name(game, battle.space)},
                   {"name", place_name(game, battle.space)},
                   {"holder", side_name(game, battle.holder)},
                   {"blocks", std::move(counts)},
                   {"units", std::move(known)},
                   {"words", battle.words}});
  }
  return out;
}

// Whose reach one does not know would tell its strength: left out.
json reach_rows(const Game& game, const Position& position, const View& view) {
  json out = json::array();
  if (!game.system) return out;
  for (const UnitReach& reach : game.system->reach(game, position)) {
    if (!view.sees_unit(position, reach.unit)) continue;
    out.push_back({{"unit", unit_name(game, reach.unit)},
                   {"side", side_name(game, position.side(reach.unit))},
                   {"at", space_name(game, position.at(reach.unit))},
                   {"kind", reach.kind},
                   {"spaces", list_of(game, reach.spaces)}});
  }
  return out;
}

}  // namespace

std::span<const Reading> readings() {
  static const Reading list[] = {
      {"supply",
       "the supply of every unit: its way, or why it has none",
       {"unit", "side", "at", "status", "path", "reason"},
       supply_rows},
      {"score", "the score by its terms", {"side", "term", "value", "rule"}, score_rows},
      {"sources",
       "where the values of tracks come from, such as production by city",
       {"track", "source", "at", "value", "rule"},
       source_rows},
      {"control", "who controls what", {"at", "name", "control"}, control_rows},
      {"battles",
       "the battles, whose hex it is and what the rules say of them",
       {"at", "name", "holder", "blocks", "units", "words"},
       battle_rows},
      {"reach",
       "what units act upon: the spaces under command of a headquarters",
       {"unit", "side", "at", "kind", "spaces"},
       reach_rows},
  };
  return list;
}

}  // namespace wardiary

#include "replay/case_match.h"

#include <nlohmann/json.hpp>
#include <set>

#include "domain/event_json.h"
#include "domain/json_reader.h"
#include "domain/json_writer.h"
#include "domain/position_json.h"

namespace wardiary {

using nlohmann::json;

namespace {

constexpr std::size_t kShownMax = 400;  // of a value in a report
constexpr std::size_t kLegalMax = 200'000;

std::string shown(const json* value) {
  if (!value) return "nothing";
  std::string text = value->dump();
  if (text.size() > kShownMax) text = text.substr(0, kShownMax) + " ...";
  return text;
}

json value_json(const Attribute& attribute, int value, const Roster& roster) {
  std::string text;
  JsonWriter writer(text);
  write_value(writer, attribute, value, roster);
  return json::parse(text);
}

// Everything about one unit, values at their initial included.
json unit_json(const Game& game, const Position& position, UnitId unit) {
  const Roster& roster = game.roster();
  json out = {{"type", roster.units[unit.index()].type}};
  out["at"] = position.on_board(unit) ? json(roster.spaces[position.at(unit).index()]) : json();
  for (std::size_t a = 0; a < roster.unit_attributes.size(); ++a) {
    out[roster.unit_attributes[a].name] =
        value_json(roster.unit_attributes[a], position.get(unit, static_cast<int>(a)), roster);
  }
  return out;
}

json space_json(const Game& game, const Position& position, SpaceId space) {
  const Roster& roster = game.roster();
  json out = json::object();
  for (std::size_t a = 0; a < roster.space_attributes.size(); ++a) {
    out[roster.space_attributes[a].name] =
        value_json(roster.space_attributes[a], position.get(space, static_cast<int>(a)), roster);
  }
  json units = json::array();
  for (UnitId unit : position.units_in(space)) units.push_back(roster.units[unit.index()].name);
  out["units"] = std::move(units);
  return out;
}

// Checks each expectation against what the game says. One object per check_position call.
class Checker {
 public:
  Checker(const Game& game, const Position& position, JsonReader in)
      : game_(game), roster_(game.roster()), position_(position), in_(std::move(in)) {}

  Result<Found> check() {
    in_.only({"clock", "units", "spaces", "tracks", "pools", "pending", "over", "winner", "supply",
              "score", "sources", "battles", "reach", "legal", "illegal", "view"});
    whole_position();
    if (in_.has("units")) units();
    if (in_.has("spaces")) spaces();
    if (in_.has("supply")) supply();
    if (in_.has("score")) score();
    if (in_.has("sources")) sources();
    if (in_.has("battles")) battles();
    if (in_.has("reach")) reach();
    if (in_.has("legal")) orders("legal", true);
    if (in_.has("illegal")) orders("illegal", false);
    if (in_.has("view")) views();
    if (!in_.ok()) return std::move(in_).error();
    return std::move(found_);
  }

 private:
  void compare(const json& expected, const json* actual, const std::string& where) {
    if (!found_) found_ = differs(expected, actual, where);
  }

  // What the JSON form of a position says as it is.
  void whole_position() {
    const json all = json::parse(position_json(position_, roster_));
    for (const char* part : {"clock", "tracks", "pools", "pending", "over", "winner"}) {
      const json* expected = in_.get(part);
      if (!expected) continue;
      const json& actual = all.contains(part) ? all[part] : json();
      if (expected->is_object()) {
        check_names(part, *expected);
        for (auto item = expected->begin(); item != expected->end(); ++item) {
          const auto found = actual.find(item.key());
          compare(item.value(), found == actual.end() ? nullptr : &*found,
                  in_.path() + "." + part + "." + item.key());
        }
      } else {
        compare(*expected, &actual, in_.path() + "." + part);
      }
    }
  }
  // A misspelt name would otherwise match by being absent.
  void check_names(std::string_view part, const json& expected) {
    for (auto item = expected.begin(); item != expected.end(); ++item) {
      const std::string& name = item.key();
      const std::string field = std::string(part) + "." + name;
      if (part == "tracks" && !roster_.track(name)) in_.complain(field, "there is no such track");
      if (part == "pools" && !roster_.pool(name)) in_.complain(field, "there is no such pool");
      if (part == "pending" && !roster_.side(name)) in_.complain(field, "there is no such side");
    }
  }

  UnitId unit_named(JsonReader& at, const std::string& name) {
    const UnitId unit = roster_.unit(name);
    if (!unit) at.complain("", "there is no such unit");
    return unit;
  }
  SpaceId space_named(std::string_view name) const {
    const SpaceId space = roster_.space(name);
    return space || !game_.board ? space : game_.board->find(name);
  }
  // A space that is called by its name, by its id.
  void name_by_id(JsonReader& at, json& expected, const std::string& field) {
    const auto place = expected.find(field);
    if (place == expected.end() || !place->is_string()) return;
    const SpaceId space = space_named(place->get_ref<const std::string&>());
    if (!space) return at.complain(field, "there is no such space");
    *place = roster_.spaces[space.index()];
  }
  // Attributes that do not exist are mistakes of the case, not differences.
  void check_members(JsonReader& at, const json& actual) {
    if (!at.value().is_object()) return at.complain("", "must be an object");
    for (auto item = at.value().begin(); item != at.value().end(); ++item) {
      if (!actual.contains(item.key())) at.complain(item.key(), "there is no such attribute");
    }
  }

  void units() {
    in_.each_member("units", [&](const std::string& name, JsonReader& at) {
      const UnitId unit = unit_named(at, name);
      if (!at.ok()) return;
      const json actual = unit_json(game_, position_, unit);
      if (at.value().is_null()) return compare(nullptr, &actual["at"], at.path() + ".at");
      check_members(at, actual);
      if (!at.ok()) return;
      json expected = at.value();
      name_by_id(at, expected, "at");
      for (const Attribute& attribute : roster_.unit_attributes) {
        if (attribute.kind == ValueKind::kSpace) name_by_id(at, expected, attribute.name);
      }
      if (at.ok()) compare(expected, &actual, at.path());
    });
  }
  void spaces() {
    in_.each_member("spaces", [&](const std::string& name, JsonReader& at) {
      const SpaceId space = space_named(name);
      if (!space) return at.complain("", "there is no such space");
      const json actual = space_json(game_, position_, space);
      check_members(at, actual);
      if (at.ok()) compare(at.value(), &actual, at.path());
    });
  }
  void supply() {
    json actual = json::object();
    for (const UnitSupply& s : game_.system->supply(game_, position_)) {
      json path = json::array();
      for (SpaceId space : s.path) path.push_back(roster_.spaces[space.index()]);
      actual[roster_.units[s.unit.index()].name] = {
          {"status", s.status}, {"reason", s.reason}, {"path", std::move(path)}};
    }
    in_.each_member("supply", [&](const std::string& name, JsonReader& at) {
      unit_named(at, name);
      const auto found = actual.find(name);
      const json* is = found == actual.end() ? nullptr : &*found;
      if (at.value().is_object()) {
        compare(at.value(), is, at.path());
      } else {
        compare(at.value(), is ? &is->at("status") : nullptr, at.path());
      }
    });
  }
  void score() {
    std::map<std::string, std::int64_t> totals;
    json terms = json::object();
    for (const ScoreTerm& term : game_.system->score(game_, position_)) {
      const std::string& side = term.side ? roster_.sides[term.side.index()] : "";
      totals[side] += term.value;
      json& sum = terms[side][term.term];
      sum = (sum.is_null() ? 0 : sum.get<std::int64_t>()) + term.value;
    }
    in_.each_member("score", [&](const std::string& side, JsonReader& at) {
      if (!roster_.side(side)) return at.complain("", "there is no such side");
      if (at.value().is_object()) {
        compare(at.value(), terms.contains(side) ? &terms[side] : nullptr, at.path());
      } else {
        const json total = totals[side];
        compare(at.value(), &total, at.path());
      }
    });
  }

  // By track: what its value is made of.
  void sources() {
    json terms = json::object();
    json totals = json::object();
    for (const TrackTerm& term : game_.system->track_terms(game_, position_)) {
      const std::string& track = roster_.tracks[term.track.index()].name;
      const auto plus = [&](json& sum) {
        sum = (sum.is_null() ? 0 : sum.get<std::int64_t>()) + term.value;
      };
      plus(terms[track][term.source]);
      plus(totals[track]);
    }
    in_.each_member("sources", [&](const std::string& track, JsonReader& at) {
      if (!roster_.track(track)) return at.complain("", "there is no such track");
      const json& of = at.value().is_object() ? terms : totals;
      compare(at.value(), of.contains(track) ? &of[track] : nullptr, at.path());
    });
  }
  // By space: {"holder": side, "words": [...]}, null for no battle.
  void battles() {
    std::map<SpaceId, json> actual;
    for (const Battle& battle : game_.system->battles(game_, position_)) {
      actual[battle.space] = {
          {"holder", battle.holder ? json(roster_.sides[battle.holder.index()]) : json()},
          {"words", battle.words}};
    }
    in_.each_member("battles", [&](const std::string& name, JsonReader& at) {
      const SpaceId space = space_named(name);
      if (!space) return at.complain("", "there is no such space");
      const auto found = actual.find(space);
      compare(at.value(), found == actual.end() ? nullptr : &found->second, at.path());
    });
  }
  // By unit: spaces that must be within its reach ("in"), and that must not ("out").
  void reach() {
    std::map<UnitId, std::set<SpaceId>> actual;
    for (const UnitReach& reach : game_.system->reach(game_, position_)) {
      actual[reach.unit].insert(reach.spaces.begin(), reach.spaces.end());
    }
    in_.each_member("reach", [&](const std::string& name, JsonReader& at) {
      at.only({"in", "out"});
      const UnitId unit = unit_named(at, name);
      for (const char* field : {"in", "out"}) {
        if (!at.ok() || !at.has(field)) continue;
        at.each_text(field, 1'000, [&](JsonReader& each, const std::string& place) {
          const SpaceId space = space_named(place);
          if (!space) return each.complain("", "there is no such space");
          const bool within = actual[unit].contains(space);
          if (found_ || within == (field == std::string_view("in"))) return;
          found_ = Mismatch{each.path(), place + (within ? " out of reach" : " within reach"),
                            within ? "it is within reach" : "it is not"};
        });
      }
    });
  }

  void orders(std::string_view field, bool wanted) {
    const json legal = legal_orders();
    in_.each(field, 1'000, [&](JsonReader& at) {
      if (found_) return;
      const json* match = nullptr;
      for (const json& order : legal) {
        if (!differs(at.value(), &order, "")) match = &order;
      }
      if (wanted && !match) {
        found_ = Mismatch{at.path(), shown(&at.value()),
                          "no such order among " + std::to_string(legal.size()) + " legal ones"};
      } else if (!wanted && match) {
        found_ = Mismatch{at.path(), "not legal: " + shown(&at.value()), shown(match)};
      }
    });
  }
  json legal_orders() {
    json out = json::array();
    for (std::size_t s = 0; s < roster_.sides.size() && !position_.over; ++s) {
      const SideId side{static_cast<int>(s)};
      if (position_.pending(side).kind == 0) continue;
      game_.system->legal_orders(game_, position_, side, [&](const Order& order) {
        out.push_back(order_to_json(order, roster_));
        return out.size() < kLegalMax;
      });
    }
    return out;
  }

  void views() {
    in_.each_member("view", [&](const std::string& name, JsonReader& at) {
      Viewer viewer = Viewer::referee();
      if (name == "spectator") {
        viewer = Viewer::spectator();
      } else if (name != "referee") {
        viewer = Viewer::of(roster_.side(name));
        if (!viewer.side) return at.complain("", "must be a side, spectator or referee");
      }
      at.only({"units", "tracks", "score"});
      if (at.has("units")) view_units(at, viewer);
      if (at.has("tracks")) view_tracks(at, viewer);
      if (const json* score = at.get("score")) {
        const json sees = game_.system->sees_score(game_, position_, viewer);
        compare(*score, &sees, at.path() + ".score");
      }
    });
  }
  // null: not seen at all; "block": only that something is there; else the values seen.
  void view_units(JsonReader& in, const Viewer& viewer) {
    in.each_member("units", [&](const std::string& name, JsonReader& at) {
      const UnitId unit = unit_named(at, name);
      if (!at.ok()) return;
      json actual;
      switch (game_.system->sees_unit(game_, position_, viewer, unit)) {
        case UnitSight::kNothing:
          break;
        case UnitSight::kBlock:
          actual = "block";
          break;
        case UnitSight::kFull:
          actual = unit_json(game_, position_, unit);
          for (std::size_t a = 0; a < roster_.unit_attributes.size(); ++a) {
            if (game_.system->sees_unit_value(game_, position_, viewer, unit, static_cast<int>(a)))
              continue;
            actual.erase(roster_.unit_attributes[a].name);
          }
      }
      compare(at.value(), &actual, at.path());
    });
  }
  void view_tracks(JsonReader& in, const Viewer& viewer) {
    in.each_member("tracks", [&](const std::string& name, JsonReader& at) {
      const TrackId track = roster_.track(name);
      if (!track) return at.complain("", "there is no such track");
      json actual;
      if (game_.system->sees_track(game_, position_, viewer, track)) {
        actual = value_json(roster_.tracks[track.index()], position_.get(track), roster_);
      }
      compare(at.value(), &actual, at.path());
    });
  }

  const Game& game_;
  const Roster& roster_;
  const Position& position_;
  JsonReader in_;
  Found found_;
};

}  // namespace

Found differs(const json& expected, const json* actual, const std::string& where) {
  if (expected.is_null() && (!actual || actual->is_null())) return std::nullopt;
  if (expected.is_object() && actual && actual->is_object()) {
    for (auto item = expected.begin(); item != expected.end(); ++item) {
      const auto found = actual->find(item.key());
      if (auto d = differs(item.value(), found == actual->end() ? nullptr : &*found,
                           where + "." + item.key())) {
        return d;
      }
    }
    return std::nullopt;
  }
  if (expected.is_array() && actual && actual->is_array() && expected.size() == actual->size()) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (auto d = differs(expected[i], &(*actual)[i], where + "[" + std::to_string(i) + "]")) {
        return d;
      }
    }
    return std::nullopt;
  }
  if (actual && !expected.is_structured() && expected == *actual) return std::nullopt;
  return Mismatch{where, shown(&expected), shown(actual)};
}

Result<Found> check_position(const json& expect, const std::string& where, const Game& game,
                             const Position& position) {
  return Checker(game, position, JsonReader(expect, where)).check();
}

}  // namespace wardiary

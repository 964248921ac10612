#include "domain/position_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_reader.h"
#include "domain/json_writer.h"

namespace wardiary {

using nlohmann::json;

namespace {

std::string_view name_or_null(const std::vector<std::string>& names, int index) {
  const bool known = index >= 0 && static_cast<std::size_t>(index) < names.size();
  return known ? std::string_view(names[static_cast<std::size_t>(index)]) : std::string_view();
}

void write_clock(JsonWriter& out, const Clock& clock, const Roster& roster) {
  out.key("clock").begin_object();
  out.member("turn", std::int64_t{clock.turn});
  out.member("turnName", roster.turn_name(clock.turn));
  out.member("phase", name_or_null(roster.phases, clock.phase));
  if (clock.side >= 0) out.member("side", name_or_null(roster.sides, clock.side));
  out.end_object();
}

void write_pending(JsonWriter& out, const Position& p, const Roster& roster,
                   const PositionFilter& filter) {
  out.key("pending").begin_object();
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    const Question& q = p.pending(SideId{static_cast<int>(s)});
    if (q.kind == 0) continue;
    out.key(roster.sides[s]).begin_object();
    out.member("kind", name_or_null(roster.decisions, q.kind));
    if (q.space >= 0) out.member("space", name_or_null(roster.spaces, q.space));
    const bool known = q.unit >= 0 && static_cast<std::size_t>(q.unit) < roster.units.size();
    if (known && (!filter.unit || filter.unit(UnitId{q.unit}))) {
      out.member("unit", roster.units[static_cast<std::size_t>(q.unit)].name);
    }
    if (q.number) out.member("number", std::int64_t{q.number});
    out.end_object();
  }
  out.end_object();
}

void write_units(JsonWriter& out, const Position& p, const Roster& roster,
                 const PositionFilter& filter) {
  out.key("units").begin_array();
  for (std::size_t u = 0; u < roster.units.size(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    if (filter.unit && !filter.unit(unit)) continue;
    out.begin_object();
    out.member("id", roster.units[u].name);
    out.key("at");
    if (const SpaceId at = filter.at ? filter.at(unit) : p.at(unit)) {
      out.text(name_or_null(roster.spaces, at.value));
    } else {
      out.null();
    }
    for (std::size_t a = 0; a < roster.unit_attributes.size(); ++a) {
      const Attribute& attribute = roster.unit_attributes[a];
      const int value = p.get(unit, static_cast<int>(a));
      if (a != Roster::kSideAttribute && value == attribute.initial) continue;
      if (filter.unit_value && !filter.unit_value(unit, static_cast<int>(a))) continue;
      out.key(attribute.name);
      write_value(out, attribute, value, roster);
    }
    out.end_object();
  }
  if (filter.more_units) filter.more_units(out);
  out.end_array();
}

// Elements with at least one value off its initial that `sees` lets through (null: all).
template <class IdType, class WriteId>
void write_elements(JsonWriter& out, std::string_view key, std::size_t count, const Position& p,
                    const std::vector<Attribute>& attributes, const Roster& roster,
                    const std::function<bool(IdType, int)>& sees, WriteId write_id) {
  out.key(key).begin_array();
  for (std::size_t i = 0; i < count; ++i) {
    const IdType id{static_cast<int>(i)};
    bool open = false;
    for (std::size_t a = 0; a < attributes.size(); ++a) {
      const int value = p.get(id, static_cast<int>(a));
      if (value == attributes[a].initial || (sees && !sees(id, static_cast<int>(a)))) continue;
      if (!open) {
        out.begin_object();
        write_id(i);
        open = true;
      }
      out.key(attributes[a].name);
      write_value(out, attributes[a], value, roster);
    }
    if (open) out.end_object();
  }
  out.end_array();
}

}  // namespace

void write_position_json(JsonWriter& out, const Position& p, const Roster& roster,
                         const PositionFilter& filter) {
  out.begin_object();
  out.member("format", "wardiary-position/1");
  write_clock(out, p.clock, roster);
  write_units(out, p, roster, filter);
  write_elements<SpaceId>(out, "spaces", p.shape().spaces, p, roster.space_attributes, roster,
                          filter.space_value,
                          [&](std::size_t i) { out.member("id", roster.spaces[i]); });
  write_elements<LinkId>(out, "links", p.shape().links, p, roster.link_attributes, roster, {},
                         [&](std::size_t i) {
                           out.member("a", roster.spaces[roster.links[i].a.index()]);
                           out.member("b", roster.spaces[roster.links[i].b.index()]);
                         });
  out.key("tracks").begin_object();
  for (std::size_t t = 0; t < roster.tracks.size(); ++t) {
    const TrackId track{static_cast<int>(t)};
    if (filter.track && !filter.track(track)) continue;
    out.key(roster.tracks[t].name);
    write_value(out, roster.tracks[t], p.get(track), roster);
  }
  out.end_object();
  out.key("pools").begin_object();
  for (std::size_t n = 0; n < roster.pools.size(); ++n) {
    out.key(roster.pools[n].name).begin_object();
    const std::size_t first = roster.pool_offset(PoolId{static_cast<int>(n)});
    for (std::size_t i = 0; i < roster.pools[n].items.size(); ++i) {
      if (p.pool_cell(first + i)) {
        out.member(roster.pools[n].items[i], std::int64_t{p.pool_cell(first + i)});
      }
    }
    out.end_object();
  }
  out.end_object();
  write_pending(out, p, roster, filter);
  out.key("over").flag(p.over);
  if (p.over) {
    out.key("winner");
    if (p.winner >= 0) {
      out.text(name_or_null(roster.sides, p.winner));
    } else {
      out.null();
    }
  }
  out.end_object();
}

std::string position_json(const Position& position, const Roster& roster) {
  std::string out;
  JsonWriter writer(out);
  write_position_json(writer, position, roster);
  return out;
}

namespace {

class PositionReader {
 public:
  PositionReader(Draft& draft, const json& value)
      : draft_(draft), roster_(draft.game().roster()), in_(value, "position") {}

  Status read() {
    in_.only({"format", "scenario", "clock", "units", "spaces", "links", "tracks", "pools",
              "pending", "over", "winner"});
    if (in_.has("format") && in_.text("format") != "wardiary-position/1") {
      in_.complain("format", "must be \"wardiary-position/1\"");
    }
    if (in_.ok() && in_.has("units")) units();
    if (in_.ok() && in_.has("spaces")) spaces();
    if (in_.ok() && in_.has("links")) links();
    if (in_.ok() && in_.has("tracks")) tracks();
    if (in_.ok() && in_.has("pools")) pools();
    if (in_.ok() && in_.has("clock")) clock();
    if (in_.ok() && in_.has("pending")) pending();
    if (in_.ok() && in_.has("over")) over();
    if (!in_.ok()) return std::move(in_).error();
    return Done{};
  }

 private:
  SpaceId find_space(JsonReader& at, std::string_view field, const std::string& name) {
    SpaceId space = roster_.space(name);
    if (!space && draft_.game().board) space = draft_.game().board->find(name);
    if (!space) at.complain(field, "no space \"" + name + "\"");
    return space;
  }

  // The value of an attribute or track; spaces may be called by their names.
  int value_of(JsonReader& at, std::string_view field, const json& value,
               const Attribute& attribute, int bits = 16) {
    if (attribute.kind == ValueKind::kSpace && value.is_string()) {
      return find_space(at, field, value.get<std::string>()).value;
    }
    auto read = read_value(value, attribute, roster_, bits);
    if (!read) at.complain(field, read.error().text);
    return read ? static_cast<int>(*read) : 0;
  }

  // Sets every member of `at` that is an attribute; others must be in `known`.
  template <class IdType>
  void values(JsonReader& at, IdType id, const std::vector<Attribute>& attributes,
              std::initializer_list<std::string_view> known) {
    for (auto item = at.value().begin(); item != at.value().end() && at.ok(); ++item) {
      bool handled = false;
      for (std::size_t a = 0; a < attributes.size(); ++a) {
        if (attributes[a].name != item.key()) continue;
        const auto value = value_of(at, item.key(), item.value(), attributes[a]);
        if (!at.ok()) return;
        draft_.set(id, static_cast<int>(a), value);
        handled = true;
      }
      for (std::string_view name : known) handled = handled || name == item.key();
      if (!handled) at.complain(item.key(), "is not an attribute of this game");
    }
  }

  void units() {
    std::vector<bool> listed(roster_.units.size());
    in_.each("units", GameLimits::kUnitsMax, [&](JsonReader& at) {
      const std::string name = at.text("id");
      const UnitId unit = roster_.unit(name);
      if (!unit) return at.complain("id", "no unit \"" + name + "\"");
      if (listed[unit.index()]) return at.complain("id", "the unit stands twice");
      listed[unit.index()] = true;
      values(at, unit, roster_.unit_attributes, {"id", "at", "type", "name", "title", "side"});
      if (!at.ok()) return;
      const json* place = at.get("at");
      if (!place || place->is_null()) {
        if (draft_->on_board(unit)) draft_.remove(unit, "");
        return;
      }
      const SpaceId to = find_space(at, "at", at.text("at"));
      if (!at.ok() || draft_->at(unit) == to) return;
      if (draft_->on_board(unit)) draft_.remove(unit, "");
      draft_.place(unit, to);
    });
    if (!in_.ok()) return;
    for (std::size_t u = 0; u < listed.size(); ++u) {
      const UnitId unit{static_cast<int>(u)};
      if (!listed[u] && draft_->on_board(unit)) draft_.remove(unit, "");
    }
  }
  void spaces() {
    in_.each("spaces", GameLimits::kSpacesMax, [&](JsonReader& at) {
      const SpaceId space = find_space(at, "id", at.text("id"));
      if (at.ok()) values(at, space, roster_.space_attributes, {"id"});
    });
  }
  void links() {
    in_.each("links", GameLimits::kLinksMax, [&](JsonReader& at) {
      const SpaceId a = find_space(at, "a", at.text("a"));
      const SpaceId b = find_space(at, "b", at.text("b"));
      if (!at.ok()) return;
      const LinkId link = draft_.game().board->link_between(a, b);
      if (!link) return at.complain("b", "these spaces are not linked");
      values(at, link, roster_.link_attributes, {"a", "b"});
    });
  }
  void tracks() {
    in_.each_member("tracks", [&](const std::string& name, JsonReader& at) {
      const TrackId track = roster_.track(name);
      if (!track) return at.complain("", "there is no such track");
      const int value = value_of(at, "", at.value(), roster_.tracks[track.index()], 32);
      if (at.ok()) draft_.set(track, value);
    });
  }
  void pools() {
    in_.each_member("pools", [&](const std::string& name, JsonReader& at) {
      const PoolId pool = roster_.pool(name);
      if (!pool) return at.complain("", "there is no such pool");
      const auto& items = roster_.pools[pool.index()].items;
      if (!at.value().is_object()) return at.complain("", "must be an object");
      for (auto item = at.value().begin(); item != at.value().end(); ++item) {
        const bool known = std::find(items.begin(), items.end(), item.key()) != items.end();
        if (!known) at.complain(item.key(), "is not a known field");
      }
      for (std::size_t i = 0; i < items.size() && at.ok(); ++i) {
        draft_.set_pool(pool, static_cast<int>(i),
                        static_cast<int>(at.number_or(items[i], 0, 0, INT16_MAX)));
      }
    });
  }
  void clock() {
    JsonReader at = in_.at("clock");
    at.only({"turn", "turnName", "phase", "side"});
    Clock to = draft_->clock;
    to.turn = static_cast<std::int16_t>(at.number_or("turn", to.turn, 0, INT16_MAX));
    if (at.has("phase")) {
      const int phase = roster_.phase(at.text("phase"));
      if (phase < 0) at.complain("phase", "there is no such phase");
      to.phase = static_cast<std::uint8_t>(phase);
    }
    if (at.has("side")) {
      const bool none = at.get("side")->is_null();
      const SideId side = none ? kNoSide : roster_.side(at.text("side"));
      if (!none && !side) at.complain("side", "there is no such side");
      to.side = static_cast<std::int8_t>(side.value);
    }
    if (at.ok() && to != draft_->clock) draft_.begin_phase(to);
  }
  void pending() {
    in_.each_member("pending", [&](const std::string& side, JsonReader& at) {
      if (!roster_.side(side)) at.complain("", "is not a known field");
    });
    for (std::size_t s = 0; s < roster_.sides.size() && in_.ok(); ++s) {
      JsonReader all = in_.at("pending");
      if (!all.ok()) return;
      Question question;
      if (all.has(roster_.sides[s])) {
        JsonReader at = all.at(roster_.sides[s]);
        at.only({"kind", "space", "unit", "number"});
        const int kind = roster_.decision(at.text("kind"));
        if (kind < 0) at.complain("kind", "there is no such decision");
        question.kind = static_cast<std::uint8_t>(kind);
        if (at.has("space")) question.space = find_space(at, "space", at.text("space")).value;
        if (at.has("unit")) {
          question.unit = roster_.unit(at.text("unit")).value;
          if (question.unit < 0) at.complain("unit", "there is no such unit");
        }
        question.number =
            static_cast<std::int32_t>(at.number_or("number", 0, INT32_MIN, INT32_MAX));
        if (!at.ok()) return;
      }
      draft_.ask(SideId{static_cast<int>(s)}, question);
    }
  }

  void over() {
    const bool is_over = in_.flag_or("over", false);
    const bool none = !in_.has("winner") || in_.get("winner")->is_null();
    const SideId winner = none ? kNoSide : roster_.side(in_.text("winner"));
    if (!none && !winner) in_.complain("winner", "there is no such side");
    if (draft_->over && !is_over) in_.complain("over", "the game is over already");
    if (in_.ok() && is_over && !draft_->over) draft_.end_game(winner, "");
  }

  Draft& draft_;
  const Roster& roster_;
  JsonReader in_;
};

}  // namespace

Status draft_position(Draft& draft, const json& position) {
  return PositionReader(draft, position).read();
}

}  // namespace wardiary

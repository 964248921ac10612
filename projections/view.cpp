#include "projections/view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_writer.h"
#include "domain/position_json.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

using nlohmann::json;

namespace {

// The unit a fact is about, if it is about one.
UnitId subject(const fb::Event& event) {
  switch (event.payload_type()) {
    case fb::Payload::UnitPlaced: return UnitId{event.payload_as_UnitPlaced()->unit()};
    case fb::Payload::UnitMoved: return UnitId{event.payload_as_UnitMoved()->unit()};
    case fb::Payload::UnitChanged: return UnitId{event.payload_as_UnitChanged()->unit()};
    case fb::Payload::UnitRemoved: return UnitId{event.payload_as_UnitRemoved()->unit()};
    case fb::Payload::Revealed: return UnitId{event.payload_as_Revealed()->unit()};
    default: return {};
  }
}

bool is_order(const fb::Event& event) {
  return event.payload_type() == fb::Payload::OrderIssued ||
         event.payload_type() == fb::Payload::OrderSuspended;
}

}  // namespace

UnitSight View::sight(const Position& before, const Position& after, UnitId unit) const {
  if (sees_everything() || !game_.system) return UnitSight::kFull;
  return std::max(game_.system->sees_unit(game_, before, viewer_, unit),
                  game_.system->sees_unit(game_, after, viewer_, unit));
}

bool View::sees_value(const Position& before, const Position& after, UnitId unit,
                      int attribute) const {
  if (sees_everything() || !game_.system) return true;
  return game_.system->sees_unit_value(game_, before, viewer_, unit, attribute) ||
         game_.system->sees_unit_value(game_, after, viewer_, unit, attribute);
}

bool View::sees_unit(const Position& position, UnitId unit) const {
  return sight(position, position, unit) == UnitSight::kFull;
}

bool View::sees_score(const Position& position) const {
  return sees_everything() || !game_.system || game_.system->sees_score(game_, position, viewer_);
}

bool View::sees_track(const Position& position, TrackId track) const {
  return sees_everything() || !game_.system ||
         game_.system->sees_track(game_, position, viewer_, track);
}

std::string View::token(const Position& position, UnitId unit) const {
  const SideId side = position.side(unit);
  std::string out = "?" + (side.ok() ? game_.roster().sides[side.index()] : std::string("none"));
  const SpaceId at = position.at(unit);
  if (at.ok()) out += "@" + game_.roster().spaces[at.index()];
  return out;
}

void View::write_position(JsonWriter& out, const Position& position) const {
  if (sees_everything() || !game_.system) return write_position_json(out, position, game_.roster());
  const RuleSystem& system = *game_.system;
  PositionFilter filter;
  filter.unit = [&](UnitId unit) { return sees_unit(position, unit); };
  filter.unit_value = [&](UnitId unit, int attribute) {
    return system.sees_unit_value(game_, position, viewer_, unit, attribute);
  };
  filter.at = [&](UnitId unit) { return system.seen_at(game_, position, viewer_, unit); };
  filter.space_value = [&](SpaceId space, int attribute) {
    return system.sees_space_value(game_, position, viewer_, space, attribute);
  };
  filter.track = [&](TrackId track) { return sees_track(position, track); };
  filter.more_units = [&](JsonWriter& units) {
    // Blocks in the order of their spaces, never of their units.
    std::vector<std::pair<std::int16_t, std::int16_t>> blocks;  // space, side
    for (std::size_t u = 0; u < position.unit_count(); ++u) {
      const UnitId unit{static_cast<int>(u)};
      const SpaceId at = system.seen_at(game_, position, viewer_, unit);
      if (at && sight(position, position, unit) == UnitSight::kBlock) {
        blocks.emplace_back(at.value, position.side(unit).value);
      }
    }
    std::sort(blocks.begin(), blocks.end());
    int number = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      number = i > 0 && blocks[i] == blocks[i - 1] ? number + 1 : 1;
      const std::string& space = game_.roster().spaces[static_cast<std::size_t>(blocks[i].first)];
      const SideId side{blocks[i].second};
      const std::string name = side.ok() ? game_.roster().sides[side.index()] : "none";
      units.begin_object();
      units.member("id", "?" + name + "@" + space + "." + std::to_string(number));
      units.member("at", space).member("side", name);
      units.end_object();
    }
  };
  write_position_json(out, position, game_.roster(), filter);
}

bool View::sees_event(const fb::Event& event, const Position& before, const Position& after) const {
  if (sees_everything() || !game_.system) return true;
  if (event.visible_to() != 0) {
    const bool mine = viewer_.kind == Viewer::Kind::kSide &&
                      (event.visible_to() >> viewer_.side.value & 1) != 0;
    if (!mine) return false;
  }
  if (const UnitId unit = subject(event); unit.ok() && unit.index() < before.unit_count()) {
    const UnitSight seen = sight(before, after, unit);
    if (seen == UnitSight::kNothing) return false;
    if (event.payload_type() == fb::Payload::UnitChanged) {
      return seen == UnitSight::kFull &&
             sees_value(before, after, unit, event.payload_as_UnitChanged()->attribute());
    }
    if (event.payload_type() == fb::Payload::Revealed) return seen == UnitSight::kFull;
  }
  if (const auto* change = event.payload_as_SpaceChanged()) {
    return game_.system->sees_space_value(game_, after, viewer_, SpaceId{change->space()},
                                          change->attribute());
  }
  if (const auto* change = event.payload_as_SpacesChanged()) {
    return std::all_of(change->spaces()->begin(), change->spaces()->end(), [&](auto space) {
      return game_.system->sees_space_value(game_, after, viewer_, SpaceId{space},
                                            change->attribute());
    });
  }
  if (const auto* track = event.payload_as_TrackChanged()) {
    return sees_track(after, TrackId{track->track()});
  }
  if (is_order(event)) {
    auto order = read_order(event, game_.system->order_types(), game_.roster());
    if (!order) return false;
    const bool own = viewer_.kind == Viewer::Kind::kSide && viewer_.side == order->side;
    return own || game_.system->sees_order(game_, before, viewer_, *order);
  }
  return true;
}

void View::write_event(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                       const Position& before, const Position& after) const {
  if (!sees_event(event, before, after)) {
    out.begin_object().member("version", static_cast<std::int64_t>(version));
    out.member("type", "Hidden").end_object();
    return;
  }
  if (is_order(event) && game_.system) {
    return write_order(out, event, version, before);
  }
  if (sees_everything() || !game_.system) return write_event_json(out, event, version, game_.roster());
  if (const UnitId unit = subject(event); unit.ok() && unit.index() < before.unit_count()) {
    return write_unit_event(out, event, version, before, after, unit);
  }
  // What is left may still name a hidden unit, or carry the digest of everything.
  json full = json::parse(event_json(event, version, game_.roster()));
  auto hide_unit = [&](json& from, UnitId unit) {
    if (unit.ok() && unit.index() < before.unit_count() &&
        sight(before, after, unit) != UnitSight::kFull) {
      from.erase("unit");
      return true;
    }
    return false;
  };
  if (const auto* roll = event.payload_as_DiceRolled()) {
    if (hide_unit(full, UnitId{roll->unit()})) full.erase("terms");
  } else if (const auto* asked = event.payload_as_DecisionAsked()) {
    hide_unit(full["from"], UnitId{asked->from()->unit()});
    hide_unit(full["to"], UnitId{asked->to()->unit()});
  } else if (event.payload_type() == fb::Payload::PhaseBegan) {
    full.erase("digest");
  }
  out.raw(full.dump());
}

void View::write_unit_event(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                            const Position& before, const Position& after, UnitId unit) const {
  json full = json::parse(event_json(event, version, game_.roster()));
  const bool known = sight(before, after, unit) == UnitSight::kFull;
  if (!known) {
    // A block moved, appeared or went: where, not which, and not why.
    full["unit"] = token(before.on_board(unit) ? before : after, unit);
    full.erase("why");
    full.erase("changes");
    full.erase("because");
  } else if (const auto* placed = event.payload_as_UnitPlaced(); placed && placed->changes()) {
    json seen = json::array();
    for (unsigned i = 0; i < placed->changes()->size(); ++i) {
      if (sees_value(before, after, unit, placed->changes()->Get(i)->attribute())) {
        seen.push_back(full["changes"][i]);
      }
    }
    full["changes"] = std::move(seen);
  }
  out.raw(full.dump());
}

void View::write_order(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                       const Position& before) const {
  auto order = read_order(event, game_.system->order_types(), game_.roster());
  if (!order) return write_event_json(out, event, version, game_.roster());
  json words = order_to_json(*order, game_.roster());
  if (!sees_everything()) {
    for (const OrderField& field : order->type().fields) {
      auto hide = [&](json& name) {
        const UnitId unit = name.is_string() ? game_.roster().unit(name.get<std::string>()) : UnitId{};
        if (unit.ok() && sight(before, before, unit) != UnitSight::kFull) name = token(before, unit);
      };
      if (!words.contains(field.name)) continue;
      json& value = words[field.name];
      switch (field.kind) {
        case FieldKind::kUnit:
        case FieldKind::kStep: hide(value); break;
        case FieldKind::kUnits:
          for (json& item : value) hide(item);
          break;
        case FieldKind::kUnitNumbers:
        case FieldKind::kUnitSpaces:
          for (json& item : value) hide(item["unit"]);
          break;
        default: break;
      }
    }
  }
  out.begin_object().member("version", static_cast<std::int64_t>(version));
  out.member("type", fb::EnumNamePayload(event.payload_type()));
  out.key("order").raw(words.dump());
  if (event.recorded_at_ms()) {
    out.member("recordedAt", static_cast<std::int64_t>(event.recorded_at_ms()));
  }
  if (event.author()) out.member("author", event.author()->string_view());
  out.end_object();
}

}  // namespace wardiary

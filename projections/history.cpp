#include "projections/history.h"

#include <algorithm>

#include "domain/schema/event_generated.h"

namespace wardiary {

bool touches_unit(const fb::Event& event, UnitId unit) {
  switch (event.payload_type()) {
    case fb::Payload::UnitPlaced: return event.payload_as_UnitPlaced()->unit() == unit.value;
    case fb::Payload::UnitMoved: return event.payload_as_UnitMoved()->unit() == unit.value;
    case fb::Payload::UnitChanged: return event.payload_as_UnitChanged()->unit() == unit.value;
    case fb::Payload::UnitRemoved: return event.payload_as_UnitRemoved()->unit() == unit.value;
    case fb::Payload::Revealed: return event.payload_as_Revealed()->unit() == unit.value;
    case fb::Payload::DiceRolled: return event.payload_as_DiceRolled()->unit() == unit.value;
    default: return false;
  }
}

bool touches_space(const fb::Event& event, SpaceId space) {
  switch (event.payload_type()) {
    case fb::Payload::UnitPlaced: return event.payload_as_UnitPlaced()->at() == space.value;
    case fb::Payload::UnitRemoved: return event.payload_as_UnitRemoved()->from() == space.value;
    case fb::Payload::UnitMoved: {
      const auto& path = *event.payload_as_UnitMoved()->path();
      return std::find(path.begin(), path.end(), space.value) != path.end();
    }
    case fb::Payload::DiceRolled: return event.payload_as_DiceRolled()->space() == space.value;
    default: return changes_space(event, space, -1);
  }
}

bool touches_track(const fb::Event& event, TrackId track) {
  const auto* changed = event.payload_as_TrackChanged();
  return changed && changed->track() == track.value;
}

bool changes_unit(const fb::Event& event, UnitId unit, int attribute) {
  if (!touches_unit(event, unit)) return false;
  if (const auto* changed = event.payload_as_UnitChanged()) return changed->attribute() == attribute;
  if (const auto* placed = event.payload_as_UnitPlaced()) {
    if (attribute < 0) return true;
    if (!placed->changes()) return false;
    return std::any_of(placed->changes()->begin(), placed->changes()->end(),
                       [&](const fb::Change* c) { return c->attribute() == attribute; });
  }
  const bool place_changed = event.payload_type() == fb::Payload::UnitMoved ||
                             event.payload_type() == fb::Payload::UnitRemoved;
  return attribute < 0 && place_changed;
}

bool changes_space(const fb::Event& event, SpaceId space, int attribute) {
  if (const auto* changed = event.payload_as_SpaceChanged()) {
    return changed->space() == space.value && (attribute < 0 || changed->attribute() == attribute);
  }
  if (const auto* many = event.payload_as_SpacesChanged()) {
    if (attribute >= 0 && many->attribute() != attribute) return false;
    return std::find(many->spaces()->begin(), many->spaces()->end(), space.value) !=
           many->spaces()->end();
  }
  return false;
}

}  // namespace wardiary

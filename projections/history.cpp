#include "projections/history.h"

#include <algorithm>

#include "domain/schema/event_generated.h"

namespace wardiary {

bool begins_commit(const fb::Event& event) {
  switch (event.payload_type()) {
    case fb::Payload::GameCreated:
    case fb::Payload::BranchForked:
    case fb::Payload::OrderIssued:
      return true;
    default:
      return event.recorded_at_ms() != 0;
  }
}

void each_thing(const fb::Event& event, const std::function<void(Thing)>& see) {
  const auto unit = [&](int id) { see(Thing::of(UnitId{id})); };
  const auto space = [&](int id) {
    if (id >= 0) see(Thing::of(SpaceId{id}));
  };
  switch (event.payload_type()) {
    case fb::Payload::UnitPlaced:
      unit(event.payload_as_UnitPlaced()->unit());
      return space(event.payload_as_UnitPlaced()->at());
    case fb::Payload::UnitMoved:
      unit(event.payload_as_UnitMoved()->unit());
      for (std::int16_t each : *event.payload_as_UnitMoved()->path()) space(each);
      return;
    case fb::Payload::UnitChanged:
      return unit(event.payload_as_UnitChanged()->unit());
    case fb::Payload::UnitRemoved:
      unit(event.payload_as_UnitRemoved()->unit());
      return space(event.payload_as_UnitRemoved()->from());
    case fb::Payload::Revealed:
      return unit(event.payload_as_Revealed()->unit());
    case fb::Payload::DiceRolled:
      if (event.payload_as_DiceRolled()->unit() >= 0) unit(event.payload_as_DiceRolled()->unit());
      return space(event.payload_as_DiceRolled()->space());
    case fb::Payload::SpaceChanged:
      return space(event.payload_as_SpaceChanged()->space());
    case fb::Payload::SpacesChanged:
      for (std::uint16_t each : *event.payload_as_SpacesChanged()->spaces()) space(each);
      return;
    case fb::Payload::TrackChanged:
      return see(Thing::of(TrackId{event.payload_as_TrackChanged()->track()}));
    case fb::Payload::PhaseBegan:
    case fb::Payload::GameEnded:
      return see(Thing::clock());
    default:
      return;
  }
}

bool touches(const fb::Event& event, Thing thing) {
  bool found = false;
  each_thing(event, [&](Thing each) { found = found || each == thing; });
  return found;
}

bool touches_unit(const fb::Event& event, UnitId unit) {
  return touches(event, Thing::of(unit));
}
bool touches_space(const fb::Event& event, SpaceId space) {
  return touches(event, Thing::of(space));
}
bool touches_track(const fb::Event& event, TrackId track) {
  return touches(event, Thing::of(track));
}

bool changes_unit(const fb::Event& event, UnitId unit, int attribute) {
  if (!touches_unit(event, unit)) return false;
  if (const auto* changed = event.payload_as_UnitChanged())
    return changed->attribute() == attribute;
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

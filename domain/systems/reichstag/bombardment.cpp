// Bombardment markers [15] and air reconnaissance [17.4].
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

bool bombards_for(const Situation& now, UnitId unit, SideId front) {
  const UnitFacts& facts = now.facts(unit);
  return (facts.kind == Kind::kArtillery || facts.kind == Kind::kAir) && facts.front == front;
}

// The marker an order means: a certain one, or an unused one of the kind it names. `kind` is set.
UnitId marker_of(const Situation& now, const Order& order, Kind& kind) {
  const int named = order.number("marker", -1);
  if (named >= 0) {
    kind = now.facts(UnitId{named}).kind;
    return UnitId{named};
  }
  kind = named == -2 ? Kind::kArtillery : Kind::kAir;
  UnitId used;
  for (UnitId unit : now.all_units()) {
    if (!bombards_for(now, unit, order.side) || now.facts(unit).kind != kind) continue;
    if (!now.is(unit, u::kUsed)) return unit;
    used = unit;
  }
  return used;
}

int marker_cost(const Situation& now, Kind kind, SideId front) {
  return price(now, front, kind == Kind::kAir ? now.data.costs.air : now.data.costs.artillery);
}

Refused place_refusal(const Situation& now, SpaceId hex, SideId front) {
  if (!now.in_sector(hex, front)) {
    return refuse("OTHER_SECTOR", "5.4", "markers are placed in the own sector or the Reichstag");
  }
  if (now.is_reichstag(hex) && now.other_front_in_reichstag(front)) {
    return refuse("REICHSTAG_HELD_BY_OTHER_FRONT", "5.5", "the other Front is in the Reichstag");
  }
  return std::nullopt;
}

void forget_fresh(Draft& draft) {
  const Situation now(draft);
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).is_marker()) draft.set(unit, u::kFresh, 0);
  }
}

UnitId fresh_marker(const Situation& now, SideId front) {
  for (UnitId unit : now.all_units()) {
    if (bombards_for(now, unit, front) && now.is(unit, u::kFresh)) return unit;
  }
  return {};
}

}  // namespace

Refused decide_place_bombardment(Draft& draft, const Order& order) {
  const Situation now(draft);
  const SpaceId hex = order.space("hex");
  if (now.turn() < 2) {
    return refuse("MARKERS_NOT_AVAILABLE", "15.3", "there are no markers on the first turn");
  }
  Kind kind = Kind::kArtillery;
  const UnitId marker = marker_of(now, order, kind);
  if (!marker) return refuse("MARKERS_NOT_AVAILABLE", "15.3", "the Front has no such marker");
  if (!bombards_for(now, marker, order.side)) return not_yours("15.1");
  if (now.is(marker, u::kUsed) || now.on_map(marker)) {
    return refuse("MARKER_USED_THIS_TURN", "6.6", "each marker serves once in a game turn");
  }
  if (auto refused = place_refusal(now, hex, order.side)) return refused;
  if (auto refused = pay(draft, order.side, marker_cost(now, kind, order.side))) return refused;
  forget_fresh(draft);
  put_on_map(draft, marker, hex);
  draft.set(marker, u::kUsed, 1);
  draft.set(marker, u::kFresh, 1);
  return std::nullopt;
}

Refused decide_air_recon(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId fresh = fresh_marker(now, order.side);
  const int named = order.number("marker", -1);
  if (named >= 0 && !bombards_for(now, UnitId{named}, order.side)) return not_yours("17.4");
  const bool artillery = named == -2 || (named >= 0 && now.facts(UnitId{named}).kind != Kind::kAir);
  if (artillery || (named == -1 && fresh && now.facts(fresh).kind != Kind::kAir)) {
    return refuse("NOT_AIR_MARKER", "17.4", "only an air strike can be used to look");
  }
  if (!fresh || now.facts(fresh).kind != Kind::kAir || (named >= 0 && UnitId{named} != fresh)) {
    return refuse("TOO_LATE", "17.4", "only right after the marker was placed");
  }
  const SpaceId centre = now.at(fresh);
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (now.in_sector(hex, order.side) && now.board().distance(centre, hex) <= kAirReach) {
      examine(draft, hex, order.side);
    }
  }
  draft.set(fresh, u::kFresh, 0);
  move_to_pile(draft, fresh, Pile::kAside, "air reconnaissance");
  return std::nullopt;
}

void remove_markers(Draft& draft, SideId front) {
  const Situation now(draft);
  for (UnitId unit : now.all_units()) {
    if (bombards_for(now, unit, front) && now.on_map(unit)) {
      move_to_pile(draft, unit, Pile::kAside, "end of bombardment");
    }
  }
}

// One marker of each kind stands for all that are alike. Useful places are those near Germans.
void legal_bombardment(const Situation& now, SideId side, const SeeOrder& see) {
  if (!see(order("EndPhase", side))) return;
  const UnitId fresh = fresh_marker(now, side);
  if (fresh && now.facts(fresh).kind == Kind::kAir &&
      !see(order("AirReconnaissance", side).with("marker", fresh))) {
    return;
  }
  if (now.turn() < 2) return;
  const Field field(now);
  for (Kind kind : {Kind::kArtillery, Kind::kAir}) {
    UnitId marker;
    for (UnitId unit : now.all_units()) {
      if (!marker && bombards_for(now, unit, side) && now.facts(unit).kind == kind &&
          !now.is(unit, u::kUsed) && !now.on_map(unit)) {
        marker = unit;
      }
    }
    if (!marker || !can_pay(now, marker_cost(now, kind, side))) continue;
    for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      if (place_refusal(now, hex, side)) continue;
      bool near_germans = field.germans_in(hex);
      for (const Neighbour& next : now.board().neighbours(hex)) {
        near_germans = near_germans || field.germans_in(next.space);
      }
      if (!near_germans) continue;
      if (!see(order("PlaceBombardment", side).with("marker", marker).with("hex", hex))) return;
    }
  }
}

}  // namespace wardiary::reichstag

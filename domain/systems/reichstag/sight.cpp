// Fog of war (digest 8.12): face-down static units, hands, the pool and the garrison of the
// Reichstag. Everything else lies open.
#include "domain/systems/reichstag/reichstag.h"

namespace wardiary::reichstag {

UnitSight sight_of_unit(const Situation& now, const Viewer& viewer, UnitId unit) {
  if (viewer.kind == Viewer::Kind::kReferee || now.pos.over) return UnitSight::kFull;
  if (!now.facts(unit).is_static()) return UnitSight::kFull;
  if (now.is(unit, u::kFaceUp)) return UnitSight::kFull;  // never face down again [16.9]
  const bool player = viewer.kind == Viewer::Kind::kSide && viewer.side != kGerman;
  const bool own = player && now.controller(unit) == viewer.side;
  if (own) return UnitSight::kFull;
  if (!now.on_map(unit)) {
    switch (now.pile(unit)) {
      case Pile::kPool:
      case Pile::kHand1BF:
      case Pile::kHand1UF:
      case Pile::kHeld1BF:
      case Pile::kHeld1UF:
        return UnitSight::kNothing;
      default:
        return UnitSight::kFull;
    }
  }
  const u::Attribute known = viewer.side == k1BF ? u::kKnown1BF : u::kKnown1UF;
  return player && now.is(unit, known) ? UnitSight::kFull : UnitSight::kBlock;
}

UnitSight Reichstag::sees_unit(const Game& game, const Position& position, const Viewer& viewer,
                               UnitId unit) const {
  return sight_of_unit(Situation(game, position), viewer, unit);
}

bool Reichstag::sees_unit_value(const Game& game, const Position& position, const Viewer& viewer,
                                UnitId unit, int attribute) const {
  const Situation now(game, position);
  if (viewer.kind == Viewer::Kind::kReferee || position.over) return true;
  // What the other player has looked at is his own affair [17.3].
  if (attribute == u::kKnown1BF || attribute == u::kKnown1UF) {
    const SideId owner = attribute == u::kKnown1BF ? k1BF : k1UF;
    return viewer.kind == Viewer::Kind::kSide && viewer.side == owner;
  }
  return sight_of_unit(now, viewer, unit) == UnitSight::kFull || attribute == u::kSide;
}

bool Reichstag::sees_track(const Game&, const Position&, const Viewer&, TrackId) const {
  return true;  // Stavka points, fatigue and the number of hidden pieces are public [6.1, R-16]
}

bool Reichstag::sees_score(const Game&, const Position&, const Viewer&) const {
  return true;
}

bool Reichstag::sees_order(const Game&, const Position& position, const Viewer& viewer,
                           const Order& order) const {
  if (viewer.kind == Viewer::Kind::kReferee || position.over) return true;
  if (viewer.kind == Viewer::Kind::kSide && viewer.side == order.side) return true;
  return !order.is("PlaceSniper");  // its name would tell what was placed
}

}  // namespace wardiary::reichstag

// What each side may see [digest 8.10]: blocks stand with their backs to the enemy.
#include "domain/systems/eastfront/eastfront.h"

namespace wardiary::eastfront {

UnitSight sight_of_unit(const Situation& now, const Viewer& viewer, UnitId unit) {
  if (viewer.kind == Viewer::Kind::kReferee || now.pos.over) return UnitSight::kFull;
  if (viewer.kind == Viewer::Kind::kSide && viewer.side == now.side(unit)) return UnitSight::kFull;
  if (!now.pos.on_board(unit)) return UnitSight::kNothing;
  // What arrives in a Production shows when both sides have committed [sb 11].
  if (now.phase() == Phase::kProduction && now.is(unit, u::kNew)) return UnitSight::kNothing;
  return now.is(unit, u::kShown) ? UnitSight::kFull : UnitSight::kBlock;
}

UnitSight EastFront::sees_unit(const Game& game, const Position& position, const Viewer& viewer,
                               UnitId unit) const {
  return sight_of_unit(Situation(game, position), viewer, unit);
}

bool EastFront::sees_unit_value(const Game& game, const Position& position, const Viewer& viewer,
                                UnitId unit, int attribute) const {
  const Situation now(game, position);
  if (sight_of_unit(now, viewer, unit) == UnitSight::kFull) return true;
  // Of a standing block only its side is known, and whether it lies face up or dispersed [14.6].
  return attribute == u::kSide || attribute == u::kShown || attribute == u::kDispersed;
}

bool EastFront::sees_track(const Game& game, const Position& position, const Viewer& viewer,
                           TrackId id) const {
  if (viewer.kind == Viewer::Kind::kReferee || position.over) return true;
  const Situation now(game, position);
  const auto own = [&](SideId side) {
    return viewer.kind == Viewer::Kind::kSide && viewer.side == side;
  };
  switch (static_cast<t::Track>(id.value)) {
    case t::kAxisPoints:  // spending is secret [sb 11]
    case t::kSSStep:
      return own(kAxis);
    case t::kSovietPoints:
      return own(kSoviet);
    default:
      return true;
  }
}

bool EastFront::sees_score(const Game&, const Position& position, const Viewer& viewer) const {
  return viewer.kind == Viewer::Kind::kReferee || position.over;  // [sb 17]
}

bool EastFront::sees_order(const Game& game, const Position& position, const Viewer& viewer,
                           const Order& order) const {
  if (viewer.kind == Viewer::Kind::kReferee || position.over) return true;
  if (viewer.kind == Viewer::Kind::kSide && viewer.side == order.side) return true;
  const Situation now(game, position);
  switch (now.asked(order.side)) {
    case Ask::kProduction:  // sealed and simultaneous [sb 11]
      return order.is("CommitProduction");
    case Ask::kSelectForces:
      return false;  // choices of strength stay secret [2.3]
    default:
      return true;
  }
}

}  // namespace wardiary::eastfront

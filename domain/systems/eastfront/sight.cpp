// What each side may see [digest 8.10]: blocks stand with their backs to the enemy.
#include "domain/systems/eastfront/eastfront.h"

namespace wardiary::eastfront {

namespace {

bool open_to(const Position& position, const Viewer& viewer) {
  return viewer.kind == Viewer::Kind::kReferee || position.over;
}

bool is_side(const Viewer& viewer, SideId side) {
  return viewer.kind == Viewer::Kind::kSide && viewer.side == side;
}

// Disbanded in this Production, which the others do not see before both sides have committed
// [11.52, sb 11].
bool leaves_in_secret(const Situation& now, UnitId unit) {
  return now.phase() == Phase::kProduction && now.is(unit, u::kGone);
}

}  // namespace

UnitSight sight_of_unit(const Situation& now, const Viewer& viewer, UnitId unit) {
  if (open_to(now.pos, viewer) || is_side(viewer, now.side(unit))) return UnitSight::kFull;
  if (!now.pos.on_board(unit) && !leaves_in_secret(now, unit)) return UnitSight::kNothing;
  // What arrives in a Production shows when both sides have committed [sb 11].
  if (now.phase() == Phase::kProduction && now.is(unit, u::kNew)) return UnitSight::kNothing;
  // Dispersed paratroops lie face down: known for what they are, not for their strength [14.6].
  const bool known = now.is(unit, u::kShown) || now.is(unit, u::kDispersed);
  return known ? UnitSight::kFull : UnitSight::kBlock;
}

UnitSight EastFront::sees_unit(const Game& game, const Position& position, const Viewer& viewer,
                               UnitId unit) const {
  return sight_of_unit(Situation(game, position), viewer, unit);
}

bool EastFront::sees_unit_value(const Game& game, const Position& position, const Viewer& viewer,
                                UnitId unit, int attribute) const {
  const Situation now(game, position);
  if (open_to(position, viewer) || is_side(viewer, now.side(unit))) return true;
  if (leaves_in_secret(now, unit) &&
      (attribute == u::kFate || attribute == u::kGone || attribute == u::kCameFrom)) {
    return false;
  }
  if (now.is(unit, u::kShown) && sight_of_unit(now, viewer, unit) == UnitSight::kFull) return true;
  // Of a standing block only its side is known, and whether it lies face up or dispersed [14.6].
  return attribute == u::kSide || attribute == u::kShown || attribute == u::kDispersed;
}

SpaceId EastFront::seen_at(const Game& game, const Position& position, const Viewer& viewer,
                           UnitId unit) const {
  const Situation now(game, position);
  const bool fooled =
      leaves_in_secret(now, unit) && !open_to(position, viewer) && !is_side(viewer, now.side(unit));
  return fooled ? SpaceId{now.get(unit, u::kCameFrom)} : position.at(unit);
}

bool EastFront::sees_space_value(const Game& game, const Position& position, const Viewer& viewer,
                                 SpaceId space, int attribute) const {
  if (attribute != h::kArrivals || open_to(position, viewer)) return true;
  const Situation now(game, position);
  // Arrivals are part of a sealed Production [sb 11].
  const SideId owner{now.get(space, h::kHeld)};
  return now.phase() != Phase::kProduction || is_side(viewer, owner);
}

bool EastFront::sees_track(const Game& game, const Position& position, const Viewer& viewer,
                           TrackId id) const {
  if (open_to(position, viewer)) return true;
  const Situation now(game, position);
  switch (static_cast<t::Track>(id.value)) {
    case t::kAxisPoints:  // spending is secret [sb 11]
    case t::kSSStep:
      return is_side(viewer, kAxis);
    case t::kSovietPoints:
      return is_side(viewer, kSoviet);
    case t::kBeachhead:  // so is what is made of the beach-head, until it lies on a coast [15.51]
      return is_side(viewer, kSoviet) ||
             (now.phase() != Phase::kProduction &&
              now.track(t::kBeachhead) == static_cast<int>(Beachhead::kDeployed));
    case t::kBeachheadAt:
    case t::kStage:
      return is_side(viewer, kSoviet) || now.phase() != Phase::kProduction;
    default:
      return true;
  }
}

bool EastFront::sees_score(const Game&, const Position& position, const Viewer& viewer) const {
  return open_to(position, viewer);  // [sb 17]
}

bool EastFront::sees_order(const Game& game, const Position& position, const Viewer& viewer,
                           const Order& order) const {
  if (open_to(position, viewer) || is_side(viewer, order.side)) return true;
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

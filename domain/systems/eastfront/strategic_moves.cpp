// Supreme moves, rail moves and the mobilisation of HQs [5.41, 5.6, 6.5, 9.2].
#include "domain/systems/eastfront/movement.h"
#include "domain/systems/eastfront/naval.h"

namespace wardiary::eastfront {
namespace {

constexpr int kRailHexesPerMove = 10;  // [6.53]

int rail_moves_for(int hexes) {
  return (hexes + kRailHexesPerMove - 1) / kRailHexesPerMove;
}

Refused no_supreme_moves() {
  return refuse("NO_SUPREME_MOVES", "5.61", "not enough supreme moves are left");
}

Refused rear_guard_by_rail() {
  return refuse("REARGUARD_BY_RAIL", "6.53", "a rear guard cannot leave by rail");
}

// What a rail move asks for besides supreme moves; `cost` gets its rail hexes.
Refused check_rail(const Situation& now, UnitId unit, std::span<const SpaceId> path, int& hexes) {
  if (path.size() < 2) return refuse("NOT_ON_RAIL", "9.21", "the path has no second hex");
  const RailCost cost = rail_path_cost(now, unit, path);
  if (cost.refused) return cost.refused;
  hexes = cost.hexes;
  for (SpaceId space : path) {
    if (!satellite_may_enter(now, unit, space)) {
      return refuse("SATELLITE_RESTRICTED", "16.4", "it may not enter " + now.name(space));
    }
  }
  if (now.is_battle(path.front())) {
    if (last_of_battle(now, unit)) return rear_guard_by_rail();
    const LinkId link = now.board().link_between(path[0], path[1]);
    if (link && now.data.link(link).passable() &&
        now.pos.get(link, l::kCrossed) >= now.engagement_limit(link, path[0])) {
      return refuse("HEXSIDE_LIMIT", "9.22", "no more units may cross this side of the battle");
    }
  }
  return check_stacking(now, unit, path.back());
}

void ride(Draft& draft, UnitId unit, std::span<const SpaceId> path) {
  const Situation now(draft);
  const bool left_battle = now.is_battle(path[0]);
  const LinkId link = now.board().link_between(path[0], path[1]);
  if (left_battle && link) draft.set(link, l::kCrossed, now.pos.get(link, l::kCrossed) + 1);
  draft.move(unit, path, "rail");
  draft.set(unit, u::kMove, static_cast<int>(Move::kRail));
  draft.set(unit, u::kStrategic, 1);
  if (left_battle) {
    draft.set(unit, u::kShown, 0);
    end_battle_if_over(draft, path[0]);
  }
}

}  // namespace

Refused decide_supreme_move(Draft& draft, const Order& move) {
  const Situation now(draft);
  const UnitId unit = move.unit("unit");
  if (auto no = check_may_move(now, move.side, unit)) return no;
  if (now.track(t::kSupremeLeft) < 1) return no_supreme_moves();
  const std::vector<SpaceId> path = full_path(now, unit, move);
  if (auto no = check_walk(now, unit, path)) return no;
  draft.add(track(t::kSupremeLeft), -1);
  walk(draft, unit, path, "supreme");
  return {};
}

Refused check_not_mixed(const Situation& now, SideId side, UnitId unit, Move other) {
  if (!unit || now.side(unit) != side || now.moved(unit) != other) return {};
  return refuse("MIX_RAIL_SEA", "6.53", "a unit moves by rail or by sea in a phase, not by both");
}

Refused decide_rail_move(Draft& draft, const Order& move) {
  const Situation now(draft);
  const UnitId unit = move.unit("unit");
  if (auto no = check_not_mixed(now, move.side, unit, Move::kSea)) return no;
  if (unit && now.side(unit) == move.side && now.is(unit, u::kRearGuard))
    return rear_guard_by_rail();
  if (auto no = check_may_move(now, move.side, unit)) return no;
  const std::vector<SpaceId> path = full_path(now, unit, move);
  int hexes = 0;
  if (auto no = check_rail(now, unit, path, hexes)) return no;
  const int moves = rail_moves_for(hexes);
  const bool too_few_named = move.has("n") && move.number("n") < moves;
  if (too_few_named || now.track(t::kSupremeLeft) < moves) return no_supreme_moves();
  draft.add(track(t::kSupremeLeft), -moves);
  ride(draft, unit, path);
  return {};
}

namespace {

// How an HQ mobilises: as the order says, or for a Supreme HQ as its path shows: along rail where
// it is too long to walk, from port to port where there is no way by land [5.62].
enum class Route { kStay, kLand, kRail, kSea };
Route route_of(const Situation& now, UnitId hq, const Order& mobilise,
               std::span<const SpaceId> path) {
  if (!mobilise.has("path")) return Route::kStay;
  if (mobilise.flag("sea")) return Route::kSea;
  if (mobilise.flag("rail")) return Route::kRail;
  if (!now.facts(hq).supreme() || path.size() < 2) return Route::kLand;
  const LinkId first = now.board().link_between(path[0], path[1]);
  if (!first && now.data.hex(path[0]).port_seas != 0) return Route::kSea;
  return static_cast<int>(path.size()) - 1 > now.speed(hq) ? Route::kRail : Route::kLand;
}

Refused check_mobilise(const Situation& now, UnitId hq, const Order& mobilise) {
  if (!hq || now.side(hq) != mobilise.side || !now.pos.on_board(hq) || !now.facts(hq).hq() ||
      now.role(hq) == Role::kInactive) {
    return refuse("HQ_NOT_ACTIVE", "5.41", "only an own active HQ can be mobilised");
  }
  if (now.is(hq, u::kBlitz)) {
    return refuse("BLITZ_HQ_STAYS", "5.7", "a Blitz HQ stays until Blitz Movement");
  }
  if (mobilise.flag("rail") && mobilise.flag("sea")) {
    return refuse("MIX_RAIL_SEA", "6.53", "an HQ mobilises by rail or by sea, not by both");
  }
  return {};
}

// The way itself, before anything is done.
Refused check_route(const Situation& now, UnitId hq, Route route, std::span<const SpaceId> path) {
  if (route == Route::kLand) {
    if (auto no = check_land_path(now, hq, path)) return no;
    return check_stacking(now, hq, path.back());
  }
  if (route != Route::kRail) return {};
  if (!now.facts(hq).supreme()) {
    return refuse("NO_SUPREME_MOVES", "5.62", "only a Supreme HQ mobilises by rail");
  }
  int hexes = 0;
  if (auto no = check_rail(now, hq, path, hexes)) return no;
  const int extra = rail_moves_for(hexes) - 1;  // the first is free [5.62]
  return now.track(t::kSupremeLeft) < extra ? no_supreme_moves() : Refused{};
}

}  // namespace

Refused decide_mobilise(Draft& draft, const Order& mobilise) {
  const Situation now(draft);
  const UnitId hq = mobilise.unit("hq");
  if (auto no = check_mobilise(now, hq, mobilise)) return no;
  const std::vector<SpaceId> path = full_path(now, hq, mobilise);
  const Route route = route_of(now, hq, mobilise, path);
  if (route == Route::kSea) return mobilise_by_sea(draft, hq, path.back());
  if (auto no = check_route(now, hq, route, path)) return no;
  const bool retreats = route == Route::kLand && last_of_battle(now, hq);
  if (now.facts(hq).supreme()) draft.set(track(t::kSupremeLeft), 0);
  deactivate(draft, hq);
  if (!now.pos.on_board(hq) || route == Route::kStay) return {};  // an HQ 0 dies of it [sb 5]
  if (route == Route::kRail) {
    ride(draft, hq, path);
  } else if (retreats) {
    wait_as_rear_guard(draft, hq, path);
  } else {
    walk(draft, hq, path, "mobilise");
  }
  draft.set(hq, u::kMove, static_cast<int>(Move::kMobilised));
  return {};
}

}  // namespace wardiary::eastfront

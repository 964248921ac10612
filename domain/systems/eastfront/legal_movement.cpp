// The moves a side may make in a movement phase. Land moves are complete up to the way taken; rail
// moves are a fair sample of destinations.
#include <algorithm>

#include "domain/systems/eastfront/movement.h"

namespace wardiary::eastfront {
namespace {

constexpr std::size_t kRailTargetsPerUnit = 12;

struct Node {
  SpaceId space;
  int parent = -1;
  PathState state;
};

std::vector<SpaceId> path_to(const std::vector<Node>& nodes, int index) {
  std::vector<SpaceId> path;
  for (int i = index; i >= 0; i = nodes[static_cast<std::size_t>(i)].parent) {
    path.push_back(nodes[static_cast<std::size_t>(i)].space);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

bool each_land_path(const Situation& now, UnitId unit, const SeePath& see) {
  const SideId foe = enemy_of(now.side(unit));
  const int speed = now.speed(unit);
  std::vector<char> reached(now.pos.space_count(), 0);
  std::vector<Node> nodes;
  Node start;
  start.space = now.at(unit);
  start.state.at = start.space;
  reached[start.space.index()] = 1;
  nodes.push_back(start);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node from = nodes[i];
    if (from.state.stopped || from.state.steps >= speed) continue;
    for (const Neighbour& step : now.board().neighbours(from.space)) {
      const bool engages = now.any_in(step.space, foe);
      // A battle may be entered over each of its hexsides; other hexes need one way only.
      if (reached[step.space.index()] && !engages) continue;
      if (check_step(now, unit, from.state, step)) continue;
      Node next;
      next.space = step.space;
      next.parent = static_cast<int>(i);
      next.state = after_step(now, unit, from.state, step);
      reached[step.space.index()] = 1;
      nodes.push_back(next);
      if (!see(path_to(nodes, static_cast<int>(nodes.size()) - 1))) return false;
    }
  }
  return true;
}

namespace {

// What the lists of one movement phase share.
struct Movers {
  const Situation& now;
  SideId side;
  std::vector<int> stacked;  // by space
  RailNet net;               // empty without supreme moves

  bool has_room(SpaceId to) const { return stacked[to.index()] < now.stacking_limit(to); }
};

// Land moves of a unit under command, by supreme move, or as rear guard.
bool see_land_moves(const Movers& movers, UnitId unit, bool commanded, const SeeOrder& see) {
  const Situation& now = movers.now;
  const bool rear_guard = last_of_battle(now, unit);
  const char* type = rear_guard ? "DesignateRearGuard" : commanded ? "MoveUnit" : "SupremeMove";
  return each_land_path(now, unit, [&](std::span<const SpaceId> path) {
    if (!movers.has_room(path.back())) return true;
    Order move = order(type, movers.side);
    move.with("unit", unit).with("path", path);
    if (rear_guard) move.with("battleHex", now.at(unit));
    return see(move);
  });
}

// Every hex that ten hexes of the net reach from here, with the hex before it on the way.
struct RailReach {
  std::vector<SpaceId> hexes;  // nearest first, beginning with the start
  std::vector<int> parent;     // index into hexes
};
RailReach rail_reach(const Situation& now, const RailNet& net, SpaceId start) {
  constexpr int kHexesMost = 10;
  RailReach out;
  std::vector<char> seen(now.pos.space_count(), 0);
  out.hexes.push_back(start);
  out.parent.push_back(-1);
  seen[start.index()] = 1;
  std::size_t next = 0;
  for (int step = 0; step < kHexesMost; ++step) {
    const std::size_t ring = out.hexes.size();
    for (; next < ring; ++next) {
      const SpaceId from = out.hexes[next];
      if (from != start && now.is_battle(from)) continue;  // not through a battle [9.21]
      for (SpaceId to : now.data.rail.from(from)) {
        if (seen[to.index()] || !net.in[to.index()]) continue;
        seen[to.index()] = 1;
        out.hexes.push_back(to);
        out.parent.push_back(static_cast<int>(next));
      }
    }
  }
  return out;
}

// Destinations spread evenly over what ten hexes of rail reach.
bool see_rail_moves(const Movers& movers, UnitId unit, const SeeOrder& see) {
  const Situation& now = movers.now;
  const SpaceId start = now.at(unit);
  if (!movers.net.in[start.index()] || last_of_battle(now, unit)) return true;
  const RailReach reach = rail_reach(now, movers.net, start);
  const std::size_t near = now.data.rail.from(start).size();  // those it could walk to
  const std::size_t targets = reach.hexes.size() > near ? reach.hexes.size() - near : 0;
  const std::size_t stride = std::max<std::size_t>(1, targets / kRailTargetsPerUnit);
  for (std::size_t i = 1 + unit.index() % stride; i < reach.hexes.size(); i += stride) {
    const SpaceId to = reach.hexes[i];
    if (reach.parent[i] == 0 || now.is_battle(to) || !movers.has_room(to)) continue;
    std::vector<SpaceId> path;
    for (int at = static_cast<int>(i); at >= 0; at = reach.parent[static_cast<std::size_t>(at)]) {
      path.push_back(reach.hexes[static_cast<std::size_t>(at)]);
    }
    std::reverse(path.begin(), path.end());
    const LinkId link = now.board().link_between(path[0], path[1]);
    const bool crowded = now.is_battle(path[0]) &&
                         now.pos.get(link, l::kCrossed) >= now.engagement_limit(link, path[0]);
    const bool barred = std::any_of(path.begin(), path.end(), [&](SpaceId hex) {
      return !satellite_may_enter(now, unit, hex);
    });
    if (crowded || barred) continue;
    Order move = order("RailMove", movers.side);
    if (!see(move.with("unit", unit).with("path", std::span<const SpaceId>(path)))) return false;
  }
  return true;
}

bool see_mobilisations(const Movers& movers, UnitId hq, const SeeOrder& see) {
  const Situation& now = movers.now;
  if (now.role(hq) == Role::kInactive || now.is(hq, u::kBlitz)) return true;
  if (!see(order("MobiliseHQ", movers.side).with("hq", hq))) return false;
  return each_land_path(now, hq, [&](std::span<const SpaceId> path) {
    if (!movers.has_room(path.back())) return true;
    return see(order("MobiliseHQ", movers.side).with("hq", hq).with("path", path));
  });
}

}  // namespace

void legal_movement(const Situation& now, SideId side, const SeeOrder& see) {
  std::vector<char> commanded(now.pos.space_count(), 0);
  for (UnitId hq : now.units_of(side)) {
    if (!commands_movement(now, hq)) continue;
    const std::vector<char> reach = movement_reach(now, hq);
    for (std::size_t i = 0; i < reach.size(); ++i) commanded[i] |= reach[i];
  }
  const bool supreme = now.track(t::kSupremeLeft) > 0;
  const Movers movers{now, side, stacks(now, side), supreme ? rail_net(now, side) : RailNet{}};
  bool go_on = true;
  const SeeOrder seen = [&](const Order& move) { return go_on = see(move); };
  for (UnitId unit : now.units_of(side)) {
    if (!see_mobilisations(movers, unit, seen)) return;
    if (check_may_move(now, side, unit)) continue;
    const bool in_radius =
        commanded[now.at(unit).index()] && now.facts(unit).type != UnitType::kStatic;
    if ((in_radius || supreme) && !see_land_moves(movers, unit, in_radius, seen)) return;
    if (supreme && !see_rail_moves(movers, unit, seen)) return;
  }
  legal_para(now, side, seen);
  if (go_on) legal_naval(now, side, seen);
  if (go_on && overstacked(now, side).empty()) see(order("EndMovement", side));
}

}  // namespace wardiary::eastfront

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

bool has_room(const Situation& now, SpaceId to, SideId side) {
  return stack_in(now, to, side) < now.stacking_limit(to);
}

// Land moves of a unit under command, by supreme move, or as rear guard.
bool see_land_moves(const Situation& now, UnitId unit, bool commanded, const SeeOrder& see) {
  const SideId side = now.side(unit);
  const bool rear_guard = last_of_battle(now, unit);
  const char* type = rear_guard ? "DesignateRearGuard" : commanded ? "MoveUnit" : "SupremeMove";
  return each_land_path(now, unit, [&](std::span<const SpaceId> path) {
    if (!has_room(now, path.back(), side)) return true;
    Order move = order(type, side);
    move.with("unit", unit).with("path", path);
    if (rear_guard) move.with("battleHex", now.at(unit));
    return see(move);
  });
}

// Destinations spread evenly over what ten hexes of rail reach.
bool see_rail_moves(const Situation& now, UnitId unit, const RailNet& net, const SeeOrder& see) {
  const SideId side = now.side(unit);
  if (!net.in[now.at(unit).index()] || last_of_battle(now, unit)) return true;
  const auto may_cross = [&](SpaceId from, const Neighbour& step) {
    const bool through_battle = from != now.at(unit) && now.is_battle(from);
    return !through_battle && now.data.link(step.link).rail && net.in[step.space.index()];
  };
  const std::vector<std::int16_t> distance = now.board().distances(now.at(unit), 10, may_cross);
  std::vector<SpaceId> targets;
  for (std::size_t i = 0; i < distance.size(); ++i) {
    const SpaceId to{static_cast<int>(i)};
    if (distance[i] > 1 && !now.is_battle(to) && has_room(now, to, side)) targets.push_back(to);
  }
  const std::size_t stride = std::max<std::size_t>(1, targets.size() / kRailTargetsPerUnit);
  for (std::size_t i = unit.index() % stride; i < targets.size(); i += stride) {
    const std::vector<SpaceId> path = now.board().path(now.at(unit), targets[i], may_cross);
    if (path.size() < 2 || rail_path_cost(now, unit, path).refused) continue;
    const LinkId link = now.board().link_between(path[0], path[1]);
    const bool crowded = now.is_battle(path[0]) &&
                         now.pos.get(link, l::kCrossed) >= now.engagement_limit(link, path[0]);
    const bool barred = std::any_of(path.begin(), path.end(), [&](SpaceId hex) {
      return !satellite_may_enter(now, unit, hex);
    });
    if (crowded || barred) continue;
    Order move = order("RailMove", side);
    if (!see(move.with("unit", unit).with("path", std::span<const SpaceId>(path)))) return false;
  }
  return true;
}

bool see_mobilisations(const Situation& now, UnitId hq, const SeeOrder& see) {
  if (now.role(hq) == Role::kInactive || now.is(hq, u::kBlitz)) return true;
  if (!see(order("MobiliseHQ", now.side(hq)).with("hq", hq))) return false;
  return each_land_path(now, hq, [&](std::span<const SpaceId> path) {
    if (!has_room(now, path.back(), now.side(hq))) return true;
    return see(order("MobiliseHQ", now.side(hq)).with("hq", hq).with("path", path));
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
  const RailNet net = supreme ? rail_net(now, side) : RailNet{};
  bool go_on = true;
  const SeeOrder seen = [&](const Order& move) { return go_on = see(move); };
  for (UnitId unit : now.units_of(side)) {
    if (!see_mobilisations(now, unit, seen)) return;
    if (check_may_move(now, side, unit)) continue;
    const bool in_radius =
        commanded[now.at(unit).index()] && now.facts(unit).type != UnitType::kStatic;
    if ((in_radius || supreme) && !see_land_moves(now, unit, in_radius, seen)) return;
    if (supreme && !see_rail_moves(now, unit, net, seen)) return;
  }
  legal_para(now, side, seen);
  if (go_on) legal_naval(now, side, seen);
  if (!go_on) return;
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    const SpaceId space{static_cast<int>(i)};
    if (now.data.hex(space).playable && must_unstack(now, space, side)) return;
  }
  see(order("EndMovement", side));
}

}  // namespace wardiary::eastfront

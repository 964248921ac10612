// Rail lines and the sea lines that join them [9, 15.3].
#include <algorithm>

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {
namespace {

// Floods a side's net: by rail from hex to hex, and by sea from port to port.
class Flood {
 public:
  Flood(const Situation& now, SideId side) : now_(now), side_(side), battle_(battle_hexes(now)) {
    const std::size_t hexes = now.pos.space_count();
    net_.in.assign(hexes, 0);
    net_.siege_only.assign(hexes, 0);
    net_.from.assign(hexes, SpaceId{});
    todo_.reserve(hexes);
  }

  RailNet run() {
    for (std::size_t i = 0; i < net_.in.size(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      if (now_.data.hexes[i].supply_source == side_ && now_.friendly(hex, side_)) {
        add(hex, SpaceId{});
      }
    }
    by_rail();
    // Sea lines can open new rail, which can open new ports: until nothing is added.
    while (by_sea()) by_rail();
    return std::move(net_);
  }

  static std::vector<char> battle_hexes(const Situation& now) {
    std::vector<char> out(now.pos.space_count(), 0);
    for (SpaceId hex : now.battles()) out[hex.index()] = 1;
    return out;
  }

 private:
  void add(SpaceId hex, SpaceId from) {
    net_.in[hex.index()] = 1;
    net_.from[hex.index()] = from;
    todo_.push_back(hex);
  }

  void by_rail() {
    for (; next_ < todo_.size(); ++next_) {
      const SpaceId from = todo_[next_];
      if (battle_[from.index()]) continue;  // to a friendly battle hex, not through it [9.12]
      for (SpaceId next : now_.data.rail.from(from)) {
        if (!now_.friendly(next, side_)) continue;
        if (!net_.in[next.index()]) add(next, from);
        net_.siege_only[next.index()] = 0;  // rail reaches it after all
      }
    }
  }

  bool by_sea() {
    bool added = false;
    if (now_.data.rulings.naval) {
      for (const auto& ports : sea_basins(now_, side_)) added |= join(ports);
    }
    // [W44 1] Courland lives by sea from Danzig, whatever the naval option says.
    const SpaceId danzig = now_.data.danzig;
    if (side_ == kAxis && now_.period().courland && danzig && now_.data.ventspils &&
        !battle_[danzig.index()]) {
      const SpaceId ports[] = {danzig, now_.data.ventspils};
      added |= join(ports);
    }
    return added;
  }

  // Friendly ports of one basin: if one of them is in the net and free of battle, all are [15.3].
  bool join(std::span<const SpaceId> ports) {
    const auto start = std::find_if(ports.begin(), ports.end(), [&](SpaceId port) {
      return net_.in[port.index()] && !battle_[port.index()];
    });
    if (start == ports.end()) return false;
    bool added = false;
    for (SpaceId port : ports) {
      if (net_.in[port.index()] || !now_.friendly(port, side_)) continue;
      add(port, *start);
      if (battle_[port.index()]) net_.siege_only[port.index()] = 1;  // [15.31]
      added = true;
    }
    return added;
  }

  const Situation& now_;
  SideId side_;
  std::vector<char> battle_;
  RailNet net_;
  std::vector<SpaceId> todo_;
  std::size_t next_ = 0;
};

// Rail hexes that a stretch off the map between two entries of the home edge counts for [9.5];
// -1 if there is no such stretch. Edge hexes strictly between count.
int off_map_stretch(const Situation& now, SideId side, SpaceId a, SpaceId b) {
  const auto on_edge = [&](std::size_t i) {
    return side == kAxis ? now.data.hexes[i].west_edge : now.data.hexes[i].east_edge;
  };
  if (!on_edge(a.index()) || !on_edge(b.index()) || !now.data.hex(a).rail_entry ||
      !now.data.hex(b).rail_entry) {
    return -1;
  }
  // The board lists its hexes row by row, so hexes of one edge come in order along it.
  const std::size_t low = std::min(a.index(), b.index());
  const std::size_t high = std::max(a.index(), b.index());
  int between = 0;
  for (std::size_t i = low + 1; i < high; ++i) between += on_edge(i) ? 1 : 0;
  return between * now.data.rulings.off_map_rail_per_hex;
}

bool has_rail(const Situation& now, SpaceId hex) {
  return !now.data.rail.from(hex).empty();
}

}  // namespace

bool sea_controlled(const Situation& now, SideId side, int sea) {
  const SeaArea& area = now.data.seas[static_cast<std::size_t>(sea)];
  if (side == kAxis && !area.axis_may_use) return false;  // [sb 15]
  return now.friendly(area.base, side);                   // [15.1]
}

bool strait_open(const Situation& now, SideId side, int from, int to) {
  const SeaArea& a = now.data.seas[static_cast<std::size_t>(from)];
  const SeaArea& b = now.data.seas[static_cast<std::size_t>(to)];
  if (a.strait.empty() || b.strait.empty()) return true;
  for (SpaceId hex : a.strait) {
    if (now.enemy_held(hex, side)) return false;  // any adjoining land hex [1.39]
  }
  return true;
}

std::vector<std::vector<SpaceId>> sea_basins(const Situation& now, SideId side) {
  const int seas = static_cast<int>(now.data.seas.size());
  std::vector<char> done(now.data.seas.size(), 0);
  std::vector<std::vector<SpaceId>> out;
  for (int start = 0; start < seas; ++start) {
    if (done[static_cast<std::size_t>(start)] || !sea_controlled(now, side, start)) continue;
    std::vector<int> basin{start};
    done[static_cast<std::size_t>(start)] = 1;
    out.emplace_back();
    for (std::size_t i = 0; i < basin.size(); ++i) {
      const SeaArea& area = now.data.seas[static_cast<std::size_t>(basin[i])];
      out.back().insert(out.back().end(), area.ports.begin(), area.ports.end());
      for (int next : area.adjacent) {
        if (done[static_cast<std::size_t>(next)] || !sea_controlled(now, side, next) ||
            !strait_open(now, side, basin[i], next)) {
          continue;
        }
        done[static_cast<std::size_t>(next)] = 1;
        basin.push_back(next);
      }
    }
  }
  return out;
}

RailNet rail_net(const Situation& now, SideId side) {
  return Flood(now, side).run();
}

RailCost rail_path_cost(const Situation& now, UnitId unit, std::span<const SpaceId> path) {
  const SideId side = now.side(unit);
  const bool pockets = now.data.rulings.rail_in_pockets;
  const RailNet net = rail_net(now, side);
  const auto usable = [&](SpaceId hex) {
    return pockets ? now.friendly(hex, side) : net.in[hex.index()] != 0;
  };
  if (path.size() < 2 || path.front() != now.at(unit) || !has_rail(now, path.front()) ||
      !usable(path.front())) {
    return {refuse("NOT_ON_RAIL", "9.21", "the unit does not start on a friendly rail line"), 0};
  }
  int hexes = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const SpaceId from = path[i - 1];
    const SpaceId to = path[i];
    if (now.is_battle(to)) {
      return {refuse("RAIL_INTO_BATTLE", "9.21", now.name(to) + " holds a battle"), 0};
    }
    if (!usable(to)) {
      return {refuse("RAIL_BLOCKED", "9.12", now.name(to) + " is not on a friendly rail line"), 0};
    }
    const LinkId link = now.board().link_between(from, to);
    if (link && now.data.link(link).rail) {
      hexes += 1;
      continue;
    }
    const int outside = off_map_stretch(now, side, from, to);
    if (outside < 0) {
      const std::string text = "no rail from " + now.name(from) + " to " + now.name(to);
      return {refuse("RAIL_BLOCKED", "9.21", text), 0};
    }
    hexes += outside;
  }
  return {std::nullopt, hexes};
}

std::vector<SpaceId> rail_way(const Situation& now, const RailNet& net, SpaceId from, SpaceId to) {
  return now.board().path(from, to, [&](SpaceId, const Neighbour& step) {
    return now.data.link(step.link).rail && net.in[step.space.index()] &&
           !now.is_battle(step.space);
  });
}

}  // namespace wardiary::eastfront

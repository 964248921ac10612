// Naval power [15], optional: moves between ports, invasions, evacuations. Sea supply is part of
// the rail net (rail.cpp), sea assaults and their repulses are fought with the other battles.
#include <algorithm>

#include "domain/systems/eastfront/chapters.h"
#include "domain/systems/eastfront/movement.h"
#include "domain/systems/eastfront/naval.h"

namespace wardiary::eastfront {
namespace {

Refused need_naval(const Situation& now) {
  if (now.data.rulings.naval) return std::nullopt;
  return refuse("SEA_NOT_CONTROLLED", "15.0", "this game is played without naval power");
}

// A deployed beach-head outside battle is a minor port for moves [15.51].
bool beachhead_port(const Situation& now, SpaceId hex) {
  return now.track(t::kBeachhead) == static_cast<int>(Beachhead::kDeployed) &&
         now.track(t::kBeachheadAt) == hex.value && !now.is_battle(hex);
}

std::uint16_t port_seas(const Situation& now, SpaceId hex) {
  const HexFacts& facts = now.data.hex(hex);
  return facts.port_seas != 0 || !beachhead_port(now, hex) ? facts.port_seas : facts.seas;
}

int port_capacity(const Situation& now, SpaceId hex) {
  return now.data.hex(hex).port == PortClass::kMajor ? 2 : 1;  // [15.21]
}

// Seas of `bits` that the side may sail.
std::uint16_t sailable(const Situation& now, SideId side, std::uint16_t bits) {
  std::uint16_t out = 0;
  for (std::size_t i = 0; i < now.data.seas.size(); ++i) {
    const auto bit = static_cast<std::uint16_t>(1u << i);
    if ((bits & bit) != 0 && sea_controlled(now, side, static_cast<int>(i))) {
      out = static_cast<std::uint16_t>(out | bit);
    }
  }
  return out;
}

// Fewest sea areas between ports that touch these seas; 0 if there is no way.
int fewest_areas(const Situation& now, SideId side, std::uint16_t from, std::uint16_t to,
                 bool straits_count) {
  std::uint16_t reached = sailable(now, side, from);
  for (int areas = 1; reached != 0; ++areas) {
    if ((reached & to) != 0) return areas;
    std::uint16_t wider = reached;
    for (std::size_t i = 0; i < now.data.seas.size(); ++i) {
      if ((reached & (1u << i)) == 0) continue;
      for (int next : now.data.seas[i].adjacent) {
        const bool open = !straits_count || strait_open(now, side, static_cast<int>(i), next);
        if (open && sea_controlled(now, side, next)) {
          wider = static_cast<std::uint16_t>(wider | (1u << next));
        }
      }
    }
    if (wider == reached) return 0;
    reached = wider;
  }
  return 0;
}

Refused check_port(const Situation& now, SideId side, SpaceId port, const char* rule) {
  if (port_seas(now, port) == 0 || !now.friendly(port, side)) {
    return refuse("BAD_PORT", rule, now.name(port) + " is no friendly port");
  }
  if (now.get(port, h::kPortUsed) >= port_capacity(now, port)) {
    return refuse("PORT_CAPACITY", "15.21", now.name(port) + " can handle no more units this turn");
  }
  return std::nullopt;
}

// Infantry-type units may land: A-49.
bool may_land(UnitType type, Rulings::Landing ruling) {
  if (type == UnitType::kInfantry || type == UnitType::kCoastal) return true;
  if (ruling == Rulings::Landing::kInfantryOnly) return false;
  if (type == UnitType::kMountain || type == UnitType::kPara) return true;
  return ruling == Rulings::Landing::kAllFoot &&
         (type == UnitType::kShock || type == UnitType::kStatic);
}

// Would a strait that the enemy holds have to be passed between these seas [1.39]?
bool strait_between(const Situation& now, SideId side, std::uint16_t from, std::uint16_t to) {
  for (std::size_t i = 0; i < now.data.seas.size(); ++i) {
    if ((from & (1u << i)) == 0) continue;
    for (int next : now.data.seas[i].adjacent) {
      if ((to & (1u << next)) != 0 && !strait_open(now, side, static_cast<int>(i), next)) {
        return true;
      }
    }
  }
  return false;
}

Refused check_invasion_hq(const Situation& now, SideId side, UnitId hq, const char* code) {
  const bool right = hq && now.side(hq) == side && now.pos.on_board(hq) &&
                     now.role(hq) == Role::kInvasion && !now.is(hq, u::kCommandUsed);
  if (right) return std::nullopt;
  return refuse(code, "15.41", "no Invasion HQ with a movement left is there");
}

Refused check_beach(const Situation& now, SideId side, UnitId hq, SpaceId hex) {
  const HexFacts& beach = now.data.hex(hex);
  const Terrain terrain =
      now.data.rulings.mud_stops_invasions ? now.terrain(hex) : beach.terrain;
  if (!beach.playable || !beach.coastal || beach.shoal || beach.terrain == Terrain::kMountain ||
      beach.terrain == Terrain::kSwamp || terrain == Terrain::kSwamp || hex == now.at(hq)) {
    return refuse("BAD_BEACH", "15.42", now.name(hex) + " cannot be invaded");
  }
  const auto shared = static_cast<std::uint16_t>(beach.seas & now.data.hex(now.at(hq)).port_seas);
  if (shared == 0) {
    if (strait_between(now, side, now.data.hex(now.at(hq)).port_seas, beach.seas)) {
      return refuse("STRAIT_CLOSED", "15.42", "the enemy holds land at the strait");
    }
    return refuse("BAD_BEACH", "15.41", now.name(hex) + " is not on the sea of that port");
  }
  if (sailable(now, side, shared) == 0) {
    return refuse("SEA_NOT_CONTROLLED", "15.1", "the naval base of that sea is not yours");
  }
  // In Blitz Movement only the hex invaded before, or the one marked then [15.41].
  if (now.phase() == Phase::kBlitzMovement && now.get(hq, u::kInvades) != hex.value) {
    return refuse("TARGET_NOT_MARKED", "15.41", now.name(hex) + " was not marked beforehand");
  }
  if (now.any_in(hex, enemy_of(side)) && now.get(hex, h::kInvaders) > 0) {
    return refuse("INVADER_LIMIT", "15.42", "one unit invades a defended hex in a phase");
  }
  return std::nullopt;
}

Refused check_invasion(const Situation& now, SideId side, UnitId unit, SpaceId hex, UnitId hq) {
  if (Refused no = need_naval(now)) return no;
  if (Refused no = check_may_move(now, side, unit)) return no;
  if (Refused no = check_invasion_hq(now, side, hq, "NO_INVASION_HQ")) return no;
  if (!may_land(now.facts(unit).type, now.data.rulings.landing)) {
    return refuse("NOT_INFANTRY_TYPE", "15.41", "only infantry can invade");
  }
  if (now.at(unit) != now.at(hq)) {
    return refuse("NOT_IN_PORT", "15.41", "the unit is not in the port of the Invasion HQ");
  }
  if (last_of_battle(now, unit)) {
    return refuse("REARGUARD_REQUIRED", "6.41", "the last unit cannot leave a battle that way");
  }
  if (Refused no = check_beach(now, side, hq, hex)) return no;
  if (!satellite_may_enter(now, unit, hex)) {
    return refuse("SATELLITE_RESTRICTED", "16.4", "it may not enter " + now.name(hex));
  }
  return check_stacking(now, unit, hex);
}

Refused check_evacuation(const Situation& now, SideId side, UnitId unit, SpaceId port, UnitId hq) {
  if (Refused no = need_naval(now)) return no;
  if (Refused no = check_may_move(now, side, unit)) return no;
  if (Refused no = check_invasion_hq(now, side, hq, "NO_INVASION_HQ")) return no;
  if (now.at(hq) != port || !now.friendly(port, side)) {
    return refuse("NO_INVASION_HQ", "15.6", "the Invasion HQ must be in the friendly port");
  }
  const HexFacts& coast = now.data.hex(now.at(unit));
  const auto shared = static_cast<std::uint16_t>(coast.seas & now.data.hex(port).port_seas);
  if (shared == 0 || now.at(unit) == port) {
    return refuse("STRAIT_CLOSED", "15.6", "the unit is not on the coast of that sea");
  }
  if (sailable(now, side, shared) == 0) {
    return refuse("SEA_NOT_CONTROLLED", "15.1", "the naval base of that sea is not yours");
  }
  if (!satellite_may_enter(now, unit, port)) {
    return refuse("SATELLITE_RESTRICTED", "16.4", "it may not enter " + now.name(port));
  }
  return check_stacking(now, unit, port);
}

struct SeaRoute {
  Refused refused;
  int areas = 0;
};

// A sea area by its id or its name, "azov" or "Sea of Azov"; -1 if there is none.
int sea_named(const Situation& now, std::string_view wanted) {
  const auto trimmed = [](std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  };
  wanted = trimmed(wanted);
  for (std::size_t i = 0; i < now.data.seas.size(); ++i) {
    const SeaArea& area = now.data.seas[i];
    if (area.id == wanted || area.name == wanted) return static_cast<int>(i);
  }
  return -1;
}

// The areas a player named, "azov, East Black Sea": each controlled, one beside the other.
SeaRoute named_route(const Situation& now, SideId side, std::uint16_t from, std::uint16_t to,
                     const std::string& names) {
  std::vector<int> route;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    const std::string name = names.substr(at, end - at);
    const int sea = sea_named(now, name);
    if (sea < 0) {
      return {refuse("SEA_NOT_CONTROLLED", "15.2", "there is no sea area " + name), 0};
    }
    route.push_back(sea);
    at = end + 1;
  }
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (!sea_controlled(now, side, route[i])) {
      return {refuse("SEA_NOT_CONTROLLED", "15.1", "you do not control that sea"), 0};
    }
    if (i == 0) continue;
    const auto& beside = now.data.seas[static_cast<std::size_t>(route[i - 1])].adjacent;
    if (std::find(beside.begin(), beside.end(), route[i]) == beside.end()) {
      return {refuse("SEA_NOT_CONTROLLED", "15.2", "those areas do not adjoin"), 0};
    }
    if (!strait_open(now, side, route[i - 1], route[i])) {
      return {refuse("STRAIT_CLOSED", "1.39", "the enemy holds land at the strait"), 0};
    }
  }
  if (route.empty() || (from & (1u << route.front())) == 0 || (to & (1u << route.back())) == 0) {
    return {refuse("SEA_NOT_CONTROLLED", "15.2", "the areas do not join the two ports"), 0};
  }
  return {std::nullopt, static_cast<int>(route.size())};
}

// The cheapest way over controlled seas.
SeaRoute best_route(const Situation& now, SideId side, std::uint16_t from, std::uint16_t to) {
  const int areas = fewest_areas(now, side, from, to, true);
  if (areas > 0) return {std::nullopt, areas};
  if (fewest_areas(now, side, from, to, false) > 0) {
    return {refuse("STRAIT_CLOSED", "1.39", "the enemy holds land at the strait"), 0};
  }
  return {refuse("SEA_NOT_CONTROLLED", "15.1", "no way over seas you control"), 0};
}

// From port to port, `names` the areas or empty; `moves` supreme moves are there [15.2].
SeaRoute sea_route(const Situation& now, UnitId unit, SpaceId to, const std::string& names,
                   int moves) {
  if (Refused no = need_naval(now)) return {no, 0};
  const SideId side = now.side(unit);
  const SpaceId from = now.at(unit);
  if (Refused no = check_port(now, side, from, "15.2")) return {no, 0};
  if (now.is_battle(to)) {
    return {refuse("PORT_IN_BATTLE", "15.2", now.name(to) + " holds a battle"), 0};
  }
  if (Refused no = check_port(now, side, to, "15.2")) return {no, 0};
  if (from == to) return {refuse("BAD_PORT", "15.2", "it is there already"), 0};
  if (last_of_battle(now, unit)) {
    return {refuse("REARGUARD_REQUIRED", "15.2", "a naval move may not be a retreat"), 0};
  }
  const std::uint16_t start = port_seas(now, from);
  const std::uint16_t goal = port_seas(now, to);
  const SeaRoute route = names.empty() ? best_route(now, side, start, goal)
                                       : named_route(now, side, start, goal, names);
  if (route.refused) return route;
  if (route.areas > moves) {
    return {refuse("NO_SUPREME_MOVES", "15.2", "one supreme move for each sea area"), 0};
  }
  if (!satellite_may_enter(now, unit, to)) {
    return {refuse("SATELLITE_RESTRICTED", "16.4", "it may not enter " + now.name(to)), 0};
  }
  return {check_stacking(now, unit, to), route.areas};
}

void use_port(Draft& draft, SpaceId port) {
  draft.set(port, h::kPortUsed, draft->get(port, h::kPortUsed) + 1);
}

// Moves by sea; a battle left behind goes on without the unit.
void sail(Draft& draft, UnitId unit, SpaceId to, std::string_view how) {
  const SpaceId from = draft->at(unit);
  const bool left_battle = Situation(draft).is_battle(from);
  const SpaceId path[] = {from, to};
  draft.move(unit, path, how);
  draft.set(unit, u::kMove, static_cast<int>(Move::kSea));
  if (!left_battle) return;
  draft.set(unit, u::kShown, 0);
  end_battle_if_over(draft, from);
}

Refused sea_move(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const SpaceId to = order.space("toPort");
  if (Refused no = need_naval(now)) return no;
  if (Refused no = check_not_mixed(now, order.side, unit, Move::kRail)) return no;
  if (Refused no = check_may_move(now, order.side, unit)) return no;
  const SeaRoute route =
      sea_route(now, unit, to, order.text("seaAreas"), now.track(t::kSupremeLeft));
  if (route.refused) return route.refused;
  const SpaceId from = now.at(unit);
  if (order.has("fromPort") && order.space("fromPort") != from) {
    return refuse("BAD_PORT", "15.2", "the unit is not in that port");
  }
  use_port(draft, from);
  use_port(draft, to);
  draft.add(track(t::kSupremeLeft), -route.areas);
  sail(draft, unit, to, "sea");
  draft.set(unit, u::kStrategic, 1);
  return std::nullopt;
}

Refused invade(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const UnitId hq = order.unit("hq");
  const SpaceId hex = order.space("hex");
  if (Refused no = check_invasion(now, order.side, unit, hex, hq)) return no;
  SpaceId mark = hex;
  if (order.has("blitzTarget")) {
    if (!now.is(hq, u::kBlitz)) {
      return refuse("TARGET_NOT_MARKED", "15.41", "only a Blitz HQ marks a second target");
    }
    mark = order.space("blitzTarget");
    if (Refused no = check_beach(now, order.side, hq, mark)) return no;
  }
  const SpaceId from = now.at(unit);
  sail(draft, unit, hex, "invasion");
  draft.set(hq, u::kCommandUsed, 1);
  if (now.is(hq, u::kBlitz)) draft.set(hq, u::kInvades, mark.value);
  draft.set(hex, h::kInvaders, now.get(hex, h::kInvaders) + 1);
  // Where the Coastal Army landed its beach-head may follow [15.51].
  if (now.facts(unit).type == UnitType::kCoastal) draft.set(unit, u::kInvades, hex.value);
  if (now.any_in(hex, enemy_of(order.side))) enter_battle(draft, unit, from, Entry::kSea);
  return std::nullopt;
}

Refused evacuate(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const UnitId hq = order.unit("hq");
  const SpaceId port = order.space("toPort");
  if (Refused no = check_evacuation(now, order.side, unit, port, hq)) return no;
  draft.set(hq, u::kCommandUsed, 1);
  // Only a retreat is pursued, at the speed of the ships [15.6].
  const int speed = now.facts(unit).type == UnitType::kCoastal ? 2 : 1;
  if (last_of_battle(now, unit) && !pursue(draft, unit, speed)) return std::nullopt;
  sail(draft, unit, port, "evacuation");
  return std::nullopt;
}

}  // namespace

Refused check_invasion_role(const Situation& now, UnitId hq) {
  if (Refused no = need_naval(now)) {
    return refuse("NOT_IN_PORT", "15.0", "this game is played without naval power");
  }
  if (now.facts(hq).supreme() && !now.data.rulings.shq_may_invade) {
    return refuse("NOT_IN_PORT", "15.41", "a Supreme HQ leads no invasion here (A-51)");
  }
  const SpaceId hex = now.at(hq);
  if (now.data.hex(hex).port_seas == 0 || !now.friendly(hex, now.side(hq))) {
    return refuse("NOT_IN_PORT", "15.41", "an Invasion HQ must start the phase in a friendly port");
  }
  return std::nullopt;
}

bool invasion_supports(const Situation& now, UnitId hq, SpaceId battle) {
  const int radius = now.effective_cmd(hq);
  const auto& board = now.board();
  // From the port over sea hexes; sea hexsides join what lies beside them [15.41].
  const std::vector<std::int16_t> steps =
      board.distances(now.at(hq), std::max(radius, 0), [&](SpaceId from, const Neighbour& step) {
        const bool start = from == now.at(hq);
        if (!start && now.data.hex(from).terrain != Terrain::kSea) return false;
        return now.data.link(step.link).border == Border::kSea;
      });
  return radius >= 0 && steps[battle.index()] >= 0;
}

Refused mobilise_by_sea(Draft& draft, UnitId hq, SpaceId to) {
  const Situation now(draft);
  if (!now.facts(hq).supreme()) {
    return refuse("NO_SUPREME_MOVES", "5.62", "only a Supreme HQ mobilises by sea");
  }
  // The first area is free, more cost the supreme moves kept for it [5.62].
  const SeaRoute route = sea_route(now, hq, to, "", now.track(t::kSupremeLeft) + 1);
  if (route.refused) return route.refused;
  const SpaceId from = now.at(hq);
  draft.set(track(t::kSupremeLeft), 0);
  deactivate(draft, hq);
  if (!now.pos.on_board(hq)) return std::nullopt;  // an HQ 0 dies of it [sb 5]
  use_port(draft, from);
  use_port(draft, to);
  sail(draft, hq, to, "sea");
  draft.set(hq, u::kStrategic, 1);
  draft.set(hq, u::kMove, static_cast<int>(Move::kMobilised));
  return std::nullopt;
}

Refused decide_naval(Draft& draft, const Order& order) {
  if (order.is("SeaMove")) return sea_move(draft, order);
  if (order.is("InvadeBySea")) return invade(draft, order);
  return evacuate(draft, order);
}

namespace {

bool legal_for_hq(const Situation& now, SideId side, UnitId hq, const SeeOrder& see) {
  for (UnitId unit : now.units_of(side)) {
    const SpaceId port = now.at(hq);
    if (!check_evacuation(now, side, unit, port, hq)) {
      Order leave = order("EvacuateBySea", side);
      if (!see(leave.with("unit", unit).with("toPort", port).with("hq", hq))) return false;
    }
    if (now.at(unit) != port) continue;
    for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      if (!now.data.hexes[i].coastal || check_invasion(now, side, unit, hex, hq)) continue;
      Order land = order("InvadeBySea", side);
      if (!see(land.with("unit", unit).with("hex", hex).with("hq", hq))) return false;
    }
  }
  return true;
}

}  // namespace

void legal_naval(const Situation& now, SideId side, const SeeOrder& see) {
  if (!now.data.rulings.naval) return;
  for (UnitId hq : now.units_of(side)) {
    if (now.role(hq) == Role::kInvasion && !legal_for_hq(now, side, hq, see)) return;
  }
  if (now.track(t::kSupremeLeft) == 0) return;
  for (UnitId unit : now.units_of(side)) {
    if (port_seas(now, now.at(unit)) == 0 || check_may_move(now, side, unit)) continue;
    for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
      const SpaceId to{static_cast<int>(i)};
      if (port_seas(now, to) == 0) continue;
      if (sea_route(now, unit, to, "", now.track(t::kSupremeLeft)).refused) continue;
      if (!see(order("SeaMove", side).with("unit", unit).with("toPort", to))) return;
    }
  }
}

}  // namespace wardiary::eastfront

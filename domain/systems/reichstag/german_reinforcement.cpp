// German reinforcement phases: the roll for static units [7.3, 7.4], snipers, emergency airfields
// and depots [16.3, 16.5, 16.7], and the relief groups of scenario 22.
#include <algorithm>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

constexpr std::uint32_t kDrawsUpTo = 2;  // [7.3]
constexpr int kNeverArrives = 6;         // [22.1]

bool germans_near(const Situation& now, const Field& field, SpaceId hex) {
  if (field.germans_in(hex)) return true;
  for (const Neighbour& next : now.board().neighbours(hex)) {
    const bool same = !now.data.link(next.link).boundary && !now.is_reichstag(next.space);
    if (same && field.germans_in(next.space)) return true;
  }
  return false;
}

// Where any German piece may come back or in: the sector of these turns, no Soviets, room.
Refused ground_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  if (now.is_reichstag(hex)) {
    return refuse("REICHSTAG_FORBIDDEN", "5.6", "no German is put into the Reichstag");
  }
  if (!now.in_german_sector(hex, now.front())) {
    return refuse("WRONG_SECTOR", "7.3", "that hex is not in the sector of these Germans");
  }
  if (field.soviets_in(hex)) return refuse("ENEMY_OCCUPIED", "7.3", "Soviet units stand there");
  if (!field.room_for(unit, hex)) {
    return refuse("STACKING_LIMIT", "10.3", "three German units are the most in a hex");
  }
  return std::nullopt;
}

Refused out_of_zone(const Field& field, SpaceId hex) {
  if (!field.soviet_zone(hex)) return std::nullopt;
  return refuse("IN_EZOC", "7.3", "the hex lies in a Soviet zone of control");
}

Refused static_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  const bool airfield = now.facts(unit).works_as == StaticKind::kAirfield;
  if (airfield && !now.is_reichstag(hex) && !now.hex(hex).road && !now.hex(hex).airfield) {
    return refuse("AIRFIELD_NEEDS_ROAD_OR_AIRFIELD", "16.3",
                  "an emergency airfield needs a road or airfield hex");
  }
  const Refused ground = ground_refusal(now, field, unit, hex);
  if (ground && ground->code != "STACKING_LIMIT") return ground;
  if (!germans_near(now, field, hex)) {
    return refuse("NOT_NEAR_GERMAN_UNIT", "7.3", "it comes in or next to a German unit");
  }
  if (auto refused = out_of_zone(field, hex)) return refused;
  return ground;
}

Refused sniper_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  if (auto refused = ground_refusal(now, field, unit, hex)) return refused;
  if (!sniper_in_reach(now, hex, now.player())) {
    return refuse("OUT_OF_RANGE", "16.5", "no other German of yours within four hexes");
  }
  return std::nullopt;
}

Refused relief_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  const std::uint8_t edges =
      now.front() == k1BF ? edge::kNorth : static_cast<std::uint8_t>(edge::kWest | edge::kSouth);
  if (!now.in_german_sector(hex, now.front()) || !(now.hex(hex).edges & edges)) {
    return refuse("WRONG_EDGE", "22.2", "the group comes by another edge of its sector");
  }
  return ground_refusal(now, field, unit, hex);
}

Refused depot_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex,
                      SpaceId from) {
  if (now.board().distance(from, hex) > 1) {
    return refuse("TOO_FAR", "16.7", "it comes in or next to the depot or airfield");
  }
  return ground_refusal(now, field, unit, hex);
}

bool legal_somewhere(const Situation& now, const Field& field, UnitId unit,
                     Refused (*refusal)(const Situation&, const Field&, UnitId, SpaceId)) {
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    if (!refusal(now, field, unit, SpaceId{static_cast<int>(i)})) return true;
  }
  return false;
}

// [7.4] R counts for neither sector.
bool all_objectives_lost(const Situation& now) {
  bool any = false;
  for (SpaceId hex : now.data.objectives) {
    if (!now.in_german_sector(hex, now.front())) continue;
    any = true;
    if (!now.control(hex)) return false;
  }
  return any;
}

Group relief_group(const Situation& now) {
  return now.front() == k1BF ? Group::kSteiner : Group::k20Corps;
}
bool relief_waits(const Situation& now, UnitId unit) {
  return now.data.fantasy && now.is(of_front(t::kArrived1BF, now.front())) &&
         now.facts(unit).group == relief_group(now) && now.pile(unit) == Pile::kAside &&
         !now.on_map(unit);
}

Refused roll_refusal(const Situation& now) {
  if (now.is(t::kStaticRolled)) {
    return refuse("ALREADY_ROLLED", "7.3", "one roll in each reinforcement phase");
  }
  if (all_objectives_lost(now)) {
    return refuse("ALL_OBJECTIVES_LOST", "7.4", "the Soviets hold every objective of the sector");
  }
  const std::vector<UnitId> pool = static_pool(now);
  if (pool.empty()) return refuse("POOL_EMPTY", "7.3", "there are no static units left");
  // Which unit asks makes no difference but for an airfield: a plain one stands for all, so
  // that the answer says nothing about the pool.
  const Field field(now);
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (!ground_refusal(now, field, pool.front(), hex) && germans_near(now, field, hex) &&
        !field.soviet_zone(hex)) {
      return std::nullopt;
    }
  }
  return refuse("NO_LEGAL_HEX", "7.3", "there is no hex where it could be placed (R-28)");
}

// A unit in the other player's pile: that of the Front whose sector this is.
bool in_kill_pile(const Situation& now, UnitId unit) {
  return now.pile(unit) == of_front(Pile::kKilled1BF, now.front());
}

// A working static unit of this player in this sector [5.7].
bool works_here(const Situation& now, UnitId unit, StaticKind kind, SideId side) {
  return now.facts(unit).works_as == kind && now.on_map(unit) && now.controller(unit) == side;
}

void use_up(Draft& draft, UnitId unit, std::string_view why) {
  turn_up(draft, unit);
  move_to_pile(draft, unit, Pile::kRemoved, why);
}

}  // namespace

bool sniper_in_reach(const Situation& now, SpaceId hex, SideId player) {
  for (UnitId other : now.all_units()) {
    const UnitFacts& facts = now.facts(other);
    if (!facts.is_german() || facts.works_as == StaticKind::kSniper || !now.on_map(other)) continue;
    if (now.controller(other) == player &&
        now.board().distance(now.at(other), hex) <= kSniperReach) {
      return true;
    }
  }
  return false;
}

Refused decide_roll_static(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (auto refused = roll_refusal(now)) return refused;
  const std::uint32_t die =
      roll_die(draft, order.side, "static reinforcement", {},
               [](std::uint32_t face) { return face <= kDrawsUpTo ? "a static unit" : "nothing"; });
  draft.set(track(t::kStaticRolled), 1);
  if (die > kDrawsUpTo) return std::nullopt;
  {
    auto hidden = draft.only_for(order.side);
    const UnitId unit =
        draw_units(draft, order.side, static_pool(now), 1, "static reinforcement").front();
    const bool lost = now.facts(unit).works_as == StaticKind::kAirfield &&
                      !legal_somewhere(now, Field(now), unit, static_refusal);
    // an airfield that can stand nowhere goes back, nothing else is drawn.
    if (!lost) draft.set(unit, u::kPile, static_cast<int>(of_front(Pile::kHand1BF, order.side)));
  }
  draft.set(track(t::kPool), static_cast<int>(static_pool(now).size()));
  return std::nullopt;
}

Refused decide_place_static_reinforcement(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (now.pile(unit) != of_front(Pile::kHand1BF, order.side)) return not_yours("7.3");
  if (now.facts(unit).works_as == StaticKind::kSniper) {
    return refuse("WRONG_ORDER", "16.5", "a sniper comes by PlaceSniper, or waits by HoldSniper");
  }
  if (auto refused = static_refusal(now, Field(now), unit, order.space("hex"))) return refused;
  put_on_map(draft, unit, order.space("hex"));
  if (order.flag("faceUp")) turn_up(draft, unit);
  return std::nullopt;
}

Refused decide_place_sniper(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const bool held = now.pile(unit) == of_front(Pile::kHeld1BF, order.side);
  const bool drawn = now.pile(unit) == of_front(Pile::kHand1BF, order.side);
  if (!held && !drawn) return not_yours("16.5");
  if (now.facts(unit).works_as != StaticKind::kSniper) {
    return refuse("NOT_A_SNIPER", "16.5", "only snipers are placed so");
  }
  if (auto refused = sniper_refusal(now, Field(now), unit, order.space("hex"))) return refused;
  put_on_map(draft, unit, order.space("hex"));
  if (held) draft.add(track(of_front(t::kHeld1BF, order.side)), -1);
  return std::nullopt;
}

Refused decide_airfield(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId airfield = order.unit("airfield");
  const std::vector<UnitId> units = order.units("units");
  std::vector<SpaceId> hexes = order.spaces("hexes");
  if (!works_here(now, airfield, StaticKind::kAirfield, order.side)) return not_yours("16.3");
  if (hexes.size() == 1 && units.size() == 2) hexes.push_back(hexes.front());
  if (units.empty() || units.size() > 2 || units.size() != hexes.size() ||
      (units.size() == 2 && units[0] == units[1])) {
    return refuse("WRONG_COUNT", "16.3", "one or two units, and a hex for each (R-27)");
  }
  Field field(now);
  const SpaceId from = now.at(airfield);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const UnitId unit = units[i];
    const bool german_dead = in_kill_pile(now, unit);
    if (now.facts(unit).works_as != StaticKind::kInfantry && german_dead) {
      return refuse("NOT_STATIC_INFANTRY", "16.3", "only static infantry comes back by air");
    }
    // What is not in a pile may be hidden: the answer must not say what it is.
    if (!german_dead) {
      return refuse("NOT_IN_KILL_PILE", "16.3", "it is not in the other player's kill pile");
    }
    if (auto refused = depot_refusal(now, field, unit, hexes[i], from)) return refused;
    if (auto refused = out_of_zone(field, hexes[i])) return refused;
    field.put(unit, hexes[i]);
  }
  for (std::size_t i = 0; i < units.size(); ++i) put_on_map(draft, units[i], hexes[i]);
  use_up(draft, airfield, "airfield used");
  return std::nullopt;
}

Refused decide_depot(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId depot = order.unit("depot");
  const UnitId unit = order.unit("unit");
  if (!works_here(now, depot, StaticKind::kDepot, order.side)) return not_yours("16.7");
  if (now.facts(unit).kind != Kind::kMobile) {
    return refuse("NOT_MOBILE", "16.7", "only a German mobile unit comes back by a depot");
  }
  if (!in_kill_pile(now, unit)) {
    return refuse("NOT_IN_KILL_PILE", "16.7", "it is not in the other player's kill pile");
  }
  const SpaceId hex = order.space("hex");
  if (auto refused = depot_refusal(now, Field(now), unit, hex, now.at(depot))) return refused;
  put_on_map(draft, unit, hex);
  use_up(draft, depot, "depot used");
  return std::nullopt;
}

Refused decide_roll_arrival(Draft& draft, const Order& order) {
  const Situation now(draft);
  const t::Track arrived = of_front(t::kArrived1BF, now.front());
  if (!now.data.fantasy) return refuse("WRONG_PHASE", "22.1", "only in scenario 22");
  if (now.turn() < 2) return refuse("TOO_EARLY", "22.1", "from the second turn on");
  if (now.is(arrived)) return refuse("ALREADY_ARRIVED", "22.1", "the group is there already");
  const int turn = now.turn();
  const auto comes = [turn](std::uint32_t face) {
    return static_cast<int>(face) < turn && static_cast<int>(face) != kNeverArrives;
  };
  const std::uint32_t die =
      roll_die(draft, order.side, "relief group", {},
               [&](std::uint32_t face) { return comes(face) ? "arrives" : "not yet"; });
  if (comes(die)) {
    auto because = draft.because_of_last();
    draft.set(track(arrived), 1);
  }
  end_stage(draft);
  return std::nullopt;
}

Refused decide_place_relief(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (!now.data.fantasy || !now.is(of_front(t::kArrived1BF, now.front()))) {
    return refuse("GROUP_NOT_ARRIVED", "22.1", "the group has not arrived");
  }
  if (!relief_waits(now, unit)) return not_yours("22.4");
  if (auto refused = relief_refusal(now, Field(now), unit, order.space("hex"))) return refused;
  put_on_map(draft, unit, order.space("hex"));
  return std::nullopt;
}

Refused drawn_unit_pending(const Situation& now, SideId side) {
  const Field field(now);
  for (UnitId unit : now.all_units()) {
    const bool in_hand =
        now.pile(unit) == of_front(Pile::kHand1BF, side) && now.facts(unit).is_static();
    const bool sniper = now.facts(unit).works_as == StaticKind::kSniper;
    if (in_hand && (sniper || legal_somewhere(now, field, unit, static_refusal))) {
      return refuse("REINFORCEMENTS_PENDING", "7.3", "the unit drawn must be placed");
    }
    const bool bound = now.get(unit, u::kDue) != kNotBound;
    if (bound && relief_waits(now, unit) && legal_somewhere(now, field, unit, relief_refusal)) {
      return refuse("REINFORCEMENTS_PENDING", "22.4", now.name(unit) + " must be brought in");
    }
  }
  return std::nullopt;
}

namespace {

// Up to `most` of the hexes where a piece may stand, spread over the board.
bool show(const Situation& now, const Field& field, UnitId unit, const char* type, SideId side,
          Refused (*refusal)(const Situation&, const Field&, UnitId, SpaceId),
          const SeeOrder& see) {
  constexpr std::size_t kShown = 150;
  std::vector<SpaceId> hexes;
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (now.in_german_sector(hex, now.front()) && !refusal(now, field, unit, hex)) {
      hexes.push_back(hex);
    }
  }
  const std::size_t every = 1 + hexes.size() / kShown;
  for (std::size_t i = 0; i < hexes.size(); i += every) {
    if (!see(order(type, side).with("unit", unit).with("hex", hexes[i]))) return false;
  }
  return true;
}

bool show_airfield(const Situation& now, const Field& field, UnitId airfield, SideId side,
                   const SeeOrder& see) {
  std::vector<UnitId> back;
  for (UnitId unit : now.all_units()) {
    if (in_kill_pile(now, unit) && now.facts(unit).works_as == StaticKind::kInfantry) {
      back.push_back(unit);
    }
  }
  if (back.empty()) return true;
  // The strongest two, on every pair of a hex with itself and its next one.
  std::stable_sort(back.begin(), back.end(),
                   [&](UnitId a, UnitId b) { return now.facts(a).cf > now.facts(b).cf; });
  back.resize(std::min<std::size_t>(back.size(), 2));
  std::vector<SpaceId> hexes{now.at(airfield)};
  for (const Neighbour& next : now.board().neighbours(now.at(airfield))) {
    hexes.push_back(next.space);
  }
  for (SpaceId hex : hexes) {
    Field after(field);
    bool fits = true;
    for (UnitId unit : back) {
      fits = fits && !ground_refusal(now, after, unit, hex) && !after.soviet_zone(hex);
      after.put(unit, hex);
    }
    if (!fits) continue;
    const std::vector<SpaceId> where(back.size(), hex);
    if (!see(order("UseEmergencyAirfield", side)
                 .with("airfield", airfield)
                 .with("units", std::span<const UnitId>(back))
                 .with("hexes", std::span<const SpaceId>(where)))) {
      return false;
    }
  }
  return true;
}

bool show_depot(const Situation& now, const Field& field, UnitId depot, SideId side,
                const SeeOrder& see) {
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).kind != Kind::kMobile || !in_kill_pile(now, unit)) continue;
    std::vector<SpaceId> hexes{now.at(depot)};
    for (const Neighbour& next : now.board().neighbours(now.at(depot))) hexes.push_back(next.space);
    for (SpaceId hex : hexes) {
      if (depot_refusal(now, field, unit, hex, now.at(depot))) continue;
      if (!see(order("UseSupplyDepot", side)
                   .with("depot", depot)
                   .with("unit", unit)
                   .with("hex", hex))) {
        return false;
      }
    }
  }
  return true;
}

bool show_unit(const Situation& now, const Field& field, UnitId unit, SideId side,
               const SeeOrder& see) {
  const bool drawn = now.pile(unit) == of_front(Pile::kHand1BF, side);
  const bool held = now.pile(unit) == of_front(Pile::kHeld1BF, side);
  if (relief_waits(now, unit)) {
    return show(now, field, unit, "PlaceReliefUnit", side, relief_refusal, see);
  }
  if (!now.facts(unit).is_static()) return true;
  if (now.facts(unit).works_as == StaticKind::kSniper) {
    if (drawn && !see(order("HoldSniper", side).with("unit", unit))) return false;
    return (!drawn && !held) || show(now, field, unit, "PlaceSniper", side, sniper_refusal, see);
  }
  if (drawn) return show(now, field, unit, "PlaceStaticReinforcement", side, static_refusal, see);
  if (works_here(now, unit, StaticKind::kAirfield, side)) {
    return show_airfield(now, field, unit, side, see);
  }
  if (works_here(now, unit, StaticKind::kDepot, side)) {
    return show_depot(now, field, unit, side, see);
  }
  return true;
}

}  // namespace

void legal_german_reinforcement(const Situation& now, SideId side, const SeeOrder& see) {
  if (!roll_refusal(now) && !see(order("RollStaticReinforcement", side))) return;
  if (!drawn_unit_pending(now, side) && !see(order("EndPhase", side))) return;
  const Field field(now);
  for (UnitId unit : now.all_units()) {
    if (!show_unit(now, field, unit, side, see)) return;
  }
}

}  // namespace wardiary::reichstag

// Soviet reinforcements [7.1] and replacements [8].
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

bool is_due(const Situation& now, UnitId unit) {
  const UnitFacts& facts = now.facts(unit);
  if (facts.kind != Kind::kSoviet || now.on_map(unit)) return false;
  if (now.pile(unit) != Pile::kAside && now.pile(unit) != Pile::kReturning) return false;
  const int due = now.get(unit, u::kDue) > 0 ? now.get(unit, u::kDue) : facts.arrival;
  return due > 0 && due <= now.turn();
}

// The edge it enters by: the one it left by, or that of its counter [7.1, R-25].
bool on_its_edge(const Situation& now, UnitId unit, SpaceId hex) {
  const UnitFacts& facts = now.facts(unit);
  const HexFacts& there = now.hex(hex);
  if (!now.in_german_sector(hex, facts.front)) return false;  // its own sector, never the Reichstag
  const bool returns = now.pile(unit) == Pile::kReturning && now.get(unit, u::kExitEdge) > 0;
  if (returns) return (there.edges & now.get(unit, u::kExitEdge)) != 0;
  return (there.edges & facts.entry_edge) && (!facts.by_star || there.star);  // [2.3]
}

Refused entry_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  if (!on_its_edge(now, unit, hex)) {
    return refuse("WRONG_EDGE", "7.1", "it comes in on an edge hex of its own edge and sector");
  }
  if (field.germans_in(hex)) {
    return refuse("ENEMY_OCCUPIED", "7.1", "German units stand there");
  }
  if (!field.room_for(unit, hex)) {
    return refuse("STACKING_LIMIT", "10.2", "two units, one of them a corps or division at most");
  }
  return std::nullopt;
}

// [24.5] In or next to a unit of its Front, where there is a line of communication and no enemy.
Refused forward_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  const SideId front = now.facts(unit).front;
  bool near_own = field.soviets_in(hex, front);
  for (const Neighbour& next : now.board().neighbours(hex)) {
    near_own =
        near_own || (field.soviets_in(next.space, front) && !now.data.link(next.link).boundary);
  }
  if (!near_own || !now.in_sector(hex, front)) return entry_refusal(now, field, unit, hex);
  if (now.is_reichstag(hex) && now.other_front_in_reichstag(front)) {
    return refuse("REICHSTAG_HELD_BY_OTHER_FRONT", "5.5", "the other Front holds the Reichstag");
  }
  if (field.germans_in(hex)) return refuse("ENEMY_OCCUPIED", "24.5", "German units stand there");
  if (field.german_zone(hex)) {
    return refuse("IN_EZOC", "24.5", "the hex lies in a German zone of control");
  }
  if (!has_loc(now, field, front, hex, false)) {
    return refuse("NO_LOC", "24.5", "the hex has no line of communication");
  }
  if (!field.room_for(unit, hex)) {
    return refuse("STACKING_LIMIT", "10.2", "two units, one of them a corps or division at most");
  }
  return std::nullopt;
}

Refused replacement_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  if (!now.data.rulings.loc || on_its_edge(now, unit, hex)) {
    return entry_refusal(now, field, unit, hex);
  }
  return forward_refusal(now, field, unit, hex);
}

using MayStand = Refused (*)(const Situation&, const Field&, UnitId, SpaceId);

bool show_hexes(const Situation& now, const Field& field, UnitId unit, MayStand refusal,
                const char* type, const char* unit_field, SideId side, const SeeOrder& see) {
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (!now.in_sector(hex, side) || refusal(now, field, unit, hex)) continue;
    if (!see(order(type, side).with(unit_field, unit).with("hex", hex))) return false;
  }
  return true;
}

}  // namespace

int replacement_cost(const Situation& now, UnitId unit) {
  const UnitFacts& facts = now.facts(unit);
  const Costs& costs = now.data.costs;
  const int cost = facts.size == Size::kCorps      ? costs.corps
                   : facts.size == Size::kDivision ? costs.division
                                                   : costs.smaller;
  return price(now, facts.front, cost);
}

Refused decide_place_reinforcement(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const SpaceId hex = order.space("hex");
  if (now.facts(unit).kind != Kind::kSoviet || now.facts(unit).front != order.side) {
    return not_yours("7.1");
  }
  if (!is_due(now, unit)) {
    return refuse("NOT_DUE", "7.1", "it is not due as a reinforcement now");
  }
  if (auto refused = entry_refusal(now, Field(now), unit, hex)) return refused;
  put_on_map(draft, unit, hex);
  draft.set(unit, u::kDue, 0);
  draft.set(unit, u::kExitEdge, 0);
  return std::nullopt;
}

Refused decide_replace(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("deadUnit");
  const SpaceId hex = order.space("hex");
  const UnitFacts& facts = now.facts(unit);
  if (facts.kind == Kind::kSoviet && facts.front != order.side) {
    return refuse("OTHER_FRONT", "8.2", "a unit never changes its Front");
  }
  if (facts.kind != Kind::kSoviet || now.pile(unit) != Pile::kDead) {
    return refuse("NOT_DEAD", "8.2", "it is not in your dead pile");
  }
  if (auto refused = replacement_refusal(now, Field(now), unit, hex)) return refused;
  if (auto refused = pay(draft, order.side, replacement_cost(now, unit))) return refused;
  put_on_map(draft, unit, hex);
  return std::nullopt;
}

Refused reinforcements_pending(const Situation& now, SideId front) {
  const Field field(now);
  for (UnitId unit : now.all_units()) {
    if (!is_due(now, unit) || now.facts(unit).front != front) continue;
    if (now.get(unit, u::kDue) == kNotBound) continue;
    for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
      if (!entry_refusal(now, field, unit, SpaceId{static_cast<int>(i)})) {
        return refuse("REINFORCEMENTS_PENDING", "7.1", now.name(unit) + " must be brought in");
      }
    }
  }
  return std::nullopt;
}

void legal_reinforcement(const Situation& now, SideId side, const SeeOrder& see) {
  if (!reinforcements_pending(now, side) && !see(order("EndPhase", side))) return;
  const Field field(now);
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).kind != Kind::kSoviet || now.facts(unit).front != side) continue;
    if (is_due(now, unit)) {
      if (!show_hexes(now, field, unit, entry_refusal, "PlaceReinforcement", "unit", side, see)) {
        return;
      }
    } else if (now.pile(unit) == Pile::kDead && can_pay(now, replacement_cost(now, unit))) {
      if (!show_hexes(now, field, unit, replacement_refusal, "ReplaceUnit", "deadUnit", side, see))
        return;
    }
  }
}

}  // namespace wardiary::reichstag

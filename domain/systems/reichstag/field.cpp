// Zones of control [11] and stacking [10].
#include "domain/systems/reichstag/field.h"

namespace wardiary::reichstag {

bool zone_reaches(const Situation& now, UnitId unit, const Neighbour& to) {
  const LinkFacts& link = now.data.link(to.link);
  if (link.boundary || !link.zoc_across) return false;  // [5.3, 11.2 (1), R-34]
  const UnitFacts& facts = now.facts(unit);
  if (facts.kind == Kind::kSoviet) {
    // out of the Reichstag only into the own sector.
    return !now.zone_kept_from_soviets(to.space) && now.in_sector(to.space, facts.front);
  }
  return !now.is_reichstag(to.space) && !now.is_reichstag(now.at(unit));  // [5.6]
}

Field::Field(const Situation& now) : now_(now), stacks_(now.data.hexes.size()) {
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (!now.on_map(unit) || now.facts(unit).is_marker()) continue;
    count(unit, now.at(unit), +1);
    spread_zone(unit, now.at(unit));
  }
}

void Field::count(UnitId unit, SpaceId hex, int by) {
  const UnitFacts& facts = now_.facts(unit);
  Stack& stack = stacks_[hex.index()];
  const auto add = [by](std::int8_t& number) { number = static_cast<std::int8_t>(number + by); };
  if (facts.kind == Kind::kSoviet) {
    add(stack.soviets[facts.front.index()]);
    if (facts.big()) add(stack.big[facts.front.index()]);
  } else {
    add(stack.germans);
  }
}

void Field::spread_zone(UnitId unit, SpaceId hex) {
  const bool soviet = now_.facts(unit).kind == Kind::kSoviet;
  for (const Neighbour& next : now_.board().neighbours(hex)) {
    if (!zone_reaches(now_, unit, next)) continue;
    Stack& stack = stacks_[next.space.index()];
    (soviet ? stack.soviet_zone : stack.german_zone) = true;
  }
}

bool Field::enemy_in(UnitId unit, SpaceId hex) const {
  return now_.facts(unit).kind == Kind::kSoviet ? germans_in(hex) : soviets_in(hex);
}

bool Field::enemy_zone(UnitId unit, SpaceId hex) const {
  return now_.facts(unit).kind == Kind::kSoviet ? german_zone(hex) : soviet_zone(hex);
}

bool Field::room_for(UnitId unit, SpaceId hex) const {
  const UnitFacts& facts = now_.facts(unit);
  const Stack& stack = stacks_[hex.index()];
  if (facts.kind != Kind::kSoviet) {
    return stack.germans < kGermanStack && !soviets_in(hex);  // [10.3]
  }
  const std::size_t own = facts.front.index();
  if (stack.germans || stack.soviets[1 - own]) return false;  // [10.1]
  if (stack.soviets[own] >= kSovietStack) return false;       // [10.2]
  return !(facts.big() && stack.big[own]);
}

}  // namespace wardiary::reichstag

// Bridges blown by dice [18] and engineers [19].
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

constexpr std::uint32_t kBlownUpTo = 3;  // [18.2]

// In place since the phase began [19.2]; in a combat phase it may attack, but not retreat or
// advance [19.3].
bool in_place(const Situation& now, UnitId unit) {
  return now.moved(unit) == Moved::kNo && !now.is(unit, u::kShifted);
}

}  // namespace

// the six sides of the engineer's hex and the six that touch it from outside; or, in the wide
// reading, all sides of the six hexes around it.
bool serves_hexside(const Situation& now, SpaceId engineer_at, const BoardLink& link) {
  const int a = now.board().distance(engineer_at, link.a);
  const int b = now.board().distance(engineer_at, link.b);
  if (a == 0 || b == 0) return true;
  if (now.data.rulings.wide_engineers) return a == 1 || b == 1;
  return a == 1 && b == 1;
}

void check_bridges(Draft& draft, UnitId unit, SpaceId entered) {
  const Situation now(draft);
  for (const Neighbour& next : now.board().neighbours(entered)) {
    if (!now.data.link(next.link).bridge) continue;
    if (static_cast<Bridge>(now.pos.get(next.link, l::kBridge)) != Bridge::kUnchecked) continue;
    const SideId roller = now.facts(unit).front;
    const std::uint32_t die = roll_die(draft, roller, "bridge", entered, [](std::uint32_t face) {
      return face <= kBlownUpTo ? "demolished" : "intact";
    });
    auto because = draft.because_of_last();
    const Bridge state = die <= kBlownUpTo ? Bridge::kDemolished : Bridge::kIntact;
    draft.set(next.link, l::kBridge, static_cast<int>(state));
  }
}

UnitId serving_engineer(const Situation& now, LinkId link, SideId front, UnitId except) {
  const BoardLink& ends = now.board().link(link);
  UnitId found;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    const UnitFacts& facts = now.facts(unit);
    if (!facts.engineer || facts.front != front || !now.on_map(unit) || unit == except) continue;
    if (!in_place(now, unit) || !serves_hexside(now, now.at(unit), ends)) continue;
    if (now.is(unit, u::kServed)) return unit;  // one that is bound already binds no other
    if (!found) found = unit;
  }
  return found;
}

bool can_cross(const Situation& now, LinkId link) {
  const LinkFacts& facts = now.data.link(link);
  return !facts.boundary && (!facts.closed || now.has_bridge(link));
}

}  // namespace wardiary::reichstag

// Fog of war: reconnaissance [17.3] and static units that turn up [16.8].
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {

// pieces in the Reichstag stay face down, only the player who looks learns them.
void examine(Draft& draft, SpaceId hex, SideId front) {
  const Situation now(draft);
  for (UnitId unit : now.units_in(hex)) {
    if (!now.facts(unit).is_static() || now.is(unit, u::kFaceUp)) continue;
    if (!now.is_reichstag(hex) || now.data.rulings.recon_flips_reichstag) {
      turn_up(draft, unit);
      continue;
    }
    auto hidden = draft.only_for(front);
    draft.set(unit, front == k1BF ? u::kKnown1BF : u::kKnown1UF, 1);
    draft.reveal(unit, 1u << front.value);
  }
}

Refused decide_reconnoitre(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("reconUnit");
  const SpaceId hex = order.space("hex");
  if (!now.on_map(unit) || now.controller(unit) != order.side) return not_yours("17.3");
  if (!now.facts(unit).recon || now.facts(unit).kind != Kind::kSoviet) {
    return refuse("NOT_RECON", "17.3", "only a reconnaissance unit looks at a stack");
  }
  if (!now.in_sector(hex, order.side)) {
    return refuse("OTHER_SECTOR", "17.3", "that hex lies in the other Front's sector");
  }
  if (now.board().distance(now.at(unit), hex) > kReconReach) {
    return refuse("OUT_OF_RANGE", "17.3", "a reconnaissance unit looks two hexes far");
  }
  if (now.get(unit, u::kRecon) >= now.data.rulings.recon_hexes) {
    return refuse("RECON_USED", "17.3", "it has looked at a hex in this turn (R-46)");
  }
  draft.set(unit, u::kRecon, now.get(unit, u::kRecon) + 1);
  examine(draft, hex, order.side);
  return std::nullopt;
}

Refused decide_reveal(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (!now.facts(unit).is_static()) return not_yours("16.8");
  // The same answer for every piece this player does not know: it must not tell which of them are
  // in the Reichstag, on the other side's hexes or still in the pool.
  const bool unknown = sight_of_unit(now, Viewer::of(order.side), unit) != UnitSight::kFull;
  if (unknown || (now.on_map(unit) && now.is_reichstag(now.at(unit)))) {
    return refuse("REICHSTAG_GARRISON", "16.10",
                  "it is not one of your units; nobody controls the garrison of the Reichstag");
  }
  if (!now.on_map(unit)) return not_yours("16.8");
  if (now.controller(unit) != order.side) return not_yours("16.8");
  if (now.is(unit, u::kFaceUp)) {
    return refuse("ALREADY_FACE_UP", "16.9", "it lies face up already");
  }
  turn_up(draft, unit);
  return std::nullopt;
}

void legal_reveals(const Situation& now, SideId side, const SeeOrder& see) {
  for (UnitId unit : now.all_units()) {
    if (!now.facts(unit).is_static() || !now.on_map(unit) || now.is(unit, u::kFaceUp)) continue;
    if (now.controller(unit) != side) continue;
    if (!see(order("RevealStatic", side).with("unit", unit))) return;
  }
}

}  // namespace wardiary::reichstag

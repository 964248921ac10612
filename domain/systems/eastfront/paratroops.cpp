// Paratroops [14], optional: Para HQs, drops and link-up. Air assaults and their repulses are
// fought with the other battles [14.4].
#include <algorithm>

#include "domain/systems/eastfront/chapters.h"
#include "domain/systems/eastfront/movement.h"

namespace wardiary::eastfront {
namespace {

bool ready_para(const Situation& now, UnitId unit, SpaceId hex) {
  return now.facts(unit).type == UnitType::kPara && now.at(unit) == hex &&
         !now.is(unit, u::kDispersed);
}

// STAVKA reaches twice as far [14.3, 13.11].
int drop_range(const Situation& now, UnitId hq) {
  return now.effective_cmd(hq) * (now.facts(hq).supreme() ? 2 : 1);
}

Refused check_drop_hex(const Situation& now, UnitId unit, SpaceId hex, UnitId hq) {
  const HexFacts& facts = now.data.hex(hex);
  if (!facts.playable || now.board().distance(now.at(hq), hex) > drop_range(now, hq) ||
      hex == now.at(unit)) {
    return refuse("OUT_OF_RANGE", "14.3", now.name(hex) + " is not within air range");
  }
  if (facts.terrain == Terrain::kMountain) {
    return refuse("MOUNTAIN_DROP", "14.3", "no drop into mountains");
  }
  return check_stacking(now, unit, hex);
}

Refused check_para_hq(const Situation& now, SideId side, UnitId unit, UnitId hq) {
  if (!now.data.rulings.paratroops) {
    return refuse("NO_PARA_HQ", "14.0", "this game is played without paratroops");
  }
  if (Refused no = check_may_move(now, side, unit)) return no;
  const bool right = hq && now.side(hq) == side && now.pos.on_board(hq) &&
                     now.role(hq) == Role::kPara && ready_para(now, unit, now.at(hq));
  if (!right || now.is(hq, u::kCommandUsed)) {
    return refuse("NO_PARA_HQ", "14.2", "no Para HQ with a drop left stands with the paratroops");
  }
  if (now.engaged(unit)) return refuse("ENGAGED", "14.2", "paratroops in a battle cannot take off");
  return std::nullopt;
}

// [14.6]: a friendly hex, next to one that is at peace, or among friends on the ground.
bool links_up(const Situation& now, UnitId unit) {
  const SpaceId hex = now.at(unit);
  const SideId side = now.side(unit);
  if (now.friendly(hex, side)) return true;
  for (const Neighbour& next : now.board().neighbours(hex)) {
    if (now.data.link(next.link).passable() && now.friendly(next.space, side) &&
        !now.is_battle(next.space)) {
      return true;
    }
  }
  const std::vector<UnitId> here = now.units_in(hex, side);
  const bool company = std::any_of(here.begin(), here.end(),
                                   [&](UnitId other) { return !now.is(other, u::kDispersed); });
  return company && now.is_battle(hex);
}

}  // namespace

Refused check_para_role(const Situation& now, UnitId hq) {
  if (!now.data.rulings.paratroops) {
    return refuse("PARA_NOT_STACKED", "14.0", "this game is played without paratroops");
  }
  for (UnitId unit : now.units_in(now.at(hq), now.side(hq))) {
    if (ready_para(now, unit, now.at(hq))) return std::nullopt;
  }
  return refuse("PARA_NOT_STACKED", "14.2", "a Para HQ must stand with the paratroops");
}

Refused decide_para_drop(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const UnitId hq = order.unit("hq");
  const SpaceId hex = order.space("hex");
  if (Refused no = check_para_hq(now, order.side, unit, hq)) return no;
  if (Refused no = check_drop_hex(now, unit, hex, hq)) return no;
  const SpaceId from = now.at(unit);
  const SpaceId path[] = {from, hex};
  draft.move(unit, path, "drop");
  draft.set(unit, u::kMove, static_cast<int>(Move::kDropped));
  draft.set(unit, u::kDispersed, 1);
  draft.set(hq, u::kCommandUsed, 1);
  if (now.any_in(hex, enemy_of(order.side))) enter_battle(draft, unit, from, Entry::kAir);
  return std::nullopt;
}

void legal_para(const Situation& now, SideId side, const SeeOrder& see) {
  if (!now.data.rulings.paratroops) return;
  for (UnitId hq : now.units_of(side)) {
    if (now.role(hq) != Role::kPara) continue;
    for (UnitId unit : now.units_in(now.at(hq), side)) {
      if (check_para_hq(now, side, unit, hq)) continue;
      for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
        const SpaceId hex{static_cast<int>(i)};
        if (check_drop_hex(now, unit, hex, hq)) continue;
        Order drop = order("ParaDrop", side);
        if (!see(drop.with("unit", unit).with("hex", hex).with("hq", hq))) return;
      }
    }
  }
}

void link_up(Draft& draft) {
  const Situation now(draft);
  for (UnitId unit : now.units_of(now.active())) {
    if (!now.is(unit, u::kDispersed)) continue;
    if (links_up(now, unit)) {
      draft.set(unit, u::kDispersed, 0);
    } else {
      eliminate(draft, unit, "no link-up");
    }
  }
}

}  // namespace wardiary::eastfront

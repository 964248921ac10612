// What a simple player would do: bring headquarters to bear, move toward the enemy's cities, attack
// where more dice are on the own side, rebuild what is broken.
#include <algorithm>

#include "domain/systems/eastfront/battle.h"
#include "domain/systems/eastfront/eastfront.h"

namespace wardiary::eastfront {
namespace {

int dice_in(const Situation& now, SpaceId space, SideId side) {
  int dice = 0;
  for (UnitId unit : now.units_in(space, side)) {
    if (!now.facts(unit).hq()) dice += now.cv(unit);
  }
  return dice;
}

int worth(const HexFacts& hex) {
  return 2 * hex.city_value + 2 * hex.resource_value + (hex.city == CityClass::kMajor ? 3 : 0) +
         (hex.victory_city ? 2 : 0);
}

// Distance to the nearest valuable hex the enemy holds, small is good; far ones do not count.
int distance_to_goal(const Situation& now, SpaceId from, SideId side) {
  int best = 40;
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (now.friendly(hex, side)) continue;
    const bool enemy_here = now.any_in(hex, enemy_of(side));
    const int value = worth(now.data.hexes[i]);
    if (value == 0 && !enemy_here) continue;
    const int distance = now.board().distance(from, hex);
    if (distance >= 0) best = std::min(best, 2 * distance - std::min(value, 6) / 2);
  }
  return best;
}

int land_move_value(const Situation& now, UnitId unit, SpaceId from, SpaceId to) {
  const SideId side = now.side(unit);
  if (now.facts(unit).hq())
    return distance_to_goal(now, from, side) - distance_to_goal(now, to, side) - 3;
  const int foe_dice = dice_in(now, to, enemy_of(side));
  if (now.any_in(to, enemy_of(side))) {
    const int own = dice_in(now, to, side) + now.cv(unit);
    const bool rough = now.terrain(to) != Terrain::kClear || now.major_city(to);
    return 10 + 2 * own - (rough ? 3 : 2) * foe_dice + worth(now.data.hex(to));
  }
  if (now.is_battle(from)) return -8;  // leave battles to those who must
  const int gain = distance_to_goal(now, from, side) - distance_to_goal(now, to, side);
  return gain + (now.friendly(to, side) ? 0 : 2 + worth(now.data.hex(to)));
}

int path_value(const Situation& now, const Order& move) {
  const UnitId unit = move.unit("unit");
  const std::vector<SpaceId> path = move.spaces("path");
  return path.empty() ? -20 : land_move_value(now, unit, now.at(unit), path.back());
}

int activation_value(const Situation& now, const Order& activate) {
  const UnitId hq = activate.unit("hq");
  if (now.effective_cmd(hq) < 1 || now.cv(hq) < 2) return -5;
  if (activate.choice("role") != "Normal") return -4;
  if (now.facts(hq).supreme()) return now.fortnight().half == 1 ? 2 : -1;
  const int closer = activate.has("deployTo")
                         ? distance_to_goal(now, now.at(hq), now.side(hq)) -
                               distance_to_goal(now, activate.space("deployTo"), now.side(hq))
                         : 0;
  const bool blitz = activate.flag("blitz");
  const bool rich = now.cv(hq) >= 3;
  return 5 + closer + (blitz ? (rich ? 1 : -6) : 0);
}

int battle_value(const Situation& now, SpaceId battle) {
  const SideId side = now.active();
  const int own = dice_in(now, battle, side);
  const int foe = dice_in(now, battle, enemy_of(side));
  if (compulsory(now, battle)) return 8;
  return supported(now, battle) && own >= foe ? 4 : -2;
}

int production_value(const Situation& now, const Order& buy) {
  if (buy.is("PlaceReinforcement")) return 20;
  if (buy.is("BuildCadre")) return now.facts(buy.unit("unit")).hq() ? 14 : 6;
  if (buy.is("AddStep")) {
    const UnitId unit = buy.unit("unit");
    return now.facts(unit).hq() ? 18 - now.cv(unit) : 10 - now.cv(unit);
  }
  return -5;  // early arrivals, disbanding, beach-heads: not for the simple player
}

}  // namespace

int order_value(const Situation& now, const Order& order) {
  if (order.is("MoveUnit")) return path_value(now, order);
  if (order.is("SupremeMove")) return path_value(now, order) - 1;
  if (order.is("RailMove")) return path_value(now, order) - 4;
  if (order.is("DesignateRearGuard")) return -10;
  if (order.is("MobiliseHQ") || order.is("SeaMove") || order.is("EvacuateBySea")) return -6;
  if (order.is("ActivateHQ")) return activation_value(now, order);
  if (order.is("AssignAirStrike")) return 9 + dice_in(now, order.space("battleHex"), order.side);
  if (order.is("ActivateBattle")) return battle_value(now, order.space("battleHex"));
  if (order.is("Fire")) return order.number("unit") == -2 ? 1 : 0;
  if (order.is("AllocateLoss")) {  // cheap units first
    const UnitId unit = order.unit("unit");
    return -facts_of(now.facts(unit).type).step_cost[order.side.index()];
  }
  if (now.asked(order.side) == Ask::kProduction) {
    return order.is("CommitProduction") ? 0 : production_value(now, order);
  }
  if (order.is("RollSurrender")) return 5;
  if (order.is("ParaDrop") || order.is("InvadeBySea")) return -2;
  return 0;  // ending a phase: when nothing looks better
}

}  // namespace wardiary::eastfront

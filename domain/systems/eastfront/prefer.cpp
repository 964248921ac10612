// What a simple player would do: bring headquarters to bear, move toward the enemy's cities without
// leaving the line or the reach of supply, attack where more dice can be brought together than
// stand there, rebuild what is broken. He knows what his side may know: a standing block is worth
// the average to him.
#include <algorithm>

#include "domain/systems/eastfront/battle.h"
#include "domain/systems/eastfront/eastfront.h"

namespace wardiary::eastfront {
namespace {

int worth(const HexFacts& hex) {
  return 2 * hex.city_value + 2 * hex.resource_value + (hex.city == CityClass::kMajor ? 3 : 0) +
         (hex.victory_city ? 2 : 0);
}

// What the simple player keeps in mind while he compares orders.
class Planner {
 public:
  Planner(const Situation& situation, SideId whose)
      : now(situation),
        side(whose),
        dice_(situation.pos.space_count()),
        goal_distance_(situation.pos.space_count(), kUnknown) {
    for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
      const UnitId unit{static_cast<int>(i)};
      if (!now.pos.on_board(unit)) continue;
      auto& here = dice_[now.at(unit).index()];
      const bool foe = now.side(unit) != side;
      here.foes |= foe;
      if (foe) {
        here.foe += guess(unit);
      } else {
        here.units += 1;
        if (!now.facts(unit).hq()) here.own += now.cv(unit);
      }
    }
    add_neighbours();
    ways_ = supply_ways(now, side, rail_net(now, side));
    for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      const int value = worth(now.data.hexes[i]);
      if (now.friendly(hex, side) || (value == 0 && !dice_[i].foes)) continue;
      goals_.push_back({hex, std::min(value, 6) / 2});
    }
  }

  const Situation& now;
  SideId side;

  int own_dice(SpaceId hex) const { return dice_[hex.index()].own; }
  int foe_dice(SpaceId hex) const { return dice_[hex.index()].foe; }
  bool foes_in(SpaceId hex) const { return dice_[hex.index()].foes; }
  // Dice that could come together there: those beside it, three units' worth of them at most.
  int dice_near(SpaceId hex) const { return std::min(dice_[hex.index()].near, 12); }
  bool supplied(SpaceId hex) const { return ways_[hex.index()].ok(); }
  // The unit holds a hex beside the enemy alone.
  bool holds_the_line(SpaceId hex) const {
    return dice_[hex.index()].units == 1 && dice_[hex.index()].beside_foes;
  }
  bool enemies_near(SpaceId hex, int within) const {
    for (std::size_t i = 0; i < dice_.size(); ++i) {
      if (!dice_[i].foes) continue;
      const int away = now.board().distance(hex, SpaceId{static_cast<int>(i)});
      if (away >= 0 && away <= within) return true;
    }
    return false;
  }
  // How far the nearest thing worth having is; small is good, a rich one seems nearer.
  int goal_distance(SpaceId from) {
    int& known = goal_distance_[from.index()];
    if (known != kUnknown) return known;
    known = 40;
    for (const auto& [hex, value] : goals_) {
      const int distance = now.board().distance(from, hex);
      if (distance >= 0) known = std::min(known, 2 * distance - value);
    }
    return known;
  }

 private:
  static constexpr int kUnknown = -1'000;
  static constexpr int kAverageCv = 3;
  struct Dice {
    int own = 0, foe = 0, near = 0, units = 0;
    bool foes = false, beside_foes = false;
  };

  int guess(UnitId unit) const {
    if (now.is(unit, u::kShown)) return now.facts(unit).hq() ? 0 : now.cv(unit);
    return kAverageCv;
  }
  void add_neighbours() {
    for (std::size_t i = 0; i < dice_.size(); ++i) {
      for (SpaceId next : now.data.land.from(SpaceId{static_cast<int>(i)})) {
        dice_[i].near += dice_[next.index()].own;
        dice_[i].beside_foes |= dice_[next.index()].foes;
      }
    }
  }

  std::vector<Dice> dice_;
  std::vector<int> goal_distance_;
  std::vector<std::pair<SpaceId, int>> goals_;
  std::vector<SpaceId> ways_;
};

int land_move_value(Planner& plan, UnitId unit, SpaceId to) {
  const Situation& now = plan.now;
  const SpaceId from = now.at(unit);
  const int gain = plan.goal_distance(from) - plan.goal_distance(to);
  if (now.facts(unit).hq()) return gain - 3;
  if (plan.foes_in(from)) return -8;  // leave battles to those who must
  const int alone = plan.holds_the_line(from) ? 3 : 0;
  const int cut_off = plan.supplied(to) ? 0 : 4;
  if (plan.foes_in(to)) {
    const bool rough = now.terrain(to) != Terrain::kClear || now.major_city(to);
    const int own = std::max(plan.own_dice(to) + now.cv(unit), plan.dice_near(to));
    const int foe = plan.foe_dice(to) * (rough ? 2 : 1) + (rough ? 0 : plan.foe_dice(to) / 3);
    if (own <= foe) return -3;
    return 8 + 2 * (own - foe) + worth(now.data.hex(to)) - alone - cut_off;
  }
  return gain + (now.friendly(to, plan.side) ? 0 : 2 + worth(now.data.hex(to))) - alone - cut_off;
}

int path_value(Planner& plan, const Order& move) {
  const std::vector<SpaceId> path = move.spaces("path");
  return path.empty() ? -20 : land_move_value(plan, move.unit("unit"), path.back());
}

int activation_value(Planner& plan, const Order& activate) {
  const Situation& now = plan.now;
  const UnitId hq = activate.unit("hq");
  const int cmd = now.effective_cmd(hq);
  // One step a month comes back: an HQ at its last one waits for it.
  if (cmd < 1 || now.cv(hq) < 2) return -5;
  if (activate.choice("role") != "Normal") return -4;
  if (now.facts(hq).supreme()) return now.fortnight().half == 1 || now.cv(hq) > 2 ? 2 : -1;
  // Two steps at once only before a Production, and HQs of two steps take turns.
  const int half = now.fortnight().half;
  if (now.cv(hq) == 2 && hq.index() % 2 != static_cast<std::size_t>(half % 2)) return -1;
  const SpaceId to = activate.has("deployTo") ? activate.space("deployTo") : now.at(hq);
  const int closer = plan.goal_distance(now.at(hq)) - plan.goal_distance(to);
  const int blitz = activate.flag("blitz")
                        ? (now.cv(hq) > 2 && half == 2 && plan.enemies_near(to, cmd) ? 1 : -6)
                        : 0;
  // Where nobody is to be fought it keeps its strength.
  return (plan.enemies_near(to, cmd + 2) ? 5 : 1) + closer + blitz;
}

int battle_value(const Planner& plan, SpaceId battle) {
  if (compulsory(plan.now, battle)) return 8;
  const bool stronger = plan.own_dice(battle) >= plan.foe_dice(battle);
  return stronger && supported(plan.now, battle) ? 4 : -2;
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

namespace {

int order_value(Planner& plan, const Order& order) {
  const Situation& now = plan.now;
  if (order.is("MoveUnit")) return path_value(plan, order);
  if (order.is("SupremeMove")) return path_value(plan, order) - 1;
  if (order.is("RailMove")) return path_value(plan, order) - 4;
  if (order.is("DesignateRearGuard")) return -10;
  if (order.is("MobiliseHQ") || order.is("SeaMove") || order.is("EvacuateBySea")) return -6;
  if (order.is("ActivateHQ")) return activation_value(plan, order);
  if (order.is("AssignAirStrike")) return 9 + plan.own_dice(order.space("battleHex"));
  if (order.is("ActivateBattle")) return battle_value(plan, order.space("battleHex"));
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

}  // namespace

std::vector<std::size_t> best_orders(const Situation& now, std::span<const Order> orders) {
  std::vector<std::size_t> best;
  if (orders.empty()) return best;
  Planner plan(now, orders.front().side);
  int best_value = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const int value = order_value(plan, orders[i]);
    if (best.empty() || value > best_value) {
      best.assign(1, i);
      best_value = value;
    } else if (value == best_value) {
      best.push_back(i);
    }
  }
  return best;
}

}  // namespace wardiary::eastfront

// The greedy bot's taste: towards the Reichstag, attack where it pays, spend little.
#include <algorithm>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

constexpr int kNever = -1'000'000;

int distance_to_goal(const Situation& now, SpaceId hex) {
  if (!now.data.reichstag) return 0;
  return now.board().distance(hex, now.data.reichstag);
}

// Objectives that the Front does not hold draw its units; the Reichstag most of all.
int pull(const Situation& now, SideId front, SpaceId hex) {
  int best = -distance_to_goal(now, hex);
  for (SpaceId goal : now.data.objectives) {
    if (now.in_sector(goal, front) && now.control(goal) != front) {
      best = std::max(best, -now.board().distance(hex, goal));
    }
  }
  return best;
}

int score_move(const Situation& now, const Order& order) {
  const UnitId unit = order.unit("unit");
  const SpaceId to = order.spaces("path").back();
  const SpaceId from = now.at(unit);
  if (now.facts(unit).kind != Kind::kSoviet) {
    // Germans fall back on their objectives and stay there.
    if (now.hex(from).objective) return kNever / 2;
    return now.hex(to).objective && now.units_in(to).empty() ? 50 : -1;
  }
  const SideId front = now.facts(unit).front;
  const int gain = pull(now, front, to) - pull(now, front, from);
  return 4 * gain - (order.flag("forcedMarch") ? 6 : 0);
}

int score_attack(const Situation& now, const Order& order) {
  const std::vector<UnitId> attackers = order.units("attackerUnits");
  std::vector<UnitId> defenders;
  for (SpaceId hex : order.spaces("defenderHexes")) {
    for (UnitId unit : now.units_in(hex)) defenders.push_back(unit);
  }
  const Strength strength = strength_of(now, attackers, defenders);
  const int column = column_of(strength.attack, strength.defence);
  return column * 10 - (column < 3 ? 15 : 0) + (order.choice("crt") == "Mobile" ? 1 : 0);
}

int score_of(const Situation& now, const Order& order) {
  if (order.is("MoveUnit")) return score_move(now, order);
  if (order.is("DeclareAttack")) return score_attack(now, order);
  if (order.is("Retreat")) {
    const auto path = order.spaces("path");
    return path.empty() ? 0 : now.hex(path.back()).defence;
  }
  if (order.is("DeclineRetreat") || order.is("StopPanicInObjective")) return 10;
  if (order.is("ChooseLosses")) return -static_cast<int>(order.units("units").size());
  if (order.is("Advance")) {
    const UnitId unit = order.unit("unit");
    const SpaceId to = order.spaces("path").back();
    if (now.facts(unit).kind != Kind::kSoviet) return -5;
    return 5 + distance_to_goal(now, now.at(unit)) - distance_to_goal(now, to);
  }
  if (order.is("PlaceBombardment")) {
    int germans = 0;
    for (UnitId unit : now.units_in(order.space("hex"))) germans += now.facts(unit).is_german();
    const bool worth = now.hex(order.space("hex")).objective && germans > 1;
    return worth ? 5 : kNever;
  }
  if (order.is("ReplaceUnit")) {
    // Points are dear; only fatigue, which doubles every price, is dearer [20.2].
    constexpr int kTooManyDead = 4;
    return dead_formations(now, order.side) >= kTooManyDead ? 4 : -10;
  }
  if (order.is("DeclareMaximumEffort") || order.is("RevealStatic") || order.is("HoldSniper")) {
    return kNever;
  }
  if (order.is("PlaceStatic") || order.is("PlaceGermanMobile") ||
      order.is("PlaceStaticReinforcement")) {
    const SpaceId hex = order.space("hex");
    return 10 * now.hex(hex).objective + 4 * now.hex(hex).defence - distance_to_goal(now, hex) / 2 -
           2 * static_cast<int>(now.units_in(hex).size());
  }
  if (order.is("PlaceReinforcement") || order.is("PlaceSovietUnit")) {
    return 20 - distance_to_goal(now, order.space("hex"));
  }
  if (order.is("EndPhase") || order.is("EndAdvance")) return 0;
  return 3;
}

}  // namespace

std::vector<std::size_t> best_orders(const Situation& now, std::span<const Order> orders) {
  std::vector<std::size_t> best;
  int most = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const int score = score_of(now, orders[i]);
    if (best.empty() || score > most) {
      best.clear();
      most = score;
    }
    if (score == most) best.push_back(i);
  }
  return best;
}

}  // namespace wardiary::reichstag

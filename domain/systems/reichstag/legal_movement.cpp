// Hints for movement: every hex a unit can reach, by a cheapest path.
#include <algorithm>
#include <array>

#include "domain/systems/reichstag/mover.h"

namespace wardiary::reichstag {
namespace {

constexpr int kMpMost = 32;

class Reach {
 public:
  Reach(const Situation& now, const Mover& mover)
      : now_(now),
        mover_(mover),
        left_(now.data.hexes.size(), kUnseen),
        from_(now.data.hexes.size()) {}

  // Hexes in order of their cost; `left` of a hex is what the unit has left there.
  const std::vector<SpaceId>& explore(UnitId unit, int mp) {
    mp = std::min(mp, kMpMost);
    for (SpaceId hex : touched_) left_[hex.index()] = kUnseen;
    touched_.clear();
    found_.clear();
    const SpaceId start = now_.at(unit);
    const bool moving = now_.moved(unit) == Moved::kMoving;
    const bool disengaged =
        moving ? now_.is(unit, u::kDisengaged) : mover_.field().enemy_zone(unit, start);
    std::array<std::vector<SpaceId>, kMpMost + 1> queue;
    queue[static_cast<std::size_t>(mp)].push_back(start);
    left_[start.index()] = mp;
    touched_.push_back(start);
    for (int now_left = mp; now_left >= 0; --now_left) {
      auto& hexes = queue[static_cast<std::size_t>(now_left)];
      for (std::size_t i = 0; i < hexes.size(); ++i) {
        const SpaceId at = hexes[i];
        if (left_[at.index()] != now_left) continue;
        if (at != start) found_.push_back(at);
        for (const Neighbour& step : now_.board().neighbours(at)) {
          if (mover_.barred(unit, at, step, moving || at != start, disengaged)) continue;
          const int after = now_left - mover_.cost(unit, step);
          if (after < 0 || after <= left_[step.space.index()]) continue;
          if (left_[step.space.index()] == kUnseen) touched_.push_back(step.space);
          left_[step.space.index()] = after;
          from_[step.space.index()] = at;
          queue[static_cast<std::size_t>(after)].push_back(step.space);
        }
      }
    }
    start_ = start;
    return found_;
  }
  int left(SpaceId hex) const { return left_[hex.index()]; }
  std::vector<SpaceId> path_to(SpaceId hex) const {
    std::vector<SpaceId> path;
    for (SpaceId at = hex; at != start_; at = from_[at.index()]) path.push_back(at);
    return {path.rbegin(), path.rend()};
  }

 private:
  static constexpr int kUnseen = -1;
  const Situation now_;
  const Mover& mover_;
  std::vector<int> left_;
  std::vector<SpaceId> from_;
  std::vector<SpaceId> found_, touched_;
  SpaceId start_;
};

// Of the hexes that only a forced march reaches, a few are shown.
constexpr std::size_t kForcedEvery = 6;

bool show_moves(const Situation& now, const Mover& mover, Reach& reach, UnitId unit, SideId side,
                const SeeOrder& see) {
  const bool moving = now.moved(unit) == Moved::kMoving;
  const int mp = moving ? now.get(unit, u::kMpLeft) : allowance(now, unit, false);
  const auto show = [&](SpaceId hex, bool forced) {
    const std::vector<SpaceId> path = reach.path_to(hex);
    Order move = order("MoveUnit", side);
    move.with("unit", unit).with("path", std::span<const SpaceId>(path));
    if (forced) move.with("forcedMarch", 1);
    return see(move);
  };
  const bool can_force = now.facts(unit).kind == Kind::kSoviet &&
                         can_pay(now, price(now, side, now.data.rulings.forced_march_cost)) &&
                         !forced_march_refusal(now, mover.field(), unit);
  // What is left at the end of the way beyond the gain needs no forced march.
  const int gain = can_force ? forced_march_gain(now, unit) : 0;
  std::size_t count = unit.index();
  for (SpaceId hex : reach.explore(unit, mp + gain)) {
    const bool forced = reach.left(hex) < gain;
    if (forced && ++count % kForcedEvery != 0) continue;
    if (!show(hex, forced)) return false;
  }
  return true;
}

}  // namespace

void legal_movement(const Situation& now, SideId side, const SeeOrder& see) {
  if (now.german_stage() && now.track(t::kGermanMp) < 0) {
    see(order("RollGermanMovement", side));
    return;
  }
  if (!see(order("EndPhase", side))) return;
  const Mover mover(now);
  Reach reach(now, mover);
  const bool escape = now.data.rulings.escape_west && now.is(t::kBunkerCaptured);
  for (UnitId unit : now.all_units()) {
    if (cannot_move(now, unit, side)) continue;
    if (!show_moves(now, mover, reach, unit, side, see)) return;
    const bool at_edge = (now.hex(now.at(unit)).edges & edge::kWest) != 0;
    if (!escape || !now.german_stage() || !at_edge) continue;
    const bool moving = now.moved(unit) == Moved::kMoving;
    const int mp = moving ? now.get(unit, u::kMpLeft) : allowance(now, unit, false);
    const bool stopped = moving && mover.field().enemy_zone(unit, now.at(unit));
    if (mp >= 1 && !stopped && !see(order("ExitWest", side).with("unit", unit))) return;
  }
}

}  // namespace wardiary::reichstag

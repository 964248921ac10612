// Stavka points [6] and fatigue [20].
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {

int price(const Situation& now, SideId front, int cost) {
  return now.is(of_front(t::kFatigued1BF, front)) ? cost * now.data.costs.fatigued : cost;
}

bool can_pay(const Situation& now, int amount) {
  return now.track(t::kSp1BF) + now.track(t::kSp1UF) + amount <= kStavkaPoints;  // [6.2]
}

Refused pay(Draft& draft, SideId front, int amount) {
  if (!can_pay(Situation(draft), amount)) {
    return refuse("SP_CAP_EXCEEDED", "6.2",
                  "the two Fronts may spend " + std::to_string(kStavkaPoints) +
                      " Stavka points together; this costs " + std::to_string(amount));
  }
  draft.add(track(of_front(t::kSp1BF, front)), amount);
  return std::nullopt;
}

int dead_formations(const Situation& now, SideId front) {
  int dead = 0;
  for (UnitId unit : now.all_units()) {
    const UnitFacts& facts = now.facts(unit);
    dead += facts.kind == Kind::kSoviet && facts.front == front && facts.big() &&
            now.pile(unit) == Pile::kDead;
  }
  return dead;
}

Refused decide_max_effort(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (now.is(of_front(t::kMaxUsed1BF, order.side))) {
    return refuse("MAX_EFFORT_USED", "6.7", "a maximum effort is possible once in a game");
  }
  if (auto refused = pay(draft, order.side, price(now, order.side, now.data.costs.max_effort))) {
    return refused;
  }
  draft.set(track(of_front(t::kMaxUsed1BF, order.side)), 1);
  draft.set(track(t::kMaxNow), 1);
  return std::nullopt;
}

// [20.2] Tired for good when two dice show less than the corps and divisions in the dead pile.
Refused decide_fatigue(Draft& draft, const Order& order) {
  const Situation now(draft);
  const t::Track fatigued = of_front(t::kFatigued1BF, order.side);
  if (now.is(fatigued)) {
    return refuse("ALREADY_FATIGUED", "20.4", "this Front is fatigued already");
  }
  const int dead = dead_formations(now, order.side);
  RollRequest request;
  request.roller = order.side;
  request.purpose = "fatigue";
  request.groups = {{RollGroup::kDice, 2, 6, 0}};
  request.terms = {{"corps and divisions dead", dead}};
  const auto tired = [dead](std::span<const std::uint32_t> faces) {
    return static_cast<int>(faces[0] + faces[1]) < dead;
  };
  const auto faces = draft.roll(request, [&](std::span<const std::uint32_t> values) {
    return RollOutcome{"", tired(values) ? "fatigued" : "not fatigued", -1};
  });
  if (tired(faces)) {
    auto because = draft.because_of_last();
    draft.set(track(fatigued), 1);
  }
  end_stage(draft);
  return std::nullopt;
}

void legal_turn_start(const Situation& now, SideId side, const SeeOrder& see) {
  if (!see(order("EndPhase", side))) return;
  const bool affordable = can_pay(now, price(now, side, now.data.costs.max_effort));
  if (!now.is(of_front(t::kMaxUsed1BF, side)) && affordable &&
      !see(order("DeclareMaximumEffort", side))) {
    return;
  }
  for (UnitId unit : now.all_units()) {
    const UnitFacts& facts = now.facts(unit);
    if (!facts.recon || facts.front != side || !now.on_map(unit)) continue;
    if (now.get(unit, u::kRecon) >= now.data.rulings.recon_hexes) continue;
    for (UnitId target : now.all_units()) {
      if (!now.facts(target).is_static() || !now.on_map(target) || now.is(target, u::kFaceUp)) {
        continue;
      }
      const SpaceId hex = now.at(target);
      if (!now.in_sector(hex, side) || now.board().distance(now.at(unit), hex) > kReconReach) {
        continue;
      }
      if (!see(order("Reconnoitre", side).with("reconUnit", unit).with("hex", hex))) return;
    }
  }
}

}  // namespace wardiary::reichstag

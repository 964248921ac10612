// Combat results [12.23] step by step, and losses [12.24].
#include <algorithm>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

enum class What : std::uint8_t { kStrongest, kHalf, kAll, kRetreat, kPanic, kAdvance };
struct ResultStep {
  What what;
  Role who;
  int hexes = 0;
};

constexpr Role kA = Role::kAttacker;
constexpr Role kD = Role::kDefender;

std::vector<ResultStep> steps_of(CombatResult result) {
  switch (result) {
    case CombatResult::kAA:
      return {{What::kStrongest, kA}};
    case CombatResult::kAD:
      return {{What::kHalf, kA}, {What::kRetreat, kA, 1}, {What::kAdvance, kD, 1}};
    case CombatResult::kAP:
      return {{What::kStrongest, kA}, {What::kPanic, kA}, {What::kAdvance, kD, 1}};
    case CombatResult::kAR:
      return {{What::kRetreat, kA, 1}, {What::kAdvance, kD, 1}};
    case CombatResult::kBB:
      return {{What::kHalf, kD}, {What::kHalf, kA}};
    case CombatResult::kDA:
      return {{What::kStrongest, kD}};
    case CombatResult::kDD:
      return {{What::kHalf, kD}, {What::kRetreat, kD, 1}, {What::kAdvance, kA, 1}};
    case CombatResult::kDE:
      return {{What::kAll, kD}, {What::kAdvance, kA, 1}};
    case CombatResult::kDP:
      return {{What::kStrongest, kD}, {What::kPanic, kD}, {What::kAdvance, kA, 2}};
    case CombatResult::kDR:
      return {{What::kRetreat, kD, 1}, {What::kAdvance, kA, 1}};
    case CombatResult::kMD:
      return {{What::kStrongest, kA}, {What::kRetreat, kD, 1}, {What::kAdvance, kA, 1}};
    case CombatResult::kOR:
      return {{What::kAll, kD}, {What::kAdvance, kA, 3}};
    case CombatResult::kNone:
      break;
  }
  return {};
}

// The track counts in halves: 2n + 1 the step n is to begin, 2n + 2 it waits for somebody.
struct Progress {
  std::size_t index;
  bool begun;
};
Progress progress_of(const Situation& now) {
  const int value = now.track(t::kCombatStep) - 1;
  return {static_cast<std::size_t>(value / 2), value % 2 == 1};
}
void go_to(Draft& draft, std::size_t index, bool begun) {
  draft.set(track(t::kCombatStep), static_cast<int>(index) * 2 + (begun ? 2 : 1));
}

ResultStep present_step(const Situation& now) {
  const auto steps = steps_of(static_cast<CombatResult>(now.track(t::kCombatResult)));
  const std::size_t index = progress_of(now).index;
  return index < steps.size() ? steps[index] : ResultStep{What::kAdvance, Role::kNone, 0};
}

void ask_one(Draft& draft, SideId side, Ask what, int number = 0) {
  const Situation now(draft);
  SpaceId where;
  for (std::size_t i = 0; i < now.pos.space_count() && !where; ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (static_cast<Role>(now.pos.get(hex, h::kBattle)) == Role::kDefender) where = hex;
  }
  draft.ask(other_front(side), {});
  draft.ask(side, {static_cast<std::uint8_t>(what), where.value, -1, number});
}

void close_combat(Draft& draft) {
  const Situation now(draft);
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).is_marker()) continue;
    if (now.get(unit, u::kLost) >= 0) {  // nobody came for it
      draft.set(unit, u::kLost, -1);
      draft.set(unit, u::kPile, static_cast<int>(Pile::kRemoved));
    }
    draft.set(unit, u::kRole, 0);
    draft.set(unit, u::kRetreatLeft, 0);
    draft.set(unit, u::kRetreatFrom, -1);
    draft.set(unit, u::kAdvanced, 0);
  }
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    draft.set(SpaceId{static_cast<int>(i)}, h::kBattle, 0);
  }
  draft.set(track(t::kCombatStep), 0);
  draft.set(track(t::kCombatResult), 0);
  draft.set(track(t::kPanic), 0);
  ask_stage(draft);
}

// True: somebody has to decide.
bool begin_step(Draft& draft, const ResultStep& step) {
  const Situation now(draft);
  const std::vector<UnitId> force = force_of(now, step.who);
  switch (step.what) {
    case What::kAll:
      for (UnitId unit : force) eliminate(draft, unit, "combat");
      return false;
    case What::kStrongest:
    case What::kHalf:
      if (force.size() == 1) eliminate(draft, force.front(), "combat");  // no choice
      if (force.size() < 2) return false;
      ask_one(draft, owner_of(now, step.who), Ask::kLosses);
      return true;
    case What::kPanic: {
      if (force.empty()) return false;
      const std::uint32_t die = roll_die(draft, owner_of(now, step.who), "panic");
      draft.set(track(t::kPanic), static_cast<int>(die));
      begin_retreat(draft, step.who, static_cast<int>(die));
      break;
    }
    case What::kRetreat:
      begin_retreat(draft, step.who, step.hexes);
      break;
    case What::kAdvance:
      if (!anyone_can_advance(now)) return false;
      ask_one(draft, owner_of(now, step.who), Ask::kAdvance, step.hexes);
      return true;
  }
  settle_hopeless(draft);
  if (!retreat_left(now)) return false;
  ask_one(draft, owner_of(now, step.who), Ask::kRetreat, now.track(t::kPanic));
  return true;
}

// A step that waited goes on after an order. True: it waits still.
bool resume_step(Draft& draft, const ResultStep& step) {
  const Situation now(draft);
  switch (step.what) {
    case What::kRetreat:
    case What::kPanic:
      settle_hopeless(draft);
      return retreat_left(now);
    case What::kAdvance:
      return anyone_can_advance(now);
    default:
      return false;
  }
}

bool is_strongest(const Situation& now, const std::vector<UnitId>& force, UnitId unit) {
  return std::none_of(force.begin(), force.end(), [&](UnitId other) {
    return now.facts(other).cf > now.facts(unit).cf;  // printed factor
  });
}

// [12.24, R-13, R-45] Half of the printed factors of the whole force, and somebody at least.
bool is_half(const Situation& now, const std::vector<UnitId>& force,
             const std::vector<UnitId>& lost) {
  int all = 0, gone = 0;
  for (UnitId unit : force) all += now.facts(unit).cf;
  for (UnitId unit : lost) gone += now.facts(unit).cf;
  return !lost.empty() && 2 * gone >= all;
}

}  // namespace

SideId owner_of(const Situation& now, Role role) {
  return role == Role::kAttacker ? now.player() : other_front(now.player());
}

std::vector<UnitId> force_of(const Situation& now, Role role) {
  std::vector<UnitId> out;
  for (UnitId unit : now.all_units()) {
    if (now.role(unit) == role && now.on_map(unit)) out.push_back(unit);
  }
  return out;
}

void open_combat(Draft& draft, CombatResult result) {
  draft.set(track(t::kCombatResult), static_cast<int>(result));
  go_to(draft, 0, false);
  continue_combat(draft);
}

void continue_combat(Draft& draft) {
  const Situation now(draft);
  const auto steps = steps_of(static_cast<CombatResult>(now.track(t::kCombatResult)));
  while (true) {
    const auto [index, begun] = progress_of(now);
    if (index >= steps.size()) return close_combat(draft);
    if (begun ? resume_step(draft, steps[index]) : begin_step(draft, steps[index])) {
      return go_to(draft, index, true);
    }
    go_to(draft, index + 1, false);
  }
}

int advance_limit(const Situation& now) {
  const ResultStep step = present_step(now);
  return step.what == What::kAdvance ? step.hexes : 0;
}

Refused decide_losses(Draft& draft, const Order& order) {
  const Situation now(draft);
  const ResultStep step = present_step(now);
  const std::vector<UnitId> force = force_of(now, step.who);
  std::vector<UnitId> lost = order.units("units");
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  for (UnitId unit : lost) {
    if (std::find(force.begin(), force.end(), unit) == force.end()) return not_yours("12.24");
  }
  if (lost.empty()) return refuse("INSUFFICIENT_LOSSES", "12.24", "somebody must be lost");
  if (step.what == What::kStrongest) {
    if (std::none_of(lost.begin(), lost.end(),
                     [&](UnitId unit) { return is_strongest(now, force, unit); })) {
      return refuse("MUST_BE_STRONGEST", "12.24", "the strongest unit must be among the losses");
    }
  } else if (!is_half(now, force, lost)) {
    return refuse("INSUFFICIENT_LOSSES", "12.24", "half of the printed factors must be lost");
  }
  for (UnitId unit : lost) eliminate(draft, unit, "combat");
  continue_combat(draft);
  return std::nullopt;
}

Refused decide_end_advance(Draft& draft, const Order&) {
  go_to(draft, progress_of(Situation(draft)).index + 1, false);
  continue_combat(draft);
  return std::nullopt;
}

// The least losses: each strongest unit; each set of which none could be spared.
void legal_losses(const Situation& now, SideId side, const SeeOrder& see) {
  constexpr std::size_t kForceMost = 12;
  const ResultStep step = present_step(now);
  std::vector<UnitId> force = force_of(now, step.who);
  const auto show = [&](const std::vector<UnitId>& lost) {
    return see(order("ChooseLosses", side).with("units", std::span<const UnitId>(lost)));
  };
  if (step.what == What::kStrongest) {
    for (UnitId unit : force) {
      if (is_strongest(now, force, unit) && !show({unit})) return;
    }
    return;
  }
  if (force.size() > kForceMost) {
    show(force);
    return;
  }
  for (std::uint32_t set = 1; set < 1u << force.size(); ++set) {
    std::vector<UnitId> lost;
    for (std::size_t i = 0; i < force.size(); ++i) {
      if (set >> i & 1) lost.push_back(force[i]);
    }
    if (!is_half(now, force, lost)) continue;
    const bool spare = std::any_of(lost.begin(), lost.end(), [&](UnitId unit) {
      std::vector<UnitId> fewer = lost;
      std::erase(fewer, unit);
      return is_half(now, force, fewer);
    });
    if (!spare && !show(lost)) return;
  }
}

}  // namespace wardiary::reichstag

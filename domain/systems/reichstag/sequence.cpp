// The sequence of play [4.3]: which state follows which, and what a state begins with.
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

void begin_stage(Draft& draft, SideId front, Stage stage);

void forget_recon(Draft& draft, SideId front) {
  const Situation now(draft);
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).recon && now.facts(unit).front == front) draft.set(unit, u::kRecon, 0);
  }
}

// What happens by itself as a stage begins. True: nobody has anything to decide in it.
bool passes_by_itself(Draft& draft, Stage stage) {
  const Situation now(draft);
  switch (stage) {
    case Stage::kStart:
      draft.set(track(t::kMaxNow), 0);
      forget_recon(draft, now.front());
      return false;
    case Stage::kMovement:
      begin_movement(draft);
      return false;
    case Stage::kCombat:
    case Stage::kCombat1:
    case Stage::kCombat2:
    case Stage::kGermanCombat:
      begin_combat(draft);
      return false;
    case Stage::kFatigue:
      return now.is(of_front(t::kFatigued1BF, now.front()));  // [20.4]
    case Stage::kGermanStart:                                 // [22.1]
      return !now.data.fantasy || now.turn() < 2 || now.is(of_front(t::kArrived1BF, now.front()));
    case Stage::kGermanReinforcement:
      draft.set(track(t::kStaticRolled), 0);
      return false;
    case Stage::kGermanMovement:
      draft.set(track(t::kGermanMp), -1);
      begin_movement(draft);
      return false;
    case Stage::kGermanEnd:
      remove_markers(draft, now.front());
      return true;
    default:
      return false;
  }
}

void begin_stage(Draft& draft, SideId front, Stage stage) {
  Clock to = draft->clock;
  to.phase = static_cast<std::uint8_t>(phase_of(front, stage));
  to.side =
      static_cast<std::int8_t>((stage >= Stage::kGermanStart ? other_front(front) : front).value);
  draft.begin_phase(to);
  if (passes_by_itself(draft, stage)) return end_stage(draft);
  ask_stage(draft);
}

Stage stage_after(const Situation& now) {
  switch (now.stage()) {
    case Stage::kBombardment:
      return now.is(t::kMaxNow) ? Stage::kCombat1 : Stage::kMovement;  // [6.7]
    case Stage::kCombat:
      return Stage::kFatigue;
    default:
      return static_cast<Stage>(static_cast<int>(now.stage()) + 1);
  }
}

void clear_phase_marks(Draft& draft) {
  const Situation now(draft);
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).is_marker()) {
      draft.set(unit, u::kFresh, 0);
      continue;
    }
    for (int mark : {u::kMove, u::kMpLeft, u::kForced, u::kDisengaged, u::kServed, u::kObliged,
                     u::kAttacked, u::kDefended, u::kShifted}) {
      draft.set(unit, mark, 0);
    }
  }
}

Ask question_of(Stage stage) {
  switch (stage) {
    case Stage::kStart:
      return Ask::kTurnStart;
    case Stage::kReinforcement:
      return Ask::kReinforce;
    case Stage::kBombardment:
      return Ask::kBombard;
    case Stage::kMovement:
      return Ask::kMove;
    case Stage::kCombat:
    case Stage::kCombat1:
    case Stage::kCombat2:
    case Stage::kGermanCombat:
      return Ask::kAttack;
    case Stage::kFatigue:
      return Ask::kFatigue;
    case Stage::kGermanStart:
      return Ask::kArrival;
    case Stage::kGermanReinforcement:
      return Ask::kGermanReinforce;
    case Stage::kGermanMovement:
      return Ask::kGermanMove;
    case Stage::kGermanEnd:
    case Stage::kNone:
      break;
  }
  return Ask::kNothing;
}

Refused still_to_do(const Situation& now, SideId side) {
  switch (now.stage()) {
    case Stage::kReinforcement:
      return reinforcements_pending(now, side);
    case Stage::kGermanReinforcement:
      return drawn_unit_pending(now, side);
    case Stage::kCombat:
    case Stage::kCombat1:
    case Stage::kCombat2:
    case Stage::kGermanCombat:
      return attacks_pending(now);
    case Stage::kFatigue:
      if (now.is(of_front(t::kFatigued1BF, side))) return std::nullopt;
      return refuse("WRONG_PHASE", "20.2", "the fatigue roll ends this phase");
    case Stage::kGermanStart:
      return refuse("WRONG_PHASE", "22.1", "the arrival roll ends this phase");
    case Stage::kNone:
      return refuse("WRONG_PHASE", "4.3", "there is no phase to end in the set-up");
    default:
      return std::nullopt;
  }
}

}  // namespace

void begin_game_turn(Draft& draft, int turn) {
  Clock to = draft->clock;
  to.turn = static_cast<std::int16_t>(turn);
  const Situation now(draft);
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).is_marker()) draft.set(unit, u::kUsed, 0);  // [6.6]
  }
  to.phase = static_cast<std::uint8_t>(phase_of(k1BF, Stage::kStart));
  to.side = static_cast<std::int8_t>(k1BF.value);
  draft.begin_phase(to);
  passes_by_itself(draft, Stage::kStart);
  ask_stage(draft);
}

void ask_stage(Draft& draft) {
  const Situation now(draft);
  for (SideId front : kFronts) {
    const Ask what = front == now.player() ? question_of(now.stage()) : Ask::kNothing;
    draft.ask(front, {static_cast<std::uint8_t>(what), -1, -1, 0});
  }
}

void end_stage(Draft& draft) {
  const Situation now(draft);
  const Stage ended = now.stage();
  if (ended == Stage::kBombardment || ended == Stage::kMovement ||
      ended == Stage::kGermanMovement || now.combat_stage()) {
    clear_phase_marks(draft);
  }
  if (ended == Stage::kGermanCombat) {  // [22.5 (2)]
    for (UnitId unit : now.all_units()) {
      if (now.facts(unit).kind == Kind::kMe262 && now.on_map(unit)) {
        move_to_pile(draft, unit, Pile::kRemoved, "end of phase");
      }
    }
  }
  if (ended != Stage::kGermanEnd) return begin_stage(draft, now.front(), stage_after(now));
  if (now.front() == k1BF) return begin_stage(draft, k1UF, Stage::kStart);
  interphase(draft);
}

Refused decide_end_phase(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (now.combat_open()) {
    return refuse("COMBAT_OPEN", "12.4", "the combat is not over yet");
  }
  if (now.asked(order.side) == Ask::kNothing) {
    return refuse("NOT_YOUR_DECISION", "", "it is not this side's decision");
  }
  if (auto refused = still_to_do(now, order.side)) return refused;
  end_stage(draft);
  return std::nullopt;
}

}  // namespace wardiary::reichstag

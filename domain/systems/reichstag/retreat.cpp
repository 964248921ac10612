// Retreats [13]: who goes, where he may go, and what becomes of those who cannot.
#include <algorithm>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

// Germans in an S-Bahn hex of scenario 23 ignore retreats; R-47: always, or as they like.
bool holds_sbahn(const Situation& now, SpaceId hex) {
  return now.data.prepared && now.hex(hex).sbahn;
}
bool may_decline(const Situation& now, UnitId unit, SpaceId hex) {
  if (now.facts(unit).kind != Kind::kMobile) return false;
  return now.hex(hex).objective ||
         (holds_sbahn(now, hex) && now.data.rulings.sbahn_choice);  // [13.6]
}

enum class Way { kComplete, kOffMap, kFatal };

// The ways open to one unit: hex by hex away from where the combat found it [13.3 (6), R-35].
class Ways {
 public:
  Ways(const Situation& now, const Field& field, UnitId unit)
      : now_(now), field_(field), unit_(unit), start_(SpaceId{now.get(unit, u::kRetreatFrom)}) {
    done_ = now.board().distance(start_, now.at(unit));
    total_ = done_ + now.get(unit, u::kRetreatLeft);
    if (complete(now.at(unit), done_)) {
      way_ = Way::kComplete;
    } else if (off_map(now.at(unit), done_)) {
      way_ = Way::kOffMap;
    } else {
      way_ = Way::kFatal;
      longest_ = longest(now.at(unit), done_);
    }
  }

  Way way() const { return way_; }
  int done() const { return done_; }
  int total() const { return total_; }
  bool stuck() const { return way_ == Way::kFatal && longest_ == done_; }
  // The hexes to step into next from a place on its way.
  std::vector<SpaceId> next(SpaceId at, int done) const {
    std::vector<SpaceId> out;
    if (done >= total_) return out;
    for (const Neighbour& step : now_.board().neighbours(at)) {
      if (!barred(at, step, done) && leads_on(step.space, done + 1)) out.push_back(step.space);
    }
    return out;
  }
  // Whether the best that is possible can still be had from there.
  bool leads_on(SpaceId at, int done) const {
    switch (way_) {
      case Way::kComplete:
        return complete(at, done);
      case Way::kOffMap:
        return off_map(at, done);
      case Way::kFatal:
        return longest(at, done) == longest_;
    }
    return false;
  }
  // It ends its way here, dead, as far as it could come.
  bool dies_at(int done) const { return way_ == Way::kFatal && done == longest_; }
  bool may_leave_map(SpaceId at) const { return way_ == Way::kOffMap && now_.hex(at).edges != 0; }
  // Why a step is no retreat; null if it is one.
  const char* barred(SpaceId at, const Neighbour& step, int done) const {
    const UnitFacts& facts = now_.facts(unit_);
    const bool soviet = facts.kind == Kind::kSoviet;
    (void)at;
    if (now_.data.link(step.link).boundary ||
        (soviet && !now_.in_sector(step.space, facts.front))) {
      return "SECTOR_BOUNDARY";
    }
    if (now_.is_reichstag(step.space)) {
      if (!soviet) return "REICHSTAG_FORBIDDEN";
      if (now_.other_front_in_reichstag(facts.front)) return "REICHSTAG_HELD_BY_OTHER_FRONT";
    }
    if (field_.enemy_in(unit_, step.space)) return "ENEMY_OCCUPIED";
    if (field_.enemy_zone(unit_, step.space)) return "IN_EZOC";
    if (!can_cross(now_, step.link)) return "PROHIBITED_TERRAIN";
    if (!field_.room_for(unit_, step.space)) return "STACKING_LIMIT";
    if (now_.board().distance(start_, step.space) != done + 1) return "MUST_GO_AWAY";
    return nullptr;
  }

 private:
  // A panic may stop in an objective hex it has entered [13.6].
  bool may_stop(SpaceId at, int done) const {
    return done > 0 && now_.facts(unit_).kind == Kind::kMobile && now_.hex(at).objective;
  }
  bool complete(SpaceId at, int done) const {
    if (done == total_ || may_stop(at, done)) return true;
    for (const Neighbour& step : now_.board().neighbours(at)) {
      if (!barred(at, step, done) && complete(step.space, done + 1)) return true;
    }
    return false;
  }
  bool off_map(SpaceId at, int done) const {
    if (now_.facts(unit_).kind != Kind::kSoviet || done >= total_) return false;
    if (now_.hex(at).edges) return true;
    for (const Neighbour& step : now_.board().neighbours(at)) {
      if (!barred(at, step, done) && off_map(step.space, done + 1)) return true;
    }
    return false;
  }
  int longest(SpaceId at, int done) const {
    int best = done;
    for (const Neighbour& step : now_.board().neighbours(at)) {
      if (done < total_ && !barred(at, step, done)) {
        best = std::max(best, longest(step.space, done + 1));
      }
    }
    return best;
  }

  const Situation now_;
  const Field& field_;
  UnitId unit_;
  SpaceId start_;
  int done_ = 0, total_ = 0, longest_ = 0;
  Way way_ = Way::kFatal;
};

std::vector<UnitId> retreating(const Situation& now) {
  std::vector<UnitId> out;
  for (UnitId unit : now.all_units()) {
    if (now.on_map(unit) && now.get(unit, u::kRetreatLeft) > 0) out.push_back(unit);
  }
  return out;
}

void finish(Draft& draft, UnitId unit) {
  draft.set(unit, u::kRetreatLeft, 0);
  draft.set(unit, u::kRetreatFrom, -1);
}

// [13.3 (5), R-26] Back next turn by the edge it left.
void leave_map(Draft& draft, UnitId unit) {
  const Situation now(draft);
  const int edges = now.hex(now.at(unit)).edges;
  const int wanted = now.facts(unit).entry_edge;
  const int by = (edges & wanted) ? (edges & wanted) : (edges & -edges);
  finish(draft, unit);
  draft.set(unit, u::kDue, now.turn() + 1);
  draft.set(unit, u::kExitEdge, by);
  move_to_pile(draft, unit, Pile::kReturning, "retreated off the map");
}

bool at_first(const Situation& now, UnitId unit) {
  return now.at(unit).value == now.get(unit, u::kRetreatFrom);
}

// Choices besides walking: staying in an objective, or escaping to the west.
bool has_other_choice(const Situation& now, UnitId unit) {
  return (at_first(now, unit) && may_decline(now, unit, now.at(unit))) ||
         may_escape_in_retreat(now, unit);
}

Refused illegal(const std::string& reason, const std::string& text) {
  return refuse("ILLEGAL_RETREAT", "13.3", reason + ": " + text);
}

Refused own_retreat(const Situation& now, UnitId unit, SideId side) {
  const bool owed = now.on_map(unit) && now.get(unit, u::kRetreatLeft) > 0;
  const bool own = now.facts(unit).kind == Kind::kSoviet ? now.facts(unit).front == side
                                                         : now.facts(unit).front != side;
  if (!owed || !own || owner_of(now, now.role(unit)) != side) return not_yours("13.1");
  return std::nullopt;
}

// Checks a path, or its beginning, as things are now.
Refused check_path(const Situation& now, const Ways& ways, UnitId unit,
                   const std::vector<SpaceId>& path, bool off_map) {
  SpaceId at = now.at(unit);
  int done = ways.done();
  for (SpaceId to : path) {
    const LinkId link = now.board().link_between(at, to);
    if (!link) return illegal("NOT_CONTIGUOUS", "a path leads from hex to next hex");
    if (done >= ways.total()) return illegal("TOO_FAR", "that is farther than it must go");
    if (const char* reason = ways.barred(at, {to, link}, done)) {
      return illegal(reason, "it cannot retreat into " + now.name(to));
    }
    at = to;
    ++done;
  }
  if (off_map) {
    if (ways.way() == Way::kComplete) {
      return illegal("OFF_MAP", "it leaves the map only when there is no other way [13.3 (8)]");
    }
    if (!ways.may_leave_map(at)) return illegal("OFF_MAP", "it cannot leave the map there");
    return std::nullopt;
  }
  if (path.empty()) return illegal("NO_PATH", "the path is empty");
  if (!ways.leads_on(at, done)) {
    return illegal("FATAL", "another path would save it or take it farther [13.3 (8)]");
  }
  return std::nullopt;
}

void walk(Draft& draft, UnitId unit, const std::vector<SpaceId>& path, bool off_map) {
  const Situation now(draft);
  for (SpaceId to : path) {
    const LinkId link = now.board().link_between(now.at(unit), to);
    if (!can_cross(now, link)) return;  // its bridge has just been blown: choose again
    const int left = now.get(unit, u::kRetreatLeft);
    draft.set(unit, u::kRetreatLeft, left - 1);
    draft.set(unit, u::kShifted, 1);
    step_to(draft, unit, to, "retreat");
  }
  if (off_map) return leave_map(draft, unit);
  if (now.get(unit, u::kRetreatLeft) == 0) return finish(draft, unit);
  const Field field(now);
  if (Ways(now, field, unit).stuck()) {  // as far as it could come [13.3 (6)]
    finish(draft, unit);
    eliminate(draft, unit, "retreat");
  }
}

}  // namespace

bool may_escape_in_retreat(const Situation& now, UnitId unit) {
  return now.data.rulings.escape_west && now.is(t::kBunkerCaptured) &&
         now.facts(unit).kind == Kind::kMobile && (now.hex(now.at(unit)).edges & edge::kWest);
}

void begin_retreat(Draft& draft, Role role, int hexes) {
  const Situation now(draft);
  for (UnitId unit : force_of(now, role)) {
    const SpaceId at = now.at(unit);
    const bool german = now.facts(unit).is_german();
    if (now.facts(unit).is_static()) {  // [13.4, 16.10]
      if (!now.hex(at).objective && !holds_sbahn(now, at)) eliminate(draft, unit, "retreat");
      continue;
    }
    if (german && holds_sbahn(now, at) && !may_decline(now, unit, at)) continue;  // [23.2]
    draft.set(unit, u::kRetreatLeft, hexes);
    draft.set(unit, u::kRetreatFrom, at.value);
  }
}

bool retreat_left(const Situation& now) {
  return !retreating(now).empty();
}

// Those who could not go anywhere even if all the others had gone are lost at once; so are, if
// everybody blocks everybody, the first of them. Soviets with no way but off the map leave it.
void settle_hopeless(Draft& draft) {
  const Situation now(draft);
  while (true) {
    const std::vector<UnitId> units = retreating(now);
    Field without(now);
    for (UnitId unit : units) without.take(unit, now.at(unit));
    bool changed = false;
    bool anyone_can = false;
    const Field field(now);
    for (UnitId unit : units) {
      const Ways best(now, without, unit);
      const bool only_edge = best.way() == Way::kOffMap && best.may_leave_map(now.at(unit)) &&
                             best.next(now.at(unit), best.done()).empty();
      if (only_edge) {
        leave_map(draft, unit);
        changed = true;
        break;
      }
      if (best.stuck() && !has_other_choice(now, unit)) {
        finish(draft, unit);
        eliminate(draft, unit, "retreat");
        changed = true;
        break;
      }
      anyone_can = anyone_can || !Ways(now, field, unit).stuck() || has_other_choice(now, unit);
    }
    if (changed) continue;
    if (units.empty() || anyone_can) return;
    finish(draft, units.front());
    eliminate(draft, units.front(), "retreat");
  }
}

Refused decide_retreat(Draft& draft, const Order& order) {
  const Situation now(draft);
  std::vector<UnitId> units = order.units("units");
  if (order.has("unit")) units.push_back(order.unit("unit"));
  if (units.empty()) return illegal("NO_UNIT", "somebody must retreat");
  const bool off_map = order.flag("offMap");
  for (UnitId unit : units) {
    if (auto refused = own_retreat(now, unit, order.side)) return refused;
    std::vector<SpaceId> path = order.spaces("path");
    if (!path.empty() && path.front() == now.at(unit)) path.erase(path.begin());
    const Field field(now);
    if (auto refused = check_path(now, Ways(now, field, unit), unit, path, off_map)) return refused;
    walk(draft, unit, path, off_map);
  }
  continue_combat(draft);
  return std::nullopt;
}

Refused decide_decline_retreat(Draft& draft, const Order& order) {
  const Situation now(draft);
  std::vector<UnitId> units = order.units("units");
  if (order.has("unit")) units.push_back(order.unit("unit"));
  for (UnitId unit : units) {
    if (auto refused = own_retreat(now, unit, order.side)) return refused;
    if (!at_first(now, unit) || !may_decline(now, unit, now.at(unit))) {
      return refuse("NOT_IN_OBJECTIVE", "13.6", "only Germans in an objective hex may stay");
    }
  }
  if (units.empty()) return not_yours("13.6");
  for (UnitId unit : units) finish(draft, unit);
  continue_combat(draft);
  return std::nullopt;
}

Refused decide_stop_panic(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (auto refused = own_retreat(now, unit, order.side)) return refused;
  const bool entered = !at_first(now, unit) && now.hex(now.at(unit)).objective;
  if (!entered || now.facts(unit).kind != Kind::kMobile) {
    return refuse("NOT_IN_OBJECTIVE", "13.6", "it has not entered an objective hex");
  }
  finish(draft, unit);
  continue_combat(draft);
  return std::nullopt;
}

// [26.1] Without movement points, in a retreat.
Refused decide_exit_in_retreat(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (auto refused = own_retreat(now, unit, order.side)) return refused;
  if (!now.data.rulings.escape_west || !now.is(t::kBunkerCaptured)) {
    return refuse("BUNKER_NOT_CAPTURED", "26.1", "only once the Führerbunker has been captured");
  }
  if (!may_escape_in_retreat(now, unit)) {
    return refuse("NOT_WEST_EDGE", "26.1", "it is no German mobile unit on the west edge");
  }
  finish(draft, unit);
  move_to_pile(draft, unit, Pile::kEscaped, "escaped to the west");
  continue_combat(draft);
  return std::nullopt;
}

// One step at a time: whoever panics is asked again for the next.
void legal_retreats(const Situation& now, SideId side, const SeeOrder& see) {
  const Field field(now);
  for (UnitId unit : retreating(now)) {
    const SpaceId at = now.at(unit);
    if (at_first(now, unit) && may_decline(now, unit, at)) {
      const UnitId self[] = {unit};
      if (!see(order("DeclineRetreat", side).with("units", std::span<const UnitId>(self)))) return;
    }
    if (!at_first(now, unit) && now.hex(at).objective && now.facts(unit).kind == Kind::kMobile &&
        !see(order("StopPanicInObjective", side).with("unit", unit))) {
      return;
    }
    if (may_escape_in_retreat(now, unit) && !see(order("ExitWest", side).with("unit", unit))) {
      return;
    }
    const Ways ways(now, field, unit);
    for (SpaceId to : ways.next(at, ways.done())) {
      const SpaceId path[] = {to};
      if (!see(order("Retreat", side)
                   .with("unit", unit)
                   .with("path", std::span<const SpaceId>(path)))) {
        return;
      }
    }
    if (ways.may_leave_map(at) &&
        !see(order("Retreat", side).with("unit", unit).with("offMap", 1))) {
      return;
    }
  }
}

}  // namespace wardiary::reichstag

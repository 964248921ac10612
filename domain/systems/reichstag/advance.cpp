// Advance after combat [14], and the capture of strategic markers [16.6, R-18].
#include <algorithm>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

// Instead of the hexes advanced: it has crossed water and stops [14.5].
constexpr int kStopped = 100;

Role winner(const Situation& now) {
  for (Role role : {Role::kAttacker, Role::kDefender}) {
    if (now.asked(owner_of(now, role)) == Ask::kAdvance) return role;
  }
  // Nobody is asked yet: the force whose beaten enemy's result it is.
  switch (static_cast<CombatResult>(now.track(t::kCombatResult))) {
    case CombatResult::kAD:
    case CombatResult::kAP:
    case CombatResult::kAR:
      return Role::kDefender;
    default:
      return Role::kAttacker;
  }
}

int limit_of(const Situation& now, UnitId unit) {
  const int limit = advance_limit(now);
  const bool slow = now.data.rulings.highly_mobile && !now.facts(unit).highly_mobile;
  return slow ? std::min(limit, 1) : limit;  // [25.3]
}

Refused step_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId from,
                     SpaceId to, bool first) {
  const LinkId link = now.board().link_between(from, to);
  const UnitFacts& facts = now.facts(unit);
  const bool soviet = facts.kind == Kind::kSoviet;
  const Role beaten = winner(now) == Role::kAttacker ? Role::kDefender : Role::kAttacker;
  if (first && static_cast<Role>(now.pos.get(to, h::kBattle)) != beaten) {
    return refuse("MUST_ENTER_VACATED_HEX", "14.4", "the first hex is one the enemy has left");
  }
  if (!link) return refuse("PATH_NOT_CONTIGUOUS", "14.4", "a path leads from hex to next hex");
  if (now.data.link(link).boundary || (soviet && !now.in_sector(to, facts.front))) {
    return refuse("SECTOR_BOUNDARY", "5.2", "nobody crosses the boundary between the Fronts");
  }
  if (now.is_reichstag(to)) {
    if (!soviet) return refuse("REICHSTAG_FORBIDDEN", "5.6", "no German enters the Reichstag");
    if (now.other_front_in_reichstag(facts.front)) {
      return refuse("REICHSTAG_HELD_BY_OTHER_FRONT", "5.5", "the other Front is in the Reichstag");
    }
  }
  if (field.enemy_in(unit, to)) {
    return refuse("ENEMY_OCCUPIED", "14.2", "enemy units stand in " + now.name(to));
  }
  if (!can_cross(now, link)) {
    return refuse("PROHIBITED_TERRAIN", "14.2", "a lake is crossed by a bridge only");
  }
  if (!field.room_for(unit, to)) {
    return refuse("STACKING_LIMIT", "14.2", "too many units in " + now.name(to));
  }
  return std::nullopt;
}

// [14.5, 19.1]
bool stops_after(const Situation& now, UnitId unit, LinkId link) {
  if (now.data.link(link).water == Water::kNone || now.has_bridge(link)) return false;
  const UnitFacts& facts = now.facts(unit);
  return !(facts.kind == Kind::kSoviet && serving_engineer(now, link, facts.front, unit));
}

Refused unit_refusal(const Situation& now, UnitId unit, SideId side) {
  if (!now.on_map(unit)) return refuse("NOT_INVOLVED", "14.1", "it took no part in the combat");
  if (now.facts(unit).is_static() && now.controller(unit) == side) {
    return refuse("STATIC_CANNOT_ADVANCE", "14.1", "static units never advance");
  }
  if (now.role(unit) != winner(now) || owner_of(now, winner(now)) != side) {
    return refuse("NOT_INVOLVED", "14.1", "it took no part on the winning side");
  }
  return std::nullopt;
}

Refused check_path(const Situation& now, UnitId unit, const std::vector<SpaceId>& path) {
  const Field field(now);
  int gone = now.get(unit, u::kAdvanced);
  SpaceId at = now.at(unit);
  bool stopped = gone >= kStopped;
  for (SpaceId to : path) {
    if (stopped) {
      return refuse("RIVER_STOP", "14.5", "an advance stops beyond water without a bridge");
    }
    if (gone >= advance_limit(now)) {
      return refuse("TOO_FAR", "14.4", "that is farther than the result allows");
    }
    if (gone >= limit_of(now, unit)) {
      return refuse("NOT_HIGHLY_MOBILE", "25.3", "only highly mobile units go farther than a hex");
    }
    if (auto refused = step_refusal(now, field, unit, at, to, gone == 0)) return refused;
    stopped = stops_after(now, unit, now.board().link_between(at, to));
    ++gone;
    at = to;
  }
  if (path.empty()) return refuse("PATH_NOT_CONTIGUOUS", "14.4", "the path is empty");
  return std::nullopt;
}

void capture_in(Draft& draft, UnitId unit, SpaceId hex) {
  const Situation now(draft);
  if (now.facts(unit).kind != Kind::kSoviet) return;
  for (UnitId marker : now.all_units()) {
    if (now.facts(marker).is_marker() || now.get(marker, u::kLost) != hex.value) continue;
    draft.set(marker, u::kLost, -1);
    draft.set(marker, u::kPile,
              static_cast<int>(of_front(Pile::kCaptured1BF, now.facts(unit).front)));
    if (now.facts(marker).fuehrerbunker) draft.set(track(t::kBunkerCaptured), 1);
  }
}

void walk(Draft& draft, UnitId unit, const std::vector<SpaceId>& path) {
  const Situation now(draft);
  for (SpaceId to : path) {
    const LinkId link = now.board().link_between(now.at(unit), to);
    if (!can_cross(now, link)) return;  // its bridge has just been blown
    const bool stop = stops_after(now, unit, link);
    if (now.get(unit, u::kAdvanced) >= kStopped) return;
    draft.set(unit, u::kAdvanced, stop ? kStopped : now.get(unit, u::kAdvanced) + 1);
    draft.set(unit, u::kShifted, 1);
    step_to(draft, unit, to, "advance");
    capture_in(draft, unit, to);
  }
}

std::vector<SpaceId> next_hexes(const Situation& now, const Field& field, UnitId unit) {
  std::vector<SpaceId> out;
  const int gone = now.get(unit, u::kAdvanced);
  if (now.facts(unit).is_static() || gone >= limit_of(now, unit)) return out;
  for (const Neighbour& next : now.board().neighbours(now.at(unit))) {
    if (!step_refusal(now, field, unit, now.at(unit), next.space, gone == 0)) {
      out.push_back(next.space);
    }
  }
  return out;
}

}  // namespace

bool anyone_can_advance(const Situation& now) {
  const Field field(now);
  for (UnitId unit : force_of(now, winner(now))) {
    if (!next_hexes(now, field, unit).empty()) return true;
  }
  return false;
}

Refused decide_advance(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (auto refused = unit_refusal(now, unit, order.side)) return refused;
  std::vector<SpaceId> path = order.spaces("path");
  if (!path.empty() && path.front() == now.at(unit)) path.erase(path.begin());
  if (auto refused = check_path(now, unit, path)) return refused;
  for (UnitId other : force_of(now, winner(now))) {  // one unit after the other [14.3]
    if (other != unit && now.get(other, u::kAdvanced) > 0) draft.set(other, u::kAdvanced, kStopped);
  }
  walk(draft, unit, path);
  continue_combat(draft);
  return std::nullopt;
}

void legal_advances(const Situation& now, SideId side, const SeeOrder& see) {
  if (!see(order("EndAdvance", side))) return;
  const Field field(now);
  for (UnitId unit : force_of(now, winner(now))) {
    for (SpaceId to : next_hexes(now, field, unit)) {
      const SpaceId path[] = {to};
      if (!see(order("Advance", side)
                   .with("unit", unit)
                   .with("path", std::span<const SpaceId>(path)))) {
        return;
      }
    }
  }
}

}  // namespace wardiary::reichstag

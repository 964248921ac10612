// Movement [9], zones of control in movement [11.4, 11.5], forced march [6.5].
#include "domain/systems/reichstag/mover.h"

namespace wardiary::reichstag {

// ---------------------------------------------------------------------------- one step

Mover::Mover(const Situation& now) : now_(now), field_(now), interdicted_(now.data.hexes.size()) {
  if (now.stage() == Stage::kGermanMovement) interdicted_ = now.bombarded(now.front());
}

int Mover::cost(UnitId unit, const Neighbour& step) const {
  const LinkFacts& link = now_.data.link(step.link);
  const bool bridged = now_.has_bridge(step.link);
  const bool blown = link.bridge && !bridged;
  // a demolished bridge cuts the road.
  const bool by_route = link.route && !(blown && now_.data.rulings.bridge_cuts_road);
  int mp = by_route ? 1 : now_.hex(step.space).mp;  // [9.9, 9.10]
  if (link.water != Water::kNone && !bridged) {
    const UnitFacts& facts = now_.facts(unit);
    const bool served = facts.kind == Kind::kSoviet &&
                        serving_engineer(now_, step.link, facts.front, unit);  // [19.1]
    if (!served) mp += link.mp;
  }
  if (interdicted_[step.space.index()] && now_.facts(unit).kind == Kind::kMobile) ++mp;  // [15.4]
  return mp;
}

const char* Mover::barred(UnitId unit, SpaceId from, const Neighbour& step, bool moved,
                          bool disengaged) const {
  if (moved && field_.enemy_zone(unit, from)) return "EZOC_STOP";  // [9.7, 11.4]
  if (const char* code = closed(unit, step)) return code;
  return zones(unit, from, step.space, disengaged);
}

const char* Mover::closed(UnitId unit, const Neighbour& step) const {
  const UnitFacts& facts = now_.facts(unit);
  const bool soviet = facts.kind == Kind::kSoviet;
  if (now_.data.link(step.link).boundary || (soviet && !now_.in_sector(step.space, facts.front))) {
    return "SECTOR_BOUNDARY";  // [5.2]
  }
  if (now_.is_reichstag(step.space)) {
    if (!soviet) return "REICHSTAG_FORBIDDEN";  // [5.6]
    if (now_.other_front_in_reichstag(facts.front)) return "REICHSTAG_HELD_BY_OTHER_FRONT";
  }
  if (field_.enemy_in(unit, step.space)) return "ENEMY_OCCUPIED";  // [9.5]
  if (!can_cross(now_, step.link)) return "PROHIBITED_TERRAIN";    // [13.3 (2)]
  const bool back = step.space == now_.at(unit);                   // it still counts there
  if (!back && !field_.room_for(unit, step.space)) return "STACKING_LIMIT";  // [10.4]
  return nullptr;
}

const char* Mover::zones(UnitId unit, SpaceId from, SpaceId to, bool disengaged) const {
  if (!field_.enemy_zone(unit, to)) return nullptr;
  if (field_.enemy_zone(unit, from)) return "EZOC_TO_EZOC";  // [9.5]
  return disengaged ? "DISENGAGED_NO_EZOC" : nullptr;        // [11.5]
}

Refused step_refusal(const Situation& now, std::string_view code, SpaceId hex) {
  struct Reason {
    std::string_view code, rule, text;
  };
  static constexpr Reason kReasons[] = {
      {"EZOC_STOP", "9.7", "a unit stops where it enters an enemy zone of control, before"},
      {"EZOC_TO_EZOC", "9.5", "no step leads from one enemy zone into another:"},
      {"DISENGAGED_NO_EZOC", "11.5", "a unit that left an enemy zone enters none again:"},
      {"SECTOR_BOUNDARY", "5.2", "nobody crosses the boundary between the Fronts to"},
      {"REICHSTAG_FORBIDDEN", "5.6", "no German enters"},
      {"REICHSTAG_HELD_BY_OTHER_FRONT", "5.5", "the other Front is in"},
      {"ENEMY_OCCUPIED", "9.5", "enemy units stand in"},
      {"PROHIBITED_TERRAIN", "13.3", "a lake is crossed by a bridge only, to"},
      {"STACKING_LIMIT", "10.4", "too many units in"},
  };
  for (const Reason& reason : kReasons) {
    if (reason.code != code) continue;
    return refuse(std::string(code), std::string(reason.rule),
                  std::string(reason.text) + " " + now.name(hex));
  }
  return refuse(std::string(code), "9.5", "no way to " + now.name(hex));
}

// ---------------------------------------------------------------------------- a unit's move

int forced_march_gain(const Situation& now, UnitId unit) {
  const bool fast = now.data.rulings.highly_mobile && now.facts(unit).highly_mobile;
  return fast ? kForcedMobileMp : kForcedMp;  // [6.5, 25.2]
}

int allowance(const Situation& now, UnitId unit, bool forced) {
  if (now.facts(unit).kind != Kind::kSoviet) return now.track(t::kGermanMp);
  return kSovietMp + (forced ? forced_march_gain(now, unit) : 0);
}

Refused cannot_move(const Situation& now, UnitId unit, SideId side) {
  const UnitFacts& facts = now.facts(unit);
  if (facts.is_marker() || !now.on_map(unit)) return not_yours("9.1");
  const bool own = now.controller(unit) == side;
  if (own && facts.is_static()) {
    return refuse("STATIC_CANNOT_MOVE", "2.4", "static units never move");
  }
  const Kind moves = now.german_stage() ? Kind::kMobile : Kind::kSoviet;
  if (!own || facts.kind != moves) return not_yours("9.1");
  if (now.moved(unit) == Moved::kDone) {
    return refuse("ALREADY_MOVED", "9.5", "its move ended when another unit began to move");
  }
  if (now.is(unit, u::kRecon)) {
    return refuse("RECON_USED", "17.3", "it looked at a stack and does not move in this turn");
  }
  if (now.is(unit, u::kServed)) {
    return refuse("ENGINEER_USED", "19.2", "it served a crossing and does not move in this phase");
  }
  if (now.german_stage() && now.track(t::kGermanMp) < 0) {
    return refuse("WRONG_PHASE", "9.3", "the movement roll comes first");
  }
  return std::nullopt;
}

Refused forced_march_refusal(const Situation& now, const Field& field, UnitId unit) {
  if (now.facts(unit).kind != Kind::kSoviet || now.is(unit, u::kForced)) {
    return refuse("FORCED_MARCH_LIMIT", "6.5", "one forced march for a Soviet unit in a phase");
  }
  if (now.data.rulings.loc &&
      !has_loc(now, field, now.facts(unit).front, now.at(unit), true)) {  // [24.5]
    return refuse("NO_LOC", "24.5", "a forced march begins with a line of communication");
  }
  return std::nullopt;
}

namespace {

struct Leg {
  Neighbour step;
  bool bridged = false;  // when the order was checked
};

std::vector<SpaceId> path_of(const Situation& now, const Order& order) {
  std::vector<SpaceId> path = order.spaces("path");
  if (!path.empty() && path.front() == now.at(order.unit("unit"))) path.erase(path.begin());
  return path;
}

// The whole path as it looks now; the reason of the first illegal step.
Refused check_path(const Situation& now, const Mover& mover, UnitId unit,
                   const std::vector<SpaceId>& path, int mp, std::vector<Leg>& legs) {
  bool moved = now.moved(unit) == Moved::kMoving;
  const bool disengaged =
      moved ? now.is(unit, u::kDisengaged) : mover.field().enemy_zone(unit, now.at(unit));
  SpaceId at = now.at(unit);
  for (SpaceId to : path) {
    const LinkId link = now.board().link_between(at, to);
    if (!link) return refuse("PATH_NOT_CONTIGUOUS", "9.4", "a path leads from hex to next hex");
    const Neighbour step{to, link};
    if (const char* code = mover.barred(unit, at, step, moved, disengaged)) {
      return step_refusal(now, code, to);
    }
    mp -= mover.cost(unit, step);
    if (mp < 0) {
      return refuse("INSUFFICIENT_MP", "9.6",
                    "not enough movement points to enter " + now.name(to));
    }
    legs.push_back({step, now.has_bridge(link)});
    at = to;
    moved = true;
  }
  return std::nullopt;
}

void begin_move(Draft& draft, UnitId unit, const Field& field) {
  const Situation now(draft);
  for (UnitId other : now.all_units()) {
    if (other != unit && now.moved(other) == Moved::kMoving) {
      draft.set(other, u::kMove, static_cast<int>(Moved::kDone));  // [9.5]
      draft.set(other, u::kMpLeft, 0);
    }
  }
  if (now.moved(unit) == Moved::kMoving) return;
  draft.set(unit, u::kMove, static_cast<int>(Moved::kMoving));
  draft.set(unit, u::kMpLeft, allowance(now, unit, false));
  draft.set(unit, u::kDisengaged, field.enemy_zone(unit, now.at(unit)));
}

void make_step(Draft& draft, UnitId unit, const Neighbour& step) {
  const Situation now(draft);
  const int cost = Mover(now).cost(unit, step);
  const UnitFacts& facts = now.facts(unit);
  const bool unbridged =
      now.data.link(step.link).water != Water::kNone && !now.has_bridge(step.link);
  if (unbridged && facts.kind == Kind::kSoviet) {
    const UnitId engineer = serving_engineer(now, step.link, facts.front, unit);
    if (engineer) draft.set(engineer, u::kServed, 1);  // [19.2]
  }
  draft.set(unit, u::kMpLeft, now.get(unit, u::kMpLeft) - cost);
  step_to(draft, unit, step.space, "move");
}

}  // namespace

void begin_movement(Draft& draft) {
  const Situation now(draft);
  for (UnitId unit : now.all_units()) {
    draft.set(unit, u::kMove, 0);
    draft.set(unit, u::kServed, 0);
  }
}

Refused decide_move(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  const bool forced = order.flag("forcedMarch");
  if (now.is(t::kMaxNow) && !now.german_stage()) {
    return refuse("MAX_EFFORT_NO_MOVEMENT", "6.7", "there is no movement in a maximum effort");
  }
  if (auto refused = cannot_move(now, unit, order.side)) return refused;
  const Mover mover(now);
  if (forced) {
    if (auto refused = forced_march_refusal(now, mover.field(), unit)) return refused;
  }
  const std::vector<SpaceId> path = path_of(now, order);
  if (path.empty()) return refuse("PATH_NOT_CONTIGUOUS", "9.4", "the path is empty");
  const bool moving = now.moved(unit) == Moved::kMoving;
  const int gain = forced ? forced_march_gain(now, unit) : 0;
  const int mp = (moving ? now.get(unit, u::kMpLeft) : allowance(now, unit, false)) + gain;
  std::vector<Leg> legs;
  if (auto refused = check_path(now, mover, unit, path, mp, legs)) return refused;
  if (forced) {
    const int cost = price(now, order.side, now.data.rulings.forced_march_cost);
    if (auto refused = pay(draft, order.side, cost)) return refused;
  }
  begin_move(draft, unit, mover.field());
  if (forced) {
    draft.set(unit, u::kForced, 1);
    draft.set(unit, u::kMpLeft, now.get(unit, u::kMpLeft) + gain);
  }
  for (const Leg& leg : legs) {
    // A bridge that has just been blown interrupts the path; the player goes on as he likes [9.5].
    if (leg.bridged && !now.has_bridge(leg.step.link)) break;
    make_step(draft, unit, leg.step);
  }
  return std::nullopt;
}

Refused decide_roll_german_movement(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (now.track(t::kGermanMp) >= 0) {
    return refuse("ALREADY_ROLLED", "9.3", "one roll in each movement phase");
  }
  int posts = 0;  // [16.2]
  for (UnitId unit : now.all_units()) {
    posts += now.facts(unit).works_as == StaticKind::kCommandPost && now.on_map(unit) &&
             now.is(unit, u::kFaceUp) && now.controller(unit) == order.side;
  }
  RollRequest request;
  request.roller = order.side;
  request.purpose = "german movement";
  request.groups = {{RollGroup::kDice, 1, 6, 0}};
  if (posts) request.terms = {{"command posts", posts}};
  const auto faces = draft.roll(request, [&](std::span<const std::uint32_t> values) {
    return RollOutcome{"", std::to_string(static_cast<int>(values[0]) + posts) + " MP", -1};
  });
  auto because = draft.because_of_last();
  draft.set(track(t::kGermanMp), static_cast<int>(faces[0]) + posts);
  return std::nullopt;
}

// [26.1] One movement point off the west edge. In a retreat it costs nothing: see retreat.cpp.
Refused decide_exit_west(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (auto refused = cannot_move(now, unit, order.side)) return refused;
  if (!now.data.rulings.escape_west || !now.is(t::kBunkerCaptured)) {
    return refuse("BUNKER_NOT_CAPTURED", "26.1", "only once the Führerbunker has been captured");
  }
  if (!(now.hex(now.at(unit)).edges & edge::kWest)) {
    return refuse("NOT_WEST_EDGE", "26.1", "it does not stand on the west edge");
  }
  const bool moving = now.moved(unit) == Moved::kMoving;
  const Field field(now);
  if (moving && field.enemy_zone(unit, now.at(unit))) {
    return refuse("EZOC_STOP", "9.7", "a unit stops where it enters an enemy zone of control");
  }
  if ((moving ? now.get(unit, u::kMpLeft) : allowance(now, unit, false)) < 1) {
    return refuse("INSUFFICIENT_MP", "26.1", "leaving costs a movement point");
  }
  begin_move(draft, unit, field);
  draft.set(unit, u::kMove, static_cast<int>(Moved::kDone));
  draft.set(unit, u::kMpLeft, 0);
  move_to_pile(draft, unit, Pile::kEscaped, "escaped to the west");
  return std::nullopt;
}

}  // namespace wardiary::reichstag

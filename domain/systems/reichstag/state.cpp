#include "domain/systems/reichstag/state.h"

namespace wardiary::reichstag {
namespace {

Attribute number(std::string name, int initial = 0) {
  return {std::move(name), ValueKind::kNumber, initial, {}};
}
Attribute flag(std::string name) {
  return {std::move(name), ValueKind::kFlag, 0, {}};
}
Attribute word(std::string name, std::vector<std::string> words) {
  return {std::move(name), ValueKind::kWord, 0, std::move(words)};
}
Attribute space(std::string name) {
  return {std::move(name), ValueKind::kSpace, -1, {}};
}

void declare_units(Roster& roster) {
  roster.unit_attributes = {
      {"side", ValueKind::kSide, -1, {}},
      word("pile", {"aside", "map", "pool", "hand-1BF", "hand-1UF", "held-1BF", "held-1UF", "dead",
                    "killed-1BF", "killed-1UF", "captured-1BF", "captured-1UF", "removed",
                    "escaped", "returning"}),
      flag("faceUp"),
      word("moved", {"no", "moving", "done"}),
      number("mpLeft"),
      flag("forcedMarch"),
      flag("disengaged"),
      number("reconnoitred"),
      flag("served"),
      flag("obliged"),
      flag("attacked"),
      flag("defended"),
      flag("shifted"),
      word("role", {"none", "attacker", "defender"}),
      number("retreatLeft"),
      space("retreatFrom"),
      number("advanced"),
      space("lostAt"),
      flag("used"),
      flag("justPlaced"),
      number("due"),
      number("exitEdge"),
      flag("known1BF"),
      flag("known1UF"),
  };
}

void declare_tracks(Roster& roster) {
  roster.tracks = {
      number("sp_1BF"),
      number("sp_1UF"),
      flag("fatigued_1BF"),
      flag("fatigued_1UF"),
      flag("max_effort_used_1BF"),
      flag("max_effort_used_1UF"),
      flag("max_effort"),
      flag("arrived_1BF"),
      flag("arrived_1UF"),
      flag("static_rolled"),
      number("german_mp", -1),
      number("static_pool"),
      number("snipers_1BF"),
      number("snipers_1UF"),
      flag("bunker_captured"),
      number("combat_step"),
      word("combat_table", {"Mobile", "Assault"}),
      word("combat_result",
           {"none", "AA", "AD", "AP", "AR", "BB", "DA", "DD", "DE", "DP", "DR", "MD", "OR"}),
      number("panic"),
      flag("commands_1BF"),
      flag("commands_1UF"),
  };
}

std::vector<std::string> phase_names() {
  std::vector<std::string> out = {"S0", "S2b", "S4",  "S5",  "S6",  "S7",
                                  "S8", "S9",  "S9b", "S9c", "S10", "S11"};
  for (const auto& [soviet, german] : {std::pair{"I.", "II."}, std::pair{"III.", "IV."}}) {
    for (const char* part : {"0", "A", "B", "C", "D", "D1", "D2", "E"}) {
      out.push_back(std::string(soviet) + part);
    }
    for (const char* part : {"0", "A", "B", "C", "D"}) out.push_back(std::string(german) + part);
  }
  out.push_back("V");
  return out;
}

}  // namespace

void declare_attributes(Roster& roster) {
  roster.sides = {"1BF", "1UF", "german"};
  roster.phases = phase_names();
  roster.decisions = {
      "none",     "commands", "setup",   "turn_start", "reinforcement",        "bombardment",
      "movement", "attack",   "fatigue", "arrival",    "german_reinforcement", "german_movement",
      "losses",   "retreat",  "advance"};
  declare_units(roster);
  roster.space_attributes = {{"control", ValueKind::kSide, -1, {}},
                             word("battle", {"none", "attacker", "defender"})};
  roster.link_attributes = {word("bridge", {"UNCHECKED", "INTACT_FOREVER", "DEMOLISHED"})};
  declare_tracks(roster);
}

// ---------------------------------------------------------------------------- time

Stage Situation::stage() const {
  const int number = static_cast<int>(pos.clock.phase) - static_cast<int>(Phase::kI0);
  const int stages = static_cast<int>(Stage::kNone);
  if (number < 0 || number >= 2 * stages) return Stage::kNone;
  return static_cast<Stage>(number % stages);
}

SideId Situation::front() const {
  if (stage() == Stage::kNone) return kNoSide;
  return phase() < Phase::kIII0 ? k1BF : k1UF;
}

SideId Situation::player() const {
  if (stage() == Stage::kNone) return pos.clock.active();
  return german_stage() ? other_front(front()) : front();
}

bool Situation::combat_stage() const {
  const Stage now = stage();
  return now == Stage::kCombat || now == Stage::kCombat1 || now == Stage::kCombat2 ||
         now == Stage::kGermanCombat;
}

// ---------------------------------------------------------------------------- units

std::vector<UnitId> Situation::all_units() const {
  std::vector<UnitId> out;
  out.reserve(pos.unit_count());
  for (std::size_t i = 0; i < pos.unit_count(); ++i) out.push_back(UnitId{static_cast<int>(i)});
  return out;
}

SideId Situation::controller(UnitId unit) const {
  const UnitFacts& facts = data.unit(unit);
  if (!facts.is_german()) return facts.front;
  if (on_map(unit)) {
    switch (hex(at(unit)).sector) {
      case Sector::kOf1BF:
        return k1UF;
      case Sector::kOf1UF:
        return k1BF;
      case Sector::kReichstag:
        return kNoSide;
    }
  }
  switch (pile(unit)) {
    case Pile::kHand1BF:
    case Pile::kHeld1BF:
      return k1BF;
    case Pile::kHand1UF:
    case Pile::kHeld1UF:
      return k1UF;
    default:
      return kNoSide;
  }
}

std::vector<UnitId> Situation::units_in(SpaceId hex) const {
  std::vector<UnitId> out;
  for (std::size_t i = 0; i < pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (pos.at(unit) == hex && !data.unit(unit).is_marker()) out.push_back(unit);
  }
  return out;
}

// ---------------------------------------------------------------------------- hexes

std::string Situation::name(SpaceId id) const {
  const BoardSpace& space = board().space(id);
  return space.name.empty() ? space.id : space.name;
}

bool Situation::in_sector(SpaceId id, SideId front) const {
  const Sector sector = hex(id).sector;
  return sector == Sector::kReichstag ||
         sector == (front == k1BF ? Sector::kOf1BF : Sector::kOf1UF);
}

bool Situation::in_german_sector(SpaceId id, SideId front) const {
  return !is_reichstag(id) && in_sector(id, front);
}

bool Situation::other_front_in_reichstag(SideId front) const {
  if (!data.reichstag) return false;
  const SideId other = other_front(front);
  return pos.any_unit_in(data.reichstag, other);  // its markers are units of its side too
}

bool Situation::has_bridge(LinkId link) const {
  return data.link(link).bridge &&
         static_cast<Bridge>(pos.get(link, l::kBridge)) != Bridge::kDemolished;
}

bool Situation::zone_kept_from_soviets(SpaceId id) const {
  return hex(id).objective || (data.prepared && hex(id).sbahn);
}

std::vector<bool> Situation::bombarded(SideId front) const {
  std::vector<bool> out(data.hexes.size());
  for (std::size_t i = 0; i < pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    const UnitFacts& facts = data.unit(unit);
    const bool bombards = facts.kind == Kind::kArtillery || facts.kind == Kind::kAir;
    if (!bombards || facts.front != front || !on_map(unit)) continue;
    const int reach = facts.kind == Kind::kAir ? kAirReach : kArtilleryReach;
    for (std::size_t h = 0; h < out.size(); ++h) {
      const SpaceId hex{static_cast<int>(h)};
      // A zone does not cross the boundary [15.2].
      if (in_sector(hex, front) && board().distance(at(unit), hex) <= reach) out[h] = true;
    }
  }
  return out;
}

bool in_setup_area(const ReichstagData& data, SpaceId hex, Group group) {
  const bool first = group == Group::k1BFNorth || group == Group::k1BFSouth;
  const Sector sector = first ? Sector::kOf1BF : Sector::kOf1UF;
  const std::uint8_t wanted = group == Group::k1BFNorth ? edge::kNorth : edge::kSouth;
  const HexFacts& facts = data.hex(hex);
  if (facts.sector != sector) return false;
  if (!first && facts.west_of_havel) return false;  // [3.12]
  if (facts.edges & wanted) return true;
  for (const Neighbour& next : data.board->neighbours(hex)) {
    const HexFacts& there = data.hex(next.space);
    if (there.sector == sector && (there.edges & wanted)) return true;
  }
  return false;
}

Refused refuse(std::string code, std::string rule, std::string text) {
  return Rejection{std::move(code), std::move(rule), std::move(text)};
}

}  // namespace wardiary::reichstag

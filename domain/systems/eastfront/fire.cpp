// Firepower and defence [7.3]: how many dice hit, and how many hits a step costs.
#include <algorithm>

#include "domain/systems/eastfront/battle.h"

namespace wardiary::eastfront {
namespace {

bool fortress_holds(const Situation& now, SpaceId space, SideId passive) {
  return now.data.hex(space).fortress && now.defender(space) == passive;  // [1.46]
}

bool siege_gun(const Situation& now, UnitId unit) {  // [2.63]
  return now.facts(unit).siege && now.period().siege_guns && !now.is(unit, u::kRebuilt);
}

Firepower in_mountains(const Situation& now, UnitId unit, Firepower base) {
  const bool at_home = now.facts(unit).type == UnitType::kMountain &&
                       now.data.hex(now.at(unit)).terrain == Terrain::kMountain;
  return at_home ? Firepower::kDouble : base;  // [2.62]
}

}  // namespace

Firepower offensive_fire(const Situation& now, UnitId unit) {
  const UnitTypeFacts& type = facts_of(now.facts(unit).type);
  if (type.offence == Firepower::kNone) return Firepower::kNone;
  const SpaceId space = now.at(unit);
  const SideId side = now.side(unit);
  const Weather weather = now.weather(space);
  if (siege_gun(now, unit) && fortress_holds(now, space, enemy_of(side))) {
    return Firepower::kTriple;  // also in Mud [12.24]
  }
  if (weather == Weather::kMud) {  // [12.24], A-32
    return now.data.rulings.mud_beats_mountain_corps ? Firepower::kSingle
                                                     : in_mountains(now, unit, Firepower::kSingle);
  }
  if (now.terrain(space) == Terrain::kSwamp) return Firepower::kSingle;  // [1.34]
  if (now.period().winter_paralysis && weather == Weather::kSnow && side == kAxis) {
    return Firepower::kSingle;  // [W41 1]
  }
  return in_mountains(now, unit, type.offence);
}

UnitId largest_of_fortress(const Situation& now, SpaceId space, SideId side) {
  UnitId best;
  for (UnitId unit : now.units_in(space, side)) {
    if (now.facts(unit).hq()) continue;  // fires nothing
    if (now.is(unit, u::kFortressUnit)) return unit;
    if (!best || now.cv(unit) > now.cv(best)) best = unit;
  }
  return best;
}

Firepower defensive_fire(const Situation& now, UnitId unit) {
  const UnitTypeFacts& type = facts_of(now.facts(unit).type);
  if (type.defence == Firepower::kNone) return Firepower::kNone;
  const SpaceId space = now.at(unit);
  Firepower power = in_mountains(now, unit, type.defence);
  if (now.major_city(space)) power = better(power, Firepower::kDouble);  // [1.41, 7.32]
  if (fortress_holds(now, space, now.side(unit)) &&
      largest_of_fortress(now, space, now.side(unit)) == unit) {
    power = Firepower::kTriple;  // [1.46]
  }
  return power;
}

int defence_multiplier(const Situation& now, SpaceId space, SideId passive) {
  const bool supported_attack = now.get(space, h::kSupported) != 0;
  if (fortress_holds(now, space, passive)) return supported_attack ? 3 : 0;  // [1.46, 7.4]
  const bool sally = now.data.hex(space).fortress && now.defender(space) == enemy_of(passive);
  if (sally && !supported_attack && now.data.rulings.sally_needs_support) return 0;
  const bool rough = now.terrain(space) != Terrain::kClear;
  const bool doubled =
      rough || now.major_city(space) || now.weather(space) == Weather::kMud;  // [7.34, 12.24]
  if (supported_attack) return doubled ? 2 : 1;
  return doubled ? 3 : 2;  // [7.35, 7.4]
}

// Every attacker must have come over a river or strait, by air or by sea; then the lowest of their
// repulse numbers counts for all [7.5, 7.54].
int repulse_number(const Situation& now, SpaceId space) {
  if (!now.get(space, h::kNewBattle)) return 0;
  const SideId side = enemy_of(now.defender(space));
  const Weather weather = now.weather(space);
  const Fortnight& when = now.fortnight();
  const bool surprise =
      now.period().june_surprise && side == kAxis && when.year == 1941 && when.month == 6;
  int lowest = 0;
  for (UnitId unit : now.units_in(space, side)) {
    int number = 0;
    switch (now.entry(unit)) {
      case Entry::kRiver: {
        const SpaceId from{now.get(unit, u::kCameFrom)};
        const LinkId link = now.board().link_between(from, space);
        const bool strait = link && now.data.link(link).border == Border::kStrait;
        const bool frozen =
            weather == Weather::kSnow && (!strait || now.data.rulings.straits_freeze);
        number = frozen || surprise ? 0 : weather == Weather::kMud ? 3 : 2;  // [7.51-7.53, S41 3]
        break;
      }
      case Entry::kAir:
        number = 1;
        break;  // [14.4]
      case Entry::kSea:
        number = now.facts(unit).type == UnitType::kCoastal ? 2 : 3;  // [15.43, 15.5]
        break;
      default:
        break;
    }
    if (number == 0) return 0;  // one attacker comes on firm ground
    lowest = lowest == 0 ? number : std::min(lowest, number);
  }
  return lowest;
}

std::vector<std::uint32_t> roll_dice(Draft& draft, const FireRoll& fire) {
  RollRequest request;
  request.roller = fire.roller;
  request.purpose = std::string(fire.purpose);
  request.space = fire.space;
  request.unit = fire.unit;
  RollGroup group;
  group.count = static_cast<std::uint16_t>(fire.dice);
  group.hits_from = static_cast<std::uint16_t>(fire.power);
  request.groups = {group};
  request.terms = {
      {draft.game().roster().units[fire.unit.index()].name + (fire.air ? " effective CMD" : " CV"),
       fire.dice}};
  request.table = fire.power == Firepower::kSingle   ? "single fire"
                  : fire.power == Firepower::kDouble ? "double fire"
                                                     : "triple fire";
  const int repulse_on = fire.repulse_on;
  return draft.roll(request, [&](std::span<const std::uint32_t> values) {
    RollOutcome outcome;
    int repulses = 0;
    outcome.hits = 0;
    for (std::uint32_t value : values) {
      outcome.hits += value >= static_cast<std::uint32_t>(fire.power);
      repulses += static_cast<int>(value) <= repulse_on;
    }
    outcome.result = std::to_string(outcome.hits) + (outcome.hits == 1 ? " hit" : " hits");
    if (repulse_on > 0) {
      outcome.result +=
          ", " + std::to_string(repulses) + (repulses == 1 ? " repulse" : " repulses");
    }
    return outcome;
  });
}

int hits_in(std::span<const std::uint32_t> values, Firepower power) {
  return static_cast<int>(std::count_if(values.begin(), values.end(), [&](std::uint32_t value) {
    return value >= static_cast<std::uint32_t>(power);
  }));
}

int roll_fire(Draft& draft, UnitId unit, std::string_view purpose, int dice, Firepower power) {
  FireRoll fire;
  fire.roller = draft->side(unit);
  fire.purpose = purpose;
  fire.space = draft->at(unit);
  fire.unit = unit;
  fire.dice = dice;
  fire.power = power;
  return hits_in(roll_dice(draft, fire), power);
}

}  // namespace wardiary::eastfront

// What an attack and a defence are worth [12.14-12.20].
#include <algorithm>
#include <map>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

bool same_sector(const Situation& now, SpaceId a, SpaceId b) {
  return now.hex(a).sector == now.hex(b).sector;
}

// [12.15, 16.4] A face-up tower of the same sector within two hexes; none works in the Reichstag.
bool near_flak(const Situation& now, UnitId unit) {
  const SpaceId hex = now.at(unit);
  if (now.facts(unit).kind != Kind::kMobile) return false;
  for (UnitId tower : now.all_units()) {
    if (now.facts(tower).works_as != StaticKind::kFlak || !now.on_map(tower)) continue;
    if (!now.is(tower, u::kFaceUp) || now.is_reichstag(now.at(tower))) continue;
    if (same_sector(now, now.at(tower), hex) &&
        now.board().distance(now.at(tower), hex) <= kFlakReach) {
      return true;
    }
  }
  return false;
}

bool under_me262(const Situation& now, UnitId unit) {  // [22.5 (3)]
  const SpaceId hex = now.at(unit);
  for (UnitId marker : now.all_units()) {
    if (now.facts(marker).kind != Kind::kMe262 || !now.on_map(marker)) continue;
    const bool reaches = same_sector(now, now.at(marker), hex) || now.is_reichstag(now.at(marker));
    if (reaches && now.board().distance(now.at(marker), hex) <= kAirReach) return true;
  }
  return false;
}

// [12.18, 19.1, R-44] The lowest multiple of the hexsides crossed into `hex`; 1 if one attacker
// crosses none, or an engineer of his Front serves his.
int hexside_multiple(const Situation& now, std::span<const UnitId> attackers, SpaceId hex) {
  int lowest = kMultipleMax + 1;
  for (UnitId unit : attackers) {
    const LinkId link = now.board().link_between(now.at(unit), hex);
    if (!link) continue;
    const LinkFacts& side = now.data.link(link);
    if (side.water == Water::kNone) return 1;
    const UnitFacts& facts = now.facts(unit);
    if (facts.kind == Kind::kSoviet && serving_engineer(now, link, facts.front)) return 1;
    lowest = std::min<int>(lowest, side.defence);
  }
  return lowest > kMultipleMax ? 1 : lowest;
}

RollTerm term(const Situation& now, UnitId unit, int multiple, const char* role) {
  const int cf = now.facts(unit).cf;
  std::string label = std::string(role) + " " + now.name(unit);
  if (multiple != 1) label += " " + std::to_string(cf) + "x" + std::to_string(multiple);
  return {std::move(label), cf * multiple};
}

}  // namespace

Strength strength_of(const Situation& now, std::span<const UnitId> attackers,
                     std::span<const UnitId> defenders) {
  Strength out;
  const std::vector<bool> zone = now.bombarded(now.front());
  const bool bombarded = std::any_of(defenders.begin(), defenders.end(), [&](UnitId unit) {
    return zone[now.at(unit).index()];  // one hex of several is enough [12.14]
  });
  const Field field(now);
  for (UnitId unit : attackers) {
    const UnitFacts& facts = now.facts(unit);
    bool doubled = false;  // never twice [12.16]
    if (facts.kind == Kind::kSoviet) {
      doubled = bombarded && (!now.data.rulings.loc ||
                              has_loc(now, field, facts.front, now.at(unit), true));  // [24.5]
    } else {
      doubled = near_flak(now, unit) || under_me262(now, unit);
    }
    out.terms.push_back(term(now, unit, doubled ? 2 : 1, "attack"));
    out.attack += out.terms.back().value;
  }
  std::map<SpaceId, int> terrain;
  for (UnitId unit : defenders) {
    const SpaceId hex = now.at(unit);
    auto known = terrain.find(hex);
    if (known == terrain.end()) {  // the best single one [12.19]
      const int best = std::max<int>(now.hex(hex).defence, hexside_multiple(now, attackers, hex));
      known = terrain.emplace(hex, best).first;
    }
    const int multiple = std::min(kMultipleMax, known->second * (near_flak(now, unit) ? 2 : 1));
    out.terms.push_back(term(now, unit, multiple, "defence"));
    out.defence += out.terms.back().value;
  }
  return out;
}

bool must_assault(const Situation& now, std::span<const UnitId> attackers,
                  std::span<const SpaceId> targets) {
  if (attackers.empty() || now.facts(attackers.front()).kind != Kind::kSoviet) return false;
  return std::any_of(targets.begin(), targets.end(),
                     [&](SpaceId hex) { return now.hex(hex).assault_only; });
}

}  // namespace wardiary::reichstag

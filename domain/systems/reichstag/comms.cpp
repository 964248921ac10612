// Soviet lines of communication, rule 24 (digest 7.1).
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

bool friendly_edge(const Situation& now, SpaceId hex, SideId front) {  // [24.1]
  const std::uint8_t edges =
      front == k1BF ? static_cast<std::uint8_t>(edge::kNorth | edge::kEast | edge::kSouth)
                    : edge::kSouth;
  return now.in_german_sector(hex, front) && (now.hex(hex).edges & edges) != 0;
}

// [24.2 (3)] Adjacency is enough for an engineer, moved or not.
bool engineer_opens(const Situation& now, LinkId link, SideId front) {
  const BoardLink& ends = now.board().link(link);
  for (UnitId unit : now.all_units()) {
    if (!now.facts(unit).engineer || now.facts(unit).front != front || !now.on_map(unit)) continue;
    if (serves_hexside(now, now.at(unit), ends)) return true;
  }
  return false;
}

bool line_crosses(const Situation& now, const Field& field, const Neighbour& step, SideId front) {
  const LinkFacts& link = now.data.link(step.link);
  if (link.boundary || !now.in_sector(step.space, front)) return false;
  if (field.germans_in(step.space) || field.german_zone(step.space)) return false;  // [24.3]
  return !link.blocks_loc || now.has_bridge(step.link) || engineer_opens(now, step.link, front);
}

std::vector<SpaceId> trace(const Situation& now, const Field& field, SideId front, SpaceId from) {
  std::vector<SpaceId> came(now.data.hexes.size());
  std::vector<bool> seen(now.data.hexes.size());
  std::vector<SpaceId> queue{from};
  seen[from.index()] = true;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const SpaceId at = queue[head];
    if (friendly_edge(now, at, front)) {
      std::vector<SpaceId> path{at};
      while (path.back() != from) path.push_back(came[path.back().index()]);
      return {path.rbegin(), path.rend()};
    }
    for (const Neighbour& step : now.board().neighbours(at)) {
      if (seen[step.space.index()] || !line_crosses(now, field, step, front)) continue;
      seen[step.space.index()] = true;
      came[step.space.index()] = at;
      queue.push_back(step.space);
    }
  }
  return {};
}

}  // namespace

bool has_loc(const Situation& now, const Field& field, SideId front, SpaceId from, bool is_unit) {
  if (is_unit && now.hex(from).airfield) return true;  // [24.4]
  return !trace(now, field, front, from).empty();
}

std::vector<UnitSupply> comms_report(const Situation& now) {
  std::vector<UnitSupply> out;
  if (!now.data.rulings.loc) return out;
  const Field field(now);
  for (UnitId unit : now.all_units()) {
    const UnitFacts& facts = now.facts(unit);
    if (facts.kind != Kind::kSoviet || !now.on_map(unit)) continue;
    UnitSupply line{unit, "supplied", {}, ""};
    if (now.hex(now.at(unit)).airfield) {
      line.path = {now.at(unit)};
      line.reason = "stands on an airfield [24.4]";
    } else {
      line.path = trace(now, field, facts.front, now.at(unit));
      if (line.path.empty()) {
        line.status = "unsupplied";
        line.reason = "no line of communication to a friendly edge [24.2]";
      }
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace wardiary::reichstag

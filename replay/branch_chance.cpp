#include "replay/branch_chance.h"

#include <algorithm>

#include "domain/event.h"
#include "domain/schema/event_generated.h"

namespace wardiary {

std::optional<Rolled> SameChance::roll(const RollRequest& request) {
  auto found = recorded_.find({request.roller, request.number});
  if (found == recorded_.end() || found->second.groups != request.groups) {
    return otherwise_ ? otherwise_->roll(request) : std::nullopt;
  }
  Rolled rolled;
  rolled.values = found->second.values;
  rolled.grade = Grade::kBranch;
  return rolled;
}

std::optional<Rolled> ExpectedChance::roll(const RollRequest& request) {
  Rolled rolled;
  rolled.grade = Grade::kBranch;
  for (const RollGroup& group : request.groups) {
    for (std::uint32_t i = 0; i < group.count; ++i) {
      if (group.kind != RollGroup::kDice) {
        rolled.values.push_back(i % group.sides);  // draws and shuffles: in order
      } else if (group.hits_from == 0) {
        rolled.values.push_back((group.sides + 1) / 2);
      } else {
        // Expected hits, rounded: n dice with h hitting faces of s give n*h/s.
        const std::uint32_t faces =
            group.sides + 1 - std::min<std::uint32_t>(group.hits_from, group.sides + 1);
        const std::uint32_t hits = (2 * group.count * faces + group.sides) / (2 * group.sides);
        rolled.values.push_back(i < hits ? group.sides : 1);
      }
    }
  }
  return rolled;
}

Result<SameChance::Rolls> recorded_rolls(EventStore& store, const BranchId& parent, Version after) {
  auto info = store.branch(parent);
  if (!info) return std::move(info).error();
  SameChance::Rolls rolls;
  Status problem = Done{};
  constexpr auto kDiceRolled = static_cast<std::uint16_t>(fb::Payload::DiceRolled);
  Status read = store.read(parent, after + 1, info->version, [&](const StoredEvent& stored) {
    if (stored.type != kDiceRolled) return true;
    auto event = open_event(stored.payload);
    if (!event) {
      problem = std::move(event).error();
      return false;
    }
    const fb::DiceRolled* e = (*event)->payload_as_DiceRolled();
    if (!e) {
      problem = corrupt("an event is stored under another type");
      return false;
    }
    SameChance::Recorded recorded;
    for (const fb::RollGroup* g : *e->groups()) {
      recorded.groups.push_back(
          {static_cast<RollGroup::Kind>(g->kind()), g->count(), g->sides(), g->hits_from()});
    }
    recorded.values.assign(e->values()->begin(), e->values()->end());
    rolls[{SideId{e->roller()}, e->number()}] = std::move(recorded);
    return true;
  });
  if (!read) return std::move(read).error();
  if (!problem) return std::move(problem).error();
  return rolls;
}

}  // namespace wardiary

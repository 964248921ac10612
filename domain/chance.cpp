#include "domain/chance.h"

namespace wardiary {

std::size_t values_wanted(const RollRequest& request) {
  std::size_t n = 0;
  for (const RollGroup& group : request.groups) n += group.count;
  return n;
}

std::optional<Rolled> ScriptedChance::roll(const RollRequest& request) {
  const std::size_t wanted = values_wanted(request);
  if (left() < wanted) {
    complaint_ = request.purpose + ": needs " + std::to_string(wanted) + " values, " +
                 std::to_string(left()) + " are left";
    return std::nullopt;
  }
  Rolled rolled;
  rolled.grade = grade_;
  for (const RollGroup& group : request.groups) {
    const bool dice = group.kind == RollGroup::kDice;
    for (std::uint16_t i = 0; i < group.count; ++i) {
      std::uint32_t v = values_[next_];
      if (dice ? v < 1 || v > group.sides : v >= group.sides) {
        complaint_ = request.purpose + ": " + std::to_string(v) + " is not possible with " +
                     std::to_string(group.sides) + " sides";
        return std::nullopt;
      }
      rolled.values.push_back(v);
      ++next_;
    }
  }
  return rolled;
}

}  // namespace wardiary

// What happens to a piece, whichever chapter makes it happen: it comes, steps, dies, turns up.
#include <algorithm>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

// [21.2] The Front whose unit comes holds the objective for good; a German takes it from it.
void occupy(Draft& draft, UnitId unit, SpaceId hex) {
  const Situation now(draft);
  if (!now.hex(hex).objective || now.facts(unit).is_marker()) return;
  draft.set(hex, h::kControl, now.facts(unit).front.value);
}

// No side has this bit: only a referee sees the event.
constexpr std::uint32_t kNobody = 1u << 31;

}  // namespace

Draft::Scope sealed(Draft& draft) {
  return Draft::Scope(draft, kNobody, 0);
}

void put_on_map(Draft& draft, UnitId unit, SpaceId hex) {
  draft.place(unit, hex, {{u::kPile, static_cast<int>(Pile::kMap)}});
  occupy(draft, unit, hex);
}

void step_to(Draft& draft, UnitId unit, SpaceId hex, std::string_view how) {
  const SpaceId path[] = {draft->at(unit), hex};
  draft.move(unit, path, how);
  occupy(draft, unit, hex);
  if (Situation(draft).facts(unit).kind == Kind::kSoviet) check_bridges(draft, unit, hex);
}

void move_to_pile(Draft& draft, UnitId unit, Pile pile, std::string_view why) {
  draft.set(unit, u::kPile, static_cast<int>(pile));
  if (draft->on_board(unit)) draft.remove(unit, why);
}

void eliminate(Draft& draft, UnitId unit, std::string_view why) {
  const Situation now(draft);
  const UnitFacts& facts = now.facts(unit);
  if (facts.kind == Kind::kSoviet) return move_to_pile(draft, unit, Pile::kDead, why);
  turn_up(draft, unit);
  const SpaceId hex = now.at(unit);
  if (facts.works_as == StaticKind::kStrategic && now.combat_open()) {
    draft.set(unit, u::kLost, hex.value);  // an advance may still capture it
  }
  // the Front whose sector it was; the Front that attacks the Reichstag.
  const SideId front = now.is_reichstag(hex)                   ? now.front()
                       : now.hex(hex).sector == Sector::kOf1BF ? k1BF
                                                               : k1UF;
  move_to_pile(draft, unit, of_front(Pile::kKilled1BF, front), why);
}

void turn_up(Draft& draft, UnitId unit) {
  const Situation now(draft);
  if (!now.facts(unit).is_static() || now.is(unit, u::kFaceUp)) return;
  draft.set(unit, u::kFaceUp, 1);
  draft.reveal(unit, 1u << k1BF.value | 1u << k1UF.value);
}

std::uint32_t roll_die(Draft& draft, SideId roller, std::string purpose, SpaceId hex,
                       const std::function<std::string(std::uint32_t)>& result) {
  RollRequest request;
  request.roller = roller;
  request.purpose = std::move(purpose);
  request.space = hex;
  request.groups = {{RollGroup::kDice, 1, 6, 0}};
  return draft.roll(request, [&](std::span<const std::uint32_t> faces) {
    return RollOutcome{"", result ? result(faces[0]) : std::string(), -1};
  })[0];
}

std::vector<UnitId> draw_units(Draft& draft, SideId by, const std::vector<UnitId>& from, int count,
                               std::string purpose) {
  count = std::min(count, static_cast<int>(from.size()));
  if (count == 0) return {};
  RollRequest request;
  request.roller = by;
  request.purpose = std::move(purpose);
  request.groups = {{RollGroup::kDraw, static_cast<std::uint16_t>(count),
                     static_cast<std::uint32_t>(from.size()), 0}};
  std::vector<UnitId> out;
  for (std::uint32_t index : draft.roll(request, nullptr)) out.push_back(from[index]);
  return out;
}

std::vector<UnitId> static_pool(const Situation& now) {
  std::vector<UnitId> out;
  for (UnitId unit : now.all_units()) {
    if (now.pile(unit) == Pile::kPool) out.push_back(unit);
  }
  return out;
}

Refused not_yours(std::string_view rule) {
  return refuse("NOT_YOUR_PIECE", std::string(rule), "that piece is not yours to command");
}

}  // namespace wardiary::reichstag

// The Soviet beach-head marker [15.5], tied to the Coastal Army. Its supply is in supply.cpp, its
// price in production.cpp.
#include "domain/systems/eastfront/naval.h"
#include "domain/systems/eastfront/strategic.h"

namespace wardiary::eastfront {
namespace {

// The hex the Coastal Army landed in and still holds or fights for; none if there is none.
SpaceId landing(const Situation& now) {
  for (UnitId unit : now.units_of(kSoviet)) {
    if (now.facts(unit).type != UnitType::kCoastal) continue;
    if (now.get(unit, u::kInvades) == now.at(unit).value) return now.at(unit);
  }
  return SpaceId{};
}

void go_on(Draft& draft) {
  draft.settle(kSoviet);
  draft.add(track(t::kStage), 1);
  continue_supply(draft);
}

}  // namespace

Beachhead beachhead_at_start(const Fortnight& first) {
  const bool from_winter_1941 = first.year * 12 + first.month >= 1941 * 12 + 12;
  return from_winter_1941 ? Beachhead::kPrep : Beachhead::kEliminated;
}

bool ask_beachhead(Draft& draft) {
  const Situation now(draft);
  const bool ready = now.track(t::kBeachhead) == static_cast<int>(Beachhead::kReady);
  if (!now.data.rulings.naval || now.active() != kSoviet || !ready) return false;
  const SpaceId hex = landing(now);
  if (!hex) return false;
  draft.ask(kSoviet, Question{static_cast<std::uint8_t>(Ask::kBeachhead), hex.value, -1, 0});
  return true;
}

Refused decide_beachhead(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (order.is("DeployBeachhead")) {
    const SpaceId hex = order.space("hex");
    if (hex.value != now.pos.pending(kSoviet).space) {
      return refuse("BAD_BEACH", "15.51", "it is deployed where the Coastal Army landed");
    }
    draft.set(track(t::kBeachhead), static_cast<int>(Beachhead::kDeployed));
    draft.set(track(t::kBeachheadAt), hex.value);
  }
  go_on(draft);
  return std::nullopt;
}

void legal_beachhead(const Situation& now, const SeeOrder& see) {
  const SpaceId hex{now.pos.pending(kSoviet).space};
  if (see(order("DeployBeachhead", kSoviet).with("hex", hex))) see(order("Pass", kSoviet));
}

void lose_beachhead(Draft& draft) {
  const Situation now(draft);
  if (now.track(t::kBeachhead) != static_cast<int>(Beachhead::kDeployed)) return;
  const SpaceId hex{now.track(t::kBeachheadAt)};
  if (!now.any_in(hex, kAxis) || now.any_in(hex, kSoviet)) return;
  draft.set(track(t::kBeachhead), static_cast<int>(Beachhead::kEliminated));
  draft.set(track(t::kBeachheadAt), -1);
}

}  // namespace wardiary::eastfront

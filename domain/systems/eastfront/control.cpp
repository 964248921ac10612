// Control of hexes [8]: who holds what at the start of a phase, frozen until the next one begins,
// with the memory of who held an empty hex last.
#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {
namespace {

constexpr std::uint8_t kAxisBit = 1;
constexpr std::uint8_t kSovietBit = 2;

std::uint8_t bit_of(SideId side) {
  return side == kAxis ? kAxisBit : kSovietBit;
}

// Units that matter for control, as bits by hex. Dispersed paratroops do not [14.6], but whoever
// fights them is engaged.
struct Presence {
  std::vector<std::uint8_t> controlling, fighting;
};
Presence presence(const Situation& now) {
  Presence out;
  out.controlling.assign(now.pos.space_count(), 0);
  out.fighting = out.controlling;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (!now.pos.on_board(unit)) continue;
    const std::size_t hex = now.at(unit).index();
    out.fighting[hex] |= bit_of(now.side(unit));
    if (!now.is(unit, u::kDispersed)) out.controlling[hex] |= bit_of(now.side(unit));
  }
  return out;
}

// Zones of control: supplied units that are not engaged, over sides that are neither river nor
// impassable, into hexes without units [8.2].
std::vector<std::uint8_t> zones(const Situation& now, const Presence& present) {
  std::vector<std::uint8_t> out(present.controlling.size(), 0);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (!now.pos.on_board(unit) || now.is(unit, u::kDispersed)) continue;
    const SpaceId from = now.at(unit);
    if (present.fighting[from.index()] == (kAxisBit | kSovietBit)) continue;
    const std::uint8_t bit = bit_of(now.side(unit));
    if (!now.is(unit, u::kSupplied)) continue;
    for (const Neighbour& next : now.board().neighbours(from)) {
      const LinkFacts& side = now.data.link(next.link);
      if (present.controlling[next.space.index()] == 0 && side.passable() && !side.river) {
        out[next.space.index()] |= bit;
      }
    }
  }
  return out;
}

std::int16_t value_of(Control control) {
  return static_cast<std::int16_t>(control);
}

Control held_by(SideId side) {
  if (!side) return Control::kNone;
  return side == kAxis ? Control::kAxisHeld : Control::kSovietHeld;
}

}  // namespace

std::vector<std::int16_t> control_map(const Situation& now) {
  const Presence who = presence(now);
  const std::vector<std::uint8_t>& present = who.controlling;
  const std::vector<std::uint8_t> zone = zones(now, who);
  std::vector<std::int16_t> out(present.size(), value_of(Control::kNone));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!now.data.hexes[i].playable) continue;
    const SpaceId hex{static_cast<int>(i)};
    // Occupied hexes, then uncontested zones, then memory [8.31-8.34].
    const std::uint8_t bits = present[i] != 0 ? present[i] : zone[i];
    if (bits == kAxisBit)
      out[i] = value_of(Control::kAxisHeld);
    else if (bits == kSovietBit)
      out[i] = value_of(Control::kSovietHeld);
    else if (bits == 0)
      out[i] = value_of(held_by(SideId{now.get(hex, h::kHeld)}));
    else if (present[i] != 0)
      out[i] = value_of(held_by(now.defender(hex)));
    else
      out[i] = value_of(Control::kDisputed);
  }
  return out;
}

void recompute_control(Draft& draft) {
  const Situation now(draft);
  const std::vector<std::int16_t> control = control_map(now);
  std::vector<std::int16_t> held(control.size());
  for (std::size_t i = 0; i < control.size(); ++i) {
    const auto who = static_cast<Control>(control[i]);
    if (who == Control::kAxisHeld)
      held[i] = kAxis.value;
    else if (who == Control::kSovietHeld)
      held[i] = kSoviet.value;
    else
      held[i] = static_cast<std::int16_t>(now.get(SpaceId{static_cast<int>(i)}, h::kHeld));
  }
  draft.set_all_spaces(h::kControl, control);
  draft.set_all_spaces(h::kHeld, held);
  // What follows from control at once: satellites freed or bound, production levels [11.2, 16].
  update_objectives(draft);
}

}  // namespace wardiary::eastfront

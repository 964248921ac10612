// The orders of a Production phase [11]: sealed, simultaneous, over when both sides have committed.
#include "domain/systems/eastfront/production.h"

namespace wardiary::eastfront {
namespace {

void spend(Draft& draft, SideId side, int price) {
  draft.add(track(of_side(t::kAxisPoints, side)), -price);
}

void arrive(Draft& draft, UnitId unit, SpaceId hex, int cv) {
  draft.place(unit, hex, {{u::kCv, cv}, {u::kSupplied, 1}, {u::kNew, 1}});
  draft.set(unit, u::kFate, static_cast<int>(Fate::kOnMap));
  draft.set(unit, u::kShown, 0);
  draft.set(hex, h::kArrivals, draft->get(hex, h::kArrivals) + 1);
}

Refused add_step(Draft& draft, const Producer& producer, UnitId unit) {
  if (Refused no = producer.may_step(unit)) return no;
  const Situation now(draft);
  spend(draft, producer.side, producer.step_price(unit));
  if (now.facts(unit).ss()) draft.set(track(t::kSSStep), 1);
  draft.set(unit, u::kCv, now.cv(unit) + 1);
  draft.set(unit, u::kStepped, 1);
  return std::nullopt;
}

Refused build_cadre(Draft& draft, const Producer& producer, UnitId unit, SpaceId hex) {
  if (Refused no = producer.may_build(unit, hex)) return no;
  const Situation now(draft);
  spend(draft, producer.side, price_of(now, unit, producer.oil).cadre);
  if (producer.counts_as_ss_step(unit)) draft.set(track(t::kSSStep), 1);
  arrive(draft, unit, hex, now.lowest(unit));
  draft.set(unit, u::kRebuilt, 1);
  // A rebuilt satellite is bound to its country for good [11.42].
  if (now.facts(unit).satellite()) draft.set(unit, u::kRestricted, 1);
  return std::nullopt;
}

Refused reinforce(Draft& draft, const Producer& producer, const Order& order) {
  const UnitId unit = order.unit("unit");
  const SpaceId hex = order.space("hex");
  int cv = producer.now.data.starts[unit.index()].cv;
  if (order.is("BringEarly")) {
    const bool pay = order.choice("mode") == "PayCadre";
    if (Refused no = producer.may_come_early(unit, hex, pay)) return no;
    if (pay) spend(draft, producer.side, price_of(producer.now, unit, producer.oil).cadre);
    if (!pay) cv -= 1;
  } else if (Refused no = producer.may_reinforce(unit, hex)) {
    return no;
  }
  arrive(draft, unit, hex, cv);
  if (producer.now.facts(unit).italian) draft.set(track(t::kItalianDue), 2);
  return std::nullopt;
}

Refused disband(Draft& draft, const Producer& producer, UnitId unit) {
  if (Refused no = producer.may_disband(unit)) return no;
  const SpaceId hex = producer.now.at(unit);
  const int cv = producer.now.cv(unit);
  const bool shown = producer.now.is(unit, u::kShown);
  eliminate(draft, unit, "disbanded");
  draft.set(unit, u::kGone, 1);
  // Where it stood, and what it was if it lay face up: the enemy sees it there until both sides
  // have committed.
  draft.set(unit, u::kCameFrom, hex.value);
  if (shown) {
    draft.set(unit, u::kShown, 1);
    draft.set(unit, u::kCv, cv);
  }
  return std::nullopt;
}

Refused change_beachhead(Draft& draft, const Producer& producer, const Order& order) {
  if (Refused no = producer.may_change_beachhead(order.type().name)) return no;
  if (order.is("LiftBeachhead")) {
    draft.set(track(t::kBeachhead), static_cast<int>(Beachhead::kPrep));
    draft.set(track(t::kBeachheadAt), -1);
    draft.set(track(t::kStage), 1);
    return std::nullopt;
  }
  spend(draft, producer.side, kBeachheadPrice);
  const Beachhead to = order.is("PrepBeachhead") ? Beachhead::kPrep : Beachhead::kReady;
  draft.set(track(t::kBeachhead), static_cast<int>(to));
  return std::nullopt;
}

// Both sides have committed: whoever was disbanded is gone for everybody [sb 11].
void open_seals(Draft& draft) {
  const Situation now(draft);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (!now.is(unit, u::kGone)) continue;
    const SpaceId hex{now.get(unit, u::kCameFrom)};
    {
      const auto hidden = draft.only_for(now.side(unit));
      draft.set(unit, u::kShown, 0);
      draft.set(unit, u::kCv, 0);
      draft.set(unit, u::kCameFrom, -1);
    }
    if (hex) end_battle_if_over(draft, hex);
  }
}

Refused commit(Draft& draft, SideId side) {
  draft.set(track(of_side(t::kAxisCommitted, side)), 1);
  {
    const auto hidden = draft.only_for(side);
    draft.set(track(of_side(t::kAxisPoints, side)), 0);  // what is left is lost [11.3]
  }
  draft.settle(side);
  if (Situation(draft).track(of_side(t::kAxisCommitted, enemy_of(side))) != 0) {
    open_seals(draft);
    end_phase(draft);
  }
  return std::nullopt;
}

// Orders for every hex where one unit may arrive; `make` builds the order for a hex.
template <class May, class Make>
bool each_arrival(std::span<const SpaceId> hexes, const May& may, const Make& make,
                  const SeeOrder& see) {
  for (SpaceId hex : hexes) {
    if (!may(hex) && !see(make(hex))) return false;
  }
  return true;
}

// Every scenario from Winter 1941 on starts with the beach-head in preparation [15.51].
void give_beachhead(Draft& draft) {
  const Situation now(draft);
  const int turn = now.pos.clock.turn;
  if (turn < 2 || turn > static_cast<int>(now.data.fortnights.size())) return;
  if (now.track(t::kBeachhead) != static_cast<int>(Beachhead::kEliminated)) return;
  const Fortnight& before = now.data.fortnights[static_cast<std::size_t>(turn - 2)];
  if (before.period == now.fortnight().period) return;
  draft.set(track(t::kBeachhead), static_cast<int>(beachhead_at_start(now.fortnight())));
}

}  // namespace

void begin_production(Draft& draft) {
  const Situation now(draft);
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    const auto hidden = draft.only_for(now.side(unit));  // it would tell last month's spending
    draft.set(unit, u::kStepped, 0);
    draft.set(unit, u::kNew, 0);
    draft.set(unit, u::kGone, 0);
  }
  for (std::size_t i = 0; i < now.pos.space_count(); ++i) {
    draft.set(SpaceId{static_cast<int>(i)}, h::kArrivals, 0);
  }
  draft.set(track(t::kSSStep), 0);
  draft.set(track(t::kStage), 0);
  give_beachhead(draft);
  for (SideId side : {kAxis, kSoviet}) {
    draft.set(track(of_side(t::kAxisCommitted, side)), 0);
    draft.set(track(of_side(t::kAxisPoints, side)), now.track(of_side(t::kAxisLevel, side)));
    draft.ask(side, Question{static_cast<std::uint8_t>(Ask::kProduction), -1, -1, 0});
  }
}

Refused decide_production(Draft& draft, const Order& order) {
  const Situation now(draft);
  // Reinforcements of the first month arrive at set-up [11.6].
  if (now.phase() == Phase::kSetup) return decide_place_setup(draft, order);
  if (order.is("CommitProduction")) return commit(draft, order.side);
  const auto hidden = draft.only_for(order.side);
  const Producer producer(now, order.side);
  if (order.is("AddStep")) return add_step(draft, producer, order.unit("unit"));
  if (order.is("BuildCadre")) {
    return build_cadre(draft, producer, order.unit("unit"), order.space("hex"));
  }
  if (order.is("PlaceReinforcement") || order.is("BringEarly")) {
    return reinforce(draft, producer, order);
  }
  if (order.is("Disband")) return disband(draft, producer, order.unit("unit"));
  return change_beachhead(draft, producer, order);
}

namespace {

bool see_unit_orders(const Producer& producer, UnitId unit, std::span<const SpaceId> hexes,
                     const SeeOrder& see) {
  const Situation& now = producer.now;
  const SideId side = producer.side;
  const auto at = [&](const char* type) {
    return [like = order(type, side).with("unit", unit)](SpaceId hex) {
      Order out = like;
      return out.with("hex", hex);
    };
  };
  if (now.pos.on_board(unit)) {
    return producer.may_step(unit) || see(order("AddStep", side).with("unit", unit));
  }
  if (now.fate(unit) == Fate::kEliminated) {
    if (producer.may_rebuild(unit)) return true;
    return each_arrival(
        hexes, [&](SpaceId hex) { return producer.may_arrive(unit, hex); }, at("BuildCadre"), see);
  }
  const int months = producer.months_to(unit);
  if (months == 0) {
    return each_arrival(
        hexes, [&](SpaceId hex) { return producer.may_reinforce(unit, hex); },
        at("PlaceReinforcement"), see);
  }
  if (months != 1) return true;
  for (const bool pay : {false, true}) {
    const auto make = [&](SpaceId hex) {
      return at("BringEarly")(hex).with_choice("mode", pay ? "PayCadre" : "ReduceCV");
    };
    if (!each_arrival(
            hexes, [&](SpaceId hex) { return producer.may_come_early(unit, hex, pay); }, make,
            see)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void legal_production(const Situation& now, SideId side, const SeeOrder& see) {
  if (!see(order("CommitProduction", side))) return;
  const Producer producer(now, side);
  const std::vector<SpaceId> hexes = producer.arrival_hexes();
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (now.side(unit) == side && !see_unit_orders(producer, unit, hexes, see)) return;
  }
  for (UnitId unit : now.units_of(side)) {
    if (!see(order("Disband", side).with("unit", unit))) return;
  }
  for (const char* type : {"PrepBeachhead", "ReadyBeachhead", "LiftBeachhead"}) {
    if (!producer.may_change_beachhead(type) && !see(order(type, side))) return;
  }
}

}  // namespace wardiary::eastfront

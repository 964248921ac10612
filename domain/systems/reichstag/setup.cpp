// Set-up [3]: the steps in their order, the draws, and where each piece may stand.
#include <algorithm>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

struct SetupStep {
  Phase phase;
  SideId player;
};

constexpr SetupStep kSteps[] = {
    {Phase::kS2b, k1BF}, {Phase::kS2b, k1UF}, {Phase::kS4, k1BF},  {Phase::kS5, k1UF},
    {Phase::kS6, k1BF},  {Phase::kS6, k1UF},  {Phase::kS7, k1BF},  {Phase::kS8, k1BF},
    {Phase::kS9, k1UF},  {Phase::kS9b, k1BF}, {Phase::kS9c, k1UF}, {Phase::kS10, k1BF},
    {Phase::kS11, k1UF},
};

void begin_step(Draft& draft, std::size_t step);

Clock clock_of(const SetupStep& step) {
  return {1, static_cast<std::uint8_t>(step.phase), static_cast<std::int8_t>(step.player.value)};
}

bool of_step(const Situation& now, UnitId unit, Phase phase, SideId player) {
  const UnitFacts& facts = now.facts(unit);
  const bool aside = now.pile(unit) == Pile::kAside && !now.on_map(unit);
  const bool in_hand = now.pile(unit) == of_front(Pile::kHand1BF, player);
  switch (phase) {
    case Phase::kS2b:
      return facts.group == Group::kPreparedCp && facts.setup_by == player && aside;
    case Phase::kS4:
    case Phase::kS5:
      return facts.is_static() && in_hand;
    case Phase::kS6:
      return facts.kind == Kind::kMobile && in_hand;
    case Phase::kS7:
      return facts.group == Group::kSpree && aside;
    case Phase::kS8:
      return facts.group == Group::k56Pz1UF && aside;
    case Phase::kS9:
      return facts.group == Group::k56Pz1BF && aside;
    case Phase::kS9b:
      return now.data.prepared && facts.group == Group::k20Corps && aside;
    case Phase::kS9c:
      return now.data.prepared && facts.group == Group::kSteiner && aside;
    case Phase::kS10:
      return (facts.group == Group::k1BFNorth || facts.group == Group::k1BFSouth) && aside;
    case Phase::kS11:
      return facts.group == Group::k1UFSouth && aside;
    default:
      return false;
  }
}

std::vector<UnitId> pieces_of_step(const Situation& now) {
  std::vector<UnitId> out;
  for (UnitId unit : now.all_units()) {
    if (of_step(now, unit, now.phase(), now.pos.clock.active())) out.push_back(unit);
  }
  return out;
}

Refused german_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex,
                       SideId player) {
  const UnitFacts& facts = now.facts(unit);
  if (now.is_reichstag(hex)) {
    return refuse("REICHSTAG_FORBIDDEN", "5.6", "no German is put into the Reichstag");
  }
  if (!now.in_german_sector(hex, other_front(player))) {
    return refuse("WRONG_SECTOR", "3.5", "your Germans stand in the other Front's sector");
  }
  const bool near_potsdam = now.data.potsdam && now.board().distance(hex, now.data.potsdam) <= 2 &&
                            now.hex(hex).west_of_havel;
  if (facts.group == Group::kSpree && !near_potsdam) {
    return refuse("OUT_OF_SETUP_AREA", "3.8",
                  "it starts within two hexes of Potsdam and west of the Havel");
  }
  if (now.data.rulings.keep_soviet_zones_free && (in_setup_area(now.data, hex, Group::k1BFNorth) ||
                                                  in_setup_area(now.data, hex, Group::k1BFSouth) ||
                                                  in_setup_area(now.data, hex, Group::k1UFSouth))) {
    return refuse("OUT_OF_SETUP_AREA", "3.5", "Soviet set-up areas are kept free (R-48)");
  }
  if (facts.works_as == StaticKind::kAirfield && !now.hex(hex).road && !now.hex(hex).airfield) {
    return refuse("AIRFIELD_NEEDS_ROAD_OR_AIRFIELD", "16.3",
                  "an emergency airfield needs a road or airfield hex");
  }
  if (facts.works_as == StaticKind::kSniper && now.data.rulings.setup_snipers_in_reach &&
      !sniper_in_reach(now, hex, player)) {
    return refuse("OUT_OF_RANGE", "16.5", "no other German of yours within four hexes (R-16)");
  }
  if (!field.room_for(unit, hex)) {
    return refuse("STACKING_LIMIT", "10.3", "three German units are the most in a hex");
  }
  return std::nullopt;
}

Refused soviet_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  if (!in_setup_area(now.data, hex, now.facts(unit).group)) {
    return refuse("OUT_OF_SETUP_AREA", "3.11", "it starts on its edge or next to a hex of it");
  }
  if (field.germans_in(hex)) {
    return refuse("ENEMY_OCCUPIED", "10.1", "German units stand there");
  }
  if (!field.room_for(unit, hex)) {
    return refuse("STACKING_LIMIT", "10.2", "two units, one of them a corps or division at most");
  }
  return std::nullopt;
}

Refused placement_refusal(const Situation& now, const Field& field, UnitId unit, SpaceId hex) {
  if (now.facts(unit).kind == Kind::kSoviet) return soviet_refusal(now, field, unit, hex);
  return german_refusal(now, field, unit, hex, now.pos.clock.active());
}

bool placeable(const Situation& now, const Field& field, UnitId unit) {
  for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
    if (!placement_refusal(now, field, unit, SpaceId{static_cast<int>(i)})) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------- draws

void draw_statics(Draft& draft, SideId by, int count) {
  const std::vector<UnitId> pool = static_pool(Situation(draft));
  {
    auto hidden = draft.only_for(by);
    for (UnitId unit : draw_units(draft, by, pool, count, "static units")) {
      draft.set(unit, u::kPile, static_cast<int>(of_front(Pile::kHand1BF, by)));
    }
  }
  draft.set(track(t::kPool), static_cast<int>(static_pool(Situation(draft)).size()));
}

void draw_reichstag(Draft& draft) {  // S3 [3.4]: unseen by anybody
  const Situation now(draft);
  if (!now.data.reichstag) return;
  std::vector<UnitId> drawn;
  {
    auto hidden = sealed(draft);
    drawn = draw_units(draft, k1BF, static_pool(now), now.data.draw_reichstag,
                       "garrison of the Reichstag");
  }
  // In the order of the roster, so that the pieces say nothing about their order in the draw.
  std::sort(drawn.begin(), drawn.end());
  for (UnitId unit : drawn) put_on_map(draft, unit, now.data.reichstag);
  draft.set(track(t::kPool), static_cast<int>(static_pool(now).size()));
}

void draw_garrison(Draft& draft) {  // S6 [3.7]
  const Situation now(draft);
  std::vector<UnitId> all;
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).group == Group::kGarrison && now.pile(unit) == Pile::kAside &&
        !now.on_map(unit)) {
      all.push_back(unit);
    }
  }
  const auto for_1bf = draw_units(draft, k1BF, all, now.data.draw_garrison, "Berlin garrison");
  for (UnitId unit : all) {
    const bool drawn = std::find(for_1bf.begin(), for_1bf.end(), unit) != for_1bf.end();
    draft.set(unit, u::kPile, static_cast<int>(drawn ? Pile::kHand1BF : Pile::kHand1UF));
  }
}

// ---------------------------------------------------------------------------- the steps

// [quickSetup] Each piece where the scenario suggests it, or on the next hex that is legal.
void place_as_suggested(Draft& draft) {
  const Situation now(draft);
  const bool first = now.pos.clock.active() == k1BF;
  const std::vector<SpaceId>& slots = now.phase() == Phase::kS6
                                          ? (first ? now.data.garrison_1bf : now.data.garrison_1uf)
                                          : (first ? now.data.slots_1bf : now.data.slots_1uf);
  for (UnitId unit : pieces_of_step(now)) {
    const Field field(now);
    std::vector<SpaceId> wishes;
    if (now.facts(unit).suggested) wishes.push_back(now.facts(unit).suggested);
    // Empty slots first, then company.
    for (SpaceId slot : slots) {
      if (!field.germans_in(slot)) wishes.push_back(slot);
    }
    wishes.insert(wishes.end(), slots.begin(), slots.end());
    for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
      wishes.push_back(SpaceId{static_cast<int>(i)});
    }
    for (SpaceId hex : wishes) {
      if (placement_refusal(now, field, unit, hex)) continue;
      put_on_map(draft, unit, hex);
      break;
    }
  }
}

// Pieces that nobody could place: Soviets come as delayed reinforcements.
void leave_behind(Draft& draft) {
  const Situation now(draft);
  for (UnitId unit : pieces_of_step(now)) {
    if (now.facts(unit).kind == Kind::kSoviet) {
      draft.set(unit, u::kDue, 1);
    } else {
      draft.set(unit, u::kPile, static_cast<int>(Pile::kRemoved));
    }
  }
}

void finish_step(Draft& draft) {
  const Situation now(draft);
  std::size_t step = 0;
  while (kSteps[step].phase != now.phase() || kSteps[step].player != now.pos.clock.active()) ++step;
  leave_behind(draft);
  draft.settle(kSteps[step].player);
  begin_step(draft, step + 1);
}

void begin_step(Draft& draft, std::size_t step) {
  if (step == std::size(kSteps)) return begin_game_turn(draft, 1);
  const SetupStep& next = kSteps[step];
  const Situation now(draft);
  draft.begin_phase(clock_of(next));
  if (next.phase == Phase::kS4) {
    draw_reichstag(draft);
    draw_statics(draft, k1BF, now.data.draw_1bf);
  }
  if (next.phase == Phase::kS5) draw_statics(draft, k1UF, now.data.draw_1uf);
  if (next.phase == Phase::kS6 && next.player == k1BF) draw_garrison(draft);
  if (now.data.rulings.quick_setup) place_as_suggested(draft);
  if (pieces_of_step(now).empty()) return begin_step(draft, step + 1);
  ask_setup(draft, next.player);
}

// The checks every placement order shares.
Refused own_piece(const Situation& now, const Order& order) {
  const UnitId unit = order.unit("unit");
  if (now.on_map(unit) && now.controller(unit) == order.side) {
    return refuse("ALREADY_PLACED", "3.1", "it stands on the map already");
  }
  if (of_step(now, unit, now.phase(), order.side)) return std::nullopt;
  return not_yours("3.1");
}

Refused place(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (auto refused = own_piece(now, order)) return refused;
  const UnitId unit = order.unit("unit");
  const SpaceId hex = order.space("hex");
  if (auto refused = placement_refusal(now, Field(now), unit, hex)) return refused;
  put_on_map(draft, unit, hex);
  return std::nullopt;
}

}  // namespace

Status begin_setup(Draft& draft) {
  const Situation now(draft);
  draft.begin_phase({1, static_cast<std::uint8_t>(Phase::kS0), -1});
  int pool = 0;
  for (UnitId unit : now.all_units()) {
    const UnitFacts& facts = now.facts(unit);
    if (facts.group == Group::kOnMap) {  // [3.2]
      draft.place(unit, facts.start, {{u::kPile, static_cast<int>(Pile::kMap)}, {u::kFaceUp, 1}});
    } else if (facts.group == Group::kPool) {  // [3.3]
      draft.set(unit, u::kPile, static_cast<int>(Pile::kPool));
      ++pool;
    }
  }
  draft.set(track(t::kPool), pool);
  for (SideId front : kFronts) {
    draft.ask(front, {static_cast<std::uint8_t>(Ask::kCommands), -1, -1, 0});
  }
  return Done{};
}

void ask_setup(Draft& draft, SideId side) {
  draft.ask(side, {static_cast<std::uint8_t>(Ask::kSetup), -1, -1, 0});
}

// [3.1, R-40] The seat is the Front: choosing it writes the agreement down.
Refused decide_choose_commands(Draft& draft, const Order& order) {
  const std::string own = order.side == k1BF ? "1BF" : "1UF";
  if (order.has("front") && order.choice("front") != own) {
    return refuse("SAME_FRONT_TWICE", "3.1", "that Front is commanded by the other player");
  }
  draft.set(track(of_front(t::kCommands1BF, order.side)), 1);
  draft.settle(order.side);
  const Situation now(draft);
  if (now.is(t::kCommands1BF) && now.is(t::kCommands1UF)) begin_step(draft, 0);
  return std::nullopt;
}

Refused decide_place_static(Draft& draft, const Order& order) {
  const Phase phase = Situation(draft).phase();
  if (phase != Phase::kS2b && phase != Phase::kS4 && phase != Phase::kS5) {
    return refuse("WRONG_PHASE", "3.5", "static units are placed in S2b, S4 and S5");
  }
  if (auto refused = place(draft, order)) return refused;
  if (order.flag("faceUp")) turn_up(draft, order.unit("unit"));
  return std::nullopt;
}

// Also of a sniper drawn as a reinforcement [16.5].
Refused decide_hold_sniper(Draft& draft, const Order& order) {
  const Situation now(draft);
  const UnitId unit = order.unit("unit");
  if (now.pile(unit) != of_front(Pile::kHand1BF, order.side)) return not_yours("16.5");
  if (now.facts(unit).works_as != StaticKind::kSniper) {
    return refuse("NOT_A_SNIPER", "16.5", "only snipers may be kept off the map");
  }
  draft.set(unit, u::kPile, static_cast<int>(of_front(Pile::kHeld1BF, order.side)));
  draft.add(track(of_front(t::kHeld1BF, order.side)), 1);
  return std::nullopt;
}

Refused decide_place_german(Draft& draft, const Order& order) {
  const Phase phase = Situation(draft).phase();
  if (phase < Phase::kS6 || phase > Phase::kS9c) {
    return refuse("WRONG_PHASE", "3.7", "mobile Germans are placed in S6 to S9");
  }
  return place(draft, order);
}

Refused decide_place_soviet(Draft& draft, const Order& order) {
  const Phase phase = Situation(draft).phase();
  if (phase != Phase::kS10 && phase != Phase::kS11) {
    return refuse("WRONG_PHASE", "3.11", "Soviet units are placed in S10 and S11");
  }
  return place(draft, order);
}

Refused decide_end_setup_step(Draft& draft, const Order&) {
  const Situation now(draft);
  const Field field(now);
  for (UnitId unit : pieces_of_step(now)) {
    if (placeable(now, field, unit)) {
      return refuse("PIECES_LEFT", "3.1", now.name(unit) + " is still to be placed");
    }
  }
  finish_step(draft);
  return std::nullopt;
}

// There are tens of thousands of placements: each piece is shown on some hexes, other ones for
// each.
void legal_setup(const Situation& now, SideId side, const SeeOrder& see) {
  constexpr std::size_t kShown = 600;
  if (now.asked(side) == Ask::kCommands) {
    see(order("ChooseCommands", side).with_choice("front", side == k1BF ? "1BF" : "1UF"));
    return;
  }
  const std::vector<UnitId> pieces = pieces_of_step(now);
  const Field field(now);
  const bool statics = now.phase() <= Phase::kS5;
  const bool soviets = now.phase() >= Phase::kS10;
  const char* type = statics ? "PlaceStatic" : soviets ? "PlaceSovietUnit" : "PlaceGermanMobile";
  bool any = false;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const UnitId unit = pieces[p];
    const bool sniper = now.facts(unit).works_as == StaticKind::kSniper;
    if (sniper && now.phase() != Phase::kS2b &&
        !see(order("HoldSniper", side).with("unit", unit))) {
      return;
    }
    std::vector<SpaceId> hexes;
    for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
      const SpaceId hex{static_cast<int>(i)};
      if (!placement_refusal(now, field, unit, hex)) hexes.push_back(hex);
    }
    const std::size_t every = 1 + hexes.size() * pieces.size() / kShown;
    for (std::size_t i = p % every; i < hexes.size() + p % every; i += every) {
      any = true;
      const SpaceId hex = hexes[i % hexes.size()];
      if (!see(order(type, side).with("unit", unit).with("hex", hex))) return;
    }
  }
  if (!any) see(order("EndSetupStep", side));
}

}  // namespace wardiary::reichstag

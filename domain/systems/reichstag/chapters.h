// Who calls whom: what each chapter of the rules offers the others.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "domain/rule_system.h"
#include "domain/systems/reichstag/field.h"
#include "domain/systems/reichstag/state.h"

namespace wardiary::reichstag {

using SeeOrder = RuleSystem::SeeOrder;

// --- orders.cpp, options.cpp
std::span<const OrderType> order_types();
const OrderType& order_type(std::string_view name);
Order order(std::string_view type, SideId side);
std::span<const OptionSpec> option_specs();

// --- pieces.cpp: what happens to a piece wherever it happens
// Onto the map from anywhere; objectives change hands [21.2].
void put_on_map(Draft& draft, UnitId unit, SpaceId hex);
// One hex on: control of objectives, and for Soviet units the bridges [18.1].
void step_to(Draft& draft, UnitId unit, SpaceId hex, std::string_view how);
// To the dead pile, or the kill pile of the Front whose sector it was.
void eliminate(Draft& draft, UnitId unit, std::string_view why);
void move_to_pile(Draft& draft, UnitId unit, Pile pile, std::string_view why);
void turn_up(Draft& draft, UnitId unit);  // face up for good [16.9]
// Only the server sees what is drafted while it lives: the garrison of the Reichstag.
[[nodiscard]] Draft::Scope sealed(Draft& draft);
std::uint32_t roll_die(Draft& draft, SideId roller, std::string purpose, SpaceId hex = {},
                       const std::function<std::string(std::uint32_t)>& result = {});
// Draws without putting back; the values of the roll are places in `from`.
std::vector<UnitId> draw_units(Draft& draft, SideId by, const std::vector<UnitId>& from, int count,
                               std::string purpose);
std::vector<UnitId> static_pool(const Situation& now);
Refused not_yours(std::string_view rule);

// --- setup.cpp [3]
Status begin_setup(Draft& draft);
Refused decide_choose_commands(Draft& draft, const Order& order);
Refused decide_place_static(Draft& draft, const Order& order);
Refused decide_hold_sniper(Draft& draft, const Order& order);
Refused decide_place_german(Draft& draft, const Order& order);
Refused decide_place_soviet(Draft& draft, const Order& order);
Refused decide_end_setup_step(Draft& draft, const Order& order);
void legal_setup(const Situation& now, SideId side, const SeeOrder& see);
void ask_setup(Draft& draft, SideId side);

// --- sequence.cpp [4]
void begin_game_turn(Draft& draft, int turn);
void ask_stage(Draft& draft);  // the question of the present stage
Refused decide_end_phase(Draft& draft, const Order& order);
void end_stage(Draft& draft);  // on to the next state in which somebody decides

// --- stavka.cpp [6, 20]
int price(const Situation& now, SideId front, int cost);  // double when fatigued [20.3]
bool can_pay(const Situation& now, int amount);
Refused pay(Draft& draft, SideId front, int amount);
int dead_formations(const Situation& now, SideId front);  // corps and divisions [20.2]
Refused decide_max_effort(Draft& draft, const Order& order);
Refused decide_fatigue(Draft& draft, const Order& order);
void legal_turn_start(const Situation& now, SideId side, const SeeOrder& see);

// --- reinforcement.cpp [7.1, 8]
Refused decide_place_reinforcement(Draft& draft, const Order& order);
Refused decide_replace(Draft& draft, const Order& order);
Refused reinforcements_pending(const Situation& now, SideId front);
void legal_reinforcement(const Situation& now, SideId side, const SeeOrder& see);
int replacement_cost(const Situation& now, UnitId unit);

// --- bombardment.cpp [15], recon.cpp [17]
Refused decide_place_bombardment(Draft& draft, const Order& order);
Refused decide_air_recon(Draft& draft, const Order& order);
void remove_markers(Draft& draft, SideId front);  // [15.8]
void legal_bombardment(const Situation& now, SideId side, const SeeOrder& see);
Refused decide_reconnoitre(Draft& draft, const Order& order);
void examine(Draft& draft, SpaceId hex, SideId front);  // one German stack [17.3]
Refused decide_reveal(Draft& draft, const Order& order);
void legal_reveals(const Situation& now, SideId side, const SeeOrder& see);

// --- german_reinforcement.cpp [7.3-7.5, 16, 22]
Refused decide_roll_static(Draft& draft, const Order& order);
Refused decide_place_static_reinforcement(Draft& draft, const Order& order);
Refused decide_place_sniper(Draft& draft, const Order& order);
Refused decide_airfield(Draft& draft, const Order& order);
Refused decide_depot(Draft& draft, const Order& order);
Refused decide_roll_arrival(Draft& draft, const Order& order);
Refused decide_place_relief(Draft& draft, const Order& order);
// A German of this player, not a sniper, within reach of the hex [16.5].
bool sniper_in_reach(const Situation& now, SpaceId hex, SideId player);
Refused drawn_unit_pending(const Situation& now, SideId side);
void legal_german_reinforcement(const Situation& now, SideId side, const SeeOrder& see);

// --- movement.cpp [9, 11]
Refused decide_move(Draft& draft, const Order& order);
Refused decide_roll_german_movement(Draft& draft, const Order& order);
Refused decide_exit_west(Draft& draft, const Order& order);
void begin_movement(Draft& draft);
void legal_movement(const Situation& now, SideId side, const SeeOrder& see);

// --- bridges.cpp [18, 19]
void check_bridges(Draft& draft, UnitId unit, SpaceId entered);
// An engineer of this Front that serves the hexside now; none if there is none.
// `except` does not count.
UnitId serving_engineer(const Situation& now, LinkId link, SideId front, UnitId except = {});
// Whether an engineer there reaches the hexside.
bool serves_hexside(const Situation& now, SpaceId engineer_at, const BoardLink& link);
bool can_cross(const Situation& now, LinkId link);  // boundary, lakes without a bridge

// --- combat.cpp [12.1-12.13]
void begin_combat(Draft& draft);
Refused decide_attack(Draft& draft, const Order& order);
Refused decide_me262(Draft& draft, const Order& order);
Refused attacks_pending(const Situation& now);
void legal_attacks(const Situation& now, SideId side, const SeeOrder& see);

// --- combat_strength.cpp [12.14-12.22]
struct Strength {
  int attack = 0;
  int defence = 0;
  std::vector<RollTerm> terms;
};
Strength strength_of(const Situation& now, std::span<const UnitId> attackers,
                     std::span<const UnitId> defenders);
bool must_assault(const Situation& now, std::span<const UnitId> attackers,
                  std::span<const SpaceId> targets);  // [12.21]

// --- results.cpp [12.23, 12.24]
void open_combat(Draft& draft, CombatResult result);
void continue_combat(Draft& draft);
SideId owner_of(const Situation& now, Role role);  // who decides for a force of the open combat
std::vector<UnitId> force_of(const Situation& now, Role role);  // on the map
Refused decide_end_advance(Draft& draft, const Order& order);
Refused decide_losses(Draft& draft, const Order& order);
void legal_losses(const Situation& now, SideId side, const SeeOrder& see);

// --- retreat.cpp [13]
// Sets who must retreat and resolves what leaves no choice.
void begin_retreat(Draft& draft, Role role, int hexes);
bool retreat_left(const Situation& now);
Refused decide_retreat(Draft& draft, const Order& order);
Refused decide_decline_retreat(Draft& draft, const Order& order);
Refused decide_exit_in_retreat(Draft& draft, const Order& order);
Refused decide_stop_panic(Draft& draft, const Order& order);
void settle_hopeless(Draft& draft);  // those who have no way at all
void legal_retreats(const Situation& now, SideId side, const SeeOrder& see);
bool may_escape_in_retreat(const Situation& now, UnitId unit);  // rule 26

// --- advance.cpp [14]
bool anyone_can_advance(const Situation& now);
Refused decide_advance(Draft& draft, const Order& order);
void legal_advances(const Situation& now, SideId side, const SeeOrder& see);
int advance_limit(const Situation& now);

// --- comms.cpp [24]
bool has_loc(const Situation& now, const Field& field, SideId front, SpaceId from, bool is_unit);
std::vector<UnitSupply> comms_report(const Situation& now);

// --- victory.cpp [21]
std::vector<ScoreTerm> victory_points(const Situation& now);
int total_points(const Situation& now, SideId front);
void interphase(Draft& draft);  // sudden death, the last turn, or the next one

// --- sight.cpp, prefer.cpp, translate.cpp, written_position.cpp
UnitSight sight_of_unit(const Situation& now, const Viewer& viewer, UnitId unit);
std::vector<std::size_t> best_orders(const Situation& now, std::span<const Order> orders);
void translate_written_position(nlohmann::json& stated);
void complete_written_position(Draft& draft, const nlohmann::json& stated);

}  // namespace wardiary::reichstag

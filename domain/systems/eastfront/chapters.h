// EastFront: the chapters of the rulebook, one file each, and what they offer one another.
// Functions on a Draft change the game; functions on a Situation only look. "decide_" functions
// answer one order: a rejection, or nothing and the draft is complete up to the next decision.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "domain/order.h"
#include "domain/rule_system.h"
#include "domain/systems/eastfront/state.h"

namespace wardiary::eastfront {

inline Rejection refuse(std::string code, std::string rule, std::string text) {
  return Rejection{std::move(code), std::move(rule), std::move(text)};
}
using SeeOrder = RuleSystem::SeeOrder;

// --- orders.cpp: the order types of the digest's section 4
std::span<const OrderType> order_types();
const OrderType& order_type(std::string_view name);
Order order(std::string_view type, SideId side);  // an order to be filled with Order::with

// --- sequence.cpp [4]
// Ends the current phase: end-of-phase checks, then everything automatic up to the next decision.
// Chapters call it when their phase has no more decisions. If a check asks a decision it returns,
// and is called again when that is answered.
void end_phase(Draft& draft);
// Starts the game after set-up is complete: first weather, first player turn.
void begin_play(Draft& draft);
Refused decide_pass(Draft& draft, const Order& order);
SideId first_player(const Situation& now);  // by the weather [4.4, 12.21]

// --- setup.cpp [3.2]
Status place_initial_units(
    Draft& draft);  // fixed set-ups, control, tracks; asks the first decision
// Battle hexes of the start line that hold both sides [7.12].
void begin_battles(Draft& draft);
Refused decide_select_forces(Draft& draft, const Order& order);
Refused decide_place_setup(Draft& draft, const Order& order);
Refused decide_finish_setup(Draft& draft, const Order& order);
void legal_setup(const Situation& now, SideId side, const SeeOrder& see);

// --- written_position.cpp
// Puts the rulebook's words for attributes, phases and tracks into the roster's.
void translate_written_position(nlohmann::json& stated);
// Completes a position written by hand: what follows from the rest and was not stated.
void complete_written_position(Draft& draft, const nlohmann::json& stated);

// --- command.cpp [5]
// Hexes within command of an HQ standing at its present place: radius effective CMD, through
// friendly or disputed hexes; an enemy-controlled hex with own units may be the end [5.3, A-09]. By
// space.
std::vector<char> command_reach(const Situation& now, UnitId hq);
// What every HQ on the board commands, for the map.
std::vector<UnitReach> command_report(const Situation& now);
// The same for orders to units, where rulings may ask for less.
std::vector<char> movement_reach(const Situation& now, UnitId hq);
bool in_command(const Situation& now, UnitId unit, UnitId hq);
void deactivate(Draft& draft, UnitId hq,
                bool stays_active = false);  // -1 step; may eliminate [5.4]
Refused decide_activate_hq(Draft& draft, const Order& order);
Refused decide_end_command(Draft& draft, const Order& order);
void legal_command(const Situation& now, SideId side, const SeeOrder& see);

// --- movement.cpp, strategic_moves.cpp, retreat.cpp [6]
void begin_movement(Draft& draft);
int supreme_moves(const Situation& now, SideId side);  // of the side's active SHQ [5.61, A-51]
Refused decide_move_unit(Draft& draft, const Order& order);
Refused decide_supreme_move(Draft& draft, const Order& order);
Refused decide_rail_move(Draft& draft, const Order& order);
Refused decide_mobilise(Draft& draft, const Order& order);
Refused decide_rear_guard(Draft& draft, const Order& order);
Refused decide_end_movement(Draft& draft, const Order& order);
// May this unit walk this path now (speed, stops, limits, disengaging, engaging, satellites)?
Refused check_land_path(const Situation& now, UnitId unit, std::span<const SpaceId> path);
// Walks it: the move itself, hexside counts, and a battle if it ends among enemies.
void walk(Draft& draft, UnitId unit, std::span<const SpaceId> path, std::string_view how);
// Called by whatever brings a unit into a hex with enemies: marks the battle new or joined.
void enter_battle(Draft& draft, UnitId unit, SpaceId from, Entry entry);
void legal_movement(const Situation& now, SideId side, const SeeOrder& see);
// Pursuit fire on a unit that retreats alone; true if it is still alive [6.42]. `speed` < 0: its
// own.
bool pursue(Draft& draft, UnitId rear_guard, int speed = -1);

// --- combat.cpp, battle_round.cpp, fire.cpp, losses.cpp [7]
void begin_combat(Draft& draft);
bool compulsory(const Situation& now, SpaceId battle);        // [7.15]
bool supported(const Situation& now, SpaceId battle);         // [7.4], before activation
Firepower offensive_fire(const Situation& now, UnitId unit);  // [7.32]
Firepower defensive_fire(const Situation& now, UnitId unit);  // [7.32, 1.41, 1.46]
int defence_multiplier(const Situation& now, SpaceId battle, SideId passive);  // 0: no hits [7.34]
int repulse_number(const Situation& now, SpaceId battle);                      // [7.5, 14.4, 15.43]
Refused decide_assign_air_strike(Draft& draft, const Order& order);
Refused decide_activate_battle(Draft& draft, const Order& order);
Refused decide_end_battle_selection(Draft& draft, const Order& order);
Refused decide_resolve_battle(Draft& draft, const Order& order);
Refused decide_fire(Draft& draft, const Order& order);
Refused decide_allocate_loss(Draft& draft, const Order& order);
Refused decide_allocate_repulse(Draft& draft, const Order& order);
Refused decide_end_combat(Draft& draft, const Order& order);
// ChooseFortressSupplied during combat: which unit fires triple [1.46, A-16].
Refused decide_fortress_gunner(Draft& draft, const Order& order);
// Every battle with what the rules say about it, for the map and the command.
std::vector<Battle> battle_report(const Situation& now);
void legal_combat(const Situation& now, SideId side, const SeeOrder& see);
// Rolls `dice` dice for a unit (or, for air strikes, its HQ) and returns the hits [7.31].
int roll_fire(Draft& draft, UnitId unit, std::string_view purpose, int dice, Firepower power);
// Takes one step from a unit; eliminates it below its lowest step [7.33].
void lose_step(Draft& draft, UnitId unit, std::string_view why);
// Removes a unit from the board as eliminated and rebuildable. Ends a battle that has one side
// left.
void eliminate(Draft& draft, UnitId unit, std::string_view why);
// Lays a unit face up: the enemy sees what it is.
void show(Draft& draft, UnitId unit);
// The hex holds one side (or none) now: forgets its battle, stands its units up [7.12].
void end_battle_if_over(Draft& draft, SpaceId space);

// --- sight.cpp [digest 8.10]
UnitSight sight_of_unit(const Situation& now, const Viewer& viewer, UnitId unit);

// =================================================================== chapters of colleague files

// --- control.cpp [8]
// Control of every hex as it is now; a pure look. Index by space.
std::vector<std::int16_t> control_map(const Situation& now);
// Takes the snapshot for the phase that begins: kControl and the memory kHeld of all hexes.
void recompute_control(Draft& draft);
// Called with it: what follows from control [11.2, 16.2-16.4, 16.6]: levels, satellites, oil.
void update_objectives(Draft& draft);

// --- rail.cpp [9]
// Connected friendly rail (and, with the naval option, sea) from a side's supply sources.
struct RailNet {
  std::vector<char> in;          // by space: 1 in the net
  std::vector<char> siege_only;  // by space: reached by sea only, in battle [15.31]
  std::vector<SpaceId> from;     // by space: previous hex on the way from the source
};
RailNet rail_net(const Situation& now, SideId side);
// Sea areas by their index: may `side` sail it [15.1]; is the way between two adjacent ones open
// [1.39]; the ports of areas that hang together under its control (friendly or not) [15.3].
bool sea_controlled(const Situation& now, SideId side, int sea);
bool strait_open(const Situation& now, SideId side, int from, int to);
std::vector<std::vector<SpaceId>> sea_basins(const Situation& now, SideId side);
// Rail hexes of a path for its cost, or a refusal: on the net, no battle but the start,
// off-map stretches between edge entries allowed [9.2, 9.5].
struct RailCost {
  Refused refused;
  int hexes = 0;
};
RailCost rail_path_cost(const Situation& now, UnitId unit, std::span<const SpaceId> path);
// The shortest rail way from a hex to every hex of the net (for legal orders); empty path: none.
std::vector<SpaceId> rail_way(const Situation& now, const RailNet& net, SpaceId from, SpaceId to);

// --- supply.cpp [10]
struct SupplyLine {
  bool supplied = false;
  std::vector<SpaceId> path;  // from the unit's hex to the net
  std::string reason;         // why not
};
SupplyLine supply_line(const Situation& now, UnitId unit, const RailNet& net);
// By space: the next hex of a line of supply for a unit standing there (itself: it is on the net),
// none if there is no line. The same question as supply_line for all hexes at once [10.3].
std::vector<SpaceId> supply_ways(const Situation& now, SideId side, const RailNet& net);
// The Soviet beach-head feeds units here [15.52].
bool fed_by_beachhead(const Situation& now, SpaceId hex, SideId side);
// What RuleSystem::supply answers: every unit on the map as if it were checked now.
std::vector<UnitSupply> supply_report(const Situation& now);
// Runs the Supply phase from where track kStage says it is; asks decisions on the way and, when
// nothing is left, calls end_phase.
void continue_supply(Draft& draft);
Refused decide_supply(Draft& draft, const Order& order);  // ChooseFortressSupplied, overstack ...
void legal_supply(const Situation& now, SideId side, const SeeOrder& see);

// --- production.cpp [11]
void begin_production(Draft& draft);  // levels, flags, asks both sides
Refused decide_production(Draft& draft, const Order& order);
void legal_production(const Situation& now, SideId side, const SeeOrder& see);
struct LevelTerm {
  std::string source;
  SpaceId hex;  // none: no place
  int value = 0;
  std::string rule;
};
std::vector<LevelTerm> production_level(const Situation& now, SideId side);

// --- weather.cpp [12]
void roll_weather(Draft& draft);  // for the fortnight that begins; sets the tracks
std::optional<Weather> settled_weather(int month, bool west);  // nothing in a variable month

// --- victory.cpp [17]
std::vector<ScoreTerm> victory_points(const Situation& now);
// After the last phase of a period, or at a sudden end: ends the game or says it goes on (false).
bool finish_period(Draft& draft);

// --- strategic.cpp, satellites.cpp [16]
// End-of-phase checks: satellites released or bound, Army Group E, plains. True: a decision was
// asked.
bool end_of_phase_checks(Draft& draft);
// Start of an Axis Command phase: units that stood off the map return [16.7].
void return_off_map_units(Draft& draft);
// In the Soviet Supply phase: asks whether to roll for surrenders [16.1]; true: asked.
bool ask_surrender(Draft& draft);
Question surrender_question(const Situation& now);  // which countries may be rolled for
void end_of_turn_checks(Draft& draft);  // conquest [16.11], breakthrough [16.8]
Refused decide_strategic(Draft& draft, const Order& order);  // RollSurrender, ChooseDefector, ...
void legal_strategic(const Situation& now, SideId side, const SeeOrder& see);
// May a satellite (or, June 1941, a unit in Hungary) stand or move here [2.66, 16.4, S41 4]?
bool satellite_may_enter(const Situation& now, UnitId unit, SpaceId space);
bool may_move_at_all(const Situation& now, UnitId unit);
// In or beside the home of this satellite, restricted or not [2.66].
bool in_satellite_area(const Situation& now, UnitId unit, SpaceId space);

// --- paratroops.cpp [14], naval.cpp [15]
Refused decide_para_drop(Draft& draft, const Order& order);
Refused check_para_role(const Situation& now, UnitId hq);
Refused decide_naval(Draft& draft, const Order& order);  // SeaMove, InvadeBySea, EvacuateBySea
Refused check_invasion_role(const Situation& now, UnitId hq);
// Command radius of an Invasion HQ runs over sea only [15.41].
bool invasion_supports(const Situation& now, UnitId hq, SpaceId battle);
void legal_para(const Situation& now, SideId side, const SeeOrder& see);
void legal_naval(const Situation& now, SideId side, const SeeOrder& see);
Beachhead beachhead_at_start(const Fortnight& first);  // of a scenario [15.51]
bool ask_beachhead(Draft& draft);  // Soviet Supply phase: asks where to deploy it [15.51]
void link_up(Draft& draft);        // start of the active side's Supply phase [14.6]

}  // namespace wardiary::eastfront

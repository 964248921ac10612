// Race to the Reichstag: what changes. Attributes of units, hexes and hexsides, tracks, phases and
// decisions; and Situation, a position read as this game.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "domain/draft.h"
#include "domain/position.h"
#include "domain/rule_system.h"
#include "domain/systems/reichstag/data.h"

namespace wardiary::reichstag {

namespace u {  // of units
enum Attribute : int {
  kSide = Roster::kSideAttribute,
  kPile,         // where it is while not on the map: enum class Pile
  kFaceUp,       // static units: face up for good [16.9]
  kMove,         // phase: enum class Moved
  kMpLeft,       // phase: of the unit being moved
  kForced,       // phase: force-marches [6.5]
  kDisengaged,   // phase: began in an enemy zone, may enter none again [11.5]
  kRecon,        // turn: hexes a reconnaissance unit has looked at [17.3]
  kServed,       // phase: engineer whose hexside was crossed [19.2]
  kObliged,      // combat phase: must attack or be attacked [12.4]
  kAttacked,     // combat phase: has attacked [12.3]
  kDefended,     // combat phase: was attacked [12.3]
  kShifted,      // combat phase: retreated or advanced, so its engineers do not serve [19.3]
  kRole,         // open combat: enum class Role
  kRetreatLeft,  // open combat: hexes still to retreat
  kRetreatFrom,  // open combat: where its retreat began [13.3 (6)]
  kAdvanced,     // open combat: hexes advanced so far
  kLost,         // open combat: hex where a strategic marker fell and may be captured
  kUsed,         // turn: bombardment marker placed [6.6]
  kFresh,        // marker just placed: air reconnaissance is still possible [17.4]
  kDue,          // first turn in which it may come (back) onto the map [7.1, 13.3 (5)]
  kExitEdge,     // edge by which it left the map, a bit of edge:
  kKnown1BF,     // a face-down unit that player 1BF has looked at
  kKnown1UF,
  kCount
};
}  // namespace u

namespace h {  // of hexes
enum Attribute : int {
  kControl,  // Front that controls an objective [21.2]; none: the Germans
  kBattle,   // open combat: enum class Role of the force that stood here
  kCount
};
}  // namespace h

namespace l {  // of hexsides
enum Attribute : int {
  kBridge,  // enum class Bridge, where one is printed [18]
  kCount
};
}  // namespace l

namespace t {  // tracks; those of the two Fronts stand in pairs
enum Track : int {
  kSp1BF,
  kSp1UF,  // Stavka points spent [6.1]
  kFatigued1BF,
  kFatigued1UF,  // [20]
  kMaxUsed1BF,
  kMaxUsed1UF,  // maximum effort declared in this game [6.7]
  kMaxNow,      // in this player turn
  kArrived1BF,
  kArrived1UF,    // relief group in this sector has arrived [22.1]
  kStaticRolled,  // phase: static reinforcement rolled [7.3]
  kGermanMp,      // phase: movement points of every German mobile unit, -1 not rolled [9.3]
  kPool,          // static units left in the pool
  kHeld1BF,
  kHeld1UF,         // snipers kept off the map by this player [16.5]
  kBunkerCaptured,  // [26.1]
  kCombatStep,      // open combat: how far it is, 0 none open
  kCombatTable,     // enum class Crt
  kCombatResult,    // enum class CombatResult
  kPanic,           // its panic die
  kCommands1BF,
  kCommands1UF,  // set-up: this player has confirmed his Front [3.1]
  kCount
};
}  // namespace t

// Of kDue: may come but need not; a position written by hand did not mention it.
inline constexpr int kNotBound = -1;

enum class Pile : std::int16_t {
  kAside,
  kMap,
  kPool,
  kHand1BF,
  kHand1UF,
  kHeld1BF,
  kHeld1UF,
  kDead,
  kKilled1BF,
  kKilled1UF,
  kCaptured1BF,
  kCaptured1UF,
  kRemoved,
  kEscaped,
  kReturning
};
constexpr Pile of_front(Pile of_1bf, SideId front) {  // that of 1UF follows
  return static_cast<Pile>(static_cast<int>(of_1bf) + (front == k1UF ? 1 : 0));
}
enum class Moved : std::int16_t { kNo, kMoving, kDone };
enum class Role : std::int16_t { kNone, kAttacker, kDefender };
enum class Bridge : std::int16_t { kUnchecked, kIntact, kDemolished };

// ---------------------------------------------------------------------------- time [3.2, 4.3]

enum class Phase : std::uint8_t {
  kS0,
  kS2b,
  kS4,
  kS5,
  kS6,
  kS7,
  kS8,
  kS9,
  kS9b,
  kS9c,
  kS10,
  kS11,
  kI0,                     // I.0 to II.D, the stages of the 1BF sector
  kIII0 = kI0 + 13,        // III.0 to IV.D, those of the 1UF sector
  kInterphase = kI0 + 26,  // V
};
// What is done in each of the thirteen states of a sector's two player turns.
enum class Stage : std::uint8_t {
  kStart,
  kReinforcement,
  kBombardment,
  kMovement,
  kCombat,
  kCombat1,
  kCombat2,
  kFatigue,
  kGermanStart,
  kGermanReinforcement,
  kGermanMovement,
  kGermanCombat,
  kGermanEnd,
  kNone  // set-up or interphase
};
constexpr Phase phase_of(SideId front, Stage stage) {
  return static_cast<Phase>(static_cast<int>(front == k1BF ? Phase::kI0 : Phase::kIII0) +
                            static_cast<int>(stage));
}

// What a player is asked (Question::kind).
enum class Ask : std::uint8_t {
  kNothing,
  kCommands,
  kSetup,
  kTurnStart,
  kReinforce,
  kBombard,
  kMove,
  kAttack,
  kFatigue,
  kArrival,
  kGermanReinforce,
  kGermanMove,
  kLosses,
  kRetreat,
  kAdvance,  // number: hexes it may go
};

void declare_attributes(Roster& roster);

constexpr TrackId track(t::Track id) {
  return TrackId{static_cast<int>(id)};
}
constexpr t::Track of_front(t::Track of_1bf, SideId front) {
  return static_cast<t::Track>(static_cast<int>(of_1bf) + (front == k1UF ? 1 : 0));
}

// ---------------------------------------------------------------------------- reading

// A position read as this game. Holds references: of a Draft it always shows the present state.
class Situation {
 public:
  Situation(const Game& of_game, const Position& position)
      : game(of_game), pos(position), data(data_of(of_game)) {}
  explicit Situation(const Draft& draft) : Situation(draft.game(), draft.position()) {}

  const Game& game;
  const Position& pos;
  const ReichstagData& data;

  const Board& board() const { return *data.board; }
  int track(t::Track id) const { return pos.get(reichstag::track(id)); }
  bool is(t::Track flag) const { return track(flag) != 0; }
  int turn() const { return pos.clock.turn; }

  // --- time
  Phase phase() const { return static_cast<Phase>(pos.clock.phase); }
  Stage stage() const;
  SideId front() const;   // whose sector's turns these are; none in set-up
  SideId player() const;  // who acts in this stage
  bool german_stage() const { return stage() >= Stage::kGermanStart && stage() < Stage::kNone; }
  bool combat_stage() const;
  Ask asked(SideId side) const { return static_cast<Ask>(pos.pending(side).kind); }
  bool combat_open() const { return is(t::kCombatStep); }

  // --- units
  const UnitFacts& facts(UnitId unit) const { return data.unit(unit); }
  SpaceId at(UnitId unit) const { return pos.at(unit); }
  bool on_map(UnitId unit) const { return pos.on_board(unit); }
  int get(UnitId unit, u::Attribute attribute) const { return pos.get(unit, attribute); }
  bool is(UnitId unit, u::Attribute flag) const { return pos.get(unit, flag) != 0; }
  Pile pile(UnitId unit) const { return static_cast<Pile>(pos.get(unit, u::kPile)); }
  Role role(UnitId unit) const { return static_cast<Role>(pos.get(unit, u::kRole)); }
  Moved moved(UnitId unit) const { return static_cast<Moved>(pos.get(unit, u::kMove)); }
  const std::string& name(UnitId unit) const { return game.roster().units[unit.index()].name; }
  std::vector<UnitId> all_units() const;
  // Who moves it: the Front, or the player who faces the Front of the sector it stands in; nobody
  // the garrison of the Reichstag [1.1, 16.10].
  SideId controller(UnitId unit) const;
  // Units (no markers) in a hex, in roster order.
  std::vector<UnitId> units_in(SpaceId hex) const;

  // --- hexes
  const HexFacts& hex(SpaceId id) const { return data.hex(id); }
  std::string name(SpaceId id) const;
  SideId control(SpaceId id) const { return SideId{pos.get(id, h::kControl)}; }
  bool is_reichstag(SpaceId id) const { return id == data.reichstag; }
  // For Soviet purposes: its own sector, or the Reichstag [5.2, 5.5].
  bool in_sector(SpaceId id, SideId front) const;
  bool in_german_sector(SpaceId id, SideId front) const;  // the Reichstag is in none [7.4]
  bool other_front_in_reichstag(SideId front) const;      // units or markers [5.5]
  bool has_bridge(LinkId link) const;                     // printed and not demolished [18.5]
  bool zone_kept_from_soviets(SpaceId id) const;          // [11.2 (2), 23.2]

  // --- bombardment [15]
  // By hex: whether it lies in a bombardment zone of this Front.
  std::vector<bool> bombarded(SideId front) const;
};

// A Soviet set-up area: on the named edge or next to a hex of it, in the Front's sector [3.11].
bool in_setup_area(const ReichstagData& data, SpaceId hex, Group group);

Refused refuse(std::string code, std::string rule, std::string text);

}  // namespace wardiary::reichstag

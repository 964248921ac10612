// EastFront: what changes. The attributes, tracks, phases and decisions a game's roster declares,
// and Situation, which reads a position in the language of the rules. Everything a rule must
// remember between two orders is one of these values.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "domain/draft.h"
#include "domain/position.h"
#include "domain/roster.h"
#include "domain/systems/eastfront/data.h"

namespace wardiary::eastfront {

// ---------------------------------------------------------------------------- attributes

// Of units. Flags are 0 or 1; "phase" values are cleared when a movement phase begins, "turn"
// values when a player turn begins, "month" values when Production begins.
namespace u {
enum Attribute : int {
  kSide = Roster::kSideAttribute,
  kCv,         // combat value, command value of an HQ; meaningless off the board
  kFate,       // why a unit is off the board: enum class Fate
  kSupplied,   // stored supply status [10.2]
  kShown,      // lies face up: the enemy sees type and CV [7.12, 7.14]
  kMove,       // phase: how it moved, enum class Move
  kStrategic,  // turn: moved by rail or sea, so no Blitz move [6.53]
  kCameFrom,   // phase: the space it came from into the battle it entered; else none [7.51]
  kEntry,      // phase: over what it entered its battle, enum class Entry [7.5]
  kRearGuard,  // phase: waits as rear guard, will leave along kWay1.. [6.41]
  kWay1,
  kWay2,
  kWay3,
  kPartial,       // partial hits carried in the current battle round or pursuit [7.34]
  kFired,         // has fired in the current fire step
  kRepulsed,      // chosen for repulse in the current defensive fire [7.51]
  kRole,          // HQ: enum class Role
  kBlitz,         // HQ: Blitz marker on [5.7]
  kSpent,         // turn: HQ that was deactivated this turn [5.43]
  kStrikeAt,      // HQ: the battle its air strike is assigned to [13.13]
  kStrikeDice,    // HQ: value of its strike marker [13.13]
  kInvades,       // HQ: hex marked for the second invasion of a Blitz Invasion HQ [15.41]
  kCommandUsed,   // phase: Para or Invasion HQ has given its one order [14.2, 15.41]
  kStepped,       // month: got a replacement step [11.41]
  kNew,           // month: arrived this Production [11.41]
  kGone,          // month: disbanded this Production [11.52]; kCameFrom tells where
  kRebuilt,       // was eliminated and rebuilt (siege guns lost, satellites restricted for good)
  kDispersed,     // para that has not linked up [14.6]
  kRestricted,    // satellite bound to its home area [2.66, 16.4]
  kOffMapAt,      // west-edge hex it stands opposite to, off the map [16.7]
  kFortressUnit,  // chosen as the largest unit of a fortress where several are equal [10.5, A-16]
  kSurplus,       // chosen as surplus of an overstacked hex: counts as unsupplied [6.22]
  kSetCv,         // set-up: CV chosen in SelectForces; 0 not chosen (HQ: CV + 1)
  kCount
};
}  // namespace u

namespace h {  // of spaces (hexes)
enum Attribute : int {
  kControl,    // enum class Control, frozen per phase [8.1]
  kHeld,       // side that controlled it last: the memory of 8.34
  kDefender,   // Original Defender of the battle here, none if there is no battle [7.12]
  kNewBattle,  // phase: battle created in this movement phase: combat compulsory [7.15]
  kActive,     // combat phase: chosen as Active Battle [7.14]
  kResolved,   // combat phase: round fought
  kSupported,  // combat phase: an HQ supports the active side here, fixed on activation [7.4, A-26]
  kArrivals,   // month: units that arrived here this Production [11.6]
  kPortUsed,   // turn: units that entered or left this port by sea [15.21]
  kInvaders,   // phase: sea-invading units that entered here [15.42]
  kCount
};
}  // namespace h

namespace l {  // of links (hexsides)
enum Attribute : int {
  kCrossed,  // phase: entries into and exits from battle hexes over this hexside [6.33]
  kCount
};
}  // namespace l

namespace t {  // tracks
enum Track : int {
  kEastWeather,
  kWestWeather,  // enum class Weather
  kPeriod,       // index of the governing scenario sheet
  kPlayerTurn,   // 1 or 2 within the fortnight
  kAxisLevel,
  kSovietLevel,  // production level [11.2]
  kAxisPoints,
  kSovietPoints,  // PP left this Production
  kAxisCommitted,
  kSovietCommitted,  // Production committed
  kSSStep,           // SS step used this month [2.65]
  kSupremeLeft,      // supreme moves left in this movement phase [5.61]
  kBattle,           // space of the battle being fought, -1 none
  kBattleStep,       // enum class BattleStep
  kHits,             // hits of this step not yet allocated
  kRepulses,         // repulses of this step not yet allocated
  kRepulseOn,        // dice up to this number repulse in this round, 0 none
  kStage,            // how far an automatic phase has got (supply, production)
  kPasses,           // set-up: 0 first side, 1 second side, 2 done
  kRomania,
  kHungary,
  kBulgaria,  // enum class Allegiance [16.1]
  kOdessaFell,
  kSevastopolFell,  // satellites released by them [16.4]
  kItalianDue,      // Italian 8 may arrive [16.4]
  kArmyGroupE,      // 0 dormant, 1 triggered [16.5]
  kBeachhead,
  kBeachheadAt,  // enum class Beachhead, and where it is deployed [15.5]
  kLendLeaseCut,
  kSeaOilCut,     // base penalties in force [16.3, 16.61]
  kBreakthrough,  // turn in which the Soviets broke through [16.8], 0 none
  kPlainHexes,    // [16.7] bit per west-edge plain hex answered this phase
  kCount
};
}  // namespace t

enum class Fate : std::int16_t {
  kOnMap,
  kEliminated,
  kScheduled,
  kByEvent,
  kPool,
  kRemoved,
  kOffMap
};
enum class Move : std::int16_t { kNone, kLand, kRail, kSea, kDropped, kMobilised };
enum class Entry : std::int16_t { kNone, kLand, kRiver, kAir, kSea };
enum class Role : std::int16_t { kInactive, kNormal, kPara, kInvasion };
enum class Control : std::int16_t { kNone, kAxisHeld, kSovietHeld, kDisputed };
enum class BattleStep : std::int16_t {
  kNone,
  kAir,
  kDefence,
  kRepulse,
  kOffence,  // of a battle round [7.22]
};
enum class Allegiance : std::int16_t { kAlly, kSurrendered, kConquered };
enum class Beachhead : std::int16_t { kEliminated, kPrep, kReady, kDeployed };

enum class Phase : std::uint8_t {
  kSetup,
  kProduction,
  kWeather,
  kCommand,
  kMovement,
  kCombat,
  kBlitzMovement,
  kBlitzCombat,
  kSupply,
  kEnd
};

// What a side is asked (Question::kind).
enum class Ask : std::uint8_t {
  kNothing,
  kSelectForces,  // SelectForces
  kPlaceSetup,    // PlaceSetup, FinishSetup
  kProduction,    // AddStep ... CommitProduction
  kCommand,       // ActivateHQ, EndCommand
  kMovement,      // MoveUnit ... EndMovement (also in Blitz Movement)
  kBattles,       // AssignAirStrike, ActivateBattle, EndBattleSelection
  kResolve,       // ResolveBattle, EndCombat
  kFire,          // Fire; question.space is the battle
  kLoss,          // AllocateLoss; space is the battle
  kRepulse,       // AllocateRepulse; space is the battle
  kFortressUnit,  // ChooseFortressSupplied; space is the fortress
  kOverstack,     // ChooseOverstackVictims; space, number = how many
  kSurrender,     // RollSurrender, Pass
  kDefector,      // ChooseDefector; number = Country
  kBeachhead,     // DeployBeachhead, Pass
  kOffMapUnit,    // ChooseOffMapUnit; space is the edge hex
};

// Fills everything of the roster but spaces, links, units and turns.
void declare_attributes(Roster& roster);

constexpr TrackId track(t::Track id) {
  return TrackId{static_cast<int>(id)};
}
constexpr t::Track of_side(t::Track axis_track, SideId side) {  // the Soviet one follows
  return static_cast<t::Track>(static_cast<int>(axis_track) + (side == kSoviet ? 1 : 0));
}

// ---------------------------------------------------------------------------- reading

// Who stands where, by hex: units in roster order and how many of each side.
struct Places {
  std::vector<UnitId> units;
  std::vector<std::uint32_t> first;  // by space, and one more
  std::vector<std::array<std::uint8_t, 2>> count;

  explicit Places(const Position& position);
  std::span<const UnitId> in(SpaceId space) const {
    return {units.data() + first[space.index()], units.data() + first[space.index() + 1]};
  }
};

// A position read as EastFront. Holds references: of a Draft it always shows the present state.
class Situation {
 public:
  Situation(const Game& of_game, const Position& position)
      : game(of_game), pos(position), data(data_of(of_game)) {}
  explicit Situation(const Draft& draft) : Situation(draft.game(), draft.position()) {}
  // For a position that stays as it is while it is looked at: notes who stands where, so that
  // questions about hexes need not ask every unit.
  struct AtRest {};
  Situation(const Game& of_game, const Position& position, AtRest) : Situation(of_game, position) {
    places_ = std::make_shared<const Places>(position);
  }

  const Game& game;
  const Position& pos;
  const EastFrontData& data;

  const Board& board() const { return *data.board; }
  int track(t::Track id) const { return pos.get(eastfront::track(id)); }
  Phase phase() const { return static_cast<Phase>(pos.clock.phase); }
  SideId active() const { return pos.clock.active(); }
  Ask asked(SideId side) const { return static_cast<Ask>(pos.pending(side).kind); }
  // The fortnight being played (or the first, before the start).
  const Fortnight& fortnight() const;
  const Period& period() const;

  // --- units
  const UnitFacts& facts(UnitId unit) const { return data.unit(unit); }
  SpaceId at(UnitId unit) const { return pos.at(unit); }
  SideId side(UnitId unit) const { return pos.side(unit); }
  int get(UnitId unit, u::Attribute attribute) const { return pos.get(unit, attribute); }
  bool is(UnitId unit, u::Attribute flag) const { return pos.get(unit, flag) != 0; }
  int cv(UnitId unit) const { return pos.get(unit, u::kCv); }
  int lowest(UnitId unit) const { return facts_of(facts(unit).type).lowest; }
  Fate fate(UnitId unit) const { return static_cast<Fate>(pos.get(unit, u::kFate)); }
  Role role(UnitId unit) const { return static_cast<Role>(pos.get(unit, u::kRole)); }
  Move moved(UnitId unit) const { return static_cast<Move>(pos.get(unit, u::kMove)); }
  Entry entry(UnitId unit) const { return static_cast<Entry>(pos.get(unit, u::kEntry)); }
  const std::string& name(UnitId unit) const { return game.roster().units[unit.index()].name; }
  // Units of a side on the board, in roster order.
  std::vector<UnitId> units_of(SideId side) const;
  std::vector<UnitId> units_in(SpaceId space, SideId side) const;
  int count_in(SpaceId space, SideId side) const;
  bool any_in(SpaceId space, SideId side) const {
    return places_ ? places_->count[space.index()][side.index()] != 0
                   : pos.any_unit_in(space, side);
  }
  bool engaged(UnitId unit) const { return is_battle(at(unit)); }

  // --- hexes
  const std::string& name(SpaceId space) const;  // town if it has one, else id
  int get(SpaceId space, h::Attribute attribute) const { return pos.get(space, attribute); }
  Control control(SpaceId space) const { return static_cast<Control>(pos.get(space, h::kControl)); }
  bool friendly(SpaceId space, SideId side) const;                                     // [8.31]
  bool disputed(SpaceId space) const { return control(space) == Control::kDisputed; }  // [8.33]
  bool enemy_held(SpaceId space, SideId side) const { return friendly(space, enemy_of(side)); }
  // Units of both sides are here; in a Production, when it began.
  bool is_battle(SpaceId space) const;
  // What is disbanded in a Production shows when both sides have committed: until then a battle
  // that stood at its beginning stands [11.52, sb 11].
  bool battle_in_secret_doubt(SpaceId space) const {
    return phase() == Phase::kProduction && defender(space).ok();
  }
  SideId defender(SpaceId space) const { return SideId{pos.get(space, h::kDefender)}; }
  std::vector<SpaceId> battles() const;

  // --- weather, terrain and what they do
  Weather weather(SpaceId space) const;  // East or West Front [12.3]
  Weather east_weather() const { return static_cast<Weather>(track(t::kEastWeather)); }
  Terrain terrain(SpaceId space) const;                   // as the weather makes it [12.24]
  int stacking_limit(SpaceId space) const;                // [6.2, sb 12]
  int engagement_limit(LinkId link, SpaceId into) const;  // [6.33, 12.24]
  bool must_stop(UnitId unit, SpaceId space) const;       // [1.34, 1.35]
  int speed(UnitId unit) const;                           // by land, in the weather where it is
  bool major_city(SpaceId space) const { return data.hex(space).city == CityClass::kMajor; }

  // --- command
  bool disorganised(UnitId hq) const;  // [5.8]
  int effective_cmd(UnitId hq) const;  // -1: has no command at all

 private:
  std::shared_ptr<const Places> places_;
};

}  // namespace wardiary::eastfront

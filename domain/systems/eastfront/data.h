// EastFront: what is printed. Terrain of hexes and hexsides, unit types, the roster, the calendar
// and the scenario sheets, worked out once per game from the stored board and scenario. Nothing in
// here changes while a game is played; what changes is in state.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/base/result.h"
#include "domain/board.h"
#include "domain/game.h"
#include "domain/ids.h"

namespace wardiary::eastfront {

inline constexpr SideId kAxis{0};
inline constexpr SideId kSoviet{1};
constexpr SideId enemy_of(SideId side) {
  return side == kAxis ? kSoviet : kAxis;
}

enum class Weather : std::uint8_t { kDry, kMud, kSnow };

// ---------------------------------------------------------------------------- the map [1]

enum class Terrain : std::uint8_t { kClear, kForest, kHill, kSwamp, kMountain, kSea, kLake };
enum class Border : std::uint8_t { kClear, kRiver, kStrait, kAlpine, kLake, kSea, kSivash };
enum class CityClass : std::uint8_t { kNone, kTown, kMinor, kMajor };
enum class PortClass : std::uint8_t { kNone, kMinor, kMajor };
enum class Country : std::uint8_t {
  kNone,
  kGermany,
  kUssr,
  kRomania,
  kHungary,
  kBulgaria,
  kYugoslavia,
  kAlbania,
  kGreece,
  kOther
};

struct HexFacts {
  Terrain terrain = Terrain::kClear;
  bool playable = true;
  CityClass city = CityClass::kNone;
  std::int8_t city_value = 0;
  std::int8_t resource_value = 0;  // printed value; counts double for the Axis [1.5, 11.33]
  bool oil = false;
  bool victory_city = false;  // [1.41]
  bool fortress = false;      // [1.46]
  bool coastal = false;
  bool shoal = false;  // no sea invasion [1.37]
  PortClass port = PortClass::kNone;
  bool naval_base = false;
  std::uint16_t seas = 0;  // bit per sea area it borders (coastal) or belongs to (sea hex)
  std::uint16_t port_seas = 0;
  Country country = Country::kNone;
  bool west_front = false;  // [1.7]
  bool rail_entry = false;
  SideId supply_source;  // whose supply source this hex is [9.12]
  bool west_edge = false;
  bool east_edge = false;
};

struct LinkFacts {
  Border border = Border::kClear;
  Terrain terrain = Terrain::kClear;  // of the hexside
  std::int8_t limit = 2;              // engagement limit in Dry weather [6.33]; 0 impassable
  bool rail = false;
  bool river = false;  // river or strait

  bool passable() const {  // by land [1.35-1.39, 1.6]
    return border == Border::kClear || border == Border::kRiver || border == Border::kStrait;
  }
};

struct SeaArea {
  std::string id;
  std::string name;
  SpaceId base;
  std::vector<SpaceId> ports;   // base included
  std::vector<int> adjacent;    // indexes of sea areas
  std::vector<SpaceId> strait;  // land hexes of its strait, empty if none
  bool axis_may_use = true;     // not the Caspian [sb 15]
};

// ---------------------------------------------------------------------------- units [2]

// The value of the lowest die that hits [7.32].
enum class Firepower : std::uint8_t { kNone = 0, kSingle = 6, kDouble = 5, kTriple = 4 };
constexpr Firepower better(Firepower a, Firepower b) {
  if (a == Firepower::kNone) return b;
  if (b == Firepower::kNone) return a;
  return a < b ? a : b;
}

enum class UnitType : std::uint8_t {
  kArmor,
  kSSArmor,
  kMech,
  kSSMech,
  kInfantry,
  kCavalry,
  kShock,
  kPara,
  kMountain,
  kCoastal,
  kStatic,
  kHQ,
  kSHQ
};
inline constexpr int kUnitTypes = 13;

struct UnitTypeFacts {
  std::string_view name;
  std::array<std::int8_t, 3> speed;  // Dry, Mud, Snow
  Firepower offence;
  Firepower defence;
  std::array<std::int8_t, 2> step_cost;  // Axis, Soviet; 0 = side has none
  std::array<std::int8_t, 2> cadre_cost;
  std::int8_t lowest;  // lowest step a unit lives at [2.4, 2.67, 5.1]
};
const UnitTypeFacts& facts_of(UnitType type);  // [TBL]
bool unit_type_from(std::string_view name, UnitType& type);

struct UnitFacts {
  UnitType type = UnitType::kInfantry;
  Country nation = Country::kGermany;  // kOther: Italian
  std::int8_t max_cv = 4;
  bool guards = false;
  bool expeditionary = false;    // [2.66]
  bool freed_by_odessa = false;  // the Romanian 3rd Army; the others by Sevastopol [16.4]
  bool siege = false;            // the siege-gun corps [2.63]
  bool army_group_e = false;     // [16.5]
  bool italian = false;          // Italian 8: by event, never rebuilt [16.4]

  bool satellite() const {
    return nation == Country::kRomania || nation == Country::kHungary ||
           nation == Country::kBulgaria || nation == Country::kOther;
  }
  bool hq() const { return type == UnitType::kHQ || type == UnitType::kSHQ; }
  bool supreme() const { return type == UnitType::kSHQ; }
  bool ss() const { return type == UnitType::kSSArmor || type == UnitType::kSSMech; }
};

// ---------------------------------------------------------------------------- time and scenarios

// One fortnight of the calendar; turn t of the clock is fortnights[t-1].
struct Fortnight {
  std::int16_t year = 1941;
  std::int8_t month = 6;    // 1..12
  std::int8_t half = 1;     // I or II
  bool production = false;  // a Production phase comes before it [4.2]
  bool skip_axis = false;   // [S44] the Axis turn is omitted
  bool stand_fast = false;  // [S44] ... or played without activating an HQ
  std::int8_t period = 0;   // index into EastFrontData::periods
};

// A scenario sheet as it governs play; linked scenarios follow one another [3.1].
struct Period {
  std::string id;  // "S41"
  std::string title;
  std::array<int, 2> base{};           // base production [11.31]
  std::array<int, 2> start_level{};    // printed start level
  std::array<int, 2> link_change{};    // bracketed change when linking [3.1.2]
  std::array<Firepower, 2> air{};      // [13]
  int axis_handicap = 0;               // [17.2]
  bool june_surprise = false;          // [S41 3]
  bool winter_paralysis = false;       // [W41 1]
  bool exhaustion = false;             // [W41 2]
  bool siege_guns = false;             // from S42 [2.63]
  bool surrender_rolls = false;        // from W42 [16.1]
  bool satellites_release = false;     // Odessa and Sevastopol free satellites [16.4]
  bool satellites_restricted = false;  // for good, from S43 [S43 2]
  bool courland = false;               // [W44 1]
  bool w44_victory = false;            // [W44 5]
  bool no_victory = false;             // Edelweiss: no victory rule is printed
};

enum class Start : std::uint8_t {
  kOnMap,       // at `at` with `cv`
  kEliminated,  // rebuildable
  kScheduled,   // reinforcement of `year`/`month`
  kByEvent,     // Italian 8, Army Group E
  kPool,        // free set-up: chosen with SelectForces, or starts eliminated
  kRemoved,     // not in this game
};

struct UnitStart {
  Start how = Start::kPool;
  SpaceId at;                   // kOnMap; none: the owner places it (one of `places`)
  std::vector<SpaceId> places;  // where the owner may place it at set-up; empty: anywhere legal
  std::int8_t cv = 0;
  std::int16_t year = 0;  // kScheduled
  std::int8_t month = 0;
};

// A line of the force table: so many units of these types with so much CV in all [3.2.2].
struct ForceLine {
  SideId side;
  std::string name;  // "armor"
  int units = 0;
  int cv = 0;
  std::vector<UnitType> types;
  bool satellite = false;         // satellite units only; else none of them
  std::vector<UnitId> including;  // units that must be among them (SS, Army Group E in W44)
  int per_country = 0;            // at most so many of one country [W44 2]; 0 no limit

  bool covers(const UnitFacts& unit) const;
};

struct Garrison {  // [S41 1B, S42, W42, W43]
  SideId side;
  SpaceId at;
  int units = 1;
  int cv = 0;
  bool armor = false;  // at least one armor unit
  // Instead of `at`, anywhere in these hexes (Courland [W44 1]), these units among them.
  std::vector<SpaceId> region;
  std::vector<UnitId> including;
};

struct Rulings {  // options and rulings of the game, resolved once
  bool paratroops = false;
  bool naval = false;
  bool west_weather_always = false;
  bool historical = false;
  std::string link_to;    // last scenario played on into, empty: only the chosen one [3.1]
  bool campaign = false;  // a Decisive victory ends the war after any scenario [3.1.4]
  // The rulings of the digest, by their numbers; options.cpp says what each choice means.
  int surrender_dice = 1;
  bool strike_by_command = true;
  int w44_axis_level = 45;
  int edelweiss_mech_cv = 4;
  bool command_into_enemy_hex = true;
  bool hqs_pursue = false;
  bool pursuit_reveals = true;
  bool straits_freeze = true;
  bool mud_stops_invasions = true;
  bool hq_on_fortress_supply = true;
  bool fortress_air_needs_support = true;
  int off_map_rail_per_hex = 2;
  bool surcharges_add_up = false;
  bool base_may_be_negative = false;
  bool absent_italians_count = true;
  bool paras_leave_pool = true;
  bool stand_fast_skips_turn = true;
  bool support_fixed = true;
  bool deployment_uses_hexsides = false;
  int blitz_cmd_least = 1;
  bool fast_coastal = false;
  bool mud_beats_mountain_corps = true;
  bool axis_picks_defector = false;
  bool hidden_deaths_reveal = false;
  int static_snow_speed = 1;
  bool west_weather_sets_initiative = false;
  bool restricted_cost_points = true;
  bool rivers_block_command = false;
  bool off_map_units_are_lost = false;
  bool sally_needs_support = false;
  bool idle_garrisons_are_fed = true;
  bool blitz_combat_without_hq = true;
  bool ss_cadre_is_step = true;
  enum class Landing : std::uint8_t { kDigest, kInfantryOnly, kAllFoot };
  Landing landing = Landing::kDigest;
  bool rail_in_pockets = false;
  bool shq_may_invade = true;
};

// Romania, Hungary, Bulgaria as 0, 1, 2; -1 for any other country.
constexpr int satellite_index(Country country) {
  return country == Country::kRomania    ? 0
         : country == Country::kHungary  ? 1
         : country == Country::kBulgaria ? 2
                                         : -1;
}

// Which hexes lie next to which over links of one kind, in flat arrays: what rail and supply walk
// on all the time.
struct HexGraph {
  std::vector<SpaceId> to;
  std::vector<std::uint32_t> first;  // by space, and one more

  std::span<const SpaceId> from(SpaceId space) const {
    return {to.data() + first[space.index()], to.data() + first[space.index() + 1]};
  }
};

struct EastFrontData : SystemData {
  std::shared_ptr<const Board> board;
  std::vector<HexFacts> hexes;   // by space
  std::vector<LinkFacts> links;  // by link
  HexGraph rail;                 // rail hexsides
  HexGraph land;                 // hexsides passable by land
  std::vector<SeaArea> seas;
  std::vector<UnitFacts> units;   // by unit
  std::vector<UnitStart> starts;  // by unit
  std::vector<Fortnight> fortnights;
  std::vector<Period> periods;
  Rulings rulings;

  // --- set-up
  std::string start_line;                           // key of the board's startLines
  std::array<std::vector<SpaceId>, 2> own_side;     // by side, the hexes behind its start line
  std::array<std::vector<SpaceId>, 2> front;        // hexes that must be occupied
  std::vector<std::pair<SpaceId, SideId>> battles;  // battle hexes with their Original Defender
  std::vector<ForceLine> forces;
  std::vector<Garrison> garrisons;
  std::vector<UnitId> on_front;       // units that must stand on front hexes [S41 1B]
  std::vector<SpaceId> off_map_foes;  // edge hexes an Axis unit stands opposite to [W44 3]
  SideId sets_up_first;
  bool free_setup = false;

  // --- places the rules name
  std::vector<SpaceId> hungarian_plain, polish_plain;  // west-edge hexes [16.7, 16.8]
  std::vector<SpaceId> arctic_link;                    // end of the Lend-Lease line [16.3]
  std::array<std::vector<char>, 3> satellite_area;     // by satellite_index, then space [2.66]
  SpaceId leningrad, sevastopol, moscow, warsaw, ploesti, baku, odessa, guryev, astrakhan, danzig,
      ventspils;

  const HexFacts& hex(SpaceId space) const { return hexes[space.index()]; }
  const LinkFacts& link(LinkId link) const { return links[link.index()]; }
  const UnitFacts& unit(UnitId unit) const { return units[unit.index()]; }
};

inline const EastFrontData& data_of(const Game& game) {
  return static_cast<const EastFrontData&>(*game.data);
}

// --- loading; each names the field that is wrong
// Hexes, links, seas and named places from the board (board_data.cpp).
Status load_board(const Board& board, EastFrontData& data);
// Units, starts, calendar, periods, start lines from the stored scenario (scenario_data.cpp).
// data.rulings must be set (historical set-up, linking, paratroops decide what is read).
// `roster_units` gets the roster's entries in the same order as data.units.
Status load_scenario(std::string_view scenario_text, const Board& board, EastFrontData& data,
                     std::vector<RosterUnit>& roster_units);
// Rulings from the options of the game (options.cpp).
Rulings rulings_of(const Game& game);

}  // namespace wardiary::eastfront

// Race to the Reichstag: what is printed. Terrain of hexes and hexsides, the counters, the tables,
// the scenario sheets, worked out once per game from the stored board and scenario. Nothing in here
// changes while a game is played; what changes is in state.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "domain/base/result.h"
#include "domain/board.h"
#include "domain/game.h"
#include "domain/ids.h"

namespace wardiary::reichstag {

// The two Fronts are the two players; each also runs the Germans who face the other [1.1, 4.3].
// The Germans are a side of the board only: nobody sits there.
inline constexpr SideId k1BF{0};
inline constexpr SideId k1UF{1};
inline constexpr SideId kGerman{2};
inline constexpr SideId kFronts[] = {k1BF, k1UF};
constexpr SideId other_front(SideId front) {
  return front == k1BF ? k1UF : k1BF;
}

// ---------------------------------------------------------------------------- the map [2.1, 5]

enum class Sector : std::int8_t { kOf1BF, kOf1UF, kReichstag };

namespace edge {
inline constexpr std::uint8_t kNorth = 1, kEast = 2, kSouth = 4, kWest = 8;
}

struct HexFacts {
  Sector sector = Sector::kOf1BF;
  std::int8_t mp = 1;         // to enter off road and rail [9.9]
  std::int8_t defence = 1;    // multiple of the defender [12.17]
  bool assault_only = false;  // for Soviet attacks [12.21]
  bool objective = false;
  std::int16_t value = 0;  // of an objective [27.4]
  bool sbahn = false;
  bool road = false;
  bool airfield = false;
  bool star = false;  // yellow star: entry of some 1UF counters [2.3]
  bool west_of_havel = false;
  std::uint8_t edges = 0;
};

enum class Water : std::uint8_t { kNone, kRiver, kCanal, kLake };

struct LinkFacts {
  Water water = Water::kNone;
  bool bridge = false;
  bool route = false;     // road or rail: 1 MP [9.10]
  bool boundary = false;  // between the sectors of the two Fronts [5.2]
  bool closed = false;    // without a bridge [13.3 (2)]
  std::int8_t mp = 0;
  std::int8_t defence = 1;
  bool attack_across = true;
  bool zoc_across = true;
  bool blocks_loc = false;
};

// ---------------------------------------------------------------------------- counters [2.4-2.8]

enum class Kind : std::uint8_t { kSoviet, kMobile, kStatic, kArtillery, kAir, kMe262 };
enum class StaticKind : std::uint8_t {
  kNone,
  kInfantry,
  kCommandPost,
  kAirfield,
  kFlak,
  kSniper,
  kStrategic,
  kDepot
};
enum class Size : std::uint8_t { kBattalion, kRegiment, kBrigade, kDivision, kCorps };

// When a piece is set up, or what it waits for [3.2-3.14].
enum class Group : std::uint8_t {
  kNone,
  kOnMap,       // start is a hex [3.2]
  kPool,        // static units [3.3]
  kPreparedCp,  // scenario 23, S2b
  kGarrison,    // S6
  kSpree,       // S7
  k56Pz1UF,     // S8
  k56Pz1BF,     // S9
  k1BFNorth,    // S10
  k1BFSouth,    // S10
  k1UFSouth,    // S11
  kSteiner,     // [22.2, 23.1]
  k20Corps,     // [22.3, 23.1]
  kDated        // Soviet reinforcements [7.1]
};

struct UnitFacts {
  Kind kind = Kind::kMobile;
  StaticKind works_as = StaticKind::kNone;
  Size size = Size::kRegiment;
  std::int16_t cf = 0;
  bool defence_only = false;  // factor in parentheses [2.6]
  bool highly_mobile = false;
  bool recon = false;
  bool engineer = false;
  bool fuehrerbunker = false;
  SideId front;  // Soviet units and markers; controller of a Me 262
  std::uint8_t entry_edge = 0;
  bool by_star = false;  // enters by yellow stars only [2.3]
  int arrival = 0;       // turn of a dated reinforcement
  Group group = Group::kNone;
  SideId setup_by;    // of the prepared command posts: who places it
  SpaceId start;      // Group::kOnMap
  SpaceId suggested;  // a hex for a quick start
  bool is_marker() const { return kind >= Kind::kArtillery; }
  bool is_german() const { return kind == Kind::kMobile || kind == Kind::kStatic; }
  bool is_static() const { return kind == Kind::kStatic; }
  bool big() const { return size >= Size::kDivision; }  // corps or division [10.2, 20.2]
};

// ---------------------------------------------------------------------------- rulings and options

struct Rulings {
  bool loc = false;                     // rule 24
  bool highly_mobile = false;           // rule 25
  bool escape_west = false;             // rule 26
  int forced_march_cost = 1;
  bool recon_flips_reichstag = false;
  bool reveal_across_boundary = true;
  bool reichstag_voluntary = true;
  bool setup_snipers_in_reach = false;
  bool bridge_cuts_road = true;
  bool canals_block_loc = false;
  bool wide_engineers = false;
  bool attack_fresh_only = false;
  bool across_lakes = true;
  int recon_hexes = 1;
  bool sbahn_choice = false;
  bool keep_soviet_zones_free = false;
  bool may_stay_out = true;
  bool quick_setup = false;
};

struct Costs {
  int corps = 4, division = 2, smaller = 2;
  int artillery = 1, air = 2, max_effort = 10, fatigued = 2;
};

inline constexpr int kStavkaPoints = 100;
inline constexpr int kSovietMp = 6;
inline constexpr int kForcedMp = 3;
inline constexpr int kForcedMobileMp = 6;  // rule 25
inline constexpr int kFlakReach = 2;
inline constexpr int kSniperReach = 4;
inline constexpr int kReconReach = 2;
inline constexpr int kArtilleryReach = 1;
inline constexpr int kAirReach = 2;
inline constexpr int kGermanStack = 3;
inline constexpr int kSovietStack = 2;
inline constexpr int kMultipleMax = 3;  // [12.20]

struct ReichstagData : SystemData {
  std::shared_ptr<const Board> board;
  std::vector<HexFacts> hexes;
  std::vector<LinkFacts> links;
  std::vector<UnitFacts> units;  // scenario's units, then the markers
  std::vector<std::string> turns;
  std::vector<SpaceId> objectives;
  SpaceId reichstag;
  SpaceId potsdam;
  Rulings rulings;
  Costs costs;
  bool fantasy = false;   // scenario 22
  bool prepared = false;  // scenario 23
  int draw_reichstag = 3, draw_1bf = 15, draw_1uf = 25, draw_garrison = 4;
  std::vector<SpaceId> slots_1bf, slots_1uf, garrison_1bf, garrison_1uf;  // suggested

  const HexFacts& hex(SpaceId id) const { return hexes[id.index()]; }
  const LinkFacts& link(LinkId id) const { return links[id.index()]; }
  const UnitFacts& unit(UnitId id) const { return units[id.index()]; }
};

const ReichstagData& data_of(const Game& game);
Status load_board(const Board& board, ReichstagData& data);
// Also the roster's units: those of the scenario, then the markers it has.
Status load_scenario(const std::string& text, const Board& board, ReichstagData& data,
                     std::vector<RosterUnit>& units);
Rulings rulings_of(const Game& game);

// ---------------------------------------------------------------------------- tables [27.1, 27.2]

enum class Crt : std::uint8_t { kMobile, kAssault };
enum class CombatResult : std::uint8_t {
  kNone,
  kAA,
  kAD,
  kAP,
  kAR,
  kBB,
  kDA,
  kDD,
  kDE,
  kDP,
  kDR,
  kMD,
  kOR
};
inline constexpr int kColumns = 8;
std::string_view name_of(CombatResult result);
std::string_view name_of_column(int column);
int column_of(int attack, int defence);  // [12.22]; no defence: the last
CombatResult look_up(Crt crt, int column, int die);

}  // namespace wardiary::reichstag

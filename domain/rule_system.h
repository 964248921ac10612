// What a game has to say to be kept in the diary. One class per published rule system; everything
// else in the project knows games only through this interface.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "domain/chance.h"
#include "domain/draft.h"
#include "domain/game.h"
#include "domain/order.h"
#include "domain/position.h"

namespace wardiary {

// Why an order was refused. `code` is the digest's (section 4), `rule` the rulebook's number.
// `text` may name only what the ordering side may know.
struct Rejection {
  std::string code;
  std::string rule;
  std::string text;
};
using Refused = std::optional<Rejection>;  // nullopt: fine

// An option or ruling chosen at game creation.
struct OptionSpec {
  std::string name;                  // "paratroops", "A-02"
  std::vector<std::string> choices;  // first is the default; empty: a number from min to max
  std::string otherwise;             // the default
  int min = 0;
  int max = 0;
  std::string rule;
  std::string help;
};

// A file compiled into the program: boards, scenarios, tables.
struct DataFile {
  std::string_view name;  // "eastfront/board.json"
  std::string_view text;
};

struct ScenarioInfo {
  std::string id;
  std::string title;
  std::string board;  // name of its board
};

struct NewGameSpec {
  std::string scenario;
  std::map<std::string, std::string, std::less<>> options;
  // Instead of the system's own data (cases, house rules): a board and a scenario as JSON text.
  std::string board_text;
  std::string scenario_text;
};

// The supply of a unit: a word of the system ("supplied", "unsupplied"), the way, or why there is none.
struct UnitSupply {
  UnitId unit;
  std::string status;
  std::vector<SpaceId> path;
  std::string reason;
};

// The spaces a unit acts upon where it stands: under a headquarters' command, in a zone of control.
// `kind` is "command" or "zoc", or a system's own word.
struct UnitReach {
  UnitId unit;
  std::string kind;
  std::vector<SpaceId> spaces;
};

// How the value of a track comes about, one entry for each source: "production level 64" is 0 base,
// 6 Leningrad and so on. `space` is none where the source is no place.
struct TrackTerm {
  TrackId track;
  std::string source;
  SpaceId space;
  std::int32_t value = 0;
  std::string rule;
};

// A space that is fought over: whose it is while the fight lasts (none: nobody's), and what the rules
// say about it, in the system's words ("new", "compulsory", "supported").
struct Battle {
  SpaceId space;
  SideId holder;
  std::vector<std::string> words;
};

struct ScoreTerm {
  SideId side;
  std::string term;  // "production", "eliminated units"
  std::int32_t value = 0;
  std::string rule;
};

// Who looks: a side's seat, a spectator, or the referee (also everybody, once a game is over).
struct Viewer {
  enum class Kind : std::uint8_t { kSide, kSpectator, kReferee };
  Kind kind = Kind::kReferee;
  SideId side;
  static Viewer referee() { return {}; }
  static Viewer spectator() { return {Kind::kSpectator, {}}; }
  static Viewer of(SideId side) { return {Kind::kSide, side}; }
  bool operator==(const Viewer&) const = default;
};

enum class UnitSight : std::uint8_t {
  kNothing,  // not even that it is there
  kBlock,    // that a unit of its side stands there, not which
  kFull,
};

class RuleSystem {
 public:
  virtual ~RuleSystem() = default;

  // --- what it is
  virtual std::string_view name() const = 0;           // "eastfront"
  virtual std::string_view title() const = 0;          // "EastFront"
  virtual std::string_view rules_version() const = 0;  // changes whenever decide() may decide otherwise
  virtual std::span<const DataFile> data_files() const = 0;
  virtual std::span<const ScenarioInfo> scenarios() const = 0;
  virtual std::span<const OrderType> order_types() const = 0;
  virtual std::span<const OptionSpec> options() const = 0;

  // --- creating a game
  // Whether somebody sits at this side; not so for one whose units are run by the others.
  virtual bool is_played(SideId) const { return true; }
  // The names of everything, for a game that is being created; board and scenario are loaded already.
  virtual Result<Roster> roster(const Game& game) const = 0;
  // What set_up, decide and the questions below need again and again. Called whenever a game is
  // opened; must depend only on what is stored (game.created, board, scenario).
  virtual Result<std::shared_ptr<const SystemData>> prepare(const Game& game) const = 0;
  // Drafts the opening facts: units, control, tracks, first phase, first decision. No dice.
  virtual Status set_up(Draft& draft) const = 0;
  // Puts a position that was written by hand into the words of the roster: what its rulebook calls
  // otherwise ("cmd" of a headquarters) by the names of its attributes.
  virtual void translate_position(nlohmann::json& /*stated*/) const {}
  // Completes a position that was written by hand (docs/casebook.md) and drafted from `stated`: what
  // follows from the rest and was not stated, such as who must decide what in the phase it names.
  virtual void complete_position(Draft&, const nlohmann::json& /*stated*/) const {}

  // --- playing
  // Decides one order: drafts everything that follows from it, up to the next decision, or refuses
  // it having drafted nothing that matters (the draft is thrown away). Pure.
  virtual Refused decide(Draft& draft, const Order& order) const = 0;
  // Calls `see` with orders that `side` may give now, until it returns false. Complete, or for huge
  // choices a fair sample; never empty while the side has a decision pending.
  using SeeOrder = std::function<bool(const Order&)>;
  virtual void legal_orders(const Game& game, const Position& position, SideId side,
                            const SeeOrder& see) const = 0;
  // A sensible order for demo games and the greedy bot: an index into `orders`. `dice` picks among
  // equals: dice(n) is a number below n.
  virtual std::size_t prefer(const Game& game, const Position& position,
                             std::span<const Order> orders,
                             const std::function<std::uint32_t(std::uint32_t)>& dice) const = 0;

  // --- reading a position
  virtual std::vector<UnitSupply> supply(const Game& game, const Position& position) const = 0;
  virtual std::vector<ScoreTerm> score(const Game& game, const Position& position) const = 0;
  // What units on the board act upon, for the map's overlays; empty where the game knows no such thing.
  virtual std::vector<UnitReach> reach(const Game& /*game*/, const Position& /*position*/) const {
    return {};
  }
  // Where the values of tracks come from, as far as the game adds them up from sources.
  virtual std::vector<TrackTerm> track_terms(const Game& /*game*/,
                                             const Position& /*position*/) const {
    return {};
  }
  virtual std::vector<Battle> battles(const Game& /*game*/, const Position& /*position*/) const {
    return {};
  }
  // A unit's strength in steps, for charts and losses; 0 when off the board.
  virtual int strength(const Game& game, const Position& position, UnitId unit) const = 0;

  // --- sight
  virtual UnitSight sees_unit(const Game& game, const Position& position, const Viewer& viewer,
                              UnitId unit) const = 0;
  virtual bool sees_unit_value(const Game& game, const Position& position, const Viewer& viewer,
                               UnitId unit, int attribute) const = 0;
  // Where `viewer` must take the unit to be: not where it is, if it left in secret.
  virtual SpaceId seen_at(const Game& /*game*/, const Position& position, const Viewer& /*viewer*/,
                          UnitId unit) const {
    return position.at(unit);
  }
  virtual bool sees_space_value(const Game& /*game*/, const Position& /*position*/,
                                const Viewer& /*viewer*/, SpaceId /*space*/,
                                int /*attribute*/) const {
    return true;
  }
  virtual bool sees_track(const Game& game, const Position& position, const Viewer& viewer,
                          TrackId track) const = 0;
  virtual bool sees_score(const Game& game, const Position& position, const Viewer& viewer) const = 0;
  // May `viewer` see that this order was given? (Sealed production: no.)
  virtual bool sees_order(const Game& game, const Position& position, const Viewer& viewer,
                          const Order& order) const = 0;
};

// ---------------------------------------------------------------------------- the two doors in

// Creates a game: loads board and scenario, asks the system for the roster, drafts GameCreated and
// the set-up. The contents are what the store must keep beside the events.
struct CreatedGame {
  Game game;
  EventList events;
  Position position;
  std::vector<Content> contents;
};
struct CreationDetails {
  std::vector<SeatSpec> seats;  // empty: one seat per side that is played
  Keeping keeping = Keeping::kRefereed;
  Grade dice = Grade::kSolo;
  std::uint64_t recorded_at_ms = 0;
  std::string author;
  std::function<Id(std::size_t index)> salt;
};
Result<CreatedGame> create_game(const RuleSystem& system, const NewGameSpec& spec,
                                const CreationDetails& details);
// A game as it was created, from its first event and the contents the event names.
Result<Game> open_game(const fb::Event& created, std::span<const Content> contents);

struct Accepted {
  EventList events;
  Position position;
};
struct NeedsRoll {
  RollRequest request;
};
using Verdict = std::variant<Accepted, Rejection, NeedsRoll>;
// Decides an order on a position: pure in (game, position, order, what chance answers, envelope).
Verdict decide(const Game& game, const Position& position, const Order& order, Chance& chance,
               const Envelope& envelope = {});

// The rule systems compiled in, and the one with this name (null if there is none).
std::span<const RuleSystem* const> rule_systems();
const RuleSystem* rule_system(std::string_view name);

}  // namespace wardiary

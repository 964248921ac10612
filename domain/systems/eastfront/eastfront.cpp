#include "domain/systems/eastfront/eastfront.h"

#include "eastfront_data.h"

namespace wardiary {

namespace eastfront {
namespace {

constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::string turn_name(const Fortnight& turn) {
  return std::to_string(turn.year) + " " + kMonths[turn.month - 1] +
         (turn.half == 1 ? " I" : " II");
}

// Reads everything printed; the roster's units come with it.
Status load(const Game& game, EastFrontData& data, std::vector<RosterUnit>& units) {
  data.board = game.board;
  data.rulings = rulings_of(game);
  if (auto status = load_board(*game.board, data); !status) return status;
  return load_scenario(game.scenario_text, *game.board, data, units);
}

using Decide = Refused (*)(Draft&, const Order&);

// Which decision an order answers, and who decides it.
struct Handler {
  std::string_view order;
  std::initializer_list<Ask> asked;
  Decide decide;
};

Refused decide_fortress(Draft& draft, const Order& order) {
  const bool in_combat = Situation(draft).phase() != Phase::kSupply;
  return in_combat ? decide_fortress_gunner(draft, order) : decide_supply(draft, order);
}

const Handler* find_handler(std::string_view name) {
  static const Handler handlers[] = {
      {"SelectForces", {Ask::kSelectForces}, decide_select_forces},
      {"PlaceSetup", {Ask::kPlaceSetup}, decide_place_setup},
      {"FinishSetup", {Ask::kPlaceSetup}, decide_finish_setup},
      {"AddStep", {Ask::kProduction}, decide_production},
      {"BuildCadre", {Ask::kProduction}, decide_production},
      {"PlaceReinforcement", {Ask::kProduction, Ask::kPlaceSetup}, decide_production},
      {"BringEarly", {Ask::kProduction}, decide_production},
      {"Disband", {Ask::kProduction}, decide_production},
      {"PrepBeachhead", {Ask::kProduction}, decide_production},
      {"ReadyBeachhead", {Ask::kProduction}, decide_production},
      {"LiftBeachhead", {Ask::kProduction}, decide_production},
      {"CommitProduction", {Ask::kProduction}, decide_production},
      {"ActivateHQ", {Ask::kCommand}, decide_activate_hq},
      {"EndCommand", {Ask::kCommand}, decide_end_command},
      {"MoveUnit", {Ask::kMovement}, decide_move_unit},
      {"SupremeMove", {Ask::kMovement}, decide_supreme_move},
      {"RailMove", {Ask::kMovement}, decide_rail_move},
      {"SeaMove", {Ask::kMovement}, decide_naval},
      {"ParaDrop", {Ask::kMovement}, decide_para_drop},
      {"InvadeBySea", {Ask::kMovement}, decide_naval},
      {"EvacuateBySea", {Ask::kMovement}, decide_naval},
      {"DesignateRearGuard", {Ask::kMovement}, decide_rear_guard},
      {"MobiliseHQ", {Ask::kMovement}, decide_mobilise},
      {"EndMovement", {Ask::kMovement}, decide_end_movement},
      {"AssignAirStrike",
       {Ask::kBattles, Ask::kResolve, Ask::kFire, Ask::kLoss, Ask::kRepulse},
       decide_assign_air_strike},
      {"ActivateBattle", {Ask::kBattles}, decide_activate_battle},
      {"EndBattleSelection", {Ask::kBattles}, decide_end_battle_selection},
      {"ResolveBattle", {Ask::kResolve}, decide_resolve_battle},
      {"Fire", {Ask::kFire}, decide_fire},
      {"AllocateLoss", {Ask::kLoss}, decide_allocate_loss},
      {"AllocateRepulse", {Ask::kRepulse}, decide_allocate_repulse},
      {"EndCombat", {Ask::kResolve}, decide_end_combat},
      {"RollSurrender", {Ask::kSurrender}, decide_strategic},
      {"ChooseDefector", {Ask::kDefector}, decide_strategic},
      {"DeployBeachhead", {Ask::kBeachhead}, decide_strategic},
      {"ChooseFortressSupplied", {Ask::kFortressUnit}, decide_fortress},
      {"ChooseOverstackVictims", {Ask::kOverstack}, decide_supply},
      {"ChooseOffMapUnit", {Ask::kOffMapUnit}, decide_strategic},
      {"Pass",
       {Ask::kCommand, Ask::kMovement, Ask::kBattles, Ask::kResolve, Ask::kProduction,
        Ask::kSurrender, Ask::kBeachhead},
       decide_pass},
  };
  for (const Handler& handler : handlers) {
    if (handler.order == name) return &handler;
  }
  return nullptr;
}

}  // namespace

std::span<const DataFile> EastFront::data_files() const {
  return eastfront_data_files();
}

std::span<const ScenarioInfo> EastFront::scenarios() const {
  static const ScenarioInfo list[] = {
      {"Edelweiss", "Edelweiss: to the Caucasus, July 1942", "eastfront"},
      {"S41", "Barbarossa, June 1941", "eastfront"},
      {"W41", "Typhoon, December 1941", "eastfront"},
      {"S42", "Blue, June 1942", "eastfront"},
      {"W42", "Uranus, December 1942", "eastfront"},
      {"S43", "Citadel, July 1943", "eastfront"},
      {"W43", "Crisis in the Ukraine, December 1943", "eastfront"},
      {"S44", "Bagration, June 1944", "eastfront"},
      {"W44", "Drive on Berlin, December 1944", "eastfront"},
  };
  return list;
}

Result<Roster> EastFront::roster(const Game& game) const {
  EastFrontData data;
  Roster roster;
  if (auto status = load(game, data, roster.units); !status) return std::move(status).error();
  declare_attributes(roster);
  for (const Fortnight& turn : data.fortnights) roster.turns.push_back(turn_name(turn));
  return roster;
}

Result<std::shared_ptr<const SystemData>> EastFront::prepare(const Game& game) const {
  auto data = std::make_shared<EastFrontData>();
  std::vector<RosterUnit> units;
  if (auto status = load(game, *data, units); !status) return std::move(status).error();
  return std::shared_ptr<const SystemData>(std::move(data));
}

Status EastFront::set_up(Draft& draft) const {
  return place_initial_units(draft);
}

void EastFront::translate_position(nlohmann::json& stated) const {
  translate_written_position(stated);
}

void EastFront::complete_position(Draft& draft, const nlohmann::json& stated) const {
  complete_written_position(draft, stated);
}

Refused EastFront::decide(Draft& draft, const Order& order) const {
  const Handler* handler = find_handler(order.type().name);
  if (!handler) return refuse("UNKNOWN_ORDER", "4", "EastFront has no such order");
  const Ask asked = Situation(draft).asked(order.side);
  for (Ask fits : handler->asked) {
    if (fits == asked) return handler->decide(draft, order);
  }
  return refuse("WRONG_PHASE", "4", order.type().name + " is not what must be decided now");
}

void EastFront::legal_orders(const Game& game, const Position& position, SideId side,
                             const SeeOrder& see) const {
  const Situation now(game, position, Situation::AtRest{});
  switch (now.asked(side)) {
    case Ask::kNothing:
      return;
    case Ask::kSelectForces:
    case Ask::kPlaceSetup:
      return legal_setup(now, side, see);
    case Ask::kProduction:
      return legal_production(now, side, see);
    case Ask::kCommand:
      return legal_command(now, side, see);
    case Ask::kMovement:
      return legal_movement(now, side, see);
    case Ask::kFortressUnit:
      return now.phase() == Phase::kSupply ? legal_supply(now, side, see)
                                           : legal_combat(now, side, see);
    case Ask::kBattles:
    case Ask::kResolve:
    case Ask::kFire:
    case Ask::kLoss:
    case Ask::kRepulse:
      return legal_combat(now, side, see);
    case Ask::kOverstack:
      return legal_supply(now, side, see);
    case Ask::kSurrender:
    case Ask::kDefector:
    case Ask::kBeachhead:
    case Ask::kOffMapUnit:
      return legal_strategic(now, side, see);
  }
}

std::size_t EastFront::prefer(const Game& game, const Position& position,
                              std::span<const Order> orders,
                              const std::function<std::uint32_t(std::uint32_t)>& dice) const {
  const Situation now(game, position, Situation::AtRest{});
  const std::vector<std::size_t> best = best_orders(now, orders);
  if (best.size() < 2) return best.empty() ? 0 : best.front();
  return best[dice(static_cast<std::uint32_t>(best.size()))];
}

std::vector<UnitSupply> EastFront::supply(const Game& game, const Position& position) const {
  return supply_report(Situation(game, position, Situation::AtRest{}));
}

std::vector<ScoreTerm> EastFront::score(const Game& game, const Position& position) const {
  return victory_points(Situation(game, position));
}

std::vector<UnitReach> EastFront::reach(const Game& game, const Position& position) const {
  return command_report(Situation(game, position, Situation::AtRest{}));
}

std::vector<TrackTerm> EastFront::track_terms(const Game& game, const Position& position) const {
  const Situation now(game, position);
  std::vector<TrackTerm> terms;
  for (SideId side : {kAxis, kSoviet}) {
    for (LevelTerm& term : production_level(now, side)) {
      terms.push_back({track(of_side(t::kAxisLevel, side)), std::move(term.source), term.hex,
                       term.value, term.rule});
    }
  }
  return terms;
}

std::vector<Battle> EastFront::battles(const Game& game, const Position& position) const {
  return battle_report(Situation(game, position, Situation::AtRest{}));
}

int EastFront::strength(const Game&, const Position& position, UnitId unit) const {
  return position.on_board(unit) ? position.get(unit, u::kCv) : 0;
}

}  // namespace eastfront

const RuleSystem& eastfront_system() {
  static const eastfront::EastFront system;
  return system;
}

}  // namespace wardiary

#include "domain/systems/reichstag/reichstag.h"

#include "reichstag_data.h"

namespace wardiary {

namespace reichstag {
namespace {

// Reads everything printed; the roster's units come with it.
Status load(const Game& game, ReichstagData& data, std::vector<RosterUnit>& units) {
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

const Handler* find_handler(std::string_view name, Ask asked) {
  static const Handler handlers[] = {
      {"ChooseCommands", {Ask::kCommands}, decide_choose_commands},
      {"PlaceStatic", {Ask::kSetup}, decide_place_static},
      {"HoldSniper", {Ask::kSetup, Ask::kGermanReinforce}, decide_hold_sniper},
      {"PlaceGermanMobile", {Ask::kSetup}, decide_place_german},
      {"PlaceSovietUnit", {Ask::kSetup}, decide_place_soviet},
      {"EndSetupStep", {Ask::kSetup}, decide_end_setup_step},
      {"DeclareMaximumEffort", {Ask::kTurnStart}, decide_max_effort},
      {"Reconnoitre", {Ask::kTurnStart}, decide_reconnoitre},
      {"PlaceReinforcement", {Ask::kReinforce}, decide_place_reinforcement},
      {"ReplaceUnit", {Ask::kReinforce}, decide_replace},
      {"PlaceBombardment", {Ask::kBombard}, decide_place_bombardment},
      {"AirReconnaissance", {Ask::kBombard}, decide_air_recon},
      {"MoveUnit", {Ask::kMove, Ask::kGermanMove}, decide_move},
      {"RollFatigue", {Ask::kFatigue}, decide_fatigue},
      {"RollOptionalArrival", {Ask::kArrival}, decide_roll_arrival},
      {"PlaceReliefUnit", {Ask::kGermanReinforce}, decide_place_relief},
      {"RollStaticReinforcement", {Ask::kGermanReinforce}, decide_roll_static},
      {"PlaceStaticReinforcement", {Ask::kGermanReinforce}, decide_place_static_reinforcement},
      {"PlaceSniper", {Ask::kGermanReinforce}, decide_place_sniper},
      {"UseEmergencyAirfield", {Ask::kGermanReinforce}, decide_airfield},
      {"UseSupplyDepot", {Ask::kGermanReinforce}, decide_depot},
      {"RollGermanMovement", {Ask::kGermanMove}, decide_roll_german_movement},
      {"ExitWest", {Ask::kGermanMove}, decide_exit_west},
      {"ExitWest", {Ask::kRetreat}, decide_exit_in_retreat},
      {"PlaceMe262", {Ask::kAttack}, decide_me262},
      {"ChooseLosses", {Ask::kLosses}, decide_losses},
      {"DeclineRetreat", {Ask::kRetreat}, decide_decline_retreat},
      {"Retreat", {Ask::kRetreat}, decide_retreat},
      {"StopPanicInObjective", {Ask::kRetreat}, decide_stop_panic},
      {"Advance", {Ask::kAdvance}, decide_advance},
      {"EndAdvance", {Ask::kAdvance}, decide_end_advance},
  };
  for (const Handler& handler : handlers) {
    if (handler.order != name) continue;
    for (Ask fits : handler.asked) {
      if (fits == asked) return &handler;
    }
  }
  return nullptr;
}

}  // namespace

std::span<const DataFile> Reichstag::data_files() const {
  return reichstag_data_files();
}

std::span<const ScenarioInfo> Reichstag::scenarios() const {
  static const ScenarioInfo list[] = {
      {"base", "Race to the Reichstag, 23 April to 2 May 1945", "reichstag"},
      {"fantasy", "Hitler's fantasy [22]", "reichstag"},
      {"prepared", "Better prepared defence of Berlin [23]", "reichstag"},
      {"drill", "Drill ground: six turns on a small board", "drill"},
  };
  return list;
}

Result<Roster> Reichstag::roster(const Game& game) const {
  ReichstagData data;
  Roster roster;
  if (auto status = load(game, data, roster.units); !status) return std::move(status).error();
  declare_attributes(roster);
  roster.turns = data.turns;
  return roster;
}

Result<std::shared_ptr<const SystemData>> Reichstag::prepare(const Game& game) const {
  auto data = std::make_shared<ReichstagData>();
  std::vector<RosterUnit> units;
  if (auto status = load(game, *data, units); !status) return std::move(status).error();
  return std::shared_ptr<const SystemData>(std::move(data));
}

Status Reichstag::set_up(Draft& draft) const {
  return begin_setup(draft);
}

void Reichstag::complete_position(Draft& draft, const nlohmann::json& stated) const {
  complete_written_position(draft, stated);
}

Refused Reichstag::decide(Draft& draft, const Order& order) const {
  // These three come at any time; they say themselves when they do not fit.
  if (order.is("RevealStatic")) return decide_reveal(draft, order);
  if (order.is("EndPhase")) return decide_end_phase(draft, order);
  if (order.is("DeclareAttack")) return decide_attack(draft, order);
  const Situation now(draft);
  const Handler* handler = find_handler(order.type().name, now.asked(order.side));
  if (handler) return handler->decide(draft, order);
  if (order.is("MoveUnit") && now.is(t::kMaxNow) && order.side == now.front() &&
      now.stage() > Stage::kBombardment && !now.german_stage()) {
    return refuse("MAX_EFFORT_NO_MOVEMENT", "6.7", "there is no movement in a maximum effort");
  }
  return refuse("WRONG_PHASE", "4.3", order.type().name + " is not what must be decided now");
}

void Reichstag::legal_orders(const Game& game, const Position& position, SideId side,
                             const SeeOrder& see) const {
  const Situation now(game, position);
  if (position.over || side == kGerman) return;
  bool go_on = true;
  const SeeOrder watched = [&](const Order& order) { return go_on = see(order); };
  switch (now.asked(side)) {
    case Ask::kNothing:
      break;
    case Ask::kCommands:
    case Ask::kSetup:
      legal_setup(now, side, watched);
      break;
    case Ask::kTurnStart:
      legal_turn_start(now, side, watched);
      break;
    case Ask::kReinforce:
      legal_reinforcement(now, side, watched);
      break;
    case Ask::kBombard:
      legal_bombardment(now, side, watched);
      break;
    case Ask::kMove:
    case Ask::kGermanMove:
      legal_movement(now, side, watched);
      break;
    case Ask::kAttack:
      legal_attacks(now, side, watched);
      break;
    case Ask::kFatigue:
      watched(order("RollFatigue", side));
      break;
    case Ask::kArrival:
      watched(order("RollOptionalArrival", side));
      break;
    case Ask::kGermanReinforce:
      legal_german_reinforcement(now, side, watched);
      break;
    case Ask::kLosses:
      legal_losses(now, side, watched);
      break;
    case Ask::kRetreat:
      legal_retreats(now, side, watched);
      break;
    case Ask::kAdvance:
      legal_advances(now, side, watched);
      break;
  }
  if (go_on) legal_reveals(now, side, watched);
}

std::size_t Reichstag::prefer(const Game& game, const Position& position,
                              std::span<const Order> orders,
                              const std::function<std::uint32_t(std::uint32_t)>& dice) const {
  const std::vector<std::size_t> best = best_orders(Situation(game, position), orders);
  if (best.size() < 2) return best.empty() ? 0 : best.front();
  return best[dice(static_cast<std::uint32_t>(best.size()))];
}

std::vector<UnitSupply> Reichstag::supply(const Game& game, const Position& position) const {
  return comms_report(Situation(game, position));
}

std::vector<ScoreTerm> Reichstag::score(const Game& game, const Position& position) const {
  return victory_points(Situation(game, position));
}

// Zones of control, and the bombardment zones of markers.
std::vector<UnitReach> Reichstag::reach(const Game& game, const Position& position) const {
  const Situation now(game, position);
  std::vector<UnitReach> out;
  for (UnitId unit : now.all_units()) {
    if (!now.on_map(unit)) continue;
    const UnitFacts& facts = now.facts(unit);
    UnitReach reach{unit, facts.is_marker() ? "bombardment" : "zoc", {}};
    if (facts.is_marker()) {
      const int radius = facts.kind == Kind::kArtillery ? kArtilleryReach : kAirReach;
      const SideId sector = facts.kind == Kind::kMe262 ? other_front(facts.front) : facts.front;
      for (std::size_t i = 0; i < now.data.hexes.size(); ++i) {
        const SpaceId hex{static_cast<int>(i)};
        if (now.in_sector(hex, sector) && now.board().distance(now.at(unit), hex) <= radius) {
          reach.spaces.push_back(hex);
        }
      }
    } else {
      for (const Neighbour& next : now.board().neighbours(now.at(unit))) {
        if (zone_reaches(now, unit, next)) reach.spaces.push_back(next.space);
      }
    }
    out.push_back(std::move(reach));
  }
  return out;
}

int Reichstag::strength(const Game& game, const Position& position, UnitId unit) const {
  return position.on_board(unit) ? data_of(game).unit(unit).cf : 0;
}

}  // namespace reichstag

const RuleSystem& reichstag_system() {
  static const reichstag::Reichstag system;
  return system;
}

}  // namespace wardiary

// EastFront (second edition) as a rule system. The chapters of the rulebook are in the files beside
// this one (chapters.h names them); this class only hands the diary's questions to them.
#pragma once

#include "domain/rule_system.h"
#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

std::span<const OptionSpec> option_specs();

class EastFront : public RuleSystem {
 public:
  std::string_view name() const override { return "eastfront"; }
  std::string_view title() const override { return "EastFront"; }
  std::string_view rules_version() const override { return "1"; }
  std::span<const DataFile> data_files() const override;
  std::span<const ScenarioInfo> scenarios() const override;
  std::span<const OrderType> order_types() const override { return eastfront::order_types(); }
  std::span<const OptionSpec> options() const override { return option_specs(); }

  Result<Roster> roster(const Game& game) const override;
  Result<std::shared_ptr<const SystemData>> prepare(const Game& game) const override;
  Status set_up(Draft& draft) const override;

  void translate_position(nlohmann::json& stated) const override;
  void complete_position(Draft& draft, const nlohmann::json& stated) const override;
  Refused decide(Draft& draft, const Order& order) const override;
  void legal_orders(const Game& game, const Position& position, SideId side,
                    const SeeOrder& see) const override;
  std::size_t prefer(const Game& game, const Position& position, std::span<const Order> orders,
                     const std::function<std::uint32_t(std::uint32_t)>& dice) const override;

  std::vector<UnitSupply> supply(const Game& game, const Position& position) const override;
  std::vector<ScoreTerm> score(const Game& game, const Position& position) const override;
  std::vector<UnitReach> reach(const Game& game, const Position& position) const override;
  std::vector<TrackTerm> track_terms(const Game& game, const Position& position) const override;
  std::vector<Battle> battles(const Game& game, const Position& position) const override;
  int strength(const Game& game, const Position& position, UnitId unit) const override;

  UnitSight sees_unit(const Game& game, const Position& position, const Viewer& viewer,
                      UnitId unit) const override;
  bool sees_unit_value(const Game& game, const Position& position, const Viewer& viewer,
                       UnitId unit, int attribute) const override;
  SpaceId seen_at(const Game& game, const Position& position, const Viewer& viewer,
                  UnitId unit) const override;
  bool sees_space_value(const Game& game, const Position& position, const Viewer& viewer,
                        SpaceId space, int attribute) const override;
  bool sees_track(const Game& game, const Position& position, const Viewer& viewer,
                  TrackId track) const override;
  bool sees_score(const Game& game, const Position& position, const Viewer& viewer) const override;
  bool sees_order(const Game& game, const Position& position, const Viewer& viewer,
                  const Order& order) const override;
};

// --- prefer.cpp: the orders that look best to a simple player, as indexes.
std::vector<std::size_t> best_orders(const Situation& now, std::span<const Order> orders);

}  // namespace wardiary::eastfront

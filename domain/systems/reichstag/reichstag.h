// Race to the Reichstag: Berlin, 1945, as a rule system.
#pragma once

#include "domain/rule_system.h"
#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {

class Reichstag : public RuleSystem {
 public:
  std::string_view name() const override { return "reichstag"; }
  std::string_view title() const override { return "Race to the Reichstag"; }
  std::string_view rules_version() const override { return "1"; }
  std::span<const DataFile> data_files() const override;
  std::span<const ScenarioInfo> scenarios() const override;
  std::span<const OrderType> order_types() const override { return reichstag::order_types(); }
  std::span<const OptionSpec> options() const override { return option_specs(); }

  bool is_played(SideId side) const override { return side != kGerman; }
  Result<Roster> roster(const Game& game) const override;
  Result<std::shared_ptr<const SystemData>> prepare(const Game& game) const override;
  Status set_up(Draft& draft) const override;
  void translate_position(nlohmann::json& stated) const override {
    translate_written_position(stated);
  }
  void complete_position(Draft& draft, const nlohmann::json& stated) const override;

  Refused decide(Draft& draft, const Order& order) const override;
  void legal_orders(const Game& game, const Position& position, SideId side,
                    const SeeOrder& see) const override;
  std::size_t prefer(const Game& game, const Position& position, std::span<const Order> orders,
                     const std::function<std::uint32_t(std::uint32_t)>& dice) const override;

  std::vector<UnitSupply> supply(const Game& game, const Position& position) const override;
  std::vector<ScoreTerm> score(const Game& game, const Position& position) const override;
  std::vector<UnitReach> reach(const Game& game, const Position& position) const override;
  int strength(const Game& game, const Position& position, UnitId unit) const override;

  UnitSight sees_unit(const Game& game, const Position& position, const Viewer& viewer,
                      UnitId unit) const override;
  bool sees_unit_value(const Game& game, const Position& position, const Viewer& viewer,
                       UnitId unit, int attribute) const override;
  bool sees_track(const Game& game, const Position& position, const Viewer& viewer,
                  TrackId track) const override;
  bool sees_score(const Game& game, const Position& position, const Viewer& viewer) const override;
  bool sees_order(const Game& game, const Position& position, const Viewer& viewer,
                  const Order& order) const override;
};

}  // namespace wardiary::reichstag

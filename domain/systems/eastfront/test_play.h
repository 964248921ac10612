// A game driven by its orders as JSON, for the tests of EastFront.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "domain/rule_system.h"
#include "domain/systems/eastfront/chapters.h"

namespace wardiary {
const RuleSystem& eastfront_system();
}

namespace wardiary::eastfront {

class Play {
 public:
  using Options = std::map<std::string, std::string, std::less<>>;
  explicit Play(const std::string& scenario, const Options& options = {},
                const std::string& board_text = {}, const std::string& scenario_text = {}) {
    NewGameSpec spec;
    spec.scenario = scenario;
    spec.options = options;
    spec.board_text = board_text;
    spec.scenario_text = scenario_text;
    auto created = create_game(eastfront_system(), spec, CreationDetails{});
    if (!created) {
      ADD_FAILURE() << created.error().text;
      return;
    }
    game = std::move(created->game);
    position = std::move(created->position);
  }

  Game game;
  Position position;

  // Gives an order that must be accepted and use exactly these dice.
  void give(const std::string& json, std::vector<std::uint32_t> dice = {}) {
    ScriptedChance chance(std::move(dice));
    Verdict verdict = decided(json, chance);
    if (auto* refused = std::get_if<Rejection>(&verdict)) {
      ADD_FAILURE() << json << " refused: " << refused->code << " " << refused->text;
    } else if (std::holds_alternative<NeedsRoll>(verdict)) {
      ADD_FAILURE() << json << " needs more dice: " << std::get<NeedsRoll>(verdict).request.purpose;
    } else {
      EXPECT_EQ(chance.left(), 0u) << json << " left dice unused";
      position = std::get<Accepted>(std::move(verdict)).position;
    }
  }

  // The code an order is refused with; empty if it is accepted. Changes nothing.
  std::string refusal(const std::string& json) {
    ScriptedChance chance({});
    Verdict verdict = decided(json, chance);
    auto* refused = std::get_if<Rejection>(&verdict);
    return refused ? refused->code : "";
  }

  Situation now() const { return Situation(game, position); }
  UnitId unit(const std::string& name) const { return game.roster().unit(name); }
  SpaceId hex(const std::string& name) const { return game.board->find(name); }
  int cv(const std::string& name) const { return position.get(unit(name), u::kCv); }
  std::string at(const std::string& name) const {
    const SpaceId space = position.at(unit(name));
    return space ? game.board->space(space).id : "";
  }
  int track(t::Track id) const { return position.get(eastfront::track(id)); }

 private:
  Verdict decided(const std::string& text, Chance& chance) {
    auto order =
        order_from_json(nlohmann::json::parse(text), game.system->order_types(), game.roster(),
                        [this](std::string_view name) { return game.board->find(name); });
    if (!order) return Rejection{"BAD_ORDER", "", order.error().text};
    return decide(game, position, *order, chance);
  }
};

}  // namespace wardiary::eastfront

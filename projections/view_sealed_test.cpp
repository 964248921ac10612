// What is done in a sealed phase shows nobody else: over random EastFront games, an order of one
// side in Production leaves what the other side sees of the position as it was, byte for byte,
// until both have committed.
#include <gtest/gtest.h>

#include <random>

#include "domain/json_writer.h"
#include "projections/view.h"

namespace wardiary {
namespace {

std::string seen(const Game& game, const Position& position, const Viewer& viewer) {
  std::string text;
  JsonWriter out(text);
  View(game, viewer).write_position(out, position);
  return text;
}

class Dice : public Chance {
 public:
  explicit Dice(std::mt19937& generator) : generator_(generator) {}
  std::optional<Rolled> roll(const RollRequest& request) override {
    Rolled out;
    for (const RollGroup& group : request.groups) {
      for (int i = 0; i < group.count; ++i) out.values.push_back(1 + generator_() % group.sides);
    }
    return out;
  }

 private:
  std::mt19937& generator_;
};

TEST(SealedPhase, ProductionShowsTheOtherSideNothingBeforeBothHaveCommitted) {
  const RuleSystem* system = rule_system("eastfront");
  ASSERT_TRUE(system);
  std::map<std::string, int> given;
  for (const char* scenario : {"Edelweiss", "S41", "W42"}) {
    NewGameSpec spec;
    spec.scenario = scenario;
    spec.options = {{"navalPower", "on"}, {"paratroops", "on"}};
    auto created = create_game(*system, spec, {});
    ASSERT_TRUE(created.ok()) << created.error().text;
    const Game& game = created->game;
    Position position = created->position;
    std::mt19937 generator(17);
    Dice dice(generator);
    const int production = game.roster().decision("production");
    for (int n = 0; n < 2'500 && !position.over; ++n) {
      const SideId sides[] = {SideId{0}, SideId{1}};
      const bool second =
          !position.pending(sides[0]).kind || (position.pending(sides[1]).kind && generator() % 2);
      const SideId side = sides[second];
      const SideId other = sides[!second];
      std::vector<Order> orders;
      system->legal_orders(game, position, side, [&](const Order& order) {
        orders.push_back(order);
        return true;
      });
      ASSERT_FALSE(orders.empty());
      const bool sealed = position.pending(side).kind == production;
      // In Production commit late, so that much is bought; elsewhere end phases early.
      const std::size_t pick = sealed                 ? generator() % orders.size()
                               : generator() % 6 == 0 ? orders.size() - 1
                                                      : generator() % orders.size();
      const Order& order = orders[pick];
      Verdict verdict = decide(game, position, order, dice);
      auto* accepted = std::get_if<Accepted>(&verdict);
      ASSERT_TRUE(accepted) << order.type().name;
      if (sealed && !order.is("CommitProduction")) {
        given[order.type().name] += 1;
        for (const Viewer& viewer : {Viewer::of(other), Viewer::spectator()}) {
          ASSERT_EQ(seen(game, position, viewer), seen(game, accepted->position, viewer))
              << scenario << ": " << order.type().name;
        }
      }
      position = std::move(accepted->position);
    }
  }
  for (const char* type : {"AddStep", "BuildCadre", "Disband"}) EXPECT_GT(given[type], 0) << type;
}

}  // namespace
}  // namespace wardiary

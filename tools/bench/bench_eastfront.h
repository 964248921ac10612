// A game of EastFront played by drawing among the legal orders, kept order by order, for the
// benchmarks: the same seed gives the same game on every machine.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "domain/rule_system.h"

namespace wardiary::bench {

// SplitMix64: all that drawing orders and dice for a benchmark needs.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::size_t n) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) % n);
  }

 private:
  std::uint64_t state_;
};

class DrawnChance : public Chance {
 public:
  explicit DrawnChance(Draws& draws) : draws_(draws) {}
  std::optional<Rolled> roll(const RollRequest& request) override {
    Rolled out;
    for (const RollGroup& group : request.groups) {
      for (int i = 0; i < group.count; ++i) out.values.push_back(1 + draws_.below(group.sides));
    }
    dice.insert(dice.end(), out.values.begin(), out.values.end());
    ++rolls;
    return out;
  }
  std::vector<std::uint32_t> dice;
  std::size_t rolls = 0;

 private:
  Draws& draws_;
};

[[noreturn]] inline void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

class PlayedGame {
 public:
  struct Step {
    Position before;
    Order order;
    std::vector<std::uint32_t> dice;
  };

  PlayedGame(const char* scenario, std::uint64_t seed, std::size_t orders_most) {
    NewGameSpec spec;
    spec.scenario = scenario;
    auto created = create_game(*rule_system("eastfront"), spec, {});
    if (!created) give_up(created.error().text);
    game_ = std::move(created->game);
    Position position = std::move(created->position);
    Draws draws(seed);
    while (!position.over && steps_.size() < orders_most) {
      const SideId side = must_decide(position, draws);
      const std::vector<Order> orders = legal(position, side);
      if (orders.empty()) give_up("stuck");
      const std::size_t pick = draws.below(orders.size());
      DrawnChance chance(draws);
      Verdict verdict = decide(game_, position, orders[pick], chance);
      auto* accepted = std::get_if<Accepted>(&verdict);
      if (!accepted) give_up("a legal order was refused: " + orders[pick].type().name);
      rolls_ += chance.rolls;
      steps_.push_back({std::move(position), orders[pick], std::move(chance.dice)});
      position = std::move(accepted->position);
    }
    end_ = std::move(position);
  }

  const Game& game() const { return game_; }
  const std::vector<Step>& steps() const { return steps_; }
  const Position& end() const { return end_; }
  std::size_t rolls() const { return rolls_; }

  std::vector<Order> legal(const Position& position, SideId side) const {
    std::vector<Order> out;
    game_.system->legal_orders(game_, position, side, [&](const Order& order) {
      out.push_back(order);
      return true;
    });
    return out;
  }
  // Decides a step again with its dice: the order, its events, the position after it.
  Position decide_again(const Step& step) const {
    ScriptedChance chance(step.dice);
    Verdict verdict = decide(game_, step.before, step.order, chance);
    auto* accepted = std::get_if<Accepted>(&verdict);
    if (!accepted) give_up("an order was refused the second time");
    return std::move(accepted->position);
  }

 private:
  static SideId must_decide(const Position& position, Draws& draws) {
    const SideId axis{0};
    const SideId soviet{1};
    const bool both = position.pending(axis).kind && position.pending(soviet).kind;
    if (both) return draws.below(2) ? axis : soviet;
    return position.pending(axis).kind ? axis : soviet;
  }

  Game game_;
  std::vector<Step> steps_;
  Position end_;
  std::size_t rolls_ = 0;
};

}  // namespace wardiary::bench

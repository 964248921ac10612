// A game of EastFront played by drawing among the legal orders, kept order by order, for the
// benchmarks: the same seed gives the same game on every machine.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "domain/fairdice/ecvrf.h"
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

// How far every space is from the spaces a side has units in: nothing but the search itself.
inline std::size_t breadth_first(const Board& board, const Position& position, SideId side) {
  std::vector<std::int16_t> distance(board.spaces().size(), -1);
  std::vector<SpaceId> queue;
  queue.reserve(distance.size());
  for (std::size_t i = 0; i < position.unit_count(); ++i) {
    const UnitId unit{static_cast<int>(i)};
    if (!position.on_board(unit) || position.side(unit) != side) continue;
    const SpaceId at = position.at(unit);
    if (distance[at.index()] == 0) continue;
    distance[at.index()] = 0;
    queue.push_back(at);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const SpaceId from = queue[next];
    for (const Neighbour& to : board.neighbours(from)) {
      if (distance[to.space.index()] >= 0) continue;
      distance[to.space.index()] = static_cast<std::int16_t>(distance[from.index()] + 1);
      queue.push_back(to.space);
    }
  }
  return queue.size();
}

// Proves so many rolls; how many went well.
inline std::size_t prove(std::size_t rolls) {
  const fairdice::VrfKey key{fairdice::Seed()};
  std::size_t good = 0;
  for (std::size_t i = 0; i < rolls; ++i) {
    const std::string alpha = "roll " + std::to_string(i);
    good += key.prove(bytes_of(alpha)).ok();
  }
  return good;
}

}  // namespace wardiary::bench

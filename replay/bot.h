// Bots: they play whole games from legal_orders alone, for demo games, load and - above all - to
// find positions in which the rules are stuck or contradict themselves. One seed gives one game, on
// every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "domain/rule_system.h"

namespace wardiary {

// xoshiro256** seeded by SplitMix64: small, good and the same everywhere, which the standard
// library's distributions are not.
class Generator {
 public:
  explicit Generator(std::uint64_t seed);
  std::uint64_t next();
  // Uniform on 0..n-1, without bias; n must not be 0.
  std::uint32_t below(std::uint32_t n);

 private:
  std::uint64_t state_[4];
};

// Fresh dice from a seed. Each (roller, number) has one outcome, so deciding an order again gives
// the same dice.
class SeededChance : public Chance {
 public:
  explicit SeededChance(std::uint64_t seed, Grade grade = Grade::kImported)
      : seed_(seed), grade_(grade) {}
  std::optional<Rolled> roll(const RollRequest& request) override;

 private:
  std::uint64_t seed_;
  Grade grade_;
};

enum class Policy { kRandom, kGreedy };

// Picks one of the orders that somebody may give now.
class Bot {
 public:
  static constexpr std::size_t kChoicesMax = 20'000;

  Bot(Policy policy, std::uint64_t seed) : policy_(policy), generator_(seed) {}

  // Nothing if nobody can do anything, with the reason in `why`.
  std::optional<Order> choose(const Game& game, const Position& position, std::string& why);

 private:
  Policy policy_;
  Generator generator_;
};

struct BotOptions {
  std::string system;
  NewGameSpec spec;
  std::uint64_t seed = 1;
  Policy policy = Policy::kRandom;
  std::size_t orders_max = 50'000;
  // Decide every order twice and fold its events onto a second position: both must come out alike.
  bool redecide = true;
};

// A game played in memory. Nothing in it is worth keeping unless it failed.
struct BotGame {
  Game game;
  std::vector<Content> contents;
  std::vector<EventList> commits;  // the first is the creation
  Position position;
  std::size_t orders = 0;
  std::size_t events = 0;
  std::size_t rolls = 0;
  // Why it did not come to its end; empty if it did. The last commit is that of the last good
  // order.
  std::string failure;
};
// An error is something wrong with the options.
Result<BotGame> play_bot_game(const BotOptions& options,
                              const std::function<void(std::size_t orders)>& progress = {});

}  // namespace wardiary

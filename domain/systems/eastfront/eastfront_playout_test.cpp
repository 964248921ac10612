// Two hundred whole games played by drawing among the legal orders: no stuck position, no refused
// legal order, every game comes to its end, and as an audit would see it: every order decided again
// with its dice gives the same events, which alone fold to the same position.
#include <random>

#include "domain/apply.h"
#include "domain/systems/eastfront/test_play.h"

namespace wardiary::eastfront {
namespace {

constexpr int kOrdersMax = 60'000;

// Dice from a seeded generator; the same seed plays the same game.
class SeededChance : public Chance {
 public:
  explicit SeededChance(std::mt19937& generator) : generator_(generator) {}
  std::optional<Rolled> roll(const RollRequest& request) override {
    Rolled out;
    for (const RollGroup& group : request.groups) {
      for (int i = 0; i < group.count; ++i) out.values.push_back(1 + generator_() % group.sides);
    }
    rolled.insert(rolled.end(), out.values.begin(), out.values.end());
    return out;
  }
  std::vector<std::uint32_t> rolled;  // since it was last emptied

 private:
  std::mt19937& generator_;
};

struct Playout {
  int orders = 0;
  bool ended = false;
  std::map<std::string, int> given;  // by order type
};

std::vector<Order> legal(const Play& play, SideId side) {
  std::vector<Order> out;
  play.game.system->legal_orders(play.game, play.position, side, [&](const Order& order) {
    out.push_back(order);
    return true;
  });
  return out;
}

std::string describe(const Play& play, const Order& order) {
  return order_to_json(order, play.game.roster()).dump();
}

// What an audit would find wrong with an order that was accepted; empty if nothing.
std::string divergence(const Play& play, const Order& order, std::vector<std::uint32_t> dice,
                       const Accepted& accepted) {
  ScriptedChance recorded(std::move(dice), Grade::kSolo);
  Verdict again = decide(play.game, play.position, order, recorded);
  const auto* second = std::get_if<Accepted>(&again);
  if (!second || recorded.left() != 0) return "not accepted with the same dice";
  if (second->events.size() != accepted.events.size()) return "another number of events";
  Position folded = play.position;
  for (std::size_t i = 0; i < accepted.events.size(); ++i) {
    if (!equal(accepted.events[i], second->events[i])) return "another event";
    if (apply(folded, *trusted_event(accepted.events[i]), {.check_digests = true}) !=
        Fault::kNone) {
      return "an event that does not fit";
    }
  }
  return folded == accepted.position ? "" : "the events fold to another position";
}

Playout play_out(Play& play, std::uint32_t seed, bool greedy) {
  std::mt19937 generator(seed);
  SeededChance chance(generator);
  Playout result;
  while (!play.position.over && result.orders < kOrdersMax) {
    SideId side = kAxis;
    const bool both = play.position.pending(kAxis).kind && play.position.pending(kSoviet).kind;
    if (!play.position.pending(kAxis).kind || (both && generator() % 2)) side = kSoviet;
    if (!play.position.pending(side).kind) {
      ADD_FAILURE() << "seed " << seed << ": nobody must decide";
      return result;
    }
    const std::vector<Order> orders = legal(play, side);
    if (orders.empty()) {
      ADD_FAILURE() << "seed " << seed << ": stuck at decision "
                    << play.game.roster().decisions[play.position.pending(side).kind];
      return result;
    }
    const std::function<std::uint32_t(std::uint32_t)> dice = [&](std::uint32_t below) {
      return static_cast<std::uint32_t>(generator() % below);
    };
    // A random player who never ended a phase would move for ever; the last order ends it.
    std::size_t pick = greedy ? play.game.system->prefer(play.game, play.position, orders, dice)
                       : generator() % 12 == 0 ? orders.size() - 1
                                               : generator() % orders.size();
    chance.rolled.clear();
    Verdict verdict = decide(play.game, play.position, orders[pick], chance);
    auto* accepted = std::get_if<Accepted>(&verdict);
    if (!accepted) {
      auto* refused = std::get_if<Rejection>(&verdict);
      ADD_FAILURE() << "seed " << seed << ": legal order refused: " << describe(play, orders[pick])
                    << " " << (refused ? refused->code + " " + refused->text : "needs a roll");
      return result;
    }
    const std::string wrong = divergence(play, orders[pick], chance.rolled, *accepted);
    if (!wrong.empty()) {
      ADD_FAILURE() << "seed " << seed << ": " << wrong << ": " << describe(play, orders[pick]);
      return result;
    }
    play.position = std::move(accepted->position);
    result.given[orders[pick].type().name] += 1;
    result.orders += 1;
  }
  result.ended = play.position.over;
  return result;
}

TEST(EastFrontPlayout, RandomEdelweissGamesComeToTheirEnd) {
  for (std::uint32_t seed = 1; seed <= 120; ++seed) {
    Play play("Edelweiss");
    EXPECT_TRUE(play_out(play, seed, false).ended) << "seed " << seed;
    if (HasFailure()) return;
  }
}

TEST(EastFrontPlayout, GreedyEdelweissGamesComeToTheirEnd) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    Play play("Edelweiss");
    EXPECT_TRUE(play_out(play, seed, true).ended) << "seed " << seed;
    if (HasFailure()) return;
  }
}

TEST(EastFrontPlayout, RandomSummer41GamesComeToTheirEnd) {
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    Play play("S41");
    EXPECT_TRUE(play_out(play, seed, false).ended) << "seed " << seed;
    if (HasFailure()) return;
  }
}

TEST(EastFrontPlayout, GreedySummer41GameComesToItsEnd) {
  Play play("S41");
  EXPECT_TRUE(play_out(play, 7, true).ended);
}

TEST(EastFrontPlayout, RandomGamesOfEveryScenarioComeToTheirEnd) {
  for (const char* scenario : {"S41", "W41", "S42", "W42", "S43", "W43", "S44", "W44"}) {
    for (std::uint32_t seed = 11; seed <= 14; ++seed) {
      Play play(scenario);
      EXPECT_TRUE(play_out(play, seed, false).ended) << scenario << " seed " << seed;
      if (HasFailure()) return;
    }
  }
}

TEST(EastFrontPlayout, RandomGamesWithEveryOptionComeToTheirEnd) {
  for (const char* scenario : {"S41", "W41", "W42", "S44", "W44"}) {
    for (std::uint32_t seed = 3; seed <= 5; ++seed) {
      Play play(scenario, {{"paratroops", "on"}, {"navalPower", "on"}, {"historicalSetup", "off"}});
      EXPECT_TRUE(play_out(play, seed, false).ended) << scenario << " seed " << seed;
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace wardiary::eastfront

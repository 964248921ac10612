#include "replay/bot.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "domain/apply.h"
#include "domain/schema/event_generated.h"

namespace wardiary {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::uint64_t rotate(std::uint64_t v, int by) {
  return v << by | v >> (64 - by);
}

}  // namespace

Generator::Generator(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = split_mix(seed);
}

std::uint64_t Generator::next() {
  const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate(state_[3], 45);
  return result;
}

std::uint32_t Generator::below(std::uint32_t n) {
  const std::uint64_t limit = (std::uint64_t{1} << 32) / n * n;
  while (true) {
    const std::uint64_t v = next() >> 32;
    if (v < limit) return static_cast<std::uint32_t>(v % n);
  }
}

std::optional<Rolled> SeededChance::roll(const RollRequest& request) {
  std::uint64_t mixed = seed_;
  mixed = split_mix(mixed) ^ static_cast<std::uint64_t>(request.roller.value + 2);
  mixed = split_mix(mixed) ^ request.number;
  Generator generator(split_mix(mixed));
  Rolled rolled;
  rolled.grade = grade_;
  for (const RollGroup& group : request.groups) {
    if (group.kind == RollGroup::kDice) {
      for (int i = 0; i < group.count; ++i) {
        rolled.values.push_back(1 + generator.below(group.sides));
      }
      continue;
    }
    if (group.count > group.sides) return std::nullopt;  // no cup holds that many
    std::vector<std::uint32_t> cup(group.sides);
    std::iota(cup.begin(), cup.end(), 0u);
    for (std::uint32_t i = 0; i < group.count; ++i) {
      std::swap(cup[i], cup[i + generator.below(group.sides - i)]);
      rolled.values.push_back(cup[i]);
    }
  }
  return rolled;
}

std::optional<Order> Bot::choose(const Game& game, const Position& position, std::string& why) {
  const Roster& roster = game.roster();
  std::vector<SideId> asked;
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    const SideId side{static_cast<int>(s)};
    if (position.pending(side).kind != 0) asked.push_back(side);
  }
  if (asked.empty()) {
    why = "nobody has anything to decide, and the game is not over";
    return std::nullopt;
  }
  const SideId side = asked[generator_.below(static_cast<std::uint32_t>(asked.size()))];
  std::vector<Order> orders;
  game.system->legal_orders(game, position, side, [&](const Order& order) {
    orders.push_back(order);
    return orders.size() < kChoicesMax;
  });
  if (orders.empty()) {
    const Question& question = position.pending(side);
    why = roster.sides[side.index()] + " must decide " +
          (question.kind < roster.decisions.size() ? roster.decisions[question.kind] : "?") +
          " and has no legal order";
    return std::nullopt;
  }
  auto below = [&](std::uint32_t n) { return generator_.below(n); };
  const std::size_t picked = policy_ == Policy::kGreedy
                                 ? game.system->prefer(game, position, orders, below)
                                 : generator_.below(static_cast<std::uint32_t>(orders.size()));
  if (picked >= orders.size()) {
    why = "the preferred order is not one of the legal ones";
    return std::nullopt;
  }
  return orders[picked];
}

namespace {

// No clock: the same seed gives the same bytes.
constexpr std::uint64_t kNoTime = 1;

// What a commit must hold besides being accepted: the fold alone comes to the same position, and
// deciding again writes the same bytes.
std::string contradiction(const BotGame& at, const Order& order, Chance& chance,
                          const Envelope& envelope, const Accepted& accepted) {
  Position folded = at.position;
  for (std::size_t i = 0; i < accepted.events.size(); ++i) {
    auto event = open_event(accepted.events[i]);
    if (!event) return "an event that cannot be read: " + event.error().text;
    const Fault fault = apply(folded, **event, {.check_digests = true});
    if (fault != Fault::kNone) return describe(fault, folded, **event, at.game.roster());
  }
  if (!(folded == accepted.position)) return "the events fold to another position";
  Verdict again = decide(at.game, at.position, order, chance, envelope);
  const auto* second = std::get_if<Accepted>(&again);
  if (!second) return "accepted at first, not when decided again";
  bool same = second->events.size() == accepted.events.size();
  for (std::size_t i = 0; same && i < accepted.events.size(); ++i) {
    same = equal(accepted.events[i], second->events[i]);
  }
  return same ? "" : "decided again, other events follow";
}

// Plays one order; says what is wrong if it cannot.
std::string play(BotGame& at, const Order& order, Chance& chance, bool redecide) {
  const Envelope envelope{kNoTime, "bot", {}};
  Verdict verdict = decide(at.game, at.position, order, chance, envelope);
  if (const auto* refused = std::get_if<Rejection>(&verdict)) {
    return "a legal order was refused: " + refused->code + " [" + refused->rule + "] " +
           refused->text;
  }
  auto* accepted = std::get_if<Accepted>(&verdict);
  if (!accepted) return "a roll that cannot be made";
  if (redecide) {
    std::string wrong = contradiction(at, order, chance, envelope, *accepted);
    if (!wrong.empty()) return wrong;
  }
  ++at.orders;
  at.events += accepted->events.size();
  for (std::size_t i = 0; i < accepted->events.size(); ++i) {
    at.rolls += accepted->events.type(i) == static_cast<std::uint16_t>(fb::Payload::DiceRolled);
  }
  at.commits.push_back(std::move(accepted->events));
  at.position = std::move(accepted->position);
  return {};
}

}  // namespace

Result<BotGame> play_bot_game(const BotOptions& options,
                              const std::function<void(std::size_t)>& progress) {
  const RuleSystem* system = rule_system(options.system);
  if (!system) return invalid("system: there is no \"" + options.system + "\"");
  CreationDetails details;
  details.dice = Grade::kImported;
  details.author = "bot";
  details.recorded_at_ms = kNoTime;
  auto created = create_game(*system, options.spec, details);
  if (!created) return std::move(created).error();
  BotGame out;
  out.game = std::move(created->game);
  out.contents = std::move(created->contents);
  out.position = std::move(created->position);
  out.events = created->events.size();
  out.commits.push_back(std::move(created->events));

  Bot bot(options.policy, options.seed);
  SeededChance chance(options.seed);
  while (!out.position.over && out.failure.empty()) {
    if (out.orders >= options.orders_max) {
      out.failure = "not over after " + std::to_string(out.orders) + " orders";
      break;
    }
    const auto order = bot.choose(out.game, out.position, out.failure);
    if (!order) break;
    out.failure = play(out, *order, chance, options.redecide);
    if (!out.failure.empty()) {
      out.failure += "; order " + order_to_json(*order, out.game.roster()).dump();
    }
    if (progress) progress(out.orders);
  }
  return out;
}

}  // namespace wardiary

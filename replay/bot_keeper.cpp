#include "replay/bot_keeper.h"

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"

namespace wardiary {
CommandId order_command(const CommandId& game, std::size_t n) {
  Bytes message(game.data.begin(), game.data.end());
  put_u64(message, n);
  const Hash hash = sha256(message);
  return *Id::from(hash.view().first(16));
}

Result<KeptGame> keep_bot_game(Referee& referee, EventStore& store, TimeMachine& time,
                               const BotOptions& options, const KeepDetails& details,
                               const std::function<void(std::size_t)>& progress) {
  GameRequest request;
  request.system = options.system;
  request.spec = options.spec;
  request.author = "bot";
  request.name = details.name.empty()
                     ? options.spec.scenario + " bot " + std::to_string(options.seed)
                     : details.name;
  request.command = details.command.is_zero() ? random_id() : details.command;
  auto created = referee.create(request);
  if (!created) return std::move(created).error();
  const OpenGame& game = **created;
  if (!game.game.system) return invalid("system: this program has no rules for the game");

  KeptGame out;
  out.game = game.id;
  auto head = time.head(game.mainline);
  if (!head) return std::move(head).error();
  if (head->position.over) return out;  // played to its end before

  auto creation = store.find_command(game.mainline, request.command);
  if (!creation) return std::move(creation).error();
  if (!*creation) return corrupt("game " + to_hex(game.id) + " does not know how it was made");
  Version version = (*creation)->last;
  Bot bot(options.policy, options.seed);
  while (true) {
    auto position = time.at(game.mainline, version);
    if (!position) return std::move(position).error();
    if (position->over) return out;
    if (out.orders >= options.orders_max) {
      out.failure = "not over after " + std::to_string(out.orders) + " orders";
      return out;
    }
    const auto order = bot.choose(game.game, *position, out.failure);
    if (!order) return out;
    OrderRequest asked;
    asked.branch = game.mainline;
    asked.expected = version;
    asked.command = order_command(request.command, out.orders);
    asked.author = game.roster().sides[order->side.index()];
    asked.durability = Durability::kBuffered;
    auto answer = referee.order(asked, *order);
    if (!answer) return std::move(answer).error();
    const auto* accepted = std::get_if<OrderAccepted>(&*answer);
    if (!accepted) {
      const auto* refused = std::get_if<Rejection>(&*answer);
      out.failure = refused ? "a legal order was refused: " + refused->code : "not accepted";
      out.failure += "; order " + order_to_json(*order, game.roster()).dump();
      return out;
    }
    version = accepted->last;
    ++out.orders;
    if (progress) progress(out.orders);
  }
}

}  // namespace wardiary

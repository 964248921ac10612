// A bot's game in the store: played through the referee, with the store's provable dice.
#pragma once

#include "replay/bot.h"
#include "replay/referee.h"

namespace wardiary {

// The command id of the n-th order of a game that was made by `game`, so that playing on after a
// crash finds what was written.
CommandId order_command(const CommandId& game, std::size_t n);

struct KeptGame {
  GameId game;
  std::size_t orders = 0;
  std::string failure;  // why it did not come to its end; empty if it did
};
struct KeepDetails {
  std::string name;
  // The same command again goes on where it was cut off and writes nothing twice. Zero: a new game.
  CommandId command;
};
Result<KeptGame> keep_bot_game(Referee& referee, EventStore& store, TimeMachine& time,
                               const BotOptions& options, const KeepDetails& details,
                               const std::function<void(std::size_t orders)>& progress = {});

}  // namespace wardiary

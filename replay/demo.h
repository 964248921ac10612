// The demo games: each rule system may bring some, as files demos/*.json among its data. Loading
// them again changes nothing, and goes on where it was cut off.
//
//   {"format":"wardiary-demo/1","name":"Duel at the ford","scenario":"duel","scribed":true,
//    "options":{..},"commits":[{"facts":[..]},{"order":{..},"dice":[6,2]}]}
//   {"format":"wardiary-demo/1","name":"Summer 41","scenario":"S41",
//    "bot":{"policy":"greedy","seed":1}}
#pragma once

#include "replay/bot_keeper.h"

namespace wardiary {

struct DemoGame {
  GameId game;
  std::string name;
  bool was_there = false;
};
// `progress` is called with the game's name and how many orders or commits it has so far.
using DemoProgress = std::function<void(const std::string& name, std::size_t commits)>;
Result<std::vector<DemoGame>> load_demos(Referee& referee, EventStore& store, TimeMachine& time,
                                         const DemoProgress& progress = {});

}  // namespace wardiary

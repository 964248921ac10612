// A small game with something on its board, for targets that read input about positions.
#pragma once

#include "domain/game_testing.h"

namespace wardiary::fuzz {

inline Position busy_position(const Game& game) {
  ScriptedChance chance({});
  Draft draft(game, Position(game.roster()), chance);
  draft.begin_phase({1, 0, 0});
  draft.place(UnitId{0}, SpaceId{0});
  draft.place(UnitId{3}, SpaceId{8});
  draft.ask(testing::kRed, {1, 4, -1, 0});
  return draft.take_position();
}

}  // namespace wardiary::fuzz

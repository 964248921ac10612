// Victory [17], inside: the arithmetic without a game.
#pragma once

#include <vector>

#include "domain/rule_system.h"
#include "domain/systems/eastfront/data.h"

namespace wardiary::eastfront {

struct Outcome {
  SideId winner;  // none: a draw
  const char* level = "draw";
  int tournament_points = 1;
};
Outcome outcome_of(int axis, int soviet);  // [17.3, 17.31]
int points_of(const std::vector<ScoreTerm>& terms, SideId side);

}  // namespace wardiary::eastfront

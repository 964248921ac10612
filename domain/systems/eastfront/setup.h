// What the set-up files share.
#pragma once

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

// The side chooses its forces now.
void begin_side_setup(Draft& draft, SideId side);
// Battles printed on the scenario sheet begin with their roles; the attacker lies face up [7.12].
void open_battles(Draft& draft);

}  // namespace wardiary::eastfront

// The example of docs/adding-a-game.md: a whole rule system on two pages. Two boats on a river; who
// stands at the bridge when turn three is over wins. A test compiles and plays it.
#pragma once

#include "domain/rule_system.h"

namespace wardiary {

const RuleSystem& skirmish_system();

}  // namespace wardiary

// Naval power [15], inside.
#pragma once

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

// A Supreme HQ deactivates and sails to a port [5.62].
Refused mobilise_by_sea(Draft& draft, UnitId hq, SpaceId to);
// End of a phase: a beach-head that only enemies hold is lost [15.51].
void lose_beachhead(Draft& draft);

}  // namespace wardiary::eastfront

// Naval power [15], inside.
#pragma once

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

// End of a phase: a beach-head that only enemies hold is lost [15.51].
void lose_beachhead(Draft& draft);

}  // namespace wardiary::eastfront

// Strategic objectives [16], inside: what strategic.cpp, satellites.cpp, naval.cpp and victory.cpp
// offer one another.
#pragma once

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

// --- satellites.cpp
void update_satellites(Draft& draft);  // freed or bound by the fall of cities [16.4]
Refused decide_surrender(Draft& draft, const Order& order);
void legal_surrender(const Situation& now, SideId side, const SeeOrder& see);
void conquer(Draft& draft);  // [16.11]

// --- naval.cpp
Refused decide_beachhead(Draft& draft, const Order& order);  // DeployBeachhead, Pass [15.51]
void legal_beachhead(const Situation& now, const SeeOrder& see);

// --- victory.cpp
bool breakthrough_ends(const Situation& now);  // the Polish Plain decides this game [16.8]

}  // namespace wardiary::eastfront

// The fold: one small function, the same for all games, that moves a position over an event, and its
// inverse. It checks continuity at each step: an event whose `from` is not what the position holds
// is refused, and the position is left as it was.
#pragma once

#include <string>

#include "domain/event.h"
#include "domain/position.h"
#include "domain/roster.h"

namespace wardiary {

enum class Fault : std::uint8_t {
  kNone,
  kNoSuchUnit,
  kNoSuchSpace,
  kNoSuchLink,
  kNoSuchTrack,
  kNoSuchPool,
  kNoSuchAttribute,
  kNoSuchSide,
  kNoSuchPhase,
  kFromDiffers,      // the event's `from` is not what the position holds
  kAlreadyOnBoard,
  kNotOnBoard,
  kBadPath,
  kDigestDiffers,    // PhaseBegan carries another position's digest
  kMisplaced,        // GameCreated anywhere but first, anything after the end that cannot be there
  kBadVector,        // parallel vectors of different length
  kNoSuchDecision,
  kBadValue,         // names a unit, space, side or word that is not there, or is no count
};

struct ApplyOptions {
  bool check_digests = false;  // recompute and compare the digest of every PhaseBegan
};

// Moves `position` over `event`. kNone: done. Anything else: nothing changed.
Fault apply(Position& position, const fb::Event& event, ApplyOptions options = {});
// Undoes `event`, which must be the last one applied.
Fault revert(Position& position, const fb::Event& event);
// What is wrong, in words with names and values: "unit 39Pz: cv is 3, the event says it was 4".
std::string describe(Fault fault, const Position& position, const fb::Event& event,
                     const Roster& roster);

}  // namespace wardiary

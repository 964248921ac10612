// A receipt for one event, made from any store: the proof to hand to a player after a turn.
#pragma once

#include "eventstore/checkpoint.h"
#include "eventstore/event_store.h"

namespace wardiary {

// Signs a checkpoint of the game as it is now and proves the event at `version` of the branch's
// line to be under it.
Result<Receipt> make_receipt(EventStore& store, const BranchId& branch, Version version);

// The leaf data (evidence.h) that such a receipt verifies against. The leaf is that of the branch
// which owns the event: the branch itself, or the ancestor it was forked from.
Result<Bytes> leaf_data_of(EventStore& store, const BranchId& branch, Version version);

}  // namespace wardiary

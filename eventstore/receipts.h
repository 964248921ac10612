// A receipt for one event, made from any store: the proof to hand to a player after a turn. And the
// way back: holding what somebody was given once against the store as it is now.
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

// The game that a checkpoint or a receipt says it is of; nothing of it is believed yet.
Result<GameId> game_named_by(std::string_view evidence);
// A checkpoint that `key` signed must be of a tree that the game's tree begins with, and a receipt
// also of the event that stands at its leaf. kInvalid: not such a text, or not signed by the key.
// kCorrupt: signed, but it contradicts the store; the text says how.
Status hold_checkpoint(EventStore& store, const GameId& game, const VerifierKey& key,
                       std::string_view note);
Status hold_receipt(EventStore& store, const GameId& game, const VerifierKey& key,
                    std::string_view text);

}  // namespace wardiary

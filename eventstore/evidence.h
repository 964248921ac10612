// What makes an edit of the log visible: the hash of each event, chained along its branch, and the
// leaf each event is in its game's Merkle tree (merkle.h).
//
//   event_hash = SHA-256("fairdice/v1/event" 00 || branch || u64 version || previous event_hash
//                        || u16 type || SHA-256(payload))
//   leaf data  = branch || u64 version || event_hash                             (56 bytes)
//
// Integers are big-endian. The first event of a mainline has 32 zero bytes as its previous hash;
// the first own event of a fork has the parent's event hash at the fork. The stored bytes are
// hashed, never a re-serialisation, and the payload enters by its own hash, so that it can be
// withheld while the chain still verifies.
#pragma once

#include <cstdint>

#include "domain/base/bytes.h"
#include "domain/base/sha256.h"

namespace wardiary {

// The hash of one event, given the payload's own SHA-256.
Hash event_hash(Sha256& hasher, const Id& branch, std::uint64_t version, const Hash& previous,
                std::uint16_t type, const Hash& payload_hash);
// The same from the payload itself.
Hash event_hash_of(Sha256& hasher, const Id& branch, std::uint64_t version, const Hash& previous,
                   std::uint16_t type, ByteView payload);

// The 56 bytes that stand for an event in the tree, and their RFC 6962 leaf hash.
Bytes leaf_data(const Id& branch, std::uint64_t version, const Hash& event_hash);
Hash event_leaf_hash(Sha256& hasher, const Id& branch, std::uint64_t version,
                     const Hash& event_hash);

}  // namespace wardiary

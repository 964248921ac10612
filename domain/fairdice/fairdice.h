// The protocol fairdice/v1, byte by byte: what is derived, hashed and signed for a roll. Pure
// functions of their arguments; docs/dice.md tells the story. Integers are big-endian.
//
// The rule behind all of it: nothing may enter `alpha` that any one party can still vary after
// learning the rest. So alpha holds the epoch, the roll's number and what every player committed to
// before the game, and the order a roll resolves is bound to it by signatures instead.
#pragma once

#include "domain/base/sha256.h"
#include "domain/fairdice/ecvrf.h"
#include "domain/fairdice/outcome.h"

namespace wardiary::fairdice {

// The grade of domain/chance.h says who could have foreseen a roll:
//   live      every opponent revealed after the request was fixed: server and all of them together
//   async     an opponent had unlocked elements in advance: server and roller together
//   solo      one player: that player and the server together
//   beacon    live or async, plus a public beacon round after the request: nobody
//   imported, branch   carry no proof of their own
using wardiary::Grade;

// "live", "async", "solo", "imported", "beacon", "branch".
const char* grade_word(Grade grade);
std::optional<Grade> grade_named(std::string_view word);

// DS(label) = "fairdice/v1/" | label | one zero byte: no hash of one kind can pass for another.
Bytes domain_prefix(std::string_view label);
Sha256& add_domain(Sha256& hasher, std::string_view label);

// The VRF seed of one stream (a branch of a game). A branch can so never be an oracle for its
// parent, and a stream's seed can be published after the game without touching others.
Seed derive_vrf_seed(const Seed& master, const Id& stream);

// ---- What is signed -----------------------------------------------------------------------------

// Everything that is fixed before the first roll, as one contributor signs it. `policy` is the
// grade the players agreed on.
struct EpochTerms {
  Id stream;
  std::uint8_t suite = kVrfSuite;
  PublicKey vrf_pk;
  std::uint32_t chain_length = 0;
  Grade policy = Grade::kLive;
  Hash rules_hash;
};
struct SlotAnchor {
  std::uint8_t slot = 0;  // the roller this chain is for
  Hash anchor;
};
// SHA-256(DS("anchors") | stream | suite | vrf_pk | u32 chain_length | policy | rules_hash
//         | contributor | u8 custodial | u8 n | n x (slot | anchor)), slots ascending. Signing the
// VRF key shows that the server had chosen it before it saw any anchor. `custodial` says that the
// service keeps this contributor's key.
Hash anchors_digest(const EpochTerms& terms, std::uint8_t contributor, bool custodial,
                    std::span<const SlotAnchor> anchors);

// What the roller asks for. Durable before anything is computed; one per (epoch, roller, number).
struct Request {
  std::uint8_t roller = 0;
  std::uint64_t number = 0;
  Hash prev_event;   // hash of the event before the request: fixes the history
  Hash order_event;  // hash of the order this roll resolves
  RollSpec spec;
  Hash v;  // the roller's own contribution
  Id idempotency_key;
  bool operator==(const Request&) const = default;
};
Hash request_digest(const Id& stream, const Request& request);

// An opponent's contribution to one request ...
Hash reveal_digest(const Id& stream, const Hash& request_digest, std::uint8_t contributor,
                   const Hash& v);

// ... or to all rolls of `roller` up to and including number `up_to`, in advance:
// SHA-256(DS("unlock") | stream | epoch | contributor | roller | u64 up_to | v).
Hash unlock_digest(const Id& stream, const Hash& epoch, std::uint8_t contributor,
                   std::uint8_t roller, std::uint64_t up_to, const Hash& v);

// The consent of a contributor that an order which waits for a roll is given up: the numbers of its
// rolls are spent without an outcome. SHA-256(DS("abandon") | stream | epoch | order_event).
Hash abandon_digest(const Id& stream, const Hash& epoch, const Hash& order_event);

// The seed of a player's contribution chain, from the one secret a player keeps: another for every
// draft of an epoch, so that no element is ever committed to twice.
// HMAC-SHA-256(secret, DS("player-chain") | stream | draft | contributor | roller), `draft` being
// the hash of the event that drafted the epoch.
Seed derive_chain_seed(const Seed& secret, const Id& stream, const Hash& draft,
                       std::uint8_t contributor, std::uint8_t roller);

// ---- The roll -----------------------------------------------------------------------------------

struct Contribution {
  std::uint8_t slot = 0;
  Hash v;
};
struct Beacon {
  std::uint64_t round = 0;
  Hash randomness;
  bool operator==(const Beacon&) const = default;
};
// `contributions` by ascending slot, one for every contributor of the epoch.
Bytes make_alpha(const Hash& epoch, const Id& stream, std::uint8_t roller, std::uint64_t number,
                 std::span<const Contribution> contributions, const std::optional<Beacon>& beacon);

// What a sealed roll publishes instead of its proof and values.
Hash seal_of(const VrfOutput& beta);

// The server's part of a roll. A sealed roll publishes `seal` now and the rest when opened.
struct Roll {
  VrfProof pi;
  Outcome outcome;
  Hash seal;
};
Result<Roll> make_roll(const VrfKey& key, ByteView alpha, const RollSpec& spec);

}  // namespace wardiary::fairdice

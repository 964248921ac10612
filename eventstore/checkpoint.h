// Signed statements about a game's tree, in the text formats of C2SP (c2sp.org), so that tools made
// for other transparency logs read ours:
//
//   checkpoint (tlog-checkpoint)          receipt (tlog-proof, file ending .tlog-proof)
//     wardiary/<game in hex>                c2sp.org/tlog-proof@v1
//     <number of leaves>                    index <leaf>
//     <root in base64>                      <hash in base64>            0 or more
//
//     — <name> <signature>                  <the checkpoint>
//
// The signature is base64(key id || Ed25519 signature of the text above the empty line); the key
// id is the first four bytes of SHA-256(name || 0A || 01 || public key). The name of the key is the
// origin of the log, so each game has its own verifier key line though a store signs with one key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/base/bytes.h"
#include "domain/base/result.h"

namespace wardiary {

using PublicKey = FixedBytes<32>;
using Signature = FixedBytes<64>;

// An Ed25519 key pair made from a 32-byte seed.
class SigningKey {
 public:
  static SigningKey from_seed(const FixedBytes<32>& seed);
  const PublicKey& public_key() const { return public_key_; }
  Signature sign(ByteView message) const;

 private:
  PublicKey public_key_;
  FixedBytes<64> secret_;
};

// Who may sign: a name and its key. Text form (C2SP "vkey"): name+<key id in hex>+base64(01 ||
// key).
struct VerifierKey {
  std::string name;
  PublicKey key;

  std::uint32_t id() const;
  std::string text() const;
  static Result<VerifierKey> parse(std::string_view text);
  bool operator==(const VerifierKey&) const = default;
};

struct Checkpoint {
  std::string origin;
  std::uint64_t size = 0;
  Hash root;

  std::string text() const;  // the three lines that are signed
  bool operator==(const Checkpoint&) const = default;
};

// "wardiary/<game in hex>".
std::string log_origin(const Id& game);

std::string sign_checkpoint(const Checkpoint& checkpoint, const SigningKey& key);
// The checkpoint if the note is well formed, its origin is the key's name and it carries a valid
// signature of that key (other signatures, of witnesses say, are passed over); kInvalid otherwise.
Result<Checkpoint> verify_checkpoint(std::string_view note, const VerifierKey& key);
// The same without checking any signature: for looking, not for believing.
Result<Checkpoint> parse_checkpoint(std::string_view note);

// Proof that one leaf is in a signed tree; verifiable offline with nothing but the log's key.
struct Receipt {
  std::uint64_t index = 0;
  std::vector<Hash> path;
  std::string checkpoint;  // the signed note
  Bytes extra;             // opaque, often empty

  std::string text() const;
  static Result<Receipt> parse(std::string_view text);
  // The checkpoint that `leaf_data` (see evidence.h) is shown to be under.
  Result<Checkpoint> verify(ByteView leaf_data, const VerifierKey& key) const;
};

}  // namespace wardiary

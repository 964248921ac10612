// Any text as what people bring to settle a dispute: a verifier key, a checkpoint, a receipt. What
// is taken reads the same when it is written again, and nothing unsigned is believed.
#include "eventstore/checkpoint.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SigningKey signer = SigningKey::from_seed({});
  static const VerifierKey ours{log_origin({}), signer.public_key()};
  static const VerifierKey other{log_origin({}), {}};
  const std::string_view text = fuzz::text(data, size);
  if (const auto key = VerifierKey::parse(text)) {
    const auto again = VerifierKey::parse(key->text());
    fuzz::must(again.ok() && *again == *key);
  }
  if (const auto checkpoint = parse_checkpoint(text)) {
    const auto again = parse_checkpoint(sign_checkpoint(*checkpoint, signer));
    fuzz::must(again.ok() && *again == *checkpoint);
  }
  fuzz::must(!verify_checkpoint(text, other).ok());
  if (const auto believed = verify_checkpoint(text, ours)) {
    fuzz::must(believed->origin == ours.name && parse_checkpoint(text).ok());
  }
  if (const auto receipt = Receipt::parse(text)) {
    const auto again = Receipt::parse(receipt->text());
    fuzz::must(again.ok() && again->index == receipt->index && again->path == receipt->path &&
               again->checkpoint == receipt->checkpoint && again->extra == receipt->extra);
    fuzz::must(!receipt->verify(bytes_of("leaf"), other).ok());
  }
  return 0;
}

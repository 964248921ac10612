// Any text as a dice transcript: an error with words, or one that writes itself back and is
// checked.
#include "domain/fairdice/transcript.h"
#include "domain/fairdice/transcript_json.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto transcript = fairdice::transcript_from_json(fuzz::text(data, size));
  if (!transcript) {
    fuzz::must(!transcript.error().text.empty());
    return 0;
  }
  const std::string written = fairdice::transcript_to_json(*transcript);
  auto again = fairdice::transcript_from_json(written);
  fuzz::must(again.ok());
  fuzz::must(fairdice::transcript_to_json(*again) == written);
  (void)fairdice::verify_transcript(*transcript);
  return 0;
}

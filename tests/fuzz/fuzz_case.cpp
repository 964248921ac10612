// Any text as a case of the freeform system: an error that names the field, or a report; and the
// same text again gives the same.
#include "replay/casebook.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Casebook casebook;
  const std::string_view text = fuzz::text(data, size);
  const auto report = casebook.run(text);
  const auto again = casebook.run(text);
  fuzz::must(report.ok() == again.ok());
  if (!report) {
    fuzz::must(!report.error().text.empty() && report.error().text == again.error().text);
    return 0;
  }
  fuzz::must(report->ok == again->ok && report->steps == again->steps);
  fuzz::must(report->ok == report->where.empty());
  return 0;
}

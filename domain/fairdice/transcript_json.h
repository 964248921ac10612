// The text form of a dice transcript, "wardiary-dice/1"; docs/dice.md describes every field. Byte
// strings are lower-case hexadecimal. Reading is strict: a field that is missing, unknown, of the
// wrong type or length is an error that names it, so that nothing unchecked can ride along.
#pragma once

#include <string>
#include <string_view>

#include "domain/fairdice/transcript.h"

namespace wardiary::fairdice {

Result<DiceTranscript> transcript_from_json(std::string_view text);
std::string transcript_to_json(const DiceTranscript& transcript);

}  // namespace wardiary::fairdice

// What may be said about evidence. The ladder never names a person as the cause of anything and
// never accuses.
#pragma once

#include <string_view>

namespace wardiary::statistics {

enum class EvidenceLevel { kFits, kNone, kWatch, kRare, kStrong };

// Below 1, 1 to 10, 10 to 20, 20 to 100, above.
EvidenceLevel evidence_level(double log_e);

// Stable words for JSON: "fits", "none", "watch", "rare", "strong".
std::string_view name_of(EvidenceLevel level);

// The sentence a reader sees, in English.
std::string_view sentence_for(EvidenceLevel level);

// First sentence of any page with statistics of proven dice.
inline constexpr std::string_view kProvenFirst =
    "These dice are proven; the numbers below describe luck and prove nothing further.";

}  // namespace wardiary::statistics

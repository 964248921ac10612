#include "projections/statistics/wording.h"

#include <cmath>

namespace wardiary::statistics {
namespace {

struct Rung {
  double below;  // e
  EvidenceLevel level;
};
constexpr Rung kLadder[] = {{1, EvidenceLevel::kFits},
                            {10, EvidenceLevel::kNone},
                            {20, EvidenceLevel::kWatch},
                            {100, EvidenceLevel::kRare}};

}  // namespace

EvidenceLevel evidence_level(double log_e) {
  for (const Rung& rung : kLadder) {
    if (log_e < std::log(rung.below)) return rung.level;
  }
  return EvidenceLevel::kStrong;
}

std::string_view name_of(EvidenceLevel level) {
  switch (level) {
    case EvidenceLevel::kFits:
      return "fits";
    case EvidenceLevel::kNone:
      return "none";
    case EvidenceLevel::kWatch:
      return "watch";
    case EvidenceLevel::kRare:
      return "rare";
    case EvidenceLevel::kStrong:
      return "strong";
  }
  return "?";
}

std::string_view sentence_for(EvidenceLevel level) {
  switch (level) {
    case EvidenceLevel::kFits:
      return "fits fair dice better than the alternatives tried";
    case EvidenceLevel::kNone:
      return "no evidence";
    case EvidenceLevel::kWatch:
      return "worth watching";
    case EvidenceLevel::kRare:
      return "would happen at most once in 20 fair histories, ever";
    case EvidenceLevel::kStrong:
      return "strong evidence against fair dice";
  }
  return "?";
}

}  // namespace wardiary::statistics

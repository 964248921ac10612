// The pre-declared statistics of one sequence of like dice: always the same ones, chosen before
// looking. Proven and imported dice are different sequences and are never put into one of these.
#pragma once

#include <cstdint>
#include <vector>

#include "projections/statistics/eprocess.h"
#include "projections/statistics/fit.h"
#include "projections/statistics/order.h"

namespace wardiary::statistics {

struct DiceSummary {
  unsigned sides = 0;
  std::uint64_t dice = 0;
  std::vector<std::uint32_t> counts;  // of faces 1..sides
  FitResult faces;                    // X²
  PairsResult pairs;             // only with at least 5 expected in each cell; degrees 0 if not
  std::vector<double> adjusted;  // Holm's p of faces and, if there, pairs
  double log_e_faces = 0;
  double log_e_order = 0;
  double log_e = 0;      // mean of the two: the one number to watch
  double anytime_p = 1;  // of that mean, valid however often one looks
};

// Fed die by die, as rolls are replayed; `summary` may be asked for at any time.
class DiceWatch {
 public:
  explicit DiceWatch(unsigned sides);
  unsigned sides() const { return sides_; }
  // `face` must be 1..sides; anything else is ignored.
  void add(unsigned face);
  DiceSummary summary() const;
  // Of the summary's mean e-value; cheap, for a look after every roll.
  double anytime_p() const;

 private:
  unsigned sides_, previous_ = 0;
  std::vector<std::uint32_t> counts_, pairs_;
  std::uint64_t dice_ = 0;
  FaceEvidence faces_;
  OrderEvidence order_;
  double log_e_max_ = 0;
};

}  // namespace wardiary::statistics

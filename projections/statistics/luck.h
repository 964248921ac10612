// Luck, told honestly: what came, what was to be expected, and how far apart the two are.
#pragma once

#include <cstdint>

#include "projections/statistics/distribution.h"

namespace wardiary::statistics {

// One roll, or a group of dice whose number was fixed beforehand.
struct RollLuck {
  double expected = 0;
  std::int64_t actual = 0;
  double at_most = 1;      // P(X <= actual)
  double at_least = 1;     // P(X >= actual)
  double percentile = 50;  // mid-percentile
};
RollLuck luck_of(const Distribution& distribution, std::int64_t actual);

// Over a game: the sum of what came minus what was to be expected given the choice made. Its mean
// is zero whatever the player's skill and however choices depend on earlier dice, which does not
// hold for dice pooled as if their number had been fixed. Show the excess first, z second, and both
// sides.
class LuckSum {
 public:
  // One outcome in the units of the game: hits, steps, points.
  void add(double actual, double expected, double variance);
  void add_hit(double chance, bool hit) { add(hit ? 1 : 0, chance, chance * (1 - chance)); }
  void add(const Distribution& distribution, std::int64_t actual);
  // Two sums over different rolls.
  void add(const LuckSum& other);

  std::uint64_t count() const { return count_; }
  double actual() const { return actual_; }
  double expected() const { return expected_; }
  double excess() const { return actual_ - expected_; }
  double variance() const { return variance_; }
  // Excess in standard deviations; 0 as long as nothing was random.
  double z() const;

 private:
  std::uint64_t count_ = 0;
  double actual_ = 0, expected_ = 0, variance_ = 0;
};

}  // namespace wardiary::statistics

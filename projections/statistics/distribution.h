// Exact distributions of what dice can do: sums, and hits of dice with differing odds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wardiary::statistics {

// Probabilities of lowest, lowest+1, ... Tails are summed from the end they are asked for, so a
// tiny one keeps its digits.
struct Distribution {
  std::int64_t lowest = 0;
  std::vector<double> p;

  double exactly(std::int64_t x) const;
  double at_most(std::int64_t x) const;
  double at_least(std::int64_t x) const;
  // 100 (P(X < x) + P(X = x) / 2): where x lies; 50 is the middle.
  double mid_percentile(std::int64_t x) const;
  double mean() const;
  double variance() const;
};

// More dice than this are summed by the normal approximation, which is then far closer than anyone
// can read; the exact way costs the square of the number.
inline constexpr std::size_t kExactDiceMax = 2000;

// The distribution of X + Y.
Distribution convolve(const Distribution& x, const Distribution& y);

// The sum of `count` dice of 1..sides.
Distribution sum_of_dice(unsigned count, unsigned sides);

// The number of hits among dice that hit with the given chances (Poisson-binomial).
Distribution hits(std::span<const double> chances);

// P(X <= x) and P(X >= x) of a whole number with this mean and variance, normal with continuity
// correction: for more than kExactDiceMax dice.
double normal_at_most(std::int64_t x, double mean, double variance);
double normal_at_least(std::int64_t x, double mean, double variance);

// Binomial tails.
double binomial_at_most(unsigned hits, unsigned dice, double chance);
double binomial_at_least(unsigned hits, unsigned dice, double chance);

// The fewest dice with which a one-sided exact binomial test at level `alpha` finds a die of chance
// `actual` > `fair` out with probability `power`: what a sample of fewer can not show. 0 if more
// than `limit`.
unsigned dice_needed(double fair, double actual, double alpha, double power,
                     unsigned limit = 100'000);

}  // namespace wardiary::statistics

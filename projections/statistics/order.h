// Do dice depend on the dice before them? Runs, neighbouring products, pairs and streaks.
#pragma once

#include <cstdint>
#include <span>

#include "projections/statistics/distribution.h"
#include "projections/statistics/fit.h"

namespace wardiary::statistics {

// The number of runs when `a` dice of one kind and `b` of another are in random order; exact.
Distribution runs(unsigned a, unsigned b);

// The sum of products of neighbours, and how often a random order of the same dice gives as much.
// All orders are tried up to nine dice; more are sampled.
struct LagResult {
  std::uint64_t sum = 0;
  double at_least = 1;
  Method method = Method::kExact;
  std::uint64_t seed = 0;
  unsigned samples = 0;
};
LagResult lag_one(std::span<const std::uint32_t> faces, unsigned samples = 9'999,
                  std::uint64_t seed = 1);

// Overlapping pairs: their X² does not follow the chi-squared law with k² - 1 degrees, but Good's
// difference of X² for pairs and for single faces does, with k (k - 1).
struct PairsResult {
  double x2_pairs = 0;
  double x2_singles = 0;
  double difference = 0;
  unsigned degrees = 0;
  double p = 1;
};
// `pairs` is a k by k table, row by row: how often face j followed face i.
PairsResult good_pairs(Counts pairs, unsigned k);
// Faces are 1..k.
PairsResult good_pairs_of(std::span<const std::uint32_t> faces, unsigned k);

// The chance that among `dice` independent ones somewhere at least `length` in a row show what each
// shows with probability `chance`. Over the whole game, not from where the streak began.
double streak_chance(unsigned dice, unsigned length, double chance);

}  // namespace wardiary::statistics

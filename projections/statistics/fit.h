// Do the faces come up as often as they should? Goodness of fit, exact where that is affordable.
//
// Choose one statistic before looking: X², G and the multinomial probability order samples
// differently, and the best of three is not a p-value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wardiary::statistics {

enum class FitStatistic { kChiSquared, kLikelihoodRatio, kMultinomial };

enum class Method {
  kExact,       // all possible counts enumerated
  kMonteCarlo,  // (1 + b) / (1 + m) over m seeded samples
  kAsymptotic,  // the chi-squared law
};

struct FitResult {
  double statistic = 0;  // X², G, or minus the log of the multinomial probability
  double p = 1;
  Method method = Method::kExact;
  std::uint64_t seed = 0;  // of the samples, if any
  unsigned samples = 0;
};

struct FitLimits {
  std::uint64_t partitions_max = 4'000'000;     // about 0.15 s
  std::uint64_t sampled_dice_max = 20'000'000;  // samples times dice, about 0.1 s
  unsigned samples = 9'999;
  std::uint64_t seed = 1;
};

using Counts = std::span<const std::uint32_t>;

// Sum of (n_i - n p_i)² / (n p_i). Without probabilities, all equal.
double chi_squared(Counts counts);
double chi_squared(Counts counts, std::span<const double> probabilities);
// 2 sum of n_i log(n_i / (n p_i)), all equal.
double likelihood_ratio(Counts counts);
// Upper tail of the chi-squared law; 1 for no degree of freedom.
double chi_squared_p(double x2, unsigned degrees);

// Equal probabilities, by enumeration of the partitions of n: always exact, whatever it costs.
FitResult exact_fit(Counts counts, FitStatistic statistic);
// Equal probabilities; exact, else sampled, else asymptotic, as the limits allow.
FitResult fit(Counts counts, FitStatistic statistic, const FitLimits& limits = {});
// By samples, for any probabilities (they must sum to 1); X² only.
FitResult sampled_fit(Counts counts, std::span<const double> probabilities, unsigned samples,
                      std::uint64_t seed);

// In how many ways n can be split into at most k parts; saturates at 2^63.
std::uint64_t partition_count(std::uint32_t n, std::uint32_t k);

}  // namespace wardiary::statistics

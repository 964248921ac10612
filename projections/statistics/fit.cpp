#include "projections/statistics/fit.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <numeric>

#include "projections/statistics/random.h"

namespace wardiary::statistics {
namespace {

std::uint64_t total(Counts counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// log 0!, log 1!, ... by plain summation: std::lgamma is not thread-safe.
std::vector<double> log_factorials(std::size_t n) {
  std::vector<double> out(n + 1);
  for (std::size_t i = 2; i <= n; ++i) out[i] = out[i - 1] + std::log(static_cast<double>(i));
  return out;
}

// Walks all splits of n into k parts in non-increasing order and adds up the probability of those
// at least as extreme as the observed one. `score_` is a sum over parts that orders splits as the
// statistic does: n_i², n_i log n_i, log n_i!. The last two are compared with a little slack, so
// that splits that tie in exact arithmetic count as ties.
class PartitionSum {
 public:
  PartitionSum(Counts counts, FitStatistic statistic)
      : k_(static_cast<std::uint32_t>(counts.size())),
        n_(static_cast<std::uint32_t>(total(counts))),
        log_factorial_(log_factorials(std::max<std::size_t>(n_, k_))) {
    score_.resize(n_ + 1);
    for (std::uint32_t i = 0; i <= n_; ++i) score_[i] = score(i, statistic);
    double observed = 0;
    for (std::uint32_t c : counts) observed += score_[c];
    threshold_ = observed - 1e-9 * std::max(1.0, std::abs(observed));
    base_ = log_factorial_[n_] + log_factorial_[k_] - n_ * std::log(static_cast<double>(k_));
  }

  double sum() {
    walk(k_, n_, n_, 0, 0, 0);
    return std::min(sum_, 1.0);
  }

 private:
  double score(std::uint32_t i, FitStatistic statistic) const {
    switch (statistic) {
      case FitStatistic::kChiSquared:
        return static_cast<double>(i) * i;
      case FitStatistic::kLikelihoodRatio:
        return i == 0 ? 0 : i * std::log(static_cast<double>(i));
      case FitStatistic::kMultinomial:
        break;
    }
    return log_factorial_[i];
  }

  // `slots` parts of at most `largest` are still to come and sum to `left`. `weight` is the log of
  // what the parts so far divide the number of arrangements by; `run` counts equal parts.
  void walk(std::uint32_t slots, std::uint32_t left, std::uint32_t largest, std::uint32_t run,
            double score, double weight) {
    if (slots == 1) return leaf(left, left == largest ? run + 1 : 1, score, weight);
    const std::uint32_t least = (left + slots - 1) / slots;
    for (std::uint32_t part = std::min(left, largest); part + 1 > least; --part) {
      const std::uint32_t repeated = part == largest && run > 0 ? run + 1 : 1;
      walk(slots - 1, left - part, part, repeated, score + score_[part],
           weight + log_factorial_[part] + std::log(static_cast<double>(repeated)));
      if (part == 0) break;
    }
  }

  void leaf(std::uint32_t part, std::uint32_t run, double score, double weight) {
    if (score + score_[part] < threshold_) return;
    const double divisor = weight + log_factorial_[part] + std::log(static_cast<double>(run));
    sum_ += std::exp(base_ - divisor);
  }

  std::uint32_t k_, n_;
  std::vector<double> log_factorial_, score_;
  double threshold_ = 0, base_ = 0, sum_ = 0;
};

double statistic_of(Counts counts, FitStatistic statistic) {
  switch (statistic) {
    case FitStatistic::kChiSquared:
      return chi_squared(counts);
    case FitStatistic::kLikelihoodRatio:
      return likelihood_ratio(counts);
    case FitStatistic::kMultinomial:
      break;
  }
  const auto n = static_cast<std::size_t>(total(counts));
  const auto table = log_factorials(n);
  double out = static_cast<double>(n) * std::log(static_cast<double>(counts.size())) - table[n];
  for (std::uint32_t c : counts) out += table[c];
  return out;
}

// Samples of n fair k-sided dice, scored like PartitionSum.
FitResult sample_equal(Counts counts, FitStatistic statistic, const FitLimits& limits) {
  FitResult out{statistic_of(counts, statistic), 1, Method::kMonteCarlo, limits.seed,
                limits.samples};
  const std::uint64_t n = total(counts);
  SeededRandom random(limits.seed);
  std::vector<std::uint32_t> drawn(counts.size());
  unsigned extreme = 0;
  for (unsigned s = 0; s < limits.samples; ++s) {
    std::fill(drawn.begin(), drawn.end(), 0);
    for (std::uint64_t i = 0; i < n; ++i) {
      ++drawn[random.below(static_cast<std::uint32_t>(drawn.size()))];
    }
    const double value = statistic_of(drawn, statistic);
    if (value >= out.statistic - 1e-9 * std::max(1.0, out.statistic)) ++extreme;
  }
  out.p = (1.0 + extreme) / (1.0 + limits.samples);
  return out;
}

}  // namespace

double chi_squared(Counts counts) {
  // n sum p_i (n_i/(n p_i))² - n, with one rounding at the end: the sums are integers.
  const auto n = static_cast<double>(total(counts));
  if (n == 0) return 0;
  double squares = 0;
  for (std::uint32_t c : counts) squares += static_cast<double>(c) * c;
  return squares * static_cast<double>(counts.size()) / n - n;
}

double chi_squared(Counts counts, std::span<const double> probabilities) {
  const auto n = static_cast<double>(total(counts));
  double out = 0;
  for (std::size_t i = 0; i < counts.size() && n > 0; ++i) {
    const double expected = n * probabilities[i];
    out += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return out;
}

double likelihood_ratio(Counts counts) {
  const auto n = static_cast<double>(total(counts));
  double out = 0;
  for (std::uint32_t c : counts) {
    if (c > 0) out += 2 * c * std::log(c * static_cast<double>(counts.size()) / n);
  }
  return out;
}

double chi_squared_p(double x2, unsigned degrees) {
  if (degrees == 0 || x2 <= 0) return 1;
  // The complement keeps its digits where 1 - cdf would be 0.
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(degrees), x2));
}

FitResult exact_fit(Counts counts, FitStatistic statistic) {
  FitResult out;
  out.statistic = statistic_of(counts, statistic);
  out.p = counts.empty() || total(counts) == 0 ? 1 : PartitionSum(counts, statistic).sum();
  return out;
}

FitResult fit(Counts counts, FitStatistic statistic, const FitLimits& limits) {
  const std::uint64_t n = total(counts);
  const auto k = static_cast<std::uint32_t>(counts.size());
  if (n <= 100'000 && partition_count(static_cast<std::uint32_t>(n), k) <= limits.partitions_max) {
    return exact_fit(counts, statistic);
  }
  if (n * limits.samples <= limits.sampled_dice_max) return sample_equal(counts, statistic, limits);
  // So many dice that the law is as good as exact; the multinomial probability has none of its own
  // and is close to X² there.
  const double value =
      statistic == FitStatistic::kLikelihoodRatio ? likelihood_ratio(counts) : chi_squared(counts);
  return {statistic_of(counts, statistic), chi_squared_p(value, k - 1), Method::kAsymptotic, 0, 0};
}

FitResult sampled_fit(Counts counts, std::span<const double> probabilities, unsigned samples,
                      std::uint64_t seed) {
  FitResult out{chi_squared(counts, probabilities), 1, Method::kMonteCarlo, seed, samples};
  std::vector<double> up_to(probabilities.size());
  std::partial_sum(probabilities.begin(), probabilities.end(), up_to.begin());
  const std::uint64_t n = total(counts);
  SeededRandom random(seed);
  std::vector<std::uint32_t> drawn(counts.size());
  unsigned extreme = 0;
  for (unsigned s = 0; s < samples; ++s) {
    std::fill(drawn.begin(), drawn.end(), 0);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto found = std::upper_bound(up_to.begin(), up_to.end() - 1, random.unit());
      ++drawn[static_cast<std::size_t>(found - up_to.begin())];
    }
    if (chi_squared(drawn, probabilities) >= out.statistic - 1e-9 * std::max(1.0, out.statistic)) {
      ++extreme;
    }
  }
  out.p = (1.0 + extreme) / (1.0 + samples);
  return out;
}

std::uint64_t partition_count(std::uint32_t n, std::uint32_t k) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
  // ways[m]: splits of m into parts of at most j, which are as many as into at most j parts.
  std::vector<std::uint64_t> ways(std::size_t{n} + 1);
  ways[0] = 1;
  for (std::uint32_t j = 1; j <= k && j <= n; ++j) {
    for (std::uint32_t m = j; m <= n; ++m) ways[m] = std::min(kMost, ways[m] + ways[m - j]);
  }
  return ways[n];
}

}  // namespace wardiary::statistics

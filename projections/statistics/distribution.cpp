#include "projections/statistics/distribution.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace wardiary::statistics {

double Distribution::exactly(std::int64_t x) const {
  const std::int64_t i = x - lowest;
  return i < 0 || i >= static_cast<std::int64_t>(p.size()) ? 0 : p[static_cast<std::size_t>(i)];
}

double Distribution::at_most(std::int64_t x) const {
  const auto end = std::clamp<std::int64_t>(x - lowest + 1, 0, static_cast<std::int64_t>(p.size()));
  double sum = 0;
  for (std::int64_t i = 0; i < end; ++i) sum += p[static_cast<std::size_t>(i)];
  return std::min(sum, 1.0);
}

double Distribution::at_least(std::int64_t x) const {
  const auto begin = std::clamp<std::int64_t>(x - lowest, 0, static_cast<std::int64_t>(p.size()));
  double sum = 0;
  for (auto i = static_cast<std::int64_t>(p.size()); i-- > begin;) {
    sum += p[static_cast<std::size_t>(i)];
  }
  return std::min(sum, 1.0);
}

double Distribution::mid_percentile(std::int64_t x) const {
  return 100 * (at_most(x - 1) + exactly(x) / 2);
}

double Distribution::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += static_cast<double>(i) * p[i];
  return static_cast<double>(lowest) + sum;
}

double Distribution::variance() const {
  const double middle = mean() - static_cast<double>(lowest);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double d = static_cast<double>(i) - middle;
    sum += d * d * p[i];
  }
  return sum;
}

Distribution convolve(const Distribution& x, const Distribution& y) {
  if (x.p.empty() || y.p.empty()) return {};
  Distribution out{x.lowest + y.lowest, std::vector<double>(x.p.size() + y.p.size() - 1)};
  for (std::size_t i = 0; i < x.p.size(); ++i) {
    for (std::size_t j = 0; j < y.p.size(); ++j) out.p[i + j] += x.p[i] * y.p[j];
  }
  return out;
}

Distribution sum_of_dice(unsigned count, unsigned sides) {
  // One die after another by a sliding window: each new entry is the mean of `sides` old ones.
  std::vector<double> p{1};
  for (unsigned die = 0; die < count; ++die) {
    std::vector<double> next(p.size() + sides - 1);
    for (std::size_t i = 0; i < next.size(); ++i) {
      const std::size_t from = i + 1 < sides ? 0 : i + 1 - sides;
      double sum = 0;
      for (std::size_t k = from; k <= i && k < p.size(); ++k) sum += p[k];
      next[i] = sum / sides;
    }
    p = std::move(next);
  }
  return {count, std::move(p)};
}

Distribution hits(std::span<const double> chances) {
  std::vector<double> p{1};
  for (double chance : chances) {
    p.push_back(0);
    for (std::size_t h = p.size(); h-- > 1;) p[h] = p[h] * (1 - chance) + p[h - 1] * chance;
    p[0] *= 1 - chance;
  }
  return {0, std::move(p)};
}

double normal_at_most(std::int64_t x, double mean, double variance) {
  if (variance <= 0) return static_cast<double>(x) >= mean ? 1 : 0;
  const boost::math::normal law(mean, std::sqrt(variance));
  return boost::math::cdf(law, static_cast<double>(x) + 0.5);
}

double normal_at_least(std::int64_t x, double mean, double variance) {
  if (variance <= 0) return static_cast<double>(x) <= mean ? 1 : 0;
  const boost::math::normal law(mean, std::sqrt(variance));
  return boost::math::cdf(boost::math::complement(law, static_cast<double>(x) - 0.5));
}

double binomial_at_most(unsigned hits, unsigned dice, double chance) {
  if (hits >= dice) return 1;
  return boost::math::cdf(boost::math::binomial(dice, std::clamp(chance, 0.0, 1.0)), hits);
}

double binomial_at_least(unsigned hits, unsigned dice, double chance) {
  if (hits == 0) return 1;
  if (hits > dice) return 0;
  const boost::math::binomial law(dice, std::clamp(chance, 0.0, 1.0));
  return boost::math::cdf(boost::math::complement(law, hits - 1));
}

unsigned dice_needed(double fair, double actual, double alpha, double power, unsigned limit) {
  unsigned critical = 0;  // grows with n, by no more than one a die
  for (unsigned n = 1; n <= limit; ++n) {
    while (critical <= n && binomial_at_least(critical, n, fair) > alpha) ++critical;
    if (critical <= n && binomial_at_least(critical, n, actual) >= power) return n;
  }
  return 0;
}

}  // namespace wardiary::statistics

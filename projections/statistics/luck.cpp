#include "projections/statistics/luck.h"

#include <cmath>

namespace wardiary::statistics {

RollLuck luck_of(const Distribution& distribution, std::int64_t actual) {
  return {distribution.mean(), actual, distribution.at_most(actual), distribution.at_least(actual),
          distribution.mid_percentile(actual)};
}

void LuckSum::add(double actual, double expected, double variance) {
  ++count_;
  actual_ += actual;
  expected_ += expected;
  variance_ += variance;
}

void LuckSum::add(const Distribution& distribution, std::int64_t actual) {
  add(static_cast<double>(actual), distribution.mean(), distribution.variance());
}

void LuckSum::add(const LuckSum& other) {
  count_ += other.count_;
  actual_ += other.actual_;
  expected_ += other.expected_;
  variance_ += other.variance_;
}

double LuckSum::z() const {
  return variance_ > 0 ? excess() / std::sqrt(variance_) : 0;
}

}  // namespace wardiary::statistics

#include "projections/statistics/statistics.h"

#include <algorithm>
#include <cmath>

#include "projections/statistics/multiple.h"

namespace wardiary::statistics {
namespace {

constexpr std::uint64_t kExpectedPerCell = 5;

double mean_of(double a, double b) {
  const double both[] = {a, b};
  return mean_log_e(both);
}

}  // namespace

DiceWatch::DiceWatch(unsigned sides)
    : sides_(sides),
      counts_(sides),
      pairs_(std::size_t{sides} * sides),
      faces_(sides),
      order_(sides) {}

void DiceWatch::add(unsigned face) {
  if (face < 1 || face > sides_) return;
  ++dice_;
  ++counts_[face - 1];
  if (previous_ != 0) ++pairs_[(previous_ - 1) * sides_ + face - 1];
  previous_ = face;
  faces_.add(face);
  order_.add(face);
  // A mean is at most the larger of the two: mostly there is nothing to work out.
  if (std::max(faces_.log_e_bound(), order_.log_e_bound()) > log_e_max_) {
    log_e_max_ = std::max(log_e_max_, mean_of(faces_.log_e(), order_.log_e()));
  }
}

double DiceWatch::anytime_p() const {
  return std::exp(-log_e_max_);
}

DiceSummary DiceWatch::summary() const {
  DiceSummary out;
  out.sides = sides_;
  out.dice = dice_;
  out.counts = counts_;
  out.faces = fit(counts_, FitStatistic::kChiSquared);
  std::vector<double> p{out.faces.p};
  if (dice_ > kExpectedPerCell * sides_ * sides_) {
    out.pairs = good_pairs(pairs_, sides_);
    p.push_back(out.pairs.p);
  }
  out.adjusted = holm(p);
  out.log_e_faces = faces_.log_e();
  out.log_e_order = order_.log_e();
  out.log_e = mean_of(out.log_e_faces, out.log_e_order);
  out.anytime_p = anytime_p();
  return out;
}

}  // namespace wardiary::statistics

#include "projections/statistics/multiple.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace wardiary::statistics {
namespace {

// Indices by ascending value; equal ones stay in order.
std::vector<std::size_t> ranking(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  std::vector<double> out(p.size());
  double least = 0;
  const auto order = ranking(p);
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, p[order[i]] * static_cast<double>(p.size() - i)));
    out[order[i]] = least;
  }
  return out;
}

double selected(double p, unsigned choices) {
  if (p >= 1) return choices == 0 ? 0 : 1;
  return -std::expm1(choices * std::log1p(-p));
}

double mean_log_e(std::span<const double> log_e) {
  if (log_e.empty()) return 0;
  const double top = *std::max_element(log_e.begin(), log_e.end());
  if (!std::isfinite(top)) return top;
  double sum = 0;
  for (double value : log_e) sum += std::exp(value - top);
  return top + std::log(sum / static_cast<double>(log_e.size()));
}

std::vector<std::size_t> e_bh(std::span<const double> log_e, double alpha) {
  auto order = ranking(log_e);
  std::reverse(order.begin(), order.end());
  std::size_t keep = 0;
  for (std::size_t k = 1; k <= order.size(); ++k) {
    const double needed = static_cast<double>(order.size()) / (alpha * static_cast<double>(k));
    if (log_e[order[k - 1]] >= std::log(needed)) keep = k;
  }
  order.resize(keep);
  return order;
}

}  // namespace wardiary::statistics

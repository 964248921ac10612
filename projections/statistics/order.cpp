#include "projections/statistics/order.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "projections/statistics/random.h"

namespace wardiary::statistics {
namespace {

constexpr std::size_t kAllOrdersMax = 9;

// log of n choose k; minus infinity where there is none.
double log_choose(double n, double k) {
  if (k < 0 || k > n) return -std::numeric_limits<double>::infinity();
  using boost::math::lgamma;
  return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

std::uint64_t neighbour_products(std::span<const std::uint32_t> faces) {
  std::uint64_t sum = 0;
  for (std::size_t i = 1; i < faces.size(); ++i) sum += std::uint64_t{faces[i - 1]} * faces[i];
  return sum;
}

}  // namespace

Distribution runs(unsigned a, unsigned b) {
  if (a == 0 || b == 0) return {a + b == 0 ? 0 : 1, {1}};
  const double all = log_choose(a + b, a);
  Distribution out{2, {}};
  const unsigned most = 2 * std::min(a, b) + (a == b ? 0 : 1);
  for (unsigned r = 2; r <= most; ++r) {
    const double k = r / 2;  // runs of each kind; of one kind one more when r is odd
    const auto ways = [&](double of_a, double of_b) {
      return std::exp(log_choose(a - 1.0, of_a - 1) + log_choose(b - 1.0, of_b - 1) - all);
    };
    out.p.push_back(r % 2 == 0 ? 2 * ways(k, k) : ways(k + 1, k) + ways(k, k + 1));
  }
  return out;
}

LagResult lag_one(std::span<const std::uint32_t> faces, unsigned samples, std::uint64_t seed) {
  LagResult out;
  out.sum = neighbour_products(faces);
  std::vector<std::uint32_t> order(faces.begin(), faces.end());
  if (order.size() <= kAllOrdersMax) {
    std::sort(order.begin(), order.end());
    std::uint64_t all = 0, extreme = 0;
    do {
      ++all;
      if (neighbour_products(order) >= out.sum) ++extreme;
    } while (std::next_permutation(order.begin(), order.end()));
    out.at_least = static_cast<double>(extreme) / static_cast<double>(all);
    return out;
  }
  SeededRandom random(seed);
  unsigned extreme = 0;
  for (unsigned s = 0; s < samples; ++s) {
    random.shuffle(std::span(order));
    if (neighbour_products(order) >= out.sum) ++extreme;
  }
  out.method = Method::kMonteCarlo;
  out.seed = seed;
  out.samples = samples;
  out.at_least = (1.0 + extreme) / (1.0 + samples);
  return out;
}

PairsResult good_pairs(Counts pairs, unsigned k) {
  PairsResult out;
  std::vector<std::uint32_t> singles(k);
  for (unsigned i = 0; i < k; ++i) {
    for (unsigned j = 0; j < k; ++j) singles[j] += pairs[i * k + j];
  }
  out.x2_pairs = chi_squared(pairs);
  out.x2_singles = chi_squared(singles);
  out.difference = out.x2_pairs - out.x2_singles;
  out.degrees = k * (k - 1);
  out.p = chi_squared_p(out.difference, out.degrees);
  return out;
}

PairsResult good_pairs_of(std::span<const std::uint32_t> faces, unsigned k) {
  std::vector<std::uint32_t> pairs(std::size_t{k} * k);
  for (std::size_t i = 1; i < faces.size(); ++i) ++pairs[(faces[i - 1] - 1) * k + faces[i] - 1];
  return good_pairs(pairs, k);
}

double streak_chance(unsigned dice, unsigned length, double chance) {
  if (length == 0) return 1;
  // at[s]: no streak yet, and the last s dice, no more, were in a row. A ring: the state that
  // grows by one each die is the same slot of memory, only the miss moves.
  std::vector<double> at(length);
  std::size_t zero = 0;
  at[zero] = 1;
  double alive = 1, reached = 0;
  for (unsigned die = 0; die < dice; ++die) {
    const std::size_t last = (zero + length - 1) % length;  // length-1 in a row so far
    const double done = at[last] * chance;
    const double missed = alive * (1 - chance);
    reached += done;
    for (double& state : at) state *= chance;
    alive += -done;
    zero = last;
    at[zero] = missed;
  }
  return reached;
}

}  // namespace wardiary::statistics

#include "projections/statistics/eprocess.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "projections/statistics/multiple.h"

namespace wardiary::statistics {
namespace {

constexpr double kSmall = 1e-100, kLarge = 1e100;
constexpr std::array<double, 4> kOddsRatios = {1.25, 1.5, 2, 3};

}  // namespace

ProductMixture::ProductMixture(std::size_t products) : products_(products) {}

void ProductMixture::multiply(std::size_t product, double factor) {
  double& mantissa = products_[product].mantissa;
  mantissa *= factor;
  if (mantissa < kSmall || mantissa > kLarge) rescale(product);
}

// Moves the mantissa into the offset; rare, so that a die costs multiplications and no logarithm.
void ProductMixture::rescale(std::size_t product) {
  Product& moved = products_[product];
  moved.offset += std::log(moved.mantissa);
  moved.mantissa = 1;
  top_ = moved.offset;
  for (const Product& p : products_) top_ = std::max(top_, p.offset);
  for (Product& p : products_) p.share = std::exp(p.offset - top_);
}

ProductMixture::Scaled ProductMixture::mean() const {
  double sum = 0;
  for (const Product& p : products_) sum += p.mantissa * p.share;
  return {top_, sum / static_cast<double>(products_.size())};
}

double ProductMixture::log_mean() const {
  const Scaled now = mean();
  return now.offset + std::log(now.factor);
}

double ProductMixture::log_product(std::size_t product) const {
  return products_[product].offset + std::log(products_[product].mantissa);
}

double Watched::log_e() const {
  return now_.offset + std::log(now_.factor);
}

void Watched::update(const ProductMixture::Scaled& e) {
  now_ = e;
  if (log_e_bound() > max_) max_ = std::max(max_, log_e());
}

double Watched::anytime_p() const {
  return std::exp(-max_);
}

FaceEvidence::FaceEvidence(unsigned sides, std::span<const double> strengths)
    : strengths_(strengths.begin(), strengths.end()), counts_(sides), mixture_(strengths.size()) {}

// What the Dirichlet prior of strength kappa predicted for this face, over what fairness did.
void FaceEvidence::add(unsigned face) {
  const auto sides = static_cast<double>(counts_.size());
  std::uint64_t& count = counts_[face - 1];
  for (std::size_t i = 0; i < strengths_.size(); ++i) {
    const double predicted = (strengths_[i] / sides + static_cast<double>(count)) /
                             (strengths_[i] + static_cast<double>(total_));
    mixture_.multiply(i, predicted * sides);
  }
  ++count;
  ++total_;
  update(mixture_.mean());
}

double face_log_e(std::span<const std::uint32_t> counts, double strength) {
  using boost::math::lgamma;
  const auto sides = static_cast<double>(counts.size());
  double n = 0, out = 0;
  for (std::uint32_t c : counts) {
    n += c;
    out += lgamma(strength / sides + c) - lgamma(strength / sides);
  }
  return out + lgamma(strength) - lgamma(strength + n) + n * std::log(sides);
}

double face_log_e(std::span<const std::uint32_t> counts) {
  std::array<double, kStrengths.size()> each{};
  for (std::size_t i = 0; i < each.size(); ++i) each[i] = face_log_e(counts, kStrengths[i]);
  return mean_log_e(each);
}

HitEvidence::HitEvidence() : mixture_(2 * kOddsRatios.size()) {}

void HitEvidence::add(double chance, bool hit) {
  const std::size_t half = kOddsRatios.size();
  std::array<double, kOddsRatios.size()> up{}, down{};
  for (std::size_t i = 0; i < half; ++i) {
    const double theta = kOddsRatios[i];
    mixture_.multiply(i, (hit ? theta : 1) / (1 - chance + theta * chance));
    mixture_.multiply(half + i, (hit ? 1 / theta : 1) / (1 - chance + chance / theta));
    up[i] = mixture_.log_product(i);
    down[i] = mixture_.log_product(half + i);
  }
  up_.update(mean_log_e(up));
  down_.update(mean_log_e(down));
  both_.update(mixture_.mean());
}

OrderEvidence::OrderEvidence(unsigned sides)
    : sides_(sides),
      pairs_(std::size_t{sides} * sides),
      totals_(sides),
      mixture_(kStrengths.size()) {}

void OrderEvidence::add(unsigned face) {
  if (previous_ != 0) {
    std::uint64_t& count = pairs_[(previous_ - 1) * sides_ + face - 1];
    std::uint64_t& total = totals_[previous_ - 1];
    for (std::size_t i = 0; i < kStrengths.size(); ++i) {
      const double predicted = (kStrengths[i] / sides_ + static_cast<double>(count)) /
                               (kStrengths[i] + static_cast<double>(total));
      mixture_.multiply(i, predicted * sides_);
    }
    ++count;
    ++total;
    update(mixture_.mean());
  }
  previous_ = face;
}

}  // namespace wardiary::statistics

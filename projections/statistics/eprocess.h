// Evidence one may look at after every roll. An e-process starts at 1 and, as long as the dice are
// fair, has an expectation of at most 1 whenever one stops; so it ever exceeds 1/alpha with a
// probability of at most alpha. All values are natural logarithms.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace wardiary::statistics {

// The mean of several running products that may grow or shrink without bound.
class ProductMixture {
 public:
  explicit ProductMixture(std::size_t products);

  void multiply(std::size_t product, double factor);
  double log_mean() const;
  // The mean as offset and factor: offset + log(factor) is its logarithm.
  struct Scaled {
    double offset = 0, factor = 1;
  };
  Scaled mean() const;
  double log_product(std::size_t product) const;

 private:
  void rescale(std::size_t product);

  struct Product {
    double mantissa = 1;
    double offset = 0;  // the product is mantissa * exp(offset)
    double share = 1;   // exp(offset - top_)
  };
  std::vector<Product> products_;
  double top_ = 0;  // the largest offset
};

// A value watched over time.
class Watched {
 public:
  double log_e() const;
  // At least log_e(), without a logarithm: enough to see that there is nothing new.
  double log_e_bound() const { return now_.offset + (now_.factor - 1); }
  double log_e_max() const { return max_; }
  // The p-value that stays valid however often one looks: 1 / max e.
  double anytime_p() const;

 protected:
  void update(double log_e) { update(ProductMixture::Scaled{log_e, 1}); }
  void update(const ProductMixture::Scaled& e);

 private:
  ProductMixture::Scaled now_;
  double max_ = 0;
};

// The strengths of belief in a fair die that are averaged over: a single one would be poor either
// near fairness or far from it.
inline constexpr std::array<double, 5> kStrengths = {6, 24, 96, 384, 1536};

// 1. Do faces 1..sides come up equally often?
class FaceEvidence : public Watched {
 public:
  explicit FaceEvidence(unsigned sides, std::span<const double> strengths = kStrengths);
  void add(unsigned face);

 private:
  std::vector<double> strengths_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  ProductMixture mixture_;
};

// The same from counts at once, for one strength and averaged over kStrengths.
double face_log_e(std::span<const std::uint32_t> counts, double strength);
double face_log_e(std::span<const std::uint32_t> counts);

// 2. Do dice with differing odds hit too often (up) or too rarely (down)? Valid even when a die's
// odds were chosen knowing the dice before it.
class HitEvidence {
 public:
  HitEvidence();
  void add(double chance, bool hit);

  class Side : public Watched {
    friend class HitEvidence;
  };
  const Side& up() const { return up_; }
  const Side& down() const { return down_; }
  const Side& both() const { return both_; }  // their mean

 private:
  ProductMixture mixture_;  // the four upward odds ratios, then their inverses
  Side up_, down_, both_;
};

// 3. Does a face depend on the face before it?
class OrderEvidence : public Watched {
 public:
  explicit OrderEvidence(unsigned sides);
  void add(unsigned face);

 private:
  unsigned sides_, previous_ = 0;
  std::vector<std::uint64_t> pairs_, totals_;
  ProductMixture mixture_;
};

}  // namespace wardiary::statistics

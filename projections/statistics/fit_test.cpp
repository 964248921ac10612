#include "projections/statistics/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "projections/statistics/distribution.h"
#include "projections/statistics/eprocess.h"

namespace wardiary::statistics {
namespace {

using Faces = std::vector<std::uint32_t>;

struct Row {
  Faces counts;
  double x2, asymptotic, exact_x2, exact_g, multinomial;
};

TEST(Fit, ReferenceTableOfTheSixSidedDie) {
  const Row rows[] = {
      {{0, 0, 0, 0, 0, 6}, 30, 0.000015, 1.0 / 7776, 0.000129, 0.000129},
      {{0, 1, 1, 2, 3, 5}, 8, 0.156236, 867373.0 / 5038848, 0.193022, 0.195059},
      {{1, 2, 3, 4, 5, 9}, 10, 0.075235, 0.077403, 0.127484, 0.113830},
      {{2, 3, 4, 5, 6, 16}, 21.666667, 0.000606, 0.000722, 0.005008, 0.003524},
      {{3, 7, 9, 11, 13, 17}, 11.8, 0.037633, 0.037970, 0.027832, 0.028686},
      {{10, 10, 10, 10, 10, 22}, 10, 0.075235, 0.075453, 0.140887, 0.137775},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.counts));
    EXPECT_NEAR(chi_squared(row.counts), row.x2, 5e-7);
    EXPECT_NEAR(chi_squared_p(row.x2, 5), row.asymptotic, 6e-7);
    EXPECT_NEAR(exact_fit(row.counts, FitStatistic::kChiSquared).p, row.exact_x2, 6e-7);
    EXPECT_NEAR(exact_fit(row.counts, FitStatistic::kLikelihoodRatio).p, row.exact_g, 6e-7);
    EXPECT_NEAR(exact_fit(row.counts, FitStatistic::kMultinomial).p, row.multinomial, 6e-7);
  }
}

TEST(Fit, IsExactToTheLastDigitsWhereTheFractionIsKnown) {
  EXPECT_NEAR(exact_fit(Faces{0, 0, 0, 0, 0, 6}, FitStatistic::kChiSquared).p, 1.0 / 7776, 1e-16);
  EXPECT_NEAR(exact_fit(Faces{0, 1, 1, 2, 3, 5}, FitStatistic::kChiSquared).p, 867373.0 / 5038848,
              1e-13);
}

TEST(Fit, LargerSamplesByPartitions) {
  EXPECT_NEAR(exact_fit(Faces{20, 20, 20, 20, 30, 40}, FitStatistic::kChiSquared).p, 0.015690729,
              1e-9);
  EXPECT_NEAR(exact_fit(Faces{25, 30, 30, 30, 40, 45}, FitStatistic::kChiSquared).p, 0.131703846,
              1e-9);
}

TEST(Fit, DoesNotDependOnTheOrderOfFaces) {
  EXPECT_EQ(exact_fit(Faces{5, 3, 0, 1, 2, 1}, FitStatistic::kChiSquared).p,
            exact_fit(Faces{0, 1, 1, 2, 3, 5}, FitStatistic::kChiSquared).p);
}

TEST(Fit, OfNothingIsOne) {
  EXPECT_EQ(exact_fit(Faces{0, 0, 0}, FitStatistic::kChiSquared).p, 1);
  EXPECT_EQ(fit(Faces{}, FitStatistic::kChiSquared).p, 1);
  EXPECT_EQ(chi_squared_p(3, 0), 1);
  EXPECT_NEAR(exact_fit(Faces{7}, FitStatistic::kChiSquared).p, 1, 1e-12);
}

TEST(Fit, FallsBackToSeededSamplesAndSaysSo) {
  FitLimits limits;
  limits.partitions_max = 10;
  limits.seed = 42;
  const Faces counts{1, 2, 3, 4, 5, 9};
  const FitResult sampled = fit(counts, FitStatistic::kChiSquared, limits);
  EXPECT_EQ(sampled.method, Method::kMonteCarlo);
  EXPECT_EQ(sampled.seed, 42u);
  EXPECT_EQ(sampled.samples, 9'999u);
  EXPECT_NEAR(sampled.p, 0.077403, 0.012);  // four standard errors
  EXPECT_EQ(sampled.p, fit(counts, FitStatistic::kChiSquared, limits).p);
  EXPECT_NEAR(fit(counts, FitStatistic::kLikelihoodRatio, limits).p, 0.127484, 0.014);
  EXPECT_NEAR(fit(counts, FitStatistic::kMultinomial, limits).p, 0.113830, 0.013);
}

TEST(Fit, UsesTheLawForVeryManyDice) {
  const Faces wolf{3407, 3631, 3176, 2916, 3448, 3422};
  const FitResult result = fit(wolf, FitStatistic::kChiSquared);
  EXPECT_EQ(result.method, Method::kAsymptotic);
  EXPECT_NEAR(result.statistic, 94.189, 5e-4);
  EXPECT_NEAR(result.p / 8.84e-19, 1, 1e-3);
}

TEST(Fit, SamplesUnequalProbabilities) {
  const double p[] = {0.5, 0.25, 0.25};
  EXPECT_GT(sampled_fit(Faces{20, 10, 10}, p, 999, 7).p, 0.99);
  EXPECT_LT(sampled_fit(Faces{5, 10, 25}, p, 999, 7).p, 0.01);
}

TEST(Fit, CountsPartitions) {
  EXPECT_EQ(partition_count(5, 5), 7u);
  EXPECT_EQ(partition_count(10, 3), 14u);
  EXPECT_EQ(partition_count(0, 6), 1u);
}

// ---- Public data
// ---------------------------------------------------------------------------------

TEST(PublicData, Weldon) {
  // 26,306 throws of twelve dice: how often 0..12 of them showed a 5 or a 6.
  const Faces counts{185, 1149, 3265, 5475, 6114, 5194, 3067, 1331, 403, 105, 14, 4, 0};
  const Distribution fair = hits(std::vector<double>(12, 1.0 / 3));
  Faces pooled(counts.begin(), counts.begin() + 10);
  pooled.push_back(counts[10] + counts[11] + counts[12]);
  std::vector<double> p(fair.p.begin(), fair.p.begin() + 10);
  p.push_back(fair.at_least(10));
  EXPECT_NEAR(chi_squared(pooled, p), 35.494299, 1e-6);
  EXPECT_NEAR(chi_squared_p(35.494299, 10), 0.000102788, 1e-9);

  double fives_and_sixes = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) fives_and_sixes += double(i) * counts[i];
  const double n = 315672;
  EXPECT_EQ(fives_and_sixes, 106602);
  EXPECT_NEAR((fives_and_sixes - n / 3) / std::sqrt(n * 2 / 9), 5.202804, 1e-6);
}

TEST(PublicData, WolfsWhiteDie) {
  const Faces counts{3407, 3631, 3176, 2916, 3448, 3422};
  EXPECT_NEAR(face_log_e(counts) / std::log(10.0), 15.9029, 5e-5);
}

TEST(PublicData, VassalDiceBotSums) {
  const Faces counts{525, 943, 1484, 1864, 2418, 2934, 2454, 1948, 1490, 1005, 483};
  EXPECT_NEAR(chi_squared(counts, sum_of_dice(2, 6).p), 9.823798, 1e-6);
  EXPECT_NEAR(chi_squared_p(9.823798, 10), 0.456086, 1e-6);
}

}  // namespace
}  // namespace wardiary::statistics

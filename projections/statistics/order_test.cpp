#include "projections/statistics/order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "projections/statistics/multiple.h"
#include "projections/statistics/random.h"

namespace wardiary::statistics {
namespace {

using Faces = std::vector<std::uint32_t>;

TEST(Runs, ReferenceNumbers) {
  EXPECT_NEAR(runs(5, 5).at_most(2), 1.0 / 126, 1e-12);
  EXPECT_NEAR(runs(5, 5).at_most(3), 5.0 / 126, 1e-12);
  EXPECT_NEAR(runs(10, 10).at_most(6), 0.018521726, 1e-9);
  EXPECT_NEAR(runs(5, 25).at_most(5), 0.010315355, 1e-9);
}

TEST(Runs, SumToOne) {
  for (unsigned a = 0; a < 12; ++a) {
    for (unsigned b = 0; b < 12; ++b) EXPECT_NEAR(runs(a, b).at_most(1000), 1, 1e-12);
  }
  EXPECT_EQ(runs(4, 0).at_most(1), 1);
}

TEST(LagOne, ReferenceNumber) {
  const LagResult result = lag_one(Faces{1, 2, 2, 3, 4, 5, 6, 6});
  EXPECT_EQ(result.sum, 110u);
  EXPECT_NEAR(result.at_least, 1616.0 / 40320, 1e-15);
  EXPECT_EQ(result.method, Method::kExact);
}

TEST(LagOne, SamplesLongerSequencesWithTheirSeed) {
  Faces rising;
  for (std::uint32_t face = 1; face <= 6; ++face) rising.insert(rising.end(), 5, face);
  const LagResult result = lag_one(rising, 999, 5);
  EXPECT_EQ(result.method, Method::kMonteCarlo);
  EXPECT_EQ(result.at_least, 0.001);
  EXPECT_EQ(lag_one(rising, 999, 5).at_least, result.at_least);
}

TEST(Pairs, VassalDiceBot) {
  // Rows: the face after; columns: the face before. 85,449 overlapping pairs.
  const std::uint32_t table[6][6] = {
      {2402, 2334, 2387, 2306, 2361, 2428}, {2378, 2334, 2427, 2343, 2381, 2352},
      {2432, 2325, 2329, 2347, 2404, 2429}, {2309, 2390, 2337, 2295, 2350, 2301},
      {2347, 2475, 2390, 2302, 2547, 2424}, {2351, 2357, 2396, 2388, 2442, 2349}};
  Faces pairs;
  for (int before = 0; before < 6; ++before) {
    for (int after = 0; after < 6; ++after) pairs.push_back(table[after][before]);
  }
  const PairsResult result = good_pairs(pairs, 6);
  EXPECT_NEAR(result.x2_pairs, 43.040726, 1e-6);
  EXPECT_NEAR(result.difference, 33.897764, 1e-6);
  EXPECT_EQ(result.degrees, 30u);
  EXPECT_NEAR(result.p, 0.285, 5e-4);

  // The pair (5,5) stands out, until one remembers that it is the worst of 36.
  const double n = 85449, z = (2547 - n / 36) / std::sqrt(n / 36 * 35 / 36);
  EXPECT_NEAR(z, 3.61, 5e-3);
  EXPECT_NEAR(selected(2 * normal_at_most(-1, z - 0.5, 1), 36), 0.011, 5e-4);
}

TEST(Pairs, FollowTheirLawForFairDice) {
  SeededRandom random(11);
  double sum = 0;
  for (int game = 0; game < 200; ++game) {
    Faces faces(2000);
    for (auto& face : faces) face = 1 + random.below(6);
    sum += good_pairs_of(faces, 6).difference;
  }
  EXPECT_NEAR(sum / 200, 30, 2.2);  // four standard errors
}

TEST(Streaks, ReferenceNumbers) {
  const double miss = 5.0 / 6;
  EXPECT_NEAR(streak_chance(30, 20, miss), 0.069557475, 1e-9);
  EXPECT_NEAR(streak_chance(100, 20, miss), 0.334807848, 1e-9);
  EXPECT_NEAR(streak_chance(300, 20, miss), 0.745125793, 1e-9);
  EXPECT_NEAR(streak_chance(300, 30, miss), 0.179497458, 1e-9);
  EXPECT_NEAR(streak_chance(1000, 30, miss), 0.503513391, 1e-9);
  EXPECT_NEAR(streak_chance(1000, 40, miss), 0.104198936, 1e-9);
}

TEST(Streaks, SmallCasesByHand) {
  EXPECT_EQ(streak_chance(5, 0, 0.5), 1);
  EXPECT_EQ(streak_chance(2, 3, 0.5), 0);
  EXPECT_NEAR(streak_chance(3, 3, 0.5), 0.125, 1e-15);
  EXPECT_NEAR(streak_chance(3, 2, 0.5), 3.0 / 8, 1e-15);
  EXPECT_NEAR(streak_chance(4, 1, 0.5), 15.0 / 16, 1e-15);
}

TEST(Multiple, HolmKeepsTheOrderGiven) {
  const double p[] = {0.04, 0.01, 0.03};
  const auto adjusted = holm(p);
  EXPECT_NEAR(adjusted[1], 0.03, 1e-15);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[0], 0.06, 1e-15);
}

TEST(Multiple, APickedTurnIsCorrected) {
  EXPECT_NEAR(selected(0.004, 30), 0.113, 5e-4);
  EXPECT_NEAR(selected(0.01, 200), 0.87, 5e-3);
  EXPECT_NEAR(selected(0.0035, 200), 0.5, 5e-3);
  EXPECT_EQ(selected(0.2, 1), 0.2);
}

TEST(Multiple, EvaluesAverageAndAreQuestionedTogether) {
  const double logs[] = {std::log(1.0), std::log(3.0)};
  EXPECT_NEAR(std::exp(mean_log_e(logs)), 2, 1e-12);
  const double huge[] = {5000, 0};
  EXPECT_NEAR(mean_log_e(huge), 5000 - std::log(2.0), 1e-9);
  const double many[] = {std::log(90.0), std::log(2.0), std::log(45.0), std::log(0.5)};
  EXPECT_EQ(e_bh(many, 0.05), (std::vector<std::size_t>{0, 2}));
  EXPECT_TRUE(e_bh(std::span(many).last(1), 0.05).empty());
}

}  // namespace
}  // namespace wardiary::statistics

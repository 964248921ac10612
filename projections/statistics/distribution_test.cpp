#include "projections/statistics/distribution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "projections/statistics/luck.h"
#include "projections/statistics/random.h"
#include "projections/statistics/wording.h"

namespace wardiary::statistics {
namespace {

TEST(Sums, ReferenceNumbers) {
  const Distribution ten = sum_of_dice(10, 6), twenty = sum_of_dice(20, 6);
  EXPECT_NEAR(ten.at_most(22), 566611.0 / 60466176, 1e-15);
  EXPECT_NEAR(ten.at_most(22), 0.009370710, 1e-9);
  EXPECT_NEAR(ten.at_most(25), 0.038994528, 1e-9);
  EXPECT_NEAR(twenty.at_most(55), 0.028519484, 1e-9);
  EXPECT_NEAR(normal_at_most(55, 70, 20 * 35.0 / 12), 0.028815410, 1e-9);
}

TEST(Sums, AgreeWithConvolution) {
  const Distribution die = sum_of_dice(1, 6), two = convolve(die, die);
  EXPECT_EQ(two.lowest, 2);
  for (int x = 0; x < 14; ++x) EXPECT_NEAR(two.exactly(x), sum_of_dice(2, 6).exactly(x), 1e-15);
  EXPECT_NEAR(two.exactly(7), 1.0 / 6, 1e-15);
  EXPECT_NEAR(two.mean(), 7, 1e-12);
  EXPECT_NEAR(two.variance(), 35.0 / 6, 1e-12);
  EXPECT_NEAR(two.at_least(11), 3.0 / 36, 1e-15);
}

TEST(Hits, ReferenceNumbers) {
  const double chances[] = {1 / 6., 1 / 6., 1 / 6., 0.5, 0.5, 2 / 3.};
  const Distribution d = hits(chances);
  const double expected[] = {125 / 2592., 575 / 2592., 235 / 648., 343 / 1296.,
                             229 / 2592., 35 / 2592.,  1 / 1296.};
  const double percentiles[] = {2.4113, 15.9144, 45.1389, 76.5046, 94.1551, 99.2477, 99.9614};
  for (int h = 0; h <= 6; ++h) {
    EXPECT_NEAR(d.exactly(h), expected[h], 1e-15);
    EXPECT_NEAR(d.mid_percentile(h), percentiles[h], 5e-5);
  }
  EXPECT_NEAR(d.mean(), 13 / 6., 1e-14);
  EXPECT_NEAR(d.variance(), 41 / 36., 1e-14);
}

TEST(Hits, BinomialReferenceNumbers) {
  EXPECT_NEAR(binomial_at_most(0, 30, 1 / 6.), 0.004212720, 1e-9);
  EXPECT_NEAR(binomial_at_most(1, 30, 1 / 6.), 0.029489042, 1e-9);
  EXPECT_NEAR(binomial_at_least(9, 20, 1 / 6.), 0.002841616, 1e-9);
  const std::vector<double> same(20, 1 / 6.);
  EXPECT_NEAR(hits(same).at_least(9), 0.002841616, 1e-9);
  EXPECT_EQ(binomial_at_least(0, 20, 0.5), 1);
  EXPECT_EQ(binomial_at_least(21, 20, 0.5), 0);
  EXPECT_EQ(binomial_at_most(20, 20, 0.5), 1);
}

TEST(Hits, WhatASampleCanNotShow) {
  EXPECT_EQ(dice_needed(1 / 6., 0.20, 0.05, 0.8), 837u);
  EXPECT_EQ(dice_needed(1 / 6., 0.25, 0.05, 0.8), 148u);
  EXPECT_EQ(dice_needed(1 / 6., 1 / 3., 0.05, 0.8), 39u);
  EXPECT_EQ(dice_needed(1 / 6., 0.17, 0.05, 0.8, 100), 0u);
}

TEST(Luck, OfOneRoll) {
  const RollLuck luck = luck_of(sum_of_dice(2, 6), 11);
  EXPECT_NEAR(luck.expected, 7, 1e-12);
  EXPECT_NEAR(luck.at_most, 35 / 36., 1e-14);
  EXPECT_NEAR(luck.at_least, 3 / 36., 1e-14);
  EXPECT_NEAR(luck.percentile, 100 * 34 / 36., 1e-10);
}

TEST(Luck, SumsInUnitsOfTheGame) {
  LuckSum sum;
  EXPECT_EQ(sum.z(), 0);
  for (int i = 0; i < 9; ++i) sum.add_hit(1 / 6., true);
  for (int i = 0; i < 11; ++i) sum.add_hit(1 / 6., false);
  EXPECT_EQ(sum.count(), 20u);
  EXPECT_NEAR(sum.excess(), 9 - 20 / 6., 1e-12);
  EXPECT_NEAR(sum.z(), (9 - 20 / 6.) / std::sqrt(20 * 5 / 36.), 1e-12);
  LuckSum other;
  other.add(sum_of_dice(2, 6), 12);
  other.add(sum);
  EXPECT_NEAR(other.excess(), 5 + 9 - 20 / 6., 1e-12);
}

// A unit that rolls until its first hit: the number of dice depends on the dice. Pooled as if it
// had been fixed, they look unlucky; the sum does not.
TEST(Luck, HasMeanZeroWhenTheNumberOfDiceDependsOnTheDice) {
  SeededRandom random(3);
  double total = 0;
  const int games = 40000;
  for (int game = 0; game < games; ++game) {
    LuckSum sum;
    for (bool hit = false; !hit;) {
      hit = random.below(6) == 0;
      sum.add_hit(1 / 6., hit);
    }
    total += sum.excess();
  }
  EXPECT_NEAR(total / games, 0, 0.02);
  EXPECT_NEAR(binomial_at_most(1, 20, 1 / 6.), 0.130, 5e-4);
  EXPECT_NEAR(std::pow(5 / 6., 19), 0.031, 5e-4);
}

TEST(Wording, ClimbsTheLadder) {
  const auto said = [](double e) { return sentence_for(evidence_level(std::log(e))); };
  EXPECT_EQ(said(0.99), "fits fair dice better than the alternatives tried");
  EXPECT_EQ(said(1), "no evidence");
  EXPECT_EQ(said(9.9), "no evidence");
  EXPECT_EQ(said(10.1), "worth watching");
  EXPECT_EQ(said(20.1), "would happen at most once in 20 fair histories, ever");
  EXPECT_EQ(name_of(evidence_level(std::log(101))), "strong");
}

TEST(Wording, NeverAccuses) {
  for (double e : {0.1, 2.0, 15.0, 50.0, 1e9}) {
    for (const char* word : {"rigged", "cheat", "player", "guilty", "fraud"}) {
      EXPECT_EQ(sentence_for(evidence_level(std::log(e))).find(word), std::string_view::npos);
    }
  }
}

}  // namespace
}  // namespace wardiary::statistics

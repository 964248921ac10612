#include "projections/statistics/eprocess.h"

#include <gtest/gtest.h>

#include <cmath>

#include "projections/statistics/random.h"
#include "projections/statistics/statistics.h"

namespace wardiary::statistics {
namespace {

using Faces = std::vector<std::uint32_t>;

void expect_e(double log_e, double expected) {
  EXPECT_NEAR(std::exp(log_e) / expected, 1, 5e-8);
}

struct Row {
  Faces counts;
  double six, three, mixture;
};

TEST(FaceEvidence, ReferenceTable) {
  const Row rows[] = {
      {{1, 0, 0, 0, 0, 0}, 1, 1, 1},
      {{0, 0, 0, 0, 0, 2}, 1.71428571, 2.25, 1.19641444},
      {{0, 0, 0, 0, 0, 6}, 100.987013, 375.890625, 22.6985634},
      {{0, 1, 1, 2, 3, 5}, 1.05752399, 0.518466885, 1.13651984},
      {{5, 5, 5, 5, 5, 5}, 0.00766608421, 0.00111451711, 0.482940669},
      {{2, 3, 4, 5, 6, 16}, 19.262966, 5.11216701, 12.3018453},
      {{50, 50, 50, 50, 50, 100}, 96.9765167, 12.9025504, 1614.58344},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.counts));
    expect_e(face_log_e(row.counts, 6), row.six);
    expect_e(face_log_e(row.counts, 3), row.three);
    expect_e(face_log_e(row.counts), row.mixture);
    FaceEvidence one_by_one(6);
    for (unsigned face = 1; face <= 6; ++face) {
      for (std::uint32_t i = 0; i < row.counts[face - 1]; ++i) one_by_one.add(face);
    }
    expect_e(one_by_one.log_e(), row.mixture);
  }
}

HitEvidence evidence(std::initializer_list<std::pair<double, std::pair<int, int>>> groups) {
  HitEvidence out;
  for (const auto& [chance, counts] : groups) {
    for (int i = 0; i < counts.second; ++i) out.add(chance, i < counts.first);
  }
  return out;
}

TEST(HitEvidence, ReferenceNumbers) {
  const HitEvidence nine = evidence({{1 / 6., {9, 20}}});
  expect_e(nine.up().log_e(), 24.2318564);
  expect_e(nine.down().log_e(), 0.0894166706);
  expect_e(nine.both().log_e(), 12.1606366);
  expect_e(evidence({{1 / 6., {0, 30}}}).down().log_e(), 14.0418286);
  expect_e(evidence({{0.5, {3, 10}}, {1 / 3., {1, 10}}}).down().log_e(), 5.49328661);
}

double order_log_e(const Faces& faces) {
  OrderEvidence out(6);
  for (std::uint32_t face : faces) out.add(face);
  return out.log_e();
}

TEST(OrderEvidence, ReferenceNumbers) {
  Faces cycle, doubles;
  for (int i = 0; i < 5; ++i) cycle.insert(cycle.end(), {1, 2, 3, 4, 5, 6});
  for (std::uint32_t face = 1; face <= 6; ++face) doubles.insert(doubles.end(), 2, face);
  expect_e(order_log_e(cycle), 57550578.7);
  expect_e(order_log_e(Faces(6, 6)), 7.81144863);
  expect_e(order_log_e(doubles), 0.8422748);
}

TEST(Evidence, RemembersItsMaximum) {
  FaceEvidence faces(6);
  for (int i = 0; i < 6; ++i) faces.add(6);
  const double peak = faces.log_e();
  for (unsigned i = 0; i < 300; ++i) faces.add(1 + i % 6);
  EXPECT_LT(faces.log_e(), peak);
  EXPECT_EQ(faces.log_e_max(), peak);
  EXPECT_NEAR(faces.anytime_p(), 1 / 22.6985634, 1e-8);
}

TEST(Evidence, SurvivesNumbersNoDoubleHolds) {
  FaceEvidence faces(6);
  Faces counts(6);
  for (int i = 0; i < 20000; ++i) {
    faces.add(6);
    ++counts[5];
  }
  EXPECT_NEAR(faces.log_e() / face_log_e(counts), 1, 1e-9);
  EXPECT_GT(faces.log_e(), 30000);
  for (int i = 0; i < 200000; ++i) {
    faces.add(1 + static_cast<unsigned>(i) % 6);
    ++counts[static_cast<unsigned>(i) % 6];
  }
  EXPECT_NEAR(faces.log_e() / face_log_e(counts), 1, 1e-9);
}

// Ville: fair dice watched after every roll exceed 20 in at most one history out of 20.
TEST(Evidence, RarelyQuestionsFairDiceHoweverOftenOneLooks) {
  SeededRandom random(2024);
  int questioned = 0;
  const int histories = 2000;
  for (int h = 0; h < histories; ++h) {
    DiceWatch watch(6);
    for (int i = 0; i < 500; ++i) watch.add(1 + random.below(6));
    if (watch.anytime_p() <= 0.05) ++questioned;
  }
  EXPECT_LT(questioned, histories / 20);
}

TEST(DiceWatch, SummarisesOneSequence) {
  DiceWatch watch(6);
  for (int i = 0; i < 5; ++i) {
    for (unsigned face = 1; face <= 6; ++face) watch.add(face);
  }
  watch.add(0);
  watch.add(7);
  const DiceSummary summary = watch.summary();
  EXPECT_EQ(summary.dice, 30u);
  EXPECT_EQ(summary.counts, Faces(6, 5));
  EXPECT_NEAR(summary.faces.p, 1, 1e-9);
  EXPECT_EQ(summary.pairs.degrees, 0u);  // too few dice
  expect_e(summary.log_e_faces, 0.482940669);
  expect_e(summary.log_e_order, 57550578.7);
  EXPECT_LT(summary.anytime_p, 1e-6);
}

}  // namespace
}  // namespace wardiary::statistics

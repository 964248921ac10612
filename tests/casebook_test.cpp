// Every case of every rule system: domain/systems/<system>/cases/*.json, found when the test runs.
#include "replay/casebook.h"

#include <gtest/gtest.h>

namespace wardiary {
namespace {

TEST(Cases, EveryRuleSystemsCasesComeOutAsExpected) {
  const std::filesystem::path systems =
      std::filesystem::path(WARDIARY_SOURCE_DIR) / "domain/systems";
  Casebook book;
  std::size_t cases = 0;
  for (const auto& system : std::filesystem::directory_iterator(systems)) {
    const std::filesystem::path folder = system.path() / "cases";
    if (!std::filesystem::is_directory(folder)) continue;
    auto files = case_files(folder);
    ASSERT_TRUE(files.ok()) << files.error().text;
    for (const auto& file : *files) {
      ++cases;
      auto report = book.run_file(file);
      if (!report) {
        ADD_FAILURE() << report.error().text;
        continue;
      }
      EXPECT_TRUE(report->ok) << file << " at " << report->where << "\n  expected "
                              << report->expected << "\n  actual   " << report->actual;
      EXPECT_EQ(report->system, system.path().filename()) << file << ": in another system's folder";
    }
  }
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace wardiary

// Runs case files (`wardiary-case/1`, docs/casebook.md): a position, orders with their dice, and
// what must come of them. A rule is not done until a case shows it, and a club can write a case for
// a house rule without touching C++.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "domain/base/result.h"

namespace wardiary {

struct CaseReport {
  std::string id;
  std::string system;
  std::string title;
  std::vector<std::string> refs;
  std::size_t steps = 0;  // that went as expected
  bool ok = false;
  // The first difference, if there is one.
  std::string where;  // "steps[1].expect.units.X.cv"
  std::string expected;
  std::string actual;
};

class Casebook {
 public:
  Casebook();
  ~Casebook();
  Casebook(const Casebook&) = delete;
  Casebook& operator=(const Casebook&) = delete;

  // kInvalid if the text is no case; the error names the field. A case that does not come out as
  // expected is a report with ok == false.
  Result<CaseReport> run(std::string_view text);
  // Errors name the file.
  Result<CaseReport> run_file(const std::filesystem::path& file);

 private:
  struct Scenarios;
  std::unique_ptr<Scenarios> scenarios_;  // parsed once: hundreds of cases share a few
};

// The case files at `path`: itself, or every *.json below it, sorted. kNotFound if there is none.
Result<std::vector<std::filesystem::path>> case_files(const std::filesystem::path& path);

}  // namespace wardiary

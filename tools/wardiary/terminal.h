// What people see: colour and tables on a terminal, plain text elsewhere, a progress bar for what
// takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wardiary::cli {

enum class Tint { kPlain, kBold, kDim, kGood, kBad, kWarn };

// `text` in a colour if standard output is a terminal that wants it (NO_COLOR is respected).
std::string tinted(Tint tint, std::string_view text);
// One line on standard output.
void say(std::string_view line);
// One line on standard error: "wardiary: ...".
void complain(std::string_view line);

// Rows of text, aligned when printed. Numbers go to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  void print() const;

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
};

// A bar on standard error, if that is a terminal and it takes more than a second. `total` 0: not
// known, only the count is shown.
class Progress {
 public:
  Progress(std::string label, std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void at(std::uint64_t done);

 private:
  std::string label_;
  std::uint64_t total_;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point shown_;
  bool terminal_;
  bool visible_ = false;
};

// "12.3 MB"
std::string bytes_text(std::uint64_t bytes);
// "2026-01-31 14:05" in UTC
std::string time_text(std::uint64_t ms);
std::uint64_t now_ms();

}  // namespace wardiary::cli

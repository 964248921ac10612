// A report in two dresses: Markdown for people and mails, and one self-contained HTML file without
// script or link, fit to print. Everything put in is plain text; each dress escapes it in its way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wardiary {

class Report {
 public:
  using Row = std::vector<std::string>;

  explicit Report(std::string title) : title_(std::move(title)) {}
  void heading(std::string text);
  void text(std::string text);
  void good(std::string text);
  void bad(std::string text);
  void verbatim(std::string text);
  void table(Row heading, std::vector<Row> rows);

  std::string markdown() const;
  std::string html() const;

 private:
  enum class Kind { kHeading, kText, kGood, kBad, kVerbatim, kTable };
  struct Block {
    Kind kind;
    std::string text;
    Row heading;
    std::vector<Row> rows;
  };
  std::string title_;
  std::vector<Block> blocks_;
};

}  // namespace wardiary

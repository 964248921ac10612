// A report in two dresses: Markdown for people and mails, and one self-contained HTML file without
// script or link, fit to print. Everything put in is plain text; each dress escapes it in its way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardiary {

// Lines over time. HTML draws it; Markdown shows the numbers as a table.
struct Chart {
  struct Series {
    std::string name;
    std::vector<std::optional<double>> values;  // as many as labels; none: nothing known there
  };
  std::string title;
  std::vector<std::string> labels;  // along the horizontal axis
  std::vector<Series> series;
  int places = 0;  // decimals of the numbers
};
// An SVG picture of it, without script or style sheet.
std::string chart_svg(const Chart& chart);
// Text that HTML and SVG take for nothing else, also between quotes.
std::string html_escaped(std::string_view text);

class Report {
 public:
  using Row = std::vector<std::string>;

  explicit Report(std::string title, std::string language = "en")
      : title_(std::move(title)), language_(std::move(language)) {}
  void heading(std::string text);
  void subheading(std::string text);
  void list(std::vector<std::string> items);
  void chart(Chart chart);
  void text(std::string text);
  void good(std::string text);
  void bad(std::string text);
  void verbatim(std::string text);
  void table(Row heading, std::vector<Row> rows);

  std::string markdown() const;
  std::string html() const;

 private:
  enum class Kind { kHeading, kSubheading, kText, kGood, kBad, kVerbatim, kTable, kList, kChart };
  struct Block {
    Kind kind;
    std::string text;
    Row heading;
    std::vector<Row> rows;
    Chart chart = {};
  };
  std::string title_;
  std::string language_;
  std::vector<Block> blocks_;
};

}  // namespace wardiary

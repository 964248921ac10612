#include "replay/report.h"

#include <cstdio>

namespace wardiary {
namespace {

constexpr std::string_view kStyle =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;"
    "color:#1a1a1a;background:#fff}h1{font-size:1.5em}h2{font-size:1.2em;margin-top:1.6em}"
    "h3{font-size:1em}table{border-collapse:collapse;margin:.6em 0;width:100%}"
    "th,td{text-align:left;padding:.25em .6em;border-bottom:1px solid #ddd;vertical-align:top;"
    "overflow-wrap:anywhere}th{border-bottom:2px solid #999}.good{color:#176b2c;font-weight:600}"
    ".bad{color:#a11616;font-weight:600}.dim{color:#666}code,pre{font-size:.88em;"
    "overflow-wrap:anywhere;white-space:pre-wrap}"
    "ul{margin:.3em 0 .8em;padding-left:1.3em}figure{margin:1.2em 0}figcaption{font-weight:600;"
    "margin-bottom:.3em}svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;"
    "fill:#444}h2{border-bottom:1px solid #ddd;padding-bottom:.2em}"
    "@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr{break-inside:avoid}}";

// Text that must not be taken for markup; on one line, as table cells must be.
std::string markdown_escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (std::string_view("\\`*_[]>|#").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string html_row(const Report::Row& cells, const char* tag) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) {
    out += std::string("<") + tag + ">" + html_escaped(cell) + "</" + tag + ">";
  }
  return out + "</tr>\n";
}

std::string markdown_row(const Report::Row& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + markdown_escaped(cell) + " |";
  return out + "\n";
}

std::string markdown_table(const Report::Row& heading, const std::vector<Report::Row>& rows) {
  std::string out = markdown_row(heading) + "|";
  for (std::size_t i = 0; i < heading.size(); ++i) out += "---|";
  out += "\n";
  for (const Report::Row& row : rows) out += markdown_row(row);
  return out;
}

std::string number_text(const std::optional<double>& value, int places) {
  if (!value) return "";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", places, *value);
  return buffer;
}

std::string markdown_chart(const Chart& chart) {
  Report::Row heading = {""};
  std::vector<Report::Row> rows;
  for (const Chart::Series& series : chart.series) heading.push_back(series.name);
  for (std::size_t i = 0; i < chart.labels.size(); ++i) {
    rows.push_back({chart.labels[i]});
    for (const Chart::Series& series : chart.series) {
      rows.back().push_back(number_text(series.values[i], chart.places));
    }
  }
  return "**" + markdown_escaped(chart.title) + "**\n\n" + markdown_table(heading, rows);
}

std::string fenced(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void Report::heading(std::string text) {
  blocks_.push_back({Kind::kHeading, std::move(text), {}, {}});
}
void Report::subheading(std::string text) {
  blocks_.push_back({Kind::kSubheading, std::move(text), {}, {}});
}
void Report::list(std::vector<std::string> items) {
  blocks_.push_back({Kind::kList, {}, std::move(items), {}});
}
void Report::chart(Chart chart) {
  blocks_.push_back({Kind::kChart, {}, {}, {}, std::move(chart)});
}
void Report::text(std::string text) {
  blocks_.push_back({Kind::kText, std::move(text), {}, {}});
}
void Report::good(std::string text) {
  blocks_.push_back({Kind::kGood, std::move(text), {}, {}});
}
void Report::bad(std::string text) {
  blocks_.push_back({Kind::kBad, std::move(text), {}, {}});
}
void Report::verbatim(std::string text) {
  blocks_.push_back({Kind::kVerbatim, std::move(text), {}, {}});
}
void Report::table(Row heading, std::vector<Row> rows) {
  blocks_.push_back({Kind::kTable, {}, std::move(heading), std::move(rows)});
}

std::string Report::markdown() const {
  std::string out = "# " + markdown_escaped(title_) + "\n";
  for (const Block& block : blocks_) {
    out += "\n";
    switch (block.kind) {
      case Kind::kHeading:
        out += "## " + markdown_escaped(block.text) + "\n";
        break;
      case Kind::kSubheading:
        out += "### " + markdown_escaped(block.text) + "\n";
        break;
      case Kind::kList:
        for (const std::string& item : block.heading) out += "- " + markdown_escaped(item) + "\n";
        break;
      case Kind::kChart:
        out += markdown_chart(block.chart);
        break;
      case Kind::kText:
        out += markdown_escaped(block.text) + "\n";
        break;
      case Kind::kGood:
      case Kind::kBad:
        out += "**" + markdown_escaped(block.text) + "**\n";
        break;
      case Kind::kVerbatim:
        out += fenced(block.text);
        break;
      case Kind::kTable:
        out += markdown_table(block.heading, block.rows);
    }
  }
  return out;
}

std::string Report::html() const {
  const std::string title = html_escaped(title_);
  std::string out = "<!doctype html>\n<html lang=\"" + html_escaped(language_) +
                    "\"><head><meta charset=\"utf-8\">";
  out += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">";
  out += "<title>" + title + "</title><style>" + std::string(kStyle) + "</style></head>";
  out += "<body>\n<h1>" + title + "</h1>\n";
  for (const Block& block : blocks_) {
    const std::string text = html_escaped(block.text);
    switch (block.kind) {
      case Kind::kHeading:
        out += "<h2>" + text + "</h2>\n";
        break;
      case Kind::kSubheading:
        out += "<h3>" + text + "</h3>\n";
        break;
      case Kind::kList:
        out += "<ul>\n";
        for (const std::string& item : block.heading) {
          out += "<li>" + html_escaped(item) + "</li>\n";
        }
        out += "</ul>\n";
        break;
      case Kind::kChart:
        out += "<figure><figcaption>" + html_escaped(block.chart.title) + "</figcaption>\n" +
               chart_svg(block.chart) + "</figure>\n";
        break;
      case Kind::kText:
        out += "<p>" + text + "</p>\n";
        break;
      case Kind::kGood:
        out += "<p class=\"good\">" + text + "</p>\n";
        break;
      case Kind::kBad:
        out += "<p class=\"bad\">" + text + "</p>\n";
        break;
      case Kind::kVerbatim:
        out += "<pre>" + text + "</pre>\n";
        break;
      case Kind::kTable:
        out += "<table><thead>" + html_row(block.heading, "th") + "</thead><tbody>\n";
        for (const Row& row : block.rows) out += html_row(row, "td");
        out += "</tbody></table>\n";
    }
  }
  return out + "</body></html>\n";
}

}  // namespace wardiary

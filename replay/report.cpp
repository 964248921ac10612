#include "replay/report.h"

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
    "@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr{break-inside:avoid}}";

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

std::string fenced(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

}  // namespace

void Report::heading(std::string text) {
  blocks_.push_back({Kind::kHeading, std::move(text), {}, {}});
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
        out += markdown_row(block.heading) + "|";
        for (std::size_t i = 0; i < block.heading.size(); ++i) out += "---|";
        out += "\n";
        for (const Row& row : block.rows) out += markdown_row(row);
    }
  }
  return out;
}

std::string Report::html() const {
  const std::string title = html_escaped(title_);
  std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  out += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">";
  out += "<title>" + title + "</title><style>" + std::string(kStyle) + "</style></head>";
  out += "<body>\n<h1>" + title + "</h1>\n";
  for (const Block& block : blocks_) {
    const std::string text = html_escaped(block.text);
    switch (block.kind) {
      case Kind::kHeading:
        out += "<h2>" + text + "</h2>\n";
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

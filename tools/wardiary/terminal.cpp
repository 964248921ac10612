#include "tools/wardiary/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace wardiary::cli {
namespace {

bool wants_colour() {
  static const bool wanted = [] {
    const char* no = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && !(term && std::string_view(term) == "dumb");
  }();
  return wanted;
}

// Code points, so that names with accents line up.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.,+-%") == std::string_view::npos;
}

}  // namespace

std::string tinted(Tint tint, std::string_view text) {
  static constexpr std::array<std::string_view, 6> kCodes = {"", "1", "2", "32", "31", "33"};
  const std::string_view code = kCodes[static_cast<std::size_t>(tint)];
  if (code.empty() || !wants_colour()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

void say(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
}

void complain(std::string_view line) {
  std::fflush(stdout);
  std::fprintf(stderr, "wardiary: %.*s\n", static_cast<int>(line.size()), line.data());
}

void Table::print() const {
  std::vector<std::size_t> widths;
  std::vector<bool> right(heading_.size(), true);
  for (const std::string& cell : heading_) widths.push_back(width(cell));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width(row[i]));
      if (!row[i].empty() && !is_number(row[i])) right[i] = false;
    }
  }
  auto line = [&](const std::vector<std::string>& row, Tint tint) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - width(row[i]), ' ');
      out += (i ? "  " : "") + (right[i] ? pad + row[i] : row[i] + pad);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    say(tinted(tint, out));
  };
  line(heading_, Tint::kBold);
  for (const auto& row : rows_) line(row, Tint::kPlain);
}

Progress::Progress(std::string label, std::uint64_t total)
    : label_(std::move(label)),
      total_(total),
      begun_(std::chrono::steady_clock::now()),
      shown_(begun_),
      terminal_(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (visible_) std::fputs("\r\x1b[K", stderr);
}

void Progress::at(std::uint64_t done) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - begun_ < std::chrono::seconds(1) || now - shown_ < std::chrono::milliseconds(100))
    return;
  shown_ = now;
  visible_ = true;
  if (total_ == 0) {
    std::fprintf(stderr, "\r\x1b[K%s %llu", label_.c_str(), static_cast<unsigned long long>(done));
  } else {
    constexpr std::uint64_t kWidth = 30;
    const std::uint64_t full = std::min(done, total_) * kWidth / total_;
    std::fprintf(stderr, "\r\x1b[K%s [%s%s] %llu/%llu", label_.c_str(),
                 std::string(full, '#').c_str(), std::string(kWidth - full, '.').c_str(),
                 static_cast<unsigned long long>(done), static_cast<unsigned long long>(total_));
  }
  std::fflush(stderr);
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  double n = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (n >= 1000 && unit + 1 < std::size(kUnits)) n /= 1000, ++unit;
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", n, kUnits[unit]);
  return text;
}

std::string time_text(std::uint64_t ms) {
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

std::uint64_t now_ms() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

}  // namespace wardiary::cli

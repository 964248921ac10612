// Charts as SVG: lines over labels, an axis with round numbers, a legend. Colours are told apart by
// people who see them differently, and every line also has its own dashes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "replay/report.h"

namespace wardiary {
namespace {

constexpr double kWidth = 720, kHeight = 260;
constexpr double kLeft = 48, kRight = 12, kTop = 10, kBottom = 46;
constexpr std::array<const char*, 6> kColours = {"#1f5fa8", "#b3261e", "#8a6d00",
                                                 "#2e7d32", "#6a3fa0", "#5d4037"};
constexpr std::array<const char*, 3> kDashes = {"", "6 3", "2 3"};

std::string number(double value, int places = 1) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", places, value);
  return buffer;
}

// The step of 1, 2 or 5 times a power of ten that divides a range into a handful of parts.
double round_step(double range) {
  const double rough = std::max(range, 1e-9) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double step : {1.0, 2.0, 5.0}) {
    if (step * power >= rough) return step * power;
  }
  return 10 * power;
}

struct Scale {
  double low = 0, high = 1, step = 1;
  std::size_t points = 1;
  double x(std::size_t i) const {
    const double share =
        points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0.5;
    return kLeft + share * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    return kTop + (high - value) / (high - low) * (kHeight - kTop - kBottom);
  }
};

Scale scale_of(const Chart& chart) {
  double low = 0, high = 0;
  for (const Chart::Series& series : chart.series) {
    for (const auto& value : series.values) {
      if (!value) continue;
      low = std::min(low, *value);
      high = std::max(high, *value);
    }
  }
  Scale out;
  out.points = chart.labels.size();
  out.step = round_step(high - low);
  out.low = std::floor(low / out.step) * out.step;
  out.high = std::ceil(high / out.step) * out.step;
  if (out.high - out.low < out.step) out.high = out.low + out.step;
  return out;
}

void draw_axes(std::string& out, const Chart& chart, const Scale& scale) {
  const int places = scale.step < 1 ? 1 : 0;
  const auto lines = static_cast<int>(std::lround((scale.high - scale.low) / scale.step));
  for (int i = 0; i <= lines; ++i) {
    const double value = scale.low + i * scale.step;
    const std::string y = number(scale.y(value));
    const bool zero = std::abs(value) < scale.step / 2;
    out += "<line x1=\"" + number(kLeft) + "\" x2=\"" + number(kWidth - kRight) + "\" y1=\"" + y +
           "\" y2=\"" + y + "\" stroke=\"" + (zero ? "#888" : "#e2e2e2") + "\"/>\n";
    out += "<text x=\"" + number(kLeft - 6) + "\" y=\"" + number(scale.y(value) + 4) +
           "\" text-anchor=\"end\">" + number(value, places) + "</text>\n";
  }
  // As many labels as fit.
  constexpr std::size_t kLabelsMax = 12;
  const std::size_t every = (chart.labels.size() + kLabelsMax - 1) / kLabelsMax;
  for (std::size_t i = 0; i < chart.labels.size(); i += std::max<std::size_t>(every, 1)) {
    out += "<text x=\"" + number(scale.x(i)) + "\" y=\"" + number(kHeight - kBottom + 16) +
           "\" text-anchor=\"middle\">" + html_escaped(chart.labels[i]) + "</text>\n";
  }
}

void draw_series(std::string& out, const Chart& chart, const Scale& scale, std::size_t index) {
  const Chart::Series& series = chart.series[index];
  const std::string colour = kColours[index % kColours.size()];
  const std::string dashes = kDashes[index / kColours.size() % kDashes.size()];
  std::string path;
  bool pen_down = false;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    if (!series.values[i]) {
      pen_down = false;
      continue;
    }
    const double x = scale.x(i), y = scale.y(*series.values[i]);
    path += (pen_down ? "L" : "M") + number(x) + " " + number(y);
    pen_down = true;
    if (series.values.size() <= 60) {
      out += "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"2.5\" fill=\"" +
             colour + "\"><title>" + html_escaped(series.name) + ", " +
             html_escaped(chart.labels[i]) + ": " + number(*series.values[i], chart.places) +
             "</title></circle>\n";
    }
  }
  out += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour +
         "\" stroke-width=\"2\" stroke-dasharray=\"" + dashes + "\"/>\n";
}

void draw_legend(std::string& out, const Chart& chart) {
  double x = kLeft;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const std::string y = number(kHeight - 8);
    out += "<rect x=\"" + number(x) + "\" y=\"" + number(kHeight - 15) +
           "\" width=\"14\" height=\"4\" fill=\"" + kColours[i % kColours.size()] + "\"/>\n";
    out += "<text x=\"" + number(x + 19) + "\" y=\"" + y + "\">" +
           html_escaped(chart.series[i].name) + "</text>\n";
    x += 34 + 6.5 * static_cast<double>(chart.series[i].name.size());
  }
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  const Scale scale = scale_of(chart);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth, 0) +
                    " " + number(kHeight, 0) + "\" role=\"img\" aria-label=\"" +
                    html_escaped(chart.title) + "\">\n";
  draw_axes(out, chart, scale);
  for (std::size_t i = 0; i < chart.series.size(); ++i) draw_series(out, chart, scale, i);
  draw_legend(out, chart);
  return out + "</svg>\n";
}

}  // namespace wardiary

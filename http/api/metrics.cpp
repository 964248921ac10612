#include "http/api/metrics.h"

#include <algorithm>
#include <cstdio>

namespace wardiary::http {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

void append_head(std::string& out, std::string_view name, std::string_view type,
                 std::string_view help) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
  out.append(name).append(" ").append(type).append("\n");
}

}  // namespace

void append_metric(std::string& out, std::string_view name, std::string_view type,
                   std::string_view help, double value) {
  append_head(out, name, type, help);
  out.append(name).append(" ").append(number(value)).append("\n");
}

std::string Metrics::key_of(Method method, std::string_view route) {
  // HEAD is answered by GET's route.
  return std::string(name_of(method == Method::kHead ? Method::kGet : method)) + " " +
         std::string(route);
}

void Metrics::learn(const Router& router) {
  for (const auto& route : router.routes()) {
    slots_.emplace(key_of(route->method, route->pattern), std::make_unique<Slot>());
  }
}

void Metrics::seen(const AccessRecord& record) {
  auto found = slots_.find(key_of(record.method, record.route));
  Slot& slot = found == slots_.end() ? other_ : *found->second;
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), record.micros);
  constexpr auto kRelaxed = std::memory_order_relaxed;
  slot.buckets[static_cast<std::size_t>(bound - kBounds.begin())].fetch_add(1, kRelaxed);
  slot.by_class[static_cast<std::size_t>(std::clamp(record.status / 100, 1, 5))].fetch_add(
      1, kRelaxed);
  slot.micros.fetch_add(record.micros, kRelaxed);
  slot.bytes_in.fetch_add(record.bytes_in, kRelaxed);
  slot.bytes_out.fetch_add(record.bytes_out, kRelaxed);
}

std::string Metrics::text() const {
  std::string requests, seconds;
  std::uint64_t bytes_in = 0, bytes_out = 0;
  const auto write = [&](std::string_view key, const Slot& slot) {
    const std::size_t space = key.find(' ');
    const std::string labels = "method=\"" + std::string(key.substr(0, space)) + "\",route=\"" +
                               std::string(key.substr(space + 1)) + "\"";
    std::uint64_t total = 0;
    for (std::size_t c = 1; c < slot.by_class.size(); ++c) {
      const std::uint64_t count = slot.by_class[c];
      total += count;
      if (count == 0) continue;
      requests += "wardiary_requests_total{" + labels + ",status=\"" + std::to_string(c) +
                  "xx\"} " + std::to_string(count) + "\n";
    }
    if (total == 0) return;
    std::uint64_t below = 0;
    for (std::size_t b = 0; b < slot.buckets.size(); ++b) {
      below += slot.buckets[b];
      const std::string bound =
          b < kBounds.size() ? number(static_cast<double>(kBounds[b]) / 1e6) : "+Inf";
      seconds += "wardiary_request_seconds_bucket{" + labels + ",le=\"" + bound + "\"} " +
                 std::to_string(below) + "\n";
    }
    seconds += "wardiary_request_seconds_sum{" + labels + "} " +
               number(static_cast<double>(slot.micros) / 1e6) + "\n";
    seconds += "wardiary_request_seconds_count{" + labels + "} " + std::to_string(below) + "\n";
    bytes_in += slot.bytes_in;
    bytes_out += slot.bytes_out;
  };
  for (const auto& [key, slot] : slots_) write(key, *slot);
  write("OTHER none", other_);
  std::string out;
  append_head(out, "wardiary_requests_total", "counter", "Requests answered.");
  out += requests;
  append_head(out, "wardiary_request_seconds", "histogram",
              "From the complete request to the answer ready to be sent.");
  out += seconds;
  append_metric(out, "wardiary_request_bytes_total", "counter", "Bytes of bodies received.",
                static_cast<double>(bytes_in));
  append_metric(out, "wardiary_response_bytes_total", "counter", "Bytes of bodies sent.",
                static_cast<double>(bytes_out));
  return out;
}

}  // namespace wardiary::http

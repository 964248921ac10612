#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "replay/sweep.h"

namespace wardiary {

using nlohmann::json;

void Spread::add(const Spread& other) {
  for (const auto& [value, ways] : other.counts_) add(value, ways);
}

double Spread::mean() const {
  double sum = 0;
  for (const auto& [value, ways] : counts_) {
    sum += static_cast<double>(value) * static_cast<double>(ways);
  }
  return total_ ? sum / static_cast<double>(total_) : 0;
}

double Spread::deviation() const {
  const double middle = mean();
  double sum = 0;
  for (const auto& [value, ways] : counts_) {
    const double off = static_cast<double>(value) - middle;
    sum += off * off * static_cast<double>(ways);
  }
  return total_ ? std::sqrt(sum / static_cast<double>(total_)) : 0;
}

namespace {

double share(std::uint64_t ways, std::uint64_t total) {
  return total ? static_cast<double>(ways) / static_cast<double>(total) : 0;
}

std::string fixed(double value, int digits) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}
std::string percent(double value) {
  return fixed(100 * value, value > 0 && value < 0.001 ? 4 : 1) + " %";
}

const char* method_name(Sweep::Method method) {
  switch (method) {
    case Sweep::Method::kEveryRoll:
      return "every roll";
    case Sweep::Method::kEveryCombination:
      return "every combination of faces";
    case Sweep::Method::kEveryNumberOfHits:
      return "every number of hits";
  }
  return "?";
}

// A share that was sampled is only known so well.
double share_error(double p, std::uint64_t trials) {
  return trials ? std::sqrt(p * (1 - p) / static_cast<double>(trials)) : 0;
}

json measure_json(const SweepMeasure& measure, const Sweep& sweep, const Roster& roster) {
  const Spread& spread = measure.spread;
  json out = {
      {"measure", name_of(measure.kind)},
      {"side", roster.sides[measure.side.index()]},
      {"real", measure.real},
      {"mean", spread.mean()},
      {"deviation", spread.deviation()},
      {"less", spread.below(measure.real)},
      {"equal", spread.exactly(measure.real)},
      {"more", spread.above(measure.real)},
      {"percentile", 100 * (spread.below(measure.real) + spread.exactly(measure.real) / 2)}};
  json rows = json::array();
  for (const auto& [value, ways] : spread.counts()) {
    const double p = share(ways, spread.total());
    json row = {{"value", value}, {"ways", ways}, {"probability", p}};
    if (sweep.kind == Sweep::Kind::kReplay) row["error"] = share_error(p, spread.total());
    rows.push_back(std::move(row));
  }
  out["distribution"] = std::move(rows);
  return out;
}

// "axis losses 2" for all that differs from nothing.
std::string values_text(const Sweep& sweep, const std::vector<std::int64_t>& values,
                        const Roster& roster) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const SweepMeasure& measure = sweep.measures[i];
    if (measure.spread.counts().size() < 2) continue;  // the same whatever is rolled
    out += (out.empty() ? "" : ", ") + roster.sides[measure.side.index()] + " " +
           std::string(name_of(measure.kind)) + " " + std::to_string(values[i]);
  }
  return out;
}

std::string heading(const Sweep& sweep) {
  const std::string events =
      "events " + std::to_string(sweep.first) + " to " + std::to_string(sweep.last);
  if (sweep.kind == Sweep::Kind::kRoll) {
    return "The roll at event " + std::to_string(sweep.roll) + " through " +
           method_name(sweep.method) + ", " + std::to_string(sweep.total) + " ways" +
           (sweep.later_rolls ? "; " + std::to_string(sweep.later_rolls) +
                                    " later rolls of the order keep their faces"
                              : "") +
           "\n";
  }
  std::string out = events + " (" + std::to_string(sweep.orders) + " orders) played again " +
                    std::to_string(sweep.trials) + " times with fresh dice, seed " +
                    std::to_string(sweep.seed) + "\n";
  out[0] = 'E';
  if (sweep.departed) {
    out += "  " + std::to_string(sweep.departed) +
           " times with decisions that nobody is on record for, as the rules prefer them\n";
  }
  if (sweep.unfinished) {
    out += "  " + std::to_string(sweep.unfinished) + " times not to the end, and not counted\n";
  }
  return out;
}

void add_measure(std::string& out, const SweepMeasure& measure, const Roster& roster) {
  constexpr std::size_t kBarMax = 40;
  const Spread& spread = measure.spread;
  out += roster.sides[measure.side.index()] + ", " + std::string(name_of(measure.kind)) +
         ": mean " + fixed(spread.mean(), 2) + ", deviation " + fixed(spread.deviation(), 2) +
         "; really " + std::to_string(measure.real) + " (less " +
         percent(spread.below(measure.real)) + ", the same " +
         percent(spread.exactly(measure.real)) + ", more " + percent(spread.above(measure.real)) +
         ")\n";
  std::uint64_t highest = 1;
  for (const auto& [value, ways] : spread.counts()) highest = std::max(highest, ways);
  for (const auto& [value, ways] : spread.counts()) {
    std::string number = std::to_string(value);
    number.insert(0, number.size() < 8 ? 8 - number.size() : 0, ' ');
    std::string p = percent(share(ways, spread.total()));
    p.insert(0, p.size() < 10 ? 10 - p.size() : 0, ' ');
    const double bar = share(ways, highest) * kBarMax;
    out += number + p + "  " + std::string(static_cast<std::size_t>(std::lround(bar)), '#') +
           (value == measure.real ? " <- really\n" : "\n");
  }
}

}  // namespace

double Spread::below(std::int64_t value) const {
  std::uint64_t sum = 0;
  for (auto it = counts_.begin(); it != counts_.lower_bound(value); ++it) sum += it->second;
  return share(sum, total_);
}

double Spread::exactly(std::int64_t value) const {
  const auto found = counts_.find(value);
  return found == counts_.end() ? 0 : share(found->second, total_);
}

double Spread::above(std::int64_t value) const {
  std::uint64_t sum = 0;
  for (auto it = counts_.upper_bound(value); it != counts_.end(); ++it) sum += it->second;
  return share(sum, total_);
}

std::string_view name_of(SweepMeasure::Kind kind) {
  switch (kind) {
    case SweepMeasure::Kind::kLosses:
      return "losses";
    case SweepMeasure::Kind::kControl:
      return "control";
    case SweepMeasure::Kind::kScore:
      return "score";
  }
  return "?";
}

json sweep_json(const Sweep& sweep, const Roster& roster) {
  json measures = json::array();
  for (const SweepMeasure& m : sweep.measures) measures.push_back(measure_json(m, sweep, roster));
  json out = {{"format", "wardiary-sweep/1"}, {"first", sweep.first},
              {"last", sweep.last},           {"orders", sweep.orders},
              {"complete", sweep.complete},   {"measures", std::move(measures)}};
  if (sweep.kind == Sweep::Kind::kReplay) {
    out["kind"] = "replay";
    out["seed"] = sweep.seed;
    out["trials"] = sweep.trials;
    out["departed"] = sweep.departed;
    out["unfinished"] = sweep.unfinished;
    return out;
  }
  out["kind"] = "roll";
  out["roll"] = sweep.roll;
  out["method"] = method_name(sweep.method);
  out["total"] = sweep.total;
  out["laterRolls"] = sweep.later_rolls;
  out["refused"] = sweep.refused;
  json rows = json::array();
  for (const SweepOutcome& outcome : sweep.outcomes) {
    json row = {{"faces", outcome.faces},
                {"ways", outcome.ways},
                {"probability", share(outcome.ways, sweep.total)},
                {"values", outcome.values},
                {"real", outcome.real}};
    if (outcome.hits >= 0) row["hits"] = outcome.hits;
    if (!outcome.result.empty()) row["result"] = outcome.result;
    rows.push_back(std::move(row));
  }
  out["outcomes"] = std::move(rows);
  out["allOutcomes"] = sweep.all_outcomes;
  return out;
}

std::string sweep_text(const Sweep& sweep, const Roster& roster) {
  constexpr std::size_t kRowsShown = 20;
  std::string out = heading(sweep);
  if (!sweep.complete) out += "  Cancelled: this is what was done until then.\n";
  for (std::size_t i = 0; i < sweep.outcomes.size() && i < kRowsShown; ++i) {
    const SweepOutcome& row = sweep.outcomes[i];
    std::string p = percent(share(row.ways, sweep.total));
    p.insert(0, p.size() < 9 ? 9 - p.size() : 0, ' ');
    out += p + "  (" + std::to_string(row.ways) + " of " + std::to_string(sweep.total) + ")";
    if (row.hits >= 0) out += "  hits " + std::to_string(row.hits);
    if (!row.result.empty()) out += "  " + row.result;
    const std::string values = values_text(sweep, row.values, roster);
    if (!values.empty()) out += "  [" + values + "]";
    out += row.real ? "  <- really\n" : "\n";
  }
  if (sweep.outcomes.size() > kRowsShown) {
    out += "  and " + std::to_string(sweep.outcomes.size() - kRowsShown) + " more\n";
  }
  std::string fixed_ones;
  for (const SweepMeasure& measure : sweep.measures) {
    if (measure.spread.counts().size() > 1) {
      add_measure(out, measure, roster);
    } else if (measure.spread.total()) {
      fixed_ones += (fixed_ones.empty() ? "" : ", ") + roster.sides[measure.side.index()] + " " +
                    std::string(name_of(measure.kind)) + " " +
                    std::to_string(measure.spread.counts().begin()->first);
    }
  }
  if (!fixed_ones.empty()) out += "Always: " + fixed_ones + "\n";
  return out;
}

}  // namespace wardiary

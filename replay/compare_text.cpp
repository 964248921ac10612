#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/json_writer.h"
#include "replay/compare_lines.h"

namespace wardiary {

using nlohmann::json;

namespace {

json standing_json(const Standing& standing, const Roster& roster) {
  json score = json::object(), strength = json::object(), control = json::object(),
       supply = json::object();
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    const std::string& side = roster.sides[s];
    if (standing.score[s]) score[side] = *standing.score[s];
    if (standing.strength[s]) strength[side] = *standing.strength[s];
    control[side] = standing.control[s];
    if (!standing.supply[s].empty()) supply[side] = standing.supply[s];
  }
  return {{"version", standing.version},
          {"score", std::move(score)},
          {"strength", std::move(strength)},
          {"control", std::move(control)},
          {"supply", std::move(supply)}};
}

json point_json(const LinePoint& point) {
  return {{"branch", to_hex(point.branch)}, {"version", point.version}};
}

// Units by what became of them from a to b, as far as the viewer knows them at both.
struct Fates {
  std::vector<UnitId> gained, lost, moved, changed;
};
Fates fates_of(const Comparison& c, const View& view) {
  Fates out;
  for (const UnitDifference& unit : c.difference.units) {
    if (!view.sees_unit(c.a_position, unit.unit) || !view.sees_unit(c.b_position, unit.unit))
      continue;
    auto& list = !unit.from.ok() && unit.to.ok()   ? out.gained
                 : unit.from.ok() && !unit.to.ok() ? out.lost
                 : unit.from != unit.to            ? out.moved
                                                   : out.changed;
    list.push_back(unit.unit);
  }
  return out;
}

std::string names(const std::vector<UnitId>& units, const Roster& roster) {
  constexpr std::size_t kMost = 20;
  std::string out;
  for (std::size_t i = 0; i < units.size() && i < kMost; ++i) {
    out += (i ? ", " : "") + roster.units[units[i].index()].name;
  }
  if (units.size() > kMost) out += " and " + std::to_string(units.size() - kMost) + " more";
  return out;
}

std::string by_side(const std::vector<std::optional<std::int64_t>>& values, const Roster& roster) {
  std::string out;
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (!values[s]) continue;
    out += (out.empty() ? "" : ", ") + roster.sides[s] + " " + std::to_string(*values[s]);
  }
  return out.empty() ? "-" : out;
}

std::string standing_words(const std::optional<Standing>& s, const Roster& roster) {
  if (!s) return "-";
  std::vector<std::optional<std::int64_t>> control(s->control.begin(), s->control.end());
  std::string out = "score " + by_side(s->score, roster) + "; strength " +
                    by_side(s->strength, roster) + "; spaces " + by_side(control, roster);
  std::string supply;
  for (std::size_t side = 0; side < s->supply.size(); ++side) {
    for (const auto& [status, count] : s->supply[side]) {
      supply += (supply.empty() ? "" : ", ") + roster.sides[side] + " " + std::to_string(count) +
                " " + status;
    }
  }
  return supply.empty() ? out : out + "; supply " + supply;
}

}  // namespace

json comparison_json(const Comparison& c, const Game& game, const Viewer& viewer) {
  const Roster& roster = game.roster();
  const View view(game, viewer);
  json turns = json::array();
  for (const ComparedTurn& turn : c.turns) {
    json entry = {{"turn", turn.turn}, {"turnName", roster.turn_name(turn.turn)}};
    entry["a"] = turn.a ? standing_json(*turn.a, roster) : json();
    entry["b"] = turn.b ? standing_json(*turn.b, roster) : json();
    turns.push_back(std::move(entry));
  }
  std::string difference;
  JsonWriter out(difference);
  write_difference(out, c.difference, c.a_position, c.b_position, game, view);
  const Fates fates = fates_of(c, view);
  const auto list = [&](const std::vector<UnitId>& units) {
    json names = json::array();
    for (UnitId unit : units) names.push_back(roster.units[unit.index()].name);
    return names;
  };
  const auto event = [](Version version) { return version ? json(version) : json(); };
  return {{"format", "wardiary-compare/1"},
          {"a", point_json(c.a)},
          {"b", point_json(c.b)},
          {"common", c.common},
          {"divergence", {{"a", event(c.diverge_a)}, {"b", event(c.diverge_b)}}},
          {"turns", std::move(turns)},
          {"end", {{"a", standing_json(c.a_end, roster)}, {"b", standing_json(c.b_end, roster)}}},
          {"units",
           {{"gained", list(fates.gained)},
            {"lost", list(fates.lost)},
            {"moved", list(fates.moved)},
            {"changed", list(fates.changed)}}},
          {"difference", json::parse(difference)}};
}

std::string comparison_text(const Comparison& c, const Game& game, const Viewer& viewer) {
  const Roster& roster = game.roster();
  std::string out = "Both lines share events 1 to " + std::to_string(c.common) + ".\n";
  const auto event = [](Version version) {
    return version ? "event " + std::to_string(version) : std::string("its end");
  };
  if (c.diverge_a == 0 && c.diverge_b == 0) {
    out += "They say the same to their ends.\n";
  } else {
    out += "They part at " + event(c.diverge_a) + " of the first and " + event(c.diverge_b) +
           " of the second.\n";
  }
  for (const ComparedTurn& turn : c.turns) {
    const std::string name = roster.turn_name(turn.turn);
    // Not yet parted when the turn ended; what begins a branch is no difference.
    const bool same = turn.a && turn.b && (!c.diverge_a || turn.a->version < c.diverge_a) &&
                      (!c.diverge_b || turn.b->version < c.diverge_b);
    out += "Turn " + std::to_string(turn.turn) +
           (name.empty() || name == std::to_string(turn.turn) || name.starts_with("turn ")
                ? ""
                : " (" + name + ")") +
           (same ? ": the same\n" : "\n");
    if (same) continue;
    out += "  first   " + standing_words(turn.a, roster) + "\n";
    out += "  second  " + standing_words(turn.b, roster) + "\n";
  }
  out += "At the end\n  first   " + standing_words(c.a_end, roster) + "\n  second  " +
         standing_words(c.b_end, roster) + "\n";
  const Fates fates = fates_of(c, View(game, viewer));
  const auto list = [&](const char* what, const std::vector<UnitId>& units) {
    if (!units.empty()) out += std::string(what) + ": " + names(units, roster) + "\n";
  };
  list("On the board only in the second", fates.gained);
  list("On the board only in the first", fates.lost);
  list("Elsewhere", fates.moved);
  list("Otherwise different", fates.changed);
  if (!c.difference.spaces.empty()) {
    out += std::to_string(c.difference.spaces.size()) + " values of spaces and " +
           std::to_string(c.difference.tracks.size()) + " tracks differ.\n";
  }
  return out;
}

}  // namespace wardiary

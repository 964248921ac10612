#include "tools/wardiary/event_text.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "domain/json_writer.h"
#include "projections/view.h"
#include "tools/wardiary/terminal.h"

namespace wardiary::cli {

using nlohmann::json;

namespace {

// A value as one would write it by hand; long lists are cut.
std::string words(const json& value) {
  constexpr std::size_t kListMax = 12;
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "none";
  std::string out;
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size() && i < kListMax; ++i) {
      out += (i ? " " : "") + words(value[i]);
    }
    if (value.size() > kListMax) out += " ... (" + std::to_string(value.size()) + ")";
    return out;
  }
  if (value.is_object()) {
    for (auto item = value.begin(); item != value.end(); ++item) {
      out += (out.empty() ? "" : ", ") + item.key() + " " + words(item.value());
    }
    return "{" + out + "}";
  }
  return value.dump();
}

std::string side_name(const Roster& roster, SideId side) {
  return side.ok() ? roster.sides[side.index()] : "nobody";
}

void print_clock(const Game& game, const Position& p) {
  const Roster& roster = game.roster();
  std::string line = "Turn " + std::to_string(p.clock.turn);
  if (const std::string name = roster.turn_name(p.clock.turn);
      !name.empty() && name != std::to_string(p.clock.turn)) {
    line += " (" + name + ")";
  }
  if (p.clock.phase < roster.phases.size()) line += ", " + roster.phases[p.clock.phase];
  if (p.clock.side >= 0) line += ", " + side_name(roster, p.clock.active());
  if (p.over)
    line += p.winner >= 0 ? ". Over: " + side_name(roster, SideId{p.winner}) + " won" : ". Over";
  say(tinted(Tint::kBold, line));
  for (std::size_t s = 0; s < roster.sides.size(); ++s) {
    const Question& q = p.pending(SideId{static_cast<int>(s)});
    if (q.kind == 0) continue;
    std::string asked = roster.sides[s] + " must decide: ";
    asked += q.kind < roster.decisions.size() ? roster.decisions[q.kind] : "?";
    if (q.space >= 0) asked += " at " + roster.spaces[static_cast<std::size_t>(q.space)];
    if (q.unit >= 0) asked += " for " + roster.units[static_cast<std::size_t>(q.unit)].name;
    say(asked);
  }
}

void print_units(const Game& game, const Position& p) {
  const Roster& roster = game.roster();
  std::map<SpaceId, std::vector<std::string>> by_space;
  std::size_t off = 0;
  for (std::size_t u = 0; u < roster.units.size(); ++u) {
    const UnitId unit{static_cast<int>(u)};
    if (!p.on_board(unit)) {
      ++off;
      continue;
    }
    std::string text = roster.units[u].name;
    if (game.system) {
      text += "(" + std::to_string(game.system->strength(game, p, unit)) + ")";
    }
    by_space[p.at(unit)].push_back(side_name(roster, p.side(unit)) + " " + text);
  }
  if (by_space.empty()) return say("No unit is on the board.");
  Table table({"space", "name", "units (steps)"});
  for (auto& [space, units] : by_space) {
    std::sort(units.begin(), units.end());
    std::string list;
    std::string side;
    for (const std::string& unit : units) {
      const auto blank = unit.find(' ');
      if (unit.substr(0, blank) != side) {
        side = unit.substr(0, blank);
        list += (list.empty() ? "" : "; ") + side + ":";
      }
      list += unit.substr(blank);
    }
    const std::string name = game.board ? game.board->space(space).name : "";
    table.add({roster.spaces[space.index()], name, list});
  }
  table.print();
  if (off) say(std::to_string(off) + " units are not on the board.");
}

void print_control(const Game& game, const Position& p) {
  const Roster& roster = game.roster();
  for (std::size_t a = 0; a < roster.space_attributes.size(); ++a) {
    if (roster.space_attributes[a].kind != ValueKind::kSide) continue;
    std::map<int, int> counts;
    for (std::size_t s = 0; s < roster.spaces.size(); ++s) {
      ++counts[p.get(SpaceId{static_cast<int>(s)}, static_cast<int>(a))];
    }
    std::string line;
    for (auto [side, count] : counts) {
      const bool known = side >= 0 && static_cast<std::size_t>(side) < roster.sides.size();
      line += (line.empty() ? "" : ", ") +
              (known ? roster.sides[static_cast<std::size_t>(side)] : std::string("nobody")) + " " +
              std::to_string(count);
    }
    say("Spaces by " + roster.space_attributes[a].name + ": " + line);
  }
}

void print_supply(const Game& game, const Position& p) {
  const Roster& roster = game.roster();
  std::map<std::string, std::map<std::string, int>> counts;
  Table cut({"unit", "at", "supply", "reason"});
  for (const UnitSupply& s : game.system->supply(game, p)) {
    ++counts[side_name(roster, p.side(s.unit))][s.status];
    if (s.reason.empty() || !p.on_board(s.unit)) continue;
    cut.add({roster.units[s.unit.index()].name, roster.spaces[p.at(s.unit).index()], s.status,
             s.reason});
  }
  for (const auto& [side, by_status] : counts) {
    std::string line;
    for (const auto& [status, count] : by_status) {
      line += (line.empty() ? "" : ", ") + std::to_string(count) + " " + status;
    }
    say("Supply of " + side + ": " + line);
  }
  if (!cut.empty()) cut.print();
}

void print_score(const Game& game, const Position& p) {
  const Roster& roster = game.roster();
  std::map<std::string, std::pair<std::int64_t, std::string>> by_side;
  for (const ScoreTerm& term : game.system->score(game, p)) {
    auto& [total, terms] = by_side[side_name(roster, term.side)];
    total += term.value;
    terms += (terms.empty() ? "" : ", ") + term.term + " " + std::to_string(term.value);
  }
  for (const auto& [side, score] : by_side) {
    say("Score of " + side + ": " + std::to_string(score.first) + " (" + score.second + ")");
  }
}

}  // namespace

std::string event_text_json(const Game& game, const fb::Event& event, std::uint64_t version,
                            const Position& before, const Position& after) {
  std::string text;
  JsonWriter out(text);
  View(game, Viewer::referee()).write_event(out, event, version, before, after);
  return text;
}

std::string event_line(const Game& game, const fb::Event& event, std::uint64_t version,
                       const Position& before, const Position& after) {
  json all = json::parse(event_text_json(game, event, version, before, after));
  const std::string type = all.value("type", "?");
  for (const char* noise : {"version", "type", "digest", "proof", "elements", "suite", "recordedAt",
                            "author", "contents", "options", "contributors", "because"}) {
    all.erase(noise);
  }
  std::string line;
  for (auto item = all.begin(); item != all.end(); ++item) {
    line += (line.empty() ? "" : ", ") + item.key() + " " + words(item.value());
  }
  std::string number = std::to_string(version);
  number.insert(0, number.size() < 6 ? 6 - number.size() : 0, ' ');
  std::string head = type;
  head.append(head.size() < 14 ? 14 - head.size() : 0, ' ');
  return tinted(Tint::kDim, number) + "  " + tinted(Tint::kBold, head) + "  " + line;
}

void print_position(const Game& game, const Position& position) {
  print_clock(game, position);
  print_units(game, position);
  print_control(game, position);
  if (!game.system) return;
  print_supply(game, position);
  print_score(game, position);
}

}  // namespace wardiary::cli

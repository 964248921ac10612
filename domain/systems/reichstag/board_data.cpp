// Reads what Race to the Reichstag needs from its board: sectors, terrain by the chart printed with
// it, hexsides, bridges, edges, objectives.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "domain/systems/reichstag/data.h"

namespace wardiary::reichstag {
namespace {

// What the terrain effects chart says of a kind of hex or hexside [27.5, R-02].
struct HexEffect {
  int mp = 1;
  int defence = 1;
  bool assault_only = false;
};
struct SideEffect {
  Water water = Water::kNone;
  int mp = 0;
  int defence = 1;
  bool closed = false;
  bool attack_across = true;
  bool zoc_across = true;
  bool blocks_loc = false;
};

struct Chart {
  std::map<std::string, HexEffect> hex = {{"clear", {1, 1, false}},
                                          {"suburb", {2, 1, false}},
                                          {"woods", {2, 2, false}},
                                          {"urban", {2, 2, true}},
                                          {"sbahn", {2, 2, true}}};
  HexEffect objective = {2, 3, true};
  std::map<std::string, SideEffect> side = {
      {"clear", {}},
      {"river", {Water::kRiver, 3, 2, false, true, true, true}},
      {"canal", {Water::kCanal, 2, 2, false, true, true, false}},
      {"lake", {Water::kLake, 0, 3, true, true, true, true}}};
};

constexpr int kMpMax = 20;
constexpr int kMultipleLimit = 6;

void read_effect(JsonReader at, HexEffect& effect) {
  effect.mp = static_cast<int>(at.number_or("mp", effect.mp, 0, kMpMax));
  effect.defence = static_cast<int>(at.number_or("defence", effect.defence, 1, kMultipleLimit));
  effect.assault_only = at.flag_or("assaultOnly", effect.assault_only);
}

void read_effect(JsonReader at, SideEffect& effect) {
  const auto number = [&](const char* field, int otherwise, int least, int most) {
    const auto* value = at.get(field);
    if (!value || value->is_null()) return otherwise;  // a closed hexside has no cost
    return static_cast<int>(at.number(field, least, most));
  };
  effect.mp = number("mp", effect.mp, 0, kMpMax);
  effect.defence = number("defence", effect.defence, 1, kMultipleLimit);
  effect.closed = at.flag_or("closed", effect.closed);
  effect.attack_across = at.flag_or("attackAcross", effect.attack_across);
  effect.zoc_across = at.flag_or("zocAcross", effect.zoc_across);
  effect.blocks_loc = at.flag_or("locBlocked", effect.blocks_loc);
}

Chart read_chart(JsonReader& root) {
  Chart chart;
  if (!root.has("terrainChart")) return chart;
  JsonReader at = root.at("terrainChart");
  if (at.has("hex")) {
    at.each_member("hex", [&](const std::string& name, JsonReader& entry) {
      read_effect(entry, chart.hex[name]);
    });
  }
  if (at.has("overlay") && at.at("overlay").has("objective")) {
    read_effect(at.at("overlay").at("objective"), chart.objective);
  }
  if (at.has("hexside")) {
    JsonReader sides = at.at("hexside");
    for (auto& [name, effect] : chart.side) {
      if (sides.has(name)) read_effect(sides.at(name), effect);
    }
  }
  return chart;
}

std::uint8_t edge_bit(const std::string& word) {
  switch (word.empty() ? ' ' : word.front()) {
    case 'N':
    case 'n':
      return edge::kNorth;
    case 'E':
    case 'e':
      return edge::kEast;
    case 'S':
    case 's':
      return edge::kSouth;
    case 'W':
    case 'w':
      return edge::kWest;
    default:
      return 0;
  }
}

Sector sector_of(JsonReader& at, const std::string& word) {
  if (word == "1BF") return Sector::kOf1BF;
  if (word == "1UF") return Sector::kOf1UF;
  if (word != "R") at.complain("sector", "must be 1BF, 1UF or R");
  return Sector::kReichstag;
}

int objective_value(const std::string& name, Sector sector) {  // [27.4]
  if (sector == Sector::kReichstag) return 30;
  return name == "Potsdam" ? 10 : 5;
}

// "S-Bahn" is sbahn; an objective hex without other terrain is clear ground.
std::string terrain_word(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (c != '-' && c != ' ') out += c;
  }
  return out == "objective" || out.empty() ? "clear" : out;
}

void read_edges(JsonReader& at, HexFacts& hex) {
  const auto add = [&](JsonReader& item, const std::string& word) {
    if (!edge_bit(word)) item.complain("", "must be N, E, S or W");
    hex.edges = static_cast<std::uint8_t>(hex.edges | edge_bit(word));
  };
  const auto* edge = at.get("edge");
  if (!edge || edge->is_null()) return;
  if (edge->is_string()) return add(at, edge->get<std::string>());
  at.each_text("edge", 4, add);
}

// A board that names no edge has those of its rows and columns.
void find_edges(const nlohmann::json& spaces, ReichstagData& data) {
  if (data.hexes.empty() || std::any_of(data.hexes.begin(), data.hexes.end(),
                                        [](const HexFacts& hex) { return hex.edges != 0; })) {
    return;
  }
  int least[2] = {INT32_MAX, INT32_MAX}, most[2] = {INT32_MIN, INT32_MIN};
  for (const auto& space : spaces) {
    if (!space.contains("q") || !space.contains("r")) return;
    const int at[2] = {space["q"].get<int>(), space["r"].get<int>()};
    for (int i : {0, 1}) {
      least[i] = std::min(least[i], at[i]);
      most[i] = std::max(most[i], at[i]);
    }
  }
  for (std::size_t i = 0; i < data.hexes.size(); ++i) {
    const int q = spaces[i]["q"].get<int>(), r = spaces[i]["r"].get<int>();
    int edges = 0;
    if (r == least[1]) edges |= edge::kNorth;
    if (r == most[1]) edges |= edge::kSouth;
    if (q == least[0]) edges |= edge::kWest;
    if (q == most[0]) edges |= edge::kEast;
    data.hexes[i].edges = static_cast<std::uint8_t>(edges);
  }
}

void read_hex(JsonReader& at, const Chart& chart, ReichstagData& data) {
  HexFacts hex;
  const SpaceId id{static_cast<int>(data.hexes.size())};
  const std::string name = at.text_or("name", "");
  hex.sector = sector_of(at, at.text_or("sector", name == "Reichstag" ? "R" : "1BF"));
  const std::string stated = at.text_or("terrain", "clear");
  const std::string terrain = terrain_word(stated);
  const auto effect = chart.hex.find(terrain);
  if (effect == chart.hex.end()) {
    return at.complain("terrain", "the terrain chart has no \"" + terrain + "\"");
  }
  HexEffect counts = effect->second;
  hex.objective =
      at.flag_or("objective", hex.sector == Sector::kReichstag || stated == "objective");
  hex.sbahn = at.flag_or("sbahn", terrain == "sbahn");
  if (hex.objective) {
    counts.mp = std::max(counts.mp, chart.objective.mp);
    counts.defence = std::max(counts.defence, chart.objective.defence);
    counts.assault_only = counts.assault_only || chart.objective.assault_only;
    hex.value = static_cast<std::int16_t>(
        at.number_or("value", objective_value(name, hex.sector), 0, 1000));
    data.objectives.push_back(id);
  }
  hex.mp = static_cast<std::int8_t>(counts.mp);
  hex.defence = static_cast<std::int8_t>(counts.defence);
  hex.assault_only = counts.assault_only;
  hex.road = at.flag_or("road", false);
  hex.airfield = at.flag_or("airfield", false);
  hex.star = at.has("entryStar");
  hex.west_of_havel = at.flag_or("westOfHavel", false);
  read_edges(at, hex);
  if (hex.sector == Sector::kReichstag) {
    if (data.reichstag) at.complain("sector", "there is one Reichstag only");
    data.reichstag = id;
  }
  if (name == "Potsdam") data.potsdam = id;
  data.hexes.push_back(hex);
}

void read_link(JsonReader& at, const BoardLink& printed, const Chart& chart, ReichstagData& data) {
  LinkFacts link;
  const auto found = chart.side.find(printed.side);
  if (found == chart.side.end()) {
    return at.complain("side", "the terrain chart has no \"" + printed.side + "\"");
  }
  const SideEffect& effect = found->second;
  link.water = effect.water;
  link.mp = static_cast<std::int8_t>(effect.mp);
  link.defence = static_cast<std::int8_t>(effect.defence);
  link.closed = effect.closed;
  link.attack_across = effect.attack_across;
  link.zoc_across = effect.zoc_across;
  link.blocks_loc = effect.blocks_loc;
  const auto* bridge = at.get("bridge");
  link.bridge = bridge && (bridge->is_string() || at.flag_or("bridge", false));
  const bool road = at.flag_or("road", false);
  link.route = at.flag_or("rail", false) || road;
  HexFacts& a = data.hexes[printed.a.index()];
  HexFacts& b = data.hexes[printed.b.index()];
  if (road) a.road = b.road = true;
  const bool reichstag = a.sector == Sector::kReichstag || b.sector == Sector::kReichstag;
  // The Reichstag lies in both sectors for the Soviets [5.5]; there is no boundary around it.
  link.boundary = !reichstag && (a.sector != b.sector || at.flag_or("frontBoundary", false));
  data.links.push_back(link);
}

}  // namespace

Status load_board(const Board& board, ReichstagData& data) {
  JsonReader root(board.document(), "board");
  const Chart chart = read_chart(root);
  if (!root.ok()) return std::move(root).error();
  root.each("spaces", GameLimits::kSpacesMax, [&](JsonReader& at) {
    if (root.ok()) read_hex(at, chart, data);
  });
  if (!root.ok()) return std::move(root).error();
  find_edges(board.document()["spaces"], data);
  std::size_t next = 0;
  root.each("links", GameLimits::kLinksMax, [&](JsonReader& at) {
    if (root.ok()) read_link(at, board.links()[next++], chart, data);
  });
  if (!root.ok()) return std::move(root).error();
  if (data.rulings.canals_block_loc || !data.rulings.across_lakes) {
    for (LinkFacts& link : data.links) {
      if (link.water == Water::kCanal) link.blocks_loc = data.rulings.canals_block_loc;  // R-21
      if (link.water == Water::kLake && !data.rulings.across_lakes) {                    // R-34
        link.attack_across = link.zoc_across = false;
      }
    }
  }
  return Done{};
}

}  // namespace wardiary::reichstag

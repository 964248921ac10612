// Reads what EastFront needs from its board: terrain, hexsides, cities, ports, seas, supply
// sources.
#include <nlohmann/json.hpp>
#include <string>

#include "domain/json_reader.h"
#include "domain/systems/eastfront/data.h"

namespace wardiary::eastfront {
namespace {

template <class Enum>
struct Word {
  std::string_view word;
  Enum value;
};

template <class Enum, std::size_t N>
Enum one_of(JsonReader& at, std::string_view field, const std::string& text,
            const Word<Enum> (&words)[N]) {
  for (const auto& entry : words) {
    if (entry.word == text) return entry.value;
  }
  at.complain(field, "unknown word \"" + text + "\"");
  return words[0].value;
}

constexpr Word<Terrain> kTerrains[] = {
    {"clear", Terrain::kClear}, {"forest", Terrain::kForest},     {"hill", Terrain::kHill},
    {"swamp", Terrain::kSwamp}, {"mountain", Terrain::kMountain}, {"sea", Terrain::kSea},
    {"lake", Terrain::kLake}};
constexpr Word<Border> kBorders[] = {{"clear", Border::kClear},   {"river", Border::kRiver},
                                     {"strait", Border::kStrait}, {"alpine", Border::kAlpine},
                                     {"lake", Border::kLake},     {"sea", Border::kSea},
                                     {"sivash", Border::kSivash}};
constexpr Word<CityClass> kCities[] = {{"none", CityClass::kNone},
                                       {"town", CityClass::kTown},
                                       {"minor", CityClass::kMinor},
                                       {"major", CityClass::kMajor}};
constexpr Word<PortClass> kPorts[] = {
    {"none", PortClass::kNone}, {"minor", PortClass::kMinor}, {"major", PortClass::kMajor}};
constexpr Word<Country> kCountries[] = {{"", Country::kNone},
                                        {"germany", Country::kGermany},
                                        {"ussr", Country::kUssr},
                                        {"romania", Country::kRomania},
                                        {"hungary", Country::kHungary},
                                        {"bulgaria", Country::kBulgaria},
                                        {"yugoslavia", Country::kYugoslavia},
                                        {"albania", Country::kAlbania},
                                        {"greece", Country::kGreece},
                                        {"slovakia", Country::kOther},
                                        {"other", Country::kOther}};

// Bits of the sea areas named in the list at `field`. Seas out of play (Adriatic, Aegean) are not
// among the board's sea areas and have no bit.
std::uint16_t sea_bits(JsonReader& at, std::string_view field, const EastFrontData& data) {
  std::uint16_t bits = 0;
  if (!at.has(field)) return bits;
  at.each_text(field, 16, [&](JsonReader&, const std::string& name) {
    for (std::size_t i = 0; i < data.seas.size(); ++i) {
      if (data.seas[i].id == name) {
        bits = static_cast<std::uint16_t>(bits | (1u << i));
      }
    }
  });
  return bits;
}

void read_seas(JsonReader& root, const Board& board, EastFrontData& data) {
  if (!root.has("seas")) return;
  std::vector<std::vector<std::string>> adjacent;
  root.each("seas", 16, [&](JsonReader& at) {
    SeaArea sea;
    sea.id = at.text("id");
    sea.name = at.text_or("name", sea.id);
    sea.base = board.find(at.text("base"));
    if (!sea.base) at.complain("base", "no such space");
    sea.ports.push_back(sea.base);
    at.each_text("ports", 32, [&](JsonReader& port_at, const std::string& name) {
      sea.ports.push_back(board.find(name));
      if (!sea.ports.back()) port_at.complain("", "no such space");
    });
    sea.axis_may_use = at.flag_or("axisNaval", true);
    if (at.has("straits")) {
      at.each_text("straits", 4, [&](JsonReader&, const std::string& region) {
        for (SpaceId hex : board.region(region)) sea.strait.push_back(hex);
      });
    }
    adjacent.emplace_back();
    at.each_text("adjacent", 16,
                 [&](JsonReader&, const std::string& name) { adjacent.back().push_back(name); });
    data.seas.push_back(std::move(sea));
  });
  for (std::size_t i = 0; i < data.seas.size(); ++i) {
    for (const std::string& name : adjacent[i]) {
      for (std::size_t k = 0; k < data.seas.size(); ++k) {
        if (data.seas[k].id == name) data.seas[i].adjacent.push_back(static_cast<int>(k));
      }
    }
  }
}

void read_hex(JsonReader& at, const EastFrontData& data, HexFacts& hex) {
  hex.terrain = one_of(at, "terrain", at.text_or("terrain", "clear"), kTerrains);
  hex.playable = at.flag_or("playable", true);
  hex.coastal = at.flag_or("coastal", false);
  hex.shoal = at.has("shoal");
  hex.fortress = at.flag_or("fortress", false);
  hex.west_front = at.flag_or("westFront", false);
  hex.rail_entry = at.flag_or("railEntry", false);
  hex.country = one_of(at, "country", at.text_or("country", ""), kCountries);
  const std::string edge = at.text_or("edge", "");
  hex.west_edge = edge == "west";
  hex.east_edge = edge == "east";
  hex.seas = sea_bits(at, "seas", data);
  if (at.has("city")) {
    JsonReader city = at.at("city");
    hex.city = one_of(city, "class", city.text("class"), kCities);
    hex.city_value = static_cast<std::int8_t>(city.number_or("value", 0, 0, 100));
    hex.victory_city = city.flag_or("victory", false);
  }
  if (at.has("resource")) {
    JsonReader resource = at.at("resource");
    hex.resource_value = static_cast<std::int8_t>(resource.number("value", 0, 100));
    hex.oil = resource.text_or("kind", "") == "oil";
  }
  if (at.has("port")) {
    JsonReader port = at.at("port");
    hex.port = one_of(port, "class", port.text("class"), kPorts);
    hex.naval_base = port.flag_or("base", false);
    hex.port_seas = sea_bits(port, "seas", data);
  }
}

void read_link(JsonReader& at, LinkFacts& link) {
  link.border = one_of(at, "side", at.text_or("side", "clear"), kBorders);
  link.terrain = one_of(at, "terrain", at.text_or("terrain", "clear"), kTerrains);
  link.rail = at.flag_or("rail", false);
  link.river = link.border == Border::kRiver || link.border == Border::kStrait;
  const int usual = !link.passable()                                ? 0
                    : link.river || link.terrain != Terrain::kClear ? 1
                                                                    : 2;  // [6.33]
  link.limit = static_cast<std::int8_t>(at.number_or("limit", usual, 0, 9));
}

void read_sources(JsonReader& root, const Board& board, EastFrontData& data) {
  if (!root.has("supplySources")) return;
  JsonReader sources = root.at("supplySources");
  for (SideId side : {kAxis, kSoviet}) {
    const char* field = side == kAxis ? "axis" : "soviet";
    if (!sources.has(field)) continue;
    sources.each_text(field, 100, [&](JsonReader& at, const std::string& name) {
      const SpaceId hex = board.find(name);
      if (!hex) return at.complain("", "no such space");
      data.hexes[hex.index()].supply_source = side;
    });
  }
}

// Where a restricted satellite may be: its territory (Romania as of 1939) and every hex next to it
// [2.66, 16.4].
void read_satellite_areas(const Board& board, EastFrontData& data) {
  constexpr std::string_view kRegions[] = {"romania_1939", "hungary", "bulgaria"};
  for (std::size_t i = 0; i < data.satellite_area.size(); ++i) {
    std::vector<char>& area = data.satellite_area[i];
    area.assign(board.spaces().size(), 0);
    for (SpaceId home : board.region(kRegions[i])) {
      area[home.index()] = 1;
      for (const Neighbour& next : board.neighbours(home)) area[next.space.index()] = 1;
    }
  }
}

template <class Wanted>
HexGraph graph_of(const Board& board, const EastFrontData& data, const Wanted& wanted) {
  HexGraph graph;
  for (std::size_t i = 0; i < data.hexes.size(); ++i) {
    graph.first.push_back(static_cast<std::uint32_t>(graph.to.size()));
    for (const Neighbour& next : board.neighbours(SpaceId{static_cast<int>(i)})) {
      if (wanted(data.link(next.link))) graph.to.push_back(next.space);
    }
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.to.size()));
  return graph;
}

}  // namespace

Status load_board(const Board& board, EastFrontData& data) {
  JsonReader root(board.document(), "board");
  read_seas(root, board, data);
  root.each("spaces", GameLimits::kSpacesMax, [&](JsonReader& at) {
    data.hexes.emplace_back();
    read_hex(at, data, data.hexes.back());
  });
  root.each("links", GameLimits::kLinksMax, [&](JsonReader& at) {
    data.links.emplace_back();
    read_link(at, data.links.back());
  });
  // Sea hexes name one sea instead of a list.
  for (std::size_t i = 0; i < data.hexes.size(); ++i) {
    const nlohmann::json& facts = board.facts(SpaceId{static_cast<int>(i)});
    auto sea = facts.find("sea");
    if (sea == facts.end() || !sea->is_string()) continue;
    for (std::size_t k = 0; k < data.seas.size(); ++k) {
      if (data.seas[k].id == sea->get<std::string>()) {
        data.hexes[i].seas = static_cast<std::uint16_t>(1u << k);
      }
    }
  }
  read_sources(root, board, data);
  if (!root.ok()) return std::move(root).error();

  data.rail = graph_of(board, data, [](const LinkFacts& link) { return link.rail; });
  data.land = graph_of(board, data, [](const LinkFacts& link) { return link.passable(); });

  // Small boards of cases need not have them all.
  data.leningrad = board.find("Leningrad");
  data.sevastopol = board.find("Sevastopol");
  data.moscow = board.find("Moscow");
  data.warsaw = board.find("Warsaw");
  data.ploesti = board.find("Ploesti");
  data.baku = board.find("Baku");
  data.odessa = board.find("Odessa");
  data.guryev = board.find("Guryev");
  data.astrakhan = board.find("Astrakhan");
  data.danzig = board.find("Danzig");
  data.ventspils = board.find("Ventspils");
  const auto copy = [&](std::string_view region, std::vector<SpaceId>& out) {
    const auto hexes = board.region(region);
    out.assign(hexes.begin(), hexes.end());
  };
  copy("hungarian_plain", data.hungarian_plain);
  copy("polish_plain", data.polish_plain);
  copy("arctic_zone_link", data.arctic_link);
  read_satellite_areas(board, data);
  return Done{};
}

}  // namespace wardiary::eastfront

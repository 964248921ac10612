// A position in the words of the rulebook, put into those of the roster: hand-written positions say
// "hex", "CF", "face": "down", "recon", or points for both Fronts at once.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {

using nlohmann::json;

namespace {

using Words = std::pair<std::string_view, std::string_view>;

constexpr Words kUnitFields[] = {{"hex", "at"},
                                 {"CF", "cf"},
                                 {"factor", "cf"},
                                 {"parentheses", "defenceOnly"},
                                 {"defendsOnly", "defenceOnly"},
                                 {"edge", "entryEdge"},
                                 {"where", "pile"},
                                 {"status", "pile"}};
constexpr Words kTypes[] = {{"recon", "reconnaissance"},
                            {"mech", "mechanised"},
                            {"mechanized", "mechanised"},
                            {"cp", "command post"},
                            {"flak", "flak tower"},
                            {"airfield", "emergency airfield"},
                            {"depot", "supply depot"},
                            {"strategic", "strategic marker"},
                            {"fuehrerbunker", "strategic marker"},
                            {"static", "static infantry"},
                            {"air", "air strike"},
                            {"airstrike", "air strike"},
                            {"air strike bombardment", "air strike"},
                            {"artillery bombardment", "artillery"},
                            {"me262", "me 262"},
                            {"rifle division", "rifle"},
                            {"tank corps", "tank"},
                            {"mechanised corps", "mechanised"}};
constexpr Words kPiles[] = {{"dead pile", "dead"},
                            {"kill pile 1bf", "killed-1BF"},
                            {"kill pile 1uf", "killed-1UF"},
                            {"on map", "map"}};
constexpr Words kBridges[] = {{"unchecked", "UNCHECKED"},
                              {"intact", "INTACT_FOREVER"},
                              {"intact forever", "INTACT_FOREVER"},
                              {"demolished", "DEMOLISHED"}};
constexpr Words kTracks[] = {{"sp", "sp"},
                             {"spSpent", "sp"},
                             {"stavkaPoints", "sp"},
                             {"fatigue", "fatigued"},
                             {"fatigued", "fatigued"},
                             {"maximumEffortUsed", "max_effort_used"},
                             {"maxEffortUsed", "max_effort_used"},
                             {"arrived", "arrived"}};

// "Assault-Gun" and "assault_gun" are "assault gun".
std::string plain(const std::string& text) {
  std::string out;
  for (char c : text) {
    out +=
        c == '_' || c == '-' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

template <std::size_t N>
std::string_view look_up(const Words (&words)[N], std::string_view word) {
  for (const auto& [from, to] : words) {
    if (from == word) return to;
  }
  return {};
}

void rename(json& object, std::string_view from, std::string_view to) {
  const auto found = object.find(std::string(from));
  if (found == object.end() || object.contains(std::string(to))) return;
  json value = *found;
  object.erase(found);
  object[std::string(to)] = std::move(value);
}

template <std::size_t N>
void reword(json& object, const char* field, const Words (&words)[N]) {
  const auto found = object.find(field);
  if (found == object.end() || !found->is_string()) return;
  const std::string_view word = look_up(words, plain(found->get<std::string>()));
  if (!word.empty()) *found = std::string(word);
}

// Which force it is: a Front as its side, or a nation with a Front beside it.
void translate_side(json& unit) {
  rename(unit, "nation", "side");
  rename(unit, "front", "command");
  if (!unit.contains("side") && unit.contains("command")) unit["side"] = unit["command"];
  const auto side = unit.find("side");
  if (side == unit.end() || !side->is_string()) return;
  const std::string word = plain(side->get<std::string>());
  if (word == "german" || word == "germans") *side = "german";
  if (word == "soviet" || word == "soviets") *side = "soviet";
  if (word == "1bf" || word == "1uf") *side = word == "1bf" ? "1BF" : "1UF";
}

void translate_unit(json& unit) {
  if (!unit.is_object()) return;
  for (const auto& [from, to] : kUnitFields) rename(unit, from, to);
  translate_side(unit);
  const auto type = unit.find("type");
  if (type != unit.end() && type->is_string()) {
    const std::string word = plain(type->get<std::string>());
    const std::string_view known = look_up(kTypes, word);
    *type = known.empty() ? word : std::string(known);
  }
  reword(unit, "pile", kPiles);
  if (unit.contains("face") && unit["face"].is_string()) {
    unit["faceUp"] = plain(unit["face"].get<std::string>()) == "up";
    unit.erase("face");
  }
  if (unit.contains("faceDown") && unit["faceDown"].is_boolean()) {
    unit["faceUp"] = !unit["faceDown"].get<bool>();
    unit.erase("faceDown");
  }
}

// {"sp": {"1BF": 55, "1UF": 45}}, also with "spent" between, as the scenarios write it.
void translate_tracks(json& tracks) {
  if (!tracks.is_object()) return;
  for (const auto& [from, to] : kTracks) {
    const auto found = tracks.find(std::string(from));
    if (found == tracks.end() || !found->is_object()) continue;
    json both = *found;
    tracks.erase(found);
    if (both.contains("spent") && both["spent"].is_object()) both = json(both["spent"]);
    for (auto item = both.begin(); item != both.end(); ++item) {
      tracks[std::string(to) + "_" + item.key()] = item.value();
    }
  }
}

}  // namespace

void translate_written_position(json& stated) {
  if (!stated.is_object()) return;
  const auto each = [&](const char* list, const auto& translate) {
    const auto found = stated.find(list);
    if (found == stated.end() || !found->is_array()) return;
    for (json& entry : *found) {
      if (entry.is_object()) translate(entry);
    }
  };
  each("units", translate_unit);
  each("spaces", [](json& space) {
    rename(space, "hex", "id");
    rename(space, "controller", "control");
    rename(space, "objectiveController", "control");
  });
  each("links", [](json& link) {
    rename(link, "state", "bridge");
    rename(link, "bridgeState", "bridge");
    reword(link, "bridge", kBridges);
  });
  if (stated.contains("tracks")) translate_tracks(stated["tracks"]);
}

}  // namespace wardiary::reichstag

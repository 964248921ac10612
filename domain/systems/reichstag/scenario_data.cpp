// Reads a scenario: the counters, the markers, prices and what the optional scenarios change.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "domain/systems/reichstag/data.h"

namespace wardiary::reichstag {
namespace {

constexpr int kTurnsMax = 100;
constexpr int kMarkersMax = 50;

template <class Value>
struct Word {
  std::string_view word;
  Value value;
};

template <class Value, std::size_t N>
const Value* find_word(const Word<Value> (&words)[N], std::string_view wanted) {
  for (const auto& entry : words) {
    if (entry.word == wanted) return &entry.value;
  }
  return nullptr;
}

struct TypeFacts {
  StaticKind works_as = StaticKind::kNone;
  bool highly_mobile = false;   // [25.1]
  Size size = Size::kRegiment;  // where nothing is said
};

constexpr Word<TypeFacts> kTypes[] = {
    {"tank", {StaticKind::kNone, true, Size::kBrigade}},
    {"panzer", {StaticKind::kNone, true, Size::kBattalion}},
    {"mechanised", {StaticKind::kNone, true, Size::kBrigade}},
    {"mechanized", {StaticKind::kNone, true, Size::kBrigade}},
    {"panzergrenadier", {StaticKind::kNone, true, Size::kRegiment}},
    {"assault gun", {StaticKind::kNone, true, Size::kBrigade}},
    {"reconnaissance", {StaticKind::kNone, true, Size::kRegiment}},
    {"recon", {StaticKind::kNone, true, Size::kRegiment}},
    {"cavalry", {StaticKind::kNone, true, Size::kDivision}},
    {"rifle", {StaticKind::kNone, false, Size::kDivision}},
    {"infantry", {StaticKind::kNone, false, Size::kRegiment}},
    {"parachute", {StaticKind::kNone, false, Size::kRegiment}},
    {"jaeger", {StaticKind::kNone, false, Size::kRegiment}},
    {"jäger", {StaticKind::kNone, false, Size::kRegiment}},
    {"engineer", {StaticKind::kNone, false, Size::kBrigade}},
    {"static infantry", {StaticKind::kInfantry, false, Size::kBattalion}},
    {"command post", {StaticKind::kCommandPost, false, Size::kBattalion}},
    {"emergency airfield", {StaticKind::kAirfield, false, Size::kBattalion}},
    {"flak tower", {StaticKind::kFlak, false, Size::kBattalion}},
    {"sniper", {StaticKind::kSniper, false, Size::kBattalion}},
    {"strategic marker", {StaticKind::kStrategic, false, Size::kBattalion}},
    {"supply depot", {StaticKind::kDepot, false, Size::kBattalion}},
};

constexpr Word<Size> kSizes[] = {
    {"XXX", Size::kCorps},           {"XX", Size::kDivision},     {"X", Size::kBrigade},
    {"III", Size::kRegiment},        {"II", Size::kBattalion},    {"corps", Size::kCorps},
    {"division", Size::kDivision},   {"brigade", Size::kBrigade}, {"regiment", Size::kRegiment},
    {"battalion", Size::kBattalion}, {"group", Size::kRegiment}};

constexpr Word<Group> kPools[] = {{"static", Group::kPool},
                                  {"prepared-cp", Group::kPreparedCp},
                                  {"garrison", Group::kGarrison},
                                  {"setup-spree", Group::kSpree},
                                  {"setup-56pz-1uf", Group::k56Pz1UF},
                                  {"setup-56pz-1bf", Group::k56Pz1BF},
                                  {"setup-bf-north", Group::k1BFNorth},
                                  {"setup-bf-south", Group::k1BFSouth},
                                  {"setup-uf-south", Group::k1UFSouth},
                                  {"steiner", Group::kSteiner},
                                  {"20-corps", Group::k20Corps}};

class ScenarioReader {
 public:
  ScenarioReader(JsonReader& in, const Board& board, ReichstagData& data,
                 std::vector<RosterUnit>& roster)
      : in_(in), board_(board), data_(data), roster_(roster) {}

  void read() {
    own_board_ = in_.text_or("board", "") == board_.id();
    in_.each("units", GameLimits::kUnitsMax, [&](JsonReader& at) { unit(at); });
    markers();
    turns();
    if (in_.has("stavkaCosts")) costs();
    if (in_.has("setup")) in_.each("setup", 40, [&](JsonReader& at) { setup_step(at); });
    if (in_.has("specialRules")) {
      JsonReader at = in_.at("specialRules");
      data_.fantasy = at.has("groups");
      data_.prepared = at.flag_or("germansInSbahnIgnoreRetreat", false);
    }
  }

 private:
  // ----- counters
  void unit(JsonReader& at) {
    UnitFacts facts;
    RosterUnit in_roster{at.text("id"), at.text_or("name", ""), at.text("type"), {}};
    side(at, facts, in_roster.side);
    kind(at, in_roster.type, facts);
    factor(at, facts);
    facts.fuehrerbunker = facts.works_as == StaticKind::kStrategic &&
                          (at.text_or("short", "") == "FB" || in_roster.title == "Führerbunker" ||
                           in_roster.name.find("bunker") != std::string::npos);
    entry(at, facts);
    start(at, facts);
    if (at.has("suggested")) facts.suggested = board_.find(at.text("suggested"));
    data_.units.push_back(facts);
    roster_.push_back(std::move(in_roster));
  }

  // A Soviet unit belongs to its Front for good [2.9]: "command", or the Front itself as its side.
  void side(JsonReader& at, UnitFacts& facts, SideId& out) {
    const std::string word = at.text("side");
    const std::string command = at.text_or("command", word);
    if (word == "german") {
      out = kGerman;
    } else if (command == "1BF" || command == "1UF") {
      out = facts.front = command == "1BF" ? k1BF : k1UF;
      facts.kind = Kind::kSoviet;
    } else {
      at.complain("side", "must be 1BF, 1UF or german, or soviet with a command");
    }
  }

  void kind(JsonReader& at, const std::string& type, UnitFacts& facts) {
    if (type == "artillery" || type == "air strike" || type == "me 262") {
      return marker_kind(at, type, facts);
    }
    const TypeFacts* known = find_word(kTypes, type);
    if (!known) return at.complain("type", "there is no unit type \"" + type + "\"");
    const bool is_static =
        known->works_as != StaticKind::kNone || (at.text_or("class", "mobile") == "static");
    if (is_static) {
      if (facts.kind == Kind::kSoviet) at.complain("class", "only Germans are static");
      facts.kind = Kind::kStatic;
      facts.works_as =
          known->works_as == StaticKind::kNone ? StaticKind::kInfantry : known->works_as;
    }
    facts.recon = type == "reconnaissance" || type == "recon";
    facts.engineer = type == "engineer";
    facts.highly_mobile = at.flag_or("highlyMobile", known->highly_mobile);
    facts.size = known->size;
    if (at.has("size")) {
      const std::string word = at.text("size");
      const Size* size = find_word(kSizes, word);
      if (!size) return at.complain("size", "there is no size \"" + word + "\"");
      facts.size = *size;
    } else if (facts.kind == Kind::kSoviet && type == "infantry") {
      facts.size = Size::kDivision;
    }
  }

  void marker_kind(JsonReader& at, const std::string& type, UnitFacts& facts) {
    const bool german = facts.kind != Kind::kSoviet;
    if (german != (type == "me 262")) at.complain("type", "is not a marker of this side");
    facts.kind = german ? Kind::kMe262 : type == "artillery" ? Kind::kArtillery : Kind::kAir;
    if (german) facts.front = at.text_or("controller", "1BF") == "1UF" ? k1UF : k1BF;
  }

  // "(3)" is a factor in parentheses [2.6].
  void factor(JsonReader& at, UnitFacts& facts) {
    constexpr int kFactorMax = 100;
    facts.defence_only = at.flag_or("defenceOnly", false);
    const auto* cf = at.get("cf");
    if (cf && cf->is_string()) {
      const std::string text = cf->get<std::string>();
      const bool good = text.size() >= 3 && text.size() <= 4 && text.front() == '(' &&
                        text.back() == ')' &&
                        std::all_of(text.begin() + 1, text.end() - 1,
                                    [](char c) { return c >= '0' && c <= '9'; });
      if (!good) return at.complain("cf", "must be a number, or a number in parentheses");
      facts.cf = static_cast<std::int16_t>(std::stoi(text.substr(1)));
      facts.defence_only = true;
      return;
    }
    facts.cf = static_cast<std::int16_t>(facts.is_marker() ? at.number_or("cf", 0, 0, kFactorMax)
                                                           : at.number("cf", 0, kFactorMax));
  }

  // The edge by which it comes and comes back [7.1, R-25].
  void entry(JsonReader& at, UnitFacts& facts) {
    if (facts.kind != Kind::kSoviet) return;
    const std::string word = at.text_or("entryEdge", "S");
    static constexpr Word<std::uint8_t> kEdges[] = {{"N", edge::kNorth},     {"E", edge::kEast},
                                                    {"S", edge::kSouth},     {"W", edge::kWest},
                                                    {"North", edge::kNorth}, {"East", edge::kEast},
                                                    {"South", edge::kSouth}, {"West", edge::kWest}};
    const std::uint8_t* found = find_word(kEdges, word);
    if (!found) return at.complain("entryEdge", "must be N, E, S or W");
    facts.entry_edge = *found;
    facts.by_star = at.text_or("entryRegion", "") == "entry-yellow-stars";
    if (facts.front == k1UF && facts.entry_edge == edge::kEast) {  // the erratum [2.3]
      facts.entry_edge = edge::kSouth;
      facts.by_star = true;
    }
  }

  void start(JsonReader& at, UnitFacts& facts) {
    const std::string text = at.text_or("start", "");
    if (text.empty()) return;
    if (text.starts_with("pool:")) {
      const Group* group = find_word(kPools, std::string_view(text).substr(5));
      if (!group) return at.complain("start", "there is no pool \"" + text.substr(5) + "\"");
      facts.group = *group;
      if (facts.group == Group::kPreparedCp) {  // [23.1 (3)]
        const std::string by = at.text_or("controller", "");
        facts.setup_by = by == "1UF" ? k1UF : k1BF;
      }
    } else if (text.starts_with("turn:")) {
      facts.group = Group::kDated;
      for (char c : text.substr(5)) {
        if (c < '0' || c > '9' || facts.arrival > kTurnsMax) {
          return at.complain("start", "must be turn: and a number");
        }
        facts.arrival = facts.arrival * 10 + (c - '0');
      }
    } else {
      facts.group = Group::kOnMap;
      facts.start = board_.find(text);
      if (!facts.start && own_board_) at.complain("start", "no space \"" + text + "\"");
      if (!facts.start) facts.group = Group::kNone;
    }
  }

  // ----- markers [7.2, 22.5]: the counters of a Front are numbered
  void markers() {
    if (!in_.has("markers")) return;
    JsonReader at = in_.at("markers");
    for (SideId front : kFronts) {
      const std::string name = front == k1BF ? "1BF" : "1UF";
      const std::string prefix = front == k1BF ? "BF-" : "UF-";
      if (at.has("bombardment") && at.at("bombardment").has(name)) {
        JsonReader counts = at.at("bombardment").at(name);
        add(counts, "artillery", prefix + "ART-", "artillery", Kind::kArtillery, front, front);
        add(counts, "air", prefix + "AIR-", "air strike", Kind::kAir, front, front);
      }
      if (at.has("me262")) {
        JsonReader counts = at.at("me262");
        add(counts, name, "G-ME262-" + name + "-", "me 262", Kind::kMe262, front, kGerman);
      }
    }
  }
  void add(JsonReader& counts, const std::string& field, const std::string& prefix,
           const std::string& type, Kind kind, SideId front, SideId side) {
    const auto count = counts.number_or(field, 0, 0, kMarkersMax);
    for (int i = 1; i <= count; ++i) {
      const std::string name = prefix + std::to_string(i);
      const bool listed = std::any_of(roster_.begin(), roster_.end(),
                                      [&](const RosterUnit& unit) { return unit.name == name; });
      if (listed) continue;
      UnitFacts facts;
      facts.kind = kind;
      facts.front = front;
      data_.units.push_back(facts);
      roster_.push_back({name, "", type, side});
    }
  }

  // ----- the sheet
  void turns() {
    if (in_.has("turns")) {
      in_.each("turns", kTurnsMax,
               [&](JsonReader& at) { data_.turns.push_back(at.text_or("title", "")); });
    }
    if (data_.turns.empty()) {  // [21.1]
      for (int day = 23; day <= 30; ++day) data_.turns.push_back(std::to_string(day) + " April");
      for (int day = 1; day <= 2; ++day) data_.turns.push_back(std::to_string(day) + " May");
    }
  }
  void costs() {
    JsonReader at = in_.at("stavkaCosts");
    const auto read = [&](const char* field, int& cost) {
      cost = static_cast<int>(at.number_or(field, cost, 0, kStavkaPoints));
    };
    read("replaceCorps", data_.costs.corps);
    read("replaceDivision", data_.costs.division);
    read("replaceSmaller", data_.costs.smaller);
    read("artillery", data_.costs.artillery);
    read("air", data_.costs.air);
    read("maximumEffort", data_.costs.max_effort);
    read("fatiguedFactor", data_.costs.fatigued);
  }
  void slots(JsonReader& at, const char* field, std::vector<SpaceId>& out) {
    if (!at.has(field)) return;
    at.each_text(field, 100, [&](JsonReader& item, const std::string& name) {
      out.push_back(board_.find(name));
      if (out.back()) return;
      out.pop_back();
      if (own_board_) item.complain("", "no space \"" + name + "\"");
    });
  }
  void setup_step(JsonReader& at) {
    constexpr int kDrawMax = 100;
    const std::string step = at.text_or("step", "");
    const auto draw = [&](const char* field, int& count) {
      count = static_cast<int>(at.number_or(field, count, 0, kDrawMax));
    };
    if (step == "S2b") return prepared_posts(at);
    if (step == "S3") draw("draw", data_.draw_reichstag);
    if (step == "S4") {
      draw("draw", data_.draw_1bf);
      slots(at, "suggestedSlots", data_.slots_1bf);
    }
    if (step == "S5") {
      draw("draw", data_.draw_1uf);
      slots(at, "suggestedSlots", data_.slots_1uf);
    }
    if (step == "S6") {
      draw("draw1BF", data_.draw_garrison);
      slots(at, "suggestedSlots1UFSector", data_.garrison_1bf);
      slots(at, "suggestedSlots1BFSector", data_.garrison_1uf);
    }
  }
  void prepared_posts(JsonReader& at) {
    for (SideId front : kFronts) {
      const char* field = front == k1BF ? "units1BF" : "units1UF";
      if (!at.has(field)) continue;
      at.each_text(field, 20, [&](JsonReader& item, const std::string& name) {
        for (std::size_t i = 0; i < roster_.size(); ++i) {
          if (roster_[i].name != name) continue;
          data_.units[i].group = Group::kPreparedCp;
          data_.units[i].setup_by = front;
          return;
        }
        item.complain("", "no unit \"" + name + "\"");
      });
    }
  }

  JsonReader& in_;
  const Board& board_;
  ReichstagData& data_;
  std::vector<RosterUnit>& roster_;
  // On another board than its own (a case's) the scenario's places mean nothing.
  bool own_board_ = true;
};

}  // namespace

const ReichstagData& data_of(const Game& game) {
  return static_cast<const ReichstagData&>(*game.data);
}

Status load_scenario(const std::string& text, const Board& board, ReichstagData& data,
                     std::vector<RosterUnit>& units) {
  auto document = parse_json(text);
  if (!document) return std::move(document).error().within("scenario");
  JsonReader in(*document, "scenario");
  ScenarioReader(in, board, data, units).read();
  if (!in.ok()) return std::move(in).error();
  return Done{};
}

}  // namespace wardiary::reichstag

// The game without rules: a board, pieces and tracks of any kind, for scribes who record facts of a
// game we have no rules for, and for tests of the core. It refuses every order; facts are appended.
//
// Its scenario names everything:
//   {"format":"wardiary-scenario/1","game":"freeform","id":"duel","title":"...","board":"duel",
//    "sides":["red","blue"],"phases":["play"],"turns":["1","2"],
//    "unitAttributes":[{"name":"steps"}],"spaceAttributes":[{"name":"control","kind":"side"}],
//    "linkAttributes":[],"tracks":[{"name":"score.red"}],"pools":[{"name":"cup","items":["a"]}],
//    "units":[{"id":"R1","side":"red","type":"infantry","start":"A1","values":{"steps":3}}]}
#include <array>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_reader.h"
#include "domain/rule_system.h"
#include "freeform_data.h"

namespace wardiary {
namespace {

std::vector<std::string> texts(JsonReader& in, std::string_view field, std::size_t most) {
  std::vector<std::string> out;
  if (!in.has(field)) return out;
  in.each_text(field, most, [&](JsonReader&, const std::string& text) { out.push_back(text); });
  return out;
}

ValueKind kind_named(JsonReader& at, const std::string& name) {
  constexpr std::array<std::string_view, 6> kNames = {"number", "flag", "side",
                                                      "space",  "unit", "word"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<ValueKind>(i);
  }
  at.complain("kind", "must be number, flag, side, space, unit or word");
  return ValueKind::kNumber;
}

std::vector<Attribute> attributes(JsonReader& in, std::string_view field) {
  std::vector<Attribute> out;
  if (!in.has(field)) return out;
  in.each(field, GameLimits::kTracksMax, [&](JsonReader& at) {
    Attribute a;
    a.name = at.text("name");
    a.kind = kind_named(at, at.text_or("kind", "number"));
    const bool reference =
        a.kind == ValueKind::kSide || a.kind == ValueKind::kSpace || a.kind == ValueKind::kUnit;
    a.initial = static_cast<std::int32_t>(
        at.number_or("initial", reference ? -1 : 0, INT16_MIN, INT16_MAX));
    a.words = texts(at, "words", 1'000);
    out.push_back(std::move(a));
  });
  return out;
}

class Freeform : public RuleSystem {
 public:
  std::string_view name() const override { return "freeform"; }
  std::string_view title() const override { return "Any game, no rules"; }
  std::string_view rules_version() const override { return "1"; }
  std::span<const DataFile> data_files() const override { return freeform_data_files(); }
  std::span<const ScenarioInfo> scenarios() const override {
    static const ScenarioInfo list[] = {{"duel", "Duel at the ford (an example)", "duel"}};
    return list;
  }
  std::span<const OrderType> order_types() const override { return {}; }
  std::span<const OptionSpec> options() const override { return {}; }

  Result<Roster> roster(const Game& game) const override {
    auto document = parse_json(game.scenario_text);
    if (!document) return std::move(document).error().within("scenario");
    JsonReader in(*document, "scenario");
    if (in.text("format") != "wardiary-scenario/1") {
      in.complain("format", "must be \"wardiary-scenario/1\"");
    }
    Roster r;
    r.sides = texts(in, "sides", GameLimits::kSidesMax);
    r.phases = texts(in, "phases", 255);
    r.turns = texts(in, "turns", 10'000);
    r.unit_attributes = attributes(in, "unitAttributes");
    r.space_attributes = attributes(in, "spaceAttributes");
    r.link_attributes = attributes(in, "linkAttributes");
    r.tracks = attributes(in, "tracks");
    if (in.has("pools")) {
      in.each("pools", GameLimits::kPoolsMax, [&](JsonReader& at) {
        r.pools.push_back({at.text("name"), texts(at, "items", 10'000)});
      });
    }
    in.each("units", GameLimits::kUnitsMax, [&](JsonReader& at) {
      RosterUnit unit{at.text("id"), at.text_or("name", ""), at.text_or("type", ""), {}};
      const std::string side = at.text("side");
      unit.side = r.side(side);
      if (!unit.side) at.complain("side", "no side \"" + side + "\"");
      r.units.push_back(std::move(unit));
    });
    if (!in.ok()) return std::move(in).error();
    return r;
  }

  Result<std::shared_ptr<const SystemData>> prepare(const Game&) const override {
    return std::shared_ptr<const SystemData>();
  }

  Status set_up(Draft& draft) const override {
    auto document = parse_json(draft.game().scenario_text);
    if (!document) return std::move(document).error().within("scenario");
    JsonReader in(*document, "scenario");
    const Roster& roster = draft.game().roster();
    draft.begin_phase({1, 0, -1});
    in.each("units", GameLimits::kUnitsMax, [&](JsonReader& at) {
      const UnitId unit = roster.unit(at.text("id"));
      if (at.has("values")) {
        at.each_member("values", [&](const std::string& name, JsonReader& value) {
          const int attribute = roster.unit_attribute(name);
          if (attribute <= 0) return at.complain("values", "no attribute \"" + name + "\"");
          auto read = read_value(
              value.value(), roster.unit_attributes[static_cast<std::size_t>(attribute)], roster);
          if (!read) return value.complain("", read.error().text);
          draft.set(unit, attribute, *read);
        });
      }
      if (!at.has("start")) return;
      const std::string start = at.text("start");
      const SpaceId space = draft.game().board->find(start);
      if (!space) return at.complain("start", "no space \"" + start + "\"");
      draft.place(unit, space);
    });
    if (!in.ok()) return std::move(in).error();
    return Done{};
  }

  Refused decide(Draft&, const Order&) const override {
    return Rejection{"NO_ORDERS", "", "a freeform game is kept by facts, not by orders"};
  }
  void legal_orders(const Game&, const Position&, SideId, const SeeOrder&) const override {}
  std::size_t prefer(const Game&, const Position&, std::span<const Order>,
                     const std::function<std::uint32_t(std::uint32_t)>&) const override {
    return 0;
  }

  std::vector<UnitSupply> supply(const Game&, const Position&) const override { return {}; }
  // Tracks named "score.<side>" are the score.
  std::vector<ScoreTerm> score(const Game& game, const Position& position) const override {
    std::vector<ScoreTerm> out;
    for (std::size_t s = 0; s < game.roster().sides.size(); ++s) {
      const TrackId track = game.roster().track("score." + game.roster().sides[s]);
      if (track) out.push_back({SideId{static_cast<int>(s)}, "score", position.get(track), ""});
    }
    return out;
  }
  int strength(const Game& game, const Position& position, UnitId unit) const override {
    if (!position.on_board(unit)) return 0;
    const int steps = game.roster().unit_attribute("steps");
    return steps < 0 ? 1 : position.get(unit, steps);
  }

  UnitSight sees_unit(const Game&, const Position&, const Viewer&, UnitId) const override {
    return UnitSight::kFull;
  }
  bool sees_unit_value(const Game&, const Position&, const Viewer&, UnitId, int) const override {
    return true;
  }
  bool sees_track(const Game&, const Position&, const Viewer&, TrackId) const override {
    return true;
  }
  bool sees_score(const Game&, const Position&, const Viewer&) const override { return true; }
  bool sees_order(const Game&, const Position&, const Viewer&, const Order&) const override {
    return true;
  }
};

}  // namespace

const RuleSystem& freeform_system() {
  static const Freeform system;
  return system;
}

}  // namespace wardiary

// Creating and opening games and deciding orders, with the freeform system and a small one of ours.
#include "domain/rule_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "domain/base/sha256.h"
#include "domain/game_testing.h"

namespace wardiary {
namespace {

using namespace testing;
using nlohmann::json;
using ::testing::HasSubstr;

const RuleSystem& freeform() {
  return *rule_system("freeform");
}

NewGameSpec duel() {
  NewGameSpec spec;
  spec.scenario = "duel";
  return spec;
}

json duel_scenario() {
  for (const DataFile& file : freeform().data_files()) {
    if (file.name.ends_with("scenarios/duel.json")) return json::parse(file.text);
  }
  return nullptr;
}

// The error of a freeform game made from the duel's scenario after `change`.
std::string error_after(const std::function<void(json&)>& change) {
  json scenario = duel_scenario();
  change(scenario);
  NewGameSpec spec;
  spec.scenario_text = scenario.dump();
  auto created = create_game(freeform(), spec, {});
  return created ? "fine" : created.error().text;
}

TEST(RuleSystems, AreFoundByName) {
  EXPECT_EQ(freeform().name(), "freeform");
  EXPECT_EQ(rule_system("tiddlywinks"), nullptr);
  EXPECT_EQ(rule_system(""), nullptr);
  for (const RuleSystem* system : rule_systems()) {
    EXPECT_EQ(rule_system(system->name()), system);
    EXPECT_FALSE(system->scenarios().empty()) << system->name();
  }
}

TEST(CreateGame, DraftsEverythingTheScenarioSays) {
  CreationDetails details;
  details.recorded_at_ms = 42;
  details.author = "scribe";
  details.keeping = Keeping::kScribed;
  auto created = create_game(freeform(), duel(), details);
  ASSERT_TRUE(created) << created.error().text;
  const Roster& roster = created->game.roster();
  const Position& p = created->position;
  EXPECT_EQ(event_type_name(created->events.type(0)), "GameCreated");
  EXPECT_EQ(p.clock, (Clock{1, 0, -1}));
  EXPECT_EQ(roster.spaces[p.at(roster.unit("R1")).index()], "A1");
  EXPECT_EQ(p.get(roster.unit("R1"), roster.unit_attribute("steps")), 3);
  EXPECT_FALSE(p.on_board(roster.unit("B3")));
  EXPECT_EQ(created->contents.size(), 2u);
  EXPECT_EQ(created->game.created.seats.size(), 2u);
  EXPECT_EQ(freeform().score(created->game, p).size(), 2u);
  EXPECT_EQ(freeform().strength(created->game, p, roster.unit("R1")), 3);
  EXPECT_EQ(freeform().strength(created->game, p, roster.unit("B3")), 0);
}

TEST(CreateGame, WritesTheSameBytesEveryTime) {
  auto a = create_game(freeform(), duel(), {});
  auto b = create_game(freeform(), duel(), {});
  ASSERT_EQ(a->events.size(), b->events.size());
  for (std::size_t i = 0; i < a->events.size(); ++i) EXPECT_TRUE(equal(a->events[i], b->events[i]));
}

TEST(CreateGame, FoldsFromItsOwnEvents) {
  auto created = create_game(freeform(), duel(), {});
  Position position(created->game.roster());
  EXPECT_EQ(fold(position, created->events), Fault::kNone);
  EXPECT_EQ(position, created->position);
}

TEST(CreateGame, SaysWhatIsWrongWithTheRequest) {
  NewGameSpec spec;
  EXPECT_EQ(create_game(freeform(), spec, {}).error().text, "scenario: is missing");
  spec.scenario = "waterloo";
  EXPECT_EQ(create_game(freeform(), spec, {}).error().text,
            "scenario: no \"waterloo\" in freeform; there are duel");
  spec = duel();
  spec.options["fog"] = "on";
  EXPECT_EQ(create_game(freeform(), spec, {}).error().text,
            "options.fog: freeform has no such option");
  spec = duel();
  spec.board_text = "{}";
  EXPECT_EQ(create_game(freeform(), spec, {}).error().text, "board given: format: is missing");
  spec = {};
  spec.scenario_text = "{";
  EXPECT_THAT(create_game(freeform(), spec, {}).error().text,
              HasSubstr("scenario: not well-formed"));
}

TEST(CreateGame, NamesTheFieldOfTheScenarioThatIsWrong) {
  const std::pair<std::function<void(json&)>, const char*> cases[] = {
      {[](json&) {}, "fine"},
      {[](json& s) { s["format"] = "wardiary-scenario/9"; }, "scenario.format: must be"},
      {[](json& s) { s.erase("board"); }, "scenario.board: is missing"},
      {[](json& s) { s["board"] = "moon"; }, "scenario.board: no board \"moon\""},
      {[](json& s) { s.erase("sides"); }, "scenario.units[0].side: no side \"red\""},
      {[](json& s) {
         s["sides"] = {"red", "red"};
       },
       "no side \"blue\""},
      {[](json& s) {
         s["sides"] = {"red", "blue", "red"};
       },
       "the name \"red\" stands twice"},
      {[](json& s) { s["phases"] = json::array(); }, "phases: a game needs at least one"},
      {[](json& s) { s["units"][1]["side"] = "green"; },
       "scenario.units[1].side: no side \"green\""},
      {[](json& s) { s["units"][1]["id"] = "R1"; }, "units: the name \"R1\" stands twice"},
      {[](json& s) { s["units"][1].erase("id"); }, "scenario.units[1].id: is missing"},
      {[](json& s) { s["units"][1]["start"] = "Z9"; }, "scenario.units[1].start: no space \"Z9\""},
      {[](json& s) { s["units"][0]["values"]["cv"] = 1; },
       "scenario.units[0].values: no attribute"},
      {[](json& s) { s["units"][0]["values"]["steps"] = "x"; },
       "scenario.units[0].values.steps: \"x\" is not a value of steps"},
      {[](json& s) { s["units"][0]["values"]["steps"] = 70'000; },
       "scenario.units[0].values.steps: must be from -32768 to 32767"},
      {[](json& s) { s["units"][0]["values"]["steps"] = 18446744073709551615u; },
       "scenario.units[0].values.steps: must be from"},
      {[](json& s) { s["unitAttributes"][0]["kind"] = "colour"; },
       "scenario.unitAttributes[0].kind: must be number, flag, side"},
      {[](json& s) { s["unitAttributes"][0]["initial"] = 99'999; },
       "scenario.unitAttributes[0].initial: is 99999"},
      {[](json& s) { s["pools"][0]["items"] = "sun"; }, "scenario.pools[0].items: must be a list"},
      {[](json& s) { s["turns"][1] = 2; }, "scenario.turns[1]: must be a text"},
  };
  for (const auto& [change, expected] : cases)
    EXPECT_THAT(error_after(change), HasSubstr(expected));
}

TEST(OpenGame, GivesBackTheGameThatWasCreated) {
  auto created = create_game(freeform(), duel(), {});
  auto opened = open_game(**open_event(created->events[0]), created->contents);
  ASSERT_TRUE(opened) << opened.error().text;
  EXPECT_EQ(opened->system, &freeform());
  EXPECT_EQ(opened->board->hash(), created->game.board->hash());
  EXPECT_EQ(opened->scenario_text, created->game.scenario_text);
  Position position(opened->roster());
  EXPECT_EQ(fold(position, created->events), Fault::kNone);
  EXPECT_EQ(position, created->position);
}

TEST(OpenGame, NoticesContentsThatAreMissingOrNotTheOriginal) {
  auto created = create_game(freeform(), duel(), {});
  const fb::Event& first = **open_event(created->events[0]);
  EXPECT_THAT(open_game(first, {}).error().text, HasSubstr("\"duel\" is missing"));
  std::vector<Content> changed = created->contents;
  changed[1].text += " ";
  auto refused = open_game(first, changed);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(refused.error().text, "the board \"duel\" is not the one the game was created with");
  EXPECT_FALSE(open_game(**open_event(created->events[1]), created->contents));
}

TEST(OpenGame, NoticesARosterThatIsNotTheBoards) {
  auto created = create_game(freeform(), duel(), {});
  auto error_of = [&](const GameCreatedFacts& facts) {
    EventWriter writer;
    EventList out;
    writer.game_created(out, facts);
    auto opened = open_game(**open_event(out[0]), created->contents);
    return opened ? "fine" : opened.error().text;
  };
  GameCreatedFacts facts = created->game.created;
  EXPECT_EQ(error_of(facts), "fine");
  std::swap(facts.roster.spaces[0], facts.roster.spaces[1]);
  EXPECT_EQ(error_of(facts), "the spaces of the roster are not those of the board");
  facts = created->game.created;
  facts.roster.links.pop_back();
  EXPECT_EQ(error_of(facts), "the spaces of the roster are not those of the board");
  facts = created->game.created;
  facts.contents.clear();
  EXPECT_EQ(error_of(facts), "GameCreated names no board");
}

TEST(OpenGame, OpensAGameOfUnknownRulesForReplay) {
  auto created = create_game(freeform(), duel(), {});
  GameCreatedFacts facts = created->game.created;
  facts.system = "chess";
  EventWriter writer;
  EventList out;
  writer.game_created(out, facts);
  auto opened = open_game(**open_event(out[0]), created->contents);
  ASSERT_TRUE(opened) << opened.error().text;
  EXPECT_EQ(opened->system, nullptr);
  ScriptedChance chance({});
  const OrderType type{"Castle", "", {}, ""};
  auto verdict = decide(*opened, Position(opened->roster()), Order(type, SideId{0}), chance);
  EXPECT_EQ(std::get<Rejection>(verdict).code, "NO_RULES");
}

// Rules that ran on such a roster would look for values where there are none.
TEST(OpenGame, OpensAGameWithAnotherRosterThanItsRulesHaveForReplay) {
  auto created = create_game(freeform(), duel(), {});
  const std::pair<std::function<void(Roster&)>, const char*> cases[] = {
      {[](Roster& r) { r.unit_attributes.pop_back(); }, "unit attributes"},
      {[](Roster& r) { r.unit_attributes.back().kind = ValueKind::kSpace; }, "unit attributes"},
      {[](Roster& r) { r.units.pop_back(); }, "units"},
      {[](Roster& r) {
         r.tracks.push_back({"more", ValueKind::kNumber, 0, {}});
       },
       "tracks"},
      {[](Roster& r) { r.phases.push_back("more"); }, "phases"},
  };
  for (const auto& [change, what] : cases) {
    GameCreatedFacts facts = created->game.created;
    change(facts.roster);
    EventWriter writer;
    EventList out;
    writer.game_created(out, facts);
    auto opened = open_game(**open_event(out[0]), created->contents);
    ASSERT_TRUE(opened) << opened.error().text;
    EXPECT_EQ(opened->system, nullptr) << what;
    EXPECT_EQ(opened->no_rules,
              std::string("the game was recorded with other ") + what + " than these rules have");
  }
}

// A system of one order: roll a die, and on a 6 take a step from the enemy. Sides alternate.
class Duellists : public RuleSystem {
 public:
  std::string_view name() const override { return "duellists"; }
  std::string_view title() const override { return "Duellists"; }
  std::string_view rules_version() const override { return "1"; }
  std::span<const DataFile> data_files() const override { return freeform().data_files(); }
  std::span<const ScenarioInfo> scenarios() const override { return freeform().scenarios(); }
  std::span<const OrderType> order_types() const override {
    static const OrderType types[] = {
        {"Fire", "2.1", {{"target", FieldKind::kUnit, true, {}}}, ""}};
    return types;
  }
  std::span<const OptionSpec> options() const override {
    static const OptionSpec specs[] = {{"fog", {"off", "on"}, "off", 0, 0, "9.1", ""},
                                       {"range", {}, "2", 1, 9, "9.2", ""}};
    return specs;
  }
  Result<Roster> roster(const Game& game) const override {
    auto roster = freeform().roster(game);
    if (roster) roster->decisions = {"none", "fire"};
    return roster;
  }
  Result<std::shared_ptr<const SystemData>> prepare(const Game&) const override {
    return std::shared_ptr<const SystemData>();
  }
  Status set_up(Draft& draft) const override {
    auto status = freeform().set_up(draft);
    if (status) draft.ask(kRed, {1, -1, -1, 0});
    return status;
  }
  Refused decide(Draft& draft, const Order& order) const override {
    const UnitId target = order.unit("target");
    if (draft->side(target) == order.side) return Rejection{"OWN_UNIT", "2.1", "that is your own"};
    const auto faces = draft.roll(
        {order.side, 0, "fire", draft->at(target), target, {{RollGroup::kDice, 1, 6, 6}}, {}, ""},
        [](std::span<const std::uint32_t> v) {
          return RollOutcome{"", v[0] == 6 ? "hit" : "miss", v[0] == 6};
        });
    if (faces[0] == 6) {
      auto because = draft.because_of_last();
      draft.set(target, 1, draft->get(target, 1) - 1);
    }
    draft.settle(order.side);
    draft.ask(SideId{1 - order.side.value}, {1, -1, -1, 0});
    return std::nullopt;
  }
  void legal_orders(const Game&, const Position&, SideId, const SeeOrder&) const override {}
  std::size_t prefer(const Game&, const Position&, std::span<const Order>,
                     const std::function<std::uint32_t(std::uint32_t)>&) const override {
    return 0;
  }
  std::vector<UnitSupply> supply(const Game&, const Position&) const override { return {}; }
  std::vector<ScoreTerm> score(const Game&, const Position&) const override { return {}; }
  int strength(const Game&, const Position&, UnitId) const override { return 1; }
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
  bool sees_order(const Game& game, const Position&, const Viewer&, const Order&) const override {
    return !game.option_on("fog");
  }
};

struct Duel {
  static const Duellists& system() {
    static const Duellists duellists;
    return duellists;
  }
  explicit Duel(NewGameSpec spec = duel()) : created(*create_game(system(), spec, {})) {}

  Verdict fire(const char* target, std::vector<std::uint32_t> dice, SideId by = kRed) {
    ScriptedChance chance(std::move(dice));
    const Order order =
        Order(system().order_types()[0], by).with("target", created.game.roster().unit(target));
    return decide(created.game, created.position, order, chance, envelope);
  }
  CreatedGame created;
  Envelope envelope{99, "Ada", [](std::size_t i) {
                      Id salt;
                      salt.data.fill(static_cast<std::uint8_t>(i + 1));
                      return salt;
                    }};
};

std::vector<std::string> types_of(const EventList& events) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < events.size(); ++i) out.emplace_back(event_type_name(events.type(i)));
  return out;
}

TEST(Decide, DraftsTheOrderItsDiceAndWhatFollows) {
  Duel duel;
  const Verdict verdict = duel.fire("B1", {6});
  const auto& accepted = std::get<Accepted>(verdict);
  EXPECT_EQ(types_of(accepted.events),
            (std::vector<std::string>{"OrderIssued", "DiceRolled", "UnitChanged", "DecisionAsked",
                                      "DecisionAsked"}));
  EXPECT_EQ(accepted.position.get(duel.created.game.roster().unit("B1"), 1), 2);
  EXPECT_EQ(accepted.position.pending(kBlue).kind, 1);
  Position position = duel.created.position;
  EXPECT_EQ(fold(position, accepted.events), Fault::kNone);
  EXPECT_EQ(position, accepted.position);
}

TEST(Decide, IsAPureFunction) {
  Duel duel;
  const Verdict a = duel.fire("B1", {6});
  const Verdict b = duel.fire("B1", {6});
  for (std::size_t i = 0; i < std::get<Accepted>(a).events.size(); ++i) {
    EXPECT_TRUE(equal(std::get<Accepted>(a).events[i], std::get<Accepted>(b).events[i]));
  }
}

TEST(Decide, StopsWhereARollIsNotThereYet) {
  Duel duel;
  const Verdict verdict = duel.fire("B1", {});
  const auto& waiting = std::get<NeedsRoll>(verdict);
  EXPECT_EQ(waiting.request.purpose, "fire");
  EXPECT_EQ(waiting.request.number, 0u);
  EXPECT_EQ(values_wanted(waiting.request), 1u);
}

TEST(Decide, RefusesWithTheRulesCodeAndNumber) {
  Duel duel;
  const auto rejection = std::get<Rejection>(duel.fire("R2", {6}));
  EXPECT_EQ(rejection.code, "OWN_UNIT");
  EXPECT_EQ(rejection.rule, "2.1");
}

TEST(Decide, AsksOnlyWhoeverMustDecide) {
  Duel duel;
  EXPECT_EQ(std::get<Rejection>(duel.fire("R1", {6}, kBlue)).code, "NOT_YOUR_DECISION");
  duel.created.position.over = true;
  EXPECT_EQ(std::get<Rejection>(duel.fire("B1", {6})).code, "GAME_OVER");
}

TEST(Decide, HidesAndSaltsAnOrderThatOthersMayNotSee) {
  NewGameSpec spec = duel();
  spec.options["fog"] = "on";
  Duel foggy(spec);
  const Verdict verdict = foggy.fire("B1", {1});
  Duel clear;
  const Verdict open = clear.fire("B1", {1});
  // The salt makes the hidden order longer; the first event carries author and time in both.
  EXPECT_GT(std::get<Accepted>(verdict).events[0].size(),
            std::get<Accepted>(open).events[0].size());
}

TEST(Options, AreCheckedAndWrittenDownWithTheirDefaults) {
  auto error_of = [](const char* name, const char* value) {
    NewGameSpec spec = duel();
    spec.options[name] = value;
    auto created = create_game(Duel::system(), spec, {});
    return created ? "fine" : created.error().text;
  };
  EXPECT_EQ(error_of("fog", "on"), "fine");
  EXPECT_EQ(error_of("fog", "thick"), "options.fog: must be one of off, on");
  EXPECT_EQ(error_of("range", "9"), "fine");
  for (const char* bad : {"", "0", "10", "x", "2x", " 2", "99999999999999999999"}) {
    EXPECT_EQ(error_of("range", bad), "options.range: must be a whole number from 1 to 9") << bad;
  }
  const Duel plain;
  EXPECT_EQ(plain.created.game.option("range"), "2");
  EXPECT_EQ(plain.created.game.option("fog"), "off");
  EXPECT_FALSE(plain.created.game.option_on("fog"));
  EXPECT_EQ(plain.created.game.option("unknown"), "");
}

TEST(ScriptedChance, GivesItsValuesInOrderAndSaysWhatIsMissing) {
  ScriptedChance chance({3, 6, 7, 2});
  RollRequest two{kRed, 0, "fire", {}, {}, {{RollGroup::kDice, 2, 6, 0}}, {}, ""};
  EXPECT_EQ(chance.roll(two)->values, (std::vector<std::uint32_t>{3, 6}));
  EXPECT_EQ(chance.left(), 2u);
  EXPECT_FALSE(chance.roll(two));
  EXPECT_EQ(chance.complaint(), "fire: 7 is not possible with 6 sides");
  ScriptedChance empty({});
  EXPECT_FALSE(empty.roll(two));
  EXPECT_EQ(empty.complaint(), "fire: needs 2 values, 0 are left");
  ScriptedChance draws({0, 4, 5});
  RollRequest draw{kRed, 0, "draw", {}, {}, {{RollGroup::kDraw, 2, 5, 0}}, {}, ""};
  EXPECT_TRUE(draws.roll(draw));
  draw.groups[0].count = 1;
  EXPECT_FALSE(draws.roll(draw)) << "draws are numbered from 0";
}

}  // namespace
}  // namespace wardiary

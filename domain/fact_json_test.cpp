// Facts and positions written by hand, and events written for people.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/game_testing.h"
#include "domain/json_reader.h"
#include "domain/json_writer.h"
#include "domain/position_json.h"

namespace wardiary {
namespace {

using namespace testing;
using nlohmann::json;
using ::testing::HasSubstr;

// The small game with R1 at A1; reads facts and positions into its draft.
struct Scribe : Table {
  Scribe() { draft.place(unit("R1"), space("A1")); }
  std::string fact(const json& value) {
    const std::size_t events = draft.events().size();
    const Position was = draft.position();
    auto status = draft_fact(draft, value);
    if (status) return "fine";
    EXPECT_EQ(draft.events().size(), events) << "an error must draft nothing: " << value;
    EXPECT_EQ(draft.position(), was);
    return status.error().text;
  }
  std::string position(const json& value) {
    auto status = draft_position(draft, value);
    return status ? "fine" : status.error().text;
  }
  json last_event() const {
    const EventList& events = draft.events();
    return json::parse(event_json(*trusted_event(events[events.size() - 1]), 7, game.roster()));
  }
};

TEST(Fact, IsDraftedAndWrittenBackWithNames) {
  Scribe s;
  EXPECT_EQ(
      s.fact({{"type", "UnitMoved"}, {"unit", "R1"}, {"path", {"A1", "B1"}}, {"how", "road"}}),
      "fine");
  EXPECT_EQ(s.last_event(), (json{{"version", 7},
                                  {"type", "UnitMoved"},
                                  {"unit", "R1"},
                                  {"path", {"A1", "B1"}},
                                  {"how", "road"}}));
  EXPECT_EQ(
      s.fact({{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "facing"}, {"to", "south"}}),
      "fine");
  EXPECT_EQ(s.last_event(), (json{{"version", 7},
                                  {"type", "UnitChanged"},
                                  {"unit", "R1"},
                                  {"attribute", "facing"},
                                  {"from", "north"},
                                  {"to", "south"}}));
  EXPECT_EQ(s.fact({{"type", "SpaceChanged"},
                    {"space", "B2"},
                    {"attribute", "control"},
                    {"from", nullptr},
                    {"to", "red"}}),
            "fine");
  EXPECT_EQ(s.last_event()["from"], nullptr);
  EXPECT_EQ(s.last_event()["to"], "red");
  EXPECT_EQ(s.fact({{"type", "LinkChanged"},
                    {"link", {"A1", "B1"}},
                    {"attribute", "bridge"},
                    {"to", false}}),
            "fine");
  EXPECT_EQ(s.last_event()["link"], (json{"A1", "B1"}));
  EXPECT_EQ(s.fact({{"type", "TrackChanged"}, {"track", "score"}, {"to", 2'000'000'000}}), "fine");
  EXPECT_EQ(s.last_event()["to"], 2'000'000'000);
  EXPECT_EQ(s.fact({{"type", "PoolChanged"}, {"pool", "deck"}, {"item", "king"}, {"to", 2}}),
            "fine");
  EXPECT_EQ(s.last_event()["item"], "king");
  EXPECT_EQ(
      s.fact({{"type", "UnitPlaced"}, {"unit", "B1"}, {"at", "C3"}, {"values", {{"steps", 1}}}}),
      "fine");
  EXPECT_EQ(s.fact({{"type", "UnitRemoved"}, {"unit", "B1"}, {"why", "lost"}}), "fine");
  EXPECT_EQ(
      s.fact({{"type", "DiceRolled"}, {"roller", "red"}, {"purpose", "fire"}, {"values", {6, 1}}}),
      "fine");
  EXPECT_EQ(s.last_event()["grade"], "imported");
  EXPECT_EQ(s.fact({{"type", "PhaseBegan"}, {"turn", 2}, {"phase", "fight"}, {"side", "blue"}}),
            "fine");
  EXPECT_EQ(s.last_event()["to"]["turnName"], "May II");
  EXPECT_EQ(s.fact({{"type", "Ruling"}, {"text", "so be it"}}), "fine");
  EXPECT_EQ(s.fact({{"type", "Revealed"}, {"unit", "R1"}, {"to", {"blue"}}}), "fine");
  EXPECT_EQ(s.fact({{"type", "GameEnded"}, {"winner", "red"}, {"level", "marginal"}}), "fine");
  EXPECT_EQ(s.last_event()["winner"], "red");
}

TEST(Fact, NamesTheFieldThatIsWrong) {
  const std::pair<json, const char*> cases[] = {
      {json::array(), "fact: must be an object"},
      {{{"unit", "R1"}}, "fact.type: is missing"},
      {{{"type", "Surprise"}}, "fact.type: \"Surprise\" is not one of DiceRolled, GameEnded"},
      {{{"type", "UnitMoved"}, {"unit", "X"}, {"path", {"A1", "B1"}}}, "fact.unit: no unit \"X\""},
      {{{"type", "UnitMoved"}, {"unit", "R1"}, {"path", {"A1"}}}, "fact.path: needs at least two"},
      {{{"type", "UnitMoved"}, {"unit", "R1"}, {"path", {"B1", "A1"}}},
       "fact.path: does not begin where"},
      {{{"type", "UnitMoved"}, {"unit", "R1"}, {"path", {"A1", "Z"}}}, "fact.path: no space \"Z\""},
      {{{"type", "UnitMoved"}, {"unit", "R1"}, {"path", {"A1", "B1"}}, {"speed", 3}},
       "fact.speed: is not a known"},
      {{{"type", "UnitPlaced"}, {"unit", "R1"}, {"at", "B1"}},
       "fact.unit: is on the board already"},
      {{{"type", "UnitPlaced"}, {"unit", "R2"}, {"at", "B1"}, {"values", {{"cv", 1}}}},
       "fact.values.cv: there is no"},
      {{{"type", "UnitPlaced"}, {"unit", "R2"}, {"at", "B1"}, {"values", {{"side", 7}}}},
       "fact.values.side: "},
      {{{"type", "UnitRemoved"}, {"unit", "R2"}}, "fact.unit: is not on the board"},
      {{{"type", "UnitRemoved"}, {"unit", "R1"}, {"from", "B1"}},
       "fact.from: is not where the unit is"},
      {{{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "cv"}, {"to", 1}},
       "fact.attribute: no attribute"},
      {{{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "steps"}}, "fact.to: is missing"},
      {{{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "steps"}, {"to", 40'000}},
       "fact.to: must be from -32768"},
      {{{"type", "UnitChanged"},
        {"unit", "R1"},
        {"attribute", "steps"},
        {"to", 18446744073709551615u}},
       "fact.to: must be from"},
      {{{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "steps"}, {"to", nullptr}},
       "fact.to: is not a value"},
      {{{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "side"}, {"to", 5}},
       "fact.to: there is no such side"},
      {{{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "facing"}, {"to", "up"}},
       "fact.to: \"up\" is not a value"},
      {{{"type", "UnitChanged"}, {"unit", "R1"}, {"attribute", "steps"}, {"from", 2}, {"to", 1}},
       "fact.from: is not what"},
      {{{"type", "LinkChanged"}, {"link", {"A1", "C3"}}, {"attribute", "bridge"}, {"to", false}},
       "fact.link: these spaces"},
      {{{"type", "LinkChanged"}, {"link", {"A1"}}, {"attribute", "bridge"}, {"to", false}},
       "fact.link: must name two"},
      {{{"type", "TrackChanged"}, {"track", "x"}, {"to", 1}}, "fact.track: no track \"x\""},
      {{{"type", "TrackChanged"}, {"track", "score"}, {"to", 3'000'000'000}},
       "fact.to: must be from -2147483648"},
      {{{"type", "PoolChanged"}, {"pool", "cup"}, {"item", "ace"}, {"to", 1}},
       "fact.item: no item \"ace\""},
      {{{"type", "PhaseBegan"}, {"turn", 1}, {"phase", "x"}}, "fact.phase: no phase \"x\""},
      {{{"type", "PhaseBegan"}, {"turn", -1}, {"phase", "move"}}, "fact.turn: is -1"},
      {{{"type", "DiceRolled"}, {"roller", "red"}, {"purpose", "x"}, {"values", {7}}},
       "fact.values: each must be from 1 to 6"},
      {{{"type", "DiceRolled"}, {"roller", "red"}, {"purpose", "x"}, {"values", json::array()}},
       "fact.values: must be a list"},
      {{{"type", "Revealed"}, {"unit", "R1"}, {"to", {"green"}}}, "fact.to[0]: no side \"green\""},
      {{{"type", "GameEnded"}, {"winner", "green"}}, "fact.winner: no side \"green\""},
  };
  for (const auto& [value, expected] : cases) {
    Scribe s;
    EXPECT_THAT(s.fact(value), HasSubstr(expected)) << value;
  }
}

TEST(Fact, CannotEndAGameTwice) {
  Scribe s;
  EXPECT_EQ(s.fact({{"type", "GameEnded"}}), "fine");
  EXPECT_EQ(s.fact({{"type", "GameEnded"}}), "fact.type: the game is over already");
}

TEST(PositionJson, IsReadAsTheWholeBoardAndChangesOnlyWhatItNames) {
  Scribe s;
  s.draft.set(s.space("A3"), kFort, 1);
  EXPECT_EQ(
      s.position({{"format", "wardiary-position/1"},
                  {"clock", {{"turn", 2}, {"phase", "fight"}, {"side", "blue"}}},
                  {"units", {{{"id", "B1"}, {"at", "B2"}, {"steps", 1}, {"side", "red"}}}},
                  {"spaces", {{{"id", "C1"}, {"control", "blue"}}}},
                  {"links", {{{"a", "B1"}, {"b", "A1"}, {"bridge", false}}}},
                  {"tracks", {{"weather", "mud"}, {"score", -100'000}}},
                  {"pools", {{"cup", {{"sun", 3}}}}},
                  {"pending", {{"red", {{"kind", "retreat"}, {"unit", "B1"}, {"number", 2}}}}}}),
      "fine");
  const Position& p = s.draft.position();
  EXPECT_FALSE(p.on_board(s.unit("R1"))) << "a unit that is not listed is taken off";
  EXPECT_EQ(p.at(s.unit("B1")), s.space("B2"));
  EXPECT_EQ(p.side(s.unit("B1")), kRed);
  EXPECT_EQ(p.get(s.space("A3"), kFort), 1);
  EXPECT_EQ(p.get(s.space("C1"), kControl), 1);
  EXPECT_EQ(p.get(LinkId{0}, kBridge), 0);
  EXPECT_EQ(p.get(TrackId{0}), -100'000);
  EXPECT_EQ(p.pool_cell(0), 3);
  EXPECT_EQ(p.clock, (Clock{2, 1, 1}));
  EXPECT_EQ(p.pending(kRed), (Question{2, -1, 3, 2}));
}

TEST(PositionJson, NamesTheFieldThatIsWrong) {
  const std::pair<json, const char*> cases[] = {
      {json::array(), "position: must be an object"},
      {{{"format", "wardiary-position/2"}}, "position.format: must be"},
      {{{"colour", 1}}, "position.colour: is not a known field"},
      {{{"units", 1}}, "position.units: must be a list"},
      {{{"units", {{{"id", "X"}}}}}, "position.units[0].id: no unit \"X\""},
      {{{"units", {{{"id", "R1"}}, {{"id", "R1"}}}}},
       "position.units[1].id: the unit stands twice"},
      {{{"units", {{{"id", "R1"}, {"at", "Z"}}}}}, "position.units[0].at: no space \"Z\""},
      {{{"units", {{{"id", "R1"}, {"steps", "x"}}}}},
       "position.units[0].steps: \"x\" is not a value"},
      {{{"units", {{{"id", "R1"}, {"side", 9}}}}}, "position.units[0].side: there is no such side"},
      {{{"units", {{{"id", "R1"}, {"morale", 3}}}}},
       "position.units[0].morale: is not an attribute"},
      {{{"spaces", {{{"id", "Z"}}}}}, "position.spaces[0].id: no space \"Z\""},
      {{{"links", {{{"a", "A1"}, {"b", "C3"}}}}},
       "position.links[0].b: these spaces are not linked"},
      {{{"tracks", {{"x", 1}}}}, "position.tracks.x: there is no such track"},
      {{{"tracks", {{"weather", "snow"}}}}, "position.tracks.weather: \"snow\" is not a value"},
      {{{"pools", {{"cup", {{"sun", -1}}}}}}, "position.pools.cup.sun: is -1"},
      {{{"pools", {{"cup", {{"moon", 1}}}}}}, "position.pools.cup.moon: is not a known field"},
      {{{"pools", {{"cup", 3}}}}, "position.pools.cup: must be an object"},
      {{{"clock", {{"phase", "x"}}}}, "position.clock.phase: there is no such phase"},
      {{{"clock", {{"turn", 99'999}}}}, "position.clock.turn: is 99999"},
      {{{"clock", {{"side", "green"}}}}, "position.clock.side: there is no such side"},
      {{{"clock", 3}}, "position.clock: must be an object"},
      {{{"pending", {{"red", {{"kind", "dance"}}}}}},
       "position.pending.red.kind: there is no such"},
      {{{"pending", {{"green", {{"kind", "move"}}}}}},
       "position.pending.green: is not a known field"},
      {{{"pending", {{"red", 3}}}}, "position.pending.red: must be an object"},
      {{{"over", 1}}, "position.over: must be true or false"},
      {{{"over", true}, {"winner", "green"}}, "position.winner: there is no such side"},
  };
  for (const auto& [value, expected] : cases) {
    Scribe s;
    EXPECT_THAT(s.position(value), HasSubstr(expected)) << value;
  }
}

TEST(PositionJson, LeavesOutWhatTheFilterHides) {
  Scribe s;
  PositionFilter filter;
  filter.unit = [&](UnitId u) { return u != s.unit("B1"); };
  filter.unit_value = [](UnitId, int attribute) { return attribute != 0; };
  filter.track = [](TrackId track) { return track != TrackId{0}; };
  std::string out;
  JsonWriter writer(out);
  write_position_json(writer, s.draft.position(), s.game.roster(), filter);
  const json document = json::parse(out);
  EXPECT_EQ(document["units"].size(), 5u);
  EXPECT_FALSE(document["units"][0].contains("side"));
  EXPECT_FALSE(document["tracks"].contains("score"));
  EXPECT_TRUE(document["tracks"].contains("weather"));
}

TEST(JsonWriter, AlwaysWritesJson) {
  auto written = [](std::string_view text) {
    std::string out;
    JsonWriter(out).text(text);
    auto parsed = parse_json(out);
    return parsed ? parsed->get<std::string>() : "not JSON: " + out;
  };
  for (const char* text :
       {"", "plain", "\"quoted\\\"", "tab\t\n\x01\x1f\x7f", "Königsberg", "€", "𝄞"}) {
    EXPECT_EQ(written(text), text);
  }
  EXPECT_EQ(written("a\xffz"), "a\ufffdz");
  EXPECT_EQ(written("\xc3"), "\ufffd");
  EXPECT_EQ(written("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(written("\xf4\x90\x80\x80z"), "\ufffd\ufffd\ufffd\ufffdz");
  EXPECT_EQ(written("\xe0\x80\x80"), "\ufffd\ufffd\ufffd");
}

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("a", std::int64_t{-1}).key("b").begin_array().number(1).flag(true).null();
  w.begin_object().end_object().end_array().member("c", "x").key("d").raw("{}").end_object();
  EXPECT_EQ(out, R"({"a":-1,"b":[1,true,null,{}],"c":"x","d":{}})");
}

}  // namespace
}  // namespace wardiary

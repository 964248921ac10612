#include "replay/casebook.h"

#include <gtest/gtest.h>

#include "domain/json_reader.h"

namespace wardiary {
namespace {

using nlohmann::json;

// A case of the duel that comes out as expected.
json good_case() {
  return json::parse(R"({
    "format": "wardiary-case/1", "id": "C", "system": "freeform", "title": "t", "refs": ["1.1"],
    "position": {"scenario": "duel", "units": [{"id": "R1", "at": "A1", "steps": 2}]},
    "steps": [{"facts": [{"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]}],
               "expect": {"events": [{"type": "UnitMoved", "unit": "R1"}],
                          "units": {"R1": {"at": "B1"}}}}],
    "expect": {"units": {"R1": {"at": "B1", "steps": 2}, "B1": null}}
  })");
}

TEST(Casebook, AGoodCaseIsAsExpected) {
  auto report = Casebook().run(good_case().dump());
  ASSERT_TRUE(report.ok()) << report.error().text;
  EXPECT_TRUE(report->ok) << report->where << ": " << report->actual;
  EXPECT_EQ(report->id, "C");
  EXPECT_EQ(report->steps, 1u);
  EXPECT_EQ(report->refs, std::vector<std::string>{"1.1"});
}

struct Change {
  const char* pointer;  // what of the good case is replaced
  const char* value;
  const char* where;  // of the difference, or what the error says
  const char* expected = "";
  const char* actual = "";
};

TEST(Casebook, ADifferenceSaysWhereWhatAndWhatInstead) {
  const std::vector<Change> all = {
      {"/expect/units/R1/steps", "3", "expect.units.R1.steps", "3", "2"},
      {"/expect/units/R1/at", "\"A1\"", "expect.units.R1.at", "\"A1\"", "\"B1\""},
      {"/expect/units/R1", "null", "expect.units.R1.at", "null", "\"B1\""},
      {"/expect/tracks", R"({"score.red": 1})", "expect.tracks.score.red", "1", "0"},
      {"/expect/clock", R"({"turn": 9})", "expect.clock.turn", "9", "1"},
      {"/expect/score", R"({"blue": 4})", "expect.score.blue", "4", "0"},
      {"/expect/over", "true", "expect.over", "true", "false"},
      {"/expect/legal", R"([{"type": "Move"}])", "expect.legal[0]", R"({"type":"Move"})", ""},
      {"/expect/view", R"({"blue": {"units": {"R1": "block"}}})", "expect.view.blue.units.R1",
       "\"block\"", ""},
      {"/steps/0/expect/events/0/unit", "\"B1\"", "steps[0].expect.events[0]", "", ""},
      {"/steps/0/expect/absent", R"([{"type": "UnitMoved"}])", "steps[0].expect.absent[0]", "", ""},
      {"/steps/0/expect/reject", "\"NO\"", "steps[0].expect.reject", "\"NO\"", ""},
  };
  for (const Change& change : all) {
    json document = good_case();
    document[json::json_pointer(change.pointer)] = json::parse(change.value);
    auto report = Casebook().run(document.dump());
    ASSERT_TRUE(report.ok()) << change.pointer << ": " << report.error().text;
    EXPECT_FALSE(report->ok) << change.pointer;
    EXPECT_EQ(report->where, change.where);
    if (*change.expected) {
      EXPECT_EQ(report->expected, change.expected) << change.pointer;
    }
    if (*change.actual) {
      EXPECT_EQ(report->actual, change.actual) << change.pointer;
    }
  }
}

TEST(Casebook, AMistakeInACaseNamesTheField) {
  const std::vector<Change> all = {
      {"/format", "\"wardiary-case/2\"", "format"},
      {"/system", "\"chess\"", "system"},
      {"/surprise", "1", "surprise: is not a known field"},
      {"/position/scenario", "\"duell\"", "position.scenario"},
      {"/position/surprise", "1", "surprise"},
      {"/position/units/0/stps", "1", "stps"},
      {"/position/units/0/at", "\"Z9\"", "no space \"Z9\""},
      {"/position/units/0/id", "\"X1\"", "position.units[0].side: is missing"},
      {"/options", R"({"fog": true})", "options.fog"},
      {"/board", "\"moon\"", "board"},
      {"/board", R"({"format": "wardiary-board/1"})", "board"},
      {"/steps/0/surprise", "1", "steps[0].surprise"},
      {"/steps/0/dice", "[0.5]", "steps[0].dice[0]"},
      {"/steps/0/order", "{}", "steps[0]: needs an order, or facts"},
      {"/steps/0/facts/0/unit", "\"R9\"", "steps[0].facts[0]"},
      {"/steps/0/expect/unitz", "{}", "steps[0].expect.unitz"},
      {"/expect/units/R9", "null", "expect.units.R9"},
      {"/expect/units/R1/stps", "1", "expect.units.R1.stps: there is no such attribute"},
      {"/expect/spaces", R"({"Z9": {}})", "expect.spaces.Z9"},
      {"/expect/tracks", R"({"score.green": 1})", "expect.tracks.score.green"},
      {"/expect/pending", R"({"green": null})", "expect.pending.green"},
      {"/expect/score", R"({"green": 1})", "expect.score.green"},
      {"/expect/view", R"({"green": {}})", "expect.view.green"},
  };
  for (const Change& change : all) {
    json document = good_case();
    document[json::json_pointer(change.pointer)] = json::parse(change.value);
    auto report = Casebook().run(document.dump());
    ASSERT_FALSE(report.ok()) << change.pointer;
    EXPECT_NE(report.error().text.find(change.where), std::string::npos)
        << change.pointer << ": " << report.error().text;
  }
}

TEST(Casebook, WhatIsNoCaseIsAnErrorAndNoCrash) {
  for (const char* text : {"", "[]", "{}", "null", "{\"format\":\"wardiary-case/1\"}", "{\"a\":"}) {
    EXPECT_FALSE(Casebook().run(text).ok()) << text;
  }
  EXPECT_EQ(Casebook().run_file("/nowhere/at.all").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(case_files("/nowhere/at.all").ok());
}

TEST(Casebook, AnOrderIsDecidedWithItsDiceAndItsRejectionCompared) {
  const char* text = R"({
    "format": "wardiary-case/1", "id": "E", "system": "freeform",
    "steps": [{"order": {"type": "Any", "side": "red"}}]})";
  auto report = Casebook().run(text);
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().text.find("steps[0]: order.type"), std::string::npos)
      << report.error().text;
}

}  // namespace
}  // namespace wardiary

// Events as JSON: for people and programs outside (API, export, scribes), with names for numbers.
// The JSON is a rendering; the stored bytes stay the truth.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "domain/draft.h"
#include "domain/event.h"
#include "domain/roster.h"

namespace wardiary {

class JsonWriter;

// Appends {"version":12,"type":"UnitMoved","unit":"X",...}. Robust against any verified event: ids
// that the roster does not have are written as "#n".
void write_event_json(JsonWriter& out, const fb::Event& event, std::uint64_t version,
                      const Roster& roster);
std::string event_json(const fb::Event& event, std::uint64_t version, const Roster& roster);

// A value of an attribute in words: "axis", "1515", true, 3. And back; nothing if it is none.
void write_value(JsonWriter& out, const Attribute& attribute, int value, const Roster& roster);
// Units, spaces and links hold 16 bits, tracks 32.
Result<int> read_value(const nlohmann::json& json, const Attribute& attribute,
                       const Roster& roster, int bits = 16);

// Drafts one fact written by hand: {"type":"UnitMoved","unit":"R1","path":["A1","A2"]},
// {"type":"UnitChanged","unit":"R1","attribute":"steps","to":2}, ... `from` may be left out; if it
// is given it must be true. Nothing is drafted on an error, which names the field.
Status draft_fact(Draft& draft, const nlohmann::json& fact);

}  // namespace wardiary

// The JSON of live dice, both ways: `wardiary-dice-state/1` and what players' programs hand in
// (docs/formats.md). Include in .cpp files only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "domain/dice_events.h"
#include "domain/json_reader.h"

namespace wardiary {

// A JsonReader that knows hashes, slots and dice.
class DiceReader : public JsonReader {
 public:
  DiceReader(const nlohmann::json& value, std::string path) : JsonReader(value, std::move(path)) {}
  explicit DiceReader(const JsonReader& reader) : JsonReader(reader) {}

  Bytes bytes(std::string_view field, std::size_t size);
  Hash hash(std::string_view field);
  Id id(std::string_view field);
  std::uint8_t slot(std::string_view field);
  std::uint64_t count(std::string_view field);  // below 2^53
  std::vector<std::uint8_t> slots(std::string_view field);
  std::vector<RollGroup> groups(std::string_view field);
  EpochFacts::Contributor contributor();
  void each(std::string_view field, std::size_t most, const std::function<void(DiceReader&)>& see);
};

// What a player's program hands in; an error names the field.
Result<EpochFacts::Contributor> contributor_from_json(const nlohmann::json& value);
Result<RollRequestedFacts> roll_request_from_json(const nlohmann::json& value);
Result<RollRevealedFacts> reveal_from_json(const nlohmann::json& value);
Result<RollsUnlockedFacts> unlock_from_json(const nlohmann::json& value);
// {"contributor": slot, "signature": hex}
Result<std::pair<std::uint8_t, Bytes>> agreement_from_json(const nlohmann::json& value);
struct AbandonInput {
  std::vector<std::pair<std::uint8_t, Bytes>> agreed;
  std::string text;
};
// {"agreed": [agreement ...], "text": why}
Result<AbandonInput> abandon_from_json(const nlohmann::json& value);

}  // namespace wardiary

// Any text as a position: an error that names the field, or a position that writes itself back.
#include <nlohmann/json.hpp>

#include "domain/game_testing.h"
#include "domain/json_reader.h"
#include "domain/position_json.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Game game = testing::small_game();
  auto document = parse_json(fuzz::text(data, size));
  if (!document) return 0;
  ScriptedChance chance({});
  Draft draft(game, Position(game.roster()), chance);
  if (auto status = draft_position(draft, *document); !status) {
    fuzz::must(status.error().text.starts_with("position"));
    return 0;
  }
  Draft again(game, Position(game.roster()), chance);
  auto written = parse_json(position_json(draft.position(), game.roster()));
  fuzz::must(written.ok());
  fuzz::must(draft_position(again, *written).ok());
  fuzz::must(again.position() == draft.position());
  return 0;
}

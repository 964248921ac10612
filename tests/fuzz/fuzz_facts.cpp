// Any lines of text as facts of a scribe: each is drafted or refused, and a refused one drafts
// nothing.
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/game_testing.h"
#include "domain/json_reader.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Game game = testing::small_game();
  ScriptedChance chance({});
  Draft draft(game, Position(game.roster()), chance);
  std::string_view rest = fuzz::text(data, size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    auto fact = parse_json(line);
    if (!fact) continue;
    const std::size_t before = draft.events().size();
    if (!draft_fact(draft, *fact)) fuzz::must(draft.events().size() == before);
  }
  Position position(game.roster());
  fuzz::must(testing::fold(position, draft.events()) == Fault::kNone);
  fuzz::must(position == draft.position());
  for (std::size_t i = 0; i < draft.events().size(); ++i) {
    const std::string json = event_json(*trusted_event(draft.events()[i]), i + 1, game.roster());
    fuzz::must(parse_json(json).ok());
  }
  return 0;
}

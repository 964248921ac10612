// Any text as a freeform scenario: an error with words, or a game whose events fold and reopen.
#include "domain/game_testing.h"
#include "domain/rule_system.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const RuleSystem& freeform = *rule_system("freeform");
  NewGameSpec spec;
  spec.scenario_text = fuzz::text(data, size);
  auto created = create_game(freeform, spec, {});
  if (!created) {
    fuzz::must(!created.error().text.empty());
    return 0;
  }
  auto opened = open_game(**open_event(created->events[0]), created->contents);
  fuzz::must(opened.ok());
  Position position(opened->roster());
  fuzz::must(testing::fold(position, created->events) == Fault::kNone);
  fuzz::must(position == created->position);
  return 0;
}

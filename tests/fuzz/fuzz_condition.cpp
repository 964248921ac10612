// Any text as a condition: an error that says where, or a condition that can be asked of any
// position, and that says the same when it is read again.
#include "projections/condition.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_world.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Game game = testing::small_game();
  static const Position positions[] = {Position(game.roster()), fuzz::busy_position(game)};
  const std::string_view text = fuzz::text(data, size);
  auto condition = Condition::parse(text, game);
  auto again = Condition::parse(text, game);
  fuzz::must(condition.ok() == again.ok());
  if (!condition) {
    fuzz::must(!condition.error().text.empty());
    return 0;
  }
  for (const Position& position : positions) {
    fuzz::must(condition->holds(position) == again->holds(position));
  }
  const auto has = [](int index, std::size_t count) {
    return index >= -1 && index < static_cast<int>(count);
  };
  for (const Condition::Subject& subject : condition->subjects()) {
    using Kind = Condition::Subject::Kind;
    if (subject.kind == Kind::kUnit) fuzz::must(has(subject.index, game.roster().units.size()));
    if (subject.kind == Kind::kSpace) fuzz::must(has(subject.index, game.roster().spaces.size()));
    if (subject.kind == Kind::kTrack) fuzz::must(has(subject.index, game.roster().tracks.size()));
  }
  return 0;
}

// Any bytes as a snapshot: refused, or a position that has exactly these bytes and can be read.
#include "domain/game_testing.h"
#include "domain/position_json.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Roster roster = testing::small_roster();
  auto position = Position::from_bytes(roster, {data, size});
  if (!position) return 0;
  const Bytes again = position->to_bytes();
  fuzz::must(equal(again, ByteView(data, size)));
  position_json(*position, roster);
  return 0;
}

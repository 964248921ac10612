// Any bytes as a value of the embedded store whose check fits, as a forger would write it: a block
// of events or one of the records. What is taken as one can be written again; a block and a
// head are then the same bytes.
#include "eventstore/stored/block.h"
#include "eventstore/stored/records.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;
using namespace wardiary::stored;

namespace {

void block(std::string_view body) {
  const std::string key = number_key({}, 7);
  const std::string value = checked(Family::kEvents, key, body);
  Block block;
  if (!block.parse(Family::kEvents, key, value)) return;
  fuzz::must(block.first() == 7 && block.holds(7) && block.holds(block.last()));
  fuzz::must(!block.holds(6) && !block.holds(block.last() + 1));
  for (Version v = block.first(); v <= block.last(); ++v) (void)block.leaf_of(v);
  BlockDraft draft(Family::kEvents, {}, 7, block.events(), block.ends(), block.last_hash(),
                   block.runs().size());
  fuzz::must(draft.finish(block.runs()) == value);
  fuzz::must(!block.parse(Family::kSegments, key, value));
  fuzz::must(!block.parse(Family::kEvents, number_key({}, 8), value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body = fuzz::text(data, size);
  block(body);
  if (const auto record = BranchRecord::parse(body)) {
    fuzz::must(BranchRecord::parse(record->body()).has_value());
  }
  if (const auto record = GameRecord::parse(body)) {
    fuzz::must(GameRecord::parse(record->body()).has_value());
  }
  GameHead head;
  if (parse_game_head(body, head)) fuzz::must(game_head_body(head) == body);
  Version version = 0;
  Hash hash;
  if (parse_branch_head(body, version, hash)) fuzz::must(branch_head_body(version, hash) == body);
  return 0;
}

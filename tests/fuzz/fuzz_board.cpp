// Any text as a board: an error with words, or a board whose distances and paths can be walked.
#include "domain/board.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto board = Board::parse(fuzz::text(data, size));
  if (!board) {
    fuzz::must(!board.error().text.empty());
    return 0;
  }
  const std::size_t count = board->spaces().size();
  if (count == 0) return 0;
  const SpaceId first{0};
  const SpaceId last{static_cast<int>(count) - 1};
  const auto steps = board->distances(first, 1'000, nullptr);
  const auto path = board->path(first, last, nullptr);
  fuzz::must(path.empty() == (steps[last.index()] < 0));
  if (!path.empty()) fuzz::must(static_cast<int>(path.size()) == steps[last.index()] + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const SpaceId space{static_cast<int>(i)};
    fuzz::must(board->find(board->space(space).id) == space);
    for (const Neighbour& n : board->neighbours(space)) {
      fuzz::must(board->link_between(n.space, space) == n.link);
    }
  }
  return 0;
}

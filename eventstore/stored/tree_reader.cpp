#include "eventstore/stored/tree_reader.h"

#include <algorithm>
#include <bit>

#include "eventstore/evidence.h"

namespace wardiary::stored {

Error TreeReader::wrong(const std::string& text) const {
  return corrupt("game " + to_hex(game_) + " tree: " + text);
}

Result<Hash> TreeReader::stored(unsigned level, std::uint64_t index) {
  auto body = source_.get(Family::kTree, tile_key(game_, level, index));
  if (!body) return std::move(body).error();
  const auto hash = *body ? Hash::from(bytes_of(**body)) : std::nullopt;
  if (!hash) {
    return wrong("tile " + std::to_string(index) + " of level " + std::to_string(level) +
                 " is missing");
  }
  return *hash;
}

Result<LeafRange> TreeReader::run_of(std::uint64_t leaf) {
  const auto it = source_.cursor(Family::kLeaves, id_key(game_));
  const auto leaf_at = [&] {
    return it->key().size() == 24 ? get_u64(bytes_of(it->key()).data() + 16) : 0;
  };
  it->seek_back(number_key(game_, leaf));
  if (Status s = it->status(); !s) return s.error();
  if (!it->valid()) return wrong("leaf " + std::to_string(leaf) + " belongs to no event");
  const auto body = unchecked(Family::kLeaves, it->key(), it->value());
  if (!body) return wrong("the record of leaf " + std::to_string(leaf) + " fails its check");
  RecordReader record(*body);
  LeafRange run;
  run.first_leaf = leaf_at();
  run.branch = record.fixed<16>();
  run.first = record.number(8);
  const bool is_record = record.at_end();
  it->next();
  if (Status s = it->status(); !s) return s.error();
  const std::uint64_t run_end = it->valid() ? leaf_at() : size();
  // A run of a commit that came after this moment's frontier was copied does not count.
  run.count = std::min(run_end, size()) - run.first_leaf;
  if (!is_record || leaf >= run.first_leaf + run.count) {
    return wrong("the record of leaf " + std::to_string(leaf) + " is not one");
  }
  return run;
}

Status TreeReader::append_leaves(std::vector<Hash>& out, const LeafRange& run, std::uint64_t begin,
                                 std::uint64_t end) {
  auto piece = piece_of_(run.branch);
  if (!piece) return std::move(piece).error();
  BlockReader reader(source_, *piece);
  Sha256 hasher;
  for (std::uint64_t leaf = begin; leaf < end;) {
    const Version v = run.first + (leaf - run.first_leaf);
    auto hashes = reader.hashes_at(v);
    if (!hashes) return std::move(hashes).error();
    auto block = reader.at(v);
    if (!block) return std::move(block).error();
    for (Version w = v; w <= (*block)->last() && leaf < end; ++w, ++leaf) {
      if ((*block)->leaf_of(w) != leaf) {
        return corrupt(place(game_, run.branch, w) + ": stands at leaf " +
                       std::to_string((*block)->leaf_of(w)) + ", not at leaf " +
                       std::to_string(leaf));
      }
      out.push_back(event_leaf_hash(hasher, run.branch, w, (*hashes)[w - (*block)->first()]));
    }
  }
  return Done{};
}

Result<const std::vector<Hash>*> TreeReader::tile(std::uint64_t index) {
  const auto known = tiles_.find(index);
  if (known != tiles_.end()) return &known->second;
  const std::uint64_t begin = index * kTileLeaves;
  const std::uint64_t end = std::min(begin + kTileLeaves, size());
  std::vector<Hash> leaves;
  leaves.reserve(end - begin);
  for (std::uint64_t leaf = begin; leaf < end; leaf = begin + leaves.size()) {
    auto run = run_of(leaf);
    if (!run) return std::move(run).error();
    const std::uint64_t stop = std::min(end, run->first_leaf + run->count);
    if (Status s = append_leaves(leaves, *run, leaf, stop); !s) return s.error();
  }
  if (end - begin == kTileLeaves) {
    auto expected = stored(0, index);
    if (!expected) return std::move(expected).error();
    if (*expected != merkle::root_of(leaves)) {
      return wrong("tile " + std::to_string(index) + " does not match its events");
    }
  } else {
    // The open tile is the tail of the frontier: as many hashes as its leaf count has one bits.
    const auto count = static_cast<std::size_t>(std::popcount(end - begin));
    const auto& edge = frontier_.hashes();
    const auto tail = merkle::Frontier::from(
        end - begin, {edge.end() - static_cast<std::ptrdiff_t>(count), edge.end()});
    if (!tail || tail->root() != merkle::root_of(leaves)) {
      return wrong("the newest events do not match the right edge of the tree");
    }
  }
  return &(tiles_[index] = std::move(leaves));
}

Result<Hash> TreeReader::range(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t count = end - begin;
  if (count == 0) return merkle::empty_root();
  std::uint64_t width = kTileLeaves;
  for (unsigned level = 0; level < 7 && width <= count; ++level, width *= kTileLeaves) {
    if (count == width && begin % width == 0) return stored(level, begin / width);
  }
  if (begin / kTileLeaves == (end - 1) / kTileLeaves) {
    auto leaves = tile(begin / kTileLeaves);
    if (!leaves) return std::move(leaves).error();
    return merkle::root_of(std::span(**leaves).subspan(begin % kTileLeaves, count));
  }
  const std::uint64_t middle = begin + merkle::split_point(count);
  auto left = range(begin, middle);
  if (!left) return left;
  auto right = range(middle, end);
  if (!right) return right;
  return merkle::node_hash(*left, *right);
}

Result<std::vector<Hash>> TreeReader::ranges(const std::vector<merkle::Range>& wanted) {
  std::vector<Hash> out;
  for (const merkle::Range& r : wanted) {
    auto hash = range(r.begin, r.end);
    if (!hash) return std::move(hash).error();
    out.push_back(*hash);
  }
  return out;
}

}  // namespace wardiary::stored

// The Merkle tree of one game as it was at one moment. Only the roots of complete tiles (256
// leaves, 256 tiles, ...) and the right edge are stored; the leaves in between are computed from
// the events when a proof needs them, and checked against what is stored before they are believed.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "eventstore/merkle.h"
#include "eventstore/stored/block_reader.h"

namespace wardiary::stored {

inline constexpr std::uint64_t kTileLeaves = 256;
inline constexpr unsigned kTileHeight = 8;

class TreeReader {
 public:
  // Gives the piece that holds a branch's own events.
  using PieceOf = std::function<Result<Piece>(const BranchId&)>;

  TreeReader(Source& source, const GameId& game, merkle::Frontier frontier, PieceOf piece_of)
      : source_(source),
        game_(game),
        frontier_(std::move(frontier)),
        piece_of_(std::move(piece_of)) {}

  std::uint64_t size() const { return frontier_.size(); }
  // The hash of the leaves [begin, end) as a tree; `begin` as RFC 6962 splits.
  Result<Hash> range(std::uint64_t begin, std::uint64_t end);
  Result<std::vector<Hash>> ranges(const std::vector<merkle::Range>& wanted);
  // The run of leaves that `leaf` belongs to.
  Result<LeafRange> run_of(std::uint64_t leaf);

 private:
  Result<Hash> stored(unsigned level, std::uint64_t index);
  Result<const std::vector<Hash>*> tile(std::uint64_t index);
  Status append_leaves(std::vector<Hash>& out, const LeafRange& run, std::uint64_t begin,
                       std::uint64_t end);
  Error wrong(const std::string& text) const;

  Source& source_;
  const GameId game_;
  const merkle::Frontier frontier_;
  const PieceOf piece_of_;
  std::map<std::uint64_t, std::vector<Hash>> tiles_;
};

}  // namespace wardiary::stored

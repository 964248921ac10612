// Finds the blocks of one branch's own events, fresh and sealed alike, as they were at one moment.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eventstore/stored/block.h"
#include "eventstore/stored/source.h"

namespace wardiary::stored {

// "game G branch B version V".
std::string place(const GameId& game, const BranchId& branch, Version version);

// The part of a branch's line that one branch owns: its events first..last.
struct Piece {
  GameId game;
  BranchId branch;
  Version first = 0;   // 1 or forked_at + 1
  Version last = 0;    // as far as the line wants it
  Version sealed = 0;  // a hint: versions up to here are looked for in sealed blocks first
  Hash before;         // the event hash at first - 1
};

class BlockReader {
 public:
  BlockReader(Source& source, const Piece& piece) : source_(source), piece_(piece) {}
  const Piece& piece() const { return piece_; }

  // The block that holds `version`. kCorrupt, naming the place, if there is none or it fails its
  // check. Valid until the next call; stepping to a neighbour is cheaper than jumping.
  Result<const Block*> at(Version version);

  // Whether the block at() gave last is a sealed one.
  bool at_sealed() const { return current_ == &sealed_; }

  // The hashes of all events of the block at `version`, checked against the block's own.
  Result<std::vector<Hash>> hashes_at(Version version);

 private:
  struct Side {
    Family family;
    std::unique_ptr<Cursor> at;
  };
  Result<bool> find(Side& side, Version version);

  Source& source_;
  const Piece piece_;
  Side fresh_{Family::kEvents, nullptr};
  Side sealed_{Family::kSegments, nullptr};
  Side* current_ = nullptr;
  Block block_;
};

// Event bytes where FlatBuffers can read them: 8-byte aligned, copied only if they are not.
class Aligned {
 public:
  ByteView view(ByteView bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 == 0) return bytes;
    if (words_.size() * 8 < bytes.size()) words_.resize((bytes.size() + 7) / 8);
    std::memcpy(words_.data(), bytes.data(), bytes.size());
    return {reinterpret_cast<const std::uint8_t*>(words_.data()), bytes.size()};
  }

 private:
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(64);
};

}  // namespace wardiary::stored

#include "eventstore/stored/block_reader.h"

#include "eventstore/evidence.h"

namespace wardiary::stored {

std::string place(const GameId& game, const BranchId& branch, Version version) {
  return "game " + to_hex(game) + " branch " + to_hex(branch) + " version " +
         std::to_string(version);
}

// True if the side has a block that holds `version`.
Result<bool> BlockReader::find(Side& side, Version version) {
  const bool stepping = current_ == &side && side.at && side.at->valid() && block_.first() != 0;
  if (!side.at) side.at = source_.cursor(side.family, id_key(piece_.branch));
  if (stepping && version == block_.last() + 1) {
    side.at->next();
  } else if (stepping && version + 1 == block_.first()) {
    side.at->prev();
  } else {
    side.at->seek_back(number_key(piece_.branch, version));
  }
  block_.clear();
  current_ = nullptr;
  if (!side.at->valid()) {
    if (Status s = side.at->status(); !s) {
      return Error(s.error()).within(place(piece_.game, piece_.branch, version));
    }
    return false;
  }
  if (!block_.parse(side.family, side.at->key(), side.at->value())) {
    return corrupt(place(piece_.game, piece_.branch, version) +
                   ": the stored bytes do not pass their check");
  }
  if (!block_.holds(version)) return block_.clear(), false;
  current_ = &side;
  return true;
}

Result<const Block*> BlockReader::at(Version version) {
  if (block_.holds(version)) return &block_;
  Side& likely = version <= piece_.sealed ? sealed_ : fresh_;
  Side& other = &likely == &sealed_ ? fresh_ : sealed_;
  for (Side* side : {&likely, &other}) {
    auto found = find(*side, version);
    if (!found) return std::move(found).error();
    if (*found) return &block_;
  }
  return corrupt(place(piece_.game, piece_.branch, version) + " is missing");
}

Result<std::vector<Hash>> BlockReader::hashes_at(Version version) {
  auto block = at(version);
  if (!block) return std::move(block).error();
  const Version first = (*block)->first();
  Hash previous = piece_.before;
  if (first != piece_.first) {
    auto before = at(first - 1);
    if (!before) return std::move(before).error();
    previous = (*before)->last_hash();
    block = at(version);
    if (!block) return std::move(block).error();
  }
  std::vector<Hash> out;
  Sha256 hasher;
  Version v = first;
  for (const NewEvent& event : (*block)->events()) {
    previous = event_hash_of(hasher, piece_.branch, v++, previous, event.type, event.payload);
    out.push_back(previous);
  }
  if (previous != (*block)->last_hash()) {
    return corrupt(place(piece_.game, piece_.branch, version) +
                   ": the events do not hash to the value recorded with them");
  }
  return out;
}

}  // namespace wardiary::stored

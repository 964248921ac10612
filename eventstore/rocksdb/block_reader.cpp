#include "eventstore/rocksdb/block_reader.h"

#include "eventstore/evidence.h"

namespace wardiary::embedded {

std::string place(const GameId& game, const BranchId& branch, Version version) {
  return "game " + to_hex(game) + " branch " + to_hex(branch) + " version " +
         std::to_string(version);
}

BlockReader::BlockReader(Engine& engine, const Piece& piece, const Moment& moment)
    : engine_(engine),
      piece_(piece),
      lower_(id_key(piece.branch)),
      upper_(prefix_end(lower_)),
      lower_bound_(lower_),
      upper_bound_(upper_) {
  options_.snapshot = moment.get();
  options_.iterate_lower_bound = &lower_bound_;
  if (!upper_.empty()) options_.iterate_upper_bound = &upper_bound_;
}

// True if the side has a block that holds `version`.
Result<bool> BlockReader::find(Side& side, Version version) {
  const bool stepping = current_ == &side && side.it && side.it->Valid() && block_.first() != 0;
  if (!side.it) side.it.reset(engine_.db().NewIterator(options_, engine_.family(side.family)));
  if (stepping && version == block_.last() + 1) {
    side.it->Next();
  } else if (stepping && version + 1 == block_.first()) {
    side.it->Prev();
  } else {
    side.it->SeekForPrev(number_key(piece_.branch, version));
  }
  block_.clear();
  current_ = nullptr;
  if (!side.it->Valid()) {
    if (side.it->status().ok()) return false;
    return error_of(side.it->status(), place(piece_.game, piece_.branch, version));
  }
  const std::string_view key = view(side.it->key());
  if (!block_.parse(side.family, key, view(side.it->value()))) {
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

}  // namespace wardiary::embedded

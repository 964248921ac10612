// The events of one branch: are they all there, once, in order, and do they hash to what was
// recorded with them?
#include "eventstore/evidence.h"
#include "eventstore/stored/verifier.h"

namespace wardiary::stored {
namespace {

// The blocks of one branch in one family.
class FamilyBlocks {
 public:
  FamilyBlocks(Source& source, Family family, const BranchId& branch)
      : family_(family), at_(source.cursor(family, id_key(branch))) {
    at_->seek(id_key(branch));
  }
  bool valid() const { return at_->valid(); }
  const Cursor& at() const { return *at_; }
  Family family() const { return family_; }
  bool well_keyed() const { return at_->key().size() == 24; }
  Version first() const { return well_keyed() ? get_u64(bytes_of(at_->key()).data() + 16) : 0; }
  void next() { at_->next(); }

 private:
  const Family family_;
  const std::unique_ptr<Cursor> at_;
};

std::string versions(Version first, Version last) {
  return first == last ? "version " + std::to_string(first)
                       : "versions " + std::to_string(first) + ".." + std::to_string(last);
}

}  // namespace

// `chained` is false behind a damaged place: the event hash before the block is then unknown, and
// the block's own hash is where the chain is taken up again.
void Verifier::read_block(Game& game, Line& line, const Block& block, bool chained) {
  const std::uint32_t number = game.numbers[line.id];
  Hash hash = line.hash;
  Version v = block.first();
  for (const NewEvent& event : block.events()) {
    game.payload_bytes += event.payload.size();
    if (chained) {
      hash = event_hash_of(hasher_, line.id, v, hash, event.type, event.payload);
      game.leaves.push_back(
          {block.leaf_of(v), v, number, event_leaf_hash(hasher_, line.id, v, hash)});
      const auto wanted = line.wanted.find(v);
      if (wanted != line.wanted.end()) wanted->second = hash;
    }
    if (block.ends_commit(v)) {
      line.commits.push_back({v, static_cast<std::uint32_t>(v - line.committed())});
    }
    ++v;
    if (++out_.events % 4096 == 0 && progress_) progress_(out_.events);
  }
  if (chained && hash != block.last_hash()) {
    find("chain", place(game.id, line.id, block.last()),
         versions(block.first(), block.last()) + " hash to " + to_hex(hash) +
             ", recorded with them is " + to_hex(block.last_hash()));
    game.whole = false;
  }
  if (!chained) game.whole = false;
  line.hash = block.last_hash();
  line.last = block.last();
}

void Verifier::read_line(Game& game, Line& line) {
  FamilyBlocks sealed(source_, Family::kSegments, line.id);
  FamilyBlocks fresh(source_, Family::kEvents, line.id);
  line.last = line.record.forked_at;
  line.hash = line.record.fork_hash;
  Block block;
  bool chained = true;
  while (sealed.valid() || fresh.valid()) {
    const bool take_sealed = sealed.valid() && (!fresh.valid() || sealed.first() <= fresh.first());
    FamilyBlocks& from = take_sealed ? sealed : fresh;
    const Version first = from.first();
    const std::string where = place(game.id, line.id, first);
    if (!from.well_keyed()) {
      find("continuity", where, "a key that is not one of an event");
    } else if (!block.parse(from.family(), from.at().key(), from.at().value())) {
      find("payload", where, "the stored bytes do not pass their check");
      line.whole = game.whole = chained = false;
    } else if (first <= line.last) {
      find("continuity", where,
           versions(first, block.last()) + " stored again or out of place; " +
               versions(line.last + 1, line.last + 1) + " was to come");
      line.whole = false;
    } else {
      if (first > line.last + 1 && line.whole) {
        find("continuity", place(game.id, line.id, line.last + 1),
             versions(line.last + 1, first - 1) + " missing");
        chained = line.whole = game.whole = false;
      }
      read_block(game, line, block, chained);
      if (take_sealed) line.sealed = block.last();
      chained = line.whole = true;
    }
    from.next();
  }
  for (const FamilyBlocks* blocks : {&sealed, &fresh}) {
    const Status status = blocks->at().status();
    if (status) continue;
    find("file", place(game.id, line.id, line.last + 1), "cannot be read: " + status.error().text);
    line.whole = game.whole = false;
  }
}

}  // namespace wardiary::stored

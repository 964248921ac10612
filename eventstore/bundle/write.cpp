#include <map>
#include <ostream>

#include "domain/base/sha256.h"
#include "eventstore/bundle/bundle.h"
#include "eventstore/checkpoint.h"
#include "eventstore/evidence.h"

namespace wardiary {
namespace {

// Writes and hashes what it wrote.
class Output {
 public:
  explicit Output(std::ostream& out) : out_(out) {}
  Output& bytes(ByteView bytes) {
    out_.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    hasher_.add(bytes);
    written_ += bytes.size();
    return *this;
  }
  Output& number(std::uint64_t value, int width) {
    std::uint8_t raw[8];
    for (int i = 0; i < width; ++i) {
      raw[i] = static_cast<std::uint8_t>(value >> (8 * (width - 1 - i)));
    }
    return bytes({raw, static_cast<std::size_t>(width)});
  }
  Output& text(std::string_view text) { return number(text.size(), 4).bytes(bytes_of(text)); }
  Status finish() {
    bytes(hasher_.finish());
    out_.flush();
    if (!out_) return Error{ErrorCode::kIo, "the file cannot be written"};
    if (written_ > BundleLimits::kFileBytesMax) {
      return Error{ErrorCode::kLimit, "the game is larger than a bundle may be: " +
                                          std::to_string(BundleLimits::kFileBytesMax) + " bytes"};
    }
    return Done{};
  }

 private:
  std::ostream& out_;
  Sha256 hasher_;
  std::uint64_t written_ = 0;
};

// A game as it was when its tree had so many leaves.
struct Moment {
  GameInfo game;
  std::vector<LeafRange> runs;  // cut off at the size
  std::vector<BranchInfo> branches;
  std::map<BranchId, std::uint32_t> index;
};

Result<Moment> moment_at(EventStore& store, const GameInfo& game, std::uint64_t size) {
  Moment out;
  out.game = game;
  out.game.tree_size = size;
  std::map<BranchId, std::uint64_t> own;
  for (std::uint64_t leaf = 0; leaf < size;) {
    auto range = store.leaf_range(game.game, leaf);
    if (!range) return std::move(range).error();
    range->count = std::min(range->first_leaf + range->count, size) - range->first_leaf;
    own[range->branch] += range->count;
    leaf = range->first_leaf + range->count;
    out.runs.push_back(*range);
  }
  std::map<BranchId, BranchInfo> all;
  std::optional<std::string> after;
  do {
    auto page = store.branches(game.game, after, 1'000);
    if (!page) return std::move(page).error();
    for (BranchInfo& branch : page->items) all.emplace(branch.branch, std::move(branch));
    after = page->next;
  } while (after);
  // Parents before children; a fork from an event that came later is not of this moment.
  std::vector<BranchId> wanted{game.mainline};
  std::multimap<BranchId, BranchId> children;
  for (const auto& [id, branch] : all) {
    if (branch.parent) children.emplace(*branch.parent, id);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto found = all.find(wanted[i]);
    if (found == all.end()) return corrupt("branch " + to_hex(wanted[i]) + " is not listed");
    BranchInfo& branch = found->second;
    branch.version = branch.forked_at + own[branch.branch];
    auto hash = store.event_hash(branch.branch, branch.version);
    if (!hash) return std::move(hash).error();
    branch.event_hash = *hash;
    out.index[branch.branch] = static_cast<std::uint32_t>(out.branches.size());
    out.branches.push_back(branch);
    for (auto [at, end] = children.equal_range(branch.branch); at != end; ++at) {
      if (all.at(at->second).forked_at <= branch.version) wanted.push_back(at->second);
    }
  }
  if (out.branches.size() > BundleLimits::kBranchesMax) {
    return Error{ErrorCode::kLimit, "the game has more branches than a bundle may have: " +
                                        std::to_string(BundleLimits::kBranchesMax)};
  }
  return out;
}

void write_branches(Output& out, const Moment& moment) {
  out.number(moment.branches.size(), 4);
  for (const BranchInfo& branch : moment.branches) {
    out.bytes(branch.branch).bytes(branch.parent ? *branch.parent : BranchId{});
    out.number(branch.forked_at, 8).number(branch.version, 8).bytes(branch.event_hash);
    out.number(branch.deleted ? 1 : 0, 1).text(branch.name).text(branch.reason);
  }
}

Status write_events(EventStore& store, Output& out, const Moment& moment,
                    const std::function<void(std::uint64_t)>& progress) {
  out.number(moment.game.tree_size, 8);
  Sha256 hasher;
  std::uint64_t done = 0;
  std::vector<Hash> last(moment.branches.size());  // of each branch's own events so far
  for (const LeafRange& run : moment.runs) {
    const std::uint32_t index = moment.index.at(run.branch);
    const BranchInfo& branch = moment.branches[index];
    if (run.first == branch.forked_at + 1 && branch.parent) {
      auto fork = store.event_hash(run.branch, branch.forked_at);
      if (!fork) return std::move(fork).error();
      last[index] = *fork;
    }
    auto read = store.read(
        run.branch, run.first, run.first + run.count - 1, [&](const StoredEvent& stored) {
          last[index] = event_hash_of(hasher, run.branch, stored.version, last[index], stored.type,
                                      stored.payload);
          out.number(index, 4).number(stored.version, 8).number(stored.type, 2);
          out.number(stored.payload.size(), 4).bytes(last[index]).bytes(stored.payload);
          if (progress) progress(++done);
          return true;
        });
    if (!read) return read;
  }
  for (std::size_t i = 0; i < moment.branches.size(); ++i) {
    const BranchInfo& branch = moment.branches[i];
    if (branch.version > branch.forked_at && last[i] != branch.event_hash) {
      return corrupt("branch " + to_hex(branch.branch) + ", version " +
                     std::to_string(branch.version) + ": its events do not have their hash");
    }
  }
  return Done{};
}

}  // namespace

Status write_bundle(EventStore& store, const GameId& game, std::span<const Hash> contents,
                    std::ostream& stream, const std::function<void(std::uint64_t)>& progress) {
  auto info = store.game(game);
  if (!info) return std::move(info).error();
  auto note = store.checkpoint(game);
  if (!note) return std::move(note).error();
  auto key = store.log_key(game);
  if (!key) return std::move(key).error();
  auto tree = parse_checkpoint(*note);
  if (!tree) return std::move(tree).error();
  auto moment = moment_at(store, *info, tree->size);
  if (!moment) return std::move(moment).error();
  Output out(stream);
  out.bytes(bytes_of(kBundleMagic)).bytes(info->game).bytes(info->mainline);
  out.number(info->created_at_ms, 8).text(info->name).text(*key).text(*note);
  out.number(contents.size(), 4);
  for (const Hash& hash : contents) {
    auto bytes = store.content(hash);
    if (!bytes) return std::move(bytes).error();
    out.bytes(hash).number(bytes->size(), 4).bytes(*bytes);
  }
  write_branches(out, *moment);
  if (auto status = write_events(store, out, *moment, progress); !status) return status;
  return out.finish();
}

}  // namespace wardiary

// A bundle read as a store.
#include <algorithm>

#include "eventstore/bundle/bundle.h"
#include "eventstore/evidence.h"
#include "eventstore/merkle.h"

namespace wardiary {
namespace {

Error read_only() {
  return {ErrorCode::kDenied, "a bundle can only be read; import it into a store first"};
}

}  // namespace

std::optional<std::size_t> Bundle::index_of(const BranchId& branch) const {
  const auto found = std::lower_bound(by_id_.begin(), by_id_.end(), std::pair(branch, 0ul));
  if (found == by_id_.end() || found->first != branch) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> Bundle::find(std::size_t branch, Version version) const {
  if (version == 0) return std::nullopt;
  while (branches_[branch].parent && version <= branches_[branch].forked_at) {
    branch = parents_[branch];
  }
  const std::uint64_t place = version - branches_[branch].forked_at - 1;
  if (place >= own_[branch].size()) return std::nullopt;
  return own_[branch][place];
}

Hash Bundle::hash_of(const Event& event) const {
  return *Hash::from(ByteView(bytes_).subspan(event.hash, Hash::kSize));
}
ByteView Bundle::payload_of(const Event& event) const {
  return ByteView(bytes_).subspan(event.payload, event.length);
}

bool Bundle::see(const Event& event, const See& see) const {
  // Aligned, as events must be to be read; in the file they are not.
  const ByteView payload = payload_of(event);
  const Bytes copy(payload.begin(), payload.end());
  return see({event.version, event.type, copy});
}

Error Bundle::unknown(const Id& id, const char* what) const {
  return not_found(std::string("the bundle has no ") + what + " " + to_hex(id));
}

std::vector<Hash> Bundle::contents() const {
  std::vector<Hash> out;
  for (const Stored& stored : contents_) out.push_back(stored.hash);
  return out;
}

Status Bundle::each_leaf(const std::function<bool(const Leaf&)>& see_leaf) const {
  for (const Event& event : events_) {
    const bool more = see(event, [&](const StoredEvent& stored) {
      return see_leaf({branches_[event.branch].branch, stored});
    });
    if (!more) break;
  }
  return Done{};
}

Result<Hash> Bundle::root_at(std::uint64_t size) const {
  if (size == 0 || size > events_.size()) {
    return not_found("the bundle has no tree of " + std::to_string(size) + " leaves");
  }
  Sha256 hasher;
  merkle::Frontier tree;
  for (std::uint64_t leaf = 0; leaf < size; ++leaf) {
    const Event& event = events_[leaf];
    tree.append(
        event_leaf_hash(hasher, branches_[event.branch].branch, event.version, hash_of(event)));
  }
  return tree.root();
}

// ---------------------------------------------------------------------------------- reading

Result<BranchInfo> Bundle::branch(const BranchId& branch) {
  const auto index = index_of(branch);
  if (!index) return unknown(branch, "branch");
  return branches_[*index];
}
Result<GameInfo> Bundle::game(const GameId& game) {
  if (game != game_.game) return unknown(game, "game");
  return game_;
}
Result<Page<GameInfo>> Bundle::games(std::optional<std::string> after, std::size_t limit) {
  Page<GameInfo> page;
  if (!after && limit > 0) page.items.push_back(game_);
  return page;
}
Result<Page<BranchInfo>> Bundle::branches(const GameId& game, std::optional<std::string> after,
                                          std::size_t limit) {
  if (game != game_.game) return unknown(game, "game");
  Page<BranchInfo> page;
  const std::size_t first = after ? std::strtoull(after->c_str(), nullptr, 10) : 0;
  for (std::size_t i = first; i < branches_.size() && page.items.size() < limit; ++i) {
    page.items.push_back(branches_[i]);
  }
  const std::size_t next = first + page.items.size();
  if (next < branches_.size()) page.next = std::to_string(next);
  return page;
}
Status Bundle::read(const BranchId& branch, Version first, Version last, const See& see_event) {
  const auto index = index_of(branch);
  if (!index) return unknown(branch, "branch");
  last = std::min(last, branches_[*index].version);
  for (Version v = std::max<Version>(first, 1); v <= last; ++v) {
    if (!see(events_[*find(*index, v)], see_event)) break;
  }
  return Done{};
}
Status Bundle::read_backwards(const BranchId& branch, Version last, Version first,
                              const See& see_event) {
  const auto index = index_of(branch);
  if (!index) return unknown(branch, "branch");
  last = std::min(last, branches_[*index].version);
  for (Version v = last; v >= std::max<Version>(first, 1); --v) {
    if (!see(events_[*find(*index, v)], see_event)) break;
  }
  return Done{};
}
Result<Bytes> Bundle::content(const Hash& hash) {
  for (const Stored& stored : contents_) {
    if (stored.hash != hash) continue;
    const ByteView bytes = ByteView(bytes_).subspan(stored.at, stored.length);
    if (sha256(bytes) != hash) return corrupt("content " + to_hex(hash) + " has another hash");
    return Bytes(bytes.begin(), bytes.end());
  }
  return not_found("the bundle has no content " + to_hex(hash));
}

// ---------------------------------------------------------------------------------- evidence

Result<Hash> Bundle::event_hash(const BranchId& branch, Version version) {
  auto leaf = leaf_of(branch, version);
  if (!leaf) return std::move(leaf).error();
  return hash_of(events_[*leaf]);
}
Result<std::uint64_t> Bundle::tree_size(const GameId& game) {
  if (game != game_.game) return unknown(game, "game");
  return events_.size();
}
Result<Hash> Bundle::tree_root(const GameId& game, std::uint64_t size) {
  if (game != game_.game) return unknown(game, "game");
  return root_at(size);
}
Result<std::uint64_t> Bundle::leaf_of(const BranchId& branch, Version version) {
  const auto index = index_of(branch);
  if (!index) return unknown(branch, "branch");
  const auto leaf = version <= branches_[*index].version ? find(*index, version) : std::nullopt;
  if (!leaf)
    return not_found("branch " + to_hex(branch) + " has no version " + std::to_string(version));
  return *leaf;
}
Result<LeafRange> Bundle::leaf_range(const GameId& game, std::uint64_t leaf) {
  if (game != game_.game) return unknown(game, "game");
  if (leaf >= events_.size()) return not_found("the tree has no leaf " + std::to_string(leaf));
  const std::uint32_t branch = events_[leaf].branch;
  std::uint64_t first = leaf, end = leaf + 1;
  while (first > 0 && events_[first - 1].branch == branch) --first;
  while (end < events_.size() && events_[end].branch == branch) ++end;
  return LeafRange{first, branches_[branch].branch, events_[first].version, end - first};
}
Result<std::vector<Hash>> Bundle::inclusion_proof(const GameId& game, std::uint64_t leaf,
                                                  std::uint64_t size) {
  auto hashes = leaf_hashes(game, size);
  if (!hashes) return hashes;
  if (leaf >= size) return not_found("the tree has no leaf " + std::to_string(leaf));
  return merkle::inclusion_proof(*hashes, leaf);
}
Result<std::vector<Hash>> Bundle::consistency_proof(const GameId& game, std::uint64_t from,
                                                    std::uint64_t to) {
  auto hashes = leaf_hashes(game, to);
  if (!hashes) return hashes;
  if (from == 0 || from > to) return not_found("no tree of " + std::to_string(from) + " leaves");
  return merkle::consistency_proof(*hashes, from);
}
Result<std::string> Bundle::checkpoint(const GameId& game) {
  if (game != game_.game) return unknown(game, "game");
  return checkpoint_;
}
Result<std::string> Bundle::log_key(const GameId& game) {
  if (game != game_.game) return unknown(game, "game");
  return key_;
}
Result<StoreStats> Bundle::stats() {
  StoreStats out;
  out.games = 1;
  out.branches = branches_.size();
  out.events = events_.size();
  out.disk_bytes = bytes_.size();
  for (const Event& event : events_) out.payload_bytes += event.length;
  return out;
}

// ---------------------------------------------------------------------------------- no writing

Result<Appended> Bundle::create_game(const NewGame&) {
  return read_only();
}
Result<Appended> Bundle::append(const Commit&) {
  return read_only();
}
Result<std::optional<Appended>> Bundle::find_command(const BranchId&, const CommandId&) {
  return std::optional<Appended>();
}
Result<BranchInfo> Bundle::fork(const NewBranch&) {
  return read_only();
}
Status Bundle::delete_branch(const BranchId&) {
  return read_only();
}
Result<Version> Bundle::wait_beyond(const BranchId& branch, Version, std::uint32_t) {
  const auto index = index_of(branch);
  if (!index) return unknown(branch, "branch");
  return branches_[*index].version;
}
Result<std::optional<Snapshot>> Bundle::snapshot_at(const BranchId&, Version) {
  return std::optional<Snapshot>();
}
Status Bundle::scan_index(std::string_view, std::string_view,
                          const std::function<bool(std::string_view, ByteView)>&) {
  return Done{};
}
Result<std::uint64_t> Bundle::add_note(const GameId&, ByteView) {
  return read_only();
}
Status Bundle::read_notes(const GameId&, std::uint64_t,
                          const std::function<bool(std::uint64_t, ByteView)>&) {
  return Done{};
}
Status Bundle::change_records(std::span<const RecordChange>) {
  return read_only();
}
Result<std::optional<Bytes>> Bundle::record(std::string_view) {
  return std::optional<Bytes>();
}
Status Bundle::scan_records(std::string_view,
                            const std::function<bool(std::string_view, ByteView)>&) {
  return Done{};
}
Status Bundle::backup(const std::string&, BackupKeys) {
  return read_only();
}

}  // namespace wardiary

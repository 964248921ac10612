#include "eventstore/stored/log_store.h"

#include <algorithm>

#include "domain/base/sha256.h"
#include "eventstore/stored/commit.h"

namespace wardiary::stored {
namespace {

Error no_version(const BranchId& branch, Version version) {
  return not_found("branch " + to_hex(branch) + " has no version " + std::to_string(version));
}

}  // namespace

Result<LogStore::Pass> LogStore::enter() {
  if (state_.load() == State::kClosed) return Error{ErrorCode::kClosed, "the store is closed"};
  Pass pass(gate_);
  if (state_.load() == State::kClosed) return Error{ErrorCode::kClosed, "the store is closed"};
  return pass;
}

BranchInfo info_from(const BranchId& branch, const BranchHead& head, const BranchRecord& record) {
  BranchInfo info;
  info.game = head.game;
  info.branch = branch;
  if (!head.mainline) info.parent = head.parent;
  info.forked_at = head.forked_at;
  info.version = head.version;
  info.event_hash = head.hash;
  info.name = record.name;
  info.reason = record.reason;
  info.depth = head.depth;
  info.deleted = head.deleted;
  return info;
}

Result<BranchInfo> LogStore::info_of(const BranchId& branch, const BranchHead& head) {
  auto body = stored_now(Family::kBranches, pair_key(head.game, branch));
  if (!body) return std::move(body).error().within("branch " + to_hex(branch));
  const auto record = *body ? BranchRecord::parse(**body) : std::nullopt;
  if (!record) return corrupt("branch " + to_hex(branch) + ": its record is missing");
  return info_from(branch, head, *record);
}

Result<BranchInfo> LogStore::branch(const BranchId& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  return info_of(branch, *head);
}

Result<std::vector<Piece>> LogStore::line(const BranchId& branch, Version first, Version last) {
  std::vector<Piece> out;
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  BranchId id = branch;
  Version stop = std::min(last, head->version);
  for (std::size_t depth = 0; depth <= StoreLimits::kBranchDepthMax; ++depth) {
    if (stop > head->forked_at) {
      out.push_back({head->game, id, head->forked_at + 1, stop, head->sealed, head->fork_hash});
    }
    stop = std::min(stop, head->forked_at);
    if (head->mainline || stop < first) break;
    id = head->parent;
    head = ancestor(id);
    if (!head) return std::move(head).error();
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Status LogStore::read(const BranchId& branch, Version first, Version last, const See& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  first = std::max<Version>(first, 1);
  auto pieces = line(branch, first, last);
  if (!pieces) return std::move(pieces).error();
  const auto records = source();
  Aligned aligned;
  for (const Piece& piece : *pieces) {
    BlockReader reader(*records, piece);
    for (Version v = std::max(first, piece.first); v <= piece.last;) {
      auto block = reader.at(v);
      if (!block) return std::move(block).error();
      const Version stop = std::min((*block)->last(), piece.last);
      for (; v <= stop; ++v) {
        const NewEvent& event = (*block)->event(v);
        if (!see({v, event.type, aligned.view(event.payload)})) return Done{};
      }
    }
  }
  return Done{};
}

Status LogStore::read_backwards(const BranchId& branch, Version last, Version first,
                                const See& see) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  first = std::max<Version>(first, 1);
  auto pieces = line(branch, first, last);
  if (!pieces) return std::move(pieces).error();
  const auto records = source();
  Aligned aligned;
  for (auto piece = pieces->rbegin(); piece != pieces->rend(); ++piece) {
    BlockReader reader(*records, *piece);
    const Version from = std::max(first, piece->first);
    for (Version v = piece->last; v >= from;) {
      auto block = reader.at(v);
      if (!block) return std::move(block).error();
      const Version stop = std::max((*block)->first(), from);
      for (; v >= stop; --v) {
        const NewEvent& event = (*block)->event(v);
        if (!see({v, event.type, aligned.view(event.payload)})) return Done{};
      }
    }
  }
  return Done{};
}

Result<std::vector<CommitInfo>> LogStore::commits(const BranchId& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  std::vector<CommitInfo> out;
  Status s = source()->scan(
      Family::kCommands, id_key(branch), "", [&](std::string_view key, std::string_view body) {
        const auto record = CommandRecord::parse(body);
        const auto id = key.size() == 32 ? Id::from(bytes_of(key.substr(16))) : std::nullopt;
        // A commit that came after the head was looked at is for the next time.
        if (record && id && record->last <= head->version) {
          out.push_back({*id, record->last + 1 - record->events, record->last});
        }
        return true;
      });
  if (!s) return s.error();
  std::sort(out.begin(), out.end(),
            [](const CommitInfo& a, const CommitInfo& b) { return a.last < b.last; });
  return out;
}

Result<std::vector<Hash>> LogStore::contents_of(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto body = stored_now(Family::kGames, id_key(game));
  if (!body) return std::move(body).error();
  if (!*body) return not_found("no game " + to_hex(game));
  const auto record = GameRecord::parse(**body);
  if (!record) return corrupt("game " + to_hex(game) + ": its record is missing");
  return record->contents;
}

Result<Bytes> LogStore::content(const Hash& hash) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto body = stored_now(Family::kContents, text_of(hash));
  if (!body) return std::move(body).error();
  if (!*body) return not_found("no content with hash " + to_hex(hash));
  const ByteView bytes = bytes_of(**body);
  if (sha256(bytes) != hash) return corrupt("content " + to_hex(hash) + " is altered");
  return Bytes(bytes.begin(), bytes.end());
}

Result<std::optional<Appended>> LogStore::answer_of(const BranchId& branch,
                                                    const CommandId& command) {
  auto body = stored_now(Family::kCommands, pair_key(branch, command));
  if (!body) return std::move(body).error().within("branch " + to_hex(branch));
  if (!*body) return std::optional<Appended>();
  const auto record = CommandRecord::parse(**body);
  if (!record) return corrupt("branch " + to_hex(branch) + ": a command record is no record");
  Appended out;
  out.kind = Appended::Kind::kDuplicate;
  out.last = record->last;
  out.first = out.last + 1 - record->events;
  auto hash = hash_on_line(branch, out.last);
  if (!hash) return std::move(hash).error();
  out.event_hash = *hash;
  return std::optional(out);
}

Result<BranchInfo> LogStore::forked_before(const NewBranch& wanted, const BranchHead& there) {
  auto info = info_of(wanted.branch, there);
  if (!info) return info;
  bool same = info->parent == wanted.parent && info->forked_at == wanted.at &&
              info->game == wanted.game && info->name == wanted.name &&
              info->reason == wanted.reason;
  if (same && !wanted.events.empty()) {
    auto earlier = answer_of(wanted.branch, wanted.command);
    if (!earlier) return std::move(earlier).error();
    same = *earlier && (*earlier)->first == wanted.at + 1 &&
           (*earlier)->last == wanted.at + wanted.events.size();
  }
  if (same) return info;
  return Error{ErrorCode::kConflict, "branch " + to_hex(wanted.branch) + " exists already"};
}

Result<BranchHead> LogStore::new_head(const NewBranch& branch, const BranchHead& parent) {
  if (parent.deleted) return deleted_branch(branch.parent);
  if (parent.depth + 1 > StoreLimits::kBranchDepthMax) {
    return limit("branches nest too deep", StoreLimits::kBranchDepthMax);
  }
  auto fork_hash = hash_on_line(branch.parent, branch.at);
  if (!fork_hash) return std::move(fork_hash).error();
  BranchHead head;
  head.game = branch.game;
  head.parent = branch.parent;
  head.forked_at = head.version = head.sealed = branch.at;
  head.hash = head.fork_hash = *fork_hash;
  head.depth = parent.depth + 1;
  return head;
}

// ---------------------------------------------------------------------------------- evidence

Result<Hash> LogStore::hash_on_line(const BranchId& branch, Version version) {
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  if (version < 1 || version > head->version) return no_version(branch, version);
  if (version == head->version) return head->hash;
  auto pieces = line(branch, version, version);
  if (!pieces) return std::move(pieces).error();
  const auto records = source();
  BlockReader reader(*records, pieces->front());
  auto block = reader.at(version);
  if (!block) return std::move(block).error();
  if (version == (*block)->last()) return (*block)->last_hash();
  const Version first = (*block)->first();
  auto hashes = reader.hashes_at(version);
  if (!hashes) return std::move(hashes).error();
  return (*hashes)[version - first];
}

Result<Hash> LogStore::event_hash(const BranchId& branch, Version version) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return hash_on_line(branch, version);
}

TreeReader LogStore::tree_of(const GameId& game, const GameHead& head, Source& source) {
  return TreeReader(source, game, head.frontier, [this](const BranchId& id) -> Result<Piece> {
    auto found = ancestor(id);
    if (!found) return std::move(found).error();
    return Piece{found->game,     id, found->forked_at + 1, found->version, found->sealed,
                 found->fork_hash};
  });
}

Result<std::uint64_t> LogStore::tree_size(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  return head->frontier.size();
}

Result<Hash> LogStore::tree_root(const GameId& game, std::uint64_t size) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (size > head->frontier.size()) {
    return not_found("game " + to_hex(game) + " has only " + std::to_string(head->frontier.size()) +
                     " leaves");
  }
  if (size == head->frontier.size()) return head->frontier.root();
  const auto records = source();
  return tree_of(game, *head, *records).range(0, size);
}

Result<std::uint64_t> LogStore::leaf_of(const BranchId& branch, Version version) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto pieces = line(branch, version, version);
  if (!pieces) return std::move(pieces).error();
  if (version < 1 || pieces->empty() || pieces->front().last != version) {
    return no_version(branch, version);
  }
  const auto records = source();
  BlockReader reader(*records, pieces->front());
  auto block = reader.at(version);
  if (!block) return std::move(block).error();
  return (*block)->leaf_of(version);
}

Result<LeafRange> LogStore::leaf_range(const GameId& game, std::uint64_t leaf) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (leaf >= head->frontier.size()) {
    return not_found("game " + to_hex(game) + " has no leaf " + std::to_string(leaf));
  }
  const auto records = source();
  return tree_of(game, *head, *records).run_of(leaf);
}

Result<std::vector<Hash>> LogStore::inclusion_proof(const GameId& game, std::uint64_t leaf,
                                                    std::uint64_t size) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (leaf >= size || size > head->frontier.size()) {
    return invalid("a proof needs leaf < size <= " + std::to_string(head->frontier.size()));
  }
  const auto records = source();
  return tree_of(game, *head, *records).ranges(merkle::inclusion_ranges(leaf, size));
}

Result<std::vector<Hash>> LogStore::consistency_proof(const GameId& game, std::uint64_t from,
                                                      std::uint64_t to) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto head = game_head(game);
  if (!head) return std::move(head).error();
  if (from < 1 || from > to || to > head->frontier.size()) {
    return invalid("a proof needs 1 <= from <= to <= " + std::to_string(head->frontier.size()));
  }
  const auto records = source();
  return tree_of(game, *head, *records).ranges(merkle::consistency_ranges(from, to));
}

Result<std::string> LogStore::log_key(const GameId& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (auto head = game_head(game); !head && head.error().code == ErrorCode::kNotFound) {
    return std::move(head).error();
  }
  return VerifierKey{log_origin(game), key_->public_key()}.text();
}

}  // namespace wardiary::stored

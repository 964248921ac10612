#include "eventstore/stored/commit.h"

#include "domain/base/sha256.h"
#include "eventstore/evidence.h"
#include "eventstore/stored/tree_reader.h"

namespace wardiary::stored {
namespace {

using L = StoreLimits;

Status check_text(const char* what, const std::string& text, std::size_t max) {
  if (text.size() > max) return limit(std::string(what) + " is too long", max);
  if (!is_clean_utf8(text)) {
    return invalid(std::string(what) + " is not clean UTF-8 (control characters?)");
  }
  return Done{};
}

}  // namespace

Error limit(const std::string& what, std::size_t max) {
  return {ErrorCode::kLimit, what + " (at most " + std::to_string(max) + ")"};
}

Error deleted_branch(const BranchId& branch) {
  return invalid("branch " + to_hex(branch) + " was deleted");
}

Status check_events(std::span<const NewEvent> events) {
  if (events.empty()) return invalid("a commit needs at least one event");
  if (events.size() > L::kCommitEventsMax) return limit("too many events", L::kCommitEventsMax);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].payload.size() > L::kEventBytesMax) {
      return limit("event " + std::to_string(i) + " has too many bytes", L::kEventBytesMax);
    }
    bytes += events[i].payload.size();
  }
  if (bytes > L::kCommitBytesMax) return limit("the commit has too many bytes", L::kCommitBytesMax);
  return Done{};
}

Status check_new_game(const NewGame& game) {
  if (Status s = check_events(game.events); !s) return s;
  if (Status s = check_text("the name of the game", game.name, L::kNameBytesMax); !s) return s;
  if (game.mainline.is_zero()) return invalid("the branch id of all zeros is not an id");
  if (game.contents.size() > L::kContentsMax) return limit("too many contents", L::kContentsMax);
  for (const ByteView& content : game.contents) {
    if (content.size() > L::kContentBytesMax) {
      return limit("a content has too many bytes", L::kContentBytesMax);
    }
  }
  return Done{};
}

Status check_new_branch(const NewBranch& branch) {
  if (Status s = check_text("the name of the branch", branch.name, L::kNameBytesMax); !s) return s;
  if (Status s = check_text("the reason", branch.reason, L::kReasonBytesMax); !s) return s;
  if (branch.branch.is_zero()) return invalid("the branch id of all zeros is not an id");
  return branch.events.empty() ? Status(Done{}) : check_events(branch.events);
}

Status check_fork(const NewBranch& branch, Version parent_version) {
  if (branch.at >= 1 && branch.at <= parent_version) return Done{};
  return invalid("at: a branch can be forked at 1.." + std::to_string(parent_version) +
                 ", not at " + std::to_string(branch.at));
}

Status check_key(std::string_view key) {
  if (key.empty()) return invalid("the key is empty");
  if (key.size() > L::kKeyBytesMax) return limit("the key is too long", L::kKeyBytesMax);
  return Done{};
}

Status check_value(ByteView value) {
  if (value.size() > L::kValueBytesMax) return limit("the value is too long", L::kValueBytesMax);
  return Done{};
}

Status check_note(ByteView note) {
  if (note.empty()) return invalid("the note is empty");
  if (note.size() > L::kNoteBytesMax) return limit("the note is too long", L::kNoteBytesMax);
  return Done{};
}

Status check_changes(std::span<const EventStore::RecordChange> changes) {
  if (changes.empty()) return invalid("no record to change");
  if (changes.size() > L::kRecordChangesMax) {
    return limit("too many records in one change", L::kRecordChangesMax);
  }
  for (const EventStore::RecordChange& change : changes) {
    if (Status s = check_key(change.key); !s) return s;
    if (!change.value) continue;
    if (Status s = check_value(*change.value); !s) return s;
  }
  return Done{};
}

Status check_page(std::size_t size) {
  if (size >= 1 && size <= L::kPageMax) return Done{};
  return limit("limit: a page has at least 1 item", L::kPageMax);
}

Result<std::optional<Id>> check_cursor(const std::optional<std::string>& after) {
  const auto cursor = after ? fixed_from_hex<16>(*after) : std::nullopt;
  if (after && !cursor) return invalid("after: not a cursor of this list");
  return cursor;
}

Prepared prepare(const BranchId& branch, Version expected, const Hash& previous,
                 std::span<const NewEvent> events) {
  thread_local Sha256 hasher;
  Prepared out;
  out.leaves.reserve(events.size());
  out.last_hash = previous;
  Version version = expected;
  while (!events.empty()) {
    const std::size_t share = block_share(events);
    const Version first = version + 1;
    for (const NewEvent& event : events.first(share)) {
      ++version;
      out.last_hash =
          event_hash_of(hasher, branch, version, out.last_hash, event.type, event.payload);
      out.leaves.push_back(event_leaf_hash(hasher, branch, version, out.last_hash));
      out.bytes += event.payload.size();
    }
    const bool last_block = share == events.size();
    const std::uint64_t ends = last_block ? std::uint64_t{1} << (share - 1) : 0;
    out.blocks.emplace_back(Family::kEvents, branch, first, events.first(share), ends,
                            out.last_hash, 1);
    events = events.subspan(share);
  }
  return out;
}

void add_commit(Writes& writes, GameHead& head, const GameId& game, const BranchId& branch,
                Version expected, const CommandId& command, Prepared& prepared) {
  std::uint64_t leaf = head.frontier.size();
  if (leaf == 0 || head.last_branch != branch) {
    writes.put(Family::kLeaves, number_key(game, leaf),
               RecordWriter().fixed(branch).number(expected + 1, 8).body());
    head.last_branch = branch;
  }
  for (BlockDraft& block : prepared.blocks) {
    const LeafRun run{static_cast<std::uint8_t>(block.count()), leaf};
    writes.put_value(Family::kEvents, block.key(), block.finish({&run, 1}));
    leaf += block.count();
  }
  const merkle::Frontier::Completed completed = [&](unsigned height, std::uint64_t index,
                                                    const Hash& hash) {
    if (height % kTileHeight != 0) return;
    writes.put(Family::kTree, tile_key(game, height / kTileHeight - 1, index), text_of(hash));
  };
  for (const Hash& hash : prepared.leaves) head.frontier.append(hash, completed);
  head.payload_bytes += prepared.bytes;
  const auto count = static_cast<std::uint32_t>(prepared.leaves.size());
  writes.put(Family::kHeads, branch_head_key(branch),
             branch_head_body(expected + count, prepared.last_hash));
  writes.put(Family::kCommands, pair_key(branch, command),
             CommandRecord{expected + count, count}.body());
}

void add_game(Writes& writes, GameHead& head, const NewGame& game) {
  head.mainline = game.mainline;
  head.branches = 1;
  GameRecord record{game.mainline, game.created_at_ms, game.name, {}};
  writes.put(Family::kBranches, pair_key(game.game, game.mainline), BranchRecord{}.body());
  for (const ByteView& content : game.contents) {
    const Hash hash = sha256(content);
    writes.put(Family::kContents, text_of(hash), text_of(content));
    record.contents.push_back(hash);
  }
  writes.put(Family::kGames, id_key(game.game), record.body());
}

}  // namespace wardiary::stored

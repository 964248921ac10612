#include <algorithm>

#include "eventstore/evidence.h"
#include "eventstore/rocksdb/store.h"

namespace wardiary::embedded {
namespace {

constexpr std::size_t kRequestBytes = 512;  // what a commit writes besides its events, roughly

Status check_text(const char* what, const std::string& text, std::size_t max) {
  if (text.size() > max) return limit(std::string(what) + " is too long", max);
  if (!is_clean_utf8(text)) {
    return invalid(std::string(what) + " is not clean UTF-8 (control characters?)");
  }
  return Done{};
}

Status check_new_game(const NewGame& game) {
  using L = StoreLimits;
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
  using L = StoreLimits;
  if (Status s = check_text("the name of the branch", branch.name, L::kNameBytesMax); !s) return s;
  if (Status s = check_text("the reason", branch.reason, L::kReasonBytesMax); !s) return s;
  if (branch.branch.is_zero()) return invalid("the branch id of all zeros is not an id");
  return Done{};
}

Error deleted_branch(const BranchId& branch) {
  return invalid("branch " + to_hex(branch) + " was deleted");
}

}  // namespace

Status Store::check_events(std::span<const NewEvent> events) const {
  using L = StoreLimits;
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

Prepared Store::prepare(const BranchId& branch, Version expected, const Hash& previous,
                        std::span<const NewEvent> events) const {
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

GameHead* Store::game_in(Group& group, const GameId& game) {
  const auto planned = group.games.find(game);
  if (planned != group.games.end()) return &planned->second;
  auto head = heads_.game(game);
  return head ? &group.games.emplace(game, std::move(*head)).first->second : nullptr;
}

// Adds a commit's records to the batch, at the place in the game's tree that is its own now.
bool Store::plan_commit(Group& group, const GameId& game, const BranchId& branch, Version expected,
                        const CommandId& command, Prepared& prepared) {
  GameHead& head = *game_in(group, game);
  rocksdb::WriteBatch& batch = group.batch;
  std::uint64_t leaf = head.frontier.size();
  if (leaf == 0 || head.last_branch != branch) {
    engine_->put(batch, Family::kLeaves, number_key(game, leaf),
                 RecordWriter().fixed(branch).number(expected + 1, 8).body());
    head.last_branch = branch;
  }
  for (BlockDraft& block : prepared.blocks) {
    const LeafRun run{static_cast<std::uint8_t>(block.count()), leaf};
    batch.Put(engine_->family(Family::kEvents), block.key(), block.finish({&run, 1}));
    leaf += block.count();
  }
  const merkle::Frontier::Completed completed = [&](unsigned height, std::uint64_t index,
                                                    const Hash& hash) {
    if (height % kTileHeight != 0) return;
    engine_->put(batch, Family::kTree, tile_key(game, height / kTileHeight - 1, index),
                 text_of(hash));
  };
  for (const Hash& hash : prepared.leaves) head.frontier.append(hash, completed);
  head.payload_bytes += prepared.bytes;
  const Version last = expected + prepared.leaves.size();
  engine_->put(batch, Family::kHeads, branch_head_key(branch),
               branch_head_body(last, prepared.last_hash));
  engine_->put(batch, Family::kCommands, pair_key(branch, command),
               RecordWriter().number(last, 8).number(prepared.leaves.size(), 4).body());
  group.touched.insert(branch);
  return true;
}

Result<std::optional<Appended>> Store::first_answer(const BranchId& branch,
                                                    const CommandId& command) {
  auto body = engine_->get(Family::kCommands, pair_key(branch, command));
  if (!body) return std::move(body).error().within("branch " + to_hex(branch));
  if (!*body) return std::optional<Appended>();
  RecordReader record(**body);
  Appended out;
  out.kind = Appended::Kind::kDuplicate;
  out.last = record.number(8);
  out.first = out.last + 1 - record.number(4);
  if (!record.at_end())
    return corrupt("branch " + to_hex(branch) + ": a command record is no record");
  auto hash = hash_on_line(branch, out.last);
  if (!hash) return std::move(hash).error();
  out.event_hash = *hash;
  const auto head = heads_.branch(branch);
  out.current = head ? head->version : out.last;
  ++duplicates_;
  return std::optional(out);
}

Result<std::optional<Appended>> Store::find_command(const BranchId& branch,
                                                    const CommandId& command) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  return first_answer(branch, command);
}

Result<Appended> Store::append(const Commit& commit) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_events(commit.events); !s) return s.error();
  for (;;) {
    auto head = head_of(commit.branch);
    if (!head) return std::move(head).error();
    // The version first, then the command: if the version still is the same when the commit's turn
    // has come, nothing was committed here in between, with this command id or any other.
    auto earlier = first_answer(commit.branch, commit.command);
    if (!earlier) return std::move(earlier).error();
    if (*earlier) return **earlier;
    if (head->version != commit.expected) {
      ++conflicts_;
      return Appended{Appended::Kind::kConflict, 0, 0, {}, head->version};
    }
    if (head->deleted) return deleted_branch(commit.branch);
    Prepared prepared = prepare(commit.branch, commit.expected, head->hash, commit.events);
    const Version last = commit.expected + commit.events.size();
    Request request;
    request.bytes = prepared.bytes + kRequestBytes;
    request.sync = commit.durability == Durability::kSynced;
    request.news = {commit.branch, last};
    request.plan = [&](Group& group) {
      if (group.touched.contains(commit.branch)) return false;
      const auto now = heads_.branch(commit.branch);
      if (!now || now->version != commit.expected || now->deleted) return false;
      return plan_commit(group, head->game, commit.branch, commit.expected, commit.command,
                         prepared);
    };
    request.landed = [&](BranchMap& branches) {
      BranchHead& now = branches[commit.branch];
      now.version = last;
      now.hash = prepared.last_hash;
      sealer_->noticed(commit.branch, now);
    };
    run(request);
    if (request.outcome == Request::Outcome::kStale) continue;
    if (Status s = outcome_of(request); !s) {
      if (s.error().code != ErrorCode::kUnknown) return s.error();
      return Appended{Appended::Kind::kUnknown, 0, 0, {}, commit.expected};
    }
    ++commits_;
    return Appended{Appended::Kind::kOk, commit.expected + 1, last, prepared.last_hash, last};
  }
}

Result<Appended> Store::create_game(const NewGame& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_events(game.events); !s) return s.error();
  if (Status s = check_new_game(game); !s) return s.error();
  for (;;) {
    const bool has_game = heads_.has_game(game.game);
    const auto taken = heads_.branch(game.mainline);
    if (has_game || taken) {
      if (taken && taken->game == game.game) {
        auto earlier = first_answer(game.mainline, game.command);
        if (!earlier) return std::move(earlier).error();
        if (*earlier) return **earlier;
      }
      ++conflicts_;
      return Appended{Appended::Kind::kConflict, 0, 0, {}, taken ? taken->version : 0};
    }
    if (heads_.game_count() >= StoreLimits::kGamesMax) {
      return limit("too many games", StoreLimits::kGamesMax);
    }
    Prepared prepared = prepare(game.mainline, 0, Hash{}, game.events);
    BranchHead head;
    head.game = game.game;
    head.version = game.events.size();
    head.hash = prepared.last_hash;
    head.mainline = true;
    Request request;
    request.bytes = prepared.bytes + kRequestBytes;
    for (const ByteView& content : game.contents) request.bytes += content.size();
    request.news = {game.mainline, head.version};
    request.plan = [&](Group& group) {
      if (heads_.has_game(game.game) || group.games.contains(game.game)) return false;
      if (heads_.branch(game.mainline) || group.touched.contains(game.mainline)) return false;
      GameHead fresh;
      fresh.mainline = game.mainline;
      fresh.branches = 1;
      group.games.emplace(game.game, std::move(fresh));
      GameRecord record{game.mainline, game.created_at_ms, game.name, {}};
      engine_->put(group.batch, Family::kBranches, pair_key(game.game, game.mainline),
                   BranchRecord{}.body());
      for (const ByteView& content : game.contents) {
        const Hash hash = sha256(content);
        engine_->put(group.batch, Family::kContents, text_of(hash), text_of(content));
        record.contents.push_back(hash);
      }
      engine_->put(group.batch, Family::kGames, id_key(game.game), record.body());
      return plan_commit(group, game.game, game.mainline, 0, game.command, prepared);
    };
    request.landed = [&](BranchMap& branches) { branches[game.mainline] = head; };
    run(request);
    if (request.outcome == Request::Outcome::kStale) continue;
    if (Status s = outcome_of(request); !s) {
      if (s.error().code != ErrorCode::kUnknown) return s.error();
      return Appended{Appended::Kind::kUnknown, 0, 0, {}, 0};
    }
    ++commits_;
    return Appended{Appended::Kind::kOk, 1, head.version, head.hash, head.version};
  }
}

// What a branch of this id that is there already comes to: the answer of the first call if this is
// that call again.
Result<BranchInfo> Store::forked_before(const NewBranch& wanted, const BranchHead& there) {
  auto info = info_of(wanted.branch, there);
  if (!info) return info;
  bool same = info->parent == wanted.parent && info->forked_at == wanted.at &&
              info->game == wanted.game && info->name == wanted.name &&
              info->reason == wanted.reason;
  if (same && !wanted.events.empty()) {
    auto earlier = first_answer(wanted.branch, wanted.command);
    if (!earlier) return std::move(earlier).error();
    same = *earlier && (*earlier)->first == wanted.at + 1 &&
           (*earlier)->last == wanted.at + wanted.events.size();
  }
  if (same) return info;
  return Error{ErrorCode::kConflict, "branch " + to_hex(wanted.branch) + " exists already"};
}

Result<BranchHead> Store::new_head(const NewBranch& branch, const BranchHead& parent) {
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

Result<BranchInfo> Store::fork(const NewBranch& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_new_branch(branch); !s) return s.error();
  if (!branch.events.empty()) {
    if (Status s = check_events(branch.events); !s) return s.error();
  }
  for (;;) {
    auto parent = head_of(branch.parent);
    if (!parent) return std::move(parent).error();
    if (parent->game != branch.game) {
      return not_found("branch " + to_hex(branch.parent) + " is not of game " +
                       to_hex(branch.game));
    }
    if (branch.at < 1 || branch.at > parent->version) {
      return invalid("at: a branch can be forked at 1.." + std::to_string(parent->version) +
                     ", not at " + std::to_string(branch.at));
    }
    if (const auto taken = heads_.branch(branch.branch)) return forked_before(branch, *taken);
    auto head = new_head(branch, *parent);
    if (!head) return std::move(head).error();
    const BranchRecord record{branch.parent, branch.at,   head->fork_hash, head->depth,
                              false,         branch.name, branch.reason};
    Prepared prepared = prepare(branch.branch, branch.at, head->fork_hash, branch.events);
    head->version += branch.events.size();
    head->hash = prepared.last_hash;
    bool too_many = false;
    Request request;
    request.bytes = prepared.bytes + kRequestBytes;
    request.sync = branch.durability == Durability::kSynced;
    if (!branch.events.empty()) request.news = {branch.branch, head->version};
    request.plan = [&](Group& group) {
      GameHead* game = game_in(group, branch.game);
      if (!game || heads_.branch(branch.branch) || group.touched.contains(branch.branch))
        return false;
      const auto now = heads_.branch(branch.parent);
      if (!now || now->deleted || group.deleted.contains(branch.parent)) return false;
      if ((too_many = game->branches >= StoreLimits::kBranchesPerGameMax)) return false;
      ++game->branches;
      engine_->put(group.batch, Family::kBranches, pair_key(branch.game, branch.branch),
                   record.body());
      group.touched.insert(branch.branch);
      group.parents.insert(branch.parent);
      return branch.events.empty() ||
             plan_commit(group, branch.game, branch.branch, branch.at, branch.command, prepared);
    };
    request.landed = [&](BranchMap& branches) {
      branches[branch.branch] = *head;
      ++branches[branch.parent].live_children;
      sealer_->noticed(branch.branch, branches[branch.branch]);
    };
    run(request);
    if (too_many) {
      return limit("the game has too many branches", StoreLimits::kBranchesPerGameMax);
    }
    if (request.outcome == Request::Outcome::kStale) continue;
    if (Status s = outcome_of(request); !s) return s.error();
    if (!branch.events.empty()) ++commits_;
    return info_of(branch.branch, *head);
  }
}

Status Store::delete_branch(const BranchId& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  for (;;) {
    auto head = head_of(branch);
    if (!head) return std::move(head).error();
    if (head->mainline) return invalid("the mainline of a game cannot be deleted");
    if (head->deleted) return Done{};
    if (head->live_children > 0) {
      return invalid("branch " + to_hex(branch) + " has branches of its own; delete those first");
    }
    const std::string key = pair_key(head->game, branch);
    auto body = engine_->get(Family::kBranches, key);
    if (!body) return std::move(body).error();
    auto record = *body ? BranchRecord::parse(**body) : std::nullopt;
    if (!record) return corrupt("branch " + to_hex(branch) + ": its record is missing");
    record->deleted = true;
    Request request;
    request.bytes = kRequestBytes;
    request.plan = [&](Group& group) {
      const auto now = heads_.branch(branch);
      if (!now || now->deleted || now->live_children > 0) return false;
      if (group.touched.contains(branch) || group.parents.contains(branch)) return false;
      engine_->put(group.batch, Family::kBranches, key, record->body());
      group.touched.insert(branch);
      group.deleted.insert(branch);
      return true;
    };
    request.landed = [&](BranchMap& branches) {
      branches[branch].deleted = true;
      const auto parent = branches.find(branches[branch].parent);
      if (parent != branches.end()) --parent->second.live_children;
    };
    run(request);
    if (request.outcome == Request::Outcome::kStale) continue;
    return outcome_of(request);
  }
}

}  // namespace wardiary::embedded

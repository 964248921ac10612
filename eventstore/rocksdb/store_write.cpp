#include "eventstore/rocksdb/store.h"
#include "eventstore/stored/commit.h"

namespace wardiary::embedded {
namespace {

constexpr std::size_t kRequestBytes = 512;  // what a commit writes besides its events, roughly

class BatchWrites final : public Writes {
 public:
  BatchWrites(Engine& engine, rocksdb::WriteBatch& batch) : engine_(engine), batch_(batch) {}
  void put_value(Family family, std::string_view key, std::string_view value) override {
    batch_.Put(engine_.family(family), slice(key), slice(value));
  }

 private:
  Engine& engine_;
  rocksdb::WriteBatch& batch_;
};

}  // namespace

GameHead* Store::game_in(Group& group, const GameId& game) {
  const auto planned = group.games.find(game);
  if (planned != group.games.end()) return &planned->second;
  auto head = heads_.game(game);
  return head ? &group.games.emplace(game, std::move(*head)).first->second : nullptr;
}

void Store::plan_commit(Group& group, const GameId& game, const BranchId& branch, Version expected,
                        const CommandId& command, Prepared& prepared) {
  BatchWrites writes(*engine_, group.batch);
  add_commit(writes, *game_in(group, game), game, branch, expected, command, prepared);
  group.touched.insert(branch);
}

Result<std::optional<Appended>> Store::first_answer(const BranchId& branch,
                                                    const CommandId& command) {
  auto answer = answer_of(branch, command);
  if (!answer || !*answer) return answer;
  const auto head = heads_.branch(branch);
  (*answer)->current = head ? head->version : (*answer)->last;
  ++duplicates_;
  return answer;
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
      plan_commit(group, head->game, commit.branch, commit.expected, commit.command, prepared);
      return true;
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
      BatchWrites writes(*engine_, group.batch);
      add_game(writes, group.games[game.game], game);
      plan_commit(group, game.game, game.mainline, 0, game.command, prepared);
      return true;
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

Result<BranchInfo> Store::fork(const NewBranch& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = check_new_branch(branch); !s) return s.error();
  for (;;) {
    auto parent = head_of(branch.parent);
    if (!parent) return std::move(parent).error();
    if (parent->game != branch.game) {
      return not_found("branch " + to_hex(branch.parent) + " is not of game " +
                       to_hex(branch.game));
    }
    if (Status s = check_fork(branch, parent->version); !s) return s.error();
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
      if (!branch.events.empty()) {
        plan_commit(group, branch.game, branch.branch, branch.at, branch.command, prepared);
      }
      return true;
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

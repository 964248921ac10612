#include "eventstore/postgres/store.h"
#include "eventstore/postgres/writes.h"

namespace wardiary::postgres {
namespace {

using stored::Family;
using Kind = Appended::Kind;

constexpr std::size_t kRequestBytes = 1024;  // what a commit sends besides its events, roughly

// Writes nothing new, but is acknowledged only when the standbys have all that came before it.
const Statement kBarrier{"wd_barrier",
                         "update wardiary_game_head set mark = mark where k = $1::bytea"};

bool may_try_again(const Failure& failure) {
  return failure.kind == Failure::Kind::kLost || failure.kind == Failure::Kind::kAgain;
}

}  // namespace

// After a crash a server shows commits that no standby has received, because their transactions
// were on its own disk. What is found there must not be acknowledged before it is as safe as any
// other commit: so the answer waits for a write that comes after it.
Status Store::barrier(const GameId& game) {
  auto done = pool_.ask(kBarrier, Params().bytes(game.view()));
  return done ? Status(Done{}) : Status(std::move(done).error());
}

// The answer for a commit that was found to be there: the first answer again, or, if this very call
// did not hear whether it had succeeded, its success.
Result<Appended> Store::settled(const BranchId& branch, Appended answer, bool in_doubt) {
  auto head = head_of(branch);
  if (!head) return std::move(head).error();
  answer.current = head->version;
  if (Status s = barrier(head->game); !s) return Appended{Kind::kUnknown, 0, 0, {}, 0};
  if (in_doubt) {
    answer.kind = Kind::kOk;
    ++commits_;
    followers_.tell(branch, answer.last, true);
  } else {
    ++duplicates_;
  }
  return answer;
}

Result<std::optional<Appended>> Store::find_command(const BranchId& branch,
                                                    const CommandId& command) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  auto found = answer_of(branch, command);
  if (!found || !*found) return found;
  auto answer = settled(branch, **found, false);
  if (!answer) return std::move(answer).error();
  if (answer->kind == Kind::kUnknown) return Error{ErrorCode::kUnknown, "no server answers"};
  return std::optional(*answer);
}

std::optional<Call> Store::plan_append(GameState& state, const Commit& commit, const GameId& game,
                                       stored::Prepared& prepared) {
  const auto branch = state.branches.find(commit.branch);
  if (branch == state.branches.end() || branch->second.version != commit.expected) {
    return std::nullopt;
  }
  if (branch->second.deleted) return std::nullopt;
  TableWrites writes;
  stored::add_commit(writes, state.head, game, commit.branch, commit.expected, commit.command,
                     prepared);
  branch->second.version += commit.events.size();
  branch->second.hash = prepared.last_hash;
  const Id before = state.mark;
  state.mark = random_mark();
  return append_call(game, before, state, commit.branch, writes);
}

Result<Appended> Store::append(const Commit& commit) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = stored::check_events(commit.events); !s) return s.error();
  const Appended unknown{Kind::kUnknown, 0, 0, {}, commit.expected};
  Backoff backoff(pool_.patience());
  bool in_doubt = false, alone = false;
  std::optional<BranchHead> head = known_.branch(commit.branch);
  for (bool fresh = false;; fresh = true) {
    // What this process remembers of the branch may be old; only what the server says now is an
    // answer, and the command comes before the version.
    if (fresh || !head || head->version != commit.expected || head->deleted) {
      auto now = head_of(commit.branch);
      if (!now) return in_doubt ? Result<Appended>(unknown) : std::move(now).error();
      head = *now;
      if (fresh || head->version != commit.expected || head->deleted) {
        auto earlier = answer_of(commit.branch, commit.command);
        if (!earlier) return in_doubt ? Result<Appended>(unknown) : std::move(earlier).error();
        if (*earlier) return settled(commit.branch, **earlier, in_doubt);
      }
      if (head->version != commit.expected) {
        ++conflicts_;
        return Appended{Kind::kConflict, 0, 0, {}, head->version};
      }
      if (head->deleted) return stored::deleted_branch(commit.branch);
    }
    stored::Prepared prepared =
        stored::prepare(commit.branch, commit.expected, head->hash, commit.events);
    const Version last = commit.expected + commit.events.size();
    Request request;
    request.bytes = prepared.bytes + kRequestBytes;
    request.game = head->game;
    request.branch = commit.branch;
    request.version = last;
    request.alone = alone;
    request.plan = [&](GameState& state) -> std::optional<Call> {
      const auto there = state.branches.find(commit.branch);
      if (there == state.branches.end() || there->second.hash != head->hash) return std::nullopt;
      return plan_append(state, commit, head->game, prepared);
    };
    run(request);
    alone = request.alone;
    if (request.outcome == Request::Outcome::kLanded) {
      ++commits_;
      return Appended{Kind::kOk, commit.expected + 1, last, prepared.last_hash, last};
    }
    known_.forget(head->game);
    if (request.outcome == Request::Outcome::kStale) continue;
    if (!may_try_again(request.failure)) return request.failure.error();
    in_doubt = in_doubt || request.failure.kind == Failure::Kind::kLost;
    if (!backoff.wait()) {
      return in_doubt ? Result<Appended>(unknown) : Result<Appended>(request.failure.error());
    }
  }
}

// ---------------------------------------------------------------------------------- games

// The hash of its last event.
Answer<Hash> Store::write_game(const NewGame& game) {
  GameState state;
  state.mark = random_mark();
  TableWrites writes;
  stored::add_game(writes, state.head, game);
  stored::Prepared prepared = stored::prepare(game.mainline, 0, Hash{}, game.events);
  stored::add_commit(writes, state.head, game.game, game.mainline, 0, game.command, prepared);
  BranchHead head;
  head.game = game.game;
  head.version = game.events.size();
  head.hash = prepared.last_hash;
  head.mainline = true;
  auto answers = transact(create_calls(game.game, state, game.mainline, writes));
  if (!answers) return answers.failure();
  ++syncs_;
  state.branches[game.mainline] = head;
  known_.changed(game.game, std::move(state));
  return prepared.last_hash;
}

// What a game or mainline of this id that is there already comes to.
Result<Appended> Store::existing_game(const NewGame& game, bool in_doubt) {
  auto taken = head_of(game.mainline);
  if (!taken && taken.error().code != ErrorCode::kNotFound) return std::move(taken).error();
  if (taken && taken->game == game.game) {
    auto earlier = answer_of(game.mainline, game.command);
    if (!earlier) return std::move(earlier).error();
    if (*earlier) return settled(game.mainline, **earlier, in_doubt);
  }
  ++conflicts_;
  return Appended{Kind::kConflict, 0, 0, {}, taken ? taken->version : 0};
}

Result<Appended> Store::create_game(const NewGame& game) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = stored::check_new_game(game); !s) return s.error();
  Backoff backoff(pool_.patience());
  for (bool in_doubt = false;;) {
    auto made = write_game(game);
    if (made) {
      ++commits_;
      followers_.tell(game.mainline, game.events.size(), true);
      return Appended{Kind::kOk, 1, game.events.size(), *made, game.events.size()};
    }
    if (made.failure().kind == Failure::Kind::kTaken) return existing_game(game, in_doubt);
    if (!may_try_again(made.failure())) return made.failure().error();
    in_doubt = in_doubt || made.failure().kind == Failure::Kind::kLost;
    if (!backoff.wait()) {
      if (!in_doubt) return made.failure().error();
      return Appended{Kind::kUnknown, 0, 0, {}, 0};
    }
  }
}

// ---------------------------------------------------------------------------------- branches

// True if it was made, false if the game has moved on since it was looked at.
Answer<bool> Store::write_fork(const NewBranch& branch, const BranchHead& head) {
  auto known = known_.game(branch.game);
  if (!known) return false;
  GameState& state = *known;
  if (state.head.branches >= StoreLimits::kBranchesPerGameMax) {
    return Failure{Failure::Kind::kRefused, "", "the game has too many branches"};
  }
  const stored::BranchRecord record{branch.parent, branch.at,   head.fork_hash, head.depth,
                                    false,         branch.name, branch.reason};
  const Id before = state.mark;
  state.mark = random_mark();
  ++state.head.branches;
  state.branches[branch.branch] = head;
  std::vector<Call> calls;
  calls.push_back(fork_call(branch.game, before, state, branch.branch, head, record));
  if (!branch.events.empty()) {
    stored::Prepared prepared =
        stored::prepare(branch.branch, branch.at, head.fork_hash, branch.events);
    const Commit first{branch.branch, branch.at, branch.command, branch.events, branch.durability};
    auto call = plan_append(state, first, branch.game, prepared);
    if (!call) return false;
    calls.push_back(std::move(*call));
  }
  auto answers = transact(calls);
  if (!answers) return answers.failure();
  ++syncs_;
  if ((*answers)[0].number(0, 0) != 1) return false;
  known_.changed(branch.game, std::move(state));
  return true;
}

Result<BranchInfo> Store::fork(const NewBranch& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  if (Status s = stored::check_new_branch(branch); !s) return s.error();
  Backoff backoff(pool_.patience());
  for (bool in_doubt = false;;) {
    auto parent = head_of(branch.parent);
    if (!parent) return std::move(parent).error();
    if (parent->game != branch.game) {
      return not_found("branch " + to_hex(branch.parent) + " is not of game " +
                       to_hex(branch.game));
    }
    if (Status s = stored::check_fork(branch, parent->version); !s) return s.error();
    auto taken = head_of(branch.branch);
    if (taken) {
      auto info = forked_before(branch, *taken);
      if (!info) return info;
      if (Status s = barrier(branch.game); !s) return s.error();
      if (in_doubt && !branch.events.empty()) ++commits_;
      return info;
    }
    if (taken.error().code != ErrorCode::kNotFound) return std::move(taken).error();
    auto head = new_head(branch, *parent);
    if (!head) return std::move(head).error();
    auto made = write_fork(branch, *head);
    if (made && *made) {
      if (!branch.events.empty()) {
        ++commits_;
        followers_.tell(branch.branch, branch.at + branch.events.size(), true);
      }
      return this->branch(branch.branch);
    }
    known_.forget(branch.game);
    if (made || made.failure().kind == Failure::Kind::kTaken) continue;
    if (!may_try_again(made.failure())) {
      const bool limit = made.failure().state.empty();
      return limit ? Result<BranchInfo>(Error{ErrorCode::kLimit, made.failure().text})
                   : Result<BranchInfo>(made.failure().error());
    }
    in_doubt = in_doubt || made.failure().kind == Failure::Kind::kLost;
    if (!backoff.wait()) return made.failure().error();
  }
}

Result<bool> Store::has_live_children(const GameId& game, const BranchId& branch) {
  bool found = false;
  Status s = source()->scan(Family::kBranches, stored::id_key(game), "",
                            [&](std::string_view, std::string_view body) {
                              const auto record = stored::BranchRecord::parse(body);
                              found = record && record->parent == branch && !record->deleted;
                              return !found;
                            });
  if (!s) return s.error();
  return found;
}

Status Store::delete_branch(const BranchId& branch) {
  auto pass = enter();
  if (!pass) return std::move(pass).error();
  Backoff backoff(pool_.patience());
  for (;;) {
    auto seen = look(branch);
    if (!seen) return std::move(seen).error();
    const GameId game = seen->head.game;
    if (seen->head.mainline) return invalid("the mainline of a game cannot be deleted");
    if (seen->head.deleted) return barrier(game);
    const auto state = known_.game(game);  // a child forked from here on changes the mark
    auto children = has_live_children(game, branch);
    if (!children) return std::move(children).error();
    if (*children) {
      return invalid("branch " + to_hex(branch) + " has branches of its own; delete those first");
    }
    if (!state || !state->branches.contains(branch)) continue;
    seen->record.deleted = true;
    const Call call = branch_call(game, state->mark, random_mark(), branch, seen->record);
    auto answers = transact({&call, 1});
    known_.forget(game);
    if (answers && (*answers)[0].number(0, 0) == 1) return Done{};
    if (answers) continue;
    if (!may_try_again(answers.failure()) || !backoff.wait()) return answers.failure().error();
  }
}

}  // namespace wardiary::postgres

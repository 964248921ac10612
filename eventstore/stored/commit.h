// A commit on its way into a store, as far as it is the same for every engine: the checks of what
// callers send, the hashes, and the records a commit, a game or a branch is written as.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "eventstore/stored/block.h"
#include "eventstore/stored/records.h"

namespace wardiary::stored {

// Every limit and form of what is to be written; the error names what is wrong.
Status check_events(std::span<const NewEvent> events);
Status check_new_game(const NewGame& game);
Status check_new_branch(const NewBranch& branch);
Status check_key(std::string_view key);
Status check_value(ByteView value);
Status check_note(ByteView note);
Status check_changes(std::span<const EventStore::RecordChange> changes);
Status check_page(std::size_t limit);
// The place in a list that a cursor handed out earlier means.
Result<std::optional<Id>> check_cursor(const std::optional<std::string>& after);
Status check_fork(const NewBranch& branch, Version parent_version);

Error limit(const std::string& what, std::size_t max);
Error deleted_branch(const BranchId& branch);

// The events of a commit, hashed and encoded: all that can be done before its turn has come.
struct Prepared {
  std::vector<BlockDraft> blocks;
  std::vector<Hash> leaves;
  Hash last_hash;
  std::size_t bytes = 0;
};
// `previous` is the event hash at version `expected` of the branch's line.
Prepared prepare(const BranchId& branch, Version expected, const Hash& previous,
                 std::span<const NewEvent> events);

// Where records go: a batch of one engine.
class Writes {
 public:
  virtual ~Writes() = default;
  // A value that already ends with its check.
  virtual void put_value(Family family, std::string_view key, std::string_view value) = 0;
  void put(Family family, std::string_view key, std::string_view body) {
    put_value(family, key, checked(family, key, body));
  }
};

// The records of a commit, at the place in the game's tree that is its own now; `head` becomes what
// it is with the commit. The game's own head record is left to the caller, who may add more
// commits.
void add_commit(Writes& writes, GameHead& head, const GameId& game, const BranchId& branch,
                Version expected, const CommandId& command, Prepared& prepared);
// The records of a new game but for its first commit, which add_commit adds.
void add_game(Writes& writes, GameHead& head, const NewGame& game);

}  // namespace wardiary::stored

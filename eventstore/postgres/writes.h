// Records on their way into the tables, and the statements that put them there.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "eventstore/postgres/connection.h"
#include "eventstore/postgres/games.h"
#include "eventstore/stored/commit.h"

namespace wardiary::postgres {

// The records of one or more changes of a game, by family.
class TableWrites final : public stored::Writes {
 public:
  void put_value(stored::Family family, std::string_view key, std::string_view value) override;
  const std::vector<std::string>& keys(stored::Family f) const { return keys_[index(f)]; }
  const std::vector<std::string>& values(stored::Family f) const { return values_[index(f)]; }

 private:
  static std::size_t index(stored::Family f) { return static_cast<std::size_t>(f); }
  std::array<std::vector<std::string>, stored::kFamilyCount> keys_, values_;
};

// A commit: does all of it if the game still has the mark `before` and the command id is free, and
// nothing otherwise; answers with one row, 1 or 0. `state` is the game with the commit.
Call append_call(const GameId& game, const Id& before, const GameState& state,
                 const BranchId& branch, const TableWrites& writes);
// A new branch without events, likewise.
Call fork_call(const GameId& game, const Id& before, const GameState& state, const BranchId& branch,
               const BranchHead& head, const stored::BranchRecord& record);
// Another record for a branch, likewise.
Call branch_call(const GameId& game, const Id& before, const Id& after, const BranchId& branch,
                 const stored::BranchRecord& record);
// A new game with its first commit; 23505 if the game or its mainline exists.
std::vector<Call> create_calls(const GameId& game, const GameState& state, const BranchId& mainline,
                               const TableWrites& writes);

}  // namespace wardiary::postgres

#include "eventstore/postgres/writes.h"

#include "eventstore/postgres/schema.h"

namespace wardiary::postgres {
namespace {

using stored::Family;

const Statement kAppend{
    "wd_append",
    "with g as (update wardiary_game_head set mark = $3::bytea, events = $4::bigint, "
    "bytes = $5::bigint, v = $6::bytea where k = $1::bytea and mark = $2::bytea and not exists "
    "(select 1 from wardiary_command where k = $7::bytea) returning k), "
    "c as (insert into wardiary_command (k, v) select $7::bytea, $8::bytea from g), "
    "b as (update wardiary_branch_head set version = $10::bigint, v = $11::bytea from g "
    "where wardiary_branch_head.k = $9::bytea), "
    "e as (insert into wardiary_event (k, v) select x.k, x.v from g, "
    "unnest($12::bytea[], $13::bytea[]) as x(k, v)), "
    "l as (insert into wardiary_leaf (k, v) select x.k, x.v from g, "
    "unnest($14::bytea[], $15::bytea[]) as x(k, v)), "
    "t as (insert into wardiary_tile (k, v) select x.k, x.v from g, "
    "unnest($16::bytea[], $17::bytea[]) as x(k, v)) "
    "select count(*) from g"};
// Most commits begin no run of leaves and complete no tile.
const Statement kAppendPlain{
    "wd_append_plain",
    "with g as (update wardiary_game_head set mark = $3::bytea, events = $4::bigint, "
    "bytes = $5::bigint, v = $6::bytea where k = $1::bytea and mark = $2::bytea and not exists "
    "(select 1 from wardiary_command where k = $7::bytea) returning k), "
    "c as (insert into wardiary_command (k, v) select $7::bytea, $8::bytea from g), "
    "b as (update wardiary_branch_head set version = $10::bigint, v = $11::bytea from g "
    "where wardiary_branch_head.k = $9::bytea), "
    "e as (insert into wardiary_event (k, v) select x.k, x.v from g, "
    "unnest($12::bytea[], $13::bytea[]) as x(k, v)) "
    "select count(*) from g"};
const Statement kFork{
    "wd_fork",
    "with g as (update wardiary_game_head set mark = $3::bytea, v = $4::bytea "
    "where k = $1::bytea and mark = $2::bytea returning k), "
    "r as (insert into wardiary_branch (k, v) select $5::bytea, $6::bytea from g), "
    "h as (insert into wardiary_branch_head (k, game, version, v) "
    "select $7::bytea, k, $8::bigint, $9::bytea from g) "
    "select count(*) from g"};
const Statement kBranch{"wd_branch_set",
                        "with g as (update wardiary_game_head set mark = $3::bytea "
                        "where k = $1::bytea and mark = $2::bytea returning k), "
                        "r as (update wardiary_branch set v = $5::bytea from g "
                        "where wardiary_branch.k = $4::bytea) "
                        "select count(*) from g"};
const Statement kNewGameHead{"wd_new_game_head",
                             "insert into wardiary_game_head (k, mark, events, bytes, v) values "
                             "($1::bytea, $2::bytea, $3::bigint, $4::bigint, $5::bytea)"};
const Statement kNewBranchHead{"wd_new_branch_head",
                               "insert into wardiary_branch_head (k, game, version, v) values "
                               "($1::bytea, $2::bytea, $3::bigint, $4::bytea)"};

struct NewRows {
  Family family;
  Statement statement;
};
// A content may have come with another game already; everything else is new.
const NewRows kNewRows[] = {
    {Family::kGames,
     {"wd_new_game",
      "insert into wardiary_game (k, v) select x.k, x.v from "
      "unnest($1::bytea[], $2::bytea[]) as x(k, v)"}},
    {Family::kBranches,
     {"wd_new_branch",
      "insert into wardiary_branch (k, v) select x.k, x.v from "
      "unnest($1::bytea[], $2::bytea[]) as x(k, v)"}},
    {Family::kContents,
     {"wd_new_content",
      "insert into wardiary_content (k, v) select x.k, x.v from "
      "unnest($1::bytea[], $2::bytea[]) as x(k, v) on conflict (k) do nothing"}},
    {Family::kEvents,
     {"wd_new_event",
      "insert into wardiary_event (k, v) select x.k, x.v from "
      "unnest($1::bytea[], $2::bytea[]) as x(k, v)"}},
    {Family::kCommands,
     {"wd_new_command",
      "insert into wardiary_command (k, v) select x.k, x.v from "
      "unnest($1::bytea[], $2::bytea[]) as x(k, v)"}},
    {Family::kLeaves,
     {"wd_new_leaf",
      "insert into wardiary_leaf (k, v) select x.k, x.v from "
      "unnest($1::bytea[], $2::bytea[]) as x(k, v)"}},
    {Family::kTree,
     {"wd_new_tile",
      "insert into wardiary_tile (k, v) select x.k, x.v from "
      "unnest($1::bytea[], $2::bytea[]) as x(k, v)"}},
};

std::string head_value(const GameId& game, const GameHead& head) {
  return stored::checked(Family::kHeads, stored::game_head_key(game), stored::game_head_body(head));
}

std::string branch_value(const GameId& game, const BranchId& branch,
                         const stored::BranchRecord& record) {
  return stored::checked(Family::kBranches, stored::pair_key(game, branch), record.body());
}

}  // namespace

void TableWrites::put_value(Family family, std::string_view key, std::string_view value) {
  keys_[index(family)].emplace_back(key);
  values_[index(family)].emplace_back(value);
}

Call append_call(const GameId& game, const Id& before, const GameState& state,
                 const BranchId& branch, const TableWrites& writes) {
  const bool plain = writes.keys(Family::kLeaves).empty() && writes.keys(Family::kTree).empty();
  Params params;
  params.bytes(game.view()).bytes(before.view()).bytes(state.mark.view());
  params.number(state.head.frontier.size()).number(state.head.payload_bytes);
  params.bytes(head_value(game, state.head));
  params.bytes(writes.keys(Family::kCommands)[0]).bytes(writes.values(Family::kCommands)[0]);
  params.bytes(branch.view()).number(state.branches.at(branch).version);
  params.bytes(writes.values(Family::kHeads)[0]);
  params.byte_array(writes.keys(Family::kEvents)).byte_array(writes.values(Family::kEvents));
  if (plain) return {&kAppendPlain, std::move(params)};
  params.byte_array(writes.keys(Family::kLeaves)).byte_array(writes.values(Family::kLeaves));
  params.byte_array(writes.keys(Family::kTree)).byte_array(writes.values(Family::kTree));
  return {&kAppend, std::move(params)};
}

Call fork_call(const GameId& game, const Id& before, const GameState& state, const BranchId& branch,
               const BranchHead& head, const stored::BranchRecord& record) {
  Params params;
  params.bytes(game.view()).bytes(before.view()).bytes(state.mark.view());
  params.bytes(head_value(game, state.head));
  params.bytes(stored::pair_key(game, branch)).bytes(branch_value(game, branch, record));
  params.bytes(branch.view()).number(head.forked_at);
  params.bytes(stored::checked(Family::kHeads, stored::branch_head_key(branch),
                               stored::branch_head_body(head.forked_at, head.fork_hash)));
  return {&kFork, std::move(params)};
}

Call branch_call(const GameId& game, const Id& before, const Id& after, const BranchId& branch,
                 const stored::BranchRecord& record) {
  Params params;
  params.bytes(game.view()).bytes(before.view()).bytes(after.view());
  params.bytes(stored::pair_key(game, branch)).bytes(branch_value(game, branch, record));
  return {&kBranch, std::move(params)};
}

std::vector<Call> create_calls(const GameId& game, const GameState& state, const BranchId& mainline,
                               const TableWrites& writes) {
  std::vector<Call> calls;
  Params head;
  head.bytes(game.view()).bytes(state.mark.view());
  head.number(state.head.frontier.size()).number(state.head.payload_bytes);
  calls.push_back({&kNewGameHead, std::move(head.bytes(head_value(game, state.head)))});
  Params branch;
  branch.bytes(mainline.view()).bytes(game.view()).number(state.head.frontier.size());
  calls.push_back({&kNewBranchHead, std::move(branch.bytes(writes.values(Family::kHeads)[0]))});
  for (const NewRows& rows : kNewRows) {
    if (writes.keys(rows.family).empty()) continue;
    Params params;
    params.byte_array(writes.keys(rows.family)).byte_array(writes.values(rows.family));
    calls.push_back({&rows.statement, std::move(params)});
  }
  return calls;
}

}  // namespace wardiary::postgres

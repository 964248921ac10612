// A small game with branches in every state, for tests of what carries whole games about.
#pragma once

#include <nlohmann/json.hpp>

#include "replay/world_testing.h"

namespace wardiary {

// A scribed duel with two what-ifs, one of them put away, written in turns.
inline GameId tangled_game(World& world) {
  auto game = world.create("freeform", "duel", Keeping::kScribed);
  auto move = [&](const BranchId& branch, const char* unit, const char* from, const char* to) {
    const nlohmann::json fact = {{"type", "UnitMoved"}, {"unit", unit}, {"path", {from, to}}};
    world.record(branch, nlohmann::json::array({fact}).dump());
  };
  auto fork = [&](const BranchId& parent, Version at) {
    ForkRequest request;
    request.game = game->id;
    request.parent = parent;
    request.at = at;
    request.name = "line " + std::to_string(at);
    return world.referee().fork(request)->branch;
  };
  move(game->mainline, "R1", "A1", "B1");
  const BranchId one = fork(game->mainline, world.version(game->mainline));
  move(game->mainline, "R1", "B1", "C1");
  move(one, "R1", "B1", "A2");
  const BranchId two = fork(one, world.version(one) - 1);
  move(game->mainline, "B1", "B4", "C4");
  move(two, "R1", "B1", "B2");
  const BranchId early = fork(two, 5);
  EXPECT_TRUE(world.store().delete_branch(early).ok());
  return game->id;
}

// Every branch, hash, label and the tree of a game in two stores.
inline void expect_same_game(World& from, World& to, const GameId& id) {
  const std::uint64_t size = *from.store().tree_size(id);
  EXPECT_EQ(*to.store().tree_size(id), size);
  EXPECT_EQ(*to.store().tree_root(id, size), *from.store().tree_root(id, size));
  for (const BranchInfo& branch : from.store().branches(id, std::nullopt, 100)->items) {
    auto copy = to.store().branch(branch.branch);
    ASSERT_TRUE(copy.ok());
    EXPECT_EQ(copy->version, branch.version);
    EXPECT_EQ(copy->event_hash, branch.event_hash);
    EXPECT_EQ(copy->name, branch.name);
    EXPECT_EQ(copy->deleted, branch.deleted);
  }
}

}  // namespace wardiary

// What-ifs in a test's world.
#pragma once

#include "replay/world_testing.h"

namespace wardiary {

inline BranchId fork_at(World& world, const BranchId& parent, Version at,
                        const std::string& name = "what if") {
  ForkRequest request;
  request.game = world.store().branch(parent)->game;
  request.parent = parent;
  request.at = at;
  request.name = name;
  request.author = "referee";
  auto forked = world.referee().fork(request);
  EXPECT_TRUE(forked.ok()) << forked.error().text;
  return forked ? forked->branch : BranchId{};
}

}  // namespace wardiary

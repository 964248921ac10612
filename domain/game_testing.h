// A small game for tests of the core: nine spaces in a square, six units, a bit of everything.
//
//   A1 - B1 - C1
//   |    |    |
//   A2 - B2 - C2
//   |    |    |
//   A3 - B3 - C3
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "domain/apply.h"
#include "domain/draft.h"
#include "domain/event.h"
#include "domain/game.h"
#include "domain/position.h"

namespace wardiary::testing {

inline const SideId kRed{0};
inline const SideId kBlue{1};
inline constexpr int kSteps = 1;  // unit attributes
inline constexpr int kFacing = 2;
inline constexpr int kGoal = 3;
inline constexpr int kControl = 0;  // space attributes
inline constexpr int kFort = 1;
inline constexpr int kBridge = 0;  // link attribute

inline std::string small_board_text() {
  std::string spaces, links;
  auto name = [](int x, int y) {
    return std::string(1, static_cast<char>('A' + x)) + std::to_string(y + 1);
  };
  auto link = [&](const std::string& a, const std::string& b) {
    links += (links.empty() ? "" : ",") + std::string("{\"a\":\"") + a + "\",\"b\":\"" + b + "\"}";
  };
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 3; ++x) {
      spaces += (spaces.empty() ? "" : ",") + std::string("{\"id\":\"") + name(x, y) + "\"}";
      if (x > 0) link(name(x - 1, y), name(x, y));
      if (y > 0) link(name(x, y - 1), name(x, y));
    }
  }
  return "{\"format\":\"wardiary-board/1\",\"id\":\"small\",\"kind\":\"area\",\"spaces\":[" +
         spaces + "],\"links\":[" + links + "]}";
}

inline Roster small_roster() {
  Roster r;
  r.sides = {"red", "blue"};
  r.phases = {"move", "fight"};
  r.turns = {"May I", "May II"};
  r.decisions = {"none", "move", "retreat"};
  const Board board = *Board::parse(small_board_text());
  for (const BoardSpace& space : board.spaces()) r.spaces.push_back(space.id);
  for (const BoardLink& link : board.links()) r.links.push_back({link.a, link.b});
  for (const char* name : {"R1", "R2", "R3"}) r.units.push_back({name, "", "infantry", kRed});
  for (const char* name : {"B1", "B2", "B3"}) r.units.push_back({name, "", "armor", kBlue});
  r.unit_attributes = {{"side", ValueKind::kSide, -1, {}},
                       {"steps", ValueKind::kNumber, 3, {}},
                       {"facing", ValueKind::kWord, 0, {"north", "south"}},
                       {"goal", ValueKind::kSpace, -1, {}}};
  r.space_attributes = {{"control", ValueKind::kSide, -1, {}}, {"fort", ValueKind::kFlag, 0, {}}};
  r.link_attributes = {{"bridge", ValueKind::kFlag, 1, {}}};
  r.tracks = {{"score", ValueKind::kNumber, 0, {}},
              {"weather", ValueKind::kWord, 1, {"mud", "clear"}}};
  r.pools = {{"cup", {"sun", "rain"}}, {"deck", {"ace", "king", "queen"}}};
  if (!r.finish()) std::abort();
  return r;
}

inline Game small_game() {
  Game game;
  game.created.system = "small";
  game.created.rules_version = "1";
  game.created.roster = small_roster();
  game.board = std::make_shared<const Board>(*Board::parse(small_board_text()));
  return game;
}

inline UnitId unit(const Game& game, const char* name) {
  return game.roster().unit(name);
}
inline SpaceId space(const Game& game, const char* name) {
  return game.roster().space(name);
}

// A game, a draft on it and the position before, so that a test reads: draft something, look.
struct Table {
  Game game = small_game();
  ScriptedChance chance{{}};
  Position before{game.roster()};
  Draft draft{game, before, chance};

  UnitId unit(const char* name) const { return game.roster().unit(name); }
  SpaceId space(const char* name) const { return game.roster().space(name); }
  std::vector<SpaceId> path(std::initializer_list<const char*> names) const {
    std::vector<SpaceId> out;
    for (const char* name : names) out.push_back(space(name));
    return out;
  }
};

// Applies events one by one; the first fault, or kNone.
inline Fault fold(Position& position, const EventList& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (Fault fault = apply(position, *trusted_event(events[i])); fault != Fault::kNone)
      return fault;
  }
  return Fault::kNone;
}

}  // namespace wardiary::testing

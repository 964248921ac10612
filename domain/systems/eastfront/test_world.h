// A world for EastFront tests: a game of any scenario, its position to arrange by hand, orders
// given and drafts made on it. Included by *_test.cpp files only.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "domain/systems/eastfront/chapters.h"
#include "domain/systems/eastfront/eastfront.h"

namespace wardiary::eastfront {

using Options = std::map<std::string, std::string, std::less<>>;

class World {
 public:
  explicit World(std::string scenario, Options options = {}) {
    NewGameSpec spec;
    spec.scenario = std::move(scenario);
    spec.options = std::move(options);
    auto created = create_game(*rule_system("eastfront"), spec, {});
    if (!created) {
      ADD_FAILURE() << created.error().text;
      return;
    }
    game = std::move(created->game);
    position = std::move(created->position);
  }

  Game game;
  Position position;

  Situation now() const { return Situation(game, position); }
  UnitId unit(std::string_view name) const {
    const UnitId found = game.roster().unit(name);
    EXPECT_TRUE(found.ok()) << name;
    return found;
  }
  SpaceId hex(std::string_view name) const {
    const SpaceId found = game.board->find(name);
    EXPECT_TRUE(found.ok()) << name;
    return found;
  }

  // --- arranging by hand
  void clear_map() {
    for (std::size_t i = 0; i < position.unit_count(); ++i) {
      const UnitId id{static_cast<int>(i)};
      position.set_at(id, kNowhere);
      if (now().fate(id) == Fate::kOnMap) set(id, u::kFate, static_cast<int>(Fate::kEliminated));
    }
    for (std::size_t i = 0; i < position.space_count(); ++i) {
      position.set(SpaceId{static_cast<int>(i)}, h::kDefender, -1);
    }
  }
  UnitId put(std::string_view name, std::string_view where, int cv) {
    const UnitId id = unit(name);
    position.set_at(id, hex(where));
    set(id, u::kCv, cv);
    set(id, u::kFate, static_cast<int>(Fate::kOnMap));
    set(id, u::kSupplied, 1);
    return id;
  }
  void lose(std::string_view name) {
    const UnitId id = unit(name);
    position.set_at(id, kNowhere);
    set(id, u::kFate, static_cast<int>(Fate::kEliminated));
  }
  void set(UnitId id, int attribute, int value) {
    position.set(id, attribute, static_cast<std::int16_t>(value));
  }
  void set(SpaceId id, int attribute, int value) {
    position.set(id, attribute, static_cast<std::int16_t>(value));
  }
  void set(t::Track id, int value) { position.set(track(id), value); }
  void hold(std::string_view where, SideId side) {
    set(hex(where), h::kHeld, side.value);
    set(hex(where), h::kControl,
        static_cast<int>(side == kAxis ? Control::kAxisHeld : Control::kSovietHeld));
  }
  void battle(std::string_view where, SideId defender) {
    set(hex(where), h::kDefender, defender.value);
  }
  void phase(Phase to, SideId side, int turn = 1) {
    position.clock.phase = static_cast<std::uint8_t>(to);
    position.clock.side = static_cast<std::int8_t>(side.value);
    position.clock.turn = static_cast<std::int16_t>(turn);
  }
  void ask(SideId side, Ask what) {
    position.pending(side) = Question{static_cast<std::uint8_t>(what), -1, -1, 0};
  }

  // --- doing
  // Runs `change` on a draft and keeps what came of it; fails if dice were missing or left over.
  template <class Change>
  void draft(const Change& change, std::vector<std::uint32_t> dice = {}) {
    ScriptedChance chance(std::move(dice));
    Draft made(game, position, chance);
    change(made);
    EXPECT_EQ(chance.left(), 0u);
    position = made.take_position();
  }
  void control() {
    draft([](Draft& made) { recompute_control(made); });
  }
  // Gives an order; the code of the rejection, or "" if it was accepted.
  std::string give(const Order& order, std::vector<std::uint32_t> dice = {}) {
    ScriptedChance chance(std::move(dice));
    Verdict verdict = decide(game, position, order, chance);
    if (auto* no = std::get_if<Rejection>(&verdict)) {
      last = *no;
      return no->code;
    }
    if (std::get_if<NeedsRoll>(&verdict)) return "NEEDS_ROLL " + chance.complaint();
    EXPECT_EQ(chance.left(), 0u);
    position = std::get<Accepted>(std::move(verdict)).position;
    return "";
  }
  Rejection last;

  // Every legal order of a side is accepted by decide; says how many there are.
  std::size_t check_legal(SideId side, std::size_t most = 400) {
    std::vector<Order> orders;
    game.system->legal_orders(game, position, side, [&](const Order& each) {
      orders.push_back(each);
      return orders.size() < most;
    });
    for (const Order& each : orders) {
      ScriptedChance chance(std::vector<std::uint32_t>(60, 3));
      const Verdict verdict = decide(game, position, each, chance);
      const auto* no = std::get_if<Rejection>(&verdict);
      EXPECT_EQ(no, nullptr) << each.type().name << ": " << (no ? no->code + " " + no->text : "");
    }
    return orders.size();
  }
};

}  // namespace wardiary::eastfront

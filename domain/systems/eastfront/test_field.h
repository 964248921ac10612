// An empty Edelweiss map to arrange a battle or a march on: every hex Axis-held, Dry weather.
#pragma once

#include <initializer_list>

#include "domain/systems/eastfront/test_world.h"

namespace wardiary::eastfront {

class Field : public World {
 public:
  Field() : World("Edelweiss") {
    clear_map();
    for (std::size_t i = 0; i < position.space_count(); ++i) {
      const SpaceId space{static_cast<int>(i)};
      if (!now().data.hex(space).playable) continue;
      set(space, h::kHeld, kAxis.value);
      set(space, h::kControl, static_cast<int>(Control::kAxisHeld));
    }
    set(t::kEastWeather, static_cast<int>(Weather::kDry));
    position.pending(kAxis) = {};
    position.pending(kSoviet) = {};
  }

  void weather(Weather now) { set(t::kEastWeather, static_cast<int>(now)); }
  void activate(std::string_view hq, Role role = Role::kNormal) {
    set(unit(hq), u::kRole, static_cast<int>(role));
    set(unit(hq), u::kShown, 1);
  }
  void command_phase(SideId side) {
    phase(Phase::kCommand, side);
    ask(side, Ask::kCommand);
  }
  void movement(SideId side, int supreme_moves = 0) {
    phase(Phase::kMovement, side);
    ask(side, Ask::kMovement);
    set(t::kSupremeLeft, supreme_moves);
  }
  // A new battle that `side` has just begun, its units having come over rivers or not.
  void attack(std::string_view where, SideId side,
              std::initializer_list<std::pair<std::string_view, std::string_view>> from) {
    battle(where, enemy_of(side));
    set(hex(where), h::kNewBattle, 1);
    for (const auto& [name, came_from] : from) {
      const LinkId link = game.board->link_between(hex(came_from), hex(where));
      ASSERT_TRUE(link.ok()) << name;
      set(unit(name), u::kCameFrom, hex(came_from).value);
      set(unit(name), u::kEntry,
          static_cast<int>(now().data.link(link).river ? Entry::kRiver : Entry::kLand));
    }
    combat(side);
  }
  void combat(SideId side) {
    phase(Phase::kCombat, side);
    ask(side, Ask::kBattles);
  }
  int cv(std::string_view name) const { return position.get(unit(name), u::kCv); }
  bool on_map(std::string_view name) const { return position.on_board(unit(name)); }
  std::string at(std::string_view name) const {
    const SpaceId space = position.at(unit(name));
    return space ? now().name(space) : "";
  }

  // --- orders in short
  std::string end(SideId side, std::string_view type) { return give(order(type, side)); }
  std::string act(SideId side, std::string_view hq, bool blitz = false,
                  std::string_view deploy_to = {}) {
    Order activate = order("ActivateHQ", side);
    activate.with("hq", unit(hq));
    if (blitz) activate.with("blitz", 1);
    if (!deploy_to.empty()) activate.with("deployTo", hex(deploy_to));
    return give(activate);
  }
  std::string go(SideId side, std::string_view type, std::string_view name,
                 std::initializer_list<std::string_view> path) {
    std::vector<SpaceId> spaces;
    for (std::string_view space : path) spaces.push_back(hex(space));
    Order move = order(type, side);
    if (type == "DesignateRearGuard") move.with("battleHex", position.at(unit(name)));
    const std::string_view who = type == "MobiliseHQ" ? "hq" : "unit";
    return give(move.with(who, unit(name)).with("path", std::span<const SpaceId>(spaces)));
  }
  std::string strike(SideId side, std::string_view hq, std::string_view where) {
    return give(order("AssignAirStrike", side).with("hq", unit(hq)).with("battleHex", hex(where)));
  }
  std::string choose(SideId side, std::string_view where) {
    return give(order("ActivateBattle", side).with("battleHex", hex(where)));
  }
  std::string fight(SideId side, std::string_view where, std::vector<std::uint32_t> dice = {}) {
    return give(order("ResolveBattle", side).with("battleHex", hex(where)), std::move(dice));
  }
  // Activates one battle, ends the selection and begins its round.
  std::string begin(SideId side, std::string_view where, std::vector<std::uint32_t> dice = {}) {
    if (std::string no = choose(side, where); !no.empty()) return no;
    if (std::string no = end(side, "EndBattleSelection"); !no.empty()) return no;
    return fight(side, where, std::move(dice));
  }
  std::string fire(SideId side, std::string_view name, std::vector<std::uint32_t> dice = {}) {
    return give(order("Fire", side).with("unit", unit(name)), std::move(dice));
  }
  std::string fire_all(SideId side, std::vector<std::uint32_t> dice) {
    return give(order("Fire", side).with_choice("unit", "all"), std::move(dice));
  }
  std::string lose_one(SideId side, std::string_view name) {
    return give(order("AllocateLoss", side).with("unit", unit(name)));
  }
  std::string throw_back(SideId side, std::string_view name) {
    return give(order("AllocateRepulse", side).with("unit", unit(name)));
  }
};

}  // namespace wardiary::eastfront

// Headquarters [5]: activation, deployment, command radius, deactivation.
#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {

std::vector<char> command_reach(const Situation& now, UnitId hq) {
  std::vector<char> reach(now.pos.space_count(), 0);
  const int radius = now.effective_cmd(hq);
  if (radius < 0) return reach;  // disorganised at CMD 0: not even its own hex [5.8]
  const SideId side = now.side(hq);
  std::vector<SpaceId> ring{now.at(hq)};
  reach[now.at(hq).index()] = 1;
  for (int step = 0; step < radius; ++step) {
    std::vector<SpaceId> next;
    for (SpaceId from : ring) {
      // [8.4, A-09]: a line may end in an enemy-controlled hex that holds own units, never go on.
      if (step > 0 && now.enemy_held(from, side)) continue;
      for (const Neighbour& to : now.board().neighbours(from)) {
        if (reach[to.space.index()] || !now.data.link(to.link).passable()) continue;
        if (now.data.rulings.rivers_block_command && now.data.link(to.link).river)
          continue;
        if (!now.data.hex(to.space).playable) continue;
        if (now.enemy_held(to.space, side) && !now.any_in(to.space, side)) continue;
        reach[to.space.index()] = 1;
        next.push_back(to.space);
      }
    }
    ring = std::move(next);
  }
  return reach;
}

std::vector<UnitReach> command_report(const Situation& now) {
  std::vector<UnitReach> found;
  for (std::size_t i = 0; i < now.pos.unit_count(); ++i) {
    const UnitId hq{static_cast<std::int16_t>(i)};
    // A Supreme HQ has no radius: its moves reach everywhere [5.6].
    if (!now.pos.on_board(hq) || !now.facts(hq).hq() || now.facts(hq).supreme()) continue;
    UnitReach one{hq, "command", {}};
    const std::vector<char> reach = command_reach(now, hq);
    for (std::size_t s = 0; s < reach.size(); ++s) {
      if (reach[s]) one.spaces.push_back(SpaceId{static_cast<std::int16_t>(s)});
    }
    if (!one.spaces.empty()) found.push_back(std::move(one));
  }
  return found;
}

std::vector<char> movement_reach(const Situation& now, UnitId hq) {
  std::vector<char> reach = command_reach(now, hq);
  if (now.data.rulings.command_into_enemy_hex) return reach;
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const SpaceId hex{static_cast<int>(i)};
    if (hex != now.at(hq) && now.enemy_held(hex, now.side(hq))) reach[i] = 0;
  }
  return reach;
}

bool in_command(const Situation& now, UnitId unit, UnitId hq) {
  return movement_reach(now, hq)[now.at(unit).index()] != 0;
}

void deactivate(Draft& draft, UnitId hq, bool stays_active) {
  const Situation now(draft);
  if (stays_active) {
    draft.set(hq, u::kBlitz, 0);  // [5.7]
    return lose_step(draft, hq, "blitz command");
  }
  draft.set(hq, u::kRole, static_cast<int>(Role::kInactive));
  draft.set(hq, u::kBlitz, 0);
  draft.set(hq, u::kInvades, -1);
  draft.set(hq, u::kStrikeAt, -1);
  draft.set(hq, u::kSpent, 1);
  // It stands up, unless it lies in a battle of which its side is Original Attacker [5.43, 7.12].
  const SideId defender = now.defender(now.at(hq));
  if (!defender || defender == now.side(hq)) draft.set(hq, u::kShown, 0);
  lose_step(draft, hq, "command");
}

namespace {

// [5.21]: one hex, to a friendly hex without a battle, never in Mud.
Refused check_deployment(const Situation& now, UnitId hq, Role role, SpaceId to) {
  const SpaceId from = now.at(hq);
  if (role != Role::kNormal) {
    return refuse("NO_DEPLOY", role == Role::kPara ? "14.2" : "15.41",
                  "a Para or Invasion HQ may not deploy");
  }
  if (now.weather(from) == Weather::kMud) {
    return refuse("NO_DEPLOY_MUD", "5.21", "no HQ deploys in Mud");
  }
  const LinkId link = now.board().link_between(from, to);
  if (!link || !now.data.link(link).passable() || !now.data.hex(to).playable) {
    return refuse("IMPASSABLE", "5.21", now.name(to) + " cannot be reached in one hex");
  }
  if (!now.friendly(to, now.side(hq)) || now.any_in(to, enemy_of(now.side(hq)))) {
    return refuse("DEPLOY_NOT_FRIENDLY", "5.21", now.name(to) + " is not a friendly hex at peace");
  }
  if (!satellite_may_enter(now, hq, to)) {
    return refuse("SATELLITE_RESTRICTED", "16.4", "this unit may not enter " + now.name(to));
  }
  // hexside limits are those of a movement phase, unless the game was created otherwise.
  if (now.data.rulings.deployment_uses_hexsides && now.is_battle(from) &&
      now.pos.get(link, l::kCrossed) >= now.engagement_limit(link, from)) {
    return refuse("HEXSIDE_LIMIT", "5.21", "no more units may cross this side of the battle");
  }
  return {};
}

Refused check_activation(const Situation& now, SideId side, UnitId hq, Role role, bool blitz) {
  if (!hq || now.side(hq) != side || !now.pos.on_board(hq) || !now.facts(hq).hq()) {
    return refuse("NOT_AN_HQ", "5.2", "only an own HQ on the map can be activated");
  }
  if (now.role(hq) != Role::kInactive || now.is(hq, u::kSpent)) {
    return refuse("ALREADY_ACTIVATED", "5.2", now.name(hq) + " was activated this turn");
  }
  if (blitz && now.facts(hq).supreme()) {
    return refuse("SHQ_NO_BLITZ", "5.7", "a Supreme HQ cannot be a Blitz HQ");
  }
  if (blitz && now.cv(hq) < now.data.rulings.blitz_cmd_least) {
    return refuse("BLITZ_CMD_0", "5.7", "its command value is too low for a Blitz (A-28)");
  }
  if (side == kAxis && now.fortnight().stand_fast) {
    return refuse("STAND_FAST", "S44", "the Axis activates no HQ in this turn (A-25)");
  }
  if (role == Role::kPara) return check_para_role(now, hq);
  if (role == Role::kInvasion) return check_invasion_role(now, hq);
  return {};
}

void deploy(Draft& draft, UnitId hq, SpaceId to) {
  const Situation now(draft);
  const SpaceId from = now.at(hq);
  const bool retreats = now.is_battle(from) && now.count_in(from, now.side(hq)) == 1;
  if (retreats && !pursue(draft, hq)) return;  // [5.21, 6.42]
  if (now.data.rulings.deployment_uses_hexsides && now.is_battle(from)) {
    const LinkId link = now.board().link_between(from, to);
    draft.set(link, l::kCrossed, now.pos.get(link, l::kCrossed) + 1);
  }
  const SpaceId path[] = {from, to};
  draft.move(hq, path, "deploy");
  end_battle_if_over(draft, from);
}

}  // namespace

Refused decide_activate_hq(Draft& draft, const Order& activate) {
  const Situation now(draft);
  const UnitId hq = activate.unit("hq");
  const std::string chosen = activate.choice("role");
  const Role role = chosen == "Para"       ? Role::kPara
                    : chosen == "Invasion" ? Role::kInvasion
                                           : Role::kNormal;
  const bool blitz = activate.flag("blitz");
  if (auto no = check_activation(now, activate.side, hq, role, blitz)) return no;
  const SpaceId to = activate.space("deployTo");
  if (to) {
    if (auto no = check_deployment(now, hq, role, to)) return no;
  }
  show(draft, hq);  // [5.2]
  draft.set(hq, u::kRole, static_cast<int>(role));
  draft.set(hq, u::kBlitz, blitz ? 1 : 0);
  if (to) deploy(draft, hq, to);
  return {};
}

Refused decide_end_command(Draft& draft, const Order&) {
  end_phase(draft);
  return {};
}

void legal_command(const Situation& now, SideId side, const SeeOrder& see) {
  for (UnitId hq : now.units_of(side)) {
    if (!now.facts(hq).hq() || now.role(hq) != Role::kInactive || now.is(hq, u::kSpent)) continue;
    struct Mode {
      Role role;
      const char* word;
      bool blitz;
    };
    static constexpr Mode kModes[] = {
        {Role::kNormal, "Normal", false},     {Role::kNormal, "Normal", true},
        {Role::kPara, "Para", false},         {Role::kPara, "Para", true},
        {Role::kInvasion, "Invasion", false}, {Role::kInvasion, "Invasion", true}};
    for (const Mode& mode : kModes) {
      if (check_activation(now, side, hq, mode.role, mode.blitz)) continue;
      Order activate = order("ActivateHQ", side);
      activate.with("hq", hq).with_choice("role", mode.word);
      if (mode.blitz) activate.with("blitz", 1);
      if (!see(activate)) return;
      for (const Neighbour& to : now.board().neighbours(now.at(hq))) {
        if (check_deployment(now, hq, mode.role, to.space)) continue;
        Order deployed = activate;
        if (!see(deployed.with("deployTo", to.space))) return;
      }
    }
  }
  see(order("EndCommand", side));
}

}  // namespace wardiary::eastfront

// Combat phases: how they begin [12.13, 16.8, 16.10], who must attack whom [12.4, 12.5], and the
// declaration of an attack [12.1-12.12].
#include <algorithm>
#include <set>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

bool phasing(const Situation& now, UnitId unit) {
  const UnitFacts& facts = now.facts(unit);
  if (!now.on_map(unit)) return false;
  if (!now.german_stage()) return facts.kind == Kind::kSoviet && facts.front == now.front();
  return facts.is_german() && now.in_german_sector(now.at(unit), now.front());
}
bool can_attack(const Situation& now, UnitId unit) {
  return phasing(now, unit) && !now.facts(unit).defence_only;  // [12.12]
}

// May the phasing force attack over this hexside into this hex?
bool attackable(const Situation& now, const Neighbour& to) {
  const LinkFacts& link = now.data.link(to.link);
  if (link.boundary || !link.attack_across || !now.in_sector(to.space, now.front())) return false;
  if (!now.is_reichstag(to.space)) return true;
  return !now.german_stage() && !now.other_front_in_reichstag(now.front());  // [5.5, 5.6]
}

// ---------------------------------------------------------------------------- the beginning

void turn_up_neighbours(Draft& draft) {  // [16.8 (2), 16.10]
  const Situation now(draft);
  const Field field(now);
  for (UnitId unit : now.all_units()) {
    if (!now.facts(unit).is_static() || !now.on_map(unit) || now.is(unit, u::kFaceUp)) continue;
    const bool garrison = now.is_reichstag(now.at(unit));
    if (garrison && now.german_stage()) continue;
    bool seen = false;
    for (const Neighbour& next : now.board().neighbours(now.at(unit))) {
      const bool across = now.data.link(next.link).boundary;
      if (across && !now.data.rulings.reveal_across_boundary) continue;
      seen = seen || field.soviets_in(next.space);
    }
    if (seen) turn_up(draft, unit);
  }
}

void remove_zero_units(Draft& draft) {  // [12.13]
  const Situation now(draft);
  const Field field(now);
  for (UnitId unit : now.all_units()) {
    if (!now.on_map(unit) || now.facts(unit).is_marker() || now.facts(unit).cf > 0) continue;
    if (field.enemy_zone(unit, now.at(unit))) eliminate(draft, unit, "factor 0");
  }
}

// [11.6, 12.1, 12.4, R-10] Who is bound now; nothing that happens later binds anybody else.
void note_obligations(Draft& draft) {
  const Situation now(draft);
  std::set<UnitId> bound;
  for (UnitId unit : now.all_units()) {
    if (!can_attack(now, unit)) continue;
    std::vector<UnitId> enemies;
    bool in_zone = false;
    for (const Neighbour& next : now.board().neighbours(now.at(unit))) {
      const Neighbour back{now.at(unit), next.link};
      for (UnitId other : now.units_in(next.space)) {
        if (now.facts(other).is_german() == now.facts(unit).is_german()) continue;
        const bool reichstag = now.is_reichstag(next.space);
        if (now.german_stage() && reichstag) continue;  // [5.6] they cannot be attacked
        bool reaches = zone_reaches(now, other, back);
        // R-11, other reading: the garrison binds those next to it as any objective does.
        if (reichstag && !now.data.rulings.reichstag_voluntary) reaches = attackable(now, next);
        in_zone = in_zone || reaches;
        if (reaches || zone_reaches(now, unit, next)) enemies.push_back(other);
      }
    }
    if (!in_zone) continue;
    bound.insert(unit);
    bound.insert(enemies.begin(), enemies.end());
  }
  for (UnitId unit : now.all_units()) {
    if (!now.facts(unit).is_marker()) draft.set(unit, u::kObliged, bound.contains(unit));
  }
}

// ---------------------------------------------------------------------------- who may fight whom

// Stacks that can still fight in this phase, and the legal pairs among them: what the look-ahead of
// the digest (6.2) runs on.
class Fronts {
 public:
  explicit Fronts(const Situation& now) : now_(now) {
    for (UnitId unit : now.all_units()) {
      if (!now.on_map(unit) || now.facts(unit).is_marker()) continue;
      if (can_attack(now, unit)) {
        if (!now.is(unit, u::kAttacked)) add(attackers_, unit);
      } else if (is_enemy(unit)) {
        if (!now.is(unit, u::kDefended)) add(targets_, unit);
      }
    }
    if (now.data.rulings.attack_fresh_only) drop_stale_targets();
  }

  struct Stack {
    SpaceId hex;
    bool obliged = false;
  };
  const std::vector<Stack>& attackers() const { return attackers_; }
  const std::vector<Stack>& targets() const { return targets_; }
  bool has_target(SpaceId hex) const { return find(targets_, hex) != nullptr; }
  // Stacks of the other kind that this one can fight.
  std::vector<SpaceId> partners_of_attacker(SpaceId hex) const {
    std::vector<SpaceId> out;
    for (const Neighbour& next : now_.board().neighbours(hex)) {
      if (find(targets_, next.space) && attackable(now_, next)) out.push_back(next.space);
    }
    return out;
  }
  std::vector<SpaceId> partners_of_target(SpaceId hex) const {
    std::vector<SpaceId> out;
    for (const Neighbour& next : now_.board().neighbours(hex)) {
      if (find(attackers_, next.space) && attackable(now_, {hex, next.link})) {
        out.push_back(next.space);
      }
    }
    return out;
  }
  // Whether somebody who must fight and could would be left without anybody to fight.
  Refused left_over(const std::set<SpaceId>& attacking, const std::set<SpaceId>& attacked) const {
    const auto stranded = [](const std::vector<SpaceId>& partners, const std::set<SpaceId>& gone) {
      return !partners.empty() && std::all_of(partners.begin(), partners.end(),
                                              [&](SpaceId hex) { return gone.contains(hex); });
    };
    for (const Stack& stack : attackers_) {
      if (!stack.obliged || attacking.contains(stack.hex)) continue;
      if (stranded(partners_of_attacker(stack.hex), attacked)) {
        return refuse("MANDATORY_ATTACKER_LEFT", "12.5",
                      "the units in " + now_.name(stack.hex) + " would have nobody left to attack");
      }
    }
    for (const Stack& stack : targets_) {
      if (!stack.obliged || attacked.contains(stack.hex)) continue;
      if (stranded(partners_of_target(stack.hex), attacking)) {
        return refuse("MANDATORY_TARGET_LEFT", "12.5",
                      "nobody would be left to attack the units in " + now_.name(stack.hex));
      }
    }
    return std::nullopt;
  }
  Refused pending() const {
    for (const Stack& stack : attackers_) {
      if (stack.obliged && !partners_of_attacker(stack.hex).empty()) {
        return refuse("MANDATORY_ATTACKS_PENDING", "12.4",
                      "the units in " + now_.name(stack.hex) + " must attack");
      }
    }
    for (const Stack& stack : targets_) {
      if (stack.obliged && !partners_of_target(stack.hex).empty()) {
        return refuse("MANDATORY_ATTACKS_PENDING", "12.4",
                      "the units in " + now_.name(stack.hex) + " must be attacked");
      }
    }
    return std::nullopt;
  }

 private:
  bool is_enemy(UnitId unit) const {
    const UnitFacts& facts = now_.facts(unit);
    return now_.german_stage() ? facts.kind == Kind::kSoviet && facts.front == now_.front()
                               : facts.is_german() && now_.in_sector(now_.at(unit), now_.front());
  }
  static const Stack* find(const std::vector<Stack>& stacks, SpaceId hex) {
    for (const Stack& stack : stacks) {
      if (stack.hex == hex) return &stack;
    }
    return nullptr;
  }
  void add(std::vector<Stack>& stacks, UnitId unit) {
    auto* known = const_cast<Stack*>(find(stacks, now_.at(unit)));
    if (!known) known = &stacks.emplace_back(Stack{now_.at(unit), false});
    known->obliged = known->obliged || now_.is(unit, u::kObliged);
  }
  void drop_stale_targets() {
    std::erase_if(targets_, [&](const Stack& stack) {
      for (UnitId unit : now_.units_in(stack.hex)) {
        if (now_.is(unit, u::kDefended)) return true;
      }
      return false;
    });
  }

  const Situation now_;
  std::vector<Stack> attackers_, targets_;
};

// ---------------------------------------------------------------------------- an attack

struct Attack {
  std::vector<UnitId> attackers;
  std::vector<SpaceId> targets;
  Crt crt = Crt::kMobile;
};

Refused attacker_refusal(const Situation& now, UnitId unit, SideId side) {
  const UnitFacts& facts = now.facts(unit);
  const bool known = sight_of_unit(now, Viewer::of(side), unit) == UnitSight::kFull;
  if (!now.on_map(unit) || facts.is_marker() || !known) return not_yours("12.1");
  if (facts.is_german() && now.is_reichstag(now.at(unit))) {
    return refuse("REICHSTAG_GARRISON_NEVER_ATTACKS", "5.6",
                  "the garrison of the Reichstag never attacks");
  }
  if (!phasing(now, unit)) return not_yours("12.1");
  if (facts.defence_only) {
    return refuse("DEFENCE_ONLY", "12.12", now.name(unit) + " only defends");
  }
  if (now.is(unit, u::kAttacked)) {
    return refuse("ALREADY_ATTACKED", "12.3", now.name(unit) + " has attacked in this phase");
  }
  return std::nullopt;
}

Refused target_refusal(const Situation& now, const Fronts& fronts, const Attack& attack,
                       SpaceId target) {
  if (now.is_reichstag(target)) {
    if (now.german_stage()) {
      return refuse("GERMAN_CANNOT_ATTACK_REICHSTAG", "5.6", "no German attacks the Reichstag");
    }
    if (now.other_front_in_reichstag(now.front())) {
      return refuse("REICHSTAG_HELD_BY_OTHER_FRONT", "5.5", "the other Front is in the Reichstag");
    }
  }
  for (UnitId unit : attack.attackers) {
    const LinkId link = now.board().link_between(now.at(unit), target);
    if (!link) {
      return refuse("NOT_ALL_ADJACENT", "12.5", "every attacker must be next to every defender");
    }
    if (now.data.link(link).boundary || !now.in_sector(target, now.front())) {
      return refuse("SECTOR_BOUNDARY", "5.2", "nobody attacks across the boundary");
    }
    if (!now.data.link(link).attack_across) {
      return refuse("NOT_ALL_ADJACENT", "27.5", "no attack crosses that hexside (R-34)");
    }
  }
  if (fronts.has_target(target)) return std::nullopt;
  bool enemies = false;
  for (UnitId unit : now.units_in(target)) {
    enemies = enemies || now.facts(unit).is_german() != now.german_stage();
  }
  if (!enemies) return refuse("NO_DEFENDERS", "12.2", "there is nobody to attack");
  return refuse("TARGET_ALREADY_ATTACKED", "12.3", "that hex was attacked in this phase");
}

// [12.10, R-49] The units of a hex attack together; those that are not bound may stay out.
Refused stack_refusal(const Situation& now, const Attack& attack) {
  for (UnitId unit : attack.attackers) {
    for (UnitId other : now.units_in(now.at(unit))) {
      const bool in = std::find(attack.attackers.begin(), attack.attackers.end(), other) !=
                      attack.attackers.end();
      if (in || !can_attack(now, other) || now.is(other, u::kAttacked)) continue;
      if (now.is(other, u::kObliged) || !now.data.rulings.may_stay_out) {
        return refuse("STACK_MUST_COMBINE", "12.10",
                      now.name(other) + " attacks together with the others of its hex");
      }
    }
  }
  return std::nullopt;
}

Refused attack_refusal(const Situation& now, const Fronts& fronts, const Attack& attack,
                       SideId side) {
  for (UnitId unit : attack.attackers) {
    if (auto refused = attacker_refusal(now, unit, side)) return refused;
  }
  for (SpaceId target : attack.targets) {
    if (auto refused = target_refusal(now, fronts, attack, target)) return refused;
  }
  if (auto refused = stack_refusal(now, attack)) return refused;
  if (attack.crt == Crt::kMobile && must_assault(now, attack.attackers, attack.targets)) {
    return refuse("MUST_USE_ASSAULT_CRT", "12.21",
                  "objective, urban and S-Bahn hexes are assaulted");
  }
  std::set<SpaceId> attacking;
  for (UnitId unit : attack.attackers) attacking.insert(now.at(unit));
  return fronts.left_over(attacking, {attack.targets.begin(), attack.targets.end()});
}

// The hexes an order names, by themselves or by their units; all units of a hex are attacked
// together [12.11].
Refused read_targets(const Situation& now, const Order& order, std::vector<SpaceId>& out) {
  std::set<SpaceId> hexes;
  for (SpaceId hex : order.spaces("defenderHexes")) hexes.insert(hex);
  const std::vector<UnitId> named = order.units("defenderUnits");
  for (UnitId unit : named) {
    const bool known = sight_of_unit(now, Viewer::of(order.side), unit) == UnitSight::kFull;
    if (!known || !now.on_map(unit) || now.facts(unit).is_marker()) {
      return refuse("NOT_ALL_ADJACENT", "12.5", "every attacker must be next to every defender");
    }
    hexes.insert(now.at(unit));
  }
  out.assign(hexes.begin(), hexes.end());
  if (out.empty()) return refuse("NO_DEFENDERS", "12.2", "an attack names its targets");
  if (named.empty()) return std::nullopt;
  for (SpaceId hex : out) {
    for (UnitId unit : now.units_in(hex)) {
      if (std::find(named.begin(), named.end(), unit) == named.end()) {
        return refuse("DEFENDERS_MUST_COMBINE", "12.11",
                      "all units of a hex are attacked together");
      }
    }
  }
  return std::nullopt;
}

std::vector<UnitId> defenders_of(const Situation& now, const std::vector<SpaceId>& targets) {
  std::vector<UnitId> out;
  for (SpaceId hex : targets) {
    for (UnitId unit : now.units_in(hex)) out.push_back(unit);
  }
  return out;
}

void fight(Draft& draft, const Attack& attack, SideId side) {
  const Situation now(draft);
  const std::vector<UnitId> defenders = defenders_of(now, attack.targets);
  for (UnitId unit : attack.attackers) {
    turn_up(draft, unit);
    draft.set(unit, u::kRole, static_cast<int>(Role::kAttacker));
    draft.set(now.at(unit), h::kBattle, static_cast<int>(Role::kAttacker));
    // Whoever stays out of his hex's attack does not attack in this phase.
    for (UnitId other : now.units_in(now.at(unit))) {
      if (can_attack(now, other)) draft.set(other, u::kAttacked, 1);
    }
  }
  for (UnitId unit : defenders) {
    turn_up(draft, unit);
    draft.set(unit, u::kRole, static_cast<int>(Role::kDefender));
    draft.set(unit, u::kDefended, 1);
    draft.set(now.at(unit), h::kBattle, static_cast<int>(Role::kDefender));
  }
  draft.set(track(t::kCombatTable), static_cast<int>(attack.crt));
  const Strength strength = strength_of(now, attack.attackers, defenders);
  const int column = column_of(strength.attack, strength.defence);
  RollRequest request;
  request.roller = side;
  request.purpose = "attack";
  request.space = attack.targets.front();
  request.groups = {{RollGroup::kDice, 1, 6, 0}};
  request.terms = strength.terms;
  request.table = attack.crt == Crt::kMobile ? "Mobile" : "Assault";
  const auto faces = draft.roll(request, [&](std::span<const std::uint32_t> values) {
    const CombatResult result = look_up(attack.crt, column, static_cast<int>(values[0]));
    return RollOutcome{std::string(name_of_column(column)), std::string(name_of(result)), -1};
  });
  auto because = draft.because_of_last();
  open_combat(draft, look_up(attack.crt, column, static_cast<int>(faces[0])));
}

std::vector<UnitId> attackers_in(const Situation& now, SpaceId hex) {
  std::vector<UnitId> out;
  for (UnitId unit : now.units_in(hex)) {
    if (can_attack(now, unit) && !now.is(unit, u::kAttacked)) out.push_back(unit);
  }
  return out;
}

// Sees one attack of whole stacks with each table it may use.
bool show_attack(const Situation& now, const Fronts& fronts, const std::vector<SpaceId>& from,
                 const std::vector<SpaceId>& targets, SideId side, const SeeOrder& see) {
  Attack attack;
  for (SpaceId hex : from) {
    for (UnitId unit : attackers_in(now, hex)) attack.attackers.push_back(unit);
  }
  attack.targets = targets;
  for (Crt crt : {Crt::kMobile, Crt::kAssault}) {
    attack.crt = crt;
    if (attack_refusal(now, fronts, attack, side)) continue;
    if (!see(order("DeclareAttack", side)
                 .with("attackerUnits", std::span<const UnitId>(attack.attackers))
                 .with("defenderHexes", std::span<const SpaceId>(attack.targets))
                 .with_choice("crt", crt == Crt::kMobile ? "Mobile" : "Assault"))) {
      return false;
    }
  }
  return true;
}

}  // namespace

void begin_combat(Draft& draft) {
  turn_up_neighbours(draft);
  remove_zero_units(draft);
  note_obligations(draft);
}

Refused decide_attack(Draft& draft, const Order& order) {
  const Situation now(draft);
  if (now.combat_open()) return refuse("COMBAT_OPEN", "12.4", "the combat is not over yet");
  if (now.asked(order.side) == Ask::kNothing) {
    return refuse("NOT_YOUR_DECISION", "", "it is not this side's decision");
  }
  if (now.asked(order.side) != Ask::kAttack) {
    return refuse("WRONG_PHASE", "4.3", "attacks are made in a combat phase");
  }
  Attack attack;
  attack.attackers = order.units("attackerUnits");
  std::sort(attack.attackers.begin(), attack.attackers.end());
  attack.attackers.erase(std::unique(attack.attackers.begin(), attack.attackers.end()),
                         attack.attackers.end());
  if (attack.attackers.empty()) return refuse("NOT_YOUR_PIECE", "12.8", "somebody must attack");
  for (UnitId unit : attack.attackers) {
    if (auto refused = attacker_refusal(now, unit, order.side)) return refused;
  }
  if (auto refused = read_targets(now, order, attack.targets)) return refused;
  const bool assault = order.has("crt") ? order.choice("crt") == "Assault"
                                        : must_assault(now, attack.attackers, attack.targets);
  attack.crt = assault ? Crt::kAssault : Crt::kMobile;
  if (auto refused = attack_refusal(now, Fronts(now), attack, order.side)) return refused;
  draft.settle(order.side);
  fight(draft, attack, order.side);
  return std::nullopt;
}

namespace {

UnitId me262_of(const Situation& now, SideId player) {
  for (UnitId unit : now.all_units()) {
    if (now.facts(unit).kind == Kind::kMe262 && now.facts(unit).front == player) return unit;
  }
  return {};
}

// [22.5] At the start of the phase: before the first attack.
Refused me262_refusal(const Situation& now, UnitId marker) {
  if (!now.german_stage()) return refuse("WRONG_PHASE", "22.5", "in a German combat phase only");
  if (!now.is(of_front(t::kArrived1BF, now.front())) || !marker) {
    return refuse("GROUP_NOT_ARRIVED", "22.5", "it comes with the relief group");
  }
  if (now.on_map(marker) || now.pile(marker) == Pile::kRemoved) {
    return refuse("MARKER_SPENT", "22.5", "it flies once in the game");
  }
  for (UnitId unit : now.all_units()) {
    if (now.is(unit, u::kAttacked) || now.is(unit, u::kDefended)) {
      return refuse("WRONG_PHASE", "22.5", "it is placed before the first attack");
    }
  }
  return std::nullopt;
}

}  // namespace

Refused decide_me262(Draft& draft, const Order& order) {
  const Situation now(draft);
  const SpaceId hex = order.space("hex");
  const UnitId marker = me262_of(now, order.side);
  if (auto refused = me262_refusal(now, marker)) return refused;
  if (!now.in_sector(hex, now.front())) {
    return refuse("OTHER_SECTOR", "22.5", "that hex is not in the sector of these Germans");
  }
  put_on_map(draft, marker, hex);
  return std::nullopt;
}

Refused attacks_pending(const Situation& now) {
  return Fronts(now).pending();
}

// Single stacks and everybody against each hex, a stack against all its neighbours, pairs, and the
// stars of partners that have nobody else: of these one is always legal while anybody must fight.
void legal_attacks(const Situation& now, SideId side, const SeeOrder& see) {
  const Fronts fronts(now);
  if (!fronts.pending() && !see(order("EndPhase", side))) return;
  if (now.data.fantasy && !me262_refusal(now, me262_of(now, side))) {
    for (const auto& attacker : fronts.attackers()) {
      if (!see(order("PlaceMe262", side).with("hex", attacker.hex))) return;
    }
  }
  for (const auto& target : fronts.targets()) {
    const std::vector<SpaceId> from = fronts.partners_of_target(target.hex);
    std::vector<SpaceId> alone;  // can attack nothing else
    for (SpaceId hex : from) {
      if (fronts.partners_of_attacker(hex).size() == 1) alone.push_back(hex);
      if (!show_attack(now, fronts, {hex}, {target.hex}, side, see)) return;
    }
    for (std::size_t i = 0; i < from.size() && from.size() > 2; ++i) {
      for (std::size_t j = i + 1; j < from.size(); ++j) {
        if (!show_attack(now, fronts, {from[i], from[j]}, {target.hex}, side, see)) return;
      }
    }
    if (from.size() > 1 && !show_attack(now, fronts, from, {target.hex}, side, see)) return;
    if (alone.size() > 2 && alone.size() < from.size() &&
        !show_attack(now, fronts, alone, {target.hex}, side, see)) {
      return;
    }
  }
  for (const auto& attacker : fronts.attackers()) {
    const std::vector<SpaceId> targets = fronts.partners_of_attacker(attacker.hex);
    std::vector<SpaceId> alone;  // attacked by nobody else
    for (SpaceId hex : targets) {
      if (fronts.partners_of_target(hex).size() == 1) alone.push_back(hex);
    }
    if (targets.size() > 1 && !show_attack(now, fronts, {attacker.hex}, targets, side, see)) return;
    if (alone.size() > 1 && alone.size() < targets.size() &&
        !show_attack(now, fronts, {attacker.hex}, alone, side, see)) {
      return;
    }
  }
}

}  // namespace wardiary::reichstag

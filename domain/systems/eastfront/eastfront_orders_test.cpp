// Properties of orders over random games: whatever is listed as legal is accepted, what is accepted
// is listed where the list claims to be complete, and a refusal tells nothing of the enemy's
// blocks.
#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "domain/systems/eastfront/eastfront.h"
#include "domain/systems/eastfront/test_play.h"

namespace wardiary::eastfront {
namespace {

using nlohmann::json;

class RandomDice : public Chance {
 public:
  explicit RandomDice(std::mt19937& generator) : generator_(generator) {}
  std::optional<Rolled> roll(const RollRequest& request) override {
    Rolled out;
    for (const RollGroup& group : request.groups) {
      for (int i = 0; i < group.count; ++i) out.values.push_back(1 + generator_() % group.sides);
    }
    return out;
  }

 private:
  std::mt19937& generator_;
};

std::vector<Order> legal(const Game& game, const Position& position, SideId side) {
  std::vector<Order> out;
  game.system->legal_orders(game, position, side, [&](const Order& order) {
    out.push_back(order);
    return true;
  });
  return out;
}

// Refused, or nothing: accepted, or accepted once the dice have fallen.
std::optional<Rejection> refusal(const Game& game, const Position& position, const Order& order) {
  ScriptedChance no_dice({});
  Verdict verdict = decide(game, position, order, no_dice);
  auto* refused = std::get_if<Rejection>(&verdict);
  return refused ? std::optional<Rejection>(*refused) : std::nullopt;
}

std::string text_of(const Game& game, const Order& order) {
  return order_to_json(order, game.roster()).dump();
}

// A decision that comes up seldom beside moves, purchases and set-up.
bool seldom(const Play& play, SideId side) {
  const Ask asked = play.now().asked(side);
  return asked != Ask::kMovement && asked != Ask::kProduction && asked != Ask::kPlaceSetup;
}

// Plays a game and calls `look` with every `stride`th decision point, and with the seldom ones.
using Look = std::function<void(SideId side, const std::vector<Order>& orders)>;
void wander(Play& play, std::uint32_t seed, int orders_most, int stride, const Look& look) {
  std::mt19937 generator(seed);
  RandomDice dice(generator);
  for (int n = 0; n < orders_most && !play.position.over; ++n) {
    const bool axis = play.position.pending(kAxis).kind != 0;
    const bool soviet = play.position.pending(kSoviet).kind != 0;
    const SideId side = axis && (!soviet || generator() % 2) ? kAxis : kSoviet;
    const std::vector<Order> orders = legal(play.game, play.position, side);
    ASSERT_FALSE(orders.empty());
    if (n % stride == 0 || seldom(play, side)) look(side, orders);
    if (::testing::Test::HasFailure()) return;
    const std::size_t pick =
        generator() % 12 == 0 ? orders.size() - 1 : generator() % orders.size();
    Verdict verdict = decide(play.game, play.position, orders[pick], dice);
    auto* accepted = std::get_if<Accepted>(&verdict);
    ASSERT_TRUE(accepted) << text_of(play.game, orders[pick]);
    play.position = std::move(accepted->position);
  }
}

struct Table {
  const char* scenario;
  Play::Options options;
};
const std::vector<Table>& tables() {
  static const std::vector<Table> list = {{"Edelweiss", {}},
                                          {"S41", {}},
                                          {"W42", {{"paratroops", "on"}, {"navalPower", "on"}}},
                                          {"S44", {{"navalPower", "on"}}},
                                          {"W44", {{"paratroops", "on"}}}};
  return list;
}

TEST(EastFrontOrders, EveryListedOrderIsAccepted) {
  for (const Table& table : tables()) {
    Play play(table.scenario, table.options);
    wander(play, 21, 900, 9, [&](SideId, const std::vector<Order>& orders) {
      const std::size_t stride = 1 + orders.size() / 150;
      for (std::size_t i = 0; i < orders.size(); i += stride) {
        const auto refused = refusal(play.game, play.position, orders[i]);
        ASSERT_FALSE(refused) << table.scenario << ": " << text_of(play.game, orders[i]) << ": "
                              << refused->code << " " << refused->text;
      }
    });
    if (HasFailure()) return;
  }
}

// Every order of the types a decision takes, as far as they can be counted.
std::vector<Order> all_orders(const Play& play, SideId side, std::mt19937& generator) {
  std::vector<Order> out;
  const Situation now = play.now();
  std::vector<UnitId> units;
  for (std::size_t i = 0; i < play.position.unit_count(); ++i) {
    units.push_back(UnitId{static_cast<int>(i)});
  }
  const auto each_unit = [&](const char* type, const char* field) {
    for (UnitId unit : units) out.push_back(order(type, side).with(field, unit));
  };
  switch (now.asked(side)) {
    case Ask::kCommand:
      for (UnitId hq : now.units_of(side)) {
        if (!now.facts(hq).hq()) continue;
        for (const char* role : {"Normal", "Para", "Invasion"}) {
          for (int blitz : {0, 1}) {
            Order activate = order("ActivateHQ", side).with("hq", hq).with_choice("role", role);
            if (blitz) activate.with("blitz", 1);
            out.push_back(activate);
            for (const Neighbour& to : now.board().neighbours(now.at(hq))) {
              Order deployed = activate;
              out.push_back(deployed.with("deployTo", to.space));
            }
          }
        }
      }
      break;
    case Ask::kBattles:
      for (std::size_t i = 0; i < play.position.space_count(); ++i) {
        const SpaceId space{static_cast<int>(i)};
        out.push_back(order("ActivateBattle", side).with("battleHex", space));
        for (UnitId hq : now.units_of(side)) {
          if (!now.facts(hq).hq()) continue;
          out.push_back(order("AssignAirStrike", side).with("hq", hq).with("battleHex", space));
        }
      }
      break;
    case Ask::kResolve:
      for (std::size_t i = 0; i < play.position.space_count(); ++i) {
        out.push_back(order("ResolveBattle", side).with("battleHex", SpaceId{static_cast<int>(i)}));
      }
      break;
    case Ask::kLoss:
      each_unit("AllocateLoss", "unit");
      break;
    case Ask::kRepulse:
      each_unit("AllocateRepulse", "unit");
      break;
    case Ask::kFire:
      each_unit("Fire", "unit");
      break;
    case Ask::kFortressUnit:
      each_unit("ChooseFortressSupplied", "unit");
      break;
    case Ask::kOffMapUnit:
      each_unit("ChooseOffMapUnit", "unit");
      break;
    case Ask::kDefector:
      each_unit("ChooseDefector", "unit");
      break;
    case Ask::kProduction:
      each_unit("AddStep", "unit");
      each_unit("Disband", "unit");
      for (int i = 0; i < 300; ++i) {
        const SpaceId hex{static_cast<int>(generator() % play.position.space_count())};
        const UnitId unit = units[generator() % units.size()];
        for (const char* type : {"BuildCadre", "PlaceReinforcement"}) {
          out.push_back(order(type, side).with("unit", unit).with("hex", hex));
        }
      }
      break;
    case Ask::kMovement:
      for (UnitId unit : now.units_of(side)) {
        for (const Neighbour& to : now.board().neighbours(now.at(unit))) {
          const SpaceId path[] = {now.at(unit), to.space};
          for (const char* type : {"MoveUnit", "SupremeMove"}) {
            out.push_back(
                order(type, side).with("unit", unit).with("path", std::span<const SpaceId>(path)));
          }
        }
      }
      break;
    default:
      break;
  }
  return out;
}

// What of an order the list is complete in: of a move the unit and where it ends, but for hexes
// that are full until somebody leaves them.
std::string essence(const Play& play, const Order& given) {
  if (!given.is("MoveUnit") && !given.is("SupremeMove")) return text_of(play.game, given);
  return "move " + std::to_string(given.unit("unit").value) + " " +
         std::to_string(given.spaces("path").back().value);
}

TEST(EastFrontOrders, WhatIsAcceptedIsListed) {
  std::mt19937 generator(5);
  std::map<std::string, int> accepted;
  for (const Table& table : tables()) {
    Play play(table.scenario, table.options);
    wander(play, 33, 900, 11, [&](SideId side, const std::vector<Order>& orders) {
      std::set<std::string> listed;
      for (const Order& one : orders) listed.insert(essence(play, one));
      const Situation now = play.now();
      for (const Order& one : all_orders(play, side, generator)) {
        if (listed.contains(essence(play, one)) || refusal(play.game, play.position, one)) continue;
        if (one.is("MoveUnit") || one.is("SupremeMove")) {
          const SpaceId to = one.spaces("path").back();
          if (now.count_in(to, side) >= now.stacking_limit(to)) continue;
        }
        ADD_FAILURE() << table.scenario << ": accepted but not listed: " << text_of(play.game, one);
        return;
      }
      for (const Order& one : orders) accepted[one.type().name] += 1;
    });
    if (HasFailure()) return;
  }
  for (const char* type : {"ActivateHQ", "MoveUnit", "SupremeMove", "AddStep", "BuildCadre",
                           "ActivateBattle", "ResolveBattle", "Fire", "AllocateLoss"}) {
    EXPECT_GT(accepted[type], 0) << type;
  }
}

// The position with two of the enemy's hidden blocks exchanged; nothing if there are no two.
std::optional<Position> exchanged(const Play& play, SideId side, std::mt19937& generator) {
  const Situation now = play.now();
  std::vector<UnitId> hidden;
  for (UnitId unit : now.units_of(enemy_of(side))) {
    if (sight_of_unit(now, Viewer::of(side), unit) == UnitSight::kBlock) hidden.push_back(unit);
  }
  if (hidden.size() < 2) return std::nullopt;
  const UnitId a = hidden[generator() % hidden.size()];
  const UnitId b = hidden[generator() % hidden.size()];
  if (now.at(a) == now.at(b)) return std::nullopt;
  Position out = play.position;
  out.set_at(a, now.at(b));
  out.set_at(b, now.at(a));
  return out;
}

// An order of a type that is legal now, or of any, with whatever in its fields.
Order any_order(const Play& play, SideId side, const std::vector<Order>& orders,
                std::mt19937& generator) {
  const auto types = play.game.system->order_types();
  const OrderType& type = generator() % 4 ? orders[generator() % orders.size()].type()
                                          : types[generator() % types.size()];
  const Situation now = play.now();
  const auto some_unit = [&] {
    return UnitId{static_cast<int>(generator() % play.position.unit_count())};
  };
  const auto near = [&](UnitId unit) {
    const SpaceId at = now.at(unit);
    if (!at || generator() % 8 == 0) {
      return SpaceId{static_cast<int>(generator() % play.position.space_count())};
    }
    const auto beside = now.board().neighbours(at);
    return beside.empty() ? at : beside[generator() % beside.size()].space;
  };
  Order out(type, side);
  UnitId subject = some_unit();
  for (const OrderField& field : type.fields) {
    if (!field.required && generator() % 2) continue;
    switch (field.kind) {
      case FieldKind::kUnit:
        out.with(field.name, field.name == "unit" || field.name == "hq" ? subject : some_unit());
        break;
      case FieldKind::kStep:
        out.with(field.name, subject);
        break;
      case FieldKind::kUnits: {
        const UnitId units[] = {subject};
        out.with(field.name, std::span<const UnitId>(units));
        break;
      }
      case FieldKind::kSpace:
        out.with(field.name, generator() % 3 && now.at(subject) ? now.at(subject) : near(subject));
        break;
      case FieldKind::kSpaces: {
        const SpaceId path[] = {near(subject)};
        out.with(field.name, std::span<const SpaceId>(path));
        break;
      }
      case FieldKind::kUnitNumbers:
        out.with(field.name, std::vector<std::int32_t>{subject.value, 2});
        break;
      case FieldKind::kText:
        break;
      default:
        out.with(field.name, static_cast<int>(generator() % 2));
        break;
    }
  }
  return out;
}

TEST(EastFrontOrders, ARefusalTellsNothingOfHiddenBlocks) {
  std::mt19937 generator(8);
  int compared = 0;
  for (const Table& table : tables()) {
    Play play(table.scenario, table.options);
    wander(play, 55, 700, 10, [&](SideId side, const std::vector<Order>& orders) {
      const std::optional<Position> other = exchanged(play, side, generator);
      if (!other) return;
      for (int i = 0; i < 60; ++i) {
        const Order given = any_order(play, side, orders, generator);
        const auto here = refusal(play.game, play.position, given);
        const auto there = refusal(play.game, *other, given);
        ASSERT_EQ(here.has_value(), there.has_value())
            << text_of(play.game, given) << ": " << (here ? here->code : there->code);
        if (!here) continue;
        compared += here->code != "WRONG_PHASE";
        ASSERT_EQ(here->code + here->rule + here->text, there->code + there->rule + there->text)
            << text_of(play.game, given);
      }
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 1'000);
}

}  // namespace
}  // namespace wardiary::eastfront

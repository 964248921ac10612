// The order types of EastFront: names and fields as in section 4 of the rules digest.
#include <cassert>
#include <unordered_map>

#include "domain/systems/eastfront/chapters.h"

namespace wardiary::eastfront {
namespace {

OrderField unit(std::string name, bool required = true) {
  return {std::move(name), FieldKind::kUnit, required, {}};
}
OrderField hex(std::string name, bool required = true) {
  return {std::move(name), FieldKind::kSpace, required, {}};
}
// A field that goes by a second name too.
OrderField also(OrderField field, std::string alias) {
  field.alias = std::move(alias);
  return field;
}
OrderField battle_hex() {
  return also(hex("battleHex"), "hex");
}
OrderField path(std::string name = "path", bool required = true) {
  return {std::move(name), FieldKind::kSpaces, required, {}};
}
OrderField choice(std::string name, std::vector<std::string> choices, bool required) {
  return {std::move(name), FieldKind::kChoice, required, std::move(choices)};
}
OrderField flag(std::string name) {
  return {std::move(name), FieldKind::kFlag, false, {}};
}

void add_setup_and_production(std::vector<OrderType>& types) {
  types.push_back({"SelectForces",
                   "3.2.2",
                   {also({"units", FieldKind::kUnitNumbers, true, {"cv"}}, "forces")},
                   "Choose the units that start on the map and their strength."});
  types.push_back({"PlaceSetup",
                   "3.2.4",
                   {unit("unit"), hex("hex")},
                   "Place a chosen unit, or move one placed before."});
  types.push_back({"FinishSetup", "3.2.4", {}, "The set-up of this side is complete."});
  types.push_back({"AddStep", "11.41", {unit("unit")}, "Buy a replacement step."});
  types.push_back({"BuildCadre", "11.42", {unit("unit"), hex("hex")}, "Rebuild a lost unit."});
  types.push_back(
      {"PlaceReinforcement", "11.5", {unit("unit"), hex("hex")}, "Bring a unit that is due."});
  types.push_back({"BringEarly",
                   "11.51",
                   {unit("unit"), hex("hex"), choice("mode", {"ReduceCV", "PayCadre"}, true)},
                   "Bring next month's reinforcement now."});
  types.push_back({"Disband", "11.52", {unit("unit")}, "Take an own unit off the map."});
  types.push_back({"PrepBeachhead", "15.51", {}, "Rebuild the beach-head marker."});
  types.push_back({"ReadyBeachhead", "15.51", {}, "Make the beach-head marker ready."});
  types.push_back({"LiftBeachhead", "15.51", {}, "Take the deployed beach-head back."});
  types.push_back({"CommitProduction", "11.3", {}, "Production is complete; the rest is lost."});
}

void add_command_and_movement(std::vector<OrderType>& types) {
  types.push_back({"ActivateHQ",
                   "5.2",
                   {unit("hq"), choice("role", {"Normal", "Para", "Invasion"}, false),
                    flag("blitz"), hex("deployTo", false)},
                   "Activate a headquarters, and deploy it one hex if wished."});
  types.push_back({"EndCommand", "4.41", {}, "No more headquarters are activated."});
  types.push_back({"MoveUnit",
                   "6.1",
                   {unit("unit"), path(), unit("commandingHQ", false)},
                   "Move a unit under command."});
  types.push_back({"SupremeMove",
                   "6.52",
                   {unit("unit"), path()},
                   "Move a unit anywhere by land with a supreme move."});
  types.push_back({"RailMove",
                   "9.2",
                   {unit("unit"), path(), {"n", FieldKind::kNumber, false, {}}},
                   "Move a unit by rail, ten hexes for each supreme move."});
  types.push_back({"SeaMove",
                   "15.2",
                   {unit("unit"),
                    hex("fromPort", false),
                    {"seaAreas", FieldKind::kText, false, {}},  // a list of names or ids
                    hex("toPort")},
                   "Move a unit by sea from port to port."});
  types.push_back(
      {"ParaDrop", "14.3", {unit("unit"), hex("hex"), unit("hq")}, "Drop the paratroops."});
  types.push_back({"InvadeBySea",
                   "15.41",
                   {unit("unit"), hex("hex"), unit("hq"), hex("blitzTarget", false)},
                   "Land a unit on a coast."});
  types.push_back({"EvacuateBySea",
                   "15.6",
                   {unit("unit"), hex("toPort"), unit("hq")},
                   "Take a unit off a coast by sea."});
  types.push_back({"DesignateRearGuard",
                   "6.41",
                   {battle_hex(), unit("unit"), path(), flag("supreme")},
                   "The last unit leaves a battle after suffering pursuit fire."});
  types.push_back({"MobiliseHQ",
                   "5.41",
                   {unit("hq"), also(path("path", false), "route"), flag("rail"), flag("sea")},
                   "Deactivate a headquarters and move it."});
  types.push_back({"EndMovement", "4.42", {}, "Movement is complete."});
}

void add_combat_and_supply(std::vector<OrderType>& types) {
  types.push_back({"AssignAirStrike",
                   "7.13",
                   {unit("hq"), battle_hex()},
                   "Assign a headquarters' air strike to a battle."});
  types.push_back({"ActivateBattle", "7.14", {battle_hex()}, "There will be combat here."});
  types.push_back({"EndBattleSelection", "7.14", {}, "No more battles are activated."});
  types.push_back({"ResolveBattle", "7.21", {battle_hex()}, "Fight the round of this battle."});
  types.push_back({"Fire",
                   "7.31",
                   {{"unit", FieldKind::kStep, true, {"all"}}},
                   "Fire with a unit, or with all that have not fired."});
  types.push_back({"AllocateLoss", "7.33", {unit("unit")}, "Which of the strongest takes a hit."});
  types.push_back({"AllocateRepulse", "7.51", {unit("unit")}, "Which of the weakest is repulsed."});
  types.push_back({"EndCombat", "4.43", {}, "Combat is complete."});
  types.push_back({"RollSurrender",
                   "16.1",
                   {choice("country", {"Romania", "Hungary", "Bulgaria"}, true)},
                   "Roll for the surrender of a satellite."});
  types.push_back({"ChooseDefector", "16.1", {unit("unit")}, "The unit that changes sides."});
  types.push_back({"DeployBeachhead", "15.51", {hex("hex")}, "Deploy the beach-head marker."});
  types.push_back({"ChooseFortressSupplied",
                   "10.5",
                   {unit("unit")},
                   "Which of the largest units of a fortress enjoys it."});
  types.push_back({"ChooseOverstackVictims",
                   "6.22",
                   {{"units", FieldKind::kUnits, true, {}}},
                   "Which surplus units count as unsupplied."});
  types.push_back(
      {"ChooseOffMapUnit", "16.7", {unit("unit")}, "Which of the nearest units leaves the map."});
  types.push_back({"Pass", "4.4", {}, "End the phase without doing anything."});
}

std::vector<OrderType> make_types() {
  std::vector<OrderType> types;
  add_setup_and_production(types);
  add_command_and_movement(types);
  add_combat_and_supply(types);
  return types;
}

}  // namespace

std::span<const OrderType> order_types() {
  static const std::vector<OrderType> types = make_types();
  return types;
}

const OrderType& order_type(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const OrderType*> out;
    for (const OrderType& type : order_types()) out.emplace(type.name, &type);
    return out;
  }();
  const auto found = by_name.find(name);
  assert(found != by_name.end() && "no such order type");
  return *found->second;
}

Order order(std::string_view type, SideId side) {
  return Order(order_type(type), side);
}

}  // namespace wardiary::eastfront

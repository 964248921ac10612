// The order types of Race to the Reichstag: names and fields as in section 4 of the rules digest.
#include <cassert>

#include "domain/systems/reichstag/chapters.h"

namespace wardiary::reichstag {
namespace {

OrderField unit(std::string name, std::string alias = {}, bool required = true) {
  return {std::move(name), FieldKind::kUnit, required, {}, std::move(alias)};
}
OrderField units(std::string name, bool required = true) {
  return {std::move(name), FieldKind::kUnits, required, {}};
}
OrderField hex() {
  return {"hex", FieldKind::kSpace, true, {}};
}
OrderField hexes(std::string name, bool required = true) {
  return {std::move(name), FieldKind::kSpaces, required, {}};
}
OrderField flag(std::string name) {
  return {std::move(name), FieldKind::kFlag, false, {}};
}
// A marker of its kind, or a certain one.
OrderField marker(bool required) {
  return {"marker", FieldKind::kStep, required, {"artillery", "air", "air strike", "airStrike"}};
}

void add_setup(std::vector<OrderType>& types) {
  types.push_back({"ChooseCommands",
                   "3.1",
                   {{"front", FieldKind::kChoice, false, {"1BF", "1UF"}}},
                   "Take command of a Front."});
  types.push_back({"PlaceStatic",
                   "3.5",
                   {unit("unit"), hex(), flag("faceUp")},
                   "Place a drawn static unit, face down unless you like."});
  types.push_back({"HoldSniper", "16.5", {unit("unit")}, "Keep a drawn sniper off the map."});
  types.push_back(
      {"PlaceGermanMobile", "3.7", {unit("unit"), hex()}, "Set up a German mobile unit."});
  types.push_back({"PlaceSovietUnit", "3.11", {unit("unit"), hex()}, "Set up a Soviet unit."});
  types.push_back({"EndSetupStep", "3.1", {}, "This step of the set-up is complete."});
}

void add_soviet(std::vector<OrderType>& types) {
  types.push_back({"DeclareMaximumEffort",
                   "6.7",
                   {},
                   "No movement this turn, but two combat phases; once in the game."});
  types.push_back({"Reconnoitre",
                   "17.3",
                   {unit("reconUnit", "unit"), hex()},
                   "Look at a German stack within two hexes."});
  types.push_back({"PlaceReinforcement",
                   "7.1",
                   {unit("unit"), hex()},
                   "Bring a unit that is due onto its edge of the map."});
  types.push_back({"ReplaceUnit",
                   "8.2",
                   {unit("deadUnit", "unit"), hex()},
                   "Bring a dead unit back for Stavka points."});
  types.push_back({"PlaceBombardment",
                   "15.3",
                   {marker(true), hex()},
                   "Place an artillery or air marker for Stavka points."});
  types.push_back({"AirReconnaissance",
                   "17.4",
                   {marker(false)},
                   "Use up the air marker just placed to look at the stacks in its zone."});
  types.push_back({"MoveUnit",
                   "9.4",
                   {unit("unit"), hexes("path"), flag("forcedMarch")},
                   "Move a unit, hex by hex."});
  types.push_back({"RollFatigue", "20.2", {}, "Roll two dice for the fatigue of the Front."});
}

void add_german(std::vector<OrderType>& types) {
  types.push_back({"RollOptionalArrival", "22.1", {}, "Roll for the arrival of the relief group."});
  types.push_back({"PlaceReliefUnit",
                   "22.4",
                   {unit("unit"), hex()},
                   "Bring a unit of the relief group onto the edge of the map."});
  types.push_back({"RollStaticReinforcement", "7.3", {}, "Roll for a static unit from the pool."});
  types.push_back({"PlaceStaticReinforcement",
                   "7.3",
                   {unit("unit"), hex(), flag("faceUp")},
                   "Place the static unit just drawn."});
  types.push_back({"PlaceSniper", "16.5", {unit("unit"), hex()}, "Place a sniper."});
  types.push_back({"UseEmergencyAirfield",
                   "16.3",
                   {unit("airfield"), units("units"), hexes("hexes")},
                   "Spend an airfield to bring two static infantry units back."});
  types.push_back({"UseSupplyDepot",
                   "16.7",
                   {unit("depot"), unit("unit"), hex()},
                   "Spend a depot to bring a mobile unit back."});
  types.push_back({"RollGermanMovement",
                   "9.3",
                   {},
                   "Roll the movement points of the German units of the sector."});
  types.push_back({"ExitWest", "26.1", {unit("unit")}, "Leave the map by its west edge."});
  types.push_back(
      {"PlaceMe262", "22.5", {hex(), unit("marker", "", false)}, "Place the Me 262 air strike."});
  types.push_back(
      {"RevealStatic", "16.8", {unit("unit")}, "Turn an own static unit face up.", true});
}

void add_combat(std::vector<OrderType>& types) {
  types.push_back({"DeclareAttack",
                   "12.2",
                   {units("attackerUnits"),
                    hexes("defenderHexes", false),
                    units("defenderUnits", false),
                    {"crt", FieldKind::kChoice, false, {"Mobile", "Assault"}}},
                   "Attack one or more adjacent hexes.",
                   true});
  types.push_back({"ChooseLosses", "12.24", {units("units")}, "Which of the own units are lost."});
  types.push_back({"DeclineRetreat",
                   "13.6",
                   {units("units", false), unit("unit", "", false)},
                   "Germans in an objective hex ignore the retreat."});
  types.push_back(
      {"Retreat",
       "13.3",
       {unit("unit", "", false), units("units", false), hexes("path", false), flag("offMap")},
       "Retreat a unit along a path."});
  types.push_back({"StopPanicInObjective",
                   "13.6",
                   {unit("unit")},
                   "End a panic retreat in the objective hex just entered."});
  types.push_back({"Advance", "14.3", {unit("unit"), hexes("path")}, "Advance a victorious unit."});
  types.push_back({"EndAdvance", "14.3", {}, "Nobody else advances."});
  types.push_back({"EndPhase", "4.3", {}, "Go on to the next phase.", true});
}

std::vector<OrderType> make_types() {
  std::vector<OrderType> types;
  add_setup(types);
  add_soviet(types);
  add_german(types);
  add_combat(types);
  return types;
}

}  // namespace

std::span<const OrderType> order_types() {
  static const std::vector<OrderType> types = make_types();
  return types;
}

const OrderType& order_type(std::string_view name) {
  for (const OrderType& type : order_types()) {
    if (type.name == name) return type;
  }
  assert(false && "no such order type");
  return order_types().front();
}

Order order(std::string_view type, SideId side) {
  return Order(order_type(type), side);
}

}  // namespace wardiary::reichstag

// The unit-type table [TBL, 2.2, 2.6].
#include "domain/systems/eastfront/data.h"

namespace wardiary::eastfront {
namespace {

constexpr Firepower kNo = Firepower::kNone, kSF = Firepower::kSingle, kDF = Firepower::kDouble,
                    kTF = Firepower::kTriple;

//   name, speed Dry/Mud/Snow, offence, defence, step cost Axis/Soviet, cadre cost, lowest step
constexpr UnitTypeFacts kTable[kUnitTypes] = {
    {"Armor", {3, 1, 2}, kDF, kDF, {8, 4}, {12, 8}, 1},
    {"SSArmor", {3, 1, 2}, kTF, kTF, {8, 0}, {12, 0}, 1},
    {"Mech", {3, 1, 2}, kSF, kDF, {6, 3}, {9, 6}, 1},
    {"SSMech", {3, 1, 2}, kDF, kTF, {6, 0}, {9, 0}, 1},
    {"Infantry", {2, 1, 1}, kSF, kSF, {4, 2}, {6, 4}, 1},
    {"Cavalry", {3, 2, 2}, kSF, kSF, {0, 3}, {0, 6}, 1},
    {"Shock", {1, 1, 1}, kDF, kDF, {0, 3}, {0, 6}, 1},
    {"Para", {2, 1, 1}, kSF, kDF, {0, 6}, {0, 12}, 1},
    {"Mountain", {2, 1, 1}, kSF, kSF, {5, 0}, {8, 0}, 1},
    {"Coastal", {2, 1, 1}, kSF, kSF, {0, 2}, {0, 6}, 1},
    {"Static", {1, 1, 1}, kSF, kSF, {3, 0}, {2, 0}, 0},
    {"HQ", {2, 1, 1}, kNo, kNo, {10, 10}, {20, 20}, 0},
    {"SHQ", {2, 1, 1}, kNo, kNo, {10, 10}, {20, 20}, 0},
};

}  // namespace

const UnitTypeFacts& facts_of(UnitType type) {
  return kTable[static_cast<std::size_t>(type)];
}

bool unit_type_from(std::string_view name, UnitType& type) {
  for (int i = 0; i < kUnitTypes; ++i) {
    if (kTable[i].name != name) continue;
    type = static_cast<UnitType>(i);
    return true;
  }
  return false;
}

}  // namespace wardiary::eastfront

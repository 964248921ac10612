// The unit-type table [TBL, 2.2, 2.6].
#include "domain/systems/eastfront/data.h"

namespace wardiary::eastfront {
namespace {

constexpr Firepower kNo = Firepower::kNone, kSF = Firepower::kSingle, kDF = Firepower::kDouble,
                    kTF = Firepower::kTriple;

//   name, speed Dry/Mud/Snow, offence, defence, step cost Axis/Soviet, cadre cost, lowest step
constexpr UnitTypeFacts kTable[kUnitTypes] = {
    {"armor", {3, 1, 2}, kDF, kDF, {8, 4}, {12, 8}, 1},
    {"ssarmor", {3, 1, 2}, kTF, kTF, {8, 0}, {12, 0}, 1},
    {"mech", {3, 1, 2}, kSF, kDF, {6, 3}, {9, 6}, 1},
    {"ssmech", {3, 1, 2}, kDF, kTF, {6, 0}, {9, 0}, 1},
    {"infantry", {2, 1, 1}, kSF, kSF, {4, 2}, {6, 4}, 1},
    {"cavalry", {3, 2, 2}, kSF, kSF, {0, 3}, {0, 6}, 1},
    {"shock", {1, 1, 1}, kDF, kDF, {0, 3}, {0, 6}, 1},
    {"para", {2, 1, 1}, kSF, kDF, {0, 6}, {0, 12}, 1},
    {"mountain", {2, 1, 1}, kSF, kSF, {5, 0}, {8, 0}, 1},
    {"coastal", {2, 1, 1}, kSF, kSF, {0, 2}, {0, 6}, 1},
    {"static", {1, 1, 1}, kSF, kSF, {3, 0}, {2, 0}, 0},
    {"hq", {2, 1, 1}, kNo, kNo, {10, 10}, {20, 20}, 0},
    {"shq", {2, 1, 1}, kNo, kNo, {10, 10}, {20, 20}, 0},
};

}  // namespace

const UnitTypeFacts& facts_of(UnitType type) {
  return kTable[static_cast<std::size_t>(type)];
}

bool unit_type_from(std::string_view name, UnitType& type) {
  std::string lower(name);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  for (int i = 0; i < kUnitTypes; ++i) {
    if (kTable[i].name != lower) continue;
    type = static_cast<UnitType>(i);
    return true;
  }
  return false;
}

}  // namespace wardiary::eastfront

// The two combat results tables [27.1, 27.2] and the column of an attack [12.22].
#include <cassert>

#include "domain/systems/reichstag/data.h"

namespace wardiary::reichstag {
namespace {

using R = CombatResult;

constexpr R kMobileTable[6][kColumns] = {
    {R::kAP, R::kAP, R::kAP, R::kAR, R::kMD, R::kMD, R::kMD, R::kMD},
    {R::kAP, R::kAP, R::kAR, R::kMD, R::kMD, R::kDR, R::kDR, R::kDP},
    {R::kAP, R::kAR, R::kMD, R::kMD, R::kDR, R::kDR, R::kDP, R::kDP},
    {R::kAR, R::kMD, R::kDR, R::kDR, R::kDR, R::kDP, R::kDP, R::kDP},
    {R::kAR, R::kDR, R::kDR, R::kDR, R::kDP, R::kDP, R::kDP, R::kOR},
    {R::kAR, R::kDR, R::kDP, R::kDP, R::kDP, R::kDP, R::kOR, R::kOR},
};

constexpr R kAssaultTable[6][kColumns] = {
    {R::kAD, R::kAD, R::kAD, R::kAA, R::kBB, R::kBB, R::kBB, R::kBB},
    {R::kAD, R::kAD, R::kAA, R::kAA, R::kBB, R::kBB, R::kBB, R::kBB},
    {R::kAD, R::kAA, R::kAA, R::kBB, R::kDA, R::kDA, R::kBB, R::kBB},
    {R::kAA, R::kAA, R::kBB, R::kDA, R::kDA, R::kDA, R::kDA, R::kDD},
    {R::kAA, R::kBB, R::kDA, R::kDA, R::kDA, R::kDD, R::kDD, R::kDE},
    {R::kAA, R::kDA, R::kDA, R::kDA, R::kDD, R::kDD, R::kDE, R::kDE},
};

// The least percentage of each column but the first.
constexpr int kColumnFrom[] = {50, 100, 200, 300, 400, 500, 600};

}  // namespace

std::string_view name_of(CombatResult result) {
  constexpr std::string_view kNames[] = {"none", "AA", "AD", "AP", "AR", "BB", "DA",
                                         "DD",   "DE", "DP", "DR", "MD", "OR"};
  return kNames[static_cast<std::size_t>(result)];
}

std::string_view name_of_column(int column) {
  constexpr std::string_view kNames[] = {"<=49",    "50-99",   "100-199", "200-299",
                                         "300-399", "400-499", "500-599", ">=600"};
  return kNames[static_cast<std::size_t>(column)];
}

int column_of(int attack, int defence) {
  if (defence == 0) return kColumns - 1;
  const int percent = 100 * attack / defence;  // cut off, not rounded [12.22, R-03]
  int column = 0;
  for (int from : kColumnFrom) column += percent >= from;
  return column;
}

CombatResult look_up(Crt crt, int column, int die) {
  assert(die >= 1 && die <= 6 && column >= 0 && column < kColumns);
  const auto& table = crt == Crt::kMobile ? kMobileTable : kAssaultTable;
  return table[die - 1][column];
}

}  // namespace wardiary::reichstag

// Which die of a roll a value belongs to.
import type { DiceRolled } from "../api/types";

export function dieOf(roll: DiceRolled, index: number): { sides: number; hit: boolean } {
  let i = index;
  for (const group of roll.groups) {
    if (i < group.count) return { sides: group.sides, hit: Boolean(group.hitsFrom) && (roll.values[index] ?? 0) >= (group.hitsFrom ?? 99) };
    i -= group.count;
  }
  return { sides: 6, hit: false };
}

// How ordinary the dice look, told so that one may look after every roll: e-processes start at 1 and,
// with fair dice, ever exceed 20 in at most one history of twenty (Ville's inequality). And exact
// chances of single rolls.
import type { DiceRolled } from "../api/types";

// Strengths of the prior that are averaged: one alone is poor near fair dice.
const STRENGTHS = [6, 24, 96, 384, 1536];

export class FaceEvidence {
  private readonly counts: number[];
  private readonly logs: number[];
  private dice = 0;
  constructor(readonly sides: number, private readonly strengths = STRENGTHS) {
    this.counts = new Array<number>(sides).fill(0);
    this.logs = new Array<number>(strengths.length).fill(0);
  }
  add(face: number): void {
    const count = this.counts[face - 1];
    if (count === undefined) return;
    this.strengths.forEach((strength, i) => {
      const expected = strength / this.sides;
      this.logs[i]! += Math.log(((expected + count) / (strength + this.dice)) * this.sides);
    });
    this.counts[face - 1] = count + 1;
    ++this.dice;
  }
  // The average of the e-processes.
  get value(): number {
    return this.logs.reduce((sum, log) => sum + Math.exp(log), 0) / this.logs.length;
  }
}

export interface EvidencePoint {
  version: number;
  value: number;
}
// The evidence against fair dice after each roll, over every die of the game: the mean over the kinds
// of dice, which is again an e-process.
export function evidenceOf(rolls: DiceRolled[]): EvidencePoint[] {
  const kinds = new Map<number, FaceEvidence>();
  return rolls.map((roll) => {
    let index = 0;
    for (const group of roll.groups) {
      if (group.kind === "dice") {
        let kind = kinds.get(group.sides);
        if (!kind) kinds.set(group.sides, (kind = new FaceEvidence(group.sides)));
        for (let i = 0; i < group.count; ++i) kind.add(roll.values[index + i] ?? 0);
      }
      index += group.count;
    }
    const values = [...kinds.values()].map((kind) => kind.value);
    return { version: roll.version, value: values.length ? values.reduce((sum, e) => sum + e, 0) / values.length : 1 };
  });
}
export type EvidenceLevel = "fits" | "none" | "watch" | "unusual" | "strong";
export function evidenceLevel(value: number): EvidenceLevel {
  if (value < 1) return "fits";
  if (value < 10) return "none";
  if (value < 20) return "watch";
  return value < 100 ? "unusual" : "strong";
}

// The chance of each number of hits of a roll, exactly; null where it counts none.
export function hitChances(roll: DiceRolled): number[] | null {
  let chances = [1];
  let counted = false;
  for (const group of roll.groups) {
    if (group.kind !== "dice" || !group.hitsFrom) continue;
    counted = true;
    const p = Math.max(0, Math.min(1, (group.sides - group.hitsFrom + 1) / group.sides));
    for (let die = 0; die < group.count; ++die) {
      const next = new Array<number>(chances.length + 1).fill(0);
      chances.forEach((chance, hits) => {
        next[hits]! += chance * (1 - p);
        next[hits + 1]! += chance * p;
      });
      chances = next;
    }
  }
  return counted ? chances : null;
}
export interface Odds {
  exactly: number;
  atLeast: number;
  atMost: number;
}
export function oddsOf(roll: DiceRolled): Odds | null {
  const chances = hitChances(roll);
  if (!chances || roll.hits === undefined) return null;
  const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
  return { exactly: chances[roll.hits] ?? 0, atLeast: sum(chances.slice(roll.hits)), atMost: sum(chances.slice(0, roll.hits + 1)) };
}

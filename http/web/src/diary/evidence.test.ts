import { describe, expect, it } from "vitest";
import type { DiceRolled } from "../api/types";
import { evidenceLevel, evidenceOf, FaceEvidence, hitChances, oddsOf } from "./evidence";

function roll(values: number[], hitsFrom: number, version = 1): DiceRolled {
  return {
    type: "DiceRolled", version, roller: "axis", number: 0, purpose: "fire", grade: "solo", values,
    hits: values.filter((v) => v >= hitsFrom).length, groups: [{ kind: "dice", count: values.length, sides: 6, hitsFrom }],
  };
}
// Counts of faces, in any order: the process does not care.
function after(counts: number[], strengths?: number[]): number {
  const evidence = new FaceEvidence(6, strengths);
  counts.forEach((count, face) => {
    for (let i = 0; i < count; ++i) evidence.add(face + 1);
  });
  return evidence.value;
}

describe("evidence against fair dice", () => {
  it("agrees with the exact values of one prior and of the average", () => {
    const counts = [50, 50, 50, 50, 50, 100];
    expect(after(counts, [6])).toBeCloseTo(97, -0.5);
    expect(after(counts, [3])).toBeCloseTo(12.9, 1);
    expect(Math.round(after(counts))).toBe(1615);
  });
  it("starts at nothing, falls while the dice are even and rises when they are not", () => {
    expect(after([0, 0, 0, 0, 0, 0])).toBe(1);
    expect(after([20, 20, 20, 20, 20, 20])).toBeLessThan(1);
    const sixes = evidenceOf(Array.from({ length: 12 }, (_, i) => roll([6], 6, i + 1)));
    expect(sixes.at(-1)!.value).toBeGreaterThan(100);
    expect(evidenceLevel(sixes.at(-1)!.value)).toBe("strong");
    expect(evidenceLevel(0.4)).toBe("fits");
  });
});

describe("the chance of a roll", () => {
  it("is exact, whatever dice are thrown together", () => {
    const mixed = { ...roll([6, 6, 1], 6), groups: [{ kind: "dice", count: 2, sides: 6, hitsFrom: 6 }, { kind: "dice", count: 1, sides: 6, hitsFrom: 4 }] } as DiceRolled;
    const chances = hitChances(mixed)!;
    expect(chances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    expect(chances[3]).toBeCloseTo(1 / 72, 12);
    expect(oddsOf(roll([6, 6], 6))!.atLeast).toBeCloseTo(1 / 36, 12);
    expect(oddsOf(roll([1, 1], 6))!.atMost).toBeCloseTo(25 / 36, 12);
  });
});

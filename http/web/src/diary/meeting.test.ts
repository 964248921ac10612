import { describe, expect, it } from "vitest";
import type { Branch, Timeline } from "../api/types";
import { sameMoment, sharedVersion } from "./meeting";

const branch = (id: string, parent: string | null, forkedAt: number, version: number): Branch => ({ id, parent, forkedAt, version, name: "", reason: "", deleted: false });
const main = branch("main", null, 0, 100);
const fork = branch("fork", "main", 40, 70);
const deep = branch("deep", "fork", 60, 90);
const all = [main, fork, deep];
function timeline(...phases: [turn: number, phase: string, first: number, last: number][]): Timeline {
  return { version: phases.at(-1)![3], phases: phases.map(([turn, phase, first, last]) => ({ turn, turnName: `T${turn}`, phase, side: "axis", first, last, orders: 0, rolls: 0, losses: {}, strength: {} })) };
}

describe("the same moment on another line", () => {
  it("knows how far two lines are one", () => {
    expect(sharedVersion(main, fork, all)).toBe(40);
    expect(sharedVersion(deep, main, all)).toBe(40);
    expect(sharedVersion(deep, fork, all)).toBe(60);
  });
  it("is the same event in the past they share, and the same phase after it", () => {
    const here = { branch: main, version: 30, timeline: timeline([1, "move", 1, 50], [1, "fight", 51, 80], [2, "move", 81, 100]) };
    const there = { branch: fork, version: 70, timeline: timeline([1, "move", 1, 55], [1, "fight", 56, 70]) };
    expect(sameMoment(here, there, all)).toBe(30);
    expect(sameMoment({ ...here, version: 45 }, there, all)).toBe(55);
    expect(sameMoment({ ...here, version: 60 }, there, all)).toBe(70);
    expect(sameMoment({ ...here, version: 95 }, there, all), "the fork has not come that far").toBe(70);
  });
});

import { describe, expect, it } from "vitest";
import type { DiaryEvent, PositionJson } from "../api/types";
import { MockGame } from "../../../../tests/e2e/mock_game.mjs";
import { compare } from "./compare";
import { Position } from "./position";
import { Replayer } from "./replayer";

// Values at their initial are absent in the service's JSON; the fold may hold them.
const INITIAL: Record<string, unknown> = { cv: 0, supplied: true, role: "inactive", control: "none" };

function plain(position: Position) {
  const values = (all: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(all).filter(([name, value]) => name !== "side" && value !== INITIAL[name]).sort());
  const units = [...position.units.values()].map((u) => ({ id: u.id, at: u.at, ...values(u.values) }))
    .filter((u) => u.at !== null || Object.keys(u).length > 2).sort((a, b) => a.id.localeCompare(b.id));
  const spaces = [...position.spaces].map(([id, all]) => ({ id, ...values(all) })).filter((s) => Object.keys(s).length > 1)
    .sort((a, b) => a.id.localeCompare(b.id));
  const { clock, pending, over, winner } = position;
  return { clock, pending, over, winner, units, spaces };
}

const game = new MockGame({ scenario: "S42", seed: 11, turns: 3 });
const events = game.events as DiaryEvent[];
const told = (version: number) => plain(Position.from(game.positionAt(version).position as PositionJson));

describe("the fold in the browser", () => {
  it("comes to the service's position after every event", () => {
    const position = new Position("setup");
    events.forEach((event, i) => {
      expect(position.apply(event), `event ${i + 1} fits`).toBe(true);
      if (i % 23 === 0 || i === events.length - 1) expect(plain(position)).toEqual(told(i + 1));
    });
  });

  it("walks back to where it came from", () => {
    const position = Position.from(game.positionAt(events.length).position as PositionJson);
    for (let version = events.length; version > 1; --version) {
      expect(position.revert(events[version - 1]!)).toBe(true);
      if (version % 31 === 0) expect(plain(position)).toEqual(told(version - 1));
    }
  });

  it("says when an event does not follow", () => {
    const position = Position.from(game.positionAt(events.length).position as PositionJson);
    const move = events.find((event) => event.type === "UnitMoved")!;
    expect(position.apply(move)).toBe(false);
  });

  it("goes anywhere in any order and is always right", () => {
    const replayer = new Replayer("setup");
    replayer.add(events);
    let at = 7;
    for (let i = 0; i < 60; ++i) {
      at = (at * 131 + 17) % events.length + 1;
      const seen = replayer.seek(at);
      expect(seen.exact).toBe(true);
      expect(plain(seen.position)).toEqual(told(at));
    }
  });

  it("takes the same events twice, as two readers bring them", () => {
    const replayer = new Replayer("setup");
    replayer.add(events.slice(0, 30));
    replayer.add(events.slice(20, 40));
    expect(replayer.version).toBe(40);
    expect(plain(replayer.seek(40).position)).toEqual(told(40));
  });

  it("refuses events with a gap", () => {
    const replayer = new Replayer();
    replayer.add(events.slice(0, 3));
    expect(() => replayer.add(events.slice(5, 6))).toThrow(/does not follow/);
  });
});

describe("hidden blocks", () => {
  const start = (): Position => Position.from({
    clock: { turn: 1, turnName: "", phase: "movement" }, spaces: [], links: [], tracks: {}, pools: {}, pending: {}, over: false,
    units: [{ id: "?soviet@1515.1", at: "1515", side: "soviet" }, { id: "?soviet@1515.2", at: "1515", side: "soviet" }],
  });
  const blocks = (position: Position) => [...position.units.values()].map((u) => u.at).sort();

  it("move without a name, and back", () => {
    const position = start();
    const move: DiaryEvent = { version: 2, type: "UnitMoved", unit: "?soviet@1515", path: ["1515", "1516"] };
    expect(position.apply(move)).toBe(true);
    expect(blocks(position)).toEqual(["1515", "1516"]);
    expect(position.revert(move)).toBe(true);
    expect(blocks(position)).toEqual(["1515", "1515"]);
  });

  it("make the replayer admit that it is guessing", () => {
    const replayer = new Replayer();
    replayer.add([{ version: 1, type: "Hidden" }, { version: 2, type: "Ruling", text: "" }]);
    expect(replayer.seek(2).exact).toBe(false);
    replayer.learn(2, { clock: { turn: 1, turnName: "I", phase: "p" }, units: [], spaces: [], links: [], tracks: {}, pools: {}, pending: {}, over: false });
    expect(replayer.seek(2).exact).toBe(true);
  });
});

describe("comparing positions", () => {
  it("finds nothing between equals, and what a move changes", () => {
    const a = Position.from(game.positionAt(200).position as PositionJson);
    expect(compare(a, a.clone())).toEqual({ units: [], spaces: [] });
    const b = a.clone();
    const unit = [...b.units.values()].find((one) => one.at)!;
    unit.at = "0802";
    expect(compare(a, b).units.map((one) => one.unit)).toEqual([unit.id]);
  });
});

describe("the mark of a position's spaces", () => {
  it("is the same only where they are the same, however one goes through the game", () => {
    const replayer = new Replayer();
    replayer.add(events);
    const seen = new Map<number, string>();
    let kept = 0;
    for (let i = 0; i < 600; ++i) {
      const { position } = replayer.seek(1 + ((i * i * 7) % events.length));
      const spaces = JSON.stringify([...position.spaces]);
      const before = seen.get(position.spacesMark);
      if (before !== undefined) {
        expect(spaces).toBe(before);
        ++kept;
      }
      seen.set(position.spacesMark, spaces);
    }
    for (let version = 1; version <= 200; ++version) {
      const { position } = replayer.seek(version);
      if (seen.has(position.spacesMark)) ++kept;
      seen.set(position.spacesMark, JSON.stringify([...position.spaces]));
    }
    expect(kept).toBeGreaterThan(50);
  });
});

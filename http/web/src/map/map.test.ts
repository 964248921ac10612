import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Board } from "../api/types";
import { MockGame } from "../../../../tests/e2e/mock_game.mjs";
import { linkKey, Position } from "../diary/position";
import type { PositionJson } from "../api/types";
import { faceOf } from "./face";
import { cellAt, layOut, neighbourTowards, stackPlaces, type Cell } from "./geometry";
import { palette } from "./palette";
import { actorOf, battleSpaces, controlShapes, counters, curve, frontLine, linkMarkers, reachShapes, targetOf } from "./scene";
import { symbolOf } from "./symbols";
import { sideStyle } from "./terrain";

const board = JSON.parse(readFileSync(new URL("../../../../domain/systems/eastfront/data/boards/eastfront.json", import.meta.url), "utf8")) as Board;
const layout = layOut(board);
const facts = { type: () => "infantry", printed: () => undefined, side: () => "axis" };

describe("the layout of a hex board", () => {
  it("gives neighbours a common side and strangers none", () => {
    const edge = layout.edges.find((one) => one.link.a === "1515" || one.link.b === "1515")!;
    expect(edge.lines[0]).toHaveLength(2);
    expect(layout.edges.every((one) => one.lines.length === 1)).toBe(true);
  });
  it("finds every space again at its middle", () => {
    for (const cell of layout.cells.values()) expect(cellAt(layout, cell.centre)).toBe(cell);
    expect(cellAt(layout, { x: -1e6, y: 0 })).toBeUndefined();
  });
  it("lets arrow keys walk there and back", () => {
    const east = neighbourTowards(layout, "1515", 1, 0)!;
    expect(east).toBe("1615");
    expect(neighbourTowards(layout, east, -1, 0)).toBe("1515");
  });
});

describe("the layout of an area board", () => {
  const square = (x: number): [number, number][] => [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]];
  const areas = layOut({
    id: "a", title: "", kind: "area", layout: {},
    spaces: [{ id: "1", x: 5, y: 5, terrain: "green", polygon: square(0) }, { id: "2", x: 15, y: 5, terrain: "green", polygon: square(10) }],
    links: [{ a: "1", b: "2", side: "clear", border: [[[10, 0], [10, 10]]] }],
  });
  it("uses its polygons and borders", () => {
    expect(cellAt(areas, areas.cells.get("2")!.centre)?.space.id).toBe("2");
    expect(areas.edges[0]!.lines[0]).toHaveLength(2);
  });
});

describe("stacks", () => {
  it("never overlap and stay in their space", () => {
    const cell = layout.cells.get("1515")!;
    for (let n = 1; n <= 12; ++n) {
      const { size, places } = stackPlaces(n, cell, layout.counter);
      expect(places).toHaveLength(n);
      for (const [i, a] of places.entries()) {
        expect(Math.abs(a.x - cell.centre.x) + size / 2).toBeLessThan(cell.radius * 1.1);
        for (const b of places.slice(i + 1)) expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))).toBeGreaterThanOrEqual(size);
      }
    }
  });
});

describe("a scene", () => {
  const game = new MockGame({ scenario: "S42", seed: 5, turns: 2 });
  const position = Position.from(game.positionAt(game.version).position as PositionJson);
  it("shows every unit that is on the board, once", () => {
    const on = [...position.units.values()].filter((unit) => unit.at).map((unit) => unit.id).sort();
    expect(counters(layout, position, facts, null).map((one) => one.id).sort()).toEqual(on);
  });
  it("draws control and a front between the sides", () => {
    expect(controlShapes(layout, position).map((one) => one.holder)).toEqual(expect.arrayContaining(["axis", "soviet"]));
    expect(frontLine(layout, position, ["axis", "soviet"]).length).toBeGreaterThan(100);
  });
  it("marks battles where both sides stand", () => {
    for (const id of battleSpaces(position, facts)) {
      const sides = new Set([...position.units.values()].filter((u) => u.at === id).map((u) => u.values.side));
      expect(sides.size).toBe(2);
    }
  });
  it("bends an arrow through its path", () => {
    expect(curve([{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }])).toBe("M0 0Q10 0 10 5L10 10");
  });
});

describe("orders on the map", () => {
  it("have an actor and a target", () => {
    const order = { type: "MoveUnit", side: "axis", unit: "X", path: ["1514", "1515"], commandingHQ: "U" };
    expect(actorOf(order, () => true)).toBe("X");
    expect(targetOf(order, layout)).toBe("1515");
    expect(targetOf({ type: "EndMovement", side: "axis" }, layout)).toBeNull();
  });
});

describe("symbols", () => {
  it("exist for the unit types of all systems", () => {
    for (const type of ["infantry", "armor", "SSArmor", "mech", "cavalry", "shock", "para", "mountain", "coastal", "static", "hq", "shq", "rifle_division", "artillery", "engineer"]) {
      const symbol = symbolOf(type);
      expect(symbol.lines + symbol.fills + symbol.text, type).not.toBe("");
    }
    expect(symbolOf("something").text).toBe("SO");
  });
});

describe("boards of any game", () => {
  it("reads a counter's values from its attributes first, then from what is printed", () => {
    expect(faceOf({ attack: 4 }, { id: "a", attack: 6, defence: 5, movement: 7, size: "division" })).toEqual({ values: "4-5-7", size: "XX" });
    expect(faceOf({}, { id: "b", cf: 9, size: "XXX" })).toEqual({ values: "9", size: "XXX" });
    expect(faceOf({ cv: 3 }, { id: "c", type: "armor" })).toEqual({ values: "", size: "" });
  });

  it("has a colour for terrain it has never heard of, and the same one every time", () => {
    const colours = palette(false);
    expect(colours.ground("dense_forest")).toEqual(colours.ground("forest"));
    expect(colours.ground("moonscape").fill).toMatch(/^#/);
    expect(colours.ground("moonscape")).toEqual(colours.ground("moonscape"));
  });

  it("draws every side a board names, and nothing where it says clear", () => {
    const cell = (id: string) => layout.cells.get(id)!;
    const [a, b] = [...layout.cells.keys()].slice(0, 2).map(cell) as [Cell, Cell];
    const edge = (side: string, more = {}) => ({ link: { a: "", b: "", side, ...more }, a, b, lines: [] });
    expect(sideStyle(edge("clear"))).toBeNull();
    expect(sideStyle(edge("major"))!.width).toBeGreaterThan(sideStyle(edge("minor"))!.width);
    expect(sideStyle(edge("barbed_wire"))).not.toBeNull();
  });

  it("outlines what units reach, and crosses out what a position says is blown up", () => {
    const [link] = layout.edges;
    const shapes = reachShapes(layout, [{ unit: "X", kind: "zoc", spaces: [link!.a.space.id] }], ["zoc"], null, facts);
    expect(shapes).toHaveLength(1);
    expect(shapes[0]!.border).not.toBe("");
    expect(reachShapes(layout, [{ unit: "X", kind: "zoc", spaces: [] }], ["command"], null, facts)).toEqual([]);
    const ruined = new Position();
    ruined.links.set(linkKey(link!.link.a, link!.link.b), { bridge: "demolished" });
    expect(linkMarkers(layout, ruined)).toHaveLength(1);
    expect(linkMarkers(layout, new Position())).toEqual([]);
  });
});

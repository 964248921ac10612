// What a position looks like on the map: counters in their places, fronts, arrows, battles.
import type { DiaryEvent, PrintedUnit, UnitReach, UnitSupply } from "../api/types";
import { isHidden, linkKey, type Position, sideOfHidden } from "../diary/position";
import { faceOf, shortLabel } from "./face";
import { type Layout, pathOf, type Point, stackPlaces } from "./geometry";

export interface Counter {
  id: string;
  side: string;
  type: string;
  label: string;
  hidden: boolean;
  steps: number | null;
  values: string;
  echelon: string;
  at: string;
  x: number;
  y: number;
  size: number;
  unsupplied: boolean;
  active: boolean;
  faceUp: boolean;
}
export function sameCounter(a: Counter, b: Counter): boolean {
  for (const key of Object.keys(a) as (keyof Counter)[]) if (a[key] !== b[key]) return false;
  return true;
}
export interface UnitFacts {
  type(id: string): string;
  side(id: string): string;
  printed(id: string): PrintedUnit | undefined;
}

// The step attribute by system: the first of these a unit has.
const STEPS = ["cv", "steps", "strength", "step"];

export function stepsOf(values: Record<string, unknown>): number | null {
  for (const name of STEPS) if (typeof values[name] === "number") return values[name] as number;
  return null;
}

const NO_FACE = { values: "", size: "" };

// What a unit's counter shows, wherever it is drawn.
function faceUp(id: string, position: Position, facts: UnitFacts, supply: Map<string, UnitSupply> | null): Omit<Counter, "side" | "at" | "x" | "y" | "size"> {
  const values = position.units.get(id)?.values ?? {};
  const hidden = isHidden(id);
  const known = supply?.get(id);
  const face = hidden ? NO_FACE : faceOf(values, facts.printed(id));
  return {
    id,
    type: facts.type(id),
    label: hidden ? "" : shortLabel(id),
    hidden,
    steps: hidden ? null : stepsOf(values),
    values: face.values,
    echelon: face.size,
    unsupplied: known ? known.status !== "supplied" : values.supplied === false,
    active: typeof values.role === "string" && values.role !== "inactive",
    faceUp: values.shown === true,
  };
}
// A unit's counter by itself, drawn 42 wide around the origin.
export function portrait(id: string, position: Position, facts: UnitFacts): Counter {
  return { ...faceUp(id, position, facts, null), active: false, side: facts.side(id), at: "", x: 0, y: 0, size: 42 };
}

export function counters(layout: Layout, position: Position, facts: UnitFacts,
                         supply: Map<string, UnitSupply> | null, grown = 1): Counter[] {
  const stacks = new Map<string, string[]>();
  for (const unit of position.units.values()) {
    if (unit.at === null || !layout.cells.has(unit.at)) continue;
    const stack = stacks.get(unit.at);
    if (stack) stack.push(unit.id);
    else stacks.set(unit.at, [unit.id]);
  }
  const found: Counter[] = [];
  for (const [at, ids] of stacks) {
    const cell = layout.cells.get(at)!;
    const sideOf = (id: string) => {
      const side = position.units.get(id)!.values.side;
      return typeof side === "string" ? side : isHidden(id) ? sideOfHidden(id) : facts.side(id);
    };
    ids.sort((a, b) => sideOf(a).localeCompare(sideOf(b)));
    const { size, places } = stackPlaces(ids.length, cell, layout.counter * grown, grown);
    ids.forEach((id, i) => {
      found.push({ ...faceUp(id, position, facts, supply), side: sideOf(id), at, x: places[i]!.x, y: places[i]!.y, size });
    });
  }
  return found;
}

// Who holds a space, whatever the system calls it.
export function holder(values: Record<string, unknown> | undefined): string | null {
  for (const name of ["control", "owner", "held"]) {
    const value = values?.[name];
    if (typeof value === "string" && value !== "none") return value;
  }
  return null;
}

export interface ControlShape {
  holder: string;
  d: string;
}
export function controlShapes(layout: Layout, position: Position): ControlShape[] {
  const parts = new Map<string, string[]>();
  for (const [id, values] of position.spaces) {
    const side = holder(values);
    const cell = layout.cells.get(id);
    if (!side || !cell) continue;
    const list = parts.get(side);
    if (list) list.push(cell.outline);
    else parts.set(side, [cell.outline]);
  }
  return [...parts].map(([side, list]) => ({ holder: side, d: list.join("") }));
}

// The line between spaces that different sides hold.
export function frontLine(layout: Layout, position: Position, sides: string[]): string {
  let d = "";
  for (const edge of layout.edges) {
    const a = holder(position.spaces.get(edge.a.space.id));
    const b = holder(position.spaces.get(edge.b.space.id));
    if (!a || !b || a === b) continue;
    if (!sides.includes(a) && !sides.includes(b)) continue;
    for (const line of edge.lines) d += pathOf(line, false);
  }
  return d;
}

// The outline of a set of spaces: every side that has one of its two spaces in the set.
export function borderOf(layout: Layout, spaces: Set<string>): string {
  let d = "";
  for (const edge of layout.edges) {
    if (spaces.has(edge.a.space.id) === spaces.has(edge.b.space.id)) continue;
    for (const line of edge.lines) d += pathOf(line, false);
  }
  return d;
}
export interface ReachShape {
  key: string;
  kind: string;
  side: string;
  area: string;
  border: string;
}
// What each side's units reach together, by kind; or only what one unit does.
export function reachShapes(layout: Layout, reach: UnitReach[], kinds: string[], only: string | null, facts: UnitFacts): ReachShape[] {
  const sets = new Map<string, { kind: string; side: string; spaces: Set<string> }>();
  for (const one of reach) {
    if (only ? one.unit !== only : !kinds.includes(one.kind)) continue;
    const side = facts.side(one.unit);
    const key = `${one.kind}/${side}`;
    let set = sets.get(key);
    if (!set) sets.set(key, (set = { kind: one.kind, side, spaces: new Set() }));
    for (const space of one.spaces) set.spaces.add(space);
  }
  return [...sets].map(([key, { kind, side, spaces }]) => ({
    key, kind, side, border: borderOf(layout, spaces),
    area: [...spaces].map((id) => layout.cells.get(id)?.outline ?? "").join(""),
  }));
}

export interface Marker {
  key: string;
  kind: "broken";
  x: number;
  y: number;
}
// Bridges and other ways that a position says are gone.
const BROKEN = ["demolished", "blown", "destroyed", "broken"];
export function linkMarkers(layout: Layout, position: Position): Marker[] {
  const found: Marker[] = [];
  if (!position.links.size) return found;
  for (const edge of layout.edges) {
    const values = position.links.get(linkKey(edge.link.a, edge.link.b));
    const gone = values && Object.entries(values).some(([name, value]) =>
      (BROKEN.includes(name) && value !== false && value !== 0 && value !== null) ||
      (typeof value === "string" && BROKEN.includes(value)) || (name === "bridge" && value === false));
    if (!gone) continue;
    const line = edge.lines[0];
    const a = line?.[0] ?? edge.a.centre;
    const b = line?.[line.length - 1] ?? edge.b.centre;
    found.push({ key: `${edge.link.a}|${edge.link.b}`, kind: "broken", x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  }
  return found;
}

export function battleSpaces(position: Position, facts: UnitFacts): string[] {
  const seen = new Map<string, string>();
  const found = new Set<string>();
  for (const unit of position.units.values()) {
    if (unit.at === null) continue;
    const side = typeof unit.values.side === "string" ? unit.values.side : facts.side(unit.id);
    const other = seen.get(unit.at);
    if (other === undefined) seen.set(unit.at, side);
    else if (other !== side) found.add(unit.at);
  }
  return [...found];
}

export interface Arrow {
  version: number;
  side: string;
  d: string;
  now: boolean;
}
// A smooth way through the middles of a path's spaces.
export function curve(points: Point[]): string {
  if (points.length < 2) return "";
  const round = (n: number) => Math.round(n * 10) / 10;
  let d = `M${round(points[0]!.x)} ${round(points[0]!.y)}`;
  for (let i = 1; i < points.length - 1; ++i) {
    const p = points[i]!;
    const next = points[i + 1]!;
    d += `Q${round(p.x)} ${round(p.y)} ${round((p.x + next.x) / 2)} ${round((p.y + next.y) / 2)}`;
  }
  const last = points[points.length - 1]!;
  return d + `L${round(last.x)} ${round(last.y)}`;
}

// The moves from event `first` to event `last`.
export function arrows(layout: Layout, events: DiaryEvent[], first: number, last: number, facts: UnitFacts): Arrow[] {
  const found: Arrow[] = [];
  for (let v = first; v <= last; ++v) {
    const event = events[v - 1];
    if (event?.type !== "UnitMoved") continue;
    const points = event.path.map((id) => layout.cells.get(id)?.centre).filter((p): p is Point => Boolean(p));
    const side = isHidden(event.unit) ? sideOfHidden(event.unit) : facts.side(event.unit);
    found.push({ version: v, side, d: curve(points), now: v === last });
  }
  return found;
}

// ---------------------------------------------------------------------------- orders on the map

// The spaces an order points at: its last space fields; and the units it is about.
export function targetOf(order: Record<string, unknown>, layout: Layout): string | null {
  let target: string | null = null;
  for (const [field, value] of Object.entries(order)) {
    if (field === "type" || field === "side") continue;
    const last = Array.isArray(value) ? value[value.length - 1] : value;
    if (typeof last === "string" && layout.cells.has(last)) target = last;
  }
  return target;
}
export function actorOf(order: Record<string, unknown>, isUnit: (id: string) => boolean): string | null {
  for (const field of ["unit", "hq"]) {
    const value = order[field];
    if (typeof value === "string" && isUnit(value)) return value;
  }
  return null;
}

// Where everything of a board is drawn. Hex boards by honeycomb-grid from axial coordinates, area
// boards from their polygons; afterwards nothing on the map cares which it was.
import { defineHex, Orientation } from "honeycomb-grid";
import type { Board, BoardLink, BoardSpace } from "../api/types";

export interface Point {
  x: number;
  y: number;
}
export interface Cell {
  space: BoardSpace;
  centre: Point;
  corners: Point[];
  // Its outline, as SVG path data.
  outline: string;
  // Radius of a circle that fits: what can be drawn in it.
  radius: number;
}
export interface Edge {
  link: BoardLink;
  a: Cell;
  b: Cell;
  // The border between the two, as lines; empty where they do not touch.
  lines: Point[][];
}
export interface Layout {
  cells: Map<string, Cell>;
  edges: Edge[];
  neighbours: Map<string, Edge[]>;
  bounds: { x: number; y: number; width: number; height: number };
  // Size of a unit counter that suits the board.
  counter: number;
  kind: "hex" | "area";
}

const HEX_RADIUS = 58;
const AREA_SCALE = 2.2;

function hexCells(board: Board): Map<string, Cell> {
  const flat = (board.layout.orientation ?? "").startsWith("flat");
  const Hex = defineHex({
    dimensions: HEX_RADIUS,
    orientation: flat ? Orientation.FLAT : Orientation.POINTY,
    origin: { x: 0, y: 0 },
  });
  const cells = new Map<string, Cell>();
  for (const space of board.spaces) {
    const hex = new Hex({ q: space.q ?? 0, r: space.r ?? 0 });
    const corners = hex.corners.map(({ x, y }) => ({ x, y }));
    cells.set(space.id, {
      space,
      centre: { x: hex.x, y: hex.y },
      corners,
      outline: pathOf(corners),
      radius: HEX_RADIUS * 0.866,
    });
  }
  return cells;
}

function areaOf(corners: Point[]): number {
  let twice = 0;
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length]!;
    twice += a.x * b.y - b.x * a.y;
  });
  return Math.abs(twice) / 2;
}

function areaCells(board: Board): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const space of board.spaces) {
    const centre = { x: (space.x ?? 0) * AREA_SCALE, y: (space.y ?? 0) * AREA_SCALE };
    const corners = (space.polygon ?? []).map(([x, y]) => ({ x: x * AREA_SCALE, y: y * AREA_SCALE }));
    const radius = Math.min(Math.sqrt(areaOf(corners) / Math.PI) * 0.85, 60);
    cells.set(space.id, { space, centre, corners, outline: pathOf(corners), radius: Math.max(radius, 18) });
  }
  return cells;
}

// The two corners of a that are also corners of b.
function sharedSide(a: Cell, b: Cell): Point[][] {
  const near = (p: Point, q: Point) => Math.abs(p.x - q.x) < 1 && Math.abs(p.y - q.y) < 1;
  const shared = a.corners.filter((p) => b.corners.some((q) => near(p, q)));
  return shared.length === 2 ? [shared] : [];
}

export function layOut(board: Board): Layout {
  const cells = board.kind === "area" ? areaCells(board) : hexCells(board);
  const edges: Edge[] = [];
  const neighbours = new Map<string, Edge[]>();
  for (const link of board.links) {
    const a = cells.get(link.a);
    const b = cells.get(link.b);
    if (!a || !b) continue;
    const lines = link.border
      ? link.border.map((line) => line.map(([x, y]) => ({ x: x * AREA_SCALE, y: y * AREA_SCALE })))
      : sharedSide(a, b);
    const edge = { link, a, b, lines };
    edges.push(edge);
    for (const id of [link.a, link.b]) {
      const list = neighbours.get(id);
      if (list) list.push(edge);
      else neighbours.set(id, [edge]);
    }
  }
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (const { corners, centre } of cells.values()) {
    for (const p of corners.length ? corners : [centre]) {
      left = Math.min(left, p.x);
      right = Math.max(right, p.x);
      top = Math.min(top, p.y);
      bottom = Math.max(bottom, p.y);
    }
  }
  if (!cells.size) left = top = right = bottom = 0;
  const margin = 30;
  return {
    cells,
    edges,
    neighbours,
    bounds: { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin },
    counter: board.kind === "area" ? 36 : 54,
    kind: board.kind,
  };
}

export function pathOf(points: Point[], closed = true): string {
  if (!points.length) return "";
  const round = (n: number) => Math.round(n * 10) / 10;
  return "M" + points.map((p) => `${round(p.x)} ${round(p.y)}`).join("L") + (closed ? "Z" : "");
}

export function inside(point: Point, corners: Point[]): boolean {
  let odd = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const a = corners[i]!;
    const b = corners[j]!;
    if (a.y > point.y !== b.y > point.y &&
        point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) {
      odd = !odd;
    }
  }
  return odd;
}

export function cellAt(layout: Layout, point: Point): Cell | undefined {
  let best: Cell | undefined;
  let distance = Infinity;
  for (const cell of layout.cells.values()) {
    const d = (cell.centre.x - point.x) ** 2 + (cell.centre.y - point.y) ** 2;
    if (d < distance && (layout.kind === "hex" || inside(point, cell.corners))) {
      distance = d;
      best = cell;
    }
  }
  return best && inside(point, best.corners) ? best : undefined;
}

// The neighbour that lies most in the direction (dx, dy), for walking the map with arrow keys.
export function neighbourTowards(layout: Layout, from: string, dx: number, dy: number): string | undefined {
  const cell = layout.cells.get(from);
  if (!cell) return undefined;
  let best: string | undefined;
  let most = 0.35;
  for (const edge of layout.neighbours.get(from) ?? []) {
    const other = edge.a === cell ? edge.b : edge.a;
    const x = other.centre.x - cell.centre.x;
    const y = other.centre.y - cell.centre.y;
    const cosine = (x * dx + y * dy) / (Math.hypot(x, y) || 1);
    if (cosine > most) {
      most = cosine;
      best = other.space.id;
    }
  }
  return best;
}

// Where n counters stand in a cell: side by side, then in rows; and how big they are.
export function stackPlaces(count: number, cell: Cell, counter: number, grown = 1): { size: number; places: Point[] } {
  const columns = count <= 1 ? 1 : count <= 4 ? 2 : count <= 9 ? 3 : Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const room = cell.radius * 1.8 * grown;
  const size = Math.min(counter, (room / Math.max(columns, rows)) * (count === 2 ? 0.96 : 0.94));
  const gap = size * 1.04;
  const places: Point[] = [];
  for (let i = 0; i < count; ++i) {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    places.push({
      x: cell.centre.x + ((i % columns) - (inRow - 1) / 2) * gap,
      y: cell.centre.y + (row - (rows - 1) / 2) * gap,
    });
  }
  return { size, places };
}

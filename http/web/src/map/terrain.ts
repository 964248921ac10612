// Draws everything of a board that never changes onto a canvas, once per zoom level: ground, water,
// rails, names.
import type { Cell, Edge, Layout, Point } from "./geometry";
import type { Ground, Palette } from "./palette";

export interface Camera {
  // Screen = (map - origin) * scale.
  x: number;
  y: number;
  scale: number;
}

export function drawTerrain(context: CanvasRenderingContext2D, layout: Layout, colours: Palette,
                            camera: Camera, width: number, height: number, ratio: number): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, width, height);
  const scale = camera.scale * ratio;
  context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
  context.lineJoin = "round";
  context.lineCap = "round";
  const visible = (p: Point, reach = 160) =>
    p.x > camera.x - reach && p.x < camera.x + width / camera.scale + reach &&
    p.y > camera.y - reach && p.y < camera.y + height / camera.scale + reach;
  const cells = [...layout.cells.values()].filter((cell) => visible(cell.centre, 260));
  const edges = layout.edges.filter((edge) => visible(edge.a.centre, 260));
  const detailed = camera.scale > 0.28;

  for (const cell of cells) drawGround(context, cell, colours, detailed);
  context.strokeStyle = colours.grid;
  context.lineWidth = layout.kind === "hex" ? 1 : 1.6;
  for (const cell of cells) {
    outline(context, cell.corners);
    context.stroke();
  }
  drawSides(context, edges, colours);
  drawWays(context, edges, colours);
  for (const cell of cells) drawPlace(context, cell, colours, layout);
  for (const cell of cells) drawName(context, cell, colours, layout, camera.scale);
}

function outline(context: CanvasRenderingContext2D, corners: Point[]): void {
  context.beginPath();
  corners.forEach((p, i) => (i ? context.lineTo(p.x, p.y) : context.moveTo(p.x, p.y)));
  context.closePath();
}

function line(context: CanvasRenderingContext2D, points: Point[]): void {
  context.beginPath();
  points.forEach((p, i) => (i ? context.lineTo(p.x, p.y) : context.moveTo(p.x, p.y)));
}

// A number from 0 to 1 that is always the same for the same cell and index: where a tree stands.
function chanceOf(id: string, index: number): number {
  let h = 2166136261 ^ index;
  for (let i = 0; i < id.length; ++i) h = Math.imul(h ^ id.charCodeAt(i), 16777619);
  h = Math.imul(h ^ (h >>> 15), 2246822519);
  return ((h ^ (h >>> 13)) >>> 0) / 4294967296;
}

function drawGround(context: CanvasRenderingContext2D, cell: Cell, colours: Palette, detailed: boolean): void {
  const ground = colours.ground(cell.space.terrain);
  outline(context, cell.corners);
  context.fillStyle = ground.fill;
  context.fill();
  const level = cell.space.elevation ?? 0;
  if (level > 0) {
    context.fillStyle = `rgba(150, 105, 55, ${Math.min(0.18 * level, 0.5)})`;
    context.fill();
  }
  if (detailed && ground.mark) drawMarks(context, cell, ground);
}

function drawMarks(context: CanvasRenderingContext2D, cell: Cell, ground: Ground): void {
  context.strokeStyle = ground.ink ?? "#888";
  context.fillStyle = ground.ink ?? "#888";
  context.lineWidth = 1.3;
  const { x: cx, y: cy } = cell.centre;
  const id = cell.space.id;
  const count = ground.mark === "waves" ? 3 : ground.mark === "blocks" ? 6 : 8;
  for (let i = 0; i < count; ++i) {
    const angle = (i / count) * Math.PI * 2 + chanceOf(id, i) * 0.9;
    const reach = cell.radius * (0.42 + 0.36 * chanceOf(id, i + 50));
    const x = cx + Math.cos(angle) * reach;
    const y = cy + Math.sin(angle) * reach;
    drawMark(context, ground.mark!, x, y, 1 + 0.35 * chanceOf(id, i + 90));
  }
}

function drawMark(context: CanvasRenderingContext2D, mark: string, x: number, y: number, size: number): void {
  const s = 4.6 * size;
  context.beginPath();
  switch (mark) {
    case "trees":
      context.moveTo(x, y - s * 1.25);
      context.lineTo(x + s * 0.72, y + s * 0.5);
      context.lineTo(x - s * 0.72, y + s * 0.5);
      context.fill();
      return;
    case "hills":
      context.arc(x, y + s, s * 1.5, Math.PI * 1.15, Math.PI * 1.85);
      break;
    case "peaks":
      context.moveTo(x - s * 1.5, y + s);
      context.lineTo(x, y - s * 1.1);
      context.lineTo(x + s * 1.5, y + s);
      context.moveTo(x + s * 0.1, y - s * 0.9);
      context.lineTo(x + s * 0.3, y + s * 0.6);
      break;
    case "reeds":
      context.moveTo(x - s, y);
      context.lineTo(x + s, y);
      context.moveTo(x - s * 0.5, y);
      context.lineTo(x - s * 0.7, y - s * 0.9);
      context.moveTo(x, y);
      context.lineTo(x, y - s * 1.2);
      context.moveTo(x + s * 0.5, y);
      context.lineTo(x + s * 0.7, y - s * 0.9);
      break;
    case "waves":
      context.moveTo(x - s * 1.6, y);
      context.quadraticCurveTo(x - s * 0.8, y - s * 0.7, x, y);
      context.quadraticCurveTo(x + s * 0.8, y + s * 0.7, x + s * 1.6, y);
      break;
    case "furrows":
      context.moveTo(x - s, y - s * 0.5);
      context.lineTo(x + s, y - s * 0.5);
      context.moveTo(x - s, y + s * 0.4);
      context.lineTo(x + s, y + s * 0.4);
      break;
    case "blocks":
      context.fillRect(x - s * 0.8, y - s * 0.6, s * 1.5, s * 1.1);
      return;
  }
  context.stroke();
}

interface SideStyle {
  ink: (colours: Palette) => string;
  width: number;
  dash?: number[];
}
const RIVER = (colours: Palette) => colours.river;
const WATER = (colours: Palette) => colours.water;
const RIDGE = (colours: Palette) => colours.ground("mountain").ink ?? colours.ink;
// How the sides between spaces are drawn, by the board's own word for them.
const SIDES: Record<string, SideStyle> = {
  river: { ink: RIVER, width: 5 }, major: { ink: RIVER, width: 7 }, minor: { ink: RIVER, width: 3 }, stream: { ink: RIVER, width: 2 },
  canal: { ink: RIVER, width: 3, dash: [7, 3] }, lake: { ink: WATER, width: 7 }, strait: { ink: WATER, width: 7 }, sivash: { ink: WATER, width: 7 },
  sea: { ink: WATER, width: 7 }, alpine: { ink: RIDGE, width: 5, dash: [2, 5] }, cliff: { ink: RIDGE, width: 5, dash: [2, 5] },
  wall: { ink: RIDGE, width: 5, dash: [6, 3] }, hedge: { ink: (c) => c.ground("forest").ink ?? c.ink, width: 4 },
};
// Words that say there is nothing to draw.
const PLAIN = ["clear", "none", "open", "track", ""];
const OTHER_SIDE: SideStyle = { ink: (c) => c.ink, width: 2.5, dash: [4, 3] };

export function sideStyle(edge: Edge): SideStyle | null {
  const { link, a, b } = edge;
  const side = link.side ?? "";
  // Coasts are told by their colours.
  if (side === "sea" && (a.space.playable === false || b.space.playable === false)) return null;
  if (typeof link.river === "string" && SIDES[link.river]) return SIDES[link.river]!;
  if (side !== "river" && link.river) return SIDES.river!;
  if (SIDES[side]) return SIDES[side]!;
  if (!PLAIN.includes(side)) return OTHER_SIDE;
  if (link.steep) return SIDES.cliff!;
  return link.frontBoundary ? { ink: (c) => c.border, width: 4, dash: [8, 6] } : null;
}

function drawSides(context: CanvasRenderingContext2D, edges: Edge[], colours: Palette): void {
  const draw = (edge: Edge, style: SideStyle) => {
    context.strokeStyle = style.ink(colours);
    context.lineWidth = style.width;
    context.setLineDash(style.dash ?? []);
    for (const points of edge.lines) {
      line(context, points);
      context.stroke();
    }
  };
  for (const edge of edges) {
    const { a, b } = edge;
    if (a.space.country && b.space.country && a.space.country !== b.space.country) {
      draw(edge, { ink: (c) => c.border, width: 2.4, dash: [3, 5] });
    }
    const style = sideStyle(edge);
    if (style) draw(edge, style);
  }
  context.setLineDash([]);
}

function drawWays(context: CanvasRenderingContext2D, edges: Edge[], colours: Palette): void {
  const draw = (edge: Edge, colour: string, width: number, dash: number[]) => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    line(context, [edge.a.centre, edge.b.centre]);
    context.stroke();
  };
  for (const edge of edges) if (edge.link.road) draw(edge, colours.road, 2.6, []);
  for (const edge of edges) {
    if (!edge.link.rail) continue;
    draw(edge, colours.rail, 1.5, []);
    draw(edge, colours.rail, 5, [1.2, 9]);
  }
  context.setLineDash([]);
  context.fillStyle = colours.ink;
  for (const { link, lines } of edges) {
    const points = lines[0];
    if (!link.bridge || !points || points.length < 2) continue;
    const a = points[0]!;
    const b = points[points.length - 1]!;
    drawBridge(context, a, b, colours);
  }
}

// Two railings across the water, as maps show it.
function drawBridge(context: CanvasRenderingContext2D, a: Point, b: Point, colours: Palette): void {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const along = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  context.strokeStyle = colours.ink;
  context.lineWidth = 2.4;
  for (const offset of [-5, 5]) {
    const x = middle.x + along.x * offset;
    const y = middle.y + along.y * offset;
    line(context, [{ x: x + along.y * 9, y: y - along.x * 9 }, { x: x - along.y * 9, y: y + along.x * 9 }]);
    context.stroke();
  }
}

function cityOf(cell: Cell): { big: boolean; minor: boolean; town: boolean; value: number } {
  const { city, objective, value } = cell.space;
  const word = typeof city === "object" && city ? city.class : city;
  const worth = typeof city === "object" && city ? (city.value ?? 0) : objective ? (value ?? 0) : 0;
  const big = word === "major" || word === "victory" || Boolean(objective);
  const minor = word === "minor" || word === "city";
  return { big, minor, town: Boolean(cell.space.name) && !big && !minor, value: worth };
}

function drawPlace(context: CanvasRenderingContext2D, cell: Cell, colours: Palette, layout: Layout): void {
  const city = cityOf(cell);
  const sea = cell.space.terrain === "sea" || cell.space.terrain === "lake";
  if (!sea) drawFeatures(context, cell, colours);
  if (sea || (!city.big && !city.minor && !city.town)) return;
  const { x, y } = cell.centre;
  if (layout.kind === "area" && !city.big && !city.minor) return;
  if (cell.space.fortress) {
    context.fillStyle = colours.ink;
    context.beginPath();
    for (let i = 0; i < 16; ++i) {
      const r = i % 2 ? 13 : 17;
      const a = (i * Math.PI) / 8;
      context.lineTo(x + Math.cos(a) * r, y + Math.sin(a) * r);
    }
    context.closePath();
    context.fill();
  }
  context.beginPath();
  context.arc(x, y, city.big ? 11 : city.minor ? 6 : 3, 0, Math.PI * 2);
  context.fillStyle = city.minor ? colours.halo : colours.ink;
  context.fill();
  if (city.minor) {
    context.lineWidth = 2;
    context.strokeStyle = colours.ink;
    context.stroke();
    context.beginPath();
    context.arc(x, y, 2.4, 0, Math.PI * 2);
    context.fillStyle = colours.ink;
    context.fill();
  }
  if (city.big) {
    context.fillStyle = colours.paper;
    context.font = "700 14px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(city.value ? String(city.value) : "★", x, y + 0.5);
  }
}

// Small signs for what a board says of a space beside its terrain.
const FEATURES: [string, string][] = [["port", "⚓"], ["airfield", "✈"], ["flakTower", "♜"], ["entryStar", "✪"], ["resource", "◆"], ["source", "◉"]];
function drawFeatures(context: CanvasRenderingContext2D, cell: Cell, colours: Palette): void {
  const signs = FEATURES.filter(([name]) => Boolean(cell.space[name])).map(([, sign]) => sign);
  if (!signs.length) return;
  context.fillStyle = colours.ink;
  context.font = "15px system-ui, 'DejaVu Sans', sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(signs.join(" "), cell.centre.x + cell.radius * 0.45, cell.centre.y + cell.radius * 0.55);
}

function drawName(context: CanvasRenderingContext2D, cell: Cell, colours: Palette, layout: Layout, scale: number): void {
  const { space, centre, radius } = cell;
  const city = cityOf(cell);
  context.textAlign = "center";
  context.textBaseline = "middle";
  const y = layout.kind === "hex" ? centre.y - radius * 0.68 : centre.y + radius * 0.5;
  const shown = city.big ? scale > 0.2 : city.minor ? scale > 0.5 : scale > 0.62;
  if (space.name && shown) {
    // Names never shrink below what can be read on the screen.
    const size = Math.max(city.big ? 15 : city.minor ? 12.5 : 11, (city.big ? 10.5 : 9) / scale);
    context.font = `${city.big ? 700 : city.minor ? 600 : 400} ${size}px "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif`;
    context.lineWidth = Math.max(3.2, 2.4 / scale);
    context.strokeStyle = colours.halo;
    context.strokeText(space.name, centre.x, y);
    context.fillStyle = colours.ink;
    context.fillText(space.name, centre.x, y);
  }
  if (scale > 0.85) {
    context.font = "9px system-ui, sans-serif";
    context.fillStyle = colours.ink;
    context.globalAlpha = 0.45;
    context.fillText(space.id, centre.x, layout.kind === "hex" ? centre.y + radius * 0.88 : centre.y - radius * 0.6);
    context.globalAlpha = 1;
  }
}

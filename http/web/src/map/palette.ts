// The colours of ground and sides. The map keeps its paper look in both themes, only darker at night.

export interface Ground {
  fill: string;
  // A small pattern drawn into the cell.
  mark?: "trees" | "hills" | "peaks" | "reeds" | "waves" | "blocks" | "furrows";
  ink?: string;
}

const DAY: Record<string, Ground> = {
  clear: { fill: "#f0e6cd" },
  open: { fill: "#eee4c8" },
  green: { fill: "#d7dfb4" },
  yellow: { fill: "#ecdca6", mark: "trees", ink: "#b99a4b" },
  victory: { fill: "#e9b995" },
  forest: { fill: "#b9cf9a", mark: "trees", ink: "#5d7f45" },
  woods: { fill: "#b4cb95", mark: "trees", ink: "#567a40" },
  sparse_woods: { fill: "#d3dcb0", mark: "trees", ink: "#7f9a5c" },
  field: { fill: "#ecd998", mark: "furrows", ink: "#c7a94f" },
  hill: { fill: "#dcc193", mark: "hills", ink: "#9b7a49" },
  hills: { fill: "#dcc193", mark: "hills", ink: "#9b7a49" },
  mountain: { fill: "#bd9c77", mark: "peaks", ink: "#74573a" },
  swamp: { fill: "#b5cfc0", mark: "reeds", ink: "#557f75" },
  marsh: { fill: "#b5cfc0", mark: "reeds", ink: "#557f75" },
  sea: { fill: "#bcd6e4", mark: "waves", ink: "#8fb4ca" },
  lake: { fill: "#aacde0", mark: "waves", ink: "#86afc8" },
  water: { fill: "#aacde0", mark: "waves", ink: "#86afc8" },
  urban: { fill: "#cbb7a7", mark: "blocks", ink: "#8c7768" },
  suburb: { fill: "#e2d5c0", mark: "blocks", ink: "#bba78f" },
  sbahn: { fill: "#c6b4a8", mark: "blocks", ink: "#8c7768" },
  minor_city: { fill: "#d9c6b2", mark: "blocks", ink: "#97806c" },
  major_city: { fill: "#c9b09b", mark: "blocks", ink: "#846d5a" },
  wooden_building: { fill: "#d8b48a", mark: "blocks", ink: "#8f6a40" },
  stone_building: { fill: "#bdb7ae", mark: "blocks", ink: "#6f6a62" },
  staging: { fill: "#c9c7c2" },
  box: { fill: "#efdcca" },
};

// A terrain nobody told us about: by a word it contains, else a pale colour of its own.
const PALE = ["#e8dfc9", "#e3dbc0", "#dcd9c4", "#e6d6c4", "#dfd5cf", "#d8dccb"];
function likeness(terrain: string): Ground {
  const parts = terrain.toLowerCase().split(/[^a-z]+/);
  for (const part of parts) {
    const known = DAY[part] ?? DAY[part.replace(/s$/, "")];
    if (known) return known;
  }
  if (/city|town|build|urban|village/.test(terrain)) return DAY.urban!;
  if (/wood|forest|jungle|orchard/.test(terrain)) return DAY.woods!;
  if (/river|ocean|lake|sea|water/.test(terrain)) return DAY.water!;
  if (/rough|broken|hill|ridge/.test(terrain)) return DAY.hill!;
  let sum = 0;
  for (let i = 0; i < terrain.length; ++i) sum = (sum * 31 + terrain.charCodeAt(i)) >>> 0;
  return { fill: PALE[sum % PALE.length]! };
}

export interface Palette {
  ground(terrain: string): Ground;
  paper: string;
  grid: string;
  river: string;
  water: string;
  rail: string;
  road: string;
  border: string;
  ink: string;
  halo: string;
}

function darker(hex: string): string {
  const n = parseInt(hex.slice(1), 16);
  const part = (shift: number, factor: number, lift: number) =>
    Math.round((((n >> shift) & 255) * factor + lift) as number);
  return `rgb(${part(16, 0.4, 4)}, ${part(8, 0.42, 6)}, ${part(0, 0.44, 8)})`;
}

export function palette(dark: boolean): Palette {
  return {
    ground(terrain) {
      const day = DAY[terrain] ?? likeness(terrain);
      return dark ? { ...day, fill: darker(day.fill), ink: day.ink && darkInk(day.ink) } : day;
    },
    paper: dark ? "#171b1c" : "#ddd6c4",
    grid: dark ? "rgba(225, 215, 190, 0.16)" : "rgba(92, 80, 54, 0.32)",
    river: dark ? "#4f94c4" : "#3a7fb5",
    water: dark ? "#3b6d8f" : "#7fb4d6",
    rail: dark ? "#c4796b" : "#8f3a2e",
    road: dark ? "#a68f63" : "#a5835a",
    border: dark ? "#8d83c7" : "#6c5a9c",
    ink: dark ? "#efe7d4" : "#26221b",
    halo: dark ? "rgba(20, 23, 22, 0.85)" : "rgba(250, 245, 230, 0.88)",
  };
}

function darkInk(hex: string): string {
  const n = parseInt(hex.slice(1), 16);
  const part = (shift: number) => Math.round(((n >> shift) & 255) * 0.85);
  return `rgba(${part(16)}, ${part(8)}, ${part(0)}, 0.75)`;
}

// ---------------------------------------------------------------------------- sides

export interface SideColours {
  block: string;
  edge: string;
  text: string;
  line: string;
}

const KNOWN: [RegExp, SideColours][] = [
  [/axis|german|wehrmacht/i, { block: "#4d5a5c", edge: "#2b3436", text: "#f3efe2", line: "#46606b" }],
  [/1uf|ukrain/i, { block: "#b0622a", edge: "#6d3812", text: "#fff4e2", line: "#b0622a" }],
  [/^blue|allied|british|american/i, { block: "#2f5d8a", edge: "#183551", text: "#f3f6fa", line: "#2f5d8a" }],
  [/soviet|russian|1bf|^red/i, { block: "#a5332b", edge: "#641813", text: "#fff1dd", line: "#b03228" }],
];
const OTHERS: SideColours[] = [
  { block: "#2f6f7a", edge: "#173a41", text: "#f1f9fa", line: "#2f6f7a" },
  { block: "#b07a1e", edge: "#6b480b", text: "#fff8e6", line: "#b07a1e" },
  { block: "#3f7a4b", edge: "#1f4527", text: "#f1faf2", line: "#3f7a4b" },
  { block: "#7b4a8c", edge: "#462552", text: "#faf3fc", line: "#7b4a8c" },
];

export function sideColours(side: string | null | undefined, sides: string[]): SideColours {
  for (const [pattern, colours] of KNOWN) if (side && pattern.test(side)) return colours;
  const index = side ? sides.indexOf(side) : -1;
  return OTHERS[Math.max(0, index) % OTHERS.length]!;
}

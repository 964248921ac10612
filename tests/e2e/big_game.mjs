// A game on a board of 600 hexes with 150 units, as large as any the page is made for.
import { MockGame } from "./mock_game.mjs";

const COLUMNS = 30;
const ROWS = 20;
const UNITS_A_SIDE = 75;
const TERRAINS = ["clear", "clear", "clear", "forest", "hills", "marsh"];
const TYPES = ["infantry", "armor", "mech", "cavalry", "infantry", "hq"];
const idOf = (column, row) => String(column + 1).padStart(2, "0") + String(row + 1).padStart(2, "0");

function bigBoard() {
  const spaces = [];
  const links = [];
  for (let row = 0; row < ROWS; ++row) {
    for (let column = 0; column < COLUMNS; ++column) {
      const id = idOf(column, row);
      const city = (column * 7 + row * 3) % 23 === 0;
      spaces.push({
        id, q: column - Math.floor(row / 2), r: row, terrain: TERRAINS[(column * 5 + row * 11) % TERRAINS.length], playable: true,
        ...(city ? { name: `Town ${id}`, city: { class: "minor", value: 1 } } : {}),
      });
      const east = row % 2;
      for (const [c, r] of [[column + 1, row], [column - 1 + east, row + 1], [column + east, row + 1]]) {
        if (c < 0 || c >= COLUMNS || r >= ROWS) continue;
        const odd = (column * 3 + row * 5 + c) % 7;
        links.push({ a: id, b: idOf(c, r), side: odd === 0 ? "river" : "clear", ...(r === row && row % 4 === 0 ? { rail: true } : {}) });
      }
    }
  }
  const columns = (from, to) => spaces.filter(({ id }) => Number(id.slice(0, 2)) > from && Number(id.slice(0, 2)) <= to).map(({ id }) => id);
  return {
    id: "big", title: "600 hexes", kind: "hex", layout: { orientation: "pointy", width: COLUMNS, height: ROWS }, spaces, links,
    supplySources: { axis: columns(0, 1), soviet: columns(COLUMNS - 1, COLUMNS) },
    startLines: { line: { axis: columns(0, 15), soviet: columns(15, 30), axisFront: columns(12, 15), sovietFront: columns(15, 18) } },
  };
}

export function bigGame() {
  const units = ["axis", "soviet"].flatMap((side) => Array.from({ length: UNITS_A_SIDE }, (_, i) => ({
    id: `${side[0].toUpperCase()}${i + 1}`, name: `${side} ${i + 1}`, side, type: TYPES[i % TYPES.length], max: 4,
  })));
  const turns = ["I", "II", "III", "IV", "V", "VI"].map((n) => `Turn ${n}`);
  return new MockGame({ id: "big", name: "600 hexes, 150 units", board: bigBoard(), scenario: { id: "Big", title: "Big", turns, units, setup: { line: "line" } }, seed: 4, turns: turns.length });
}

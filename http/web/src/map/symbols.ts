// NATO-style symbols for the unit types of all systems, drawn in a box 24 wide and 16 high around
// the origin. What a type is called differs by game; here its words are read for what they mean.

export interface Symbol {
  // Stroked lines and filled shapes, as SVG path data.
  lines: string;
  fills: string;
  text: string;
}

const CROSS = "M-12-8 12 8M12-8-12 8";
const TANK = "M-5-4.5H5A4.5 4.5 0 0 1 5 4.5H-5A4.5 4.5 0 0 1-5-4.5Z";
const SLASH = "M-12 8 12-8";
const WHEELS = "M-5 10.2a1.3 1.3 0 1 0 .01 0ZM5 10.2a1.3 1.3 0 1 0 .01 0Z";
const DOT = "M0-2.6A2.6 2.6 0 1 0 .01-2.6Z";

const TABLE: [RegExp, Partial<Symbol>][] = [
  [/^shq$|supreme/, { text: "★" }],
  [/hq|headquarters|command|front_hq/, { text: "HQ" }],
  [/mech|motor|panzergren|schuetzen/, { lines: CROSS + TANK }],
  [/assault_?gun|spg|\bsu\b|stug/, { lines: TANK, fills: DOT }],
  [/armou?r|tank|panzer/, { lines: TANK }],
  [/recon/, { lines: SLASH + "M-6-8 -6 8" }],
  [/cav/, { lines: SLASH }],
  [/para|airborne/, { lines: CROSS, fills: "M-5 8a2.5 2.5 0 0 1 5 0a2.5 2.5 0 0 1 5 0Z" }],
  [/mountain|jaeger|jager/, { lines: CROSS, fills: "M-3.6 8 0 1.8 3.6 8Z" }],
  [/shock|guards_inf/, { lines: CROSS, fills: "M-12-8H-7.5V8H-12Z" }],
  [/coast|naval|marine/, { lines: CROSS + "M0-6V6M-4 2A4 4 0 0 0 4 2" }],
  [/static|fortress|garrison|security|volks/, { lines: CROSS, fills: "M-12 5H12V8H-12Z" }],
  [/rocket|katyusha|nebel/, { fills: DOT, lines: "M-4-2 0-6 4-2" }],
  [/anti_?tank|^at$|pak/, { lines: "M-12 8 0-8 12 8" }],
  [/anti_?air|flak|^aa$/, { lines: "M-8 8A8 11 0 0 1 8 8" }],
  [/artill|arko|mortar|gun|howitzer/, { fills: DOT }],
  [/engin|pioneer|sapper/, { lines: "M-7 4V-3H7V4M0-3V3" }],
  [/machine_?gun|mg$/, { lines: CROSS + "M0-8V8" }],
  [/air|fighter|bomber|plane|aircraft/, { fills: "M0 0C4-6 10-5 10 0S4 6 0 0C-4 6-10 5-10 0S-4-6 0 0Z" }],
  [/truck|transport|wagon|supply|depot|dump/, { lines: "M-12 4H12", fills: WHEELS }],
  [/inf|rifle|smg|squad|division|corps|army/, { lines: CROSS }],
];

export function symbolOf(type: string): Symbol {
  const word = type.toLowerCase();
  for (const [pattern, symbol] of TABLE) {
    if (pattern.test(word)) return { lines: "", fills: "", text: "", ...symbol };
  }
  return { lines: "", fills: "", text: word.slice(0, 2).toUpperCase() };
}

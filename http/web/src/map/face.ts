// What stands on a counter: its values and its size, read from the unit's own attributes and from
// what the scenario prints on it. Games name these differently; the first name found counts.
import type { PrintedUnit } from "../api/types";

const ATTACK = ["attack", "attackFactor", "af", "cf", "combat", "factor"];
const DEFENCE = ["defence", "defense", "df"];
const MOVE = ["movement", "move_allowance", "ma", "mp", "mf"];
const SIZES = ["size", "echelon"];
// The size of a formation as maps write it, from its word.
const SIZE_MARKS: Record<string, string> = {
  platoon: "•••", company: "I", battalion: "II", regiment: "III", brigade: "X", division: "XX", corps: "XXX", army: "XXXX", front: "XXXXX",
};

export interface Face {
  // "9-9-6", "9", or empty for games that count steps instead.
  values: string;
  size: string;
}

function first(names: string[], ...sources: (Record<string, unknown> | undefined)[]): number | undefined {
  for (const source of sources) {
    for (const name of names) if (typeof source?.[name] === "number") return source[name] as number;
  }
  return undefined;
}

export function faceOf(values: Record<string, unknown>, printed: PrintedUnit | undefined): Face {
  const attack = first(ATTACK, values, printed);
  const defence = first(DEFENCE, values, printed);
  const move = first(MOVE, values, printed);
  const onlyDefends = printed?.defenceOnly === true && attack !== undefined;
  const parts = [onlyDefends ? `(${attack})` : attack, defence, move].filter((part) => part !== undefined);
  const word = SIZES.map((name) => printed?.[name]).find((value): value is string => typeof value === "string") ?? "";
  return { values: parts.join("-"), size: SIZE_MARKS[word.toLowerCase()] ?? (/^[XI•.]{1,6}$/.test(word) ? word : "") };
}

// The name of a unit, short enough for its counter: its id without the parts that its side and
// symbol say already.
export function shortLabel(id: string): string {
  const parts = id.split("-");
  return parts.length > 2 && id.length > 8 ? parts.slice(1).join(" ") : id;
}

// What differs between two positions: units and who holds which space.
import { type Position } from "./position";
import { holder, stepsOf } from "../map/scene";

export interface UnitDifference {
  unit: string;
  atA: string | null;
  atB: string | null;
  stepsA: number | null;
  stepsB: number | null;
}
export interface SpaceDifference {
  space: string;
  a: string | null;
  b: string | null;
}
export interface Difference {
  units: UnitDifference[];
  spaces: SpaceDifference[];
}

export function compare(a: Position, b: Position): Difference {
  const units: UnitDifference[] = [];
  for (const id of new Set([...a.units.keys(), ...b.units.keys()])) {
    const ua = a.units.get(id);
    const ub = b.units.get(id);
    const atA = ua?.at ?? null;
    const atB = ub?.at ?? null;
    const stepsA = ua && atA ? stepsOf(ua.values) : null;
    const stepsB = ub && atB ? stepsOf(ub.values) : null;
    if (atA !== atB || stepsA !== stepsB) units.push({ unit: id, atA, atB, stepsA, stepsB });
  }
  const spaces: SpaceDifference[] = [];
  for (const id of new Set([...a.spaces.keys(), ...b.spaces.keys()])) {
    const ha = holder(a.spaces.get(id));
    const hb = holder(b.spaces.get(id));
    if (ha !== hb) spaces.push({ space: id, a: ha, b: hb });
  }
  return { units, spaces };
}

// Where on another line of play it is the same moment as here.
import type { Branch, Timeline } from "../api/types";

export interface Moment {
  branch: Branch;
  version: number;
  timeline: Timeline | null;
}

// The last version two branches share; 0 if neither left the other's line.
export function sharedVersion(a: Branch, b: Branch, branches: Branch[]): number {
  const line = new Map<string, number>([[a.id, a.version]]);
  for (let at: Branch | undefined = a; at?.parent; at = branches.find((one) => one.id === at!.parent)) line.set(at.parent, at.forkedAt);
  let until = b.version;
  for (let at: Branch | undefined = b; at; at = branches.find((one) => one.id === at!.parent)) {
    const shared = line.get(at.id);
    if (shared !== undefined) return Math.min(shared, until);
    until = at.forkedAt;
  }
  return 0;
}

// In the shared past the same event; afterwards the end of the same phase, or of the last one before
// it that was played there.
export function sameMoment(here: Moment, there: Moment, branches: Branch[]): number {
  const shared = sharedVersion(here.branch, there.branch, branches);
  if (here.version <= shared) return here.version;
  const phases = here.timeline?.phases ?? [];
  let now = phases[0];
  for (const phase of phases) if (phase.first <= here.version) now = phase;
  const others = (there.timeline?.phases ?? []).filter((phase) => phase.last > shared);
  if (!now) return there.branch.version;
  const same = others.find((phase) => phase.turn === now!.turn && phase.phase === now!.phase && phase.side === now!.side);
  if (same) return same.last;
  const before = others.filter((phase) => phase.turn < now!.turn || (phase.turn === now!.turn && phase.first <= here.version));
  return before[before.length - 1]?.last ?? shared;
}

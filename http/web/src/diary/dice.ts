// Checks a recorded roll in this browser, trusting nothing the service says about it: the proof must
// verify under the key fixed before the game, the contributions must lead to their anchors, and the
// faces must be the ones the proof yields.
import type { DiceAnswer, DiceRolled, EpochOpened } from "../api/types";
import { chainWalk, deriveValues, fromHex, makeAlpha, prepareKey, toHex, vrfVerify } from "../fairdice/fairdice.js";

export type Finding =
  | { state: "proved" }
  | { state: "wrong"; why: string }
  // Nothing to check against: typed in, or the data is not (all) here. `why` is a message key.
  | { state: "unproved"; why: string };

const NOBODY = 255;

// What the dice of a line of play were committed to, and by which event.
export interface Epoch extends EpochOpened {
  hash: string;
}
// The epochs of a branch and its ancestors, from the answers about each.
export function epochsOf(answers: DiceAnswer[]): Epoch[] {
  return answers.flatMap(({ epoch, epochHash }) => (epoch && epochHash ? [{ ...epoch, hash: epochHash }] : []));
}
// A roll belongs to the last epoch opened before it.
function epochFor(roll: DiceRolled, epochs: Epoch[]): Epoch | null {
  let found: Epoch | null = null;
  for (const epoch of epochs) {
    if (epoch.version < roll.version && (!found || epoch.version > found.version)) found = epoch;
  }
  return found;
}

// One step of a proof, for those who want to follow it: what was compared (a message key), the value
// computed here, and whether it is what it must be.
export interface ProofStep {
  what: string;
  value: string;
  good: boolean;
}
export interface Examined {
  finding: Finding;
  epoch: Epoch | null;
  steps: ProofStep[];
}

export function checkRoll(roll: DiceRolled, epochs: Epoch[], sides: string[]): Finding {
  return examine(roll, epochs, sides).finding;
}

export function examine(roll: DiceRolled, epochs: Epoch[], sides: string[]): Examined {
  const steps: ProofStep[] = [];
  const epoch = epochFor(roll, epochs);
  const step = (what: string, value: string, good: boolean) => {
    steps.push({ what, value, good });
    return good;
  };
  const wrong = (why: string): Examined => ({ finding: { state: "wrong", why }, epoch, steps });
  const unproved = (why: string): Examined => ({ finding: { state: "unproved", why }, epoch, steps });
  if (roll.grade === "imported") return unproved("dice.why.imported");
  if (!roll.proof) return unproved("dice.why.noproof");
  if (!epoch) return unproved("dice.why.noepoch");
  if (!roll.elements?.length) return unproved("dice.why.noelements");
  const key = prepareKey(fromHex(epoch.vrfKey));
  if (!step("proof.key", epoch.vrfKey, Boolean(key)) || !key) return wrong("dice.why.key");
  const stream = fromHex(epoch.stream);
  const roller = roll.roller === null ? NOBODY : sides.indexOf(roll.roller);
  if (roller < 0) return wrong("dice.why.roller");
  for (const element of roll.elements) {
    const anchor = epoch.contributors.find((one) => one.slot === element.slot)?.anchors.find((one) => one.roller === roller);
    const walked = toHex(chainWalk(stream, element.slot, roller, fromHex(element.value), roll.number + 1));
    if (!step("proof.anchor", walked, walked === anchor?.value)) return wrong("dice.why.anchor");
  }
  const contributions = roll.elements.map((one): [number, Uint8Array] => [one.slot, fromHex(one.value)]);
  const alpha = makeAlpha(fromHex(epoch.hash), stream, roller, roll.number, contributions);
  const beta = vrfVerify(key, alpha, fromHex(roll.proof));
  step("proof.input", toHex(alpha), true);
  if (!step("proof.output", beta ? toHex(beta) : "–", Boolean(beta)) || !beta) return wrong("dice.why.proof");
  const faces = deriveValues(beta, roll.groups.map(({ kind, count, sides: of }) => ({ kind, count, sides: of })));
  if (!step("proof.faces", faces.join(" "), faces.join() === roll.values.join())) return wrong("dice.why.faces");
  return { finding: { state: "proved" }, epoch, steps };
}

// Hits expected of a roll, where it counts them; null where it does not.
export function expectedHits(roll: DiceRolled): number | null {
  let sum = 0;
  let counted = false;
  for (const group of roll.groups) {
    if (group.kind !== "dice" || !group.hitsFrom) continue;
    counted = true;
    sum += group.count * Math.max(0, Math.min(1, (group.sides - group.hitsFrom + 1) / group.sides));
  }
  return counted ? sum : null;
}
export function hitVariance(roll: DiceRolled): number {
  let sum = 0;
  for (const group of roll.groups) {
    if (group.kind !== "dice" || !group.hitsFrom) continue;
    const p = Math.max(0, Math.min(1, (group.sides - group.hitsFrom + 1) / group.sides));
    sum += group.count * p * (1 - p);
  }
  return sum;
}

export interface Luck {
  side: string;
  rolls: number;
  hits: number;
  expected: number;
  deviation: number;
}
export function luckOf(rolls: DiceRolled[]): Luck[] {
  const found = new Map<string, Luck & { variance: number }>();
  for (const roll of rolls) {
    const expected = expectedHits(roll);
    if (expected === null || roll.hits === undefined || !roll.roller) continue;
    const luck = found.get(roll.roller) ?? { side: roll.roller, rolls: 0, hits: 0, expected: 0, deviation: 0, variance: 0 };
    luck.rolls += 1;
    luck.hits += roll.hits;
    luck.expected += expected;
    luck.variance += hitVariance(roll);
    luck.deviation = Math.sqrt(luck.variance);
    found.set(roll.roller, luck);
  }
  return [...found.values()].map(({ variance: _, ...luck }) => luck);
}

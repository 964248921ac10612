// Types of player.js.
export { Wrong } from "./fairdice";

/** Not this player's to give now; nothing was signed. */
export class NotOwed extends Error {}

/** A player's file, "wardiary-player/1"; `secret` is all there is to keep. */
export interface PlayerMemory {
  format: "wardiary-player/1";
  name: string;
  key?: string;
  secret: string;
  joined: { stream: string; draft: string; slot: number }[];
  epochs: { stream: string; draft: string; epoch: string }[];
  signed: { stream: string; epoch: string; roller: number; number: number; digest: string }[];
}

export interface DiceGroup { kind: string; count: number; sides: number; hitsFrom?: number }
interface Terms {
  stream: string; vrfKey: string; suite: number; chainLength: number; policy: string;
  rulesHash: string; answerWithin: number; hash: string; version: number;
}
export interface DiceContributor {
  slot: number; side?: string; name: string; key: string; custodial: boolean;
  anchors: { roller: number; value: string }[]; signature: string;
}

/** "wardiary-dice-state/1", as GET .../dice/state gives it (docs/formats.md). */
export interface DiceState {
  format: "wardiary-dice-state/1";
  game: string; branch: string; version: number; policy: string; sides: string[];
  draft: (Terms & { slots: number[]; joined: DiceContributor[] }) | null;
  epoch: (Terms & {
    draft: string; contributors: DiceContributor[];
    numbers: { roller: number; first: number; next: number }[];
    unlocked: { contributor: number; roller: number; upTo: number }[];
  }) | null;
  order: {
    version: number; hash: string; author: string;
    requests: {
      version: number; digest: string; roller: number; number: number; prevEvent: string;
      orderEvent: string; spec: DiceGroup[]; element: string; key: string; signature: string;
      missing: number[];
    }[];
  } | null;
  next: {
    roller: number; number: number; order: number; orderEvent: string; prevEvent: string;
    purpose?: string; spec: DiceGroup[];
  } | null;
  owed: {
    what: "join" | "request" | "reveal" | "roll"; slot: number; side: string; about: number;
    since: number; deadline?: number; lapsed: boolean;
  }[];
  abandoned: number;
}

export class Player {
  /** A fresh player's memory. */
  static create(name: string): PlayerMemory;
  /** `keep` gets the whole memory as JSON before any signature is made, and is awaited. */
  constructor(memory: PlayerMemory, keep?: (json: string) => void | Promise<void>);
  readonly name: string;
  readonly key: Uint8Array;
  toJSON(): PlayerMemory;
  publicJSON(): Omit<PlayerMemory, "secret">;
  /** What POST .../dice/join takes; likewise the others. They throw NotOwed or Wrong. */
  join(state: DiceState, slot: number): Promise<DiceContributor>;
  request(state: DiceState): Promise<Record<string, unknown>>;
  reveal(state: DiceState): Promise<Record<string, unknown>>;
  unlock(state: DiceState, count: number): Promise<Record<string, unknown>[]>;
  /** One of `agreed` in what POST .../dice/abandon takes. */
  agree(state: DiceState): Promise<{ contributor: number; signature: string }>;
  /** After verifyTranscript: every roll is the one this player signed for. Throws Wrong. */
  check(transcript: unknown): number;
}

// Types of fairdice.js. Byte strings are Uint8Array; in transcripts, which are JSON, lower-case
// hexadecimal.

/** What is wrong, beginning with the path of the field. */
export class Wrong extends Error {}

export type Grade = "live" | "async" | "solo" | "imported" | "beacon" | "branch";
export interface Group { kind: "dice" | "shuffle" | "draw"; count: number; sides: number }

/** A document "wardiary-dice/1" as parsed from JSON; docs/dice.md describes every field. */
export interface DiceTranscript {
  format: "wardiary-dice/1";
  epoch: {
    hash: string; stream: string; suite: number; vrf_pk: string; chain_length: number;
    policy: Grade; rules_hash: string;
    contributors: {
      slot: number; custodial: boolean; key: string; anchors: string[]; signature: string;
    }[];
  };
  counters: number[];
  rolls: {
    grade: Grade;
    request: {
      roller: number; number: number; prev_event: string; order_event: string; spec: Group[];
      v: string; idempotency_key: string;
    };
    signature: string;
    disclosures: { contributor: number; up_to?: number; v: string; signature: string }[];
    beacon?: { round: number; randomness: string };
    sealed: boolean;
    seal?: string;
    pi?: string;
    values?: number[];
  }[];
}
export interface DiceBundle { format: "wardiary-dice-set/1"; dice: DiceTranscript[] }

/** Returns the number of rolls found good; throws Wrong. `say` gets a line for each. */
export function verifyTranscript(raw: unknown, say?: (line: string) => void): number;
export function verifyDocument(raw: unknown, say?: (line: string) => void): number;
/** The digest the roller signed for one roll of a parsed transcript, in hexadecimal. */
export function requestDigestOf(raw: unknown, index: number): string;

// ---- A player's side ----

export const CHAIN_LENGTH_DEFAULT: number;
/** 32 random bytes. */
export function newSeed(): Uint8Array;
export function publicKeyOf(seed: Uint8Array): Uint8Array;
/** Ed25519, by WebCrypto where it can. */
export function signDigest(seed: Uint8Array, digest: Uint8Array): Promise<Uint8Array>;

/** A contributor's own chain for one roller. Throws RangeError when it is used up. */
export class ContributionChain {
  constructor(stream: Uint8Array, contributor: number, roller: number, seed: Uint8Array,
    length?: number);
  readonly anchor: Uint8Array;
  readonly length: number;
  element(number: number): Uint8Array;
}

/** Refuses to sign two different requests for one roll. Keep entries() before signing. */
export class SignedRequests {
  constructor(entries?: Iterable<[string, string]>);
  entries(): [string, string][];
  admit(stream: Uint8Array, roller: number, number: number, digest: Uint8Array): boolean;
}

export interface Request {
  roller: number; number: number; prev_event: Uint8Array; order_event: Uint8Array; spec: Group[];
  v: Uint8Array; idempotency_key: Uint8Array;
}
export interface EpochTerms {
  stream: Uint8Array; suite: number; vrf_pk: Uint8Array; chain_length: number; policy: Grade;
  rules_hash: Uint8Array; contributors: { slot: number }[];
}
export function anchorsDigest(epoch: EpochTerms,
  contributor: { slot: number; custodial: boolean; anchors: Uint8Array[] }): Uint8Array;
export function requestDigest(stream: Uint8Array, request: Request): Uint8Array;
export function revealDigest(stream: Uint8Array, requestDigest: Uint8Array, contributor: number,
  v: Uint8Array): Uint8Array;
export function unlockDigest(stream: Uint8Array, epochHash: Uint8Array, contributor: number,
  roller: number, upTo: number, v: Uint8Array): Uint8Array;
export function abandonDigest(stream: Uint8Array, epochHash: Uint8Array,
  orderEvent: Uint8Array): Uint8Array;
export function chainWalk(stream: Uint8Array, contributor: number, roller: number,
  element: Uint8Array, steps: number): Uint8Array;

// ---- Parts, for whoever wants to look closer ----

export interface PreparedKey { readonly bytes: Uint8Array }
/** Null unless a canonical point of prime order. */
export function prepareKey(bytes: Uint8Array): PreparedKey | null;
export function verifySignature(key: PreparedKey, digest: Uint8Array,
  signature: Uint8Array): boolean;
/** beta, or null if `pi` is no proof. */
export function vrfVerify(key: PreparedKey, alpha: Uint8Array, pi: Uint8Array): Uint8Array | null;
export function makeAlpha(epochHash: Uint8Array, stream: Uint8Array, roller: number, number: number,
  contributions: [number, Uint8Array][],
  beacon?: { round: number; randomness: Uint8Array }): Uint8Array;
export function sealOf(beta: Uint8Array): Uint8Array;
export function deriveValues(beta: Uint8Array, spec: Group[]): number[];
export class ByteStream {
  constructor(beta: Uint8Array);
  readonly used: number;
  next(): number;
  uniform(n: number): number;
}
export function sha256(...parts: Uint8Array[]): Uint8Array;
export function sha512(...parts: Uint8Array[]): Uint8Array;
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array;
export function toHex(bytes: Uint8Array): string;
export function fromHex(text: string): Uint8Array;

// fairdice/v1: what is hashed, signed and derived for a roll, and a player's side of it.
// docs/dice.md tells the story; domain/fairdice/fairdice.h is the same in C++.
import { signDigest as ownSign } from "./curve.js";
import { concat, hmacSha256, sha256 } from "./hashes.js";

export const CHAIN_LENGTH_MAX = 1 << 20;
export const CHAIN_LENGTH_DEFAULT = 16384;
export const GROUPS_MAX = 64;
export const POOL_MAX = 10000;
export const VALUES_MAX = 10000;
export const KINDS = { dice: 1, shuffle: 2, draw: 3 };
export const GRADES = ["live", "async", "solo", "imported", "beacon", "branch"];

export function toHex(bytes) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const u8 = (n) => Uint8Array.of(n);
const u16 = (n) => Uint8Array.of(n >>> 8, n);
const u32 = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
const u64 = (n) => concat(u32(Math.floor(n / 2 ** 32)), u32(n >>> 0));

const encoder = new TextEncoder();
export const domainPrefix = (label) => encoder.encode("fairdice/v1/" + label + "\0");

// ---- What is signed ---------------------------------------------------------------------------
// Arguments are plain objects with the fields of a transcript, byte strings as Uint8Array.

export function anchorsDigest(epoch, contributor) {
  const anchors = epoch.contributors.map((c, i) => concat(u8(c.slot), contributor.anchors[i]));
  return sha256(concat(domainPrefix("anchors"), epoch.stream, u8(epoch.suite), epoch.vrf_pk,
    u32(epoch.chain_length), u8(GRADES.indexOf(epoch.policy)), epoch.rules_hash,
    u8(contributor.slot), u8(contributor.custodial ? 1 : 0), u8(anchors.length), ...anchors));
}

export function encodeSpec(spec) {
  return concat(u16(spec.length),
    ...spec.map((g) => concat(u8(KINDS[g.kind]), u16(g.count), u32(g.sides))));
}

export function requestDigest(stream, request) {
  return sha256(domainPrefix("request"), stream, request.prev_event, u8(request.roller),
    u64(request.number), request.order_event, encodeSpec(request.spec), request.v,
    request.idempotency_key);
}

export function revealDigest(stream, digest, contributor, v) {
  return sha256(domainPrefix("reveal"), stream, digest, u8(contributor), v);
}

export function unlockDigest(stream, epochHash, contributor, roller, upTo, v) {
  return sha256(domainPrefix("unlock"), stream, epochHash, u8(contributor), u8(roller), u64(upTo),
    v);
}

export function abandonDigest(stream, epochHash, orderEvent) {
  return sha256(domainPrefix("abandon"), stream, epochHash, orderEvent);
}

// ---- Contribution chains ----------------------------------------------------------------------

export function chainWalk(stream, contributor, roller, element, steps) {
  const start = concat(domainPrefix("chain"), stream, u8(contributor), u8(roller));
  const message = new Uint8Array(start.length + 32);
  message.set(start);
  for (let i = 0; i < steps; ++i) {
    message.set(element, start.length);
    element = sha256(message);
  }
  return element;
}

// A contributor's own chain for one roller. Keeps about sqrt(length) elements.
export class ContributionChain {
  #kept = [];
  #stride;

  constructor(stream, contributor, roller, seed, length = CHAIN_LENGTH_DEFAULT) {
    if (!Number.isInteger(length) || length < 1 || length > CHAIN_LENGTH_MAX) {
      throw new RangeError("chain length out of range");
    }
    Object.assign(this, { stream, contributor, roller, length });
    this.#stride = Math.ceil(Math.sqrt(length));
    let k = sha256(domainPrefix("chain-seed"), stream, u8(contributor), u8(roller), seed);
    for (let i = 0; i < length; i += this.#stride) {
      this.#kept.push(k);
      k = chainWalk(stream, contributor, roller, k, Math.min(this.#stride, length - i));
    }
    this.anchor = k;
  }

  // The element of roll `number`.
  element(number) {
    if (!Number.isInteger(number) || number < 0 || number >= this.length) {
      throw new RangeError("the chain is used up");
    }
    const index = this.length - 1 - number;
    const from = this.#kept[Math.floor(index / this.#stride)];
    return chainWalk(this.stream, this.contributor, this.roller, from, index % this.#stride);
  }
}

// ---- A player's rule and signature ------------------------------------------------------------

// Remembers which request was signed for which roll, and refuses a second one for the same roll,
// ever: a server that could get two requests answered could choose between their dice. The caller
// keeps `entries()` somewhere that outlives the page, before sending any signature.
export class SignedRequests {
  #digests;

  constructor(entries = []) { this.#digests = new Map(entries); }

  entries() { return [...this.#digests]; }

  // True if this digest is, or now becomes, the one signed for (stream, roller, number).
  admit(stream, roller, number, digest) {
    const key = `${toHex(stream)}/${roller}/${number}`, hex = toHex(digest);
    if (!this.#digests.has(key)) this.#digests.set(key, hex);
    return this.#digests.get(key) === hex;
  }
}

// Node 18 has no global `crypto`: set globalThis.crypto to node:crypto's webcrypto there.
export function newSeed() {
  return globalThis.crypto.getRandomValues(new Uint8Array(32));
}

const PKCS8_ED25519 = fromHex("302e020100300506032b657004220420");

// By WebCrypto where it knows Ed25519, which keeps the timing quiet, else by our own arithmetic.
// Both give the same bytes.
export async function signDigest(seed, digest) {
  const subtle = globalThis.crypto?.subtle;  // not there on pages served without TLS
  try {
    const key = await subtle.importKey("pkcs8", concat(PKCS8_ED25519, seed), "Ed25519", false,
      ["sign"]);
    return new Uint8Array(await subtle.sign("Ed25519", key, digest));
  } catch {
    return ownSign(seed, digest);
  }
}

// ---- The roll ---------------------------------------------------------------------------------

// contributions: [slot, v] pairs, slots ascending.
export function makeAlpha(epochHash, stream, roller, number, contributions, beacon) {
  return concat(domainPrefix("alpha"), epochHash, stream, u8(roller), u64(number),
    u8(contributions.length), ...contributions.map(([slot, v]) => concat(u8(slot), v)),
    ...(beacon ? [u8(1), u64(beacon.round), beacon.randomness] : [u8(0)]));
}

export function sealOf(beta) {
  return sha256(domainPrefix("seal"), beta);
}

export class ByteStream {
  #beta;
  #block;
  used = 0;

  constructor(beta) { this.#beta = beta; }

  next() {
    const within = this.used % 32;
    if (within === 0) {
      this.#block = hmacSha256(this.#beta, concat(domainPrefix("expand"), u32(this.used / 32)));
    }
    this.used += 1;
    return this.#block[within];
  }

  // Uniform on 0..n-1.
  uniform(n) {
    if (n === 1) return 0;
    const width = n <= 256 ? 1 : n <= 65536 ? 2 : 4;
    const range = 256 ** width, limit = range - range % n;
    for (;;) {
      let value = 0;
      for (let i = 0; i < width; ++i) value = value * 256 + this.next();
      if (value < limit) return value % n;
    }
  }
}

// What is wrong with a spec, or null.
export function specFault(spec) {
  if (spec.length < 1 || spec.length > GROUPS_MAX) return "spec: number of groups out of range";
  for (const [i, { kind, count, sides }] of spec.entries()) {
    let good = count >= 1 && sides >= 1;
    if (kind === "shuffle") good = good && count === sides && sides <= POOL_MAX;
    if (kind === "draw") good = good && count <= sides && sides <= POOL_MAX;
    if (!good) return `spec[${i}]: cannot be rolled`;
  }
  const values = spec.reduce((n, group) => n + group.count, 0);
  return values > VALUES_MAX ? "spec: too many values" : null;
}

export function deriveValues(beta, spec) {
  const bytes = new ByteStream(beta), values = [];
  for (const { kind, count, sides } of spec) {
    if (kind === "dice") {
      for (let i = 0; i < count; ++i) values.push(1 + bytes.uniform(sides));
      continue;
    }
    const pool = Array.from({ length: sides }, (_, i) => i);
    if (kind === "shuffle") {
      for (let i = sides - 1; i >= 1; --i) {
        const j = bytes.uniform(i + 1);
        [pool[i], pool[j]] = [pool[j], pool[i]];
      }
      values.push(...pool);
    } else {
      for (let i = 0; i < count; ++i) values.push(...pool.splice(bytes.uniform(pool.length), 1));
    }
  }
  return values;
}

// edwards25519 with BigInt: Ed25519 (RFC 8032) and ECVRF-EDWARDS25519-SHA512-TAI (RFC 9381, suite
// 3). Points are extended coordinates [X, Y, Z, T]. Not constant-time: for checking, and for
// signing with a player's own key on the player's own machine.
import { concat, sha512 } from "./hashes.js";

const P = 2n ** 255n - 19n;
export const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const LOW_255 = 2n ** 255n - 1n;

const mod = (a) => { const r = a % P; return r < 0n ? r + P : r; };

function power(base, exponent) {
  let out = 1n;
  for (let bit = exponent.toString(2).length - 1; bit >= 0; --bit) {
    out = out * out % P;
    if (exponent >> BigInt(bit) & 1n) out = out * base % P;
  }
  return out;
}

// Extended Euclid: several times faster than raising to P-2.
function inverse(a) {
  let [r0, r1, s0, s1] = [P, mod(a), 0n, 1n];
  while (r1 !== 0n) {
    const q = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - q * r1, s1, s0 - q * s1];
  }
  return mod(s0);
}

const D = mod(-121665n * inverse(121666n));
const D2 = mod(2n * D);
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);
const IDENTITY = [0n, 1n, 1n, 0n];

export function add(a, b) {
  const m = (a[1] - a[0]) * (b[1] - b[0]) % P, n = (a[1] + a[0]) * (b[1] + b[0]) % P;
  const c = a[3] * b[3] % P * D2 % P, d = 2n * a[2] * b[2] % P;
  const e = n - m, f = d - c, g = d + c, h = n + m;
  return [e * f % P, g * h % P, f * g % P, e * h % P];
}

function double(a) {
  const xx = a[0] * a[0] % P, yy = a[1] * a[1] % P, h = xx + yy, s = a[0] + a[1];
  const e = h - s * s % P, g = xx - yy, f = 2n * a[2] * a[2] % P + g;
  return [e * f % P, g * h % P, f * g % P, e * h % P];
}

const negative = (a) => [-a[0], a[1], a[2], -a[3]];
const timesEight = (a) => double(double(double(a)));
const isIdentity = (a) => a[0] % P === 0n && (a[1] - a[2]) % P === 0n;

function multiplesOf(point) {
  const table = [IDENTITY, point];
  while (table.length < 16) table.push(add(table[table.length - 1], point));
  return table;
}

// The sum of scalar * point over [scalar, table of the point] pairs, four bits a step.
function combine(...pairs) {
  let out = IDENTITY, started = false;
  for (let shift = 252n; shift >= 0n; shift -= 4n) {
    if (started) out = double(double(double(double(out))));
    for (const [scalar, table] of pairs) {
      const digit = Number(scalar >> shift & 15n);
      if (digit !== 0) {
        out = add(out, table[digit]);
        started = true;
      }
    }
  }
  return out;
}

export function numberOf(bytes) {
  let text = "";
  for (let i = bytes.length - 1; i >= 0; --i) text += bytes[i].toString(16).padStart(2, "0");
  return BigInt("0x" + (text || "0"));
}

export function bytesOf(number, size) {
  const out = new Uint8Array(size);
  for (let i = 0; i < size; ++i) {
    out[i] = Number(number & 255n);
    number >>= 8n;
  }
  return out;
}

export function encode(a) {
  const z = inverse(a[2]);
  return bytesOf(mod(a[1] * z) | (mod(a[0] * z) & 1n) << 255n, 32);
}

// The point, or null: y must be below p, and the sign of x = 0 must be 0 (RFC 8032 5.1.3).
export function decode(bytes) {
  const number = numberOf(bytes), sign = number >> 255n, y = number & LOW_255;
  if (bytes.length !== 32 || y >= P) return null;
  const u = mod(y * y - 1n), v = mod(D * y % P * y + 1n);
  const v3 = v * v % P * v % P;
  let x = u * v3 % P * power(u * v3 % P * v3 % P * v % P, (P - 5n) / 8n) % P;
  if ((v * x % P * x - u) % P !== 0n) {
    x = x * ROOT_OF_MINUS_ONE % P;
    if ((v * x % P * x - u) % P !== 0n) return null;
  }
  if (x === 0n && sign === 1n) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, x * y % P];
}

// As decode, but null also for the identity and for points outside the prime-order subgroup.
export function decodeStrong(bytes) {
  const point = decode(bytes);
  if (!point || isIdentity(point)) return null;
  return isIdentity(combine([ORDER, multiplesOf(point)])) ? point : null;
}

const BASE = multiplesOf(decode(bytesOf(mod(4n * inverse(5n)), 32)));
const sameBytes = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

// A public key prepared for many checks; null if it is not a canonical point of prime order.
export function prepareKey(bytes) {
  const point = decodeStrong(bytes);
  return point && { bytes, negated: multiplesOf(negative(point)) };
}

// `key` as prepareKey gives it.
export function verifySignature(key, digest, signature) {
  const r = signature.subarray(0, 32), s = numberOf(signature.subarray(32));
  if (signature.length !== 64 || s >= ORDER) return false;
  const k = numberOf(sha512(r, key.bytes, digest)) % ORDER;
  const found = combine([s, BASE], [k, key.negated]);
  return !isIdentity(found) && sameBytes(encode(found), r);
}

function expandSeed(seed) {
  const hashed = sha512(seed);
  const clamped = hashed.slice(0, 32);
  clamped[0] &= 248;
  clamped[31] = clamped[31] & 127 | 64;
  return { x: numberOf(clamped) % ORDER, prefix: hashed.slice(32) };
}

export function publicKeyOf(seed) {
  return encode(combine([expandSeed(seed).x, BASE]));
}

export function signDigest(seed, digest) {
  const { x, prefix } = expandSeed(seed);
  const key = encode(combine([x, BASE]));
  const k = numberOf(sha512(prefix, digest)) % ORDER;
  const r = encode(combine([k, BASE]));
  const s = (k + numberOf(sha512(r, key, digest)) * x) % ORDER;
  return concat(r, bytesOf(s, 32));
}

// ---- The verifiable random function -----------------------------------------------------------

const SUITE = 3;

function hashToPoint(key, alpha) {
  for (let counter = 0; counter < 256; ++counter) {
    const tried = sha512(Uint8Array.of(SUITE, 1), key, alpha, Uint8Array.of(counter, 0));
    const point = decode(tried.subarray(0, 32));
    if (point) {
      const cleared = timesEight(point);
      if (!isIdentity(cleared)) return cleared;
    }
  }
  return null;
}

// beta (64 bytes) if `pi` proves it for (key, alpha), else null. `key` as prepareKey gives it.
export function vrfVerify(key, alpha, pi) {
  if (pi.length !== 80) return null;
  const challenge = pi.subarray(32, 48);
  const c = numberOf(challenge), s = numberOf(pi.subarray(48));
  const gamma = decodeStrong(pi.subarray(0, 32));
  if (!gamma || c === 0n || s === 0n || s >= ORDER) return null;
  const h = hashToPoint(key.bytes, alpha);
  if (!h) return null;
  const u = combine([s, BASE], [c, key.negated]);
  const v = combine([s, multiplesOf(h)], [c, multiplesOf(negative(gamma))]);
  const expected = sha512(Uint8Array.of(SUITE, 2), key.bytes, encode(h), pi.subarray(0, 32),
    encode(u), encode(v), Uint8Array.of(0));
  if (!sameBytes(expected.subarray(0, 16), challenge)) return null;
  return sha512(Uint8Array.of(SUITE, 3), encode(timesEight(gamma)), Uint8Array.of(0));
}

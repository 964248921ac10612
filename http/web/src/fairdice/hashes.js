// SHA-256, SHA-512 and HMAC-SHA-256, synchronous and without WebCrypto: a contribution chain takes
// thousands of hashes, far too many for one promise each, and browsers withhold crypto.subtle from
// pages served without TLS, as on a club's own network. The tests compare them with WebCrypto.

// Both hashes take their constants from the first primes: fractional bits of their cube roots
// (round constants) and of the square roots of the first eight (initial state). SHA-256 uses the
// upper 32 of SHA-512's 64 bits.
const MASK = (1n << 64n) - 1n;

function integerRoot(n, degree) {
  let low = 0n, high = 1n << 80n;
  while (low + 1n < high) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= n) low = middle; else high = middle;
  }
  return low;
}

const primes = [];
for (let n = 2; primes.length < 80; ++n) {
  if (primes.every((p) => n % p !== 0)) primes.push(n);
}
const K64 = primes.map((p) => integerRoot(BigInt(p) << 192n, 3n) & MASK);
const START64 = primes.slice(0, 8).map((p) => integerRoot(BigInt(p) << 128n, 2n) & MASK);
const K32 = Int32Array.from(K64.slice(0, 64), (k) => Number(k >> 32n) | 0);
const START32 = Int32Array.from(START64, (h) => Number(h >> 32n) | 0);

export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

// The message with its padding: a one bit, zeros, and the length in bits.
function padded(message, block) {
  const lengthSize = block / 8;
  const total = Math.ceil((message.length + 1 + lengthSize) / block) * block;
  const out = new Uint8Array(total);
  out.set(message);
  out[message.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(total - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(total - 4, (message.length * 8) >>> 0);
  return view;
}

const w32 = new Int32Array(64);

function compress32(state, view, at) {
  for (let i = 0; i < 16; ++i) w32[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; ++i) {
    const x = w32[i - 15], y = w32[i - 2];
    const s0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
    const s1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
    w32[i] = w32[i - 16] + s0 + w32[i - 7] + s1 | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; ++i) {
    const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
    const t1 = h + s1 + (e & f ^ ~e & g) + K32[i] + w32[i] | 0;
    const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
    const t2 = s0 + (a & b ^ a & c ^ b & c) | 0;
    h = g; g = f; f = e; e = d + t1 | 0;
    d = c; c = b; b = a; a = t1 + t2 | 0;
  }
  state[0] += a; state[1] += b; state[2] += c; state[3] += d;
  state[4] += e; state[5] += f; state[6] += g; state[7] += h;
}

export function sha256(...parts) {
  const view = padded(parts.length === 1 ? parts[0] : concat(...parts), 64);
  const state = START32.slice();
  for (let at = 0; at < view.byteLength; at += 64) compress32(state, view, at);
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

const rotate = (x, n) => (x >> n | x << (64n - n)) & MASK;

function compress64(state, view, at) {
  const w = [];
  for (let i = 0; i < 16; ++i) w.push(view.getBigUint64(at + 8 * i));
  for (let i = 16; i < 80; ++i) {
    const x = w[i - 15], y = w[i - 2];
    const s0 = rotate(x, 1n) ^ rotate(x, 8n) ^ x >> 7n;
    const s1 = rotate(y, 19n) ^ rotate(y, 61n) ^ y >> 6n;
    w.push(w[i - 16] + s0 + w[i - 7] + s1 & MASK);
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 80; ++i) {
    const s1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n);
    const t1 = h + s1 + (e & f ^ (e ^ MASK) & g) + K64[i] + w[i];
    const s0 = rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n);
    const t2 = s0 + (a & b ^ a & c ^ b & c);
    h = g; g = f; f = e; e = d + t1 & MASK;
    d = c; c = b; b = a; a = t1 + t2 & MASK;
  }
  [a, b, c, d, e, f, g, h].forEach((v, i) => { state[i] = state[i] + v & MASK; });
}

export function sha512(...parts) {
  const view = padded(concat(...parts), 128);
  const state = START64.slice();
  for (let at = 0; at < view.byteLength; at += 128) compress64(state, view, at);
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => out.setBigUint64(8 * i, word));
  return new Uint8Array(out.buffer);
}

export function hmacSha256(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(block.map((b) => b ^ 0x36), message);
  return sha256(block.map((b) => b ^ 0x5c), inner);
}

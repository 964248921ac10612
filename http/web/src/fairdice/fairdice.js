// Check the dice of War Diary in a browser or in Node 18 and later, without dependencies:
//
//   import { verifyDocument } from "./fairdice.js";
//   const rolls = verifyDocument(JSON.parse(text), console.log);  // throws Wrong, naming the field
//
// and a player's side of the protocol: seeds, contribution chains, signatures.
import { prepareKey, verifySignature, vrfVerify } from "./curve.js";
import {
  CHAIN_LENGTH_MAX, GRADES, KINDS, anchorsDigest, chainWalk, deriveValues, fromHex, makeAlpha,
  requestDigest, revealDigest, sealOf, specFault, toHex, unlockDigest,
} from "./protocol.js";

import { Wrong, fail } from "./wrong.js";

export { Wrong };
export { prepareKey, publicKeyOf, verifySignature, vrfVerify } from "./curve.js";
export { hmacSha256, sha256, sha512 } from "./hashes.js";
export {
  ByteStream, CHAIN_LENGTH_DEFAULT, ContributionChain, SignedRequests, abandonDigest, anchorsDigest, chainWalk,
  deriveValues, fromHex, makeAlpha, newSeed, requestDigest, revealDigest, sealOf, signDigest, toHex,
  unlockDigest,
} from "./protocol.js";

// Runs `check`; what it finds wrong is reported as being inside `where`.
function within(where, check) {
  try {
    return check();
  } catch (error) {
    throw error instanceof Wrong ? new Wrong(`${where}.${error.message}`) : error;
  }
}

// ---- Reading, strictly: a field too many is as wrong as one too few ---------------------------

const bytes = (size) => (value, path) => {
  const good = typeof value === "string" && value.length === 2 * size && /^[0-9a-f]*$/.test(value);
  return good ? fromHex(value) : fail(`${path}: not ${size} bytes in hexadecimal`);
};
const whole = (most) => (value, path) =>
  Number.isInteger(value) && value >= 0 && value <= most
    ? value : fail(`${path}: not a whole number up to ${most}`);
const word = (known) => (value, path) => known.includes(value) ? value : fail(`${path}: unknown`);
const flag = (value, path) =>
  typeof value === "boolean" ? value : fail(`${path}: not true or false`);
const array = (read) => (value, path) =>
  Array.isArray(value)
    ? value.map((v, i) => read(v, `${path}[${i}]`)) : fail(`${path}: not an array`);
const record = (fields, optional = []) => (value, path) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    fail(`${path}: not an object`);
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) fail(`${path}.${name}: unknown field`);
  }
  const out = {};
  for (const [name, read] of Object.entries(fields)) {
    if (Object.hasOwn(value, name)) out[name] = read(value[name], `${path}.${name}`);
    else if (!optional.includes(name)) fail(`${path}.${name}: missing`);
  }
  return out;
};

const U8 = 0xff, U16 = 0xffff, U32 = 0xffffffff, EXACT = Number.MAX_SAFE_INTEGER;

const readTranscript = record({
  format: word(["wardiary-dice/1"]),
  epoch: record({
    hash: bytes(32), stream: bytes(16), suite: whole(U8), vrf_pk: bytes(32),
    chain_length: whole(U32), policy: word(GRADES), rules_hash: bytes(32),
    contributors: array(record({
      slot: whole(U8), custodial: flag, key: bytes(32), anchors: array(bytes(32)),
      signature: bytes(64),
    })),
  }),
  counters: array(whole(EXACT)),
  rolls: array(record({
    grade: word(GRADES),
    request: record({
      roller: whole(U8), number: whole(EXACT), prev_event: bytes(32), order_event: bytes(32),
      spec: array(record({ kind: word(Object.keys(KINDS)), count: whole(U16), sides: whole(U32) })),
      v: bytes(32), idempotency_key: bytes(16),
    }),
    signature: bytes(64),
    disclosures: array(record({
      contributor: whole(U8), up_to: whole(EXACT), v: bytes(32), signature: bytes(64),
    }, ["up_to"])),
    beacon: record({ round: whole(EXACT), randomness: bytes(32) }),
    sealed: flag, seal: bytes(32), pi: bytes(80), values: array(whole(U32)),
  }, ["beacon", "seal", "pi", "values"])),
});

const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

// ---- Checking ---------------------------------------------------------------------------------

// Takes an epoch and rolls as readTranscript gives them; throws Wrong.
export class EpochVerifier {
  #keys = new Map();    // slot -> prepared key
  #known = new Map();   // "contributor/roller" -> deepest chain element proven so far
  counts = new Map();   // roller -> rolls accepted

  constructor(epoch) {
    this.epoch = epoch;
    const { contributors, policy } = epoch;
    if (epoch.suite !== 3) fail("suite: unknown");
    this.vrfKey = prepareKey(epoch.vrf_pk) ?? fail("vrf_pk: not a point of prime order");
    if (epoch.chain_length < 1 || epoch.chain_length > CHAIN_LENGTH_MAX) {
      fail("chain_length: out of range");
    }
    if (policy === "imported" || policy === "branch") fail("policy: carries no proof");
    if (contributors.length < 1 || contributors.length > 255) {
      fail("contributors: must be 1 to 255");
    }
    if ((policy === "solo") !== (contributors.length === 1)) {
      fail("policy: solo means one contributor, anything else more");
    }
    contributors.forEach((c, i) => within(`contributors[${i}]`, () => this.#admit(c)));
  }

  #admit(contributor) {
    const { slot, anchors } = contributor;
    for (const [taken, key] of this.#keys) {
      if (slot <= taken) fail("slot: not ascending");
      if (same(key.bytes, contributor.key)) fail("key: used by another contributor");
    }
    const key = prepareKey(contributor.key) ?? fail("key: not a point of prime order");
    if (anchors.length !== this.epoch.contributors.length) {
      fail("anchors: one is needed for each contributor");
    }
    if (!verifySignature(key, anchorsDigest(this.epoch, contributor), contributor.signature)) {
      fail("signature: not by this key over these terms and anchors");
    }
    this.#keys.set(slot, key);
    this.epoch.contributors.forEach((roller, i) => {
      this.#known.set(`${slot}/${roller.slot}`, { depth: 0, element: anchors[i] });
    });
  }

  get slots() { return [...this.#keys.keys()]; }

  // Against the deepest element proven before, so that a game costs one hash a roll.
  #chainHolds(contributor, roller, number, element) {
    if (number >= this.epoch.chain_length) return false;
    const { stream } = this.epoch, key = `${contributor}/${roller}`, known = this.#known.get(key);
    const depth = number + 1;
    if (depth <= known.depth) {
      const walked = chainWalk(stream, contributor, roller, known.element, known.depth - depth);
      return same(walked, element);
    }
    const walked = chainWalk(stream, contributor, roller, element, depth - known.depth);
    if (!same(walked, known.element)) return false;
    this.#known.set(key, { depth, element });
    return true;
  }

  #checkGrade({ grade, beacon, disclosures }) {
    const { policy } = this.epoch;
    if (grade !== policy && !(policy === "async" && grade === "live")) {
      fail("grade: not what was agreed on");
    }
    if ((beacon !== undefined) !== (grade === "beacon")) {
      fail("beacon: belongs to a roll of grade beacon, and only there");
    }
    const unlocked = disclosures.some((d) => d.up_to !== undefined);
    if ((grade === "live" && unlocked) || (grade === "async" && !unlocked)) {
      fail("grade: contradicted by when the opponents contributed");
    }
  }

  // An opponent's element of this roll, by a reveal or by an unlock.
  #contribution(request, digest, disclosure) {
    const { stream, hash } = this.epoch, { contributor, v } = disclosure, { roller } = request;
    const number = disclosure.up_to ?? request.number;
    if (number < request.number) fail("up_to: does not reach this roll");
    const signed = disclosure.up_to === undefined
      ? revealDigest(stream, digest, contributor, v)
      : unlockDigest(stream, hash, contributor, roller, number, v);
    if (!verifySignature(this.#keys.get(contributor), signed, disclosure.signature)) {
      fail("signature: not by this contributor over this contribution");
    }
    if (!this.#chainHolds(contributor, roller, number, v)) fail("v: does not lead to the anchor");
    return chainWalk(stream, contributor, roller, v, number - request.number);
  }

  #collect({ request, disclosures }, digest) {
    let next = 0;
    const out = this.slots.map((slot) => {
      if (slot === request.roller) {
        if (!this.#chainHolds(slot, slot, request.number, request.v)) {
          fail("request.v: does not lead to the anchor");
        }
        return [slot, request.v];
      }
      const i = next++;
      if (disclosures[i]?.contributor !== slot) {
        fail(`disclosures[${i}].contributor: slot ${slot} must be here`);
      }
      return [slot, within(`disclosures[${i}]`,
        () => this.#contribution(request, digest, disclosures[i]))];
    });
    if (next !== disclosures.length) fail(`disclosures[${next}]: too many`);
    return out;
  }

  // One roll, the next of its roller. Returns a sentence saying what was checked.
  check(roll) {
    const { request } = roll, { roller, number } = request, { epoch } = this;
    const key = this.#keys.get(roller) ?? fail("request.roller: not a contributor");
    const expected = this.counts.get(roller) ?? 0;
    if (number !== expected) fail(`request.number: expected ${expected}`);
    if (number >= epoch.chain_length) fail("request.number: beyond the contribution chains");
    const fault = specFault(request.spec);
    if (fault) fail(`request.${fault}`);
    this.#checkGrade(roll);
    const digest = requestDigest(epoch.stream, request);
    if (!verifySignature(key, digest, roll.signature)) {
      fail("signature: not by the roller over this request");
    }
    const contributions = this.#collect(roll, digest);
    const said = `${contributions.length} signature(s), ${contributions.length} contribution(s)`
      + this.#checkResult(roll, contributions);
    this.counts.set(roller, number + 1);
    return said;
  }

  #checkResult(roll, contributions) {
    const { request, pi, values, seal, sealed, beacon } = roll, { epoch } = this;
    if ((seal !== undefined) !== sealed) fail("seal: belongs to a sealed roll, and only there");
    if (pi === undefined) {
      if (!sealed) fail("pi: missing from a roll that is not sealed");
      if (values !== undefined) fail("values: present in a roll that is not opened");
      return "; sealed, not yet opened";
    }
    if (values === undefined) fail("values: missing");
    const alpha = makeAlpha(epoch.hash, epoch.stream, request.roller, request.number, contributions,
      beacon);
    const beta = vrfVerify(this.vrfKey, alpha, pi)
      ?? fail("pi: does not prove this input under this key");
    if (sealed && !same(seal, sealOf(beta))) fail("seal: not of this roll");
    if (!same(values, deriveValues(beta, request.spec))) fail("values: not what the proof yields");
    return ", proof, values" + (sealed ? ", seal" : "")
      + (beacon ? "; the beacon's own signature is not checked" : "");
  }
}

function describe({ request, grade, values = [] }) {
  const spec = request.spec.map(({ kind, count, sides }) =>
    kind === "dice" ? `${count}d${sides}` : `${kind} ${count} of ${sides}`).join(" + ");
  const shown = values.slice(0, 12).join(" ") + (values.length > 12 ? " ..." : "");
  return `roller ${request.roller} number ${request.number}, ${grade}: ${spec} = ${shown || "?"}`;
}

// `raw` is the parsed JSON of a "wardiary-dice/1" document. `say` is called with one line for the
// epoch and one for each roll. Returns the number of rolls; throws Wrong.
export function verifyTranscript(raw, say = () => {}) {
  const transcript = readTranscript(raw, "transcript");
  const verifier = within("epoch", () => new EpochVerifier(transcript.epoch));
  say(`epoch: ${verifier.slots.length} contributor(s), policy ${transcript.epoch.policy}: `
    + "keys, terms and anchors good");
  let last = -1;
  transcript.rolls.forEach((roll, i) => within(`rolls[${i}]`, () => {
    if (roll.request.roller < last) fail("request.roller: rolls are not in order");
    last = roll.request.roller;
    const checked = verifier.check(roll);
    say(`${describe(roll)} (${checked}: good)`);
  }));
  if (!same(transcript.counters, verifier.slots.map((slot) => verifier.counts.get(slot) ?? 0))) {
    fail("counters: not the number of rolls given");
  }
  return transcript.rolls.length;
}

// A transcript, or a "wardiary-dice-set/1" with transcripts under `dice`.
export function verifyDocument(raw, say = () => {}) {
  if (raw?.format !== "wardiary-dice-set/1") return verifyTranscript(raw, say);
  if (!Array.isArray(raw.dice)) fail("dice: not an array");
  return raw.dice.reduce((rolls, transcript, i) =>
    rolls + within(`dice[${i}]`, () => verifyTranscript(transcript, say)), 0);
}

// The request digest of one roll of a parsed transcript, in hexadecimal: what players compare with
// the digest their own client signed.
export function requestDigestOf(raw, index) {
  const { epoch, rolls } = readTranscript(raw, "transcript");
  return toHex(requestDigest(epoch.stream, rolls[index].request));
}

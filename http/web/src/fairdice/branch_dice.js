// The dice of one branch as its events tell them: epochs, and everything that players and service
// give for a roll. The same checks as replay/dice_record.h and tools/verify_bundle.py.
import { prepareKey, verifySignature, vrfVerify } from "./curve.js";
import { Wrong, fail } from "./wrong.js";
import { u64At } from "./flat.js";
import { concat, sha256 } from "./hashes.js";
import {
  CHAIN_LENGTH_MAX, GRADES, abandonDigest, chainWalk, deriveValues, domainPrefix, makeAlpha,
  requestDigest, revealDigest, sealOf, specFault, toHex, unlockDigest,
} from "./protocol.js";

const SOLO = GRADES.indexOf("solo");
const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
const u32 = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

// Everything an order says.
const orderKey = (order) => JSON.stringify([toHex(order.bytes(0)), order.number(1, "i8"),
  order.tables(2).map((a) => [toHex(a.bytes(0)), a.numbers(1), toHex(a.bytes(2))])]);

export class BranchDice {
  slots = null;
  proven = 0;
  unproven = 0;
  abandoned = 0;
  #keys = new Map();     // slot -> { key, custodial }
  #known = new Map();    // "contributor/roller" -> { depth, element }
  #first = new Map();    // roller -> its first roll in this epoch
  #unlocks = new Map();  // "contributor/roller" -> { upTo, element }
  #draft = null;
  #waiting = null;
  #sealed = new Map();
  #live = false;
  #nowMs = 0;

  constructor(branch, policy, counts) {
    Object.assign(this, { branch, policy, counts });
  }

  // ---- Epochs

  #terms(event, policy, rules) {
    const stream = event.bytes(0, 16), key = event.bytes(1, 32), length = event.number(3, "u32");
    if (!same(stream, this.branch)) fail("stream: of another branch");
    const point = prepareKey(key);
    if (event.number(2) !== 3 || !point) fail("vrf_key: unknown suite, or not of prime order");
    if (length < 1 || length > CHAIN_LENGTH_MAX) fail("chain_length: out of range");
    if (!same(event.bytes(4, 32), rules)) {
      fail("rules_hash: not that of the game's rules, options and contents");
    }
    if (policy !== this.policy) fail("policy: not that of the game");
    return { stream, key, point, length, rules };
  }

  drafted(version, event, rules) {
    if (this.#draft || this.#waiting) fail("a draft, while another or an order waits");
    const terms = this.#terms(event, event.number(5), rules), slots = [...event.bytes(6)];
    if (slots.length < 2 || slots.some((s, i) => i && s <= slots[i - 1])) {
      fail("slots: not two or more, ascending");
    }
    this.#draft = { version, terms, slots, within: event.number(7, "u32"), joined: new Map() };
  }

  // One contributor, its signature checked.
  #contributor(table, { stream, key: vrfKey, length, rules }) {
    const slot = table.number(0), key = table.bytes(2, 32), custodial = table.number(5);
    const anchors = table.tables(3).map((a) => [a.number(0), a.bytes(1, 32)]);
    if (anchors.some(([roller], i) => i && roller <= anchors[i - 1][0])) {
      fail(`contributors[${slot}].anchors: rollers not ascending`);
    }
    const signature = table.bytes(4, 64), prepared = prepareKey(key);
    const digest = sha256(domainPrefix("anchors"), stream, Uint8Array.of(3), vrfKey, u32(length),
      Uint8Array.of(this.policy), rules, Uint8Array.of(slot, custodial, anchors.length),
      ...anchors.map(([roller, anchor]) => concat(Uint8Array.of(roller), anchor)));
    if (!prepared || !verifySignature(prepared, digest, signature)) {
      fail(`contributors[${slot}].signature: not over these terms and anchors`);
    }
    const said = [slot, key, custodial, signature, ...anchors.flat()].map((part) =>
      typeof part === "number" ? part : toHex(part)).join();
    return { slot, key: prepared, custodial, anchors, said };
  }

  join(event) {
    const draft = this.#draft;
    if (!draft || u64At(event, 0) !== draft.version) fail("drafted: not the open draft");
    const joined = this.#contributor(event.table(1), draft.terms);
    if (!draft.slots.includes(joined.slot) || draft.joined.has(joined.slot)) {
      fail("slot: not one that is to join");
    }
    for (const other of draft.joined.values()) {
      if (same(other.key.bytes, joined.key.bytes)) fail("key: used by another contributor");
    }
    if (!same(joined.anchors.map(([roller]) => roller), draft.slots)) {
      fail("anchors: one is needed for each contributor");
    }
    draft.joined.set(joined.slot, joined);
  }

  open(event, hash, rules) {
    const drafted = u64At(event, 9), draft = this.#draft;
    let policy = event.number(6, "u8", SOLO);
    if (!drafted && policy === SOLO) policy = this.policy;  // the first logs do not state it
    const terms = this.#terms(event, policy, rules);
    const first = new Map(event.tables(7).map((f) => [f.number(0), u64At(f, 1)]));
    const made = new Map([...this.counts].filter(([, count]) => count)
      .map(([roller, count]) => [roller & 255, count]));
    const asMade = first.size === made.size && [...first].every(([r, n]) => made.get(r) === n);
    if (drafted) {
      if (drafted !== draft?.version || !same(terms.key, draft.terms.key)
        || terms.length !== draft.terms.length || event.number(8, "u32") !== draft.within) {
        fail("drafted: not as it was drafted");
      }
      if (!asMade) fail("first: not the rolls made so far");
    } else {
      if (["live", "async"].includes(GRADES[this.policy])) fail("drafted: none");
      if (this.slots && !(asMade && [...made.keys()].some((r) => this.#nearlyUsedUp(r)))) {
        fail("a second epoch, though no chain is used up");
      }
      if (!this.slots && first.size) fail("first: in a first epoch");
    }
    const contributors = event.tables(5).map((table) => this.#contributor(table, terms));
    contributors.forEach((c, i) => {
      if (i && c.slot <= contributors[i - 1].slot) fail("contributors: slots not ascending");
      if (drafted && draft.joined.get(c.slot)?.said !== c.said) {
        fail(`contributors[${c.slot}]: not as it joined`);
      }
    });
    const slots = contributors.map((c) => c.slot);
    if (!slots.length || (drafted && !same(slots, draft.slots))) {
      fail("contributors: none, or not all");
    }
    Object.assign(this, { slots, hash, terms, within: event.number(8, "u32") });
    this.#keys = new Map(contributors.map((c) => [c.slot, c]));
    this.#known = new Map(contributors.flatMap((c) =>
      c.anchors.map(([roller, element]) => [`${c.slot}/${roller}`, { depth: 0, element }])));
    this.#first = first;
    this.#unlocks = new Map();
    this.#live = drafted > 0;
    this.#draft = null;
  }

  #nextNumber(roller) {
    const count = this.counts.get(roller > 127 ? roller - 256 : roller) ?? 0;
    const waiting = this.#waiting?.rolls.slice(this.#waiting.done) ?? [];
    return count - (this.#first.get(roller) ?? 0)
      + waiting.filter((roll) => roll.request.roller === roller).length;
  }

  #nearlyUsedUp(roller) {
    const { length } = this.terms;
    return length - Math.min(length, this.#nextNumber(roller)) < Math.min(64, length >> 1);
  }

  #holds(slot, roller, number, element) {
    const known = this.#known.get(`${slot}/${roller}`), depth = number + 1;
    if (!known || number >= this.terms.length) return false;
    const { stream } = this.terms;
    if (depth <= known.depth) {
      return same(chainWalk(stream, slot, roller, known.element, known.depth - depth), element);
    }
    const walked = chainWalk(stream, slot, roller, element, depth - known.depth);
    if (!same(walked, known.element)) return false;
    this.#known.set(`${slot}/${roller}`, { depth, element });
    return true;
  }

  #signed(slot, digest, signature) {
    return verifySignature(this.#keys.get(slot).key, digest, signature);
  }

  // ---- Orders that wait, and what is given for their rolls

  // A commit begins: was everything rolled that was asked for?
  begin(atMs) {
    this.#nowMs = atMs;
    if (!this.#waiting?.issued) return;
    const { done, rolls } = this.#waiting;
    this.#waiting = null;
    if (done !== rolls.length) fail(`rolls: ${done} made of ${rolls.length} that were requested`);
  }

  suspend(version, event, hash) {
    if (!this.#live || this.#draft || this.#waiting) fail("an order that waits, where none can");
    this.#waiting = {
      version, hash, order: orderKey(event.table(0)), atMs: this.#nowMs, rolls: [], done: 0,
      issued: false,
    };
  }

  issue(event) {
    if (!this.#waiting) return;
    if (orderKey(event) !== this.#waiting.order) fail("order: another than the one that waits");
    this.#waiting.issued = true;
  }

  #missing(roll) {
    return this.slots.filter((s) => s !== roll.request.roller && !roll.disclosed.has(s));
  }

  // The rolls of the order that waits; none if none does.
  get #rolls() { return this.#waiting && !this.#waiting.issued ? this.#waiting.rolls : []; }

  request(version, event, prevEvent) {
    const waiting = this.#waiting;
    if (!waiting || waiting.issued || u64At(event, 2) !== waiting.version) {
      fail("order: not the one that waits");
    }
    if (waiting.rolls.length && this.#missing(waiting.rolls.at(-1)).length) {
      fail("a request before the reveals of the one before it");
    }
    const { stream } = this.terms, request = {
      roller: event.number(0), number: u64At(event, 1), prev_event: prevEvent,
      order_event: waiting.hash, spec: event.groups(3), v: event.bytes(4, 32),
      idempotency_key: event.bytes(5, 16),
    };
    const { roller, number } = request, fault = specFault(request.spec);
    if (!this.#keys.has(roller)) fail("roller: not a contributor");
    if (number !== this.#nextNumber(roller)) {
      fail(`number: is ${number}, expected ${this.#nextNumber(roller)}`);
    }
    if (fault) fail(fault);
    if (!this.#holds(roller, roller, number, request.v)) {
      fail("element: does not lead to the roller's anchor");
    }
    const digest = requestDigest(stream, request);
    if (!this.#signed(roller, digest, event.bytes(6, 64))) {
      fail("signature: not by the roller over this request");
    }
    const disclosed = new Map();
    for (const slot of this.slots) {
      const unlock = this.#unlocks.get(`${slot}/${roller}`);
      if (!unlock || unlock.upTo < number) continue;
      disclosed.set(slot, chainWalk(stream, slot, roller, unlock.element, unlock.upTo - number));
    }
    waiting.rolls.push({
      version, request, digest, disclosed, advance: disclosed.size > 0, seal: null,
      atMs: this.#nowMs,
    });
  }

  reveal(event) {
    const slot = event.number(1), element = event.bytes(2, 32), roll = this.#rolls.at(-1);
    if (roll?.version !== u64At(event, 0) || !this.#missing(roll).includes(slot)) {
      fail("request: not one for which this contributor owes a reveal");
    }
    if (!this.#holds(slot, roll.request.roller, roll.request.number, element)) {
      fail("element: does not lead to the contributor's anchor");
    }
    const digest = revealDigest(this.terms.stream, roll.digest, slot, element);
    if (!this.#signed(slot, digest, event.bytes(3, 64))) {
      fail("signature: not by the contributor over this request and element");
    }
    roll.disclosed.set(slot, element);
  }

  unlock(event) {
    const slot = event.number(0), roller = event.number(1), upTo = u64At(event, 2);
    const element = event.bytes(3, 32), { stream, length } = this.terms ?? {};
    if (!this.#live || GRADES[this.policy] !== "async" || this.#waiting) {
      fail("an unlock, where none can be");
    }
    if (!this.#keys.has(slot) || !this.#keys.has(roller) || slot === roller) {
      fail("contributor: not two contributors");
    }
    const least = Math.max(this.#nextNumber(roller),
      (this.#unlocks.get(`${slot}/${roller}`)?.upTo ?? -1) + 1);
    if (upTo < least || upTo >= length) fail(`up_to: is ${upTo}, expected ${least} or more`);
    if (!this.#holds(slot, roller, upTo, element)) {
      fail("element: does not lead to the contributor's anchor");
    }
    const digest = unlockDigest(stream, this.hash, slot, roller, upTo, element);
    if (!this.#signed(slot, digest, event.bytes(4, 64))) {
      fail("signature: not by the contributor over what it unlocks");
    }
    this.#unlocks.set(`${slot}/${roller}`, { upTo, element });
  }

  seal(version, event) {
    const roll = this.#rolls.find((r) => r.version === u64At(event, 0))
      ?? fail("request: not one of the order that waits");
    const { roller, number } = roll.request;
    if (roll.seal || this.#missing(roll).length || event.number(4) !== 3) {
      fail("request: sealed twice, or not complete");
    }
    if ((event.number(1, "i8") & 255) !== roller
      || u64At(event, 2) !== number + (this.#first.get(roller) ?? 0)) {
      fail("number: not that of the request");
    }
    roll.seal = { version, seal: event.bytes(5, 32) };
  }

  openSeal(event) {
    const sealed = this.#sealed.get(u64At(event, 0));
    if (!sealed || !same(sealed.pi, event.bytes(1, 80))
      || !same(sealed.values, event.numbers(2))) {
      fail("proof or values: not those of the sealed roll");
    }
    this.#sealed.delete(u64At(event, 0));
  }

  abandon(event) {
    const waiting = this.#waiting;
    if (!waiting || waiting.issued || u64At(event, 2) !== waiting.version) {
      fail("order: not the one that waits");
    }
    const roll = waiting.rolls[waiting.done], side = event.number(0, "i8");
    if (u64At(event, 3) !== (roll?.version ?? 0)) fail("request: not the next one of the order");
    if (roll ? (side & 255) !== roll.request.roller : !this.#keys.has(side & 255)) {
      fail("roller: not that of the request");
    }
    const number = u64At(event, 1), expected = this.counts.get(side) ?? 0;
    if (number !== expected) fail(`number: is ${number}, expected ${expected}`);
    const last = waiting.rolls.at(-1), owing = last ? this.#missing(last) : [];
    const owed = [...event.bytes(4)];
    if (!owed.length || (owing.length && !same(owed, owing))
      || (!roll && !same(owed, [side & 255]))) fail("owed_by: not those who owe it");
    const lapsed = this.within && this.#nowMs >= (last ?? waiting).atMs + 1000 * this.within;
    const agreed = event.tables(5).map((a) => [a.number(0), a.bytes(1, 64)]);
    const must = this.slots.filter((s) =>
      !this.#keys.get(s).custodial && !(lapsed && owed.includes(s)));
    const digest = abandonDigest(this.terms.stream, this.hash, waiting.hash);
    if (!same(agreed.map(([slot]) => slot), must)
      || !agreed.every(([slot, signature]) => this.#signed(slot, digest, signature))) {
      fail("agreed: not by everybody who must");
    }
    this.counts.set(side, number + 1);
    ++this.abandoned;
    if (roll) ++waiting.done;
    if (!roll || (owing.length && waiting.done === waiting.rolls.length)) this.#waiting = null;
  }

  // ---- Rolls

  roll(event, visibleTo) {
    const side = event.number(0, "i8"), counted = u64At(event, 1);
    const expected = this.counts.get(side) ?? 0;
    if (counted !== expected) fail(`number: is ${counted}, expected ${expected}`);
    this.counts.set(side, counted + 1);
    const spec = event.groups(5), values = event.numbers(6), grade = GRADES[event.number(12)];
    const fault = specFault(spec);
    if (fault) fail(fault);
    if (!grade) fail("grade: unknown");
    const pi = event.bytes(15);
    if (!pi.length) {
      if (!["imported", "branch"].includes(grade)) {
        fail(`proof: missing from a roll of grade ${grade}`);
      }
      ++this.unproven;
      return;
    }
    if (!this.slots || event.number(14) !== 3 || pi.length !== 80) {
      fail("proof: no epoch is open for it, or it is malformed");
    }
    if (u64At(event, 17) || event.bytes(18).length) fail("beacon: none was agreed on");
    const roller = side & 255, number = counted - (this.#first.get(roller) ?? 0);
    let elements = event.tables(16).map((e) => [e.number(0), e.bytes(1, 32)]), seal = null;
    if (this.#live) {
      if (elements.length) fail("elements: the reveals have them");
      ({ elements, seal } = this.#answered(event, roller, number, spec, grade, visibleTo));
    } else if (!same(elements.map(([slot]) => slot), this.slots)) {
      fail("elements: not one of each contributor");
    }
    for (const [slot, element] of elements) {
      if (!this.#holds(slot, roller, number, element)) {
        fail(`elements: that of slot ${slot} does not lead to its anchor`);
      }
    }
    const { stream, point } = this.terms;
    const beta = vrfVerify(point, makeAlpha(this.hash, stream, roller, number, elements), pi)
      ?? fail("proof: does not prove this input under this key");
    if (!same(deriveValues(beta, spec), values)) fail("values: not what the proof yields");
    if (seal) {
      if (!same(seal.seal, sealOf(beta))) fail("seal: not of this roll");
      this.#sealed.set(seal.version, { pi, values });
    }
    ++this.proven;
  }

  // The contributions to the request that this roll answers, and its seal.
  #answered(event, roller, number, spec, grade, visibleTo) {
    const waiting = this.#waiting, roll = waiting?.issued ? waiting.rolls[waiting.done] : null;
    if (!roll || u64At(event, 13) !== roll.version || this.#missing(roll).length) {
      fail("request: not the next one, or not complete");
    }
    const { request } = roll;
    if (roller !== request.roller || number !== request.number
      || JSON.stringify(spec) !== JSON.stringify(request.spec)) {
      fail("number or groups: not as requested");
    }
    if (grade !== (roll.advance ? "async" : "live")) {
      fail("grade: contradicted by when the opponents contributed");
    }
    if ((visibleTo !== 0) !== (roll.seal !== null)) {
      fail("seal: belongs to a hidden roll, and only there");
    }
    ++waiting.done;
    const elements = this.slots.map((slot) =>
      [slot, slot === request.roller ? request.v : roll.disclosed.get(slot)]);
    return { elements, seal: roll.seal };
  }

  // What somebody still owes, in words.
  owed() {
    const out = (this.#draft?.slots ?? []).filter((s) => !this.#draft.joined.has(s))
      .map((s) => `slot ${s} has not joined`);
    if (!this.#waiting || this.#waiting.issued) return out;
    const last = this.#waiting.rolls.at(-1), missing = last ? this.#missing(last) : [];
    if (!missing.length) return [...out, "an order waits for its next request or its roll"];
    return [...out, ...missing.map((s) => `slot ${s} owes a reveal`)];
  }
}

export { Wrong };

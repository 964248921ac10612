// Reads a game's bundle ("wardiary-bundle/1", docs/formats.md) and checks it: checksum, contents,
// hash chain, Merkle tree, signed checkpoint, and everything about its dice (branch_dice.js). What
// needs the rules of the game is left to `wardiary verify`. Runs in browsers and in Node.
import { prepareKey, verifySignature } from "./curve.js";
import { Wrong, fail } from "./wrong.js";
import { BranchDice } from "./branch_dice.js";
import { Table, u64At } from "./flat.js";
import { concat, sha256 } from "./hashes.js";
import { GRADES, domainPrefix, toHex } from "./protocol.js";

const MAGIC = "wardiary-bundle/1\n";
const KIND = {
  gameCreated: 1, orderIssued: 4, diceRolled: 9, epochOpened: 10, rollRequested: 11,
  rollRevealed: 12, rollsUnlocked: 13, rollSealed: 14, rollOpened: 15, epochDrafted: 26,
  contributorJoined: 27, orderSuspended: 28, rollAbandoned: 29,
};
const OF_DICE = new Set(Object.values(KIND).filter((kind) => kind !== KIND.gameCreated));
const text = new TextDecoder("utf-8", { fatal: true });
const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

class Reader {
  constructor(data) {
    this.data = data;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.at = 0;
  }

  take(count, what) {
    if (count > this.data.length - this.at) fail(`byte ${this.at}, ${what}: the file ends here`);
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  // Big-endian.
  number(width, what, most = Number.MAX_SAFE_INTEGER) {
    const value = this.take(width, what).reduce((n, byte) => n * 256 + byte, 0);
    if (value > most) fail(`byte ${this.at - width}, ${what}: ${value} is more than ${most}`);
    return value;
  }

  text(what, most) {
    const raw = this.take(this.number(4, what, most), what);
    try {
      return text.decode(raw);
    } catch {
      return fail(`byte ${this.at}, ${what}: not UTF-8`);
    }
  }
}

class Branch {
  constructor(reader, what) {
    this.id = reader.take(16, what);
    this.parent = reader.take(16, what);
    this.forkedAt = reader.number(8, what);
    this.version = reader.number(8, what);
    this.hash = reader.take(32, what);
    reader.number(1, what, 1);
    this.name = reader.text(what, 200);
    reader.text(what, 2000);
    this.above = null;
    this.hashes = [];
  }

  // The hash of a version of its line; null if it is not there yet.
  hashAt(version) {
    if (this.above && version <= this.forkedAt) return this.above.hashAt(version);
    return this.hashes[version - this.forkedAt - 1] ?? null;
  }
}

// RFC 6962, leaf by leaf.
class Tree {
  #edge = [];  // complete subtrees [leaves, hash], largest first
  size = 0;

  add(leaf) {
    ++this.size;
    this.#edge.push([1, sha256(Uint8Array.of(0), leaf)]);
    for (;;) {
      const [a, b] = this.#edge.slice(-2);
      if (!b || a[0] !== b[0]) return;
      this.#edge.splice(-2, 2, [2 * a[0], sha256(Uint8Array.of(1), a[1], b[1])]);
    }
  }

  root() {
    return this.#edge.slice(0, -1).reduceRight((right, [, left]) =>
      sha256(Uint8Array.of(1), left, right), this.#edge.at(-1)[1]);
  }
}

const u64 = (n) => {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(n));
  return out;
};

function fromBase64(word) {
  try {
    const raw = Uint8Array.from(atob(word), (c) => c.charCodeAt(0));
    return btoa(String.fromCharCode(...raw)) === word ? raw : null;
  } catch {
    return null;
  }
}

function checkCheckpoint(note, keyLine, game, tree) {
  const origin = `wardiary/${toHex(game)}`;
  const [name, keyId, ...encoded] = keyLine.split("+");
  const raw = fromBase64(encoded.join("+")), end = note.indexOf("\n\n");
  if (!raw || end < 0) fail("checkpoint: not of its form");
  const head = note.slice(0, end), [first, size, root] = head.split("\n");
  const encoder = new TextEncoder();
  const digest = sha256(encoder.encode(`${name}\n`), raw).subarray(0, 4);
  const key = raw.length === 33 && raw[0] === 1 ? prepareKey(raw.subarray(1)) : null;
  if (!key || toHex(digest) !== keyId) fail("log key: not of its form");
  if (name !== origin || first !== origin) fail(`checkpoint: of another log than ${origin}`);
  if (size !== String(tree.size)) {
    fail(`checkpoint: signed for ${size} events, there are ${tree.size}`);
  }
  const signedRoot = fromBase64(root ?? "");
  if (!signedRoot || !same(signedRoot, tree.root())) {
    fail("checkpoint: another root is signed than the events give");
  }
  for (const line of note.slice(end + 2).split("\n")) {
    if (!line.startsWith(`\u2014 ${name} `)) continue;
    const signature = fromBase64(line.slice(line.lastIndexOf(" ") + 1));
    if (signature?.length === 68 && same(signature.subarray(0, 4), digest)
      && verifySignature(key, encoder.encode(`${head}\n`), signature.subarray(4))) return;
  }
  fail("checkpoint: not signed by the log's key");
}

function rulesHash(created) {
  const parts = [created.bytes(0), Uint8Array.of(0), created.bytes(1), Uint8Array.of(0)];
  for (const option of created.tables(3)) {
    parts.push(option.bytes(0), Uint8Array.of(0), option.bytes(1), Uint8Array.of(0));
  }
  for (const content of created.tables(4)) parts.push(content.bytes(2, 32));
  return sha256(concat(...parts));
}

class Bundle {
  #contents = new Set();
  #byId = new Map();
  #created = null;
  #counts = new Map();  // branch id -> [version, Map roller -> rolls]
  branches = [];
  dice = new Map();
  tree = new Tree();

  constructor(data) {
    const reader = this.reader = new Reader(data);
    if (!same(reader.take(MAGIC.length, "magic"), new TextEncoder().encode(MAGIC))) {
      fail("byte 0: not a bundle of version 1");
    }
    this.game = reader.take(16, "game");
    this.mainline = reader.take(16, "mainline");
    reader.number(8, "created at");
    this.name = reader.text("name", 200);
    this.key = reader.text("log key", 65536);
    this.note = reader.text("checkpoint", 65536);
    for (let i = 0, n = reader.number(4, "contents", 64); i < n; ++i) {
      const what = `contents[${i}]`, stated = reader.take(32, what);
      const body = reader.take(reader.number(4, what, 16 << 20), what);
      if (!same(sha256(body), stated)) fail(`${what}: does not have its hash`);
      this.#contents.add(toHex(stated));
    }
    for (let i = 0, n = reader.number(4, "branches", 10000); i < n; ++i) {
      this.#addBranch(new Branch(reader, `branches[${i}]`), i);
    }
  }

  #addBranch(branch, i) {
    const id = toHex(branch.id);
    if (this.#byId.has(id) || (i === 0) !== same(branch.id, this.mainline)) {
      fail(`branches[${i}]: stands twice, or the mainline is not the first`);
    }
    if (i === 0) {
      if (branch.parent.some((byte) => byte) || branch.forkedAt) {
        fail("branches[0]: the mainline has no parent");
      }
    } else {
      branch.above = this.#byId.get(toHex(branch.parent)) ?? null;
      if (!branch.above || branch.forkedAt < 1 || branch.forkedAt > branch.above.version) {
        fail(`branches[${i}]: its parent does not stand before it`);
      }
    }
    this.#byId.set(id, branch);
    this.branches.push(branch);
  }

  events() {
    const total = this.reader.number(8, "events", 10_000_000);
    for (let i = 0; i < total; ++i) {
      try {
        this.#event(`events[${i}]`);
      } catch (error) {
        throw error instanceof Wrong ? new Wrong(`events[${i}], ${error.message}`) : error;
      }
    }
    for (const branch of this.branches) {
      const last = branch.hashAt(branch.version);
      if (!last || !same(last, branch.hash)
        || branch.forkedAt + branch.hashes.length !== branch.version) {
        fail(`branch ${toHex(branch.id)}: does not end with the version and hash it states`);
      }
    }
  }

  #event(what) {
    const { reader } = this, place = reader.number(4, what), version = reader.number(8, what);
    const kind = reader.number(2, what), length = reader.number(4, what, 1 << 20);
    const stated = reader.take(32, what), payload = reader.take(length, what);
    const branch = this.branches[place] ?? fail(`there is no branch ${place}`);
    const where = `branch ${toHex(branch.id)}, version ${version}: `;
    if (version !== branch.forkedAt + branch.hashes.length + 1) fail(`${where}not the next version`);
    const previous = version === 1 ? new Uint8Array(32) : branch.hashAt(version - 1);
    if (!previous) fail(`${where}comes before the event it follows`);
    const made = sha256(domainPrefix("event"), branch.id, u64(version), previous,
      Uint8Array.of(kind >> 8, kind), sha256(payload));
    if (!same(made, stated)) fail(`${where}does not have its hash`);
    branch.hashes.push(made);
    this.tree.add(concat(branch.id, u64(version), made));
    try {
      this.#look(branch, version, kind, payload, made);
    } catch (error) {
      if (error instanceof Wrong) throw new Wrong(where + error.message);
      throw error instanceof RangeError ? new Wrong(`${where}an offset outside the event`) : error;
    }
  }

  #look(branch, version, kind, payload, hash) {
    if (!this.#created) {
      this.#created = Table.payload(payload, KIND.gameCreated).payload;
      for (const content of this.#created.tables(4)) {
        if (!this.#contents.has(toHex(content.bytes(2, 32)))) {
          fail("contents: one that the game names is not in the bundle");
        }
      }
    }
    if (!OF_DICE.has(kind)) return;
    const dice = this.#diceOf(branch), { root, payload: event } = Table.payload(payload, kind);
    const at = u64At(root, 5);
    if (at) dice.begin(at);
    switch (kind) {
      case KIND.orderIssued: dice.issue(event); break;
      case KIND.epochDrafted: dice.drafted(version, event, rulesHash(this.#created)); break;
      case KIND.contributorJoined: dice.join(event); break;
      case KIND.epochOpened: dice.open(event, hash, rulesHash(this.#created)); break;
      case KIND.orderSuspended: dice.suspend(version, event, hash); break;
      case KIND.rollRequested: dice.request(version, event, branch.hashAt(version - 1)); break;
      case KIND.rollRevealed: dice.reveal(event); break;
      case KIND.rollsUnlocked: dice.unlock(event); break;
      case KIND.rollSealed: dice.seal(version, event); break;
      case KIND.rollOpened: dice.openSeal(event); break;
      case KIND.rollAbandoned: dice.abandon(event); break;
      default: dice.roll(event, root.number(2, "u32"));
    }
    // What a fork goes on from: how many rolls each side had made at each roll of its parent.
    if (kind === KIND.diceRolled || kind === KIND.rollAbandoned) {
      const id = toHex(branch.id);
      if (!this.#counts.has(id)) this.#counts.set(id, []);
      this.#counts.get(id).push([version, new Map(dice.counts)]);
    }
  }

  #diceOf(branch) {
    const id = toHex(branch.id);
    if (!this.dice.has(id)) {
      const policy = branch.above ? GRADES.indexOf("branch") : this.#created.number(7);
      this.dice.set(id, new BranchDice(branch.id, policy, this.#countsBefore(branch)));
    }
    return this.dice.get(id);
  }

  #countsBefore(branch) {
    for (let at = branch.forkedAt; branch.above; at = Math.min(at, branch.forkedAt)) {
      branch = branch.above;
      const made = this.#counts.get(toHex(branch.id))?.findLast(([version]) => version <= at);
      if (made) return new Map(made[1]);
    }
    return new Map();
  }
}

// Returns the number of proven rolls; throws Wrong. `say` gets a few lines of what was found.
export function verifyBundle(data, say = () => {}) {
  const sound = data.length > 32 && same(sha256(data.subarray(0, -32)), data.subarray(-32));
  const bundle = new Bundle(data);
  bundle.events();
  bundle.reader.take(32, "checksum");
  if (bundle.reader.at !== data.length) fail(`byte ${bundle.reader.at}: there is more after the end`);
  checkCheckpoint(bundle.note, bundle.key, bundle.game, bundle.tree);
  if (!sound) fail("checksum: the file's bytes do not have the SHA-256 it ends with");
  say(`"${bundle.name}", game ${toHex(bundle.game)}: ${bundle.tree.size} events on `
    + `${bundle.branches.length} branch(es): hashes, chain, tree and checkpoint good`);
  let proven = 0;
  for (const [id, dice] of bundle.dice) {
    proven += dice.proven;
    say(`branch ${id}: ${dice.proven} roll(s) proven, ${dice.unproven} without proof, `
      + `${dice.abandoned} abandoned`);
    dice.owed().forEach((words) => say(`  ${words}`));
  }
  return proven;
}

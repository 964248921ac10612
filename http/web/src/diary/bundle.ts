// Verifies a game's bundle (docs/formats.md, wardiary-bundle/1) in this browser, from the file alone:
// checksum, contents, chain, tree, checkpoint, dice. Nothing is asked of the service.
import { verifyBundle as verifyDice } from "../fairdice/bundle.js";
import { prepareKey, sha256, toHex, verifySignature } from "../fairdice/fairdice.js";
import { Table } from "./flat";

const MAGIC = "wardiary-bundle/1\n";
const CHECKS = ["checksum", "contents", "chain", "tree", "checkpoint", "created", "dice"] as const;
export type BundleCheck = (typeof CHECKS)[number];
export interface BundleFinding {
  check: BundleCheck;
  examined: number;
  // What is wrong first, in words; null if everything is as it must be.
  fault: string | null;
}
export interface BundleReport {
  game: string;
  name: string;
  createdAt: number;
  key: string;
  checkpoint: string;
  events: number;
  branches: number;
  rolls: number;
  unproven: number;
  clean: boolean;
  findings: BundleFinding[];
}
interface BundleBranch {
  id: Uint8Array;
  parent: string;
  forkedAt: number;
  version: number;
  head: Uint8Array;
}
interface BundleEvent {
  branch: number;
  version: number;
  type: number;
  hash: Uint8Array;
  payload: Uint8Array;
}
interface Bundle {
  game: Uint8Array;
  name: string;
  createdAt: number;
  key: string;
  checkpoint: string;
  contents: { hash: Uint8Array; bytes: Uint8Array }[];
  branches: BundleBranch[];
  events: BundleEvent[];
}

export class BundleError extends Error {}

class Reader {
  private at = 0;
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.bytes.length - this.at;
  }
  take(count: number): Uint8Array {
    if (count > this.left) throw new BundleError(`the file ends at byte ${this.bytes.length}, in the middle of something`);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  private number(size: number, read: (at: number) => number): number {
    this.take(size);
    return read(this.at - size);
  }
  u8 = () => this.number(1, (at) => this.view.getUint8(at));
  u16 = () => this.number(2, (at) => this.view.getUint16(at));
  u32 = () => this.number(4, (at) => this.view.getUint32(at));
  u64 = () => this.number(8, (at) => Number(this.view.getBigUint64(at)));
  text = () => new TextDecoder().decode(this.take(this.u32()));
}

export function readBundle(bytes: Uint8Array): Bundle {
  const head = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (head !== MAGIC || bytes.length < MAGIC.length + 32) throw new BundleError("this is not a bundle: it does not begin with wardiary-bundle/1");
  const file = new Reader(bytes.subarray(0, bytes.length - 32));
  file.take(MAGIC.length);
  const game = file.take(16);
  file.take(16);
  const bundle: Bundle = { game, createdAt: file.u64(), name: file.text(), key: file.text(), checkpoint: file.text(), contents: [], branches: [], events: [] };
  for (let n = file.u32(); n > 0; --n) bundle.contents.push({ hash: file.take(32), bytes: file.take(file.u32()) });
  for (let n = file.u32(); n > 0; --n) {
    const branch = { id: file.take(16), parent: toHex(file.take(16)), forkedAt: file.u64(), version: file.u64(), head: file.take(32) };
    file.u8();
    file.text();
    file.text();
    bundle.branches.push(branch);
  }
  for (let n = file.u64(); n > 0; --n) {
    const branch = file.u32(), version = file.u64(), type = file.u16(), length = file.u32();
    const hash = file.take(32);
    if (!bundle.branches[branch]) throw new BundleError(`an event names branch ${branch}, which the file does not hold`);
    bundle.events.push({ branch, version, type, hash, payload: file.take(length) });
  }
  if (file.left) throw new BundleError(`${file.left} bytes follow the last event`);
  return bundle;
}

const encoder = new TextEncoder();
const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);
function u64(value: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(value));
  return out;
}
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

// --- the log

const EVENT = encoder.encode("fairdice/v1/event\0");
// The line of a branch: its event hashes by version, its parents' before the fork.
class Lines {
  private readonly own = new Map<string, Map<number, Uint8Array>>();
  private readonly branches: Map<string, BundleBranch>;
  constructor(branches: BundleBranch[]) {
    this.branches = new Map(branches.map((branch) => [toHex(branch.id), branch]));
    for (const id of this.branches.keys()) this.own.set(id, new Map());
  }
  set(branch: string, version: number, hash: Uint8Array): void {
    this.own.get(branch)!.set(version, hash);
  }
  hash(branch: string, version: number): Uint8Array | null {
    if (version === 0) return new Uint8Array(32);
    for (let id = branch; ; ) {
      const here = this.branches.get(id);
      if (!here) return null;
      const found = this.own.get(id)!.get(version);
      if (found) return found;
      if (version > here.forkedAt) return null;
      id = here.parent;
    }
  }
}

function checkChain(bundle: Bundle): string | null {
  const lines = new Lines(bundle.branches);
  for (const event of bundle.events) {
    const branch = bundle.branches[event.branch]!;
    const id = toHex(branch.id);
    const previous = lines.hash(id, event.version - 1);
    if (!previous) return `event ${event.version} of branch ${id} does not follow the one before`;
    const type = new Uint8Array([event.type >> 8, event.type & 255]);
    const hash = sha256(EVENT, branch.id, u64(event.version), previous, type, sha256(event.payload));
    if (!same(hash, event.hash)) return `event ${event.version} of branch ${id} has another hash than its bytes`;
    lines.set(id, event.version, event.hash);
  }
  for (const branch of bundle.branches) {
    const head = lines.hash(toHex(branch.id), branch.version);
    if (!head || !same(head, branch.head)) return `branch ${toHex(branch.id)} does not end as it states`;
  }
  return null;
}

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);
// RFC 6962, from the leaves: equal subtrees are joined as they fill.
function treeRoot(bundle: Bundle): Uint8Array {
  const edge: { size: number; hash: Uint8Array }[] = [];
  for (const event of bundle.events) {
    edge.push({ size: 1, hash: sha256(LEAF, bundle.branches[event.branch]!.id, u64(event.version), event.hash) });
    while (edge.length > 1 && edge[edge.length - 1]!.size === edge[edge.length - 2]!.size) {
      const right = edge.pop()!;
      const left = edge.pop()!;
      edge.push({ size: left.size * 2, hash: sha256(NODE, left.hash, right.hash) });
    }
  }
  let root = edge.pop()?.hash ?? sha256();
  while (edge.length) root = sha256(NODE, edge.pop()!.hash, root);
  return root;
}

function checkCheckpoint(bundle: Bundle): string | null {
  const origin = `wardiary/${toHex(bundle.game)}`;
  const [text = "", signatures = ""] = bundle.checkpoint.split("\n\n");
  const signature = signatures.split("\n").find((line) => line.startsWith(`— ${origin} `));
  const key = fromBase64(bundle.key.split("+").slice(2).join("+"));
  if (!bundle.key.startsWith(`${origin}+`) || key[0] !== 1 || key.length !== 33) return "the key line is not one of this game";
  if (!signature) return "the checkpoint carries no signature of this game's log";
  const signed = fromBase64(signature.slice(`— ${origin} `.length));
  const id = sha256(encoder.encode(origin), new Uint8Array([10]), key).subarray(0, 4);
  const prepared = prepareKey(key.subarray(1));
  if (!prepared || !same(signed.subarray(0, 4), id) || !verifySignature(prepared, encoder.encode(`${text}\n`), signed.subarray(4))) {
    return "the signature of the checkpoint does not verify";
  }
  return null;
}
function checkTree(bundle: Bundle): string | null {
  const [origin, size, root] = bundle.checkpoint.split("\n");
  if (origin !== `wardiary/${toHex(bundle.game)}`) return "the checkpoint is of another game";
  if (Number(size) !== bundle.events.length) return `the checkpoint was signed over ${size} events, the file holds ${bundle.events.length}`;
  return same(fromBase64(root ?? ""), treeRoot(bundle)) ? null : "the tree of the events has another root than was signed";
}

// --- what the events say

const TYPES = { created: 1, rolled: 9 } as const;

function payloadOf(event: BundleEvent): Table {
  const payload = Table.root(event.payload).table(1);
  if (!payload) throw new BundleError(`event ${event.version} has no payload`);
  return payload;
}
function checkCreated(bundle: Bundle): string | null {
  const first = bundle.events[0];
  if (!first || first.type !== TYPES.created) return "the first event does not create a game";
  const kept = new Set(bundle.contents.map((content) => toHex(content.hash)));
  for (const content of payloadOf(first).tables(4)) {
    if (!kept.has(toHex(content.data(2)))) return `the file lacks the ${content.text(0)} the game was created from`;
  }
  return null;
}

// --- all of it

export type Progress = (check: BundleCheck, done: number, of: number) => Promise<void> | void;

// Reads and checks a bundle. Throws BundleError where it cannot even be read.
export async function verifyBundle(bytes: Uint8Array, progress: Progress = () => {}): Promise<BundleReport> {
  const bundle = readBundle(bytes);
  const findings: BundleFinding[] = [];
  const note = async (check: BundleCheck, examined: number, find: () => string | null) => {
    await progress(check, 0, examined);
    let fault: string | null;
    try {
      fault = find();
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    findings.push({ check, examined, fault });
  };
  await note("checksum", 1, () => (same(sha256(bytes.subarray(0, bytes.length - 32)), bytes.subarray(bytes.length - 32)) ? null : "the file was damaged on its way"));
  await note("contents", bundle.contents.length, () => (bundle.contents.every((one) => same(sha256(one.bytes), one.hash)) ? null : "a board, scenario or table has another hash than it states"));
  await note("chain", bundle.events.length, () => checkChain(bundle));
  await note("tree", bundle.events.length, () => checkTree(bundle));
  await note("checkpoint", 1, () => checkCheckpoint(bundle));
  await note("created", 1, () => checkCreated(bundle));
  await progress("dice", 0, 1);
  const dice = checkDice(bundle, bytes, findings.every((one) => one.fault === null));
  findings.push({ check: "dice", examined: dice.rolls, fault: dice.fault });
  return {
    game: toHex(bundle.game), name: bundle.name, createdAt: bundle.createdAt, key: bundle.key, checkpoint: bundle.checkpoint,
    events: bundle.events.length, branches: bundle.branches.length, rolls: dice.rolls, unproven: dice.unproven,
    clean: findings.every((one) => one.fault === null), findings,
  };
}

// Every roll and everything about live dice, by the dice's own verifier. It reads the whole file again,
// so it has something to say about the dice only where the rest is sound.
function checkDice(bundle: Bundle, bytes: Uint8Array, sound: boolean): { rolls: number; unproven: number; fault: string | null } {
  const rolls = bundle.events.filter((event) => event.type === TYPES.rolled).length;
  if (!sound) return { rolls, unproven: 0, fault: "not looked at: the file is not sound" };
  try {
    return { rolls, unproven: rolls - verifyDice(bytes), fault: null };
  } catch (error) {
    return { rolls, unproven: 0, fault: error instanceof Error ? error.message : String(error) };
  }
}

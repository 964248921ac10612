// One open game as the page shows it: which branch, which event, what is selected. Everything the
// parts of the page share lives here; what only one part needs stays there.
import { Client, newKey, Problem } from "../api/client";
import type {
  Board, Branch, DiaryEvent, DicePolicy, GameDetail, Order, PrintedUnit, RosterUnit, Scenario, Score, Timeline,
  UnitReach, UnitSupply,
} from "../api/types";
import { layOut, type Layout } from "../map/geometry";
import type { UnitFacts } from "../map/scene";
import { speech, word } from "../i18n/i18n.svelte";
import { Bookmarks } from "./bookmarks.svelte";
import { DiceKeys, type Table } from "./keys.svelte";
import { recall, remember, tokenInUse } from "./memory";
import { Notes } from "./notes.svelte";
import { isHidden, Position, sideOfHidden } from "./position";
import { Replayer } from "./replayer";
import type { Tab } from "./route";
import { kindOf, type Names } from "./words";

const SETTLE_MS = 140;
const PAGE_EVENTS = 1000;
const KEPT_ANSWERS = 200;
// Orders read of each unit at first; the rest of a unit's when it is looked at.
const LEGAL_EACH = 40;

export interface Frame {
  version: number;
  position: Position;
}
export type Overlay = "control" | "supply" | "command" | "zoc" | "moves" | "battles";
// Overlays of what units reach: shown where the rules know them.
const REACHES: Overlay[] = ["command", "zoc"];

// Events that a player would put a finger on; the rest is book-keeping that play skips over.
export function isNotable(event: DiaryEvent): boolean {
  return kindOf(event) !== "other" || event.type === "SpaceChanged";
}

export class OpenGame {
  detail = $state.raw<GameDetail | null>(null);
  board = $state.raw<Board | null>(null);
  layout = $state.raw<Layout | null>(null);
  branches = $state.raw<Branch[]>([]);
  branch = $state.raw<Branch | null>(null);
  timeline = $state.raw<Timeline | null>(null);
  frame = $state.raw<Frame>({ version: 0, position: new Position() });
  // The last version known to be in the branch, and how many events have been read.
  head = $state(0);
  loaded = $state(0);
  live = $state(false);
  following = $state(false);
  playing = $state(false);
  speed = $state(1);
  problem = $state.raw<Problem | null>(null);
  tab = $state<Tab>("log");
  // A unit ("u:39Pz") or a space ("s:1515") that is looked at.
  focus = $state<string | null>(null);
  hover = $state<string | null>(null);
  against = $state<string | null>(null);
  compareAt = $state<"same" | "end">("same");
  overlays = $state<Record<Overlay, boolean>>({ control: true, supply: false, command: false, zoc: false, moves: true, battles: true });
  supply = $state.raw<Map<string, UnitSupply>>(new Map());
  score = $state.raw<Score | null>(null);
  reach = $state.raw<UnitReach[]>([]);
  // Which kinds of reach this game has shown so far.
  reachKinds = $state.raw<Overlay[]>([]);
  // Order entry: what may be ordered now, and what has been narrowed down to.
  legal = $state.raw<Order[]>([]);
  legalComplete = $state(true);
  candidate = $state.raw<Order | null>(null);
  // The event at which they may be given.
  legalAt = $state(0);

  readonly bookmarks: Bookmarks;
  readonly notes: Notes;
  readonly keys: DiceKeys;
  replayer = new Replayer();
  private units = new Map<string, RosterUnit>();
  private stopFollowing: (() => void) | null = null;
  private settle: ReturnType<typeof setTimeout> | undefined;
  private player: ReturnType<typeof setInterval> | undefined;
  private asking: AbortController | null = null;
  private supplyKept = new Map<string, UnitSupply[]>();
  private reachKept = new Map<string, UnitReach[]>();
  // What the scenario prints on the counters, if it says.
  private printed = new Map<string, PrintedUnit>();
  private legalKnown = new Set<string>();
  private scoreKept = new Map<string, Score | null>();
  private closed = false;

  constructor(readonly id: string, readonly client: Client = new Client(tokenInUse)) {
    this.bookmarks = new Bookmarks(id);
    this.notes = new Notes(client, id);
    this.keys = new DiceKeys(client);
    const kept = recall("overlays");
    if (kept) Object.assign(this.overlays, JSON.parse(kept) as Record<Overlay, boolean>);
  }

  // --- names

  readonly names: Names = {
    unit: (id) => this.units.get(id)?.title || id,
    space: (id) => this.layout?.cells.get(id)?.space.name ?? id,
    side: (id) => word("side", id),
  };
  readonly facts: UnitFacts = {
    type: (id) => this.unitType(id), side: (id) => this.sideOf(id), printed: (id) => this.printed.get(id),
  };
  readonly isUnit = (id: string): boolean => this.units.has(id) || this.frame.position.units.has(id);
  unitType(id: string): string {
    return this.units.get(id)?.type ?? "";
  }
  sideOf(id: string): string {
    if (isHidden(id)) return sideOfHidden(id);
    const now = this.frame.position.units.get(id)?.values.side;
    return typeof now === "string" ? now : (this.units.get(id)?.side ?? "");
  }
  // By the roster, whatever became of it since.
  bornSideOf(id: string): string {
    return isHidden(id) ? sideOfHidden(id) : (this.units.get(id)?.side ?? "");
  }
  get sides(): string[] {
    return this.detail?.sides ?? [];
  }
  get atHead(): boolean {
    return this.frame.version === this.head;
  }
  get event(): DiaryEvent | null {
    return this.replayer.events[this.frame.version - 1] ?? null;
  }
  unitsAt(space: string): string[] {
    const found: string[] = [];
    for (const unit of this.frame.position.units.values()) if (unit.at === space) found.push(unit.id);
    return found;
  }

  // --- opening

  async open(branch: string | null, at: number | "live"): Promise<void> {
    try {
      const [detail, board, branches, scenario] = await Promise.all([
        this.client.game(this.id), this.client.board(this.id), this.client.branches(this.id),
        this.client.scenario(this.id).catch(noScenario),
      ]);
      this.printed = new Map((scenario.units ?? []).map((unit) => [unit.id, unit]));
      this.detail = detail;
      speech.system = detail.system;
      this.units = new Map(detail.units.map((unit) => [unit.id, unit]));
      this.board = board;
      this.layout = layOut(board);
      this.branches = branches;
      void this.notes.load().catch((error) => this.fail(error));
      await this.show(branch ?? detail.mainline, at);
    } catch (error) {
      this.fail(error);
    }
  }

  // Shows a branch of this game, from the beginning of its events.
  async show(branchId: string, at: number | "live"): Promise<void> {
    this.pause();
    this.stopFollowing?.();
    const branch = this.branches.find((one) => one.id === branchId);
    if (!branch) throw new Problem(404, "no_branch", "No such branch", `There is no branch ${branchId} in this game.`);
    this.branch = branch;
    this.replayer = new Replayer(this.detail?.phases[0]);
    this.timeline = null;
    this.legal = [];
    this.candidate = null;
    this.head = branch.version;
    this.loaded = 0;
    this.live = at === "live";
    const target = at === "live" ? branch.version : Math.min(at, branch.version);
    const [first] = await Promise.all([
      this.client.position(this.id, branchId, target),
      this.loadTimeline(),
    ]);
    this.frame = { version: first.version, position: Position.from(first.position) };
    await this.loadEvents();
    if (this.branch?.id !== branchId) return;
    this.replayer.learn(first.version, first.position);
    this.go(target, at === "live");
    this.follow();
    void this.tendDice().catch((error) => this.fail(error));
  }

  private async loadEvents(): Promise<void> {
    const branch = this.branch!;
    const replayer = this.replayer;
    for (;;) {
      const page = await this.client.events(this.id, branch.id, replayer.version, PAGE_EVENTS);
      if (this.closed || this.replayer !== replayer) return;
      replayer.add(page.events);
      this.head = Math.max(page.version, replayer.version);
      this.loaded = replayer.version;
      if (!page.events.length || replayer.version >= page.version) return;
    }
  }
  private async loadTimeline(): Promise<void> {
    const branch = this.branch!;
    const timeline = await this.client.timeline(this.id, branch.id);
    if (this.branch?.id === branch.id) this.timeline = timeline;
  }

  private follow(): void {
    const branch = this.branch!;
    this.stopFollowing = this.client.follow(this.id, branch.id, (version) => {
      this.following = true;
      if (version > this.replayer.version) void this.catchUp();
    }, () => (this.following = false));
  }
  // Reads what has been appended since, and goes there if the reader follows the game.
  async catchUp(): Promise<void> {
    try {
      const wasLive = this.live;
      await this.loadEvents();
      if (wasLive) this.go(this.head, true);
      await this.loadTimeline();
      await this.tendDice();
    } catch (error) {
      this.fail(error);
    }
  }
  // Gives what rolls need from this player, as soon as it is asked for.
  async tendDice(): Promise<void> {
    const table = this.table;
    if (!table || !this.keys.has(table)) return;
    await this.keys.look(table);
    await this.keys.answer(table);
  }

  close(): void {
    this.closed = true;
    this.pause();
    this.stopFollowing?.();
    clearTimeout(this.settle);
    this.asking?.abort();
  }

  fail(error: unknown): void {
    if (error instanceof DOMException && error.name === "AbortError") return;
    this.problem = Problem.of(error);
  }

  // --- time

  go(version: number, live = false): void {
    const target = Math.max(1, Math.min(version, this.replayer.version));
    const seen = this.replayer.seek(target);
    this.frame = { version: target, position: seen.position };
    this.live = live || (this.live && target === this.head);
    this.candidate = null;
    if (this.legalAt !== target) this.legal = [];
    this.settleSoon(seen.exact);
  }

  // What only the service can say about a position is asked for when the reader stays there.
  private settleSoon(exact: boolean): void {
    clearTimeout(this.settle);
    this.asking?.abort();
    this.settle = setTimeout(() => void this.settled(exact), SETTLE_MS);
  }
  private async settled(exact: boolean): Promise<void> {
    const version = this.frame.version;
    const branch = this.branch;
    if (!branch || this.closed) return;
    const asking = (this.asking = new AbortController());
    const key = `${branch.id}/${version}`;
    const here = () => this.frame.version === version && this.branch?.id === branch.id;
    try {
      if (!exact) {
        const answer = await this.client.position(this.id, branch.id, version, asking.signal);
        if (!here()) return;
        this.frame = { version, position: this.replayer.learn(version, answer.position) };
      }
      const [supply, score, reach] = await Promise.all([
        keep(this.supplyKept, key, () => this.client.supply(this.id, branch.id, version, asking.signal)),
        this.scoreAt(branch.id, version, asking.signal),
        keep(this.reachKept, key, () => this.client.reach(this.id, branch.id, version, asking.signal)),
      ]);
      if (!here()) return;
      this.supply = new Map(supply.map((one) => [one.unit, one]));
      this.score = score;
      this.reach = reach;
      const kinds = REACHES.filter((kind) => this.reachKinds.includes(kind) || reach.some((one) => one.kind === kind));
      if (kinds.length > this.reachKinds.length) this.reachKinds = kinds;
      if (this.atHead) await this.loadLegal();
      else this.legal = [];
    } catch (error) {
      if (here()) this.fail(error);
    }
  }

  // The score of any line of this game, or null where it is hidden.
  scoreAt(branch: string, version: number, signal?: AbortSignal): Promise<Score | null> {
    return keep(this.scoreKept, `${branch}/${version}`, () => this.client.score(this.id, branch, version, signal).catch(hiddenScore));
  }

  phaseIndex(version = this.frame.version): number {
    const phases = this.timeline?.phases ?? [];
    let index = -1;
    for (let i = 0; i < phases.length && phases[i]!.first <= version; ++i) index = i;
    return index;
  }
  step(direction: 1 | -1, by: "event" | "order" | "phase" | "turn" = "event"): void {
    const here = this.frame.version;
    const events = this.replayer.events;
    if (by === "event") return this.go(here + direction);
    if (by === "order") {
      for (let v = here + direction; v >= 1 && v <= events.length; v += direction) {
        if (events[v - 1]!.type === "OrderIssued") return this.go(v);
      }
      return this.go(direction > 0 ? events.length : 1);
    }
    const phases = this.timeline?.phases ?? [];
    let index = this.phaseIndex();
    const turn = phases[index]?.turn;
    do {
      index += direction;
    } while (by === "turn" && phases[index] && phases[index]!.turn === turn);
    if (by === "turn" && direction < 0) {
      const target = phases[index]?.turn;
      while (index > 0 && phases[index - 1]!.turn === target) --index;
    }
    if (by === "phase" && direction < 0 && phases[index + 1] && here > phases[index + 1]!.first) ++index;
    if (!phases[index]) return this.go(direction > 0 ? events.length : 1);
    this.go(phases[index]!.first);
  }

  play(): void {
    if (this.playing) return this.pause();
    if (this.frame.version >= this.replayer.version) this.go(1);
    this.playing = true;
    this.restartPlayer();
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.playing) this.restartPlayer();
  }
  private restartPlayer(): void {
    clearInterval(this.player);
    this.player = setInterval(() => {
      let next = this.frame.version + 1;
      while (next < this.replayer.version && !isNotable(this.replayer.events[next - 1]!)) ++next;
      if (next > this.replayer.version) return this.pause();
      this.go(next);
    }, 420 / this.speed);
  }
  pause(): void {
    this.playing = false;
    clearInterval(this.player);
  }

  // --- looking

  look(focus: string | null): void {
    this.focus = focus;
    if (this.focusUnit) void this.loadLegalOf(this.focusUnit).catch((error) => this.fail(error));
  }
  get focusUnit(): string | null {
    return this.focus?.startsWith("u:") ? this.focus.slice(2) : null;
  }
  get focusSpace(): string | null {
    if (this.focus?.startsWith("s:")) return this.focus.slice(2);
    const unit = this.focusUnit;
    return unit ? (this.frame.position.units.get(unit)?.at ?? null) : null;
  }
  toggle(overlay: Overlay): void {
    this.overlays[overlay] = !this.overlays[overlay];
    remember("overlays", JSON.stringify(this.overlays));
  }

  // --- ordering

  // The sides this viewer may order for: the own seat's, all for the referee.
  get mySides(): string[] {
    const viewer = this.detail?.viewer;
    if (!viewer || viewer.kind === "spectator") return [];
    return viewer.kind === "referee" ? this.sides : viewer.side ? [viewer.side] : [];
  }
  get holdsTicket(): boolean {
    return tokenInUse(this.id) !== undefined;
  }
  // This seat's place at the dice; the referee and lookers-on have none, and what-ifs need none.
  get table(): Table | null {
    const viewer = this.detail?.viewer;
    if (viewer?.kind !== "side" || !viewer.side || !this.branch || this.branch.parent) return null;
    return { game: this.id, branch: this.branch.id, side: viewer.side, slot: this.sides.indexOf(viewer.side) };
  }
  get seatName(): string {
    return this.detail?.seats.find((seat) => seat.sides.some((side) => this.mySides.includes(side)))?.name ?? "";
  }
  async loadLegal(): Promise<void> {
    const branch = this.branch!;
    const version = this.frame.version;
    const asked = this.mySides.filter((side) => this.frame.position.pending[side]);
    const answers = await Promise.all(asked.map((side) => this.client.legal(this.id, branch.id, side, { each: LEGAL_EACH })));
    if (this.frame.version !== version || this.branch?.id !== branch.id) return;
    this.legal = answers.flatMap((answer, i) => answer.orders.map((order) => ({ ...order, side: order.side ?? asked[i]! })));
    this.legalComplete = answers.every((answer) => answer.complete);
    this.legalAt = version;
    this.legalKnown = new Set();
    if (this.focusUnit) await this.loadLegalOf(this.focusUnit);
  }
  // All orders of a unit of which only some were read.
  async loadLegalOf(unit: string): Promise<void> {
    const branch = this.branch!;
    const version = this.legalAt;
    const isOf = (order: Order) => order.unit === unit || order.hq === unit;
    const side = this.legal.find(isOf)?.side;
    if (this.legalComplete || !side || this.legalKnown.has(unit)) return;
    this.legalKnown.add(unit);
    const answer = await this.client.legal(this.id, branch.id, side, { unit });
    if (this.legalAt !== version || this.branch?.id !== branch.id) return;
    this.legal = [...this.legal.filter((order) => !isOf(order)), ...answer.orders.map((order) => ({ ...order, side }))];
  }
  // Where faces may be chosen: on what-ifs, and in games kept by a scribe.
  get takesDice(): boolean {
    return Boolean(this.branch?.parent) || this.detail?.keeping === "scribed";
  }
  get dicePolicy(): string | null {
    let policy: string | null = null;
    if (this.loaded && this.branch?.parent) {
      for (const event of this.replayer.events) if (event.type === "BranchForked") policy = event.dice;
    }
    return policy;
  }
  // Returns what has to be rolled first, if the order needs faces that were not given.
  async give(order: Order, dice?: number[]): Promise<string | null> {
    const branch = this.branch!;
    const answer = await this.client.order(this.id, branch.id, order, this.head, newKey(), dice);
    if ("suspended" in answer && answer.version === undefined) return answer.waitingFor;
    // Otherwise it is done, or on record and waiting for the players' parts in its dice.
    if (this.candidate === order) this.candidate = null;
    this.live = true;
    await this.catchUp();
    return null;
  }
  // Where a line of play can leave this one: where somebody decides. Within what follows from an
  // order that is just before the order.
  get forkPoint(): number {
    const events = this.loaded ? this.replayer.events : [];
    const here = this.frame.version;
    if ((here >= this.head && !this.frame.position.over) || events[here]?.type === "OrderIssued") return here;
    for (let v = here; v >= 1; --v) if (events[v - 1]?.type === "OrderIssued") return v - 1;
    return here;
  }
  async fork(name: string, reason: string, dice: DicePolicy): Promise<Branch> {
    const parent = this.branch!;
    const branch = await this.client.fork(this.id, { parent: parent.id, at: this.forkPoint, name, reason, dice });
    this.branches = await this.client.branches(this.id);
    return branch;
  }
}

// A game kept by hand may have none.
function noScenario(error: unknown): Scenario {
  if (error instanceof Problem && error.status === 404) return {};
  throw error;
}

function hiddenScore(error: unknown): null {
  if (error instanceof Problem && (error.status === 403 || error.status === 404)) return null;
  throw error;
}

async function keep<T>(kept: Map<string, T>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const answer = await ask();
  if (kept.size >= KEPT_ANSWERS) kept.delete(kept.keys().next().value!);
  kept.set(key, answer);
  return answer;
}

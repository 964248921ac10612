// A made-up game in the service's own JSON, for developing and testing the page without the service:
// EastFront's board and forces, moves and battles by a seeded die. Positions are kept beside the
// events, not folded from them, so that they can check the page's fold.
import { readFileSync } from "node:fs";

const DATA = new URL("../../domain/systems/eastfront/data/", import.meta.url);
const readJson = (path) => JSON.parse(readFileSync(new URL(path, DATA), "utf8"));

const SIDES = ["axis", "soviet"];
const PHASES = ["setup", "production", "weather", "command", "movement", "combat", "blitz_movement", "blitz_combat", "supply", "end"];

function seeded(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export class MockGame {
  // `scenario` names one of EastFront's, or is one, together with its board.
  constructor({ id = "mock", name = "Mock", scenario = "S42", board, seed = 1, turns = 6, finished = true } = {}) {
    this.id = id;
    this.name = name;
    this.random = seeded(seed);
    this.board = board ?? readJson("boards/eastfront.json");
    this.scenario = typeof scenario === "string" ? readJson(`scenarios/${scenario}.json`) : scenario;
    this.mainline = `${id}-main`;
    this.spaces = new Map(this.board.spaces.map((s) => [s.id, s]));
    this.next = new Map(this.board.spaces.map((s) => [s.id, []]));
    for (const link of this.board.links) {
      if (link.side === "sea" || link.side === "lake" || !this.spaces.get(link.a).playable || !this.spaces.get(link.b).playable) continue;
      this.next.get(link.a).push(link.b);
      this.next.get(link.b).push(link.a);
    }
    this.events = [];
    this.snapshots = [];
    this.phases = [];
    this.rolls = { axis: 0, soviet: 0 };
    this.units = new Map(this.scenario.units.map((u) => [u.id, { id: u.id, at: null, side: u.side, cv: 0, max: u.max ?? 3, type: u.type }]));
    this.control = new Map();
    this.clock = { turn: 0, turnName: "", phase: "setup", side: null };
    this.pending = {};
    this.tracks = { east_weather: "dry", west_weather: "dry", axis_points: 0, soviet_points: 0 };
    this.over = false;
    this.winner = null;
    this.play(turns, finished);
    this.branches = [{ id: this.mainline, parent: null, forkedAt: 0, version: this.events.length, name: "", reason: "", policy: "fresh", deleted: false }];
    this.lines = new Map([[this.mainline, this]]);
  }

  get version() {
    return this.events.length;
  }

  emit(type, fields) {
    this.events.push({ version: this.events.length + 1, type, ...fields });
    this.snapshots.push(JSON.stringify(this.position()));
    const phase = this.phases[this.phases.length - 1];
    if (phase) phase.last = this.events.length;
  }
  position() {
    const units = [...this.units.values()].map((u) => ({
      id: u.id, at: u.at, side: u.side, ...(u.cv ? { cv: u.cv } : {}), ...(u.supplied === false ? { supplied: false } : {}),
      ...(u.role ? { role: u.role } : {}),
    }));
    const spaces = [...this.control].filter(([, held]) => held !== "none").map(([id, held]) => ({ id, control: held }));
    return {
      format: "wardiary-position/1", clock: { ...this.clock }, units, spaces, links: [], tracks: { ...this.tracks }, pools: {},
      pending: { ...this.pending }, over: this.over, ...(this.over ? { winner: this.winner } : {}),
    };
  }
  strength(side) {
    let sum = 0;
    for (const u of this.units.values()) if (u.side === side && u.at) sum += u.cv;
    return sum;
  }
  score() {
    const totals = { axis: 0, soviet: 0 };
    for (const [id, held] of this.control) {
      const city = this.spaces.get(id).city;
      if (city?.value && totals[held] !== undefined) totals[held] += city.value;
    }
    return totals;
  }

  phase(turn, phase, side) {
    const from = { ...this.clock };
    this.clock = { turn, turnName: this.scenario.turns[turn - 1] ?? "", phase, side };
    const before = this.phases[this.phases.length - 1];
    if (before) Object.assign(before, { strength: { axis: this.strength("axis"), soviet: this.strength("soviet") } });
    this.phases.push({
      turn, turnName: this.clock.turnName, phase, side, first: this.events.length + 1, last: this.events.length + 1, orders: 0, rolls: 0,
      losses: { axis: 0, soviet: 0 }, strength: { axis: this.strength("axis"), soviet: this.strength("soviet") }, battles: [], controlChanges: 0,
    });
    this.emit("PhaseBegan", { from, to: { ...this.clock }, digest: "00".repeat(32) });
  }
  ask(side, question) {
    const from = this.pending[side] ?? { kind: "none" };
    if (question.kind === "none") delete this.pending[side];
    else this.pending[side] = question;
    this.emit("DecisionAsked", { side, from, to: question });
  }
  order(order) {
    this.phases[this.phases.length - 1].orders += 1;
    this.emit("OrderIssued", { order, recordedAt: 1780000000000 + this.events.length * 60000, author: order.side });
  }
  change(unit, attribute, to) {
    const from = attribute === "supplied" ? unit.supplied !== false : attribute === "role" ? (unit.role ?? "inactive") : unit[attribute];
    unit[attribute] = to;
    if (attribute === "role" && to === "inactive") delete unit.role;
    this.emit("UnitChanged", { unit: unit.id, attribute, from, to });
  }
  hold(changes) {
    const rows = changes.filter(([id, to]) => (this.control.get(id) ?? "none") !== to)
      .map(([space, to]) => ({ space, from: this.control.get(space) ?? "none", to }));
    if (!rows.length) return;
    for (const { space, to } of rows) this.control.set(space, to);
    if (rows.length === 1) this.emit("SpaceChanged", { space: rows[0].space, attribute: "control", from: rows[0].from, to: rows[0].to });
    else this.emit("SpacesChanged", { attribute: "control", changes: rows });
  }
  roll(side, purpose, space, unit, count, hitsFrom) {
    const values = Array.from({ length: count }, () => 1 + Math.floor(this.random() * 6));
    const hits = values.filter((v) => v >= hitsFrom).length;
    const phase = this.phases[this.phases.length - 1];
    phase.rolls += 1;
    this.emit("DiceRolled", {
      roller: side, number: this.rolls[side]++, purpose, space, unit, groups: [{ kind: "dice", count, sides: 6, hitsFrom }], values,
      terms: [{ label: `${unit} CV`, value: count }], hits, grade: "solo",
    });
    if (hits) phase.battles.push(this.version);
    return hits;
  }

  setUp() {
    this.emit("GameCreated", { system: "eastfront", rulesVersion: "1", scenario: this.scenario.id, keeping: "refereed", dice: "solo", options: {}, contents: [], seats: SIDES.map((s) => ({ name: s, sides: [s] })) });
    const line = this.board.startLines[this.scenario.setup.line] ?? {};
    this.phases.push({ turn: 0, turnName: "", phase: "setup", side: null, first: 1, last: 1, orders: 0, rolls: 0, losses: { axis: 0, soviet: 0 }, strength: {}, battles: [], controlChanges: 0 });
    this.hold([...(line.axis ?? []).map((id) => [id, "axis"]), ...(line.soviet ?? []).map((id) => [id, "soviet"])]);
    const placed = this.scenario.historical ?? this.spread(line);
    for (const { unit: id, cv, at } of placed) {
      const unit = this.units.get(id);
      unit.at = at;
      unit.cv = cv;
      this.emit("UnitPlaced", { unit: id, at, changes: [{ attribute: "cv", from: 0, to: cv }] });
      if ((this.control.get(at) ?? "none") === "none") this.hold([[at, unit.side]]);
    }
  }
  spread(line) {
    const out = [];
    for (const side of SIDES) {
      const front = line[`${side}Front`] ?? line[side] ?? [];
      if (!front.length) continue;
      const units = [...this.units.values()].filter((u) => u.side === side).slice(0, 75);
      units.forEach((unit, i) => out.push({ unit: unit.id, cv: Math.max(1, unit.max - (this.random() < 0.4 ? 1 : 0)), at: front[Math.floor((i / units.length) * front.length)] }));
    }
    return out;
  }
  here(space) {
    return [...this.units.values()].filter((u) => u.at === space);
  }

  play(turns, finished) {
    this.setUp();
    for (let turn = 1; turn <= turns; ++turn) {
      for (const side of SIDES) {
        this.phase(turn, "command", side);
        this.ask(side, { kind: "command" });
        for (const hq of [...this.units.values()].filter((u) => u.side === side && u.at && /hq/.test(u.type)).slice(0, 2)) {
          this.order({ type: "ActivateHQ", side, hq: hq.id, role: "Normal" });
          this.change(hq, "role", "normal");
        }
        this.order({ type: "EndCommand", side });
        this.phase(turn, "movement", side);
        this.ask(side, { kind: "movement" });
        this.movement(side);
        this.phase(turn, "combat", side);
        this.combat(side);
        this.phase(turn, "supply", side);
        for (const hq of this.units.values()) if (hq.side === side && hq.role && hq.at) this.change(hq, "role", "inactive");
        for (const unit of this.units.values()) {
          if (unit.side !== side || !unit.at || this.random() > 0.05) continue;
          this.change(unit, "supplied", unit.supplied === false);
        }
      }
    }
    if (finished) {
      const { axis, soviet } = this.score();
      this.winner = axis > soviet / 3 ? "axis" : "soviet";
      for (const side of Object.keys(this.pending)) this.ask(side, { kind: "none" });
      this.over = true;
      this.emit("GameEnded", { winner: this.winner, level: "marginal" });
    } else {
      this.ask("soviet", { kind: "none" });
      this.phase(turns + 1, "movement", "axis");
      this.ask("axis", { kind: "movement" });
    }
    Object.assign(this.phases[this.phases.length - 1], { strength: { axis: this.strength("axis"), soviet: this.strength("soviet") } });
  }
  wayOf(unit) {
    const forward = unit.side === "axis" ? 1 : -1;
    const options = this.next.get(unit.at).filter((id) => this.here(id).filter((u) => u.side === unit.side).length < 4);
    const best = options.map((id) => ({ id, pull: (this.spaces.get(id).q - this.spaces.get(unit.at).q) * forward + this.random() * 2 })).sort((a, b) => b.pull - a.pull)[0];
    return best?.id;
  }
  movement(side) {
    for (const unit of [...this.units.values()]) {
      if (unit.side !== side || !unit.at || this.random() > (side === "axis" ? 0.32 : 0.22)) continue;
      const path = [unit.at];
      const first = this.wayOf(unit);
      if (!first) continue;
      path.push(first);
      this.order({ type: "MoveUnit", side, unit: unit.id, path: [...path] });
      unit.at = first;
      this.emit("UnitMoved", { unit: unit.id, path, how: "land" });
      const enemies = this.here(first).some((u) => u.side !== side);
      this.hold([[first, enemies ? "disputed" : side]]);
    }
    this.order({ type: "EndMovement", side });
  }
  combat(side) {
    const enemy = side === "axis" ? "soviet" : "axis";
    const battles = [...this.control].filter(([id]) => this.here(id).some((u) => u.side === side) && this.here(id).some((u) => u.side === enemy)).map(([id]) => id);
    for (const space of battles) {
      this.order({ type: "ResolveBattle", side, battleHex: space });
      for (const [firing, target, purpose] of [[enemy, side, "defensive fire"], [side, enemy, "offensive fire"]]) {
        for (const unit of this.here(space).filter((u) => u.side === firing && u.cv > 0 && !/hq/.test(u.type))) {
          let hits = this.roll(firing, purpose, space, unit.id, unit.cv, 6);
          while (hits-- > 0) this.hit(space, target);
        }
      }
      const left = new Set(this.here(space).map((u) => u.side));
      if (left.size === 1) this.hold([[space, [...left][0]]]);
    }
  }
  hit(space, side) {
    const victim = this.here(space).filter((u) => u.side === side).sort((a, b) => b.cv - a.cv)[0];
    if (!victim) return;
    this.phases[this.phases.length - 1].losses[side] += 1;
    this.change(victim, "cv", victim.cv - 1);
    if (victim.cv > 0) return;
    const from = victim.at;
    victim.at = null;
    this.emit("UnitRemoved", { unit: victim.id, from, why: "eliminated" });
  }

  // --- what the service would answer

  summary() {
    return {
      id: this.id, name: this.name, system: "eastfront", systemTitle: "EastFront", scenario: this.scenario.title, mainline: this.mainline,
      version: this.version, createdAt: 1780000000000, over: this.over, winner: this.winner, clock: this.clock,
    };
  }
  detail() {
    return {
      ...this.summary(), sides: SIDES, phases: PHASES, turns: this.scenario.turns,
      units: this.scenario.units.map((u) => ({ id: u.id, title: u.name ?? u.id, type: u.type, side: u.side })),
      seats: SIDES.map((s) => ({ name: s, sides: [s] })), options: {}, viewer: { kind: "referee", side: null },
      orderTypes: [{ name: "MoveUnit", rule: "6.1", help: "Move a unit under command.", fields: [{ name: "unit", kind: "unit", required: true, choices: [] }, { name: "path", kind: "spaces", required: true, choices: [] }] }],
    };
  }
  timeline() {
    return { version: this.version, phases: this.phases };
  }
  positionAt(at) {
    const version = Math.max(1, Math.min(at, this.version));
    return { version, position: JSON.parse(this.snapshots[version - 1]) };
  }
  supplyAt(at) {
    const { position } = this.positionAt(at);
    return {
      units: position.units.filter((u) => u.at).map((u) => ({
        unit: u.id, status: u.supplied === false ? "unsupplied" : "supplied",
        path: u.supplied === false ? [] : this.wayHome(u.at, u.side), reason: u.supplied === false ? "no way to a source" : "",
      })),
    };
  }
  wayHome(from, side) {
    const goals = new Set(this.board.supplySources[side]);
    const before = new Map([[from, null]]);
    const queue = [from];
    for (const id of queue) {
      if (goals.has(id)) {
        const path = [];
        for (let at = id; at !== null; at = before.get(at)) path.unshift(at);
        return path;
      }
      for (const next of this.next.get(id)) {
        if (before.has(next)) continue;
        before.set(next, id);
        queue.push(next);
      }
    }
    return [];
  }
  legal(side) {
    if (!this.pending[side]) return { orders: [], complete: true };
    const orders = [];
    for (const unit of this.units.values()) {
      if (unit.side !== side || !unit.at) continue;
      for (const to of this.next.get(unit.at)) orders.push({ type: "MoveUnit", side, unit: unit.id, path: [unit.at, to] });
    }
    orders.push({ type: "EndMovement", side });
    return { orders, complete: true };
  }
  give(order) {
    const first = this.version + 1;
    this.order(order);
    if (order.type === "MoveUnit") {
      const unit = this.units.get(order.unit);
      unit.at = order.path[order.path.length - 1];
      this.emit("UnitMoved", { unit: unit.id, path: order.path, how: "land" });
      this.hold([[unit.at, order.side]]);
    }
    this.branches.find((b) => b.id === this.mainline).version = this.version;
    return { first, last: this.version, duplicate: false };
  }
}

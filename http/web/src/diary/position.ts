// A position in the browser and the fold of events over it, forwards and backwards. The rules-free
// twin of domain/apply.cpp: facts carry from and to, so walking needs nothing but the event.
//
// Values that equal their initial are not in a position's JSON; here they are simply absent, and a
// fact about an absent value is believed.
import type { Clock, DiaryEvent, PositionJson, Question, Value } from "../api/types";

export interface Unit {
  id: string;
  at: string | null;
  values: Record<string, Value>;
}

export function isHidden(unit: string): boolean {
  return unit.startsWith("?");
}
// "?soviet@1515.2" and "?soviet@1515" are blocks of the same side in the same space.
export function sideOfHidden(unit: string): string {
  return unit.slice(1).split("@")[0] ?? "";
}

const same = (a: Value | undefined, b: Value): boolean => a === undefined || a === b;

let marks = 0;

export class Position {
  clock: Clock;
  units = new Map<string, Unit>();
  spaces = new Map<string, Record<string, Value>>();
  // Positions with the same mark have the same values of spaces: what is drawn of them need not be
  // worked out again.
  spacesMark = ++marks;
  links = new Map<string, Record<string, Value>>();
  tracks: Record<string, Value> = {};
  pools: Record<string, Record<string, number>> = {};
  pending: Record<string, Question> = {};
  over = false;
  winner: string | null = null;

  // Before the first event: a game begins in the first phase its roster names.
  constructor(firstPhase = "") {
    this.clock = { turn: 0, turnName: "", phase: firstPhase, side: null };
  }

  static from(json: PositionJson): Position {
    const p = new Position();
    p.clock = { ...json.clock };
    for (const { id, at, ...values } of json.units) {
      p.units.set(id, { id, at, values: values as Record<string, Value> });
    }
    for (const { id, ...values } of json.spaces) p.spaces.set(id, values as Record<string, Value>);
    for (const { a, b, ...values } of json.links ?? []) {
      p.links.set(linkKey(a, b), values as Record<string, Value>);
    }
    p.tracks = { ...json.tracks };
    for (const [name, items] of Object.entries(json.pools ?? {})) p.pools[name] = { ...items };
    for (const [side, question] of Object.entries(json.pending ?? {})) p.pending[side] = { ...question };
    p.over = json.over;
    p.winner = json.winner ?? null;
    return p;
  }

  clone(): Position {
    const p = new Position();
    p.clock = { ...this.clock };
    for (const [id, u] of this.units) p.units.set(id, { id, at: u.at, values: { ...u.values } });
    for (const [id, values] of this.spaces) p.spaces.set(id, { ...values });
    p.spacesMark = this.spacesMark;
    for (const [id, values] of this.links) p.links.set(id, { ...values });
    p.tracks = { ...this.tracks };
    for (const [name, items] of Object.entries(this.pools)) p.pools[name] = { ...items };
    p.pending = { ...this.pending };
    p.over = this.over;
    p.winner = this.winner;
    return p;
  }

  // True if the event followed from this position; false if it did not fit (then as much as could be
  // done has been done, and the caller should fetch the position anew).
  apply(event: DiaryEvent): boolean {
    return this.walk(event, true);
  }
  revert(event: DiaryEvent): boolean {
    return this.walk(event, false);
  }

  private walk(e: DiaryEvent, forward: boolean): boolean {
    switch (e.type) {
      case "UnitMoved": {
        const first = e.path[0] ?? null;
        const last = e.path[e.path.length - 1] ?? null;
        return this.shift(e.unit, forward ? first : last, forward ? last : first);
      }
      case "UnitPlaced": {
        const fits = forward ? this.shift(e.unit, null, e.at) : this.shift(e.unit, e.at, null);
        const values = this.units.get(e.unit)?.values;
        let all = fits;
        for (const c of values ? (e.changes ?? []) : []) {
          all = set(values!, c.attribute, forward ? c.from : c.to, forward ? c.to : c.from) && all;
        }
        return all;
      }
      case "UnitRemoved":
        return forward ? this.shift(e.unit, e.from, null) : this.shift(e.unit, null, e.from);
      case "UnitChanged":
        return set(this.unit(e.unit).values, e.attribute, forward ? e.from : e.to, forward ? e.to : e.from);
      case "SpaceChanged":
        return set(this.space(e.space), e.attribute, forward ? e.from : e.to, forward ? e.to : e.from);
      case "SpacesChanged": {
        let all = true;
        for (const c of e.changes) {
          all = set(this.space(c.space), e.attribute, forward ? c.from : c.to, forward ? c.to : c.from) && all;
        }
        return all;
      }
      case "LinkChanged":
        return set(this.link(e.link[0], e.link[1]), e.attribute, forward ? e.from : e.to, forward ? e.to : e.from);
      case "TrackChanged":
        return set(this.tracks, e.track, forward ? e.from : e.to, forward ? e.to : e.from);
      case "PoolChanged": {
        const pool = (this.pools[e.pool] ??= {});
        const fits = (pool[e.item] ?? 0) === (forward ? e.from : e.to);
        const to = forward ? e.to : e.from;
        if (to) pool[e.item] = to;
        else delete pool[e.item];
        return fits;
      }
      case "PhaseBegan": {
        const from = forward ? e.from : e.to;
        const fits = this.clock.turn === from.turn && this.clock.phase === from.phase;
        this.clock = { ...(forward ? e.to : e.from) };
        return fits;
      }
      case "DecisionAsked": {
        const to = forward ? e.to : e.from;
        if (to.kind === "none") delete this.pending[e.side];
        else this.pending[e.side] = { ...to };
        return true;
      }
      case "GameEnded":
        this.over = forward;
        this.winner = forward ? e.winner : null;
        return true;
      case "Hidden":
        return false;
      default:
        return true;
    }
  }

  private unit(id: string): Unit {
    let unit = this.units.get(id);
    if (!unit) {
      unit = { id, at: null, values: {} };
      this.units.set(id, unit);
    }
    return unit;
  }
  // To be changed.
  private space(id: string): Record<string, Value> {
    this.spacesMark = ++marks;
    let values = this.spaces.get(id);
    if (!values) this.spaces.set(id, (values = {}));
    return values;
  }
  private link(a: string, b: string): Record<string, Value> {
    let values = this.links.get(linkKey(a, b));
    if (!values) this.links.set(linkKey(a, b), (values = {}));
    return values;
  }

  private shift(id: string, from: string | null, to: string | null): boolean {
    if (isHidden(id)) return this.shiftBlock(sideOfHidden(id), from, to);
    const unit = this.unit(id);
    const fits = unit.at === from;
    unit.at = to;
    return fits;
  }

  // A block nobody may know: any of its side in that space will do, they all look alike.
  private shiftBlock(side: string, from: string | null, to: string | null): boolean {
    let fits = from === null;
    if (from !== null) {
      for (const unit of this.units.values()) {
        if (!isHidden(unit.id) || unit.at !== from || unit.values.side !== side) continue;
        this.units.delete(unit.id);
        fits = true;
        break;
      }
    }
    if (to !== null) {
      let n = 1;
      while (this.units.has(`?${side}@${to}.${n}`)) ++n;
      const id = `?${side}@${to}.${n}`;
      this.units.set(id, { id, at: to, values: { side } });
    }
    return fits;
  }
}

function set(values: Record<string, Value>, attribute: string, from: Value, to: Value): boolean {
  const fits = same(values[attribute], from);
  values[attribute] = to;
  return fits;
}

export function linkKey(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}

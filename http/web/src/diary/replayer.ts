// Any event of one branch, at the speed of a scrubber: the branch's events are kept here, and a
// position is walked from the nearest kept one. Where the viewer may not see everything, the walk is
// a good guess and `exact` says so; the page then asks the service.
import type { DiaryEvent, PositionJson } from "../api/types";
import { Position } from "./position";

const KEPT_EVERY = 256;

export interface Seen {
  position: Position;
  exact: boolean;
}

export class Replayer {
  // events[i] is the event with version i + 1.
  readonly events: DiaryEvent[] = [];
  private kept = new Map<number, Position>();
  private current: Position;
  private at = 0;
  private exact = true;

  constructor(firstPhase = "") {
    this.current = new Position(firstPhase);
    this.kept.set(0, new Position(firstPhase));
  }

  get version(): number {
    return this.events.length;
  }

  // Events already known are passed over: two readers may have asked for the same ones.
  add(events: DiaryEvent[]): void {
    for (const event of events) {
      if (event.version <= this.events.length) continue;
      if (event.version !== this.events.length + 1) {
        throw new Error(`event ${event.version} does not follow ${this.events.length}`);
      }
      this.events.push(event);
    }
  }

  // A position the service gave: exact by definition.
  learn(version: number, json: PositionJson): Position {
    const position = Position.from(json);
    this.kept.set(version, position.clone());
    this.current = position;
    this.at = version;
    this.exact = true;
    return position;
  }

  // The position after event `version`. The result is this replayer's own and changes with the next
  // seek: read it, or clone it.
  seek(version: number): Seen {
    const target = Math.max(0, Math.min(version, this.events.length));
    const start = this.nearestKept(target);
    if (this.kept.has(target) || Math.abs(target - start) < Math.abs(target - this.at) || !this.exact) {
      this.current = this.kept.get(start)!.clone();
      this.at = start;
      this.exact = true;
    }
    while (this.at < target) {
      if (!this.current.apply(this.events[this.at]!)) this.exact = false;
      ++this.at;
      if (this.exact && this.at % KEPT_EVERY === 0) this.kept.set(this.at, this.current.clone());
    }
    while (this.at > target) {
      if (!this.current.revert(this.events[this.at - 1]!)) this.exact = false;
      --this.at;
    }
    return { position: this.current, exact: this.exact };
  }

  private nearestKept(target: number): number {
    let best = 0;
    for (const version of this.kept.keys()) {
      if (Math.abs(target - version) < Math.abs(target - best)) best = version;
    }
    return best;
  }
}

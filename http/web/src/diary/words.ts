// Events and orders in words, in the language of the page. Works for every system: what the
// catalogue does not know is told from the event's own words.
import type { DiaryEvent, Order, Value } from "../api/types";
import { fill, has, number, readable, t, tn, word } from "../i18n/i18n.svelte";
import { isHidden, sideOfHidden } from "./position";

export interface Names {
  unit(id: string): string;
  space(id: string): string;
  side(id: string | null | undefined): string;
}

export function orderOf(event: DiaryEvent): Order | null {
  if (event.type !== "OrderIssued") return null;
  if (typeof event.order === "object") return event.order;
  return { type: event.order, side: event.side, ...event.arguments };
}

export function unitWords(id: string, names: Names): string {
  return isHidden(id) ? t("unit.hidden", { side: names.side(sideOfHidden(id)) }) : names.unit(id);
}

function valueWords(attribute: string, value: Value, names: Names): string {
  if (value === null) return t("value.none");
  if (typeof value === "boolean") return t(value ? "value.yes" : "value.no");
  if (typeof value === "number") return number(value);
  if (has(`value.${attribute}.${value}`)) return t(`value.${attribute}.${value}`);
  const place = names.space(value);
  if (place !== value) return place;
  return word("side", value);
}

// What an order names, in words by field; who first, then where.
function orderParts(order: Order, names: Names): Map<string, string> {
  const parts = new Map<string, string>();
  const actors = ["unit", "hq"];
  const fields = Object.entries(order).sort(([a], [b]) => Number(actors.includes(b)) - Number(actors.includes(a)));
  for (const [field, value] of fields) {
    if (field === "type" || field === "side" || value === undefined || value === null) continue;
    const words = fieldWords(field, value, names);
    if (words) parts.set(field, words);
  }
  return parts;
}

function fieldWords(field: string, value: unknown, names: Names): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => (typeof item === "object" && item ? itemWords(item, names) : one(item, names)));
    const path = field === "path" || field === "way";
    return path ? pathWords(items) : items.join(", ");
  }
  if (typeof value === "boolean") return value ? word("field", field) : "";
  if (typeof value === "number") return `${word("field", field)} ${number(value)}`;
  if (field === "role" || field === "mode" || field === "country") return word(field, String(value));
  return one(value, names);
}
// A long way is told by its ends.
const PATH_MAX = 4;
function pathWords(places: string[]): string {
  if (places.length <= PATH_MAX) return places.join(" → ");
  return `${places[0]} → … → ${places[places.length - 1]}`;
}
function one(value: unknown, names: Names): string {
  const text = String(value);
  if (isHidden(text)) return unitWords(text, names);
  if (has(`choice.${text}`)) return t(`choice.${text}`);
  const place = names.space(text);
  return place !== text ? place : names.unit(text);
}
function itemWords(item: object, names: Names): string {
  return Object.values(item).map((v) => (typeof v === "number" ? number(v) : one(v, names))).join(" ");
}

// By the system's own sentence where it has one ("order.Fire.says": "fire with {unit}") and the order
// gives what it names; what the sentence leaves out follows it.
export function orderWords(order: Order, names: Names): string {
  const parts = orderParts(order, names);
  const sentence = has(`order.${order.type}.says`) ? t(`order.${order.type}.says`) : "";
  const named = [...sentence.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
  if (sentence && named.every((field) => parts.has(field))) {
    const rest = [...parts].filter(([field]) => !named.includes(field)).map(([, words]) => words);
    return [fill(sentence, Object.fromEntries(parts)), ...rest].join(", ");
  }
  const type = word("order", order.type);
  const details = [...parts.values()].join(", ");
  return details ? t("order", { type, details }) : type;
}
// A message about one attribute or track comes before the general one: "event.UnitChanged.cv".
function about(type: string, name: string): string {
  return has(`event.${type}.${name}`) ? `event.${type}.${name}` : `event.${type}`;
}

export function eventWords(event: DiaryEvent, names: Names): string {
  const space = (id: string | null | undefined) => (id ? names.space(id) : t("value.none"));
  const unit = (id: string) => unitWords(id, names);
  switch (event.type) {
    case "Hidden":
      return t("event.Hidden");
    case "GameCreated":
      return t("event.GameCreated", { scenario: event.scenario ?? event.system });
    case "BranchForked":
      return t("event.BranchForked", { at: event.at, dice: word("policy", event.dice), name: event.name ?? "" });
    case "GameEnded":
      return event.winner
        ? t("event.GameEnded", { winner: names.side(event.winner), level: event.level ? ` (${readable(event.level)})` : "" })
        : t("event.GameEnded.draw");
    case "OrderIssued": {
      const order = orderOf(event)!;
      return t("event.OrderIssued", { side: names.side(order.side), order: orderWords(order, names) });
    }
    case "Ruling":
      return t("event.Ruling", { text: event.text ?? "", rule: event.rule ? ` [${event.rule}]` : "" });
    case "TakeBack":
      return t("event.TakeBack", { to: event.to });
    case "TakeBackProposed":
      return t("event.TakeBackProposed", { who: event.author ? names.side(event.author) : "", to: event.to, text: event.text ? `: ${event.text}` : "" });
    case "TakeBackAnswered":
      return t(event.agreed ? "event.TakeBackAnswered.yes" : "event.TakeBackAnswered.no", { who: event.author ? names.side(event.author) : "", text: event.text ? `: ${event.text}` : "" });
    case "PhaseBegan":
      return phaseWords(event.to.turnName, event.to.phase, event.to.side, names);
    case "DecisionAsked":
      return event.to.kind === "none"
        ? t("event.DecisionAsked.done", { side: names.side(event.side) })
        : t("event.DecisionAsked", {
            side: names.side(event.side),
            kind: word("decision", event.to.kind),
            about: event.to.space ? ` (${space(event.to.space)})` : "",
          });
    case "DiceRolled": {
      const whom = event.unit ? unit(event.unit) : event.space ? space(event.space) : "";
      const result = event.hits !== undefined
        ? t(event.hits === 1 ? "dice.hit" : "dice.hits", { count: event.hits })
        : (event.result ? word("result", event.result) : "");
      return fill(t("event.DiceRolled"), {
        side: event.roller ? names.side(event.roller) : t("side.nobody"),
        purpose: word("purpose", event.purpose),
        about: whom ? ` (${whom})` : "",
        values: event.values.join(" "),
        result: result ? `: ${result}` : "",
      });
    }
    case "UnitPlaced":
      return t("event.UnitPlaced", { unit: unit(event.unit), at: space(event.at) });
    case "UnitMoved":
      return t("event.UnitMoved", {
        unit: unit(event.unit),
        path: pathWords(event.path.map((id) => space(id))),
        how: event.how ? ` (${word("how", event.how)})` : "",
      });
    case "UnitRemoved":
      return t("event.UnitRemoved", { unit: unit(event.unit), from: space(event.from), why: event.why ? ` (${word("why", event.why)})` : "" });
    case "UnitChanged":
      return t(about("UnitChanged", event.attribute), {
        unit: unit(event.unit), attribute: word("attribute", event.attribute),
        from: valueWords(event.attribute, event.from, names), to: valueWords(event.attribute, event.to, names),
      });
    case "SpaceChanged":
      return t(about("SpaceChanged", event.attribute), {
        space: space(event.space), attribute: word("attribute", event.attribute),
        from: valueWords(event.attribute, event.from, names), to: valueWords(event.attribute, event.to, names),
      });
    case "SpacesChanged": {
      const names3 = event.changes.slice(0, 3).map((c) => space(c.space)).join(", ");
      const rest = event.changes.length - 3;
      return tn(about("SpacesChanged", event.attribute), event.changes.length, {
        attribute: word("attribute", event.attribute),
        spaces: rest > 0 ? t("list.more", { list: names3, count: rest }) : names3,
      });
    }
    case "LinkChanged":
      return t(about("LinkChanged", event.attribute), {
        a: space(event.link[0]), b: space(event.link[1]), attribute: word("attribute", event.attribute),
        to: valueWords(event.attribute, event.to, names),
      });
    case "TrackChanged":
      return t(about("TrackChanged", event.track), {
        track: word("track", event.track),
        from: valueWords(event.track, event.from, names), to: valueWords(event.track, event.to, names),
      });
    case "PoolChanged":
      return t(about("PoolChanged", event.pool), { pool: word("pool", event.pool), item: readable(event.item), from: event.from, to: event.to });
    case "Revealed":
      return t("event.Revealed", { unit: unit(event.unit), sides: event.to.map((s) => names.side(s)).join(", ") });
    default:
      return has(`event.${event.type}`) ? t(`event.${event.type}`) : readable(event.type);
  }
}

export function phaseWords(turnName: string, phase: string, side: string | null | undefined, names: Names): string {
  const parts = [turnName === "turn 0" ? "" : turnName, word("phase", phase), side ? names.side(side) : ""];
  return parts.filter(Boolean).join(" · ");
}

// ---------------------------------------------------------------------------- kinds, for filters

export const KINDS = ["orders", "moves", "losses", "dice", "phases", "control", "other"] as const;
export type Kind = (typeof KINDS)[number];

export function kindOf(event: DiaryEvent): Kind {
  switch (event.type) {
    case "OrderIssued":
    case "Ruling":
    case "TakeBack":
    case "TakeBackProposed":
    case "TakeBackAnswered":
      return "orders";
    case "UnitMoved":
    case "UnitPlaced":
      return "moves";
    case "UnitRemoved":
      return "losses";
    case "UnitChanged":
      return event.attribute === "cv" || event.attribute === "steps" || event.attribute === "hits" ? "losses" : "other";
    case "DiceRolled":
    case "RollRequested":
    case "RollRevealed":
    case "RollsUnlocked":
    case "RollSealed":
    case "RollOpened":
    case "RollAbandoned":
    case "OrderSuspended":
    case "EpochDrafted":
    case "ContributorJoined":
      return "dice";
    case "PhaseBegan":
    case "GameEnded":
    case "GameCreated":
    case "BranchForked":
      return "phases";
    case "SpaceChanged":
    case "SpacesChanged":
      return event.attribute === "control" || event.attribute === "owner" ? "control" : "other";
    default:
      return "other";
  }
}

// Everything an event is about: units and spaces, for filters and histories.
export function subjects(event: DiaryEvent): string[] {
  switch (event.type) {
    case "UnitPlaced":
      return [event.unit, event.at];
    case "UnitMoved":
      return [event.unit, ...event.path];
    case "UnitRemoved":
      return [event.unit, event.from];
    case "UnitChanged":
    case "Revealed":
      return [event.unit];
    case "SpaceChanged":
      return [event.space];
    case "SpacesChanged":
      return event.changes.map((c) => c.space);
    case "LinkChanged":
      return event.link;
    case "DiceRolled":
      return [event.unit, event.space].filter((id): id is string => Boolean(id));
    case "DecisionAsked":
      return [event.to.unit, event.to.space].filter((id): id is string => Boolean(id));
    case "OrderIssued": {
      const order = orderOf(event)!;
      const found: string[] = [];
      for (const [field, value] of Object.entries(order)) {
        if (field === "type" || field === "side") continue;
        for (const item of Array.isArray(value) ? value : [value]) {
          if (typeof item === "string") found.push(item);
          else if (item && typeof item === "object") {
            for (const part of Object.values(item as object)) if (typeof part === "string") found.push(part);
          }
        }
      }
      return found;
    }
    default:
      return [];
  }
}

// What the service answers, as the page uses it.

export interface OptionSpec {
  name: string;
  choices: string[];
  default: string;
  min?: number;
  max?: number;
  rule?: string;
  help?: string;
}
export interface SystemInfo {
  name: string;
  title: string;
  rulesVersion: string;
  scenarios: { id: string; title: string; board: string }[];
  options: OptionSpec[];
}

export interface Clock {
  turn: number;
  turnName: string;
  phase: string;
  side?: string | null;
}
export interface GameSummary {
  id: string;
  name: string;
  system: string;
  systemTitle: string;
  scenario: string;
  mainline: string;
  version: number;
  createdAt: number;
  over: boolean;
  winner: string | null;
  clock: Clock;
  seats?: Seat[];
  // Totals by side, where anybody may see them.
  score?: Record<string, number>;
  changedAt?: number;
  // Set, and most else missing, where the service could not read a game.
  error?: string;
}
export interface Seat {
  name: string;
  sides: string[];
  player?: string;
}
export interface RosterUnit {
  id: string;
  title: string;
  type: string;
  side: string;
}
export interface OrderField {
  name: string;
  kind: string;
  required: boolean;
  choices: string[];
}
export interface OrderType {
  name: string;
  rule: string;
  help: string;
  fields: OrderField[];
}
export interface Viewer {
  kind: "referee" | "side" | "spectator";
  side?: string | null;
}
export interface GameDetail extends GameSummary {
  sides: string[];
  phases: string[];
  turns: string[];
  units: RosterUnit[];
  seats: Seat[];
  options: Record<string, string>;
  viewer: Viewer;
  keeping?: "refereed" | "scribed";
  orderTypes: OrderType[];
}

export interface NewGame {
  name: string;
  system: string;
  scenario: string;
  options: Record<string, string>;
  keeping: "refereed" | "scribed";
  seats?: Seat[];
  dice?: DiceGrade;
}
// How dice come about: by the service alone, with both players at every roll, or with contributions
// given in advance.
export type DiceGrade = "solo" | "live" | "async";
export interface Systems {
  systems: SystemInfo[];
  // The grades the service offers.
  dice?: DiceGrade[];
}
export interface CreatedGame {
  id: string;
  mainline: string;
  version: number;
  tokens: { referee: string; seats: Record<string, string> };
}

export type DicePolicy = "same" | "fresh" | "fixed" | "expected";
export interface Branch {
  id: string;
  parent: string | null;
  forkedAt: number;
  version: number;
  name: string;
  reason: string;
  policy?: DicePolicy;
  deleted: boolean;
}

// ---------------------------------------------------------------------------- events

export type Value = string | number | boolean | null;
export interface Change {
  attribute: string;
  from: Value;
  to: Value;
}
export interface Question {
  kind: string;
  space?: string;
  unit?: string;
  number?: number;
}
export interface Order {
  type: string;
  side?: string;
  [field: string]: unknown;
}
export interface RollGroup {
  kind: "dice" | "shuffle" | "draw";
  count: number;
  sides: number;
  hitsFrom?: number;
}
interface Envelope {
  version: number;
  because?: number;
  recordedAt?: number;
  author?: string;
}
export interface DiceRolled extends Envelope {
  type: "DiceRolled";
  roller: string | null;
  number: number;
  purpose: string;
  space?: string;
  unit?: string;
  groups: RollGroup[];
  values: number[];
  terms?: { label: string; value: number }[];
  table?: string;
  column?: string;
  result?: string;
  hits?: number;
  grade: string;
  request?: number;
  suite?: number;
  proof?: string;
  elements?: { slot: number; value: string }[];
}
export interface EpochOpened extends Envelope {
  type: "EpochOpened";
  stream: string;
  vrfKey: string;
  suite: number;
  chainLength: number;
  rulesHash: string;
  contributors: {
    slot: number;
    name?: string;
    key: string;
    custodial: boolean;
    anchors: { roller: number; value: string }[];
    signature: string;
  }[];
}
export type DiaryEvent =
  | (Envelope & { type: "Hidden" })
  | (Envelope & { type: "GameCreated"; system: string; scenario?: string; keeping?: string; dice?: string })
  | (Envelope & { type: "BranchForked"; parent: string; at: number; name?: string; reason?: string; dice: string })
  | (Envelope & { type: "GameEnded"; winner: string | null; level?: string; text?: string })
  | (Envelope & { type: "OrderIssued"; order: Order | string; side?: string; arguments?: Record<string, unknown> })
  | (Envelope & { type: "Ruling"; by?: string; rule?: string; text?: string })
  | (Envelope & { type: "TakeBack"; to: number; text?: string })
  | (Envelope & { type: "TakeBackProposed"; to: number; text?: string })
  | (Envelope & { type: "TakeBackAnswered"; proposal: number; agreed: boolean; text?: string })
  | (Envelope & { type: "PhaseBegan"; from: Clock; to: Clock; digest?: string })
  | (Envelope & { type: "DecisionAsked"; side: string; from: Question; to: Question })
  | DiceRolled
  | (Envelope & { type: "UnitPlaced"; unit: string; at: string; changes?: Change[] })
  | (Envelope & { type: "UnitMoved"; unit: string; path: string[]; how?: string })
  | (Envelope & { type: "UnitRemoved"; unit: string; from: string; why?: string })
  | (Envelope & { type: "UnitChanged"; unit: string } & Change)
  | (Envelope & { type: "SpaceChanged"; space: string } & Change)
  | (Envelope & { type: "SpacesChanged"; attribute: string; changes: { space: string; from: Value; to: Value }[] })
  | (Envelope & { type: "LinkChanged"; link: [string, string] } & Change)
  | (Envelope & { type: "TrackChanged"; track: string; from: Value; to: Value })
  | (Envelope & { type: "PoolChanged"; pool: string; item: string; from: number; to: number })
  | (Envelope & { type: "Revealed"; unit: string; to: string[] })
  | EpochOpened
  | (Envelope & { type: "RollRequested"; roller: number; number: number })
  | (Envelope & { type: "RollRevealed"; request: number; contributor: number })
  | (Envelope & { type: "RollsUnlocked"; contributor: number; roller: number; upTo: number })
  | (Envelope & { type: "RollSealed"; request: number; roller: string; number: number; purpose: string })
  | (Envelope & { type: "RollOpened"; sealed: number; values: number[] })
  | (Envelope & { type: "EpochDrafted"; policy: string; slots: number[] })
  | (Envelope & { type: "ContributorJoined"; drafted: number; slot: number; name?: string })
  | (Envelope & { type: "OrderSuspended"; order: unknown })
  | (Envelope & { type: "RollAbandoned"; roller: string; number: number; order: number; owedBy: number[] });

export interface EventPage {
  events: DiaryEvent[];
  next: number | null;
  version: number;
}

// ---------------------------------------------------------------------------- positions

export interface PositionJson {
  format?: string;
  clock: Clock;
  units: ({ id: string; at: string | null } & Record<string, Value>)[];
  spaces: ({ id: string } & Record<string, Value>)[];
  links: ({ a: string; b: string } & Record<string, Value>)[];
  tracks: Record<string, Value>;
  pools: Record<string, Record<string, number>>;
  pending: Record<string, Question>;
  over: boolean;
  winner?: string | null;
}
export interface UnitSupply {
  unit: string;
  status: string;
  path: string[];
  reason: string;
}
// The spaces a unit acts upon: kind "command", "zoc" or a system's own word.
export interface UnitReach {
  unit: string;
  kind: string;
  spaces: string[];
}
export interface ScoreTerm {
  side: string;
  term: string;
  value: number;
  rule: string;
}
export interface Score {
  terms: ScoreTerm[];
  totals: Record<string, number>;
}
export interface TimelinePhase {
  turn: number;
  turnName: string;
  phase: string;
  side: string | null;
  first: number;
  last: number;
  orders: number;
  rolls: number;
  losses: Record<string, number>;
  strength: Record<string, number>;
  // Rolls with hits, by version.
  battles?: number[];
  controlChanges?: number;
}
export interface Timeline {
  version: number;
  phases: TimelinePhase[];
}
export interface DiceAnswer {
  rolls: DiceRolled[];
  next?: number | null;
  epoch: EpochOpened | null;
  // The hash of the event that opened the epoch: what the proofs are bound to.
  epochHash?: string;
}
export interface AuditReport {
  clean: boolean;
  checks: { name: string; what?: string; examined: number; failed?: number; failure: null | Record<string, unknown> }[];
  at: number;
}
// How a stretch of play could have gone, by every outcome of a roll or by playing it again.
export interface SweepMeasure {
  measure: string;
  side: string;
  real: number;
  mean: number;
  deviation: number;
  less: number;
  equal: number;
  more: number;
  distribution: { value: number; ways: number; probability: number; error?: number }[];
}
export interface SweepOutcome {
  faces: number[];
  ways: number;
  probability: number;
  values: number[];
  real: boolean;
  hits?: number;
  result?: string;
}
export interface Sweep {
  kind: "roll" | "replay";
  first: number;
  last: number;
  orders: number;
  complete: boolean;
  measures: SweepMeasure[];
  trials?: number;
  departed?: number;
  unfinished?: number;
  roll?: number;
  total?: number;
  outcomes?: SweepOutcome[];
}
// Work that takes a while, done by the service.
export interface Job<Result> {
  id: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  result?: Result;
  problem?: { status: number; code: string; title: string; detail?: string };
}
// What somebody wrote beside the game; it never touches the record.
export interface Note {
  number: number;
  kind: "note" | "bookmark";
  branch: string;
  version: number;
  text: string;
  author?: string;
  at?: number;
  mine?: boolean;
  seen?: NoteReaders;
}
export type NoteReaders = "everyone" | "seat" | "referee";
// A wish to go back to an earlier event, on which every seat must agree.
export interface TakeBackProposal {
  version: number;
  to: number;
  by: string;
  text: string;
  agreed: string[];
  waitingFor: string[];
}
export interface TakeBackState {
  proposal: TakeBackProposal | null;
  undo: number | null;
}
export interface OrderAccepted {
  first: number;
  last: number;
  duplicate: boolean;
}
// The order rolls dice that somebody has to give: faces typed in, or the players' parts in a roll.
export interface OrderSuspended {
  suspended: true;
  waitingFor: string;
  // Set where the order is on record already and waits for the players.
  version?: number;
}

// ---------------------------------------------------------------------------- boards

// What is printed on a counter, as far as the scenario's file tells: every system has its own words.
export type PrintedUnit = { id: string } & Record<string, unknown>;
export interface Scenario {
  title?: string;
  units?: PrintedUnit[];
  [more: string]: unknown;
}

export interface BoardSpace {
  id: string;
  q?: number;
  r?: number;
  x?: number;
  y?: number;
  terrain: string;
  name?: string;
  playable?: boolean;
  city?: string | { class: string; value?: number; victory?: boolean };
  port?: unknown;
  fortress?: boolean;
  resource?: { kind?: string; type?: string; value?: number };
  country?: string;
  objective?: unknown;
  value?: number;
  polygon?: [number, number][];
  elevation?: number;
  [more: string]: unknown;
}
export interface BoardLink {
  a: string;
  b: string;
  side: string;
  rail?: unknown;
  road?: unknown;
  river?: string | boolean;
  bridge?: unknown;
  border?: [number, number][][];
  [more: string]: unknown;
}
export interface Board {
  id: string;
  title: string;
  kind: "hex" | "area";
  layout: { orientation?: string; width?: number; height?: number; [more: string]: unknown };
  spaces: BoardSpace[];
  links: BoardLink[];
  [more: string]: unknown;
}

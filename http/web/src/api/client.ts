// The service's API, typed. Every failure is a Problem: what the service said, or that it was not
// reached; callers show `detail` and decide by `code`.
import type {
  AuditReport, Board, Branch, CreatedGame, DiaryEvent, DiceAnswer, DicePolicy, EventPage, GameDetail,
  GameSummary, Job, NewGame, Note, NoteReaders, Order, OrderAccepted, OrderSuspended, PositionJson, Scenario, Score, Sweep,
  Systems, TakeBackState, Timeline, UnitReach, UnitSupply,
} from "./types";

import type { DiceState } from "../fairdice/player.js";

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly more: Record<string, unknown> = {},
  ) {
    super(detail || title);
  }
  // Whatever went wrong, as a Problem.
  static of(error: unknown): Problem {
    return error instanceof Problem ? error : new Problem(0, "page", "", String(error));
  }
  get rule(): string | undefined {
    return typeof this.more.rule === "string" ? this.more.rule : undefined;
  }
}

// More lines of play than anybody can look at.
const BRANCHES_MAX = 5000;

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

async function problemOf(response: Response): Promise<Problem> {
  let body: Record<string, unknown> = {};
  try {
    body = (await response.json()) as Record<string, unknown>;
  } catch {
    // Not JSON: the status alone has to do.
  }
  const text = (key: string) => (typeof body[key] === "string" ? (body[key] as string) : "");
  return new Problem(response.status, text("code") || `http_${response.status}`,
    text("title") || response.statusText, text("detail"), body);
}

export class Client {
  constructor(
    private readonly tokenOf: (game: string) => string | undefined = () => undefined,
    private readonly fetcher: Fetch = (input, init) => fetch(input, init),
  ) {}

  private async send(path: string, init: RequestInit = {}, game?: string): Promise<Response> {
    const headers = new Headers(init.headers);
    const token = game ? this.tokenOf(game) : undefined;
    if (token) headers.set("Authorization", `Bearer ${token}`);
    if (init.body) headers.set("Content-Type", "application/json");
    let response: Response;
    try {
      response = await this.fetcher(path, { ...init, headers });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Problem(0, "unreachable", "The service cannot be reached", "");
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }
  private async get<T>(path: string, game?: string, signal?: AbortSignal): Promise<T> {
    return (await (await this.send(path, { signal }, game)).json()) as T;
  }
  private async post<T>(path: string, body: unknown, game?: string,
                        headers: Record<string, string> = {}): Promise<T> {
    const init = { method: "POST", body: JSON.stringify(body), headers };
    return (await (await this.send(path, init, game)).json()) as T;
  }
  private branchPath(game: string, branch: string): string {
    return `/games/${encodeURIComponent(game)}/branches/${encodeURIComponent(branch)}`;
  }

  systems(): Promise<Systems> {
    return this.get("/systems");
  }
  games(after = "", limit = 50): Promise<{ games: GameSummary[]; next: string | null }> {
    const query = new URLSearchParams({ limit: String(limit) });
    if (after) query.set("after", after);
    return this.get(`/games?${query}`);
  }
  createGame(game: NewGame, key: string): Promise<CreatedGame> {
    return this.post("/games", game, undefined, { "Idempotency-Key": key });
  }
  game(id: string): Promise<GameDetail> {
    return this.get(`/games/${encodeURIComponent(id)}`, id);
  }
  board(id: string): Promise<Board> {
    return this.get(`/games/${encodeURIComponent(id)}/board`, id);
  }
  scenario(id: string): Promise<Scenario> {
    return this.get(`/games/${encodeURIComponent(id)}/scenario`, id);
  }
  async branches(id: string): Promise<Branch[]> {
    const found: Branch[] = [];
    for (let after = ""; ; ) {
      const path = `/games/${encodeURIComponent(id)}/branches${after && `?after=${encodeURIComponent(after)}`}`;
      const page = await this.get<{ branches: Branch[]; next?: string | null }>(path, id);
      found.push(...page.branches);
      if (!page.next || found.length >= BRANCHES_MAX) return found;
      after = page.next;
    }
  }
  fork(id: string, body: { parent: string; at: number; name: string; reason: string; dice: DicePolicy }): Promise<Branch> {
    return this.post(`/games/${encodeURIComponent(id)}/branches`, body, id, { "Idempotency-Key": newKey() });
  }
  events(game: string, branch: string, after: number, limit = 1000): Promise<EventPage> {
    return this.get(`${this.branchPath(game, branch)}/events?after=${after}&limit=${limit}`, game);
  }
  position(game: string, branch: string, at: number, signal?: AbortSignal): Promise<{ version: number; position: PositionJson }> {
    return this.get(`${this.branchPath(game, branch)}/position?at=${at}`, game, signal);
  }
  async supply(game: string, branch: string, at: number, signal?: AbortSignal): Promise<UnitSupply[]> {
    const path = `${this.branchPath(game, branch)}/supply?at=${at}`;
    return (await this.get<{ units: UnitSupply[] }>(path, game, signal)).units;
  }
  async reach(game: string, branch: string, at: number, signal?: AbortSignal): Promise<UnitReach[]> {
    const path = `${this.branchPath(game, branch)}/reach?at=${at}`;
    return (await this.get<{ units: UnitReach[] }>(path, game, signal)).units;
  }
  async why(game: string, branch: string, subject: { unit?: string; space?: string }, at: number, attribute?: string): Promise<DiaryEvent[]> {
    const query = new URLSearchParams({ ...subject, at: String(at), ...(attribute ? { attribute } : {}) });
    return (await this.get<{ chain: DiaryEvent[] }>(`${this.branchPath(game, branch)}/why?${query}`, game)).chain;
  }
  score(game: string, branch: string, at: number, signal?: AbortSignal): Promise<Score> {
    return this.get(`${this.branchPath(game, branch)}/score?at=${at}`, game, signal);
  }
  timeline(game: string, branch: string): Promise<Timeline> {
    return this.get(`${this.branchPath(game, branch)}/timeline`, game);
  }
  // What a side may order: at most `each` orders of every unit, or all of one unit.
  legal(game: string, branch: string, side: string, some: { each: number } | { unit: string }): Promise<{ orders: Order[]; complete: boolean }> {
    const query = new URLSearchParams({ side, ...("unit" in some ? { unit: some.unit } : { each: String(some.each) }) });
    return this.get(`${this.branchPath(game, branch)}/legal?${query}`, game);
  }
  // `dice`: faces chosen on a what-if, or rolled at the table of a scribed game.
  order(game: string, branch: string, order: Order, expectedVersion: number, key: string,
        dice?: number[]): Promise<OrderAccepted | OrderSuspended> {
    return this.post(`${this.branchPath(game, branch)}/orders`, { order, expectedVersion, dice }, game,
      { "Idempotency-Key": key });
  }
  async dice(game: string, branch: string): Promise<DiceAnswer> {
    const path = `${this.branchPath(game, branch)}/dice`;
    const all = await this.get<DiceAnswer>(path, game);
    for (let next = all.next; next; ) {
      const page = await this.get<DiceAnswer>(`${path}?after=${next}`, game);
      all.rolls.push(...page.rolls);
      Object.assign(all, { epoch: page.epoch, epochHash: page.epochHash });
      next = page.next;
    }
    return all;
  }
  diceState(game: string, branch: string): Promise<DiceState> {
    return this.get(`${this.branchPath(game, branch)}/dice/state`, game);
  }
  // A player's signed part in a roll, as the player's module makes it.
  diceAct(game: string, branch: string, what: "join" | "request" | "reveal" | "unlock" | "abandon", body: unknown): Promise<unknown> {
    return this.post(`${this.branchPath(game, branch)}/dice/${what}`, body, game);
  }
  audit(game: string): Promise<AuditReport> {
    return this.get(`/games/${encodeURIComponent(game)}/audit`, game);
  }
  async checkpoint(game: string): Promise<string> {
    return (await this.send(`/games/${encodeURIComponent(game)}/checkpoint`, {}, game)).text();
  }

  async notes(game: string): Promise<Note[]> {
    return (await this.get<{ notes: Note[] }>(`/games/${encodeURIComponent(game)}/notes`, game)).notes;
  }
  addNote(game: string, note: { branch: string; version: number; text: string; seen: NoteReaders }): Promise<unknown> {
    return this.post(`/games/${encodeURIComponent(game)}/notes`, { kind: "note", ...note }, game);
  }
  async dropNote(game: string, number: number): Promise<void> {
    await this.send(`/games/${encodeURIComponent(game)}/notes/${number}`, { method: "DELETE" }, game);
  }
  startSweep(game: string, branch: string, what: { roll: number } | { at: number; through: string; trials: number; seed: number }): Promise<Job<Sweep>> {
    return this.post(`${this.branchPath(game, branch)}/sweep`, what, game);
  }
  job<Result>(game: string, id: string): Promise<Job<Result>> {
    return this.get(`/games/${encodeURIComponent(game)}/jobs/${encodeURIComponent(id)}`, game);
  }
  async cancelJob(game: string, id: string): Promise<void> {
    await this.send(`/games/${encodeURIComponent(game)}/jobs/${encodeURIComponent(id)}`, { method: "DELETE" }, game);
  }
  takeBack(game: string, branch: string): Promise<TakeBackState> {
    return this.get(`${this.branchPath(game, branch)}/takeback`, game);
  }
  proposeTakeBack(game: string, branch: string, to: number, text: string): Promise<unknown> {
    return this.post(`${this.branchPath(game, branch)}/takeback`, { to, text }, game, { "Idempotency-Key": newKey() });
  }
  answerTakeBack(game: string, branch: string, proposal: number, agreed: boolean, text: string): Promise<unknown> {
    return this.post(`${this.branchPath(game, branch)}/takeback/${proposal}`, { agreed, text }, game, { "Idempotency-Key": newKey() });
  }
  async nameSeat(game: string, seat: string, player: string): Promise<void> {
    await this.send(`/games/${encodeURIComponent(game)}/seats/${encodeURIComponent(seat)}`, { method: "PUT", body: JSON.stringify({ player }) }, game);
  }
  // The whole game as one file, which can be verified without this service.
  async bundle(game: string): Promise<Blob> {
    return (await this.send(`/games/${encodeURIComponent(game)}/bundle`, {}, game)).blob();
  }
  async receipt(game: string, branch: string, version: number): Promise<Blob> {
    return (await this.send(`${this.branchPath(game, branch)}/events/${version}/receipt`, {}, game)).blob();
  }

  // Follows a branch: calls `seen` with each new version until stopped. Written on fetch, because
  // EventSource cannot send the seat's token.
  follow(game: string, branch: string, seen: (version: number) => void, lost: () => void): () => void {
    const stop = new AbortController();
    let last = "";
    const run = async () => {
      let wait_ms = 500;
      while (!stop.signal.aborted) {
        try {
          const headers: Record<string, string> = { Accept: "text/event-stream" };
          if (last) headers["Last-Event-ID"] = last;
          const response = await this.send(`${this.branchPath(game, branch)}/stream`,
            { headers, signal: stop.signal }, game);
          if (!response.body) return;
          wait_ms = 500;
          for await (const message of messagesOf(response.body)) {
            if (message.id) last = message.id;
            if (message.event !== "version") continue;
            seen((JSON.parse(message.data) as { version: number }).version);
          }
        } catch (error) {
          if (stop.signal.aborted) return;
          if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429) return;
          lost();
        }
        await new Promise((done) => setTimeout(done, wait_ms));
        wait_ms = Math.min(wait_ms * 2, 15_000);
      }
    };
    void run();
    return () => stop.abort();
  }
}

export interface StreamMessage {
  event: string;
  data: string;
  id: string;
}

// Server-sent events: fields until an empty line make a message.
export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const message: StreamMessage = { event: "message", data: "", id: "" };
        for (const line of block.split(/\r?\n/)) {
          const colon = line.indexOf(":");
          if (colon <= 0) continue;
          const field = line.slice(0, colon);
          const value = line.slice(colon + 1).replace(/^ /, "");
          if (field === "event") message.event = value;
          else if (field === "id") message.id = value;
          else if (field === "data") message.data += (message.data ? "\n" : "") + value;
        }
        if (message.data) yield message;
      }
    }
  } finally {
    reader.releaseLock();
  }
}

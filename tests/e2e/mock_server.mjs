// The service's API over MockGame, with the page from http/web/dist, for developing the page:
//   node tests/e2e/mock_server.mjs [port]
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { MockGame } from "./mock_game.mjs";

const DIST = fileURLToPath(new URL("../../http/web/dist/", import.meta.url));
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
export const POLICY = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; object-src 'none'";

export function mockGames() {
  return [
    new MockGame({ id: "blue", name: "Case Blue, replayed", scenario: "S42", seed: 7, turns: 6 }),
    new MockGame({ id: "edel", name: "Edelweiss, table 2", scenario: "Edelweiss", seed: 3, turns: 1, finished: false }),
  ];
}

export function startMock(games, port = 0) {
  const byId = new Map(games.map((game) => [game.id, game]));
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://local");
    const path = url.pathname.split("/").filter(Boolean).map(decodeURIComponent);
    const answer = (body, status = 200, type = "application/json") => {
      response.writeHead(status, { "Content-Type": type, "Content-Security-Policy": POLICY });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    const problem = (status, code, detail) => answer({ type: `about:${code}`, title: code, status, code, detail }, status, "application/problem+json");
    const withBody = (use) => {
      let text = "";
      request.on("data", (part) => (text += part));
      request.on("end", () => use(JSON.parse(text || "{}")));
    };
    if (path[0] === "systems") {
      return answer({ systems: [{ name: "eastfront", title: "EastFront", rulesVersion: "1", scenarios: [{ id: "S42", title: "Summer 1942: Blue", board: "eastfront" }, { id: "Edelweiss", title: "Edelweiss: to the Caucasus, July 1942", board: "eastfront" }], options: [{ name: "paratroops", choices: ["on", "off"], default: "on", min: 0, max: 0, rule: "14", help: "Soviet paratroops may drop." }] }] });
    }
    if (path[0] !== "games") return serveFile(url.pathname, response);
    if (path.length === 1 && request.method === "POST") {
      return withBody((body) => {
        const game = new MockGame({ id: `new${byId.size}`, name: body.name, scenario: body.scenario, turns: 0, finished: false });
        byId.set(game.id, game);
        answer({ id: game.id, mainline: game.mainline, version: game.version, tokens: { referee: "r-token", seats: { axis: "a-token", soviet: "s-token" } } }, 201);
      });
    }
    if (path.length === 1) return answer({ games: [...byId.values()].map((game) => game.summary()), next: null });
    const game = byId.get(path[1]);
    if (!game) return problem(404, "no_game", `There is no game ${path[1]}.`);
    const at = Number(url.searchParams.get("at") ?? game.version);
    switch (path[2]) {
      case undefined: return answer(game.detail());
      case "board": return answer(game.board);
      case "scenario": return answer(game.scenario);
      case "audit": return answer({ clean: true, at: Date.now(), checks: ["structure", "chain", "continuity", "dice", "decisions"].map((name) => ({ name, examined: game.version, failure: null })) });
      case "checkpoint": return answer("mock.example\n1\nAAAA\n", 200, "text/plain");
      case "notes": return notes(game, path, request, { answer, withBody });
      case "jobs": return answer(game.jobs?.get(path[3]) ?? {});
      case "seats": return withBody((body) => answer({ name: path[3], player: body.player }));
      case "branches": break;
      default: return problem(404, "no_such_thing", "");
    }
    if (path.length === 3 && request.method === "POST") {
      return withBody((body) => {
        const branch = { id: `b${game.branches.length}`, parent: body.parent, forkedAt: body.at, version: body.at, name: body.name, reason: body.reason, policy: body.dice, deleted: false };
        game.branches.push(branch);
        answer(branch, 201);
      });
    }
    if (path.length === 3) return answer({ branches: game.branches });
    const branch = game.branches.find((one) => one.id === path[3]);
    if (!branch) return problem(404, "no_branch", "");
    const events = game.events.slice(0, branch.version);
    switch (path[4]) {
      case "events": {
        const after = Number(url.searchParams.get("after") ?? 0);
        const page = events.slice(after, after + Math.min(1000, Number(url.searchParams.get("limit") ?? 200)));
        return answer({ events: page, next: after + page.length < events.length ? after + page.length : null, version: events.length });
      }
      case "position": return answer(game.positionAt(at));
      case "supply": return answer(game.supplyAt(at));
      case "score": return answer({ terms: Object.entries(game.score()).map(([side, value]) => ({ side, term: "cities", value, rule: "3.3" })), totals: game.score() });
      case "timeline": return answer({ version: branch.version, phases: game.phases.filter((phase) => phase.first <= branch.version) });
      case "reach": return answer({ units: game.reachAt?.(at) ?? [] });
      case "legal": return answer(game.legal(url.searchParams.get("side")));
      case "orders": return withBody((body) => {
        if (body.expectedVersion !== branch.version) return problem(409, "version_conflict", "Somebody else was faster.");
        answer(game.give(body.order));
      });
      case "dice": return answer({ rolls: events.filter((event) => event.type === "DiceRolled"), epoch: null });
      case "sweep": return withBody((body) => answer(sweep(game, body), 202));
      case "takeback": return answer({ proposal: null, undo: branch.version - 1 });
      case "stream":
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        response.write(`id: ${branch.version}\nevent: version\ndata: {"version":${branch.version}}\n\n`);
        return undefined;
      default: return problem(404, "no_such_thing", "");
    }
  });
  return new Promise((ready) => server.listen(port, "127.0.0.1", () => ready({ server, url: `http://127.0.0.1:${server.address().port}` })));
}

function notes(game, path, request, { answer, withBody }) {
  game.notes ??= [];
  if (request.method === "POST") {
    return withBody((body) => {
      game.notes.push({ number: game.notes.length + 1, author: "referee", at: Date.now(), mine: true, ...body });
      answer(game.notes.at(-1), 201);
    });
  }
  if (request.method === "DELETE") game.notes = game.notes.filter((note) => note.number !== Number(path[3]));
  return answer({ notes: game.notes, next: null });
}

// A binomial, whatever is asked.
function sweep(game, body) {
  const ways = [1, 6, 15, 20, 15, 6, 1];
  const measure = (side, real) => ({
    measure: "losses", side, real, mean: 3, deviation: 1.2, less: 0.34, equal: 0.31, more: 0.34,
    distribution: ways.map((n, value) => ({ value, ways: n, probability: n / 64 })),
  });
  const result = {
    kind: body.roll ? "roll" : "replay", first: body.at ?? body.roll, last: (body.at ?? body.roll) + 9, orders: 1, complete: true, trials: body.trials, departed: 0, unfinished: 0,
    measures: [measure("axis", 4), measure("soviet", 1)], ...(body.roll ? { outcomes: ways.map((n, hits) => ({ faces: [], ways: n, probability: n / 64, values: [], hits, real: hits === 2 })) } : {}),
  };
  game.jobs ??= new Map();
  const job = { id: `j${game.jobs.size}`, state: "done", done: 100, total: 100, result };
  game.jobs.set(job.id, job);
  return { ...job, state: "running", done: 0, result: undefined };
}

function serveFile(path, response) {
  const file = join(DIST, normalize(path === "/" ? "/index.html" : path));
  if (!file.startsWith(DIST) || !existsSync(file)) {
    response.writeHead(404);
    return response.end();
  }
  response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Security-Policy": POLICY });
  return createReadStream(file).pipe(response);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startMock(mockGames(), Number(process.argv[2] ?? 8099));
  console.log(`The page with made-up games: ${url}`);
}

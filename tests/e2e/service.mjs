// A service of its own for each test file: demo games in a directory that is thrown away, on a free
// loopback port. The program is WARDIARY_BIN.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = process.env.WARDIARY_BIN ?? fileURLToPath(new URL("../../build/release/wardiary", import.meta.url));
const PAGE = fileURLToPath(new URL("../../http/web/dist", import.meta.url));
const START_MS = 60_000;

export async function startService() {
  const directory = mkdtempSync(join(tmpdir(), "wardiary-e2e-"));
  const data = join(directory, "diary");
  const demo = spawnSync(PROGRAM, ["demo", "--data", data], { encoding: "utf8" });
  if (demo.status !== 0) throw new Error(`${PROGRAM} demo failed: ${demo.error ?? demo.stderr}`);
  const child = spawn(PROGRAM, ["serve", "--data", data, "--listen", "127.0.0.1:0", "--web", PAGE, "--quiet"], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (part) => (errors += part));
  const url = await new Promise((ready, failed) => {
    const late = setTimeout(() => failed(new Error(`the service did not start: ${errors}`)), START_MS);
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
      const found = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text);
      if (!found) return;
      clearTimeout(late);
      ready(found[1]);
    });
    child.on("exit", (code) => failed(new Error(`the service ended with ${code}: ${errors}`)));
  });
  return {
    url,
    async stop() {
      const gone = new Promise((done) => child.on("exit", done));
      child.kill("SIGTERM");
      await gone;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function ask(url, path, { token, body } = {}) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(url + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

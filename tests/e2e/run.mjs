// Runs every *_test.mjs of this folder: node tests/e2e/run.mjs
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder).filter((name) => name.endsWith("_test.mjs") && (!wanted.length || wanted.some((part) => name.includes(part))));
const { status } = spawnSync(process.execPath, ["--test", ...files.map((name) => folder + name)], { stdio: "inherit" });
process.exit(status ?? 1);

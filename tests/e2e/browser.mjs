// Debian's Chromium under playwright-core. The page's own packages hold playwright-core.
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const fromPage = createRequire(new URL("../../http/web/package.json", import.meta.url));
const { chromium } = fromPage("playwright-core");
export const axeSource = fromPage.resolve("axe-core/axe.min.js");

const PROGRAMS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const RESULTS = fileURLToPath(new URL("../../test-results/", import.meta.url));

export function launch() {
  const program = PROGRAMS.find((path) => path && existsSync(path));
  if (!program) throw new Error("no Chromium found: install the package chromium, or set CHROMIUM to its path");
  return chromium.launch({ executablePath: program, headless: true, args: FLAGS });
}

// A page that fails the test on any script error, broken policy or request to elsewhere.
export async function openPage(browser, origin, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`script error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) faults.push(`request to elsewhere: ${request.url()}`);
  });
  return { page, context, faults };
}

export async function picture(page, name) {
  mkdirSync(RESULTS, { recursive: true });
  await page.screenshot({ path: `${RESULTS}${name}.png` });
}

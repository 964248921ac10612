// The review of a finished game from one end to the other: Edelweiss as the rulebook plays it, which
// every fresh diary has among its demo games.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { launch, openPage, picture } from "./browser.mjs";
import { ask, startService } from "./service.mjs";

let service;
let browser;
let opened;
let base;
let game;
before(async () => {
  service = await startService();
  browser = await launch();
  const { games } = await ask(service.url, "/games");
  game = games.find((one) => one.scenario === "Edelweiss");
  base = `/games/${game.id}/branches/${game.mainline}`;
  opened = await openPage(browser, service.url);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

async function settledAt(at) {
  await opened.page.waitForFunction((n) => document.querySelector('[role="slider"]')?.getAttribute("aria-valuenow") === String(n), at);
}
const shownUnits = () => opened.page.$$eval("[data-unit]", (list) => Object.fromEntries(list.map((one) => [one.dataset.unit, one.dataset.at])));

it("is found in the list and opens at its end", async () => {
  const { page } = opened;
  await page.goto(`${service.url}/`);
  const card = page.getByRole("link", { name: /Edelweiss/ });
  await card.waitFor();
  assert.match(await card.innerText(), /Axis[\s\S]*Soviet[\s\S]*events/, "sides and length are told");
  await picture(page, "review-list");
  await page.getByRole("searchbox").fill("rulebook");
  await card.click();
  await page.waitForSelector("[data-unit]");
  await settledAt(game.version);
});

it("shows at the beginning of every phase what the service says", async () => {
  const { page } = opened;
  const { phases } = await ask(service.url, `${base}/timeline`);
  assert.ok(phases.length > 20, "a whole game");
  const choice = page.getByLabel("Go to turn and phase");
  for (const { first } of phases) {
    await choice.selectOption(String(first));
    await settledAt(first);
    const { position } = await ask(service.url, `${base}/position?at=${first}`);
    const told = Object.fromEntries(position.units.filter((unit) => unit.at).map((unit) => [unit.id, unit.at]));
    assert.deepEqual(await shownUnits(), told, `at event ${first}`);
  }
});

it("plays, pauses and goes back by keys", async () => {
  const { page } = opened;
  await page.keyboard.press("Home");
  await settledAt(1);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => Number(document.querySelector('[role="slider"]').getAttribute("aria-valuenow")) > 4);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.keyboard.press("PageDown");
  const turn = await page.getByTestId("clock").innerText();
  assert.match(turn, /1942 Jul II/);
});

it("shows control, supply, command, moves and battles on the map", async () => {
  const { page } = opened;
  const overlays = page.getByLabel("Show on the map");
  const { phases } = await ask(service.url, `${base}/timeline`);
  const combat = phases.find((phase) => phase.phase === "combat" && phase.battles?.length);
  await page.getByLabel("Go to event").fill(String(combat.first));
  await page.keyboard.press("Enter");
  await settledAt(combat.first);
  await overlays.getByRole("button", { name: "Supply" }).click();
  await page.locator(".supply").first().waitFor({ state: "attached" });
  await overlays.getByRole("button", { name: "Command" }).click();
  await page.locator("[data-reach]").first().waitFor({ state: "attached" });
  assert.ok(await page.locator("[data-battle]").count(), "battles are ringed");
  assert.ok(await page.locator('[data-held="axis"]').count(), "control is coloured");
  await picture(page, "review-overlays");
  await overlays.getByRole("button", { name: "Supply" }).click();
  await overlays.getByRole("button", { name: "Command" }).click();
  const movement = phases.find((phase) => phase.phase === "movement" && phase.orders > 3);
  await page.getByLabel("Go to event").fill(String(movement.last));
  await page.keyboard.press("Enter");
  await settledAt(movement.last);
  assert.ok(await page.locator("[data-move]").count(), "moves of the phase are arrows");
});

it("tells a unit's history, where it is supplied from and why it stands there", async () => {
  const { page } = opened;
  await page.getByRole("button", { name: "To the latest event", exact: true }).click();
  await settledAt(game.version);
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("searchbox", { name: "Find a place or unit" }).fill("Rostov");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /Rostov/ }).waitFor();
  assert.ok(await page.locator(".history li").count(), "its history");
  await page.getByRole("button", { name: /^Why: Who holds it/ }).click();
  await page.locator("ol li button", { hasText: /Rostov|control/ }).first().waitFor();
  await picture(page, "review-details");
});

it("goes where a chart is clicked, and the log tells it in two languages", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Charts" }).click();
  // The charts are drawn anew once score and supply have been read.
  await page.locator(".charts progress").waitFor({ state: "detached", timeout: 60_000 });
  await page.locator(".u-over").first().click({ position: { x: 120, y: 60 } });
  await page.waitForFunction((n) => Number(document.querySelector('[role="slider"]').getAttribute("aria-valuenow")) < n, game.version);
  await picture(page, "review-charts");
  await page.getByRole("tab", { name: "Log" }).click();
  await page.getByRole("searchbox", { name: "Search the log" }).fill("activate");
  await page.locator("li[data-kind]", { hasText: /activate Army Group/ }).first().waitFor();
  await page.getByLabel("Language").selectOption("es");
  await page.getByRole("searchbox").fill("activar");
  await page.locator("li[data-kind]", { hasText: /activar/ }).first().waitFor();
  await page.getByLabel("Idioma").selectOption("en");
});

it("says honestly that dice of a table have no proof", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Dice" }).click();
  await page.getByText("These dice were rolled at a table").waitFor();
  await picture(page, "review-dice");
  assert.deepEqual(opened.faults, []);
});

it("asks how likely a battle was, and marks what really happened", async () => {
  const { page } = opened;
  const { rolls } = await ask(service.url, `${base}/dice`);
  await page.getByLabel("Go to event").fill(String(rolls[3].version));
  await page.keyboard.press("Enter");
  await settledAt(rolls[3].version);
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByLabel("How often").selectOption({ index: 0 });
  await page.getByRole("button", { name: "Play it again" }).click();
  await page.locator("[data-real]").first().waitFor({ timeout: 120_000 });
  await page.getByTestId("sweep").scrollIntoViewIfNeeded();
  await picture(page, "sweep");
  assert.deepEqual(opened.faults, []);
});

it("takes the game home as one file, and verifies that file in the browser", async () => {
  const { page } = opened;
  await page.getByRole("tab", { name: "Audit" }).click();
  await page.getByText("Everything checks out").waitFor({ timeout: 120_000 });
  const receiving = page.waitForEvent("download");
  await page.getByRole("button", { name: /Download the receipt/ }).click();
  assert.match((await receiving).suggestedFilename(), /\.tlog-proof$/);
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the game's file" }).click();
  const file = await (await waiting).path();
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText("This browser has verified the file").waitFor({ timeout: 120_000 });
  await picture(page, "review-bundle");
  assert.deepEqual(opened.faults, []);
});

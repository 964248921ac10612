// A turn played by two seats in two browsers, through the page alone; and nothing that is hidden from a
// seat is in any answer its browser gets.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { launch, openPage, picture } from "./browser.mjs";
import { ask, startService } from "./service.mjs";

const SIDES = ["axis", "soviet"];
const ORDERS_MAX = 90;

let service;
let browser;
before(async () => {
  service = await startService();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

// Every unit that an answer names, wherever in it.
function unitsNamed(value, units, found = new Set()) {
  if (Array.isArray(value)) for (const item of value) unitsNamed(item, units, found);
  else if (value && typeof value === "object") {
    for (const [key, part] of Object.entries(value)) {
      if (["unit", "id", "hq", "defector"].includes(key) && units.has(part)) found.add(part);
      if (key === "units" && Array.isArray(part)) for (const item of part) if (units.has(item)) found.add(item);
      unitsNamed(part, units, found);
    }
  }
  return found;
}

// A browser in a seat, that remembers which units the service named to it.
async function takeSeat(link, side, units) {
  const opened = await openPage(browser, service.url);
  const named = new Map();
  opened.page.on("response", async (response) => {
    const path = new URL(response.url()).pathname;
    // The roster, the board and what the scenario prints are known to everybody.
    if (!/\/games\/[0-9a-f]+\/branches\/./.test(path) || path.endsWith("/stream")) return;
    const body = await response.json().catch(() => null);
    for (const unit of unitsNamed(body, units)) if (!named.has(unit)) named.set(unit, path);
  });
  await opened.page.goto(link);
  await opened.page.waitForSelector("[data-unit]");
  await opened.page.getByRole("tab", { name: /Orders/ }).click();
  return { ...opened, named, side };
}

// Gives one order through the page: something new where there is a choice, so that units are activated,
// move and fight, and otherwise what ends the step.
async function giveOne(seat, version, given) {
  const { page } = seat;
  await page.waitForSelector(`.orders[data-at="${version}"]`);
  const all = page.getByRole("button", { name: "Show all", exact: true });
  if (await all.isVisible()) await all.click();
  const groups = page.locator(".orders details");
  await groups.first().waitFor();
  await groups.evaluateAll((list) => list.forEach((one) => (one.open = true)));
  const buttons = page.locator(".orders details ul button");
  const texts = await buttons.allInnerTexts();
  const kindOf = (text) => /^(activate|move|supreme|start the battle|fight|fire|take the hit|fall back|add a step)/.exec(text)?.[1];
  let index = texts.findIndex((text) => kindOf(text) && (given.get(kindOf(text)) ?? 0) < (/fire|hit|fall|fight/.test(kindOf(text)) ? 99 : 2));
  if (index < 0) index = texts.findIndex((text) => /^(end|finish|pass|fire|fight|take|fall)/.test(text));
  if (index < 0) index = 0;
  const kind = kindOf(texts[index]) ?? texts[index];
  given.set(kind, (given.get(kind) ?? 0) + 1);
  await buttons.nth(index).click();
  await page.getByRole("button", { name: "Give this order" }).click();
  await page.getByRole("group", { name: "Order to give" }).waitFor({ state: "detached" });
  assert.deepEqual(await page.getByRole("alert").allInnerTexts(), [], texts[index]);
}

it("two seats play a turn in two browsers, and see no more than they may", async () => {
  const host = await openPage(browser, service.url);
  await host.page.goto(`${service.url}/`);
  await host.page.getByRole("button", { name: "New game" }).first().click();
  await host.page.getByLabel("Name", { exact: true }).fill("Two browsers");
  await host.page.getByRole("combobox", { name: /^Rule system/ }).selectOption("eastfront");
  await host.page.getByRole("combobox", { name: /^Scenario/ }).selectOption("Edelweiss");
  await host.page.getByRole("button", { name: "Create game" }).click();
  const links = {};
  for (const [side, name] of [["axis", "Axis"], ["soviet", "Soviet"]]) {
    links[side] = await host.page.getByRole("textbox", { name, exact: true }).inputValue();
  }
  await picture(host.page, "invitations");
  const id = /join\/([0-9a-f]+)/.exec(links.axis)[1];
  const referee = await host.page.evaluate((game) => JSON.parse(localStorage.getItem(`wardiary.tickets.${game}`)).find((one) => one.label === "referee").token, id);

  const roster = await ask(service.url, `/games/${id}`, { token: referee });
  const sideOf = new Map(roster.units.map((unit) => [unit.id, unit.side]));
  const base = `/games/${id}/branches/${roster.mainline}`;
  const seats = {};
  for (const side of SIDES) seats[side] = await takeSeat(links[side], side, new Set(sideOf.keys()));

  const given = { axis: new Map(), soviet: new Map() };
  let orders = 0;
  for (; orders < ORDERS_MAX; ++orders) {
    const { position, version } = await ask(service.url, `${base}/position`, { token: referee });
    if (position.over || position.clock.turn > 1) break;
    const side = Object.keys(position.pending)[0];
    // The other browser follows by itself.
    for (const one of Object.values(seats)) {
      await one.page.waitForFunction((n) => document.querySelector('[role="slider"]')?.getAttribute("aria-valuenow") === String(n), version);
    }
    await giveOne(seats[side], version, given[side]);
    if (orders === 6) for (const one of SIDES) await picture(seats[one].page, `seat-${one}`);
  }
  const { position } = await ask(service.url, `${base}/position`, { token: referee });
  assert.ok(position.over || position.clock.turn > 1, `a whole turn was played (${orders} orders, now ${position.clock.turnName} ${position.clock.phase})`);
  for (const kind of ["activate", "move", "start the battle", "fire"]) assert.ok(SIDES.some((side) => given[side].has(kind)), `somebody has to ${kind}`);
  console.log(`two seats played a turn with ${orders} orders: ${SIDES.map((side) => `${side} ${[...given[side]].map(([kind, count]) => `${kind} ${count}`).join(", ")}`).join("; ")}`);

  // What was shown to a side by the rules: units that were revealed, or that fought or were lost openly.
  const events = [];
  for (let after = 0; ; ) {
    const page = await ask(service.url, `${base}/events?after=${after}&limit=1000`, { token: referee });
    events.push(...page.events);
    if (!page.next) break;
    after = page.next;
  }
  for (const { side, named, page, faults } of Object.values(seats)) {
    const shown = new Set();
    for (const event of events) {
      if (event.type === "Revealed" && event.to.includes(side)) shown.add(event.unit);
      if (event.type === "UnitRemoved" || event.type === "DiceRolled") shown.add(event.unit);
      if (event.type === "UnitChanged" && event.attribute === "shown" && event.to) shown.add(event.unit);
    }
    const leaked = [...named].filter(([unit]) => sideOf.get(unit) !== side && !shown.has(unit));
    assert.deepEqual(leaked, [], `the browser of ${side} was told of hidden units`);
    assert.ok([...named.keys()].some((unit) => sideOf.get(unit) === side), "its own units are known");
    const drawn = await page.$$eval("[data-unit]", (list) => list.map((one) => one.dataset.unit));
    assert.ok(drawn.some((unit) => unit.startsWith("?")), "enemy blocks are drawn as blocks");
    assert.deepEqual(faults, []);
    await picture(page, `turn-${side}`);
  }
});

// The page in a real browser against the real service.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { axeSource, launch, openPage, picture } from "./browser.mjs";
import { createGame, playOn } from "./players.mjs";
import { ask, startService } from "./service.mjs";

let service;
let browser;
let game; // played to some point through the API, still running
let finished; // played to its end
let version;

before(async () => {
  service = await startService();
  browser = await launch();
  game = await createGame(service.url, { name: "Edelweiss, table 2", scenario: "Edelweiss" });
  version = await playOn(service.url, game, { seed: 5, until: (_, position) => position.clock.turn === 2 });
  finished = await createGame(service.url, { name: "Edelweiss, table 1", scenario: "Edelweiss" });
  finished.version = await playOn(service.url, finished, { seed: 6, most: 2000 });
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

async function visit(hash, { token = game.tokens.referee, options } = {}) {
  const opened = await openPage(browser, service.url, options);
  if (token) {
    await opened.page.goto(`${service.url}/#/join/${game.id}/${token}/seat`);
    await opened.page.waitForSelector("[data-unit]");
  }
  await opened.page.goto(service.url + hash);
  return opened;
}
const gameHash = (at, tab, query = "") => `/#/game/${game.id}/${game.mainline}/${at}/${tab}${query}`;

async function settledAt(page, at) {
  await page.waitForFunction((n) => document.querySelector('[role="slider"]')?.getAttribute("aria-valuenow") === String(n), at);
}
// Where the page shows each unit.
function shownUnits(page) {
  return page.$$eval("[data-unit]", (list) => Object.fromEntries(list.map((one) => [one.dataset.unit, one.dataset.at])));
}
async function toldUnits(at, token = game.tokens.referee) {
  const { position } = await ask(service.url, `${game.base}/position?at=${at}`, { token });
  return Object.fromEntries(position.units.filter((unit) => unit.at).map((unit) => [unit.id, unit.at]));
}

describe("the list of games", () => {
  it("shows the games, searches them and opens one", async () => {
    const { page, faults } = await visit("/", { token: null });
    await page.getByRole("link", { name: /Edelweiss, table 2/ }).waitFor();
    await picture(page, "games");
    await page.getByRole("searchbox").fill("no such game");
    await page.getByText("No game matches").waitFor();
    await page.getByRole("searchbox").fill("table 2");
    await page.getByRole("link", { name: /Edelweiss, table 2/ }).click();
    await page.waitForSelector("[data-unit]");
    assert.deepEqual(faults, []);
  });

  it("makes a new game with invitation links", async () => {
    const { page, faults } = await visit("/", { token: null });
    await page.getByRole("button", { name: "New game" }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Club night");
    await page.getByRole("combobox", { name: /^Rule system/ }).selectOption("eastfront");
    await page.getByRole("combobox", { name: /^Scenario/ }).selectOption("Edelweiss");
    await page.getByRole("button", { name: "Create game" }).click();
    const link = await page.getByRole("textbox", { name: "Axis", exact: true }).inputValue();
    assert.match(link, /#\/join\/[0-9a-f]+\/wd_/);
    const guest = await openPage(browser, service.url);
    await guest.page.goto(link);
    await guest.page.waitForSelector("[data-unit]");
    assert.doesNotMatch(guest.page.url(), /wd_/, "the token leaves the address");
    await guest.page.getByRole("tab", { name: /Orders/ }).waitFor();
    assert.deepEqual([...faults, ...guest.faults], []);
  });

  it("says what to do when there is no such game", async () => {
    const { page } = await visit(`/#/game/${"0".repeat(32)}`, { token: null });
    await page.getByRole("alert").waitFor();
    await page.getByRole("link", { name: "Back to the games" }).click();
    await page.getByRole("heading", { name: "Games" }).waitFor();
  });
});

describe("reviewing", () => {
  it("shows at every event what the service says", async () => {
    const { page, faults } = await visit(gameHash("live", "log"));
    await page.waitForSelector("[data-unit]");
    await settledAt(page, version);
    await picture(page, "review");
    const jump = page.getByLabel("Go to event");
    for (const at of [1, 40, version, Math.floor(version / 2), 90, Math.floor(version / 3)]) {
      await jump.fill(String(at));
      await jump.press("Enter");
      await settledAt(page, at);
      assert.deepEqual(await shownUnits(page), await toldUnits(at), `at event ${at}`);
    }
    assert.deepEqual(faults, []);
  });

  it("steps by keys, and the address survives a reload", async () => {
    const { page, faults } = await visit(gameHash(100, "charts"));
    await settledAt(page, 100);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await settledAt(page, 101);
    await page.waitForFunction(() => location.hash.includes("/101/charts"));
    await page.reload();
    await page.waitForSelector("[data-unit]");
    await settledAt(page, 101);
    assert.equal(await page.getByRole("tab", { name: "Charts" }).getAttribute("aria-selected"), "true");
    await page.locator(".u-over").first().waitFor();
    await page.keyboard.press("Home");
    await settledAt(page, 1);
    assert.deepEqual(faults, []);
  });

  it("goes where the log is clicked, and filters", async () => {
    const { page, faults } = await visit(gameHash(1, "log"));
    await page.waitForSelector("li[data-kind]");
    await page.getByRole("searchbox", { name: "Search the log" }).fill("Panzer");
    const row = page.locator("li[data-kind] button").nth(3);
    const number = await row.locator(".number").innerText();
    await row.click();
    await settledAt(page, Number(number));
    for (const text of await page.locator("li[data-kind] .text").allInnerTexts()) assert.match(text, /Panzer/i);
    assert.deepEqual(faults, []);
  });

  it("finds a unit, its supply and its history", async () => {
    const { page, faults } = await visit(gameHash("live", "details"));
    await page.waitForSelector("[data-unit]");
    await page.getByRole("searchbox", { name: "Find a place or unit" }).fill("Rostov");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Rostov/ }).waitFor();
    await page.waitForFunction(() => location.hash.includes("focus=s"));
    await picture(page, "details");
    assert.deepEqual(faults, []);
  });

  // Work per step, not time: how many nodes of the page one step of the scrubber touches. A whole
  // redraw of the map alone would be several hundred.
  it("touches few nodes at each step of the scrubber", async () => {
    const { page } = await visit(gameHash("live", "details"));
    await settledAt(page, version);
    const { most, milliseconds } = await page.evaluate(async (steps) => {
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      const watch = new MutationObserver(() => {});
      watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      const counts = [];
      const times = [];
      for (let i = 0; i < steps; ++i) {
        const from = performance.now();
        press("ArrowLeft");
        await Promise.resolve();
        document.body.getBoundingClientRect();
        times.push(performance.now() - from);
        counts.push(watch.takeRecords().length);
        await new Promise((next) => requestAnimationFrame(next));
      }
      times.sort((a, b) => a - b);
      counts.sort((a, b) => a - b);
      return { most: counts[Math.floor(counts.length * 0.9)], milliseconds: times[Math.floor(times.length / 2)] };
    }, 60);
    console.log(`a step of the scrubber: ${most} changes (90 %), ${milliseconds.toFixed(1)} ms of script and layout (median)`);
    assert.ok(most < 120, `a step changes ${most} nodes`);
  });

  it("keeps bookmarks, also over a reload", async () => {
    const { page, faults } = await visit(gameHash(100, "log"));
    await settledAt(page, 100);
    await page.getByRole("button", { name: "Bookmark this event" }).click();
    await page.reload();
    await page.locator('[data-bookmark="100"]').waitFor();
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Next bookmark" }).click();
    await settledAt(page, 100);
    assert.deepEqual(faults, []);
  });
});

describe("the dice", () => {
  it("are proved by the browser itself", async () => {
    const { page, faults } = await openPage(browser, service.url);
    await page.goto(`${service.url}/#/game/${finished.id}/${finished.mainline}/live/dice`);
    await page.getByText(/All [\d,]+ rolls proved/).waitFor({ timeout: 120_000 });
    await picture(page, "dice");
    assert.deepEqual(faults, []);
  });

  it("are called wrong when a face was changed on the way", async () => {
    const opened = await openPage(browser, service.url);
    await opened.page.route("**/dice", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.rolls[0].values[0] = (body.rolls[0].values[0] % 6) + 1;
      await route.fulfill({ response, json: body });
    });
    await opened.page.goto(`${service.url}/#/game/${finished.id}/${finished.mainline}/live/dice`);
    await opened.page.getByText("1 rolls do not check out").waitFor({ timeout: 120_000 });
  });
});

describe("a dispute", () => {
  it("goes from the badge to the report, the checkpoint and the roll", async () => {
    const { page, faults } = await openPage(browser, service.url);
    await page.goto(`${service.url}/#/game/${finished.id}`);
    await page.waitForSelector("[data-unit]");
    await settledAt(page, finished.version);
    await page.getByRole("button", { name: "Audit", exact: true }).click();
    await page.getByText("Everything checks out").waitFor({ timeout: 60_000 });
    await page.locator("td", { hasText: "Orders decided again" }).waitFor();
    await page.getByRole("button", { name: "Show the checkpoint" }).click();
    await page.locator("pre").waitFor();
    await picture(page, "audit");
    await page.getByRole("tab", { name: "Dice" }).click();
    const roll = page.locator(".dice li").first();
    const number = await roll.getByRole("button").first().innerText();
    await roll.getByRole("button", { name: "Dossier" }).click();
    const sheet = page.getByRole("dialog", { name: new RegExp(`Dossier of the roll at event ${number}`) });
    await sheet.getByText("This browser has verified the roll from end to end").waitFor();
    assert.equal(await sheet.locator(".steps .bad").count(), 0);
    assert.ok((await sheet.locator(".steps li").count()) >= 4, "the proof is shown step by step");
    await picture(page, "dossier");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".scrubber").isVisible(), false, "only the sheet is printed");
    await picture(page, "dossier-print");
    await page.emulateMedia({ media: null });
    await sheet.getByRole("button", { name: "Go to this roll" }).click();
    await settledAt(page, Number(number));
    assert.deepEqual(faults, []);
  });
});

describe("a game in one file", () => {
  it("is verified by the browser alone, and a changed byte is found", async () => {
    const file = readFileSync(new URL("../golden/bundles/edelweiss.wardiary", import.meta.url));
    const { page, faults } = await openPage(browser, service.url);
    await page.goto(`${service.url}/#/game/${finished.id}/${finished.mainline}/live/audit`);
    const input = page.locator('input[type="file"]');
    await input.setInputFiles({ name: "game.wardiary", mimeType: "application/octet-stream", buffer: file });
    await page.getByText("This browser has verified the file").waitFor({ timeout: 60_000 });
    await picture(page, "bundle");
    const changed = Buffer.from(file);
    changed[Math.floor(changed.length * 0.8)] ^= 1;
    await input.setInputFiles({ name: "changed.wardiary", mimeType: "application/octet-stream", buffer: changed });
    await page.getByText(/Something in the file does not check out|cannot be read/).waitFor({ timeout: 60_000 });
    assert.deepEqual(faults, []);
  });
});

describe("what if", () => {
  it("forks, orders on the map and compares", async () => {
    const { page, faults } = await visit(gameHash("live", "branches"));
    await page.waitForSelector("[data-unit]");
    await page.getByLabel("Name", { exact: true }).fill("What if they had waited");
    await page.getByRole("button", { name: "Fork here" }).click();
    await page.getByText("What if: What if they had waited").waitFor();
    const order = page.locator(".orders details ul button").first();
    await order.click();
    await page.getByRole("button", { name: "Give this order" }).click();
    await page.getByRole("group", { name: "Order to give" }).waitFor({ state: "detached" });
    assert.deepEqual(await page.getByRole("alert").allInnerTexts(), []);
    await page.getByRole("tab", { name: "What if" }).click();
    await page.getByLabel(/^Compare with/).selectOption({ index: 1 });
    await page.getByText(/\d+ differences?/).waitFor();
    await page.getByRole("button", { name: "With its end" }).click();
    assert.equal(await page.locator(".map").count(), 2, "both lines are on the map");
    await picture(page, "what-if");
    const mainline = await ask(service.url, `${game.base}/position`, { token: game.tokens.referee });
    assert.equal(mainline.version, version, "the game itself has not changed");
    assert.deepEqual(faults, []);
  });
});

describe("ordering on the map", () => {
  it("clicks a unit, sees where it may go and clicks there", async () => {
    const played = await createGame(service.url, { name: "On the map", scenario: "Edelweiss" });
    await playOn(service.url, played, { seed: 4, until: (orders) => orders.some((order) => order.type === "MoveUnit") });
    const token = played.tokens.referee;
    const { position } = await ask(service.url, `${played.base}/position`, { token });
    const [side] = Object.keys(position.pending);
    const { orders } = await ask(service.url, `${played.base}/legal?side=${side}`, { token });
    const { page, faults } = await openPage(browser, service.url);
    await page.goto(`${service.url}/#/join/${played.id}/${token}/referee`);
    const move = orders.find((order) => order.type === "MoveUnit");
    const to = move.path[move.path.length - 1];
    const counter = page.locator(`[data-unit="${move.unit}"]`);
    await counter.waitFor();
    await page.getByLabel("Show on the map").getByRole("button", { name: "Moves" }).click();
    await middle(page, counter);
    await page.locator(`[data-target="${to}"]`).waitFor();
    await picture(page, "orders");
    await middle(page, page.locator(`[data-target="${to}"]`));
    await page.getByRole("button", { name: "Give this order" }).click();
    await page.getByRole("group", { name: "Order to give" }).waitFor({ state: "detached" });
    await page.locator(`[data-unit="${move.unit}"][data-at="${to}"]`).first().waitFor();
    assert.deepEqual(await page.getByRole("alert").allInnerTexts(), []);
    assert.deepEqual(faults, []);
  });
});
async function middle(page, locator) {
  await page.waitForTimeout(400);
  const box = await locator.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

describe("a finished game", () => {
  it("is open to everybody, and anybody may ask what if", async () => {
    const { page, faults } = await openPage(browser, service.url);
    await page.goto(`${service.url}/#/game/${finished.id}`);
    await page.waitForSelector("[data-unit]");
    await settledAt(page, finished.version);
    assert.deepEqual(Object.keys(await shownUnits(page)).filter((id) => id.startsWith("?")), []);
    const middle = Math.floor(finished.version / 2);
    await page.getByLabel("Go to event").fill(String(middle));
    await page.keyboard.press("Enter");
    await settledAt(page, middle);
    await page.getByRole("tab", { name: "What if" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Played again from the middle");
    await page.getByRole("button", { name: "Fork here" }).click();
    await page.getByText("What if: Played again from the middle").waitFor();
    await page.locator(".orders details ul button").first().click();
    await page.getByRole("button", { name: "Give this order" }).click();
    await page.getByRole("group", { name: "Order to give" }).waitFor({ state: "detached" });
    assert.deepEqual(faults, []);
  });
});

describe("two seats", () => {
  it("see their own units, and only blocks of the enemy, also in the network answers", async () => {
    const roster = await ask(service.url, `/games/${game.id}`, { token: game.tokens.referee });
    const { position } = await ask(service.url, `${game.base}/position`, { token: game.tokens.referee });
    assert.equal(position.over, false);
    for (const [seat, enemy] of [["axis", "soviet"], ["soviet", "axis"]]) {
      const hidden = new Set(position.units.filter((unit) => unit.at && unit.side === enemy && unit.shown !== true).map((unit) => unit.id));
      const opened = await openPage(browser, service.url);
      const leaks = [];
      opened.page.on("response", async (response) => {
        if (!/\/position/.test(response.url())) return;
        const body = await response.json();
        for (const unit of body.position.units) if (hidden.has(unit.id)) leaks.push(unit.id);
      });
      await opened.page.goto(`${service.url}/#/join/${game.id}/${game.tokens.seats[seat]}/${seat}`);
      await opened.page.waitForSelector("[data-unit]");
      await settledAt(opened.page, version);
      await opened.page.waitForTimeout(600);
      const shown = Object.keys(await shownUnits(opened.page));
      assert.ok(shown.some((id) => id.startsWith(`?${enemy}`)), `enemy blocks are shown as blocks: ${shown}`);
      assert.ok(roster.units.some((unit) => unit.side === seat && shown.includes(unit.id)), "own units are known");
      assert.deepEqual(shown.filter((id) => hidden.has(id)), []);
      assert.deepEqual(leaks, []);
      assert.deepEqual(opened.faults, []);
      await picture(opened.page, `seat-${seat}`);
    }
  });

  it("follow each other live", async () => {
    const { page, faults } = await visit(gameHash("live", "log"));
    await settledAt(page, version);
    version = await playOn(service.url, { ...game, version }, { seed: 9, most: 1 });
    await settledAt(page, version);
    assert.deepEqual(faults, []);
  });
});

describe("for everybody", () => {
  it("speaks Spanish, and remembers it", async () => {
    const { page, faults } = await visit(gameHash(100, "log"));
    await page.getByLabel("Language").selectOption("es");
    await page.getByRole("tab", { name: "Registro" }).waitFor();
    await page.reload();
    await page.getByRole("tab", { name: "Registro" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "es");
    await picture(page, "spanish");
    assert.deepEqual(faults, []);
  });

  it("fits a phone", async () => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
    const { page, faults } = await visit(gameHash(100, "log"), { options });
    await page.waitForSelector("li[data-kind]");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} px too wide`);
    await picture(page, "phone");
    assert.deepEqual(faults, []);
  });

  for (const scheme of ["light", "dark"]) {
    it(`has no serious accessibility fault (${scheme})`, async () => {
      const { page } = await visit(gameHash(100, "log"), { options: { colorScheme: scheme } });
      await page.waitForSelector("li[data-kind]");
      const context = await page.context().newCDPSession(page);
      await context.send("Page.setBypassCSP", { enabled: true });
      await page.reload();
      for (const tab of ["Log", "Details", "Charts", "Dice", "What if", "Orders", "Audit"]) {
        await page.getByRole("tab", { name: new RegExp(tab) }).click();
        await page.waitForTimeout(300);
        if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ path: axeSource });
        const faults = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations
          .filter((one) => one.impact === "serious" || one.impact === "critical")
          .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`));
        assert.deepEqual(faults, [], tab);
      }
      await picture(page, scheme);
    });
  }
});

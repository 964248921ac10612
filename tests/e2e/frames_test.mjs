// How much work a step of the scrubber is on a board of 600 hexes with 150 units. Held to nodes touched,
// which is the same on every machine; times are printed for people to read.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { bigGame } from "./big_game.mjs";
import { launch, openPage, picture } from "./browser.mjs";
import { startMock } from "./mock_server.mjs";

const STEPS = 300;
// A redraw of the whole map would change more than 600 nodes at each step.
const NODES_MEDIAN_MAX = 60;
const NODES_MOST_MAX = 400;

let mock;
let browser;
let game;
before(async () => {
  game = bigGame();
  mock = await startMock([game]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  mock?.server.closeAllConnections();
  mock?.server.close();
});

// Runs in the page: one step a frame, by `step`, counting what each changes.
async function measure({ steps, by }) {
  const track = document.querySelector('[role="slider"]');
  const box = track.getBoundingClientRect();
  const start = Number(track.getAttribute("aria-valuenow"));
  const head = Number(track.getAttribute("aria-valuemax"));
  const pointer = (type, version) => track.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, bubbles: true, clientX: box.left + ((version - 1) / (head - 1)) * box.width, clientY: box.top + 20,
  }));
  track.setPointerCapture = () => {};
  const watch = new MutationObserver(() => {});
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  if (by > 1) pointer("pointerdown", start);
  const counts = [], work = [], frames = [];
  let before = await new Promise(requestAnimationFrame);
  for (let i = 1; i <= steps; ++i) {
    const from = performance.now();
    if (by === 1) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    else pointer("pointermove", start + i * by);
    await Promise.resolve();
    document.body.getBoundingClientRect();
    work.push(performance.now() - from);
    counts.push(watch.takeRecords().length);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  if (by > 1) pointer("pointerup", start + steps * by);
  const sorted = (list) => [...list].sort((a, b) => a - b);
  const at = (list, share) => sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))];
  return {
    nodes: { median: at(counts, 0.5), most: at(counts, 1) }, work: { median: at(work, 0.5), p95: at(work, 0.95) },
    frame: { median: at(frames, 0.5), p95: at(frames, 0.95) }, reached: Number(track.getAttribute("aria-valuenow")), start,
  };
}

for (const [name, by] of [["event by event", 1], ["dragged over the game", 4]]) {
  it(`scrubs 600 hexes and 150 units ${name} with little work`, async () => {
    const { page, faults } = await openPage(browser, mock.url);
    const from = 200;
    await page.goto(`${mock.url}/#/game/big/big-main/${from}/log`);
    await page.waitForFunction((n) => document.querySelector('[role="slider"]')?.getAttribute("aria-valuenow") === String(n), from);
    await page.waitForFunction(() => document.querySelectorAll("[data-unit]").length > 140);
    await page.waitForTimeout(800);
    const found = await page.evaluate(measure, { steps: STEPS, by });
    const ms = (n) => n.toFixed(1);
    console.log(`${name}: ${found.nodes.median} nodes changed (median; most ${found.nodes.most}), ` +
      `${ms(found.work.median)} ms of script and layout (median; 95 % ${ms(found.work.p95)}), ` +
      `${ms(found.frame.median)} ms between frames (median; 95 % ${ms(found.frame.p95)})`);
    assert.ok(Math.abs(found.reached - (found.start + STEPS * by)) <= by, `reached event ${found.reached}`);
    assert.ok(found.nodes.median <= NODES_MEDIAN_MAX, `a step changes ${found.nodes.median} nodes`);
    assert.ok(found.nodes.most <= NODES_MOST_MAX, `some step changes ${found.nodes.most} nodes`);
    assert.deepEqual(faults, []);
    await picture(page, `frames-${by}`);
    await page.context().close();
  });
}

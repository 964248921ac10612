// Plays games through the API by drawing legal orders with a seeded die: something real to look at.
import { ask } from "./service.mjs";

function seeded(seed) {
  let a = seed >>> 0;
  return () => {
    a = (Math.imul(a, 1664525) + 1013904223) >>> 0;
    return a / 4294967296;
  };
}

export async function createGame(url, { name, scenario, options = {} }) {
  const made = await ask(url, "/games", { body: { name, system: "eastfront", scenario, options, keeping: "refereed" } });
  return { ...made, base: `/games/${made.id}/branches/${made.mainline}` };
}

// Until the game is over, `most` orders have been given or `until` says so of the legal
// orders and the position. Returns the last version. Headquarters are activated where they can be, so
// that something moves.
export async function playOn(url, game, { seed = 1, most = 400, until = () => false } = {}) {
  const random = seeded(seed);
  const token = game.tokens.referee;
  let version = game.version;
  for (let n = 0; n < most; ++n) {
    const { position } = await ask(url, `${game.base}/position`, { token });
    if (position.over) break;
    const side = Object.keys(position.pending)[0];
    const { orders } = await ask(url, `${game.base}/legal?side=${side}&limit=400`, { token });
    if (until(orders, position)) break;
    const active = orders.filter((order) => order.type === "ActivateHQ");
    const from = active.length ? active : orders;
    const order = from[Math.floor(random() * from.length)];
    const answer = await ask(url, `${game.base}/orders`, { token, body: { order, expectedVersion: version } });
    version = answer.last;
  }
  return version;
}

// The ES module on the RFC's examples, the golden transcripts and on changes to them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { webcrypto } from "node:crypto";
import test from "node:test";

import * as fd from "../http/web/src/fairdice/fairdice.js";
import * as curve from "../http/web/src/fairdice/curve.js";
import { verifyBundle } from "../http/web/src/fairdice/bundle.js";
import { NotOwed, Player } from "../http/web/src/fairdice/player.js";

globalThis.crypto ??= webcrypto;  // Node 18

const NAMES = ["live", "async", "sealed", "solo", "beacon", "three"];
const WORDS = ["live", "async", "solo", "beacon", "imported", "dice", "shuffle", "draw"];
const golden = (name) =>
  JSON.parse(readFileSync(new URL(`golden/dice/${name}.json`, import.meta.url), "utf8"));
const filled = (byte, size = 32) => new Uint8Array(size).fill(byte);

// RFC 9381 Appendix B.3, examples 16 to 18: key, alpha, pi, beta.
const EXAMPLES = [
  ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
    "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f26f8a57ccaed74ee1b190bed1f479d"
    + "9727d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805",
    "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff66b71dda49d2de59d03450451af026"
    + "798e8f81cd2e333de5cdf4f3e140fdd8ae"],
  ["3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
    "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed5933bf0864a62558b3ed7f2fea45c92a4"
    + "65301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02",
    "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb5e33821bc613efb94db5e5b54c70a8"
    + "48a0bef4553a41befc57663b56373a5031"],
  ["fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
    "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c362d8628ee9f9ea3"
    + "c0e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
    "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c452118fec1219202a0edcf038bb63732"
    + "41578be7217ba85a2687f7a0310b2df19f"],
];

test("hashes agree with WebCrypto at every length around a block", async () => {
  for (let size = 0; size < 300; size += size < 140 ? 1 : 13) {
    const message = Uint8Array.from({ length: size }, (_, i) => i * 7 + size);
    for (const [name, ours] of [["SHA-256", fd.sha256], ["SHA-512", fd.sha512]]) {
      const theirs = new Uint8Array(await webcrypto.subtle.digest(name, message));
      assert.deepEqual(ours(message), theirs, `${name} of ${size} bytes`);
    }
    const key = filled(size, size % 100 + 1);
    const hmacKey = await webcrypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" },
      false, ["sign"]);
    const theirs = new Uint8Array(await webcrypto.subtle.sign("HMAC", hmacKey, message));
    assert.deepEqual(fd.hmacSha256(key, message), theirs);
  }
});

test("the VRF verifies the examples of the RFC and nothing beside them", () => {
  for (const [keyHex, alphaHex, piHex, beta] of EXAMPLES) {
    const key = fd.prepareKey(fd.fromHex(keyHex));
    const alpha = fd.fromHex(alphaHex), pi = fd.fromHex(piHex);
    assert.equal(fd.toHex(fd.vrfVerify(key, alpha, pi)), beta);
    for (let bit = 0; bit < 640; bit += 37) {
      const bad = pi.slice();
      bad[bit >> 3] ^= 1 << (bit & 7);
      assert.equal(fd.vrfVerify(key, alpha, bad), null);
    }
    const above = pi.slice();
    above.set(curve.bytesOf(curve.numberOf(pi.subarray(48)) + curve.ORDER, 32), 48);
    assert.equal(fd.vrfVerify(key, alpha, above), null);
    assert.equal(fd.vrfVerify(key, filled(1, 3), pi), null);
  }
});

test("weak, mixed and non-canonical points are no keys", () => {
  const torsion = fd.fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
  const good = fd.fromHex(EXAMPLES[0][0]);
  const mixed = curve.encode(curve.add(curve.decode(good), curve.decode(torsion)));
  assert.notEqual(fd.prepareKey(good), null);
  for (const bad of [torsion, mixed, filled(0), filled(255), curve.bytesOf(1n, 32),
    curve.bytesOf(2n ** 255n - 19n, 32), curve.bytesOf(1n | 1n << 255n, 32)]) {
    assert.equal(fd.prepareKey(bad), null);
  }
});

test("goldens are good, and each roll is said to be", () => {
  for (const name of NAMES) {
    const lines = [], document = golden(name);
    assert.equal(fd.verifyDocument(document, (line) => lines.push(line)), document.rolls.length);
    assert.equal(lines.length, document.rolls.length + 1);
  }
  const bundle = { format: "wardiary-dice-set/1", dice: [golden("solo"), golden("live")] };
  assert.equal(fd.verifyDocument(bundle), 12);
});

function* changes(value, turn) {
  yield null;
  if (typeof value === "boolean") yield !value;
  else if (typeof value === "number") yield* [value + 1, value - 1, String(value)];
  else if (typeof value === "string") {
    const at = turn() % value.length;
    const digit = { 0: "1", f: "e" }[value[at]] ?? String.fromCharCode(value.charCodeAt(at) + 1);
    yield value.slice(0, at) + digit + value.slice(at + 1);
    yield value.slice(2);
    yield value.toUpperCase();
    if (WORDS.includes(value)) yield* WORDS;
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; ++i) {
      yield value.toSpliced?.(i, 1) ?? [...value.slice(0, i), ...value.slice(i + 1)];
      yield [...value.slice(0, i + 1), ...value.slice(i)];
      if (i + 1 < value.length) {
        yield [...value.slice(0, i), value[i + 1], value[i], ...value.slice(i + 2)];
      }
    }
  } else {
    yield { ...value, extra: 0 };
    for (const key of Object.keys(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
    }
  }
}

function isGood(document) {
  try {
    fd.verifyDocument(document);
    return true;
  } catch (error) {
    assert.ok(error instanceof fd.Wrong, error.stack);
    return false;
  }
}

test("every field changed fails", () => {
  for (const name of NAMES.slice(1)) {  // live.json has the same fields many times over
    const box = { document: golden(name) };
    let turns = 0;
    const visit = (holder, key, path) => {
      const value = holder[key], before = JSON.stringify(value);
      for (const changed of changes(value, () => turns)) {
        ++turns;
        if (JSON.stringify(changed) === before) continue;
        // A roll still sealed: nobody can check its seal yet.
        if (name === "sealed" && path.endsWith(".rolls.1.seal") && changed?.length === 64
          && changed === changed.toLowerCase()) continue;
        holder[key] = changed;
        assert.equal(isGood(box.document), false, `${name}${path} ${JSON.stringify(changed)}`);
      }
      holder[key] = value;
      if (typeof value !== "object") return;
      for (const k of Object.keys(value)) visit(value, k, `${path}.${k}`);
    };
    visit(box, "document", "");
    assert.equal(isGood(box.document), true);
    assert.ok(turns > 100);
  }
});

test("a player's side makes what the golden transcript holds", async () => {
  const { epoch, rolls } = golden("live");
  const stream = fd.fromHex(epoch.stream);
  const chains = [filled(0xaa), filled(0xbb)].map((seed, slot) =>
    new fd.ContributionChain(stream, slot, 0, seed, epoch.chain_length));
  chains.forEach((chain, slot) =>
    assert.equal(fd.toHex(chain.anchor), epoch.contributors[slot].anchors[0]));
  for (const [i, roll] of rolls.slice(0, 8).entries()) {
    assert.equal(fd.toHex(chains[0].element(i)), roll.request.v);
    assert.equal(fd.toHex(chains[1].element(i)), roll.disclosures[0].v);
    const digest = fd.fromHex(fd.requestDigestOf(golden("live"), i));
    assert.equal(fd.toHex(await fd.signDigest(filled(1), digest)), roll.signature);
    const reveal = fd.revealDigest(stream, digest, 1, chains[1].element(i));
    assert.equal(fd.toHex(await fd.signDigest(filled(2), reveal)), roll.disclosures[0].signature);
  }
  assert.equal(fd.toHex(fd.publicKeyOf(filled(1))), epoch.contributors[0].key);
  assert.throws(() => chains[0].element(64), RangeError);
});

test("players' programs give and refuse what the golden steps say", async () => {
  const { players: memories, steps } = golden("player");
  const kept = [];
  const players = memories.map((memory, i) => new Player(memory, (text) => { kept[i] = text; }));
  const run = async ({ player, do: what, state, slot, count }) =>
    what === "join" ? players[player].join(state, slot)
      : what === "unlock" ? players[player].unlock(state, count) : players[player][what](state);
  let refused = 0;
  for (const [i, step] of steps.entries()) {
    const state = JSON.stringify(step.state);
    if (step.refuses) {
      await assert.rejects(run(step), (error) =>
        error instanceof fd.Wrong || error instanceof NotOwed, `step ${i}`);
      ++refused;
    } else {
      assert.deepEqual(await run(step), step.gives, `step ${i}`);
    }
    assert.equal(JSON.stringify(step.state), state);
    // As after a restart: what was kept before the signature left is all there is.
    if (kept[step.player]) {
      players[step.player] = new Player(JSON.parse(kept[step.player]),
        (text) => { kept[step.player] = text; });
    }
  }
  assert.ok(refused >= 7);
  assert.equal(JSON.stringify(players[0].publicJSON()).includes(memories[0].secret), false);
});

test("nothing is signed that could not be kept", async () => {
  const { players: [memory], steps } = golden("player");
  const forgetful = new Player(memory, () => { throw new Error("disk full"); });
  const step = steps.find((s) => s.do === "request" && s.gives);
  await assert.rejects(forgetful.request(step.state), /disk full/);
});

test("bundles are checked as the other verifiers check them", () => {
  const read = (name) => new Uint8Array(
    readFileSync(new URL(`golden/bundles/${name}.wardiary`, import.meta.url)));
  assert.equal(verifyBundle(read("duel")), 0);
  assert.equal(verifyBundle(read("edelweiss")), 15);
  assert.equal(verifyBundle(read("live")), 6);  // two players with keys of their own
  const data = read("duel");
  for (let at = 0; at < data.length; at += 397) {
    data[at] ^= 1;
    assert.throws(() => verifyBundle(data), fd.Wrong, `byte ${at}`);
    data[at] ^= 1;
  }
  for (let size = 0; size < data.length; size += 997) {
    assert.throws(() => verifyBundle(data.subarray(0, size)), fd.Wrong);
  }
});

test("our own signatures are WebCrypto's", async () => {
  for (let i = 0; i < 5; ++i) {
    const seed = fd.newSeed(), digest = fd.sha256(seed);
    const ours = curve.signDigest(seed, digest);
    assert.deepEqual(ours, await fd.signDigest(seed, digest));
    assert.ok(fd.verifySignature(fd.prepareKey(fd.publicKeyOf(seed)), digest, ours));
    ours[i] ^= 1;
    assert.ok(!fd.verifySignature(fd.prepareKey(fd.publicKeyOf(seed)), digest, ours));
  }
});

test("one request per roll is admitted, however often it is asked for", () => {
  const signed = new fd.SignedRequests();
  const stream = filled(1, 16);
  assert.ok(signed.admit(stream, 0, 7, filled(3)));
  assert.ok(signed.admit(stream, 0, 7, filled(3)));
  assert.ok(!signed.admit(stream, 0, 7, filled(4)));
  assert.ok(signed.admit(stream, 1, 7, filled(4)));
  const restored = new fd.SignedRequests(JSON.parse(JSON.stringify(signed.entries())));
  assert.ok(!restored.admit(stream, 0, 7, filled(4)));
});

// A player's own side of live dice, for the page and for Node: the same secret, keys, chains and
// signatures as `wardiary player` (domain/fairdice/player.h, replay/player_file.h), so that a player
// may go from one to the other with the same file. Speaks `wardiary-dice-state/1`; what it returns
// is what the service's /dice/join, request, reveal, unlock and abandon take.
//
//   const player = new Player(saved, (json) => localStorage.setItem("player", json));
//   await player.request(state)
//
// `keep` is called, and awaited, with the player's whole memory before any signature is made: one
// request per (stream, epoch, roller, number) is signed, ever.
import { prepareKey, publicKeyOf, verifySignature } from "./curve.js";
import { EpochVerifier } from "./fairdice.js";
import { concat, hmacSha256 } from "./hashes.js";
import {
  ContributionChain, abandonDigest, anchorsDigest, domainPrefix, fromHex, newSeed, requestDigest,
  revealDigest, signDigest, toHex, unlockDigest,
} from "./protocol.js";
import { Wrong, fail } from "./wrong.js";

// Not this player's to give now; nothing was signed. `Wrong` is a refusal: something is not right.
export class NotOwed extends Error {}
const notOwed = (text) => { throw new NotOwed(text); };

const u64 = (n) => {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(n));
  return out;
};
const spec = (groups) => groups.map(({ kind, count, sides }) => ({ kind, count, sides }));

export class Player {
  #secret;
  #keySeed;
  #chains = new Map();
  #signed;
  #epochs;
  #joined;
  #keep;

  // A fresh player's memory.
  static create(name) {
    const player = new Player({
      format: "wardiary-player/1", name, secret: toHex(newSeed()), joined: [], epochs: [],
      signed: [],
    });
    return player.toJSON();
  }

  constructor(memory, keep = () => {}) {
    if (memory?.format !== "wardiary-player/1" || !/^[0-9a-f]{64}$/.test(memory.secret)) {
      fail("player: not a player's file");
    }
    this.name = memory.name;
    this.#secret = fromHex(memory.secret);
    this.#keySeed = hmacSha256(this.#secret, domainPrefix("player-key"));
    this.key = publicKeyOf(this.#keySeed);
    this.#keep = keep;
    this.#joined = memory.joined.map((j) => ({ ...j }));
    this.#epochs = new Map(memory.epochs.map((e) => [`${e.stream}/${e.draft}`, e.epoch]));
    this.#signed = new Map(memory.signed.map((s) =>
      [`${s.stream}/${s.epoch}/${s.roller}/${s.number}`, s.digest]));
  }

  // Everything, the secret included: keep it as one keeps a key.
  toJSON() {
    return { ...this.publicJSON(), secret: toHex(this.#secret) };
  }

  // What may be shown to others.
  publicJSON() {
    return {
      format: "wardiary-player/1", name: this.name, key: toHex(this.key), joined: this.#joined,
      epochs: [...this.#epochs].map(([of, epoch]) => {
        const [stream, draft] = of.split("/");
        return { stream, draft, epoch };
      }),
      signed: [...this.#signed].map(([key, digest]) => {
        const [stream, epoch, roller, number] = key.split("/");
        return { stream, epoch, roller: Number(roller), number: Number(number), digest };
      }),
    };
  }

  #chain(stream, draft, slot, roller, length) {
    const id = [toHex(stream), toHex(draft), slot, roller, length].join();
    if (!this.#chains.has(id)) {
      const seed = hmacSha256(this.#secret, concat(domainPrefix("player-chain"), stream, draft,
        Uint8Array.of(slot, roller)));
      this.#chains.set(id, new ContributionChain(stream, slot, roller, seed, length));
    }
    return this.#chains.get(id);
  }

  #terms(value, slots) {
    return {
      stream: fromHex(value.stream), suite: value.suite, vrf_pk: fromHex(value.vrfKey),
      chain_length: value.chainLength, policy: value.policy,
      rules_hash: fromHex(value.rulesHash), contributors: slots.map((slot) => ({ slot })),
    };
  }

  // This player's contribution to the epoch that is being drafted, as `slot`.
  async join({ draft }, slot) {
    if (!draft) notOwed("no epoch is being drafted: there is nothing to join");
    if (!draft.slots.includes(slot)) fail(`slot: the draft has no slot ${slot}`);
    const before = this.#joined.find((j) => j.stream === draft.stream && j.draft === draft.hash);
    if (before && before.slot !== slot) {
      fail(`this player contributes as slot ${before.slot} already; another side needs another`);
    }
    const terms = this.#terms(draft, draft.slots), hash = fromHex(draft.hash);
    const anchors = draft.slots.map((roller) =>
      this.#chain(terms.stream, hash, slot, roller, draft.chainLength).anchor);
    if (!before) {
      this.#joined.push({ stream: draft.stream, draft: draft.hash, slot });
      await this.#keep(JSON.stringify(this.toJSON()));
    }
    const digest = anchorsDigest(terms, { slot, custodial: false, anchors });
    return {
      slot, name: this.name, key: toHex(this.key), custodial: false,
      anchors: draft.slots.map((roller, i) => ({ roller, value: toHex(anchors[i]) })),
      signature: toHex(await signDigest(this.#keySeed, digest)),
    };
  }

  // The open epoch, found sound, with this player in it. The first one seen for a draft counts.
  async #seat({ epoch }) {
    if (!epoch) notOwed("no epoch is open: not everybody has joined");
    const contributors = epoch.contributors.map((c) => ({
      slot: c.slot, custodial: c.custodial, key: fromHex(c.key),
      anchors: c.anchors.map((a) => fromHex(a.value)), signature: fromHex(c.signature),
    }));
    const terms = { ...this.#terms(epoch, []), hash: fromHex(epoch.hash), contributors };
    new EpochVerifier(terms);  // throws Wrong
    const mine = epoch.contributors.find((c) => c.key === toHex(this.key))
      ?? notOwed("this player does not contribute to this game");
    const draft = fromHex(epoch.draft), at = {
      terms, slot: mine.slot, contributors,
      element: (roller, number) =>
        this.#chain(terms.stream, draft, mine.slot, roller, epoch.chainLength).element(number),
    };
    for (const { roller, value } of mine.anchors) {
      const own = this.#chain(terms.stream, draft, mine.slot, roller, epoch.chainLength).anchor;
      if (toHex(own) !== value) fail("epoch: not the anchors that this player committed to");
    }
    const of = `${epoch.stream}/${epoch.draft}`;
    if (!this.#epochs.has(of)) {
      this.#epochs.set(of, epoch.hash);
      await this.#keep(JSON.stringify(this.toJSON()));
    }
    if (this.#epochs.get(of) !== epoch.hash) {
      fail("epoch: another epoch was shown for this draft before");
    }
    return at;
  }

  // Remembers the digest, kept before anything signed leaves; refuses another one.
  async #admit({ terms }, { roller, number }, digest) {
    const key = `${toHex(terms.stream)}/${toHex(terms.hash)}/${roller}/${number}`;
    const hex = toHex(digest);
    if (!this.#signed.has(key)) {
      this.#signed.set(key, hex);
      try {
        await this.#keep(JSON.stringify(this.toJSON()));
      } catch (error) {
        this.#signed.delete(key);  // nothing was signed
        throw error;
      }
    }
    if (this.#signed.get(key) !== hex) {
      fail(`refused: another request for roll ${number} of roller ${roller} was signed before`);
    }
  }

  // The signed request for the roll that this player's order waits for.
  async request(state) {
    const at = await this.#seat(state), { next } = state;
    if (!next) notOwed("no request is owed now");
    if (next.roller !== at.slot) notOwed("the request is another player's to make");
    const { stream } = at.terms, prev = fromHex(next.prevEvent), order = fromHex(next.orderEvent);
    const request = {
      roller: next.roller, number: next.number, prev_event: prev, order_event: order,
      spec: spec(next.spec), v: at.element(at.slot, next.number),
      // The key follows from the rest, so that a request is signed again alike after a crash.
      idempotency_key: hmacSha256(this.#secret, concat(domainPrefix("player-request"), stream,
        prev, order, u64(next.number))).subarray(0, 16),
    };
    const digest = requestDigest(stream, request);
    await this.#admit(at, request, digest);
    return {
      roller: request.roller, number: request.number, order: next.order, spec: next.spec,
      element: toHex(request.v), key: toHex(request.idempotency_key),
      signature: toHex(await signDigest(this.#keySeed, digest)),
    };
  }

  // The signed reveal for the last request of the order that waits.
  async reveal(state) {
    const at = await this.#seat(state), asked = state.order?.requests.at(-1);
    if (!asked?.missing.includes(at.slot)) notOwed("this player owes no reveal now");
    const request = {
      roller: asked.roller, number: asked.number, prev_event: fromHex(asked.prevEvent),
      order_event: fromHex(asked.orderEvent), spec: spec(asked.spec), v: fromHex(asked.element),
      idempotency_key: fromHex(asked.key),
    };
    const { stream } = at.terms, digest = requestDigest(stream, request);
    const roller = at.contributors.find((c) => c.slot === request.roller);
    if (!roller || roller.slot === at.slot
      || !verifySignature(prepareKey(roller.key), digest, fromHex(asked.signature))) {
      fail("refused: the roller has not signed this request");
    }
    await this.#admit(at, request, digest);
    const element = at.element(request.roller, request.number);
    const signed = revealDigest(stream, digest, at.slot, element);
    return {
      request: asked.version, contributor: at.slot, element: toHex(element),
      signature: toHex(await signDigest(this.#keySeed, signed)),
    };
  }

  // The elements for the next `count` rolls of every other contributor, in advance.
  async unlock(state, count) {
    const at = await this.#seat(state), { terms } = at;
    if (terms.policy !== "async") notOwed("only async dice take contributions in advance");
    const out = [];
    for (const { roller, next } of state.epoch.numbers) {
      if (roller === at.slot || next >= terms.chain_length) continue;
      const upTo = Math.min(next + count, terms.chain_length) - 1;
      const element = at.element(roller, upTo);
      const digest = unlockDigest(terms.stream, terms.hash, at.slot, roller, upTo, element);
      out.push({
        contributor: at.slot, roller, upTo, element: toHex(element),
        signature: toHex(await signDigest(this.#keySeed, digest)),
      });
    }
    return out;
  }

  // The consent to give up the order that waits.
  async agree(state) {
    const at = await this.#seat(state);
    if (!state.order) notOwed("no order waits for a roll");
    const digest = abandonDigest(at.terms.stream, at.terms.hash, fromHex(state.order.hash));
    return {
      contributor: at.slot, signature: toHex(await signDigest(this.#keySeed, digest)),
    };
  }

  // After verifyTranscript(transcript): every roll is the one this player signed for.
  check(transcript) {
    const { epoch, rolls } = transcript, mine = toHex(this.key);
    const own = epoch.contributors.find((c) => c.key === mine)?.slot
      ?? fail("this player does not contribute to this epoch");
    for (const roll of rolls) {
      const { request } = roll, digest = toHex(requestDigest(fromHex(epoch.stream), {
        ...request, prev_event: fromHex(request.prev_event),
        order_event: fromHex(request.order_event), v: fromHex(request.v),
        idempotency_key: fromHex(request.idempotency_key),
      }));
      const known = this.#signed.get(
        `${epoch.stream}/${epoch.hash}/${request.roller}/${request.number}`);
      const inAdvance = roll.disclosures.some((d) =>
        d.contributor === own && d.up_to !== undefined);
      if (known === undefined && inAdvance) continue;
      if (known !== digest) {
        fail(`roll ${request.number} of roller ${request.roller} is not what this player signed`);
      }
    }
    return rolls.length;
  }
}

export { Wrong };

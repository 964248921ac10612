#!/usr/bin/env python3
"""Writes the golden dice transcripts beside this file, always the same bytes.

    tests/golden/dice/generate.py            rewrite them
    tests/golden/dice/generate.py --check    exit 1 if one would change

All keys here are public test keys. The stream, VRF seed and chain seeds of live.json are those of
the golden transcript in the protocol's specification.
"""
import hashlib
import hmac
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
import verify_dice as fd  # noqa: E402


class Key:
    """An Ed25519 key that signs (RFC 8032) and proves (RFC 9381)."""

    def __init__(self, seed):
        expanded = hashlib.sha512(seed).digest()
        clamped = bytearray(expanded[:32])
        clamped[0] &= 248
        clamped[31] = clamped[31] & 127 | 64
        self.x, self.prefix = int.from_bytes(clamped, "little") % fd.Q, expanded[32:]
        self.public = fd.encode(fd.multiply((self.x, fd.BASE)))

    def sign(self, message):
        k = fd.sha512_number(self.prefix, message) % fd.Q
        r = fd.encode(fd.multiply((k, fd.BASE)))
        s = (k + fd.sha512_number(r, self.public, message) * self.x) % fd.Q
        return r + s.to_bytes(32, "little")

    def prove(self, alpha):
        h = fd.vrf_hash_to_point(self.public, alpha)
        gamma = fd.multiply((self.x, h))
        k = fd.sha512_number(self.prefix, fd.encode(h)) % fd.Q
        u, v = fd.multiply((k, fd.BASE)), fd.multiply((k, h))
        c = fd.vrf_challenge(self.public, *map(fd.encode, (h, gamma, u, v)))
        s = (k + int.from_bytes(c, "little") * self.x) % fd.Q
        return fd.encode(gamma) + c + s.to_bytes(32, "little"), fd.vrf_output(gamma)


def dice(count, sides):
    return {"kind": "dice", "count": count, "sides": sides}


def shuffle(size):
    return {"kind": "shuffle", "count": size, "sides": size}


def draw(count, size):
    return {"kind": "draw", "count": count, "sides": size}


class Table:
    """A game's dice table: all players' secrets in one place, as only a test may have them."""

    def __init__(self, stream, policy, slots, chain_length, custodial=()):
        self.stream, self.length, self.slots = stream, chain_length, slots
        self.vrf = Key(b"\x11" * 32)
        self.players = {slot: Key(bytes([slot + 1]) * 32) for slot in slots}
        self.chains = {(c, r): self.chain(c, r) for c in slots for r in slots}
        self.counts = {slot: 0 for slot in slots}
        self.rolls = []
        self.epoch = {
            "hash": fd.sha256(fd.prefix("test-genesis")), "stream": stream, "suite": 3,
            "vrf_pk": self.vrf.public, "chain_length": chain_length, "policy": policy,
            "rules_hash": fd.sha256(fd.prefix("test-rules")), "contributors": [
                {"slot": c, "custodial": c in custodial, "key": self.players[c].public,
                 "anchors": [self.chains[c, r][chain_length] for r in slots]} for c in slots]}
        for contributor in self.epoch["contributors"]:
            digest = fd.anchors_digest(self.epoch, contributor)
            contributor["signature"] = self.players[contributor["slot"]].sign(digest)

    def chain(self, c, r):
        # 0xaa and 0xbb for roller 0, 0xac and 0xbd for roller 1, and so on.
        seed = bytes([(0xaa + 0x11 * c + 2 * r) % 256]) * 32
        k = [fd.sha256(fd.prefix("chain-seed"), self.stream, bytes([c, r]), seed)]
        for _ in range(self.length):
            k.append(fd.chain_walk(self.stream, c, r, k[-1], 1))
        return k

    def element(self, c, r, number):
        return self.chains[c, r][self.length - 1 - number]

    def roll(self, roller, spec, grade, unlocked=None, beacon=None, sealed=False, opened=True):
        """`unlocked`: contributor slot -> the number up to which it had unlocked this roller."""
        number = self.counts[roller]
        self.counts[roller] += 1
        what = bytes([roller]) + fd.u(8, number)
        request = {
            "roller": roller, "number": number,
            "prev_event": fd.sha256(fd.prefix("test-prev"), what),
            "order_event": fd.sha256(fd.prefix("test-order"), what), "spec": spec,
            "v": self.element(roller, roller, number),
            "idempotency_key": fd.sha256(fd.prefix("test-key"), what)[:16]}
        digest = fd.request_digest(self.stream, request)
        roll = {"grade": grade, "request": request,
                "signature": self.players[roller].sign(digest), "disclosures": []}
        for c in self.slots:
            if c != roller:
                up_to = (unlocked or {}).get(c)
                roll["disclosures"].append(self.disclose(c, roller, number, digest, up_to))
        if beacon:
            roll["beacon"] = beacon
        alpha = fd.make_alpha(self.epoch["hash"], self.stream, roller, number,
                              [(c, self.element(c, roller, number)) for c in self.slots], beacon)
        pi, beta = self.vrf.prove(alpha)
        roll["sealed"] = sealed
        if sealed:
            roll["seal"] = fd.seal_of(beta)
        if opened:
            roll["pi"], roll["values"] = pi, fd.derive_values(beta, spec)
        self.rolls.append(roll)

    def disclose(self, c, roller, number, digest, up_to):
        if up_to is None:
            v = self.element(c, roller, number)
            signed = fd.reveal_digest(self.stream, digest, c, v)
            return {"contributor": c, "v": v, "signature": self.players[c].sign(signed)}
        v = self.element(c, roller, up_to)
        signed = fd.unlock_digest(self.stream, self.epoch["hash"], c, roller, up_to, v)
        return {"contributor": c, "up_to": up_to, "v": v, "signature": self.players[c].sign(signed)}

    def transcript(self):
        rolls = sorted(self.rolls, key=lambda r: (r["request"]["roller"], r["request"]["number"]))
        return {"format": "wardiary-dice/1", "epoch": self.epoch,
                "counters": [self.counts[slot] for slot in self.slots], "rolls": rolls}


STREAM = bytes(range(16))


def live():
    table = Table(STREAM, "live", [0, 1], 64)
    for spec in ([dice(2, 6)], [dice(40, 6)], [dice(3, 10)], [dice(12, 100)], [shuffle(54)],
                 [draw(5, 20)], [dice(1, 1000)], [dice(1, 1), draw(1, 1), dice(2, 70000)]):
        table.roll(0, spec, "live")
    table.roll(1, [dice(2, 6), shuffle(6), draw(3, 300)], "live")
    table.roll(1, [dice(2, 6)], "live")
    return table


def async_():
    table = Table(STREAM[::-1], "async", [0, 1], 300)
    table.roll(0, [dice(2, 6)], "live")
    for spec in ([dice(1, 10)], [dice(2, 6)], [draw(2, 9)]):
        table.roll(0, spec, "async", unlocked={1: 200})
    table.roll(1, [dice(4, 6)], "async", unlocked={0: 0})
    table.roll(1, [dice(4, 6)], "live")
    return table


def sealed():
    table = Table(b"\x05" * 16, "live", [0, 1], 16)
    table.roll(0, [draw(3, 40)], "live", sealed=True)
    table.roll(0, [draw(3, 37)], "live", sealed=True, opened=False)
    table.roll(1, [dice(1, 6)], "live")
    return table


def solo():
    table = Table(b"\x06" * 16, "solo", [0], 16)
    table.roll(0, [dice(2, 6)], "solo")
    table.roll(0, [shuffle(10)], "solo")
    return table


def beacon():
    table = Table(STREAM, "beacon", [0, 1], 64)
    table.roll(0, [dice(3, 10)], "beacon", beacon={"round": 1000, "randomness": b"\xdd" * 32})
    table.roll(0, [dice(3, 10)], "beacon", unlocked={1: 9},
               beacon={"round": 1001, "randomness": b"\xde" * 32})
    return table


def three():
    table = Table(b"\x07" * 16, "async", [0, 2, 5], 32, custodial=[2])
    table.roll(2, [dice(2, 6)], "async", unlocked={5: 7})
    table.roll(0, [dice(2, 6)], "live")
    table.roll(5, [draw(2, 5)], "async", unlocked={0: 3, 2: 0})
    return table


class Player:
    """A player's side, all of it from one secret (domain/fairdice/player.h)."""

    def __init__(self, name, secret, slot):
        self.name, self.secret, self.slot = name, secret, slot
        self.key = Key(self.derive(fd.prefix("player-key")))

    def derive(self, message):
        return hmac.new(self.secret, message, hashlib.sha256).digest()

    def chain(self, stream, draft, roller, length):
        seed = self.derive(fd.prefix("player-chain") + stream + draft + bytes([self.slot, roller]))
        k = [fd.sha256(fd.prefix("chain-seed"), stream, bytes([self.slot, roller]), seed)]
        for _ in range(length):
            k.append(fd.chain_walk(stream, self.slot, roller, k[-1], 1))
        return k

    def memory(self):
        return {"format": "wardiary-player/1", "name": self.name, "secret": self.secret,
                "joined": [], "epochs": [], "signed": []}

    def joins(self, draft, custodial=False):
        chains = [self.chain(draft["stream"], draft["hash"], r, draft["chainLength"])
                  for r in draft["slots"]]
        self.chains = dict(zip(draft["slots"], chains))
        epoch = {"stream": draft["stream"], "suite": 3, "vrf_pk": draft["vrfKey"],
                 "chain_length": draft["chainLength"], "policy": draft["policy"],
                 "rules_hash": draft["rulesHash"],
                 "contributors": [{"slot": r} for r in draft["slots"]]}
        digest = fd.anchors_digest(epoch, {"slot": self.slot, "custodial": custodial,
                                           "anchors": [c[-1] for c in chains]})
        return {"slot": self.slot, "name": self.name, "key": self.key.public,
                "custodial": custodial,
                "anchors": [{"roller": r, "value": c[-1]} for r, c in zip(draft["slots"], chains)],
                "signature": self.key.sign(digest)}

    def element(self, roller, number):
        return self.chains[roller][-2 - number]

    def request(self, stream, following):
        message = fd.prefix("player-request") + stream + following["prevEvent"]
        message += following["orderEvent"] + fd.u(8, following["number"])
        request = {"roller": following["roller"], "number": following["number"],
                   "prev_event": following["prevEvent"], "order_event": following["orderEvent"],
                   "spec": following["spec"], "v": self.element(self.slot, following["number"]),
                   "idempotency_key": self.derive(message)[:16]}
        digest = fd.request_digest(stream, request)
        return digest, {"roller": request["roller"], "number": request["number"],
                        "order": following["order"], "spec": following["spec"],
                        "element": request["v"], "key": request["idempotency_key"],
                        "signature": self.key.sign(digest)}

    def reveal(self, stream, asked):
        v = self.element(asked["roller"], asked["number"])
        signed = fd.reveal_digest(stream, asked["digest"], self.slot, v)
        return {"request": asked["version"], "contributor": self.slot, "element": v,
                "signature": self.key.sign(signed)}

    def unlock(self, epoch, roller, up_to):
        v = self.element(roller, up_to)
        signed = fd.unlock_digest(epoch["stream"], epoch["hash"], self.slot, roller, up_to, v)
        return {"contributor": self.slot, "roller": roller, "upTo": up_to, "element": v,
                "signature": self.key.sign(signed)}


def player():
    """What players' programs answer to states of a game, step by step, and what they refuse."""
    ada, bob = Player("Ada", b"\x21" * 32, 0), Player("Bob", b"\x22" * 32, 1)
    service = Player("service", b"\x23" * 32, 255)
    draft = {"stream": STREAM, "vrfKey": Key(b"\x11" * 32).public, "suite": 3, "chainLength": 40,
             "policy": "async", "rulesHash": fd.sha256(fd.prefix("test-rules")), "answerWithin": 0,
             "hash": fd.sha256(fd.prefix("test-draft")), "slots": [0, 1, 255]}
    joined = [p.joins(draft, p is service) for p in (ada, bob, service)]
    empty = {"draft": None, "epoch": None, "order": None, "next": None}
    steps = [{"player": i, "do": "join", "slot": i, "state": dict(empty, draft=draft),
              "gives": joined[i]} for i in (0, 1)]
    steps.append({"player": 0, "do": "join", "slot": 1, "state": dict(empty, draft=draft),
                  "refuses": True})
    epoch = {k: v for k, v in draft.items() if k not in ("hash", "slots")}
    epoch.update(hash=fd.sha256(fd.prefix("test-genesis")), draft=draft["hash"],
                 contributors=joined,
                 numbers=[{"roller": r, "first": 0, "next": 0} for r in (0, 1, 255)], unlocked=[])
    running = dict(empty, epoch=epoch)
    following = {"roller": 0, "number": 0, "order": 7, "purpose": "fire",
                 "orderEvent": fd.sha256(fd.prefix("test-order")),
                 "prevEvent": fd.sha256(fd.prefix("test-prev")), "spec": [dice(2, 6)]}
    digest, request = ada.request(STREAM, following)
    asked = dict(running, next=following)
    other = dict(running, next=dict(following, prevEvent=fd.sha256(b"another")))
    foreign = dict(asked, epoch=dict(epoch, hash=fd.sha256(b"another epoch")))
    steps += [{"player": 1, "do": "request", "state": asked, "refuses": True},
              {"player": 0, "do": "request", "state": asked, "gives": request},
              {"player": 0, "do": "request", "state": asked, "gives": request},
              {"player": 0, "do": "request", "state": other, "refuses": True},
              {"player": 0, "do": "request", "state": foreign, "refuses": True}]
    pending = dict(request, version=8, digest=digest, missing=[1, 255],
                   prevEvent=following["prevEvent"], orderEvent=following["orderEvent"])
    del pending["order"]
    order = {"version": 7, "hash": following["orderEvent"], "author": "axis",
             "requests": [pending]}
    forged = dict(order, requests=[dict(pending, signature=pending["signature"][::-1])])
    second = dict(order, requests=[dict(pending, orderEvent=fd.sha256(b"another order"))])
    steps += [{"player": 1, "do": "reveal", "state": dict(running, order=forged), "refuses": True},
              {"player": 0, "do": "reveal", "state": dict(running, order=order), "refuses": True},
              {"player": 1, "do": "reveal", "state": dict(running, order=order),
               "gives": bob.reveal(STREAM, pending)},
              {"player": 1, "do": "reveal", "state": dict(running, order=second), "refuses": True},
              {"player": 1, "do": "unlock", "count": 5, "state": running,
               "gives": [bob.unlock(epoch, 0, 4), bob.unlock(epoch, 255, 4)]},
              {"player": 0, "do": "agree", "state": dict(running, order=order),
               "gives": {"contributor": 0, "signature": ada.key.sign(fd.sha256(
                   fd.prefix("abandon"), STREAM, epoch["hash"], order["hash"]))}}]
    return {"players": [ada.memory(), bob.memory()], "steps": steps}


def plain(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def write(path, text, check):
    """True if a check finds other bytes."""
    if not check:
        path.write_text(text)
        return False
    return path.read_text() != text


def main():
    check, changed = "--check" in sys.argv[1:], False
    for make in (live, async_, sealed, solo, beacon, three):
        path = HERE / (make.__name__.strip("_") + ".json")
        text = json.dumps(plain(make().transcript()), indent=1) + "\n"
        changed |= write(path, text, check)
    text = json.dumps(plain(player()), indent=1) + "\n"
    changed |= write(HERE / "player.json", text, check)
    return int(changed)


if __name__ == "__main__":
    sys.exit(main())

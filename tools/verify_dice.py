#!/usr/bin/env python3
"""Check the dice of War Diary without War Diary: Python 3.8 or later, standard library only.

    tools/verify_dice.py [--quiet] FILE...

A FILE is a game's bundle ("wardiary-bundle/1", docs/formats.md), a dice transcript
("wardiary-dice/1") or a set of these; docs/dice.md describes the protocol fairdice/v1. For every
roll the signatures, the contributions against their anchors, the grade, the proof and the values
are checked, and that roll numbers run without gaps; for a bundle also its checksum, contents, hash
chain, Merkle tree and signed checkpoint. Exit status 0: all good; 1: something is wrong, and named;
2: usage. verify_curve.py and verify_bundle.py must stand beside it.

Written from the specification, not from the program it checks, so that each vouches for the other.
"""
import hashlib
import hmac
import json
import sys

from verify_curve import *  # noqa: F403: also for those who import this file
from verify_curve import Wrong, decode_strong, signature_holds, vrf_verify

# ---- fairdice/v1 ---------------------------------------------------------------------------------

CHAIN_LENGTH_MAX = 1 << 20
GROUPS_MAX, POOL_MAX, VALUES_MAX = 64, 10_000, 10_000
KINDS = {"dice": 1, "shuffle": 2, "draw": 3}
GRADES = ["live", "async", "solo", "imported", "beacon", "branch"]


def prefix(label):
    return b"fairdice/v1/" + label.encode() + b"\x00"


def u(width, number):
    return number.to_bytes(width, "big")


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def chain_walk(stream, contributor, roller, element, steps):
    start = prefix("chain") + stream + bytes([contributor, roller])
    for _ in range(steps):
        element = hashlib.sha256(start + element).digest()
    return element


def encode_spec(spec):
    return u(2, len(spec)) + b"".join(
        u(1, KINDS[g["kind"]]) + u(2, g["count"]) + u(4, g["sides"]) for g in spec)


def check_spec(spec):
    if not 1 <= len(spec) <= GROUPS_MAX:
        raise Wrong("spec: number of groups out of range")
    for i, group in enumerate(spec):
        kind, count, sides = group["kind"], group["count"], group["sides"]
        good = count >= 1 and sides >= 1
        if kind == "shuffle":
            good = good and count == sides <= POOL_MAX
        if kind == "draw":
            good = good and count <= sides <= POOL_MAX
        if not good:
            raise Wrong("spec[%d]: cannot be rolled" % i)
    if sum(g["count"] for g in spec) > VALUES_MAX:
        raise Wrong("spec: too many values")


def anchors_digest(epoch, contributor):
    slots = [c["slot"] for c in epoch["contributors"]]
    return sha256(prefix("anchors"), epoch["stream"], u(1, epoch["suite"]), epoch["vrf_pk"],
                  u(4, epoch["chain_length"]), u(1, GRADES.index(epoch["policy"])),
                  epoch["rules_hash"], u(1, contributor["slot"]), u(1, contributor["custodial"]),
                  u(1, len(slots)),
                  *(u(1, slot) + anchor for slot, anchor in zip(slots, contributor["anchors"])))


def request_digest(stream, request):
    return sha256(prefix("request"), stream, request["prev_event"], u(1, request["roller"]),
                  u(8, request["number"]), request["order_event"], encode_spec(request["spec"]),
                  request["v"], request["idempotency_key"])


def reveal_digest(stream, digest, contributor, v):
    return sha256(prefix("reveal"), stream, digest, u(1, contributor), v)


def unlock_digest(stream, epoch_hash, contributor, roller, up_to, v):
    return sha256(prefix("unlock"), stream, epoch_hash, u(1, contributor), u(1, roller),
                  u(8, up_to), v)


def make_alpha(epoch_hash, stream, roller, number, contributions, beacon):
    """contributions: (slot, v) pairs, slots ascending."""
    out = prefix("alpha") + epoch_hash + stream + u(1, roller) + u(8, number)
    out += u(1, len(contributions)) + b"".join(u(1, slot) + v for slot, v in contributions)
    if beacon is None:
        return out + b"\x00"
    return out + b"\x01" + u(8, beacon["round"]) + beacon["randomness"]


def seal_of(beta):
    return sha256(prefix("seal"), beta)


class ByteStream:
    def __init__(self, beta):
        self.beta, self.used, self.block = beta, 0, b""

    def next(self):
        if self.used % 32 == 0:
            message = prefix("expand") + u(4, self.used // 32)
            self.block = hmac.new(self.beta, message, hashlib.sha256).digest()
        self.used += 1
        return self.block[(self.used - 1) % 32]

    def uniform(self, n):
        if n == 1:
            return 0
        width = 1 if n <= 256 else 2 if n <= 65536 else 4
        limit = 256**width - 256**width % n
        while True:
            value = 0
            for _ in range(width):
                value = value << 8 | self.next()
            if value < limit:
                return value % n


def derive_values(beta, spec):
    stream, values = ByteStream(beta), []
    for group in spec:
        pool = list(range(group["sides"])) if group["kind"] != "dice" else []
        if group["kind"] == "dice":
            values += [1 + stream.uniform(group["sides"]) for _ in range(group["count"])]
        elif group["kind"] == "shuffle":
            for i in range(len(pool) - 1, 0, -1):
                j = stream.uniform(i + 1)
                pool[i], pool[j] = pool[j], pool[i]
            values += pool
        else:
            values += [pool.pop(stream.uniform(len(pool))) for _ in range(group["count"])]
    return values


# ---- Reading, strictly: a field too many is as wrong as one too few ------------------------------

U8, U16, U32, EXACT = 2**8 - 1, 2**16 - 1, 2**32 - 1, 2**53 - 1


def hexadecimal(size):
    def read(value, path):
        if not isinstance(value, str) or len(value) != 2 * size:
            raise Wrong("%s: not %d bytes in hexadecimal" % (path, size))
        if any(c not in "0123456789abcdef" for c in value):
            raise Wrong("%s: not lower-case hexadecimal" % path)
        return bytes.fromhex(value)
    return read


def whole(most):
    def read(value, path):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise Wrong("%s: not a whole number up to %d" % (path, most))
        return value
    return read


def flag(value, path):
    if not isinstance(value, bool):
        raise Wrong("%s: not true or false" % path)
    return value


def word(known):
    def read(value, path):
        if not isinstance(value, str) or value not in known:
            raise Wrong("%s: unknown" % path)
        return value
    return read


def array(read_element):
    def read(value, path):
        if not isinstance(value, list):
            raise Wrong("%s: not an array" % path)
        return [read_element(v, "%s[%d]" % (path, i)) for i, v in enumerate(value)]
    return read


def record(fields, optional=()):
    def read(value, path):
        if not isinstance(value, dict):
            raise Wrong("%s: not an object" % path)
        for name in value:
            if name not in fields:
                raise Wrong("%s.%s: unknown field" % (path, name))
        for name in fields:
            if name not in value and name not in optional:
                raise Wrong("%s.%s: missing" % (path, name))
        return {name: fields[name](v, "%s.%s" % (path, name)) for name, v in value.items()}
    return read


READ_TRANSCRIPT = record({
    "format": word(["wardiary-dice/1"]),
    "epoch": record({
        "hash": hexadecimal(32), "stream": hexadecimal(16), "suite": whole(U8),
        "vrf_pk": hexadecimal(32), "chain_length": whole(U32), "policy": word(GRADES),
        "rules_hash": hexadecimal(32),
        "contributors": array(record({
            "slot": whole(U8), "custodial": flag, "key": hexadecimal(32),
            "anchors": array(hexadecimal(32)), "signature": hexadecimal(64)})),
    }),
    "counters": array(whole(EXACT)),
    "rolls": array(record({
        "grade": word(GRADES),
        "request": record({
            "roller": whole(U8), "number": whole(EXACT), "prev_event": hexadecimal(32),
            "order_event": hexadecimal(32),
            "spec": array(record({"kind": word(KINDS), "count": whole(U16), "sides": whole(U32)})),
            "v": hexadecimal(32), "idempotency_key": hexadecimal(16)}),
        "signature": hexadecimal(64),
        "disclosures": array(record({
            "contributor": whole(U8), "up_to": whole(EXACT), "v": hexadecimal(32),
            "signature": hexadecimal(64)}, optional=["up_to"])),
        "beacon": record({"round": whole(EXACT), "randomness": hexadecimal(32)}),
        "sealed": flag, "seal": hexadecimal(32), "pi": hexadecimal(80), "values": array(whole(U32)),
    }, optional=["beacon", "seal", "pi", "values"])),
})

# ---- Checking ------------------------------------------------------------------------------------


class EpochVerifier:
    def __init__(self, epoch):
        self.epoch, self.keys, self.counts, self.known = epoch, {}, {}, {}
        if epoch["suite"] != 3:
            raise Wrong("suite: unknown")
        self.vrf_point = decode_strong(epoch["vrf_pk"])
        if self.vrf_point is None:
            raise Wrong("vrf_pk: not a point of prime order")
        if not 1 <= epoch["chain_length"] <= CHAIN_LENGTH_MAX:
            raise Wrong("chain_length: out of range")
        if epoch["policy"] in ("imported", "branch"):
            raise Wrong("policy: carries no proof")
        contributors = epoch["contributors"]
        if not 1 <= len(contributors) <= 255:
            raise Wrong("contributors: must be 1 to 255")
        if (epoch["policy"] == "solo") != (len(contributors) == 1):
            raise Wrong("policy: solo means one contributor, anything else more")
        for i, contributor in enumerate(contributors):
            try:
                self.check_contributor(contributor)
            except Wrong as wrong:
                raise Wrong("contributors[%d].%s" % (i, wrong))

    def check_contributor(self, contributor):
        slot, key = contributor["slot"], contributor["key"]
        if self.keys and slot <= max(self.keys):
            raise Wrong("slot: not ascending")
        point = decode_strong(key)
        if point is None:
            raise Wrong("key: not a point of prime order")
        if key in (known for known, _ in self.keys.values()):
            raise Wrong("key: used by another contributor")
        if len(contributor["anchors"]) != len(self.epoch["contributors"]):
            raise Wrong("anchors: one is needed for each contributor")
        digest = anchors_digest(self.epoch, contributor)
        if not signature_holds(key, point, digest, contributor["signature"]):
            raise Wrong("signature: not by this key over these terms and anchors")
        self.keys[slot] = key, point
        for other, anchor in zip(self.epoch["contributors"], contributor["anchors"]):
            self.known[slot, other["slot"]] = 0, anchor

    def chain_holds(self, contributor, roller, number, element):
        """Against the element proven before, so that a game costs one hash a roll."""
        if number >= self.epoch["chain_length"]:
            return False
        depth, known = self.known[contributor, roller]
        stream = self.epoch["stream"]
        if number + 1 <= depth:
            return chain_walk(stream, contributor, roller, known, depth - number - 1) == element
        if chain_walk(stream, contributor, roller, element, number + 1 - depth) != known:
            return False
        self.known[contributor, roller] = number + 1, element
        return True

    def check_grade(self, roll):
        grade, policy = roll["grade"], self.epoch["policy"]
        if grade != policy and not (policy == "async" and grade == "live"):
            raise Wrong("grade: not what was agreed on")
        if ("beacon" in roll) != (grade == "beacon"):
            raise Wrong("beacon: belongs to a roll of grade beacon, and only there")
        unlocked = any("up_to" in d for d in roll["disclosures"])
        if (grade == "live" and unlocked) or (grade == "async" and not unlocked):
            raise Wrong("grade: contradicted by when the opponents contributed")

    def contribution(self, request, digest, disclosure):
        """An opponent's element of this roll, by a reveal or by an unlock."""
        stream, slot, roller = self.epoch["stream"], disclosure["contributor"], request["roller"]
        number, v = disclosure.get("up_to", request["number"]), disclosure["v"]
        if number < request["number"]:
            raise Wrong("up_to: does not reach this roll")
        if "up_to" in disclosure:
            signed = unlock_digest(stream, self.epoch["hash"], slot, roller, number, v)
        else:
            signed = reveal_digest(stream, digest, slot, v)
        if not signature_holds(*self.keys[slot], signed, disclosure["signature"]):
            raise Wrong("signature: not by this contributor over this contribution")
        if not self.chain_holds(slot, roller, number, v):
            raise Wrong("v: does not lead to the anchor")
        return chain_walk(stream, slot, roller, v, number - request["number"])

    def collect(self, roll, digest):
        request, disclosures, out, i = roll["request"], roll["disclosures"], [], 0
        for slot in self.keys:
            if slot == request["roller"]:
                if not self.chain_holds(slot, slot, request["number"], request["v"]):
                    raise Wrong("request.v: does not lead to the anchor")
                out.append((slot, request["v"]))
                continue
            if i == len(disclosures) or disclosures[i]["contributor"] != slot:
                raise Wrong("disclosures[%d].contributor: slot %d must be here" % (i, slot))
            try:
                out.append((slot, self.contribution(request, digest, disclosures[i])))
            except Wrong as wrong:
                raise Wrong("disclosures[%d].%s" % (i, wrong))
            i += 1
        if i != len(disclosures):
            raise Wrong("disclosures[%d]: too many" % i)
        return out

    def check(self, roll):
        """One roll. Returns a sentence saying what was checked."""
        request, roller = roll["request"], roll["request"]["roller"]
        if roller not in self.keys:
            raise Wrong("request.roller: not a contributor")
        if request["number"] != self.counts.get(roller, 0):
            raise Wrong("request.number: expected %d" % self.counts.get(roller, 0))
        if request["number"] >= self.epoch["chain_length"]:
            raise Wrong("request.number: beyond the contribution chains")
        try:
            check_spec(request["spec"])
        except Wrong as wrong:
            raise Wrong("request.%s" % wrong)
        self.check_grade(roll)
        digest = request_digest(self.epoch["stream"], request)
        if not signature_holds(*self.keys[roller], digest, roll["signature"]):
            raise Wrong("signature: not by the roller over this request")
        contributions = self.collect(roll, digest)
        said = "%d signature(s), %d contribution(s)" % (len(contributions), len(contributions))
        self.counts[roller] = request["number"] + 1
        if ("seal" in roll) != roll["sealed"]:
            raise Wrong("seal: belongs to a sealed roll, and only there")
        if "pi" not in roll:
            if not roll["sealed"]:
                raise Wrong("pi: missing from a roll that is not sealed")
            if "values" in roll:
                raise Wrong("values: present in a roll that is not opened")
            return said + "; sealed, not yet opened"
        if "values" not in roll:
            raise Wrong("values: missing")
        alpha = make_alpha(self.epoch["hash"], self.epoch["stream"], roller, request["number"],
                           contributions, roll.get("beacon"))
        beta = vrf_verify(self.epoch["vrf_pk"], self.vrf_point, alpha, roll["pi"])
        if roll["sealed"] and roll["seal"] != seal_of(beta):
            raise Wrong("seal: not of this roll")
        if derive_values(beta, request["spec"]) != roll["values"]:
            raise Wrong("values: not what the proof yields")
        said += ", proof, values" + (", seal" if roll["sealed"] else "")
        return said + ("; the beacon's own signature is not checked" if "beacon" in roll else "")


def describe(roll):
    request = roll["request"]
    spec = " + ".join("%s %d of %d" % (g["kind"], g["count"], g["sides"]) if g["kind"] != "dice"
                      else "%dd%d" % (g["count"], g["sides"]) for g in request["spec"])
    values = roll.get("values", [])
    shown = " ".join(map(str, values[:12])) + (" ..." if len(values) > 12 else "")
    return "roller %d number %d, %s: %s = %s" % (
        request["roller"], request["number"], roll["grade"], spec, shown or "?")


def verify_transcript(raw, say=lambda line: None):
    """Raises Wrong, or returns the number of rolls found good."""
    transcript = READ_TRANSCRIPT(raw, "transcript")
    try:
        verifier = EpochVerifier(transcript["epoch"])
    except Wrong as wrong:
        raise Wrong("epoch.%s" % wrong)
    say("  epoch: %d contributor(s), policy %s: keys, terms and anchors good" % (
        len(verifier.keys), transcript["epoch"]["policy"]))
    last = -1
    for i, roll in enumerate(transcript["rolls"]):
        try:
            if roll["request"]["roller"] < last:
                raise Wrong("request.roller: rolls are not in order")
            last = roll["request"]["roller"]
            checked = verifier.check(roll)
        except Wrong as wrong:
            raise Wrong("rolls[%d].%s" % (i, wrong))
        say("  %s (%s: good)" % (describe(roll), checked))
    if transcript["counters"] != [verifier.counts.get(slot, 0) for slot in verifier.keys]:
        raise Wrong("counters: not the number of rolls given")
    return len(transcript["rolls"])


def verify_document(document, say=lambda line: None):
    """A transcript, or a bundle of them. Returns the number of rolls; raises Wrong."""
    if not isinstance(document, dict):
        raise Wrong("document: not an object")
    if document.get("format") != "wardiary-dice-set/1":
        return verify_transcript(document, say)
    if not isinstance(document.get("dice"), list):
        raise Wrong("dice: not an array")
    rolls = 0
    for i, transcript in enumerate(document["dice"]):
        try:
            rolls += verify_transcript(transcript, say)
        except Wrong as wrong:
            raise Wrong("dice[%d]: %s" % (i, wrong))
    return rolls


def main(arguments):
    quiet = "--quiet" in arguments
    files = [a for a in arguments if a != "--quiet"]
    if not files or any(f.startswith("-") for f in files):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for name in files:
        try:
            if not quiet:
                print(name)
            say = (lambda line: None) if quiet else print
            with open(name, "rb") as file:
                data = file.read()
            if data.startswith(b"wardiary-bundle/"):
                import verify_bundle
                rolls = verify_bundle.verify(data, say)
            else:
                rolls = verify_document(json.loads(data.decode("utf-8")), say)
            print("%s: good, %d roll(s)" % (name, rolls))
        except (OSError, ValueError, RecursionError) as error:
            print("%s: cannot be read: %s" % (name, error))
            status = 1
        except Wrong as wrong:
            print("%s: WRONG: %s" % (name, wrong))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

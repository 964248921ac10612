"""Reads a game's bundle ("wardiary-bundle/1", docs/formats.md) and checks it: checksum, contents,
hash chain, Merkle tree, signed checkpoint and every proven roll. What needs the rules of the game
(whether orders were legal) is left to `wardiary verify`.

Standard library only; used by verify_dice.py, which must stand beside it.
"""
import base64
import hashlib
import struct

from verify_curve import Wrong, decode_strong, signature_holds, vrf_verify
from verify_dice import (CHAIN_LENGTH_MAX, GRADES, KINDS, chain_walk, check_spec, derive_values,
                         make_alpha, prefix, request_digest, reveal_digest, seal_of, sha256, u,
                         unlock_digest)

MAGIC = b"wardiary-bundle/1\n"
GAME_CREATED, ORDER_ISSUED, DICE_ROLLED, EPOCH_OPENED = 1, 4, 9, 10
ROLL_REQUESTED, ROLL_REVEALED, ROLLS_UNLOCKED, ROLL_SEALED, ROLL_OPENED = 11, 12, 13, 14, 15
EPOCH_DRAFTED, CONTRIBUTOR_JOINED, ORDER_SUSPENDED, ROLL_ABANDONED = 26, 27, 28, 29
OF_DICE = {ORDER_ISSUED, DICE_ROLLED, EPOCH_OPENED, ROLL_REQUESTED, ROLL_REVEALED, ROLLS_UNLOCKED,
           ROLL_SEALED, ROLL_OPENED, EPOCH_DRAFTED, CONTRIBUTOR_JOINED, ORDER_SUSPENDED,
           ROLL_ABANDONED}
CONTENTS_MAX, BRANCHES_MAX, EVENTS_MAX = 64, 10_000, 10_000_000


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count, what):
        if count > len(self.data) - self.at:
            raise Wrong("byte %d, %s: the file ends here" % (self.at, what))
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, width, what, most=None):
        value = int.from_bytes(self.take(width, what), "big")
        if most is not None and value > most:
            raise Wrong("byte %d, %s: %d is more than %d" % (self.at - width, what, value, most))
        return value

    def text(self, what, most):
        raw = self.take(self.number(4, what, most), what)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise Wrong("byte %d, %s: not UTF-8" % (self.at, what))


class Branch:
    def __init__(self, reader, what):
        self.id, self.parent = reader.take(16, what), reader.take(16, what)
        self.forked_at, self.version = reader.number(8, what), reader.number(8, what)
        self.hash, self.put_away = reader.take(32, what), reader.number(1, what, 1)
        self.name, self.reason = reader.text(what, 200), reader.text(what, 2000)
        self.above = None  # the parent's Branch
        self.hashes = []   # event hashes of its own events

    def hash_at(self, version):
        """The recorded hash of a version of its line; None if it is not there yet."""
        if self.above is not None and version <= self.forked_at:
            return self.above.hash_at(version)
        own = version - self.forked_at - 1
        return self.hashes[own] if 0 <= own < len(self.hashes) else None


# ---- FlatBuffers: only what is needed to look at a few fields ------------------------------------


def unpack(data, form, at):
    if at < 0 or at + struct.calcsize(form) > len(data):
        raise Wrong("an offset outside the event")
    return struct.unpack_from(form, data, at)[0]


class Table:
    def __init__(self, data, at):
        self.data, self.at = data, at
        self.vtable = at - self.unpack("<i", at)
        self.size = self.unpack("<H", self.vtable)

    def unpack(self, form, at):
        return unpack(self.data, form, at)

    def place(self, field):
        entry = 4 + 2 * field
        offset = self.unpack("<H", self.vtable + entry) if entry + 2 <= self.size else 0
        return self.at + offset if offset else None

    def number(self, field, form="<B", default=0):
        place = self.place(field)
        return default if place is None else self.unpack(form, place)

    def follow(self, field):
        place = self.place(field)
        return None if place is None else place + self.unpack("<I", place)

    def table(self, field):
        place = self.follow(field)
        if place is None:
            raise Wrong("a table is missing")
        return Table(self.data, place)

    def vector(self, field, width):
        """(place of the first element, count)"""
        place = self.follow(field)
        if place is None:
            return 0, 0
        count = self.unpack("<I", place)
        if place + 4 + count * width > len(self.data):
            raise Wrong("a vector is longer than the event")
        return place + 4, count

    def bytes(self, field, size=None):
        first, count = self.vector(field, 1)
        if size is not None and count != size:
            raise Wrong("%d bytes where %d belong" % (count, size))
        return self.data[first:first + count]

    def numbers(self, field):
        first, count = self.vector(field, 4)
        return list(struct.unpack_from("<%dI" % count, self.data, first)) if count else []

    def tables(self, field):
        first, count = self.vector(field, 4)
        return [Table(self.data, at + self.unpack("<I", at))
                for at in range(first, first + 4 * count, 4)]

    def groups(self, field):
        first, count = self.vector(field, 12)
        names = {number: name for name, number in KINDS.items()}
        out = []
        for i in range(count):
            kind, dice, sides = struct.unpack_from("<BxHI", self.data, first + 12 * i)
            if kind not in names:
                raise Wrong("groups: unknown kind %d" % kind)
            out.append({"kind": names[kind], "count": dice, "sides": sides})
        return out


def payload_of(data, expected):
    root = Table(data, unpack(data, "<I", 0))
    if root.number(0) != expected:
        raise Wrong("type: stored as %d, holds %d" % (expected, root.number(0)))
    return root.table(1)


# ---- Chain, tree, checkpoint ---------------------------------------------------------------------


class Tree:
    """RFC 6962, leaf by leaf."""

    def __init__(self):
        self.edge, self.size = [], 0  # complete subtrees (leaves, hash), largest first

    def add(self, leaf):
        self.size += 1
        self.edge.append((1, hashlib.sha256(b"\0" + leaf).digest()))
        while len(self.edge) > 1 and self.edge[-1][0] == self.edge[-2][0]:
            (n, left), (_, right) = self.edge[-2:]
            self.edge[-2:] = [(2 * n, hashlib.sha256(b"\1" + left + right).digest())]

    def root(self):
        out = self.edge[-1][1]
        for _, left in reversed(self.edge[:-1]):
            out = hashlib.sha256(b"\1" + left + out).digest()
        return out


def check_checkpoint(note, key_line, game, tree):
    origin = "wardiary/" + game.hex()
    try:
        name, key_id, encoded = key_line.split("+", 2)
        raw = base64.b64decode(encoded, validate=True)
        head, signatures = note.split("\n\n", 1)
        first, size, root = head.split("\n")
        good_root = base64.b64encode(tree.root()).decode()
    except ValueError:
        raise Wrong("checkpoint: not of its form")
    key, point = raw[1:], decode_strong(raw[1:]) if len(raw) == 33 else None
    digest = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if raw[:1] != b"\1" or point is None or digest.hex() != key_id:
        raise Wrong("log key: not of its form")
    if name != origin or first != origin:
        raise Wrong("checkpoint: of another log than %s" % origin)
    if size != str(tree.size):
        raise Wrong("checkpoint: signed for %s events, there are %d" % (size, tree.size))
    if root != good_root:
        raise Wrong("checkpoint: another root is signed than the events give")
    for line in signatures.split("\n"):
        if not line.startswith("\u2014 " + name + " "):
            continue
        try:
            signature = base64.b64decode(line.rsplit(" ", 1)[1], validate=True)
        except ValueError:
            continue
        if len(signature) == 68 and signature[:4] == digest and signature_holds(
                key, point, (head + "\n").encode(), signature[4:]):
            return
    raise Wrong("checkpoint: not signed by the log's key")


# ---- Dice ----------------------------------------------------------------------------------------


class Roll:
    """A request, and what the other contributors have disclosed for it."""

    def __init__(self, version, event, prev_event, order):
        self.version, self.order = version, order
        self.roller, self.number = event.number(0), event.number(1, "<Q")
        self.spec = event.groups(3)
        self.request = {
            "roller": self.roller, "number": self.number, "prev_event": prev_event,
            "order_event": order.hash, "spec": self.spec, "v": event.bytes(4, 32),
            "idempotency_key": event.bytes(5, 16)}
        self.digest = request_digest(order.stream, self.request)
        self.disclosed, self.advance, self.seal = {}, False, None


class Waiting:
    """An order that waits for its rolls."""

    def __init__(self, version, event_hash, stream, order, at_ms):
        self.version, self.hash, self.stream, self.order = version, event_hash, stream, order
        self.at_ms, self.rolls, self.done, self.issued = at_ms, [], 0, False


def order_key(order):
    """Everything an order says."""
    return (order.bytes(0), order.number(1, "<b"), [
        (a.bytes(0), a.numbers(1), a.bytes(2)) for a in order.tables(2)])


class BranchDice:
    """The dice of one branch: epochs, and everything that players and service give for a roll."""

    def __init__(self, branch, policy, counts):
        self.branch, self.policy, self.counts = branch, policy, counts
        self.slots, self.keys, self.known, self.first = None, {}, {}, {}
        self.draft, self.joined, self.live, self.unlocks = None, {}, False, {}
        self.waiting, self.sealed, self.now_ms = None, {}, 0
        self.proven, self.unproven, self.abandoned = 0, 0, 0

    # ---- epochs

    def terms(self, event, policy):
        stream, key, length = event.bytes(0, 16), event.bytes(1, 32), event.number(3, "<I")
        if stream != self.branch.id:
            raise Wrong("stream: of another branch")
        point = decode_strong(key)
        if event.number(2) != 3 or point is None:
            raise Wrong("vrf_key: unknown suite, or not a point of prime order")
        if not 1 <= length <= CHAIN_LENGTH_MAX:
            raise Wrong("chain_length: out of range")
        if event.bytes(4, 32) != self.rules:
            raise Wrong("rules_hash: not that of the game's rules, options and contents")
        if policy != self.policy:
            raise Wrong("policy: not that of the game")
        return stream, key, point, length

    def drafted(self, version, event, event_hash, rules):
        self.rules = rules
        if self.draft or self.waiting:
            raise Wrong("a draft, while another or an order waits")
        terms, slots = self.terms(event, event.number(5)), list(event.bytes(6))
        if len(slots) < 2 or sorted(set(slots)) != slots:
            raise Wrong("slots: not two or more, ascending")
        self.draft, self.joined = (version, terms, slots, event.number(7, "<I")), {}

    def join(self, event):
        contributor = event.table(1)
        slot = contributor.number(0)
        if not self.draft or event.number(0, "<Q") != self.draft[0]:
            raise Wrong("drafted: not the open draft")
        if slot not in self.draft[2] or slot in self.joined:
            raise Wrong("slot: not one that is to join")
        if any(contributor.bytes(2, 32) == other[1] for other in self.joined.values()):
            raise Wrong("key: used by another contributor")
        joined = self.contributor(contributor, self.draft[1])
        if [roller for roller, _ in joined[2]] != self.draft[2]:
            raise Wrong("anchors: one is needed for each contributor")
        self.joined[slot] = joined

    def contributor(self, contributor, terms):
        """(slot, key, anchors, custodial, signature), its signature checked."""
        stream, vrf_key, _, length = terms
        slot, key = contributor.number(0), contributor.bytes(2, 32)
        anchors = [(a.number(0), a.bytes(1, 32)) for a in contributor.tables(3)]
        if sorted(set(anchors)) != anchors:
            raise Wrong("contributors[%d].anchors: rollers not ascending" % slot)
        custodial, signature = contributor.number(5), contributor.bytes(4, 64)
        digest = sha256(prefix("anchors"), stream, u(1, 3), vrf_key, u(4, length),
                        u(1, self.policy), self.rules, u(1, slot), u(1, custodial),
                        u(1, len(anchors)), *(u(1, r) + anchor for r, anchor in anchors))
        point = decode_strong(key)
        if point is None or not signature_holds(key, point, digest, signature):
            raise Wrong("contributors[%d].signature: not over these terms and anchors" % slot)
        return slot, key, anchors, custodial, signature, point

    def open(self, event, event_hash, rules):
        self.rules = rules
        drafted, policy = event.number(9, "<Q"), event.number(6, default=GRADES.index("solo"))
        if not drafted and policy == GRADES.index("solo"):
            policy = self.policy  # the first logs do not state it
        terms = self.terms(event, policy)
        first = {f.number(0): f.number(1, "<Q") for f in event.tables(7)}
        made = {roller & 255: count for roller, count in self.counts.items() if count}
        if drafted:
            if not self.draft or drafted != self.draft[0] or terms != self.draft[1]:
                raise Wrong("drafted: not as it was drafted")
            if set(self.joined) != set(self.draft[2]) or event.number(8, "<I") != self.draft[3]:
                raise Wrong("contributors: not those that joined")
            if first != made:
                raise Wrong("first: not the rolls made so far")
        else:
            if self.policy in (GRADES.index("live"), GRADES.index("async")):
                raise Wrong("drafted: none")
            if self.slots is not None and not (
                    first == made and any(self.nearly_used_up(roller) for roller in made)):
                raise Wrong("a second epoch, though no chain is used up")
            if self.slots is None and first:
                raise Wrong("first: in a first epoch")
        slots, keys, known = [], {}, {}
        for each in event.tables(5):
            joined = self.contributor(each, terms)
            slot, key, anchors, custodial, _, point = joined
            if slots and slot <= slots[-1]:
                raise Wrong("contributors: slots not ascending")
            if drafted and self.joined.get(slot) != joined:
                raise Wrong("contributors[%d]: not as it joined" % slot)
            slots.append(slot)
            keys[slot] = key, point, custodial
            known.update({(slot, roller): (0, anchor) for roller, anchor in anchors})
        if not slots or (drafted and slots != self.draft[2]):
            raise Wrong("contributors: none, or not all")
        self.stream, self.key, self.point, self.length = terms
        self.epoch_hash, self.slots, self.keys, self.known = event_hash, slots, keys, known
        self.first, self.live, self.unlocks, self.draft = first, bool(drafted), {}, None
        self.answer_within = event.number(8, "<I")

    def next_number(self, roller):
        count = self.counts.get(roller - 256 if roller > 127 else roller, 0)
        waiting = self.waiting.rolls[self.waiting.done:] if self.waiting else []
        return count - self.first.get(roller, 0) + sum(r.roller == roller for r in waiting)

    def nearly_used_up(self, roller):
        return self.length - min(self.length, self.next_number(roller)) < min(64, self.length // 2)

    def element_holds(self, slot, roller, number, element):
        if (slot, roller) not in self.known or number >= self.length:
            return False
        depth, known = self.known[slot, roller]
        if number + 1 <= depth:
            return chain_walk(self.stream, slot, roller, known, depth - number - 1) == element
        if chain_walk(self.stream, slot, roller, element, number + 1 - depth) != known:
            return False
        self.known[slot, roller] = number + 1, element
        return True

    def signed(self, slot, digest, signature):
        key, point, _ = self.keys[slot]
        return signature_holds(key, point, digest, signature)

    # ---- orders that wait, and what is given for their rolls

    def begin(self, at_ms):
        """A commit begins: was everything rolled that was asked for?"""
        self.now_ms = at_ms
        if self.waiting and self.waiting.issued:
            done, asked, self.waiting = self.waiting.done, len(self.waiting.rolls), None
            if done != asked:
                raise Wrong("rolls: %d made of %d that were requested" % (done, asked))

    def suspend(self, version, event, event_hash):
        if not self.live or self.draft or self.waiting:
            raise Wrong("an order that waits, where none can")
        self.waiting = Waiting(version, event_hash, self.stream, order_key(event.table(0)),
                               self.now_ms)

    def issue(self, event):
        if self.waiting and order_key(event) != self.waiting.order:
            raise Wrong("order: another than the one that waits")
        if self.waiting:
            self.waiting.issued = True

    def missing(self, roll):
        return [s for s in self.slots if s != roll.roller and s not in roll.disclosed]

    def request(self, version, event, prev_event):
        waiting = self.waiting
        if not waiting or waiting.issued or event.number(2, "<Q") != waiting.version:
            raise Wrong("order: not the one that waits")
        if waiting.rolls and self.missing(waiting.rolls[-1]):
            raise Wrong("a request before the reveals of the one before it")
        roll = Roll(version, event, prev_event, waiting)
        if roll.roller not in self.keys:
            raise Wrong("roller: not a contributor")
        if roll.number != self.next_number(roll.roller):
            raise Wrong("number: is %d, expected %d" % (roll.number,
                                                        self.next_number(roll.roller)))
        check_spec(roll.spec)
        if not self.element_holds(roll.roller, roll.roller, roll.number, roll.request["v"]):
            raise Wrong("element: does not lead to the roller's anchor")
        if not self.signed(roll.roller, roll.digest, event.bytes(6, 64)):
            raise Wrong("signature: not by the roller over this request")
        for slot in self.slots:
            up_to, element = self.unlocks.get((slot, roll.roller), (-1, None))
            if up_to >= roll.number:
                roll.disclosed[slot] = chain_walk(self.stream, slot, roll.roller, element,
                                                  up_to - roll.number)
                roll.advance = True
        roll.at_ms = self.now_ms
        waiting.rolls.append(roll)

    def reveal(self, event):
        request, slot, element = event.number(0, "<Q"), event.number(1), event.bytes(2, 32)
        rolls = self.waiting.rolls if self.waiting and not self.waiting.issued else []
        if not rolls or rolls[-1].version != request or slot not in self.missing(rolls[-1]):
            raise Wrong("request: not one for which this contributor owes a reveal")
        roll = rolls[-1]
        if not self.element_holds(slot, roll.roller, roll.number, element):
            raise Wrong("element: does not lead to the contributor's anchor")
        if not self.signed(slot, reveal_digest(self.stream, roll.digest, slot, element),
                           event.bytes(3, 64)):
            raise Wrong("signature: not by the contributor over this request and element")
        roll.disclosed[slot] = element

    def unlock(self, event):
        slot, roller, up_to = event.number(0), event.number(1), event.number(2, "<Q")
        element = event.bytes(3, 32)
        if not self.live or self.policy != GRADES.index("async") or self.waiting:
            raise Wrong("an unlock, where none can be")
        if slot not in self.keys or roller not in self.keys or slot == roller:
            raise Wrong("contributor: not two contributors")
        least = max(self.next_number(roller), self.unlocks.get((slot, roller), (-1,))[0] + 1)
        if not least <= up_to < self.length:
            raise Wrong("up_to: is %d, expected %d or more" % (up_to, least))
        if not self.element_holds(slot, roller, up_to, element):
            raise Wrong("element: does not lead to the contributor's anchor")
        digest = unlock_digest(self.stream, self.epoch_hash, slot, roller, up_to, element)
        if not self.signed(slot, digest, event.bytes(4, 64)):
            raise Wrong("signature: not by the contributor over what it unlocks")
        self.unlocks[slot, roller] = up_to, element

    def seal(self, version, event):
        rolls = self.waiting.rolls if self.waiting and not self.waiting.issued else []
        for roll in rolls:
            if roll.version != event.number(0, "<Q"):
                continue
            number = roll.number + self.first.get(roll.roller, 0)
            if roll.seal or self.missing(roll) or event.number(4) != 3:
                raise Wrong("request: sealed twice, or not complete")
            if event.number(1, "<b") & 255 != roll.roller or event.number(2, "<Q") != number:
                raise Wrong("number: not that of the request")
            roll.seal = version, event.bytes(5, 32)
            return
        raise Wrong("request: not one of the order that waits")

    def open_seal(self, event):
        proof, values = self.sealed.pop(event.number(0, "<Q"), (None, None))
        if proof != event.bytes(1, 80) or values != event.numbers(2):
            raise Wrong("proof or values: not those of the sealed roll")

    def abandon(self, event):
        waiting = self.waiting
        if not waiting or waiting.issued or event.number(2, "<Q") != waiting.version:
            raise Wrong("order: not the one that waits")
        roll = waiting.rolls[waiting.done] if waiting.done < len(waiting.rolls) else None
        if event.number(3, "<Q") != (roll.version if roll else 0):
            raise Wrong("request: not the next one of the order")
        side, number = event.number(0, "<b"), event.number(1, "<Q")
        if (side & 255 != roll.roller) if roll else (side & 255 not in self.keys):
            raise Wrong("roller: not that of the request")
        if number != self.counts.get(side, 0):
            raise Wrong("number: is %d, expected %d" % (number, self.counts.get(side, 0)))
        owing = self.missing(waiting.rolls[-1]) if waiting.rolls else []
        owed = list(event.bytes(4))
        if not owed or (owing and owed != owing) or (not roll and owed != [side & 255]):
            raise Wrong("owed_by: not those who owe it")
        since = waiting.rolls[-1].at_ms if waiting.rolls else waiting.at_ms
        lapsed = self.answer_within and self.now_ms >= since + 1000 * self.answer_within
        agreed = [(a.number(0), a.bytes(1, 64)) for a in event.tables(5)]
        must = [s for s in self.slots if not self.keys[s][2] and not (lapsed and s in owed)]
        digest = sha256(prefix("abandon"), self.stream, self.epoch_hash, waiting.hash)
        if [slot for slot, _ in agreed] != must or not all(
                self.signed(slot, digest, signature) for slot, signature in agreed):
            raise Wrong("agreed: not by everybody who must")
        self.counts[side] = number + 1
        self.abandoned += 1
        waiting.done += 1 if roll else 0
        if not roll or (owing and waiting.done == len(waiting.rolls)):
            self.waiting = None

    # ---- rolls

    def roll(self, event, visible_to=0):
        roller, number = event.number(0, "<b"), event.number(1, "<Q")
        if number != self.counts.get(roller, 0):
            raise Wrong("number: is %d, expected %d" % (number, self.counts.get(roller, 0)))
        self.counts[roller] = number + 1
        spec, values, grade = event.groups(5), event.numbers(6), event.number(12)
        check_spec(spec)
        if grade >= len(GRADES):
            raise Wrong("grade: unknown")
        pi = event.bytes(15)
        if not pi:
            if grade not in (GRADES.index("imported"), GRADES.index("branch")):
                raise Wrong("proof: missing from a roll of grade %s" % GRADES[grade])
            self.unproven += 1
            return
        if self.slots is None or event.number(14) != 3 or len(pi) != 80:
            raise Wrong("proof: no epoch is open for it, or it is malformed")
        if event.number(17, "<Q") or event.bytes(18):
            raise Wrong("beacon: none was agreed on")
        slot_of, number = roller & 255, number - self.first.get(roller & 255, 0)
        elements = [(e.number(0), e.bytes(1, 32)) for e in event.tables(16)]
        seal = None
        if self.live:
            if elements:
                raise Wrong("elements: the reveals have them")
            elements, seal = self.answered(event, slot_of, number, spec, grade, visible_to)
        elif [slot for slot, _ in elements] != self.slots:
            raise Wrong("elements: not one of each contributor")
        for slot, element in elements:
            if not self.element_holds(slot, slot_of, number, element):
                raise Wrong("elements: that of slot %d does not lead to its anchor" % slot)
        alpha = make_alpha(self.epoch_hash, self.stream, slot_of, number, elements, None)
        beta = vrf_verify(self.key, self.point, alpha, pi)
        if derive_values(beta, spec) != values:
            raise Wrong("values: not what the proof yields")
        if seal:
            if seal[1] != seal_of(beta):
                raise Wrong("seal: not of this roll")
            self.sealed[seal[0]] = pi, values
        self.proven += 1

    def answered(self, event, roller, number, spec, grade, visible_to):
        """The contributions to the request that this roll answers, and its seal."""
        waiting = self.waiting
        if not waiting or not waiting.issued or waiting.done == len(waiting.rolls):
            raise Wrong("request: none is to be answered")
        roll = waiting.rolls[waiting.done]
        if event.number(13, "<Q") != roll.version or self.missing(roll):
            raise Wrong("request: not the next one, or not complete")
        if (roller, number) != (roll.roller, roll.number) or spec != roll.spec:
            raise Wrong("number or groups: not as requested")
        if grade != GRADES.index("async" if roll.advance else "live"):
            raise Wrong("grade: contradicted by when the opponents contributed")
        if bool(visible_to) != bool(roll.seal):
            raise Wrong("seal: belongs to a hidden roll, and only there")
        waiting.done += 1
        given = dict(roll.disclosed)
        given[roll.roller] = roll.request["v"]
        return [(slot, given[slot]) for slot in self.slots], roll.seal

    def owed(self):
        """What somebody still owes, in words."""
        out = ["slot %d has not joined" % s for s in (self.draft[2] if self.draft else [])
               if s not in self.joined]
        if self.waiting and not self.waiting.issued:
            missing = self.missing(self.waiting.rolls[-1]) if self.waiting.rolls else []
            out += ["slot %d owes a reveal" % s for s in missing] or [
                "an order waits for its next request or its roll"]
        return out


def rules_hash(created):
    out = hashlib.sha256(created.bytes(0) + b"\0" + created.bytes(1) + b"\0")
    for option in created.tables(3):
        out.update(option.bytes(0) + b"\0" + option.bytes(1) + b"\0")
    for content in created.tables(4):
        out.update(content.bytes(2, 32))
    return out.digest()


# ---- The file ------------------------------------------------------------------------------------


class Bundle:
    def __init__(self, data):
        self.reader = reader = Reader(data)
        if reader.take(len(MAGIC), "magic") != MAGIC:
            raise Wrong("byte 0: not a bundle of version 1")
        self.game, self.mainline = reader.take(16, "game"), reader.take(16, "mainline")
        reader.number(8, "created at")
        self.name = reader.text("name", 200)
        self.key, self.note = reader.text("log key", 65536), reader.text("checkpoint", 65536)
        self.contents, self.branches, self.by_id = set(), [], {}
        for i in range(reader.number(4, "contents", CONTENTS_MAX)):
            what = "contents[%d]" % i
            stated = reader.take(32, what)
            body = reader.take(reader.number(4, what, 16 << 20), what)
            if hashlib.sha256(body).digest() != stated:
                raise Wrong("%s: does not have its hash" % what)
            self.contents.add(stated)
        for i in range(reader.number(4, "branches", BRANCHES_MAX)):
            self.add_branch(Branch(reader, "branches[%d]" % i), i)
        self.created, self.counts, self.dice, self.tree = None, {}, {}, Tree()

    def add_branch(self, branch, i):
        if branch.id in self.by_id or (i == 0) != (branch.id == self.mainline):
            raise Wrong("branches[%d]: stands twice, or the mainline is not the first" % i)
        if i == 0:
            if branch.parent != bytes(16) or branch.forked_at:
                raise Wrong("branches[0]: the mainline has no parent")
        else:
            branch.above = self.by_id.get(branch.parent)
            if branch.above is None or not 1 <= branch.forked_at <= branch.above.version:
                raise Wrong("branches[%d]: its parent does not stand before it" % i)
        self.by_id[branch.id] = branch
        self.branches.append(branch)

    def events(self):
        reader = self.reader
        total = reader.number(8, "events", EVENTS_MAX)
        for i in range(total):
            try:
                self.event(reader, "events[%d]" % i)
            except Wrong as wrong:
                raise Wrong("events[%d], %s" % (i, wrong))
        for branch in self.branches:
            if branch.hash_at(branch.version) != branch.hash or (
                    branch.forked_at + len(branch.hashes) != branch.version):
                raise Wrong("branch %s: does not end with the version and hash it states"
                            % branch.id.hex())

    def event(self, reader, what):
        place = reader.number(4, what)
        version, kind = reader.number(8, what), reader.number(2, what)
        length, stated = reader.number(4, what, 1 << 20), reader.take(32, what)
        payload = reader.take(length, what)
        if place >= len(self.branches):
            raise Wrong("there is no branch %d" % place)
        branch = self.branches[place]
        where = "branch %s, version %d: " % (branch.id.hex(), version)
        if version != branch.forked_at + len(branch.hashes) + 1:
            raise Wrong(where + "not the next version")
        previous = bytes(32) if version == 1 else branch.hash_at(version - 1)
        if previous is None:
            raise Wrong(where + "comes before the event it follows")
        made = sha256(prefix("event"), branch.id, u(8, version), previous, u(2, kind),
                      hashlib.sha256(payload).digest())
        if made != stated:
            raise Wrong(where + "does not have its hash")
        branch.hashes.append(made)
        self.tree.add(branch.id + u(8, version) + made)
        try:
            self.look(branch, version, kind, payload, made)
        except Wrong as wrong:
            raise Wrong(where + str(wrong))

    def look(self, branch, version, kind, payload, event_hash):
        if self.created is None:
            self.created = payload_of(payload, GAME_CREATED)
            for content in self.created.tables(4):
                if content.bytes(2, 32) not in self.contents:
                    raise Wrong("contents: one that the game names is not in the bundle")
        if kind in OF_DICE:
            self.look_at_dice(branch, version, kind, payload, event_hash)

    def look_at_dice(self, branch, version, kind, payload, event_hash):
        dice, root = self.dice_of(branch), Table(payload, unpack(payload, "<I", 0))
        event = payload_of(payload, kind)
        if root.number(5, "<Q"):
            dice.begin(root.number(5, "<Q"))
        if kind == ORDER_ISSUED:
            dice.issue(event)
        elif kind == EPOCH_DRAFTED:
            dice.drafted(version, event, event_hash, rules_hash(self.created))
        elif kind == CONTRIBUTOR_JOINED:
            dice.join(event)
        elif kind == EPOCH_OPENED:
            dice.open(event, event_hash, rules_hash(self.created))
        elif kind == ORDER_SUSPENDED:
            dice.suspend(version, event, event_hash)
        elif kind == ROLL_REQUESTED:
            dice.request(version, event, branch.hash_at(version - 1))
        elif kind == ROLL_REVEALED:
            dice.reveal(event)
        elif kind == ROLLS_UNLOCKED:
            dice.unlock(event)
        elif kind == ROLL_SEALED:
            dice.seal(version, event)
        elif kind == ROLL_OPENED:
            dice.open_seal(event)
        elif kind == ROLL_ABANDONED:
            dice.abandon(event)
        else:
            dice.roll(event, root.number(2, "<I"))
        # What a fork goes on from: how many rolls each side had made at each roll of its parent.
        if kind in (DICE_ROLLED, ROLL_ABANDONED):
            self.counts.setdefault(branch.id, []).append((version, dict(dice.counts)))

    def dice_of(self, branch):
        if branch.id not in self.dice:
            policy = self.created.number(7) if branch.above is None else GRADES.index("branch")
            self.dice[branch.id] = BranchDice(branch, policy, self.counts_before(branch))
        return self.dice[branch.id]

    def counts_before(self, branch):
        """How many rolls each roller had made on the line where the branch was forked."""
        at = branch.forked_at
        while branch.above is not None:
            branch = branch.above
            for version, counts in reversed(self.counts.get(branch.id, [])):
                if version <= at:
                    return dict(counts)
            at = min(at, branch.forked_at)
        return {}


def verify(data, say=lambda line: None):
    """Raises Wrong, or returns the number of proven rolls."""
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        problem = "checksum: the file's bytes do not have the SHA-256 it ends with"
    else:
        problem = None
    try:
        bundle = Bundle(data)
        bundle.events()
        bundle.reader.take(32, "checksum")
        if bundle.reader.at != len(data):
            raise Wrong("byte %d: there is more after the end" % bundle.reader.at)
        check_checkpoint(bundle.note, bundle.key, bundle.game, bundle.tree)
    except (UnicodeError, struct.error) as error:
        raise Wrong("malformed: %s" % error)
    if problem:
        raise Wrong(problem)
    proven = sum(dice.proven for dice in bundle.dice.values())
    say("  \"%s\", game %s: %d events on %d branch(es): hashes, chain, tree and checkpoint good" % (
        bundle.name, bundle.game.hex(), bundle.tree.size, len(bundle.branches)))
    say("  signed with %s (compare it with the key you know the log by)" % bundle.key)
    for branch in bundle.branches:
        dice = bundle.dice.get(branch.id)
        if dice:
            say("  branch %s: %d roll(s) proven, %d without proof (imported or taken over)" % (
                branch.id.hex(), dice.proven, dice.unproven))
            if dice.abandoned:
                say("    %d roll(s) abandoned: their numbers are spent" % dice.abandoned)
            for words in dice.owed():
                say("    " + words)
    return proven

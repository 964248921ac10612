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
                         make_alpha, prefix, sha256, u)

MAGIC = b"wardiary-bundle/1\n"
GAME_CREATED, DICE_ROLLED, EPOCH_OPENED = 1, 9, 10
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


class BranchDice:
    """The rolls of one branch."""

    def __init__(self, branch, policy, counts):
        self.branch, self.policy, self.counts = branch, policy, counts
        self.slots, self.known, self.proven, self.unproven = None, {}, 0, 0

    def open(self, event, event_hash, rules):
        if self.slots is not None:
            raise Wrong("a second epoch")
        self.stream, self.epoch_hash = event.bytes(0, 16), event_hash
        self.key, self.length = event.bytes(1, 32), event.number(3, "<I")
        self.point, self.slots = decode_strong(self.key), []
        if self.stream != self.branch.id:
            raise Wrong("stream: of another branch")
        if event.number(2) != 3 or self.point is None:
            raise Wrong("vrf_key: unknown suite, or not a point of prime order")
        if not 1 <= self.length <= CHAIN_LENGTH_MAX:
            raise Wrong("chain_length: out of range")
        if event.bytes(4, 32) != rules:
            raise Wrong("rules_hash: not that of the game's rules, options and contents")
        for contributor in event.tables(5):
            self.add(contributor, event)
        if not self.slots:
            raise Wrong("contributors: none")

    def add(self, contributor, event):
        slot, key = contributor.number(0), contributor.bytes(2, 32)
        if self.slots and slot <= self.slots[-1]:
            raise Wrong("contributors: slots not ascending")
        anchors = [(a.number(0), a.bytes(1, 32)) for a in contributor.tables(3)]
        if sorted(set(anchors)) != anchors:
            raise Wrong("contributors[%d].anchors: rollers not ascending" % slot)
        digest = sha256(prefix("anchors"), self.stream, u(1, 3), self.key, u(4, self.length),
                        u(1, self.policy), event.bytes(4, 32), u(1, slot),
                        u(1, contributor.number(5)), u(1, len(anchors)),
                        *(u(1, roller) + anchor for roller, anchor in anchors))
        point = decode_strong(key)
        if point is None or not signature_holds(key, point, digest, contributor.bytes(4, 64)):
            raise Wrong("contributors[%d].signature: not over these terms and anchors" % slot)
        self.slots.append(slot)
        for roller, anchor in anchors:
            self.known[slot, roller] = 0, anchor

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

    def roll(self, event):
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
        slot_of = roller & 255
        elements = [(e.number(0), e.bytes(1, 32)) for e in event.tables(16)]
        if [slot for slot, _ in elements] != self.slots:
            raise Wrong("elements: not one of each contributor")
        for slot, element in elements:
            if not self.element_holds(slot, slot_of, number, element):
                raise Wrong("elements: that of slot %d does not lead to its anchor" % slot)
        alpha = make_alpha(self.epoch_hash, self.stream, slot_of, number, elements, None)
        if derive_values(vrf_verify(self.key, self.point, alpha, pi), spec) != values:
            raise Wrong("values: not what the proof yields")
        self.proven += 1


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
        if kind in (DICE_ROLLED, EPOCH_OPENED):
            dice = self.dice_of(branch)
            if kind == EPOCH_OPENED:
                dice.open(payload_of(payload, kind), event_hash, rules_hash(self.created))
            else:
                dice.roll(payload_of(payload, kind))
        # What a fork goes on from: how many rolls each side had made at each roll of its parent.
        dice = self.dice.get(branch.id)
        if kind == DICE_ROLLED:
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
    return proven

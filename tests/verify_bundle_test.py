#!/usr/bin/env python3
"""The independent verifier on golden bundles, whole, cut off, altered, and altered with care."""
import hashlib
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import verify_bundle as vb  # noqa: E402
from verify_curve import Wrong  # noqa: E402

DUEL = (ROOT / "tests/golden/bundles/duel.wardiary").read_bytes()
EDELWEISS = (ROOT / "tests/golden/bundles/edelweiss.wardiary").read_bytes()

LIVE = (ROOT / "tests/golden/bundles/live.wardiary").read_bytes()  # two players with own keys


def sealed(data):
    """With its checksum made good again, as somebody with intent would."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


class Bundles(unittest.TestCase):
    def test_goldens_are_good(self):
        lines = []
        self.assertEqual(vb.verify(DUEL, lines.append), 0)
        self.assertEqual(vb.verify(EDELWEISS, lines.append), 15)
        self.assertIn("15 roll(s) proven", "\n".join(lines))
        self.assertIn("2 branch(es)", "\n".join(lines))

    def test_wherever_it_is_cut_off_is_found(self):
        for size in [*range(0, 600, 7), *range(600, len(DUEL), 211), len(DUEL) - 1]:
            with self.assertRaises(Wrong, msg=size):
                vb.verify(DUEL[:size])
        with self.assertRaises(Wrong):
            vb.verify(DUEL + b"x")

    def test_whatever_byte_is_altered_is_found(self):
        for at in range(0, len(DUEL), 61):
            with self.assertRaises(Wrong, msg=at):
                vb.verify(flipped(DUEL, at))

    def test_alterations_with_a_good_checksum_are_named(self):
        body = DUEL.index(b"WDEV") - 4  # the first event's bytes
        for at, named in [(body + 30, "does not have its hash"),
                          (DUEL.index("\u2014".encode()) + 80, "checkpoint"),
                          (DUEL.index(b"wardiary-board/1"), "contents[1]")]:
            with self.assertRaises(Wrong) as caught:
                vb.verify(sealed(flipped(DUEL, at)))
            self.assertIn(named, str(caught.exception))

    def test_altered_dice_are_found_even_with_every_hash_made_good(self):
        seen = []

        class Spy(vb.BranchDice):
            def roll(self, event, visible_to=0):
                first, count = event.vector(6, 4)
                event.data = bytearray(event.data)
                event.data[first] = event.data[first] % 6 + 1
                event.data = bytes(event.data)
                seen.append(count)
                super().roll(event, visible_to)

        original, vb.BranchDice = vb.BranchDice, Spy
        try:
            with self.assertRaisesRegex(Wrong, "values: not what the proof yields"):
                vb.verify(EDELWEISS)
        finally:
            vb.BranchDice = original
        self.assertEqual(len(seen), 1)

    def test_live_dice_are_good(self):
        self.assertEqual(vb.verify(LIVE), 6)

    def test_every_altered_field_of_live_dice_is_found_with_every_hash_made_good(self):
        """For each kind of event: every byte string and number of its first one, altered."""
        fields = {
            vb.EPOCH_DRAFTED: "b0 b1 n2 n3I b4 b6", vb.CONTRIBUTOR_JOINED: "n0Q",
            vb.EPOCH_OPENED: "b0 b1 n2 n3I b4 n6 n9Q", vb.ROLL_REQUESTED: "n2Q b4 b5 b6",
            vb.ROLL_REVEALED: "n0Q n1 b2 b3", vb.DICE_ROLLED: "n13Q n14 b15"}
        altered = 0
        for kind, wanted in fields.items():
            for field in wanted.split():
                self.alter(kind, field)
                altered += 1
        self.assertGreater(altered, 20)

    def alter(self, kind, field):
        number = int(field.strip("bnIQ"))

        class Altered(vb.Bundle):
            done = False

            def look_at_dice(self, branch, version, what, payload, event_hash):
                if what == kind and not self.done:
                    event, data = vb.payload_of(payload, kind), bytearray(payload)
                    place = (event.vector(number, 1)[0] if field[0] == "b"
                             else event.place(number))
                    if place:
                        Altered.done = True
                        data[place] ^= 1
                    payload = bytes(data)
                super().look_at_dice(branch, version, what, payload, event_hash)

        original, vb.Bundle = vb.Bundle, Altered
        try:
            with self.assertRaises(Wrong, msg=(kind, field)):
                vb.verify(LIVE)
            self.assertTrue(Altered.done, (kind, field))
        finally:
            vb.Bundle = original

    def test_the_command_reads_bundles(self):
        tool = [sys.executable, ROOT / "tools/verify_dice.py"]
        done = subprocess.run([*tool, ROOT / "tests/golden/bundles/duel.wardiary"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("chain, tree and checkpoint good", done.stdout)


if __name__ == "__main__":
    unittest.main()

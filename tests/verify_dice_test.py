#!/usr/bin/env python3
"""tools/verify_dice.py on the RFC's examples, the golden transcripts and on changes to them."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = ROOT / "tools" / "verify_dice.py"
GOLDEN = ROOT / "tests" / "golden" / "dice"
NAMES = ["live", "async", "sealed", "solo", "beacon", "three"]
sys.path.insert(0, str(TOOL.parent))
import verify_dice as fd  # noqa: E402

WORDS = ["live", "async", "solo", "beacon", "imported", "dice", "shuffle", "draw"]

# RFC 9381 Appendix B.3, examples 16 to 18: key, alpha, pi, beta.
EXAMPLES = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f26f8a57ccaed74ee1b190bed1f47"
     "9d9727d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805",
     "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff66b71dda49d2de59d03450451af0"
     "26798e8f81cd2e333de5cdf4f3e140fdd8ae"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed5933bf0864a62558b3ed7f2fea45c92"
     "a465301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02",
     "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb5e33821bc613efb94db5e5b54c70"
     "a848a0bef4553a41befc57663b56373a5031"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c362d8628ee9f9e"
     "a3c0e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
     "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c452118fec1219202a0edcf038bb637"
     "3241578be7217ba85a2687f7a0310b2df19f"),
]
ORDER_EIGHT = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"


def golden(name):
    return json.loads((GOLDEN / (name + ".json")).read_text())


def is_good(document):
    try:
        fd.verify_document(document)
        return True
    except fd.Wrong:
        return False


def changes(value, turn):
    """What a value may be changed to; `turn` chooses which digit of a long text."""
    yield None
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, str(value))
    elif isinstance(value, str):
        at = turn % len(value)
        digit = {"0": "1", "f": "e"}.get(value[at]) or chr(ord(value[at]) + 1)
        yield value[:at] + digit + value[at + 1:]
        yield value[2:]
        yield value.upper()
        if value in WORDS:
            yield from WORDS
    elif isinstance(value, list):
        for i in range(len(value)):
            yield value[:i] + value[i + 1:]
            yield value[:i + 1] + value[i:]
            yield value[:i] + value[i:i + 2][::-1] + value[i + 2:]
    else:
        yield dict(value, extra=0)
        for key in value:
            yield {k: v for k, v in value.items() if k != key}


def places(value, path=()):
    """Every (path, value) of a document, root first."""
    yield path, value
    for key, child in value.items() if isinstance(value, dict) else (
            enumerate(value) if isinstance(value, list) else ()):
        yield from places(child, path + (key,))


def with_change(document, path, changed):
    if not path:
        return changed
    out = copy.deepcopy(document)
    node = out
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = changed
    return out


class Vrf(unittest.TestCase):
    def test_examples_of_the_rfc(self):
        for key, alpha, pi, beta in EXAMPLES:
            key, alpha, pi = map(bytes.fromhex, (key, alpha, pi))
            point = fd.decode_strong(key)
            self.assertEqual(fd.vrf_verify(key, point, alpha, pi).hex(), beta)
            for at in range(0, 640, 37):
                bad = bytearray(pi)
                bad[at // 8] ^= 1 << at % 8
                with self.assertRaises(fd.Wrong):
                    fd.vrf_verify(key, point, alpha, bytes(bad))
            above = (int.from_bytes(pi[48:], "little") + fd.Q).to_bytes(32, "little")
            with self.assertRaises(fd.Wrong):
                fd.vrf_verify(key, point, alpha, pi[:48] + above)
            with self.assertRaises(fd.Wrong):
                fd.vrf_verify(key, point, alpha + b"x", pi)

    def test_weak_and_mixed_points_are_refused(self):
        torsion = fd.decode(bytes.fromhex(ORDER_EIGHT))
        key, _, pi, _ = EXAMPLES[0]
        point = fd.decode(bytes.fromhex(key))
        self.assertIsNone(fd.decode_strong(bytes.fromhex(ORDER_EIGHT)))
        self.assertIsNone(fd.decode_strong(fd.encode(fd.add(point, torsion))))
        self.assertIsNone(fd.decode_strong(fd.encode(fd.IDENTITY)))
        pi = bytes.fromhex(pi)
        mixed = fd.encode(fd.add(fd.decode(pi[:32]), torsion))
        with self.assertRaises(fd.Wrong):
            fd.vrf_verify(bytes.fromhex(key), point, b"", mixed + pi[32:])

    def test_encodings_that_are_not_canonical_are_refused(self):
        for y in (fd.P, fd.P + 1, 2**255 - 1, 1 | 1 << 255, fd.P - 1 | 1 << 255):
            self.assertIsNone(fd.decode(y.to_bytes(32, "little")))


class Goldens(unittest.TestCase):
    def test_all_are_good(self):
        for name in NAMES:
            self.assertGreater(fd.verify_document(golden(name)), 0, name)

    def test_generator_writes_exactly_these(self):
        done = subprocess.run([sys.executable, str(GOLDEN / "generate.py"), "--check"])
        self.assertEqual(done.returncode, 0)

    def test_every_field_changed_fails(self):
        for name in NAMES[1:]:  # live.json has the same fields many times over
            document, turn = golden(name), 0
            for path, value in places(document):
                for changed in changes(value, turn):
                    turn += 1
                    if changed == value and type(changed) is type(value):
                        continue
                    if path == ("rolls", 1, "seal") and name == "sealed" and \
                            isinstance(changed, str) and len(changed) == 64:
                        continue  # a roll still sealed: nobody can check its seal yet
                    self.assertFalse(is_good(with_change(document, path, changed)),
                                     "%s %s %r" % (name, path, changed))
            self.assertGreater(turn, 100)

    def test_a_seal_can_be_checked_once_opened(self):
        document = golden("sealed")
        document["rolls"][0]["seal"] = document["rolls"][1]["seal"]
        with self.assertRaisesRegex(fd.Wrong, r"rolls\[0\]\.seal"):
            fd.verify_document(document)


class CommandLine(unittest.TestCase):
    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, str(TOOL), *map(str, arguments)],
                              capture_output=True, text=True)

    def test_says_per_roll_what_was_checked(self):
        done = self.run_tool(GOLDEN / "live.json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("roller 0 number 0, live: 2d6 = 1 6 (2 signature(s), 2 contribution(s), "
                      "proof, values: good)", done.stdout)

    def test_names_the_field_and_exits_1(self):
        with tempfile.TemporaryDirectory() as folder:
            document = golden("solo")
            document["rolls"][1]["values"].reverse()
            bad = pathlib.Path(folder, "bad.json")
            bad.write_text(json.dumps(document))
            done = self.run_tool("--quiet", GOLDEN / "live.json", bad)
            self.assertEqual(done.returncode, 1)
            self.assertIn("rolls[1].values: not what the proof yields", done.stdout)
            bad.write_text("{")
            self.assertEqual(self.run_tool(bad).returncode, 1)
        self.assertEqual(self.run_tool(GOLDEN / "no-such-file").returncode, 1)
        self.assertEqual(self.run_tool().returncode, 2)

    def test_checks_several_transcripts(self):
        several = {"format": "wardiary-dice-set/1", "dice": [golden("solo"), golden("live")]}
        self.assertEqual(fd.verify_document(several), 12)
        several["dice"][1]["rolls"].pop()
        with self.assertRaisesRegex(fd.Wrong, r"dice\[1\]: counters"):
            fd.verify_document(several)


if __name__ == "__main__":
    unittest.main()

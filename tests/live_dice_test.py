#!/usr/bin/env python3
"""Two players and a server with live dice: the walk-through of docs/dice.md is run line by line, a
game is played in between, across a restart of the service, and checked by every verifier.

    tests/live_dice_test.py --whole-game     plays the game to its end (some minutes)
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/http"))
from diary_service import COMMAND, Service  # noqa: E402

ROLLS = 6  # of a short game
WHOLE_GAME = "--whole-game" in sys.argv
BUNDLE_JS = """
import { readFileSync } from "node:fs";
import { verifyBundle } from "%s/http/web/src/fairdice/bundle.js";
console.log(verifyBundle(new Uint8Array(readFileSync(process.argv[1]))));
"""


def lines_of_the_walk_through():
    text = (ROOT / "docs/dice.md").read_text()
    section = text[text.index("## Two players and a server"):text.index("## For engineers")]
    return [line[2:] for block in re.findall(r"```console\n(.*?)```", section, re.S)
            for line in block.splitlines() if line.startswith("$ ")]


class WalkThrough(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="wardiary-live-"))
        (self.work / "bin").mkdir()
        (self.work / "bin/wardiary").symlink_to(COMMAND)
        (self.work / "tools").symlink_to(ROOT / "tools")
        self.variables = {}

    def tearDown(self):
        shutil.rmtree(self.work)

    def run_line(self, line, expect=0):
        line = line.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{self.service.port}")
        line = line.replace("--data diary", f"--data {self.service.data}")
        environment = {**os.environ, **self.variables,
                       "PATH": f"{self.work / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", line], cwd=self.work, env=environment, text=True,
                              capture_output=True, timeout=600)
        good = done.returncode in (1, 2) if expect == "refused" else done.returncode == expect
        self.assertTrue(good, f"{line}\n{done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def legal(self, side, token):
        answer = self.service.ask("GET", f"{self.branch}/legal?side={side}&limit=200", token=token)
        self.assertEqual(answer.status, 200, answer)
        return answer.json["orders"]

    def play(self, rolls, serve):
        """Random legal orders until so many rolls were made or the game is over."""
        generator, made, orders = random.Random(7), 0, 0
        while made < rolls:
            for side, token in self.seats.items():
                choices = self.legal(side, token)
                if choices:
                    break
            else:
                return made, orders  # the game is over
            choice = generator.choice(choices)
            # Fights are what we want to see: they come sooner if phases are ended now and then.
            ends = [o for o in choices if o["type"].startswith("End")]
            if ends and generator.random() < 0.1:
                choice = ends[0]
            answer = self.service.ask("POST", f"{self.branch}/orders", {"order": choice}, token=token)
            self.assertIn(answer.status, (200, 202), (choice, answer))
            orders += 1
            if answer.status == 202:
                self.settle(serve, made)
                made += 1
        return made, orders

    def settle(self, serve, made):
        if made == 1:  # a service that dies in between owes and is owed the same afterwards
            refused = self.service.ask("POST", f"{self.branch}/orders",
                                       {"order": {"type": "EndPhase", "side": "axis"}},
                                       token=self.seats["axis"])
            self.assertIn(refused.status, (400, 409, 422), refused)
            self.service.stop(signal.SIGKILL)
            self.service.start()
        for _ in range(200):
            state = self.service.ask("GET", f"{self.branch}/dice/state").json
            if not state["owed"]:
                return
            side = state["owed"][0]["side"]
            self.run_line(serve[side])
        self.fail("there is no end to what is owed")

    def test_as_it_stands(self):
        lines = lines_of_the_walk_through()
        create = next(line for line in lines if line.startswith("curl"))
        serve = {"axis": next(x for x in lines if "serve $GAME" in x and "$AXIS" in x),
                 "soviet": next(x for x in lines if "serve $GAME" in x and "$SOVIET" in x)}
        with Service() as self.service:
            made = self.service.ask("POST", "/games", json.loads(re.search(r"'(.*)'", create)[1]))
            self.assertEqual(made.status, 201, made)
            self.variables = {"GAME": made.json["id"],
                              "AXIS": made.json["tokens"]["seats"]["axis"],
                              "SOVIET": made.json["tokens"]["seats"]["soviet"]}
            self.seats = {"axis": self.variables["AXIS"], "soviet": self.variables["SOVIET"]}
            self.branch = f"/games/{made.json['id']}/branches/{made.json['mainline']}"
            before = lines.index(serve["axis"])
            for line in lines[lines.index(create) + 1:before]:
                shown = self.run_line(line)
                if " owed " in line:
                    self.assertIn("Nobody owes anything for a roll.", shown)
            self.refusals()
            rolls, orders = self.play(10**6 if WHOLE_GAME else ROLLS, serve)
            self.assertGreaterEqual(rolls, ROLLS)
            print(f"{orders} orders, {rolls} orders that waited for their rolls")
            for line in (serve["axis"], serve["soviet"]):
                self.run_line(line)  # nothing is owed: nothing happens
            after = lines[lines.index(serve["soviet"]) + 1:]
            self.assertIn("signed for", self.run_line(after[0]))
            self.service.stop()
            for line in after[1:]:
                self.run_line(line)
            self.agree()
            self.run_line(f"wardiary audit $GAME --data {self.service.data}")

    def refusals(self):
        """Another's seat is another's, and a file that others can read is none."""
        url = "--url http://127.0.0.1:8080"
        self.run_line("wardiary player init --name Eve --file eve.json")
        for token in ("$AXIS", "$SOVIET"):  # everybody has joined
            self.run_line(f"wardiary player join $GAME soviet {url} --token {token} --file eve.json",
                          "refused")
        body = {"request": 1, "contributor": 1, "element": "00" * 32, "signature": "00" * 64}
        for token, status in ((None, 403), (self.seats["axis"], 403), (self.seats["soviet"], 409)):
            answer = self.service.ask("POST", f"{self.branch}/dice/reveal", body, token=token)
            self.assertEqual(answer.status, status, answer)
        self.run_line(f"wardiary player serve $GAME {url} --token $SOVIET --file eve.json")
        self.run_line("wardiary player init --name Eve --file eve.json", "refused")
        self.assertEqual((self.work / "eve.json").stat().st_mode & 0o777, 0o600)
        self.assertNotIn("secret", self.run_line("wardiary player export -o - --file eve.json"))
        (self.work / "eve.json").chmod(0o644)
        self.run_line("wardiary player show --file eve.json", "refused")

    def agree(self):
        """The three verifiers count the same proven rolls."""
        shown = self.run_line("tools/verify_dice.py game.wardiary")
        python = sum(map(int, re.findall(r"(\d+) roll\(s\) proven", shown)))
        report = json.loads(self.run_line("wardiary verify game.wardiary --json"))
        cpp = next(c["examined"] for c in report["checks"] if c["check"] == "dice")
        self.assertEqual(python, cpp)
        if shutil.which("node"):
            done = subprocess.run(["node", "--input-type=module", "-e", BUNDLE_JS % ROOT,
                                   str(self.work / "game.wardiary")],
                                  capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(int(done.stdout), python)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

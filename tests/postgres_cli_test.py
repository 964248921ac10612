#!/usr/bin/env python3
"""The command and the service on a real PostgreSQL cluster, as an operator uses them: make it, play on
it, serve it from two processes at once, move a diary there and back, back it up, verify it."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("WARDIARY_BUILD", ROOT / "build/release"))
COMMAND = BUILD / "wardiary"
RUN_CLUSTER = BUILD / "tests/postgres/run_cluster"


class OnPostgres(unittest.TestCase):
    """Runs inside run_cluster, which names the cluster in WARDIARY_STORE."""

    @classmethod
    def setUpClass(cls):
        cls.store = os.environ["WARDIARY_STORE"]
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="wardiary-pg-cli-"))
        cls.keys = cls.work / "keys"
        cls.run_it(cls, "init", "--data", cls.keys)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work)

    def run_it(self, *arguments, stdin="", expect=0, environment=None):
        done = subprocess.run([str(COMMAND), *map(str, arguments)], input=stdin, text=True,
                              capture_output=True, timeout=600, env=environment)
        assert done.returncode == expect, \
            f"{arguments} gave {done.returncode}\nstdout: {done.stdout}\nstderr: {done.stderr}"
        return done

    def ask(self, *arguments, **how):
        return json.loads(self.run_it(*arguments, "--data", self.keys, "--json", **how).stdout)

    def new_duel(self, name):
        return self.ask("new", "--system", "freeform", "--scenario", "duel", "--scribed",
                        "--name", name)["id"]

    def embedded(self):
        """The environment of somebody who has no cluster."""
        return {k: v for k, v in os.environ.items() if k != "WARDIARY_STORE"}

    def serve(self):
        server = subprocess.Popen([str(COMMAND), "serve", "--data", str(self.keys), "--listen",
                                   "127.0.0.1:0", "--quiet"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.send_signal, signal.SIGTERM)
        line = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        self.assertTrue(found, line)
        return found.group()

    def call(self, url, body=None):
        request = urllib.request.Request(url, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.loads(answer.read())

    def test_every_command_works_on_the_store(self):
        self.new_duel("on postgres")
        fact = json.dumps({"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]}) + "\n"
        self.run_it("append", "on postgres", "--data", self.keys, stdin=fact)
        self.assertIn("on postgres", self.run_it("games", "--data", self.keys).stdout)
        self.assertTrue(self.ask("position", "on postgres"))
        self.assertEqual(self.ask("verify")["findings"], [])
        self.assertGreaterEqual(self.ask("stats")["games"], 1)
        self.run_it("audit", "on postgres", "--data", self.keys)
        # An address is one word: what follows it is the command's own.
        self.run_it("position", "--store", self.store, "on postgres", "--data", self.keys)

    def test_a_well_set_up_cluster_is_not_warned_of(self):
        self.assertEqual(self.run_it("stats", "--data", self.keys).stderr, "")

    def test_without_keys_or_with_a_wrong_address_it_says_what_to_do(self):
        done = self.run_it("games", "--data", self.work / "nothing", expect=3)
        self.assertIn("master.key", done.stderr)
        done = self.run_it("games", "--data", self.keys, "--store", "nonsense", expect=3)
        self.assertIn("postgres://", done.stderr)
        done = self.run_it("games", "--data", self.keys, "--store",
                           "postgres://u:secret@127.0.0.1:1/d", expect=3)
        self.assertNotIn("secret", done.stderr)

    def test_a_diary_moves_there_and_back_and_is_backed_up(self):
        local, back, backup = self.work / "local", self.work / "back", self.work / "backup"
        environment = self.embedded()
        self.run_it("init", "--data", local, environment=environment)
        self.run_it("new", "--system", "freeform", "--scenario", "duel", "--scribed", "--name", "moved",
                    "--data", local, environment=environment)
        with tempfile.TemporaryDirectory() as keys:
            moved = pathlib.Path(keys) / "keys"
            done = self.run_it("copy", "--data", local, "--to-data", moved, "--to-store", self.store,
                               environment=environment, expect=3)
            self.assertIn("not the key", done.stderr)  # the cluster has other keys already
        copied = json.loads(self.run_it("copy", "--data", self.keys, "--to-data", back,
                                        "--json").stdout)
        self.assertEqual(copied["events"], copied["newEvents"])
        found = json.loads(self.run_it("verify", "--data", back, "--json",
                                       environment=environment).stdout)
        self.assertEqual(found["findings"], [])
        self.assertEqual(found["games"], copied["games"])
        self.run_it("backup", backup, "--data", self.keys, "--with-keys")
        self.run_it("verify", "--data", backup, environment=environment)

    def test_two_services_on_one_cluster_see_each_other(self):
        one, two = self.serve(), self.serve()
        game = self.call(f"{one}/games", {"name": "shared", "system": "freeform",
                                          "scenario": "duel", "keeping": "scribed"})
        path = f"/games/{game['id']}"
        main = self.call(two + path)["mainline"]
        stream = urllib.request.urlopen(f"{two}{path}/branches/{main}/stream", timeout=120)
        self.addCleanup(stream.close)
        first = self.next_version(stream)
        heard = []
        reader = threading.Thread(target=lambda: heard.append(self.next_version(stream, first)))
        reader.start()
        fact = json.dumps({"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]}) + "\n"
        self.run_it("append", "shared", "--data", self.keys, stdin=fact)  # a third process
        reader.join(120)
        self.assertEqual(len(heard), 1, "the second service did not hear of it")
        self.assertGreater(heard[0], first)
        for service in (one, two):
            branch = self.call(f"{service}{path}/branches/{main}")
            self.assertEqual(branch["version"], heard[0])

    def next_version(self, stream, beyond=-1):
        for line in stream:
            found = re.match(rb'data: \{"version":(\d+)\}', line)
            if found and int(found.group(1)) > beyond:
                return int(found.group(1))
        return -1


if __name__ == "__main__":
    if "WARDIARY_STORE" in os.environ:
        unittest.main()
    sys.exit(subprocess.call([str(RUN_CLUSTER), "3", sys.executable, __file__, *sys.argv[1:]]))

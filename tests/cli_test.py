#!/usr/bin/env python3
"""The wardiary command as its users meet it: answers, exit codes, errors that name the field."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = pathlib.Path(os.environ.get("WARDIARY_BUILD", ROOT / "build/release")) / "wardiary"
DUEL = "Duel at the ford"


class Cli(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="wardiary-cli-"))
        self.data = self.work / "data"

    def tearDown(self):
        shutil.rmtree(self.work)

    def run_it(self, *arguments, stdin="", expect=0):
        done = subprocess.run([str(COMMAND), *map(str, arguments)], input=stdin, text=True,
                              capture_output=True, timeout=300)
        self.assertEqual(done.returncode, expect,
                         f"{arguments}\nstdout: {done.stdout}\nstderr: {done.stderr}")
        return done

    def ask(self, *arguments, **how):
        return json.loads(self.run_it(*arguments, "--data", self.data, "--json", **how).stdout)

    def new_duel(self, name="duel"):
        self.run_it("init", "--data", self.data)
        return self.ask("new", "--system", "freeform", "--scenario", "duel", "--scribed",
                        "--name", name)["id"]

    def append(self, game, *facts, expect=0):
        text = "".join(json.dumps(fact) + "\n" for fact in facts)
        return self.run_it("append", game, "--data", self.data, stdin=text, expect=expect)


class Basics(Cli):
    def test_help_of_every_command_is_there(self):
        text = self.run_it("--help").stdout
        for command in ("init demo games events append new order legal position verify audit backup "
                        "restore copy stats case bot export import branch systems serve dossier luck scribe rule "
                        "takeback note timeline compare history why when report sweep checkpoint receipt").split():
            self.assertRegex(text, rf"(?m)^  {command} ")
            self.run_it(command, "--help")
        self.assertIn("Exit codes", text)

    def test_wrong_usage_is_2(self):
        self.run_it(expect=2)
        self.run_it("nonsense", expect=2)
        self.run_it("position", expect=2)
        self.run_it("audit", "--data", self.data, expect=2)

    def test_no_store_is_3_and_says_what_to_do(self):
        done = self.run_it("games", "--data", self.data, expect=3)
        self.assertIn("wardiary init", done.stderr)
        self.assertFalse(self.data.exists())

    def test_systems_are_listed(self):
        names = [s["name"] for s in json.loads(self.run_it("systems", "--json").stdout)["systems"]]
        self.assertIn("freeform", names)

    def test_the_data_directory_comes_from_the_environment(self):
        environment = dict(os.environ, WARDIARY_DATA=str(self.data))
        subprocess.run([COMMAND, "init"], env=environment, check=True, capture_output=True)
        self.assertTrue((self.data / "format").exists())


class Scribing(Cli):
    def test_a_game_is_recorded_and_looked_at(self):
        game = self.new_duel()
        self.append(game, {"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]},
                    {"type": "UnitChanged", "unit": "B1", "attribute": "steps", "to": 1})
        position = self.ask("position", "duel")
        self.assertEqual(position["format"], "wardiary-position/1")
        units = {u["id"]: u for u in position["units"]}
        self.assertEqual(units["R1"]["at"], "B1")
        self.assertEqual(units["B1"]["steps"], 1)
        version = self.ask("games")["games"][0]["version"]
        before = self.ask("position", game[:8], "--at", version - 2)
        self.assertEqual({u["id"]: u for u in before["units"]}["R1"]["at"], "A1")
        lines = self.run_it("events", "duel", "--data", self.data, "--json").stdout.splitlines()
        self.assertEqual(len(lines), version)
        self.assertEqual(json.loads(lines[0])["type"], "GameCreated")
        self.assertIn("B1", self.run_it("position", "duel", "--data", self.data).stdout)

    def test_a_wrong_line_is_named_and_nothing_is_written(self):
        game = self.new_duel()
        before = self.ask("games")
        good = {"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]}
        for bad, says in [
            ({"type": "UnitMoved", "unit": "R9", "path": ["A1", "B1"]}, "no unit"),
            ({"type": "UnitMoved", "unit": "R2", "path": ["A1", "B1"]}, "path"),
            ({"type": "Surprise"}, "fact.type"),
            ({"type": "UnitChanged", "unit": "R1", "attribute": "steps", "from": 7, "to": 1}, "from"),
            ([], "object"),
        ]:
            done = self.append(game, good, bad, expect=2)
            self.assertIn("standard input: line 2", done.stderr)
            self.assertIn(says, done.stderr)
        file = self.work / "facts.jsonl"
        file.write_text(json.dumps(good) + "\n{\n")
        done = self.run_it("append", game, file, "--data", self.data, expect=2)
        self.assertIn(f"{file}: line 2", done.stderr)
        self.assertEqual(self.ask("games"), before)

    def test_the_same_command_is_done_once_and_a_wrong_version_is_refused(self):
        game = self.new_duel()
        fact = json.dumps({"type": "Ruling", "text": "agreed"})
        for duplicate in (False, True):
            answer = self.ask("append", game, "--command", "ab" * 16, stdin=fact)
            self.assertEqual(answer["duplicate"], duplicate)
        answer = self.ask("append", game, "--expected", "1", stdin=fact, expect=1)
        self.assertFalse(answer["accepted"])

    def test_games_are_found_by_name_or_beginning_of_id(self):
        game = self.new_duel("one")
        self.run_it("position", game[:6], "--data", self.data)
        done = self.run_it("position", "two", "--data", self.data, expect=2)
        self.assertIn('no game "two"', done.stderr)
        self.ask("new", "--system", "freeform", "--scenario", "duel", "--name", "one")
        done = self.run_it("position", "one", "--data", self.data, expect=2)
        self.assertIn("say which by its id", done.stderr)

    def test_bad_requests_for_a_game_name_the_field(self):
        self.run_it("init", "--data", self.data)
        for arguments, says in [
            (("--system", "chess", "--scenario", "x"), "system"),
            (("--system", "freeform", "--scenario", "x"), "scenario"),
            (("--system", "freeform", "--scenario", "duel", "--option", "fog=on"), "options.fog"),
            (("--system", "freeform", "--scenario", "duel", "--option", "fog"), "name=value"),
        ]:
            done = self.run_it("new", "--data", self.data, *arguments, expect=2)
            self.assertIn(says, done.stderr)
        self.assertEqual(self.ask("games")["games"], [])


class Keeping(Cli):
    def test_a_game_survives_export_and_import_hash_for_hash(self):
        game = self.new_duel()
        self.append(game, {"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]})
        self.ask("branch", "fork", game, "--at", "3", "--name", "other")
        first, second = self.work / "a.jsonl", self.work / "b.jsonl"
        self.run_it("export", game, "-o", first, "--data", self.data)
        self.assertFalse((self.work / "a.jsonl.part").exists())
        self.data = self.work / "other"
        self.run_it("init", "--data", self.data)
        self.run_it("import", first, "--data", self.data)
        self.assertIn("There already", self.run_it("import", first, "--data", self.data).stdout)
        self.run_it("export", game, "-o", second, "--data", self.data)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertEqual(len(self.ask("branch", "list", game)["branches"]), 2)
        self.run_it("verify", self.data)
        lines = first.read_text().splitlines()
        second.write_text("\n".join(lines[:-1]) + "\n")
        done = self.run_it("import", second, "--data", self.data, expect=2)
        self.assertIn(f"{second}, line {len(lines) - 1}", done.stderr)

    def test_backup_and_restore(self):
        game = self.new_duel()
        backup = self.work / "backup"
        self.run_it("backup", backup, "--data", self.data)
        self.run_it("backup", backup, "--data", self.data, expect=2)  # it exists
        self.data = self.work / "restored"
        self.assertIn("no keys", self.run_it("restore", backup, "--data", self.data).stdout)
        self.run_it("verify", self.data)
        self.assertEqual(self.ask("games")["games"][0]["id"], game)
        self.run_it("restore", backup, "--data", self.data, expect=2)  # it exists

    def test_verify_finds_a_changed_byte(self):
        self.new_duel()
        self.run_it("verify", self.data)
        files = [f for f in (self.data / "db").iterdir() if f.suffix in (".sst", ".log")]
        for file in files:
            content = bytearray(file.read_bytes())
            for at in range(0, len(content), 64):
                content[at] ^= 0x40
            file.write_bytes(content)
        done = self.run_it("verify", self.data, expect=1)
        self.assertIn("finding", done.stdout)

    def test_what_people_kept_is_held_against_the_store(self):
        self.new_duel("evening")
        note, receipt = self.work / "evening.checkpoint", self.work / "evening.tlog-proof"
        self.run_it("checkpoint", "evening", "-o", note, "--data", self.data)
        self.run_it("receipt", "evening", "--at", 2, "-o", receipt, "--data", self.data)
        self.assertTrue(receipt.read_text().startswith("c2sp.org/tlog-proof@v1\nindex 1\n"))
        self.append("evening", {"type": "Ruling", "text": "later"})
        held = ("--checkpoint", note, "--receipt", receipt)
        self.run_it("verify", self.data, *held)
        key = self.ask("receipt", "evening")["key"]
        self.run_it("verify", self.data, *held, "--key", key)
        # A file is not written over; an edited receipt and another diary's are found and named.
        self.run_it("receipt", "evening", "-o", receipt, "--data", self.data, expect=2)
        edited = self.work / "edited.tlog-proof"
        edited.write_text(receipt.read_text().replace("index 1\n", "index 2\n"))
        found = self.ask("verify", "--receipt", edited, expect=1)["findings"]
        self.assertEqual([(f["check"], f["where"]) for f in found], [("witness", str(edited))])
        self.data = self.work / "other"
        self.new_duel("other")
        self.assertEqual(len(self.ask("verify", *held, expect=1)["findings"]), 2)
        self.run_it("verify", self.data, "--receipt", self.work / "nowhere", expect=2)

    def test_audit_of_a_clean_game_is_0(self):
        game = self.new_duel()
        report = self.ask("audit", game)
        self.assertTrue(report["clean"])
        self.assertEqual(self.run_it("audit", "--all", "--data", self.data).returncode, 0)


class Cases(Cli):
    def test_cases_tell_good_from_different_from_wrong(self):
        cases = ROOT / "domain/systems/freeform/cases"
        self.run_it("case", "run", cases)
        case = json.loads((cases / "F-01.json").read_text())
        case["expect"]["units"]["R1"]["steps"] = 9
        file = self.work / "case.json"
        file.write_text(json.dumps(case))
        done = self.run_it("case", "run", file, expect=1)
        self.assertIn("expect.units.R1.steps", done.stdout)
        case["surprise"] = 1
        file.write_text(json.dumps(case))
        done = self.run_it("case", "run", file, expect=2)
        self.assertIn("surprise", done.stdout)
        self.run_it("case", "run", self.work / "nowhere", expect=2)


class Playing(Cli):
    """EastFront: orders, legal orders and bots."""

    def setUp(self):
        super().setUp()
        self.run_it("init", "--data", self.data)

    def test_an_order_from_the_legal_ones_is_accepted_and_a_wrong_one_refused(self):
        game = self.ask("new", "--system", "eastfront", "--scenario", "Edelweiss")["id"]
        legal = self.ask("legal", game)["legal"]
        side, orders = next((s, o) for s, o in legal.items() if o)
        answer = self.ask("order", game, json.dumps(orders[0]))
        self.assertTrue(answer["accepted"])
        other = "soviet" if side == "axis" else "axis"
        wrong = dict(orders[0], side=other)
        before = self.ask("games")
        done = self.run_it("order", game, json.dumps(wrong), "--data", self.data, expect=1)
        self.assertIn("Refused", done.stdout)
        done = self.run_it("order", game, "-", "--data", self.data, stdin='{"type":"X"}', expect=2)
        self.assertIn("order.side", done.stderr)
        self.assertEqual(self.ask("games"), before)

    def test_bots_play_to_the_end_and_a_kept_game_is_clean(self):
        answer = json.loads(self.run_it("bot", "--system", "eastfront", "--scenario", "Edelweiss",
                                        "--seed", 3, "--games", 2, "--json").stdout)
        self.assertEqual(answer["failed"], 0)
        self.assertEqual(len(answer["games"]), 2)
        kept = self.ask("bot", "--system", "eastfront", "--scenario", "Edelweiss", "--policy",
                        "greedy", "--keep")["games"][0]
        self.assertTrue(self.ask("audit", kept["id"])["clean"])

    def test_a_bundle_is_verified_offline_and_tells_what_is_wrong_with_it(self):
        self.run_it("demo", "--data", self.data)
        file = self.work / "duel.wardiary"
        self.run_it("export", DUEL, "-o", file, "--data", self.data)
        shutil.move(self.data, self.work / "away")
        self.assertIn("Clean", self.run_it("verify", file).stdout)
        self.run_it("init", "--data", self.data)
        self.run_it("import", file, "--data", self.data)
        self.assertTrue(self.ask("audit", DUEL)["clean"])
        whole = file.read_bytes()
        for spoiled, named in ((whole[:-40], "the file ends here"), (b"x" + whole[1:], "no bundle"),
                               (whole[:-400] + bytes([whole[-400] ^ 1]) + whole[-399:], "WRONG")):
            file.write_bytes(spoiled)
            done = self.run_it("verify", file, expect=1)
            self.assertIn(named, done.stdout + done.stderr)
            self.assertTrue(done.stdout + done.stderr)
            self.run_it("import", file, "--data", self.data, expect=2)

    def test_a_dossier_and_the_luck_of_a_game(self):
        self.run_it("demo", "--data", self.data)
        text = self.run_it("dossier", DUEL, "--roll", 0, "--side", "red", "--data", self.data).stdout
        self.assertIn("nothing is proven about it", text)
        page = self.work / "turn.html"
        self.run_it("dossier", DUEL, "--turn", 2, "--format", "html", "-o", page, "--data", self.data)
        self.assertIn("</html>", page.read_text())
        self.assertEqual(self.ask("luck", DUEL)["luck"][0]["dice"], "unproven")
        self.run_it("dossier", DUEL, "--roll", 99, "--side", "red", "--data", self.data, expect=2)
        self.run_it("dossier", DUEL, "--roll", 0, "--side", "green", "--data", self.data, expect=2)
        self.run_it("audit", DUEL, "--html", page, "--data", self.data)
        self.assertIn("Clean", page.read_text())

    def test_a_stuck_game_is_saved_and_can_be_imported(self):
        done = self.run_it("bot", "--system", "freeform", "--scenario", "duel", "--save", self.work,
                           expect=1)
        file = self.work / "bot-freeform-duel-random-1.jsonl"
        self.assertIn(str(file), done.stderr)
        self.run_it("import", file, "--data", self.data)



class Looking(Cli):
    MOVE = {"type": "UnitMoved", "unit": "R1", "path": ["A1", "B1"]}

    def scribe(self, game, *lines, expect=0, check=False):
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        return self.ask("scribe", game, *(["--check"] if check else []), stdin=text, expect=expect)

    def test_an_evening_is_recorded_from_a_file_or_every_wrong_line_is_told(self):
        game = self.new_duel()
        before = self.ask("games")
        answer = self.scribe(game, self.MOVE, "nonsense", {"type": "UnitMoved", "unit": "R9"}, expect=2)
        self.assertFalse(answer["written"])
        self.assertEqual([problem["line"] for problem in answer["problems"]], [2, 3])
        self.assertEqual(self.ask("games"), before)
        self.assertEqual(self.scribe(game, self.MOVE, check=True)["commits"], 1)
        self.assertEqual(self.ask("games"), before)
        self.assertTrue(self.scribe(game, self.MOVE, "", {"type": "Ruling", "text": "so"})["written"])
        file = self.work / "evening.jsonl"
        self.run_it("export", game, "-o", file, "--scribe", "--data", self.data)
        again = self.ask("new", "--system", "freeform", "--scenario", "duel", "--scribed",
                         "--name", "again")["id"]
        self.assertTrue(self.ask("scribe", again, file)["written"])
        positions = [self.ask("position", each) for each in (game, again)]
        self.assertEqual(*positions)

    def test_a_take_back_is_proposed_agreed_and_carried_out(self):
        game = self.new_duel()
        start = self.ask("position", game)
        self.append(game, self.MOVE)
        self.ask("takeback", "propose", game, "--seat", "red", "--text", "slip")
        self.assertEqual(self.ask("takeback", "show", game)["open"]["waitingFor"], ["blue"])
        self.run_it("takeback", "agree", game, "--seat", "red", "--data", self.data, expect=2)
        self.ask("takeback", "agree", game, "--seat", "blue")
        self.assertIsNone(self.ask("takeback", "show", game)["open"])
        self.assertEqual(self.ask("position", game), start)
        self.append(game, self.MOVE)
        self.ask("takeback", "now", game)
        self.assertEqual(self.ask("position", game), start)
        self.run_it("audit", game, "--data", self.data)

    def test_a_refereed_game_is_corrected_by_a_ruling_only(self):
        self.run_it("init", "--data", self.data)
        game = self.ask("new", "--system", "freeform", "--scenario", "duel")["id"]
        fact = json.dumps({"type": "TrackChanged", "track": "score.red", "to": 4})
        self.run_it("append", game, "--data", self.data, stdin=fact, expect=1)
        self.ask("rule", game, "-", "--text", "miscounted", "--rule", "1", stdin=fact)
        self.run_it("takeback", "now", game, "--data", self.data, expect=1)
        self.ask("takeback", "now", game, "--ruling", "it was right")
        self.run_it("audit", game, "--data", self.data)

    def test_notes_are_written_listed_and_removed(self):
        game = self.new_duel()
        self.ask("note", "add", game, "here it began", "--at", 2)
        mine = self.ask("note", "add", game, "my plan", "--author", "red", "--seen", "seat")
        texts = lambda author: [n["text"] for n in self.ask("note", "list", game, "--author", author)["notes"]]
        self.assertEqual(texts("red"), ["here it began", "my plan"])
        self.assertEqual(texts("blue"), ["here it began"])
        self.run_it("note", "remove", game, mine["number"], "--author", "blue", "--data", self.data, expect=2)
        self.ask("note", "remove", game, mine["number"], "--author", "red")
        self.assertEqual(texts("red"), ["here it began"])
        self.assertEqual(self.ask("timeline", game)["notes"][0]["text"], "here it began")

    def test_what_happened_why_and_when(self):
        game = self.new_duel()
        self.append(game, self.MOVE)
        self.append(game, {"type": "UnitChanged", "unit": "R1", "attribute": "steps", "to": 1})
        version = self.ask("games")["games"][0]["version"]
        history = self.ask("history", game, "unit:R1")["events"]
        self.assertEqual([event["type"] for event in history][-2:], ["UnitMoved", "UnitChanged"])
        self.assertEqual(self.ask("why", game, "unit:R1")["chain"][0]["version"], version - 1)
        chain = self.ask("why", game, "unit:R1", "--attribute", "steps")["chain"]
        self.assertEqual(chain[0]["version"], version)
        when = self.ask("when", game, "unit:R1.at == B1 and not unit:R1.steps > 1")
        self.assertEqual(when["stretches"], [{"first": version, "last": version}])
        self.run_it("when", game, "turn > 99", "--data", self.data, expect=1)
        done = self.run_it("when", game, "unit:R9.at == B1", "--data", self.data, expect=2)
        self.assertIn("no unit", done.stderr)
        self.run_it("history", game, "R1", "--data", self.data, expect=2)

    def test_lines_are_listed_compared_and_put_away(self):
        game = self.new_duel()
        at = self.ask("games")["games"][0]["version"]
        self.append(game, self.MOVE)
        self.ask("branch", "fork", game, "--at", at, "--name", "stay", "--reason", "why move")
        compared = self.ask("compare", game, "main", "stay")
        self.assertEqual(compared["common"], at)
        self.assertEqual(compared["divergence"]["a"], at + 1)
        self.assertEqual(compared["units"]["moved"], ["R1"])
        self.assertIn("Elsewhere: R1",
                      self.run_it("compare", game, f"main@{at}", "main", "--data", self.data).stdout)
        tree = self.ask("branch", "list", game)["branches"]
        self.assertEqual([(node["name"], node["depth"]) for node in tree], [("", 0), ("stay", 1)])
        self.assertIn("red", tree[1]["score"])
        self.ask("branch", "delete", game, "stay", "--reason", "seen")
        self.assertNotIn("stay", self.run_it("branch", "list", game, "--data", self.data).stdout)
        self.assertIn("stay", self.run_it("branch", "list", game, "--all", "--data", self.data).stdout)
        self.assertEqual(self.ask("note", "list", game)["notes"][0]["kind"], "branch_deleted")
        self.run_it("branch", "delete", game, "main", "--data", self.data, expect=1)

    def test_a_report_is_one_file_in_two_languages(self):
        game = self.new_duel("Duel <1>")
        self.append(game, self.MOVE, {"type": "DiceRolled", "roller": "red", "purpose": "attack",
                                      "values": [6, 6]})
        file = self.work / "report.html"
        self.ask("report", game, "-o", file)
        text = file.read_text()
        self.assertIn("Duel &lt;1&gt;", text)
        for part in ("<svg", "The audit", "The luck ledger"):
            self.assertIn(part, text)
        self.assertNotIn("<script", text)
        spanish = self.run_it("report", game, "--language", "es", "--data", self.data).stdout
        self.assertIn("## Turno a turno", spanish)
        self.run_it("report", game, "--language", "fr", "--data", self.data, expect=2)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The JSON forms are what docs/schemas says: everything that ships, and everything the command
writes, validates; documents with a mistake do not, and the command refuses them too."""
import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = pathlib.Path(os.environ.get("WARDIARY_BUILD", ROOT / "build/release")) / "wardiary"
SYSTEMS = ROOT / "domain" / "systems"
SCHEMAS = {form: json.loads((ROOT / "docs" / "schemas" / f"wardiary-{form}-1.json").read_text())
           for form in ("board", "scenario", "position", "case")}


def validator(form):
    """Draft 7, with the four schemas known to each other by their ids."""
    schema = SCHEMAS[form]
    try:
        import referencing.jsonschema
    except ImportError:  # before jsonschema 4.18
        store = {each["$id"]: each for each in SCHEMAS.values()}
        resolver = jsonschema.RefResolver.from_schema(schema, store=store)
        return jsonschema.Draft7Validator(schema, resolver=resolver)
    registry = referencing.Registry().with_contents(
        [(each["$id"], each) for each in SCHEMAS.values()],
        default_specification=referencing.jsonschema.DRAFT7)
    return jsonschema.Draft7Validator(schema, registry=registry)


def complaints(form, document):
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}"
            for e in validator(form).iter_errors(document)]


def shipped(pattern):
    files = sorted(SYSTEMS.glob(pattern))
    assert files, pattern
    return files


class Described(unittest.TestCase):
    def test_every_format_the_code_names_is_in_the_docs(self):
        named = set()
        for folder in ("domain", "eventstore", "projections", "replay", "http/api", "tools/wardiary"):
            for file in (ROOT / folder).rglob("*.cpp"):
                if not file.name.endswith("_test.cpp"):
                    named.update(re.findall(r'"(wardiary-[a-z-]+/\d)[\\n]*"', file.read_text()))
        self.assertGreater(len(named), 8)
        text = (ROOT / "docs" / "formats.md").read_text()
        self.assertEqual({name for name in named if f"## `{name}`" not in text}, set())


class Shipped(unittest.TestCase):
    def check(self, form, pattern):
        for file in shipped(pattern):
            with self.subTest(file=file.relative_to(ROOT)):
                self.assertEqual(complaints(form, json.loads(file.read_text())), [])

    def test_the_schemas_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft7Validator.check_schema(schema)

    def test_every_board(self):
        self.check("board", "*/data/boards/*.json")

    def test_every_scenario(self):
        self.check("scenario", "*/data/scenarios/*.json")

    def test_every_case(self):
        self.check("case", "*/cases/*.json")


class Written(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="wardiary-format-"))

    def tearDown(self):
        shutil.rmtree(self.work)

    def command(self, *arguments, expect=0):
        done = subprocess.run([COMMAND, *arguments], text=True, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def test_every_position_of_a_new_game(self):
        data = str(self.work / "data")
        self.command("init", "--data", data)
        for system in json.loads(self.command("systems", "--json").stdout)["systems"]:
            for scenario in system["scenarios"]:
                name = f"{system['name']} {scenario['id']}"
                self.command("new", "--data", data, "--system", system["name"], "--scenario",
                             scenario["id"], "--name", name)
                position = json.loads(
                    self.command("position", name, "--data", data, "--json").stdout)
                position = position.get("position", position)
                with self.subTest(game=name):
                    self.assertEqual(complaints("position", position), [])

    def test_a_case_with_a_mistake_is_refused_by_the_schema_and_by_the_command(self):
        good = json.loads((SYSTEMS / "freeform" / "cases" / "F-01.json").read_text())
        self.assertEqual(complaints("case", good), [])
        edits = {
            "format": lambda c: c.update(format="wardiary-case/2"),
            "id": lambda c: c.pop("id"),
            "colour": lambda c: c.update(colour="red"),
            "board": lambda c: c.update(board=7),
            "options": lambda c: c.update(options={"a": 1.5}),
            "position.weather": lambda c: c["position"].update(weather="mud"),
            "turn": lambda c: c["position"].update(clock={"turn": -1}),
            "steps": lambda c: c.update(steps={}),
            "steps[0]": lambda c: c.update(steps=[{}]),
            "expect.mood": lambda c: c.update(expect={"mood": "bad"}),
        }
        for name, edit in edits.items():
            bad = copy.deepcopy(good)
            edit(bad)
            with self.subTest(mistake=name):
                self.assertNotEqual(complaints("case", bad), [])
                file = self.work / "case.json"
                file.write_text(json.dumps(bad))
                self.command("case", "run", str(file), expect=2)

    def test_a_board_with_a_mistake_is_refused(self):
        good = json.loads((SYSTEMS / "freeform" / "data" / "boards" / "duel.json").read_text())
        for edit in (lambda b: b.pop("kind"), lambda b: b.update(kind="square"),
                     lambda b: b["spaces"][0].update(id=""), lambda b: b["spaces"][0].update(q="1"),
                     lambda b: b["links"][0].pop("b"), lambda b: b["spaces"][0].update(playable=1)):
            bad = copy.deepcopy(good)
            edit(bad)
            self.assertNotEqual(complaints("board", bad), [])


if __name__ == "__main__":
    unittest.main()

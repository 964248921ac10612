#!/usr/bin/env python3
"""Folders use each other in one direction only, and libraries stay behind their walls.

What a folder may include is the table in docs/architecture.md; this test is that table, enforced.
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ["domain", "eventstore", "projections", "replay", "http", "tools", "tests"]

# Folder -> the beginnings of what its files may include of ours.
MAY_USE = {
    "domain": ["domain/"],
    "eventstore": ["eventstore/", "domain/base/"],
    "projections": ["projections/", "domain/"],
    "replay": ["replay/", "projections/", "eventstore/", "domain/"],
    "http": ["http/", "replay/", "projections/", "eventstore/", "domain/"],
    "tools": [f"{folder}/" for folder in FOLDERS if folder != "tests"],
    "tests": [f"{folder}/" for folder in FOLDERS],
}
# http/server is a library of its own that knows nothing of games.
SERVER_MAY_USE = ["http/server/", "domain/base/"]
# domain/base is all that the event store knows of the domain.
BASE_MAY_USE = ["domain/base/"]

# A library's headers -> the folders that may see them.
WALLS = [
    (re.compile(r"rocksdb/"), ["eventstore/", "tools/bench/", "tests/"]),
    (re.compile(r"boost/(beast|asio)|crow"), ["http/server/", "tools/bench/", "tests/"]),
    (re.compile(r"openssl/ssl|zlib\.h"), ["http/", "tools/bench/", "tests/"]),
    (re.compile(r"libpq-fe\.h"), ["eventstore/", "tools/bench/", "tests/"]),
    (re.compile(r"benchmark/"), ["tools/bench/"]),
]

# Headers that may include the whole JSON library or generated event code; everything else takes
# json_fwd.hpp and fb::Event by reference, which keeps a change from rebuilding the world.
HEAVY = re.compile(r"nlohmann/json\.hpp|_generated\.h")
MAY_BE_HEAVY = {
    "domain/json_reader.h",  # reading JSON is what it is for; included by .cpp files only
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def is_test(path):
    """Tests and what only tests include."""
    name = path.split("/")[-1]
    return (path.startswith("tests/") or name.startswith("test_") or "conformance" in name or
            name.endswith(("_test.cpp", "_testing.h")))


def allowed(path):
    if path.startswith("http/server/"):
        return SERVER_MAY_USE
    if path.startswith("domain/base/"):
        return BASE_MAY_USE
    return MAY_USE[path.split("/")[0]]


def complaints(path, text):
    """What is wrong with the includes of the file `path` (relative to the root)."""
    found = []
    for kind, name in INCLUDE.findall(text):
        ours = any(name.startswith(folder + "/") for folder in FOLDERS)
        heavy_allowed = not path.endswith(".h") or path in MAY_BE_HEAVY
        if ours and kind == '"' and not any(name.startswith(p) for p in allowed(path)):
            found.append(f"{path} includes {name}: {path.split('/')[0]} may not use that")
        for library, places in WALLS:
            system = kind == "<" or not ours
            if system and library.match(name) and not any(path.startswith(p) for p in places):
                found.append(f"{path} includes {name}: only {', '.join(places)} may")
        if HEAVY.search(name) and not heavy_allowed and not is_test(path):
            found.append(f"{path} includes {name}: a header may not; do it in the .cpp file")
        if name.startswith(".") or "/../" in name:
            found.append(f"{path} includes {name}: includes begin with their folder's name")
    if re.search(r'#\s*include\s*[<"](gtest|gmock|rapidcheck)', text) and not is_test(path):
        found.append(f"{path} includes a test library and is no test")
    return found


def our_files():
    for folder in FOLDERS:
        for pattern in ("*.h", "*.cpp"):
            for file in sorted((ROOT / folder).rglob(pattern)):
                if "node_modules" not in file.parts:
                    yield file


class Layering(unittest.TestCase):
    def test_no_file_includes_what_its_folder_may_not_use(self):
        found = []
        count = 0
        for file in our_files():
            count += 1
            found += complaints(str(file.relative_to(ROOT)), file.read_text())
        self.assertGreater(count, 50, "the files were not found")
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_every_folder_with_code_has_its_place_in_the_table(self):
        known = set(FOLDERS) | {"docs", "build"}
        for entry in ROOT.iterdir():
            if entry.is_dir() and not entry.name.startswith("."):
                if any(entry.rglob("*.cpp")):
                    self.assertIn(entry.name, known)

    def test_including_upward_is_found(self):
        for path, include in [
            ("domain/board.cpp", '"eventstore/event_store.h"'),
            ("domain/base/bytes.cpp", '"domain/board.h"'),
            ("domain/board.cpp", '"projections/timeline.h"'),
            ("eventstore/merkle.cpp", '"domain/position.h"'),
            ("eventstore/merkle.cpp", '"replay/referee.h"'),
            ("projections/timeline.cpp", '"eventstore/event_store.h"'),
            ("projections/timeline.cpp", '"replay/referee.h"'),
            ("replay/referee.cpp", '"http/handlers.h"'),
            ("http/server/router.cpp", '"replay/referee.h"'),
            ("http/handlers.cpp", '"tools/cli.h"'),
            ("tools/cli.cpp", '"tests/helper.h"'),
        ]:
            with self.subTest(f"{path} {include}"):
                self.assertEqual(len(complaints(path, f"#include {include}\n")), 1)

    def test_a_library_outside_its_wall_is_found(self):
        for path, include in [
            ("http/handlers.cpp", "<boost/beast/http.hpp>"),
            ("http/handlers.cpp", "<crow.h>"),
            ("replay/referee.cpp", "<rocksdb/db.h>"),
            ("domain/board.h", "<nlohmann/json.hpp>"),
            ("domain/apply.h", '"domain/schema/event_generated.h"'),
            ("domain/board.cpp", "<gtest/gtest.h>"),
        ]:
            with self.subTest(f"{path} {include}"):
                self.assertEqual(len(complaints(path, f"#include {include}\n")), 1)

    def test_what_is_allowed_is_not_complained_about(self):
        for path, include in [
            ("eventstore/rocksdb/engine.h", "<rocksdb/db.h>"),
            ("eventstore/rocksdb_store.cpp", '"eventstore/rocksdb/store.h"'),
            ("tools/cli.cpp", '"eventstore/rocksdb_store.h"'),
            ("http/server/builtin/request_parser.cpp", "<boost/beast/http/error.hpp>"),
            ("domain/board.h", "<nlohmann/json_fwd.hpp>"),
            ("domain/board.cpp", "<nlohmann/json.hpp>"),
            ("domain/board_test.cpp", "<gtest/gtest.h>"),
            ("replay/referee.cpp", '"domain/rule_system.h"'),
        ]:
            with self.subTest(f"{path} {include}"):
                self.assertEqual(complaints(path, f"#include {include}\n"), [])


if __name__ == "__main__":
    unittest.main()

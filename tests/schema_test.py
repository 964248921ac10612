#!/usr/bin/env python3
"""The event schema only ever grows: every event ever stored must stay readable.

`flatc --conform` compares the schema with every released one. It does not see a struct that grew, a
last union member that went away, `required` added or dropped, another file identifier or another
root: those are compared here, in the binary schema. The test then makes bad edits and expects each
to be caught, and good ones and expects them to pass.
"""
import pathlib
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "domain" / "schema" / "event.fbs"
RELEASED = ROOT / "domain" / "schema" / "released"


class Table:
    """A table of a FlatBuffer, read field by number (reflection.fbs has no Python code here)."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.vtable = at - struct.unpack_from("<i", data, at)[0]
        self.vtable_size = struct.unpack_from("<H", data, self.vtable)[0]

    def place(self, field):
        entry = 4 + 2 * field
        if entry >= self.vtable_size:
            return 0
        offset = struct.unpack_from("<H", self.data, self.vtable + entry)[0]
        return self.at + offset if offset else 0

    def number(self, field, form, otherwise=0):
        place = self.place(field)
        return struct.unpack_from("<" + form, self.data, place)[0] if place else otherwise

    def follow(self, place):
        return place + struct.unpack_from("<I", self.data, place)[0]

    def text(self, field):
        if not self.place(field):
            return ""
        at = self.follow(self.place(field))
        size = struct.unpack_from("<I", self.data, at)[0]
        return self.data[at + 4:at + 4 + size].decode()

    def table(self, field):
        place = self.place(field)
        return Table(self.data, self.follow(place)) if place else None

    def tables(self, field):
        if not self.place(field):
            return []
        at = self.follow(self.place(field))
        count = struct.unpack_from("<I", self.data, at)[0]
        return [Table(self.data, self.follow(at + 4 + 4 * i)) for i in range(count)]


def describe(binary):
    """A binary schema (reflection.fbs) as plain dictionaries, by name."""
    schema = Table(binary, struct.unpack_from("<I", binary)[0])
    object_names = [o.text(0) for o in schema.tables(0)]
    enum_names = [e.text(0) for e in schema.tables(1)]

    def type_of(t):
        base, element, index = t.number(0, "B"), t.number(1, "B"), t.number(2, "i", -1)
        is_object = 15 in (base, element)  # reflection.BaseType.Obj
        name = "" if index < 0 else (object_names if is_object else enum_names)[index]
        return base, element, name, t.number(3, "H")

    objects, enums = {}, {}
    for o in schema.tables(0):
        fields = {f.text(0): {"id": f.number(2, "H"), "offset": f.number(3, "H"),
                              "type": type_of(f.table(1)), "default": f.number(4, "q"),
                              "required": bool(f.number(7, "B"))}
                  for f in o.tables(1)}
        objects[o.text(0)] = {"struct": bool(o.number(2, "B")), "align": o.number(3, "i"),
                              "size": o.number(4, "i"), "fields": fields}
    for e in schema.tables(1):
        values = {v.number(1, "q"): (v.text(0), type_of(v.table(3)) if v.table(3) else None)
                  for v in e.tables(1)}
        enums[e.text(0)] = {"values": values, "type": type_of(e.table(3))}
    return {"identifier": schema.text(2), "root": schema.table(4).text(0), "objects": objects,
            "enums": enums}


def compile_schema(path):
    with tempfile.TemporaryDirectory() as out:
        subprocess.run(["flatc", "-b", "--schema", "-o", out, path], check=True,
                       capture_output=True, text=True)
        return describe((pathlib.Path(out) / (pathlib.Path(path).stem + ".bfbs")).read_bytes())


def compare_objects(old, new):
    for name, before in old.items():
        after = new.get(name)
        if after is None:
            yield f"{name} is gone"
            continue
        if before["struct"]:
            if before != after:
                yield f"struct {name} changed: structs are frozen"
            continue
        for field, was in before["fields"].items():
            now = after["fields"].get(field)
            if now is None:
                yield f"{name}.{field} is gone or renamed"
                continue
            for what in ("id", "type", "default", "required"):
                if was[what] != now[what]:
                    yield f"{name}.{field}: {what} was {was[what]}, is {now[what]}"
        for field, now in after["fields"].items():
            if field not in before["fields"] and now["required"]:
                yield f"{name}.{field}: a new field cannot be required"


def own_check(old, new):
    """What is wrong with `new` as a successor of `old`."""
    for what in ("identifier", "root"):
        if old[what] != new[what]:
            yield f"the {what} was {old[what]}, is {new[what]}"
    yield from compare_objects(old["objects"], new["objects"])
    for name, before in old["enums"].items():
        after = new["enums"].get(name)
        if after is None:
            yield f"{name} is gone"
            continue
        if before["type"] != after["type"]:
            yield f"{name} is stored as another type"
        for number, value in before["values"].items():
            if after["values"].get(number) != value:
                yield f"{name}: {number} was {value[0]}, is {after['values'].get(number)}"


def conform(old_path, new_path):
    result = subprocess.run(["flatc", "--conform", old_path, new_path], capture_output=True,
                            text=True)
    return [] if result.returncode == 0 else [result.stderr.strip() or result.stdout.strip()]


# (what it is, old text, new text, whether flatc sees it). Each would break stored events.
BAD_EDITS = [
    ("last field removed", "table TakeBack { to:ulong; text:string; }",
     "table TakeBack { to:ulong; }", False),
    ("field in the middle removed", "table Ruling { by:string; rule:string; text:string; }",
     "table Ruling { by:string; text:string; }", True),
    ("field inserted in the middle", "table TakeBack { to:ulong; text:string; }",
     "table TakeBack { to:ulong; by:string; text:string; }", True),
    ("type changed", "table Term { label:string (required); value:int; }",
     "table Term { label:string (required); value:long; }", True),
    ("signedness changed", "table UnitPlaced { unit:ushort;", "table UnitPlaced { unit:short;", True),
    ("default changed", "hits:int = -1;", "hits:int = 0;", True),
    ("enum values swapped", "{ Refereed, Scribed }", "{ Scribed, Refereed }", True),
    ("enum stored wider", "enum Keeping : ubyte", "enum Keeping : ushort", True),
    ("union members swapped", "GameCreated, BranchForked, GameEnded,",
     "BranchForked, GameCreated, GameEnded,", True),
    ("vector of something else", "values:[uint] (required);  //", "values:[ulong] (required);  //",
     True),
    ("struct grown", "struct Clock { turn:short; phase:ubyte; side:byte; }",
     "struct Clock { turn:short; phase:ubyte; side:byte; hour:short; }", False),
    ("last union member removed", "TakeBackProposed, TakeBackAnswered\n}",
     "TakeBackProposed\n}", False),
    ("required added", "table Ruling { by:string;", "table Ruling { by:string (required);", False),
    ("required dropped", "table Option { name:string (required);", "table Option { name:string;",
     False),
    ("new required field", "table TakeBack { to:ulong; text:string; }",
     "table TakeBack { to:ulong; text:string; by:string (required); }", False),
    ("identifier changed", '"WDEV"', '"WDE2"', False),
    ("root changed", "root_type Event;", "root_type GameCreated;", False),
    ("last enum value removed", "Imported, Beacon, Branch }", "Imported, Beacon }", False),
    ("union member renamed", "UnitPlaced, UnitMoved,", "Placed:UnitPlaced, UnitMoved,", False),
]

GOOD_EDITS = [
    ("field appended", "table TakeBack { to:ulong; text:string; }",
     "table TakeBack { to:ulong; text:string; by:string; }"),
    ("union member appended", "TakeBackProposed, TakeBackAnswered\n}",
     "TakeBackProposed, TakeBackAnswered, Novelty\n}\ntable Novelty { n:int; }"),
    ("enum value appended", "Imported, Beacon, Branch }", "Imported, Beacon, Branch, Oracle }"),
    ("comment changed", "// What `side` must decide next", "// What a side must decide next"),
]


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = SCHEMA.read_text()
        cls.now = compile_schema(SCHEMA)

    def edited(self, folder, old, new):
        self.assertIn(old, self.text, "the edit no longer fits the schema: bring it up to date")
        path = pathlib.Path(folder) / "event.fbs"
        path.write_text(self.text.replace(old, new, 1))
        return path

    def test_the_schema_extends_every_released_one(self):
        released = sorted(RELEASED.glob("*/event.fbs"))
        self.assertTrue(released, "no released schema found")
        for path in released:
            with self.subTest(str(path.relative_to(ROOT))):
                self.assertEqual(conform(path, SCHEMA), [])
                self.assertEqual(list(own_check(compile_schema(path), self.now)), [])

    def test_the_binary_schema_is_read_rightly(self):
        self.assertEqual(self.now["identifier"], "WDEV")
        self.assertEqual(self.now["root"], "wardiary.fb.Event")
        clock = self.now["objects"]["wardiary.fb.Clock"]
        self.assertTrue(clock["struct"])
        self.assertEqual(clock["size"], 4)
        self.assertTrue(self.now["objects"]["wardiary.fb.UnitMoved"]["fields"]["path"]["required"])
        self.assertEqual(self.now["enums"]["wardiary.fb.Payload"]["values"][1][0], "GameCreated")

    def test_every_bad_edit_is_caught(self):
        for name, old, new, flatc_sees_it in BAD_EDITS:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = self.edited(folder, old, new)
                own = list(own_check(self.now, compile_schema(path)))
                self.assertTrue(own, "our own check misses it")
                if flatc_sees_it:
                    self.assertTrue(conform(SCHEMA, path), "flatc --conform misses it")

    def test_every_good_edit_passes(self):
        for name, old, new in GOOD_EDITS:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = self.edited(folder, old, new)
                self.assertEqual(conform(SCHEMA, path), [])
                self.assertEqual(list(own_check(self.now, compile_schema(path))), [])


if __name__ == "__main__":
    unittest.main()

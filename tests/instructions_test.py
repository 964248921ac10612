#!/usr/bin/env python3
"""How many instructions fixed pieces of work take, counted under callgrind.

Counts do not depend on how busy the machine is, so a slower program fails here and not on a noisy
clock. tests/instructions.json holds the recorded numbers for the compiler we build with; more than
five percent above fails. After a wanted change: `tests/instructions_test.py --record BUILD_DIR`.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECORDED = ROOT / "tests" / "instructions.json"
TOLERANCE = 0.05
# Instructions per event that the fold may take at most, whatever was recorded.
FOLD_MOST_PER_EVENT = 400
FOLD_EVENTS = 20_000
# EastFront's rules beside what bounds them: this work takes at most so many times that one.
AT_MOST = {
    ("eastfront supply", "eastfront search"): 4,  # a plain breadth-first search for both sides
    ("eastfront legal", "eastfront answer"): 20,  # listing beside deciding one order there
}


def program(build):
    return pathlib.Path(build) / "tools" / "bench" / "bench_instructions"


def works(build):
    out = subprocess.run([program(build)], capture_output=True, text=True)
    return out.stdout.split("\n")[:-1]


def count(build, work):
    """(instructions, what the work came to)."""
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=measured_work",
             f"--callgrind-out-file={folder}/out", program(build), work],
            capture_output=True, text=True)
    if out.returncode != 0:
        raise RuntimeError(out.stderr)
    collected = re.search(r"Collected : (\d+)", out.stderr)
    return int(collected.group(1)), out.stdout.strip()


class Instructions(unittest.TestCase):
    build = os.environ.get("WARDIARY_BUILD", str(ROOT / "build" / "release"))

    def test_no_work_takes_more_instructions_than_recorded(self):
        recorded = json.loads(RECORDED.read_text())
        names = works(self.build)
        self.assertEqual(sorted(names), sorted(recorded), "record the new work, or drop the old")
        counts = {}
        for work in names:
            with self.subTest(work):
                counted, outcome = count(self.build, work)
                counts[work] = counted
                was = recorded[work]
                self.assertEqual(outcome, was["outcome"], "another result than recorded")
                change = counted / was["instructions"] - 1
                print(f"{work:16} {counted:>12,} instructions, {change:+.1%}")
                self.assertLess(change, TOLERANCE, f"{was['instructions']:,} were recorded")
                if work == "fold":
                    self.assertLess(counted / FOLD_EVENTS, FOLD_MOST_PER_EVENT)
        for (work, bound), times in AT_MOST.items():
            with self.subTest(f"{work} beside {bound}"):
                ratio = counts[work] / counts[bound]
                print(f"{work:16} {ratio:.2f} times {bound}")
                self.assertLess(ratio, times)


def record(build):
    numbers = {}
    for work in works(build):
        instructions, outcome = count(build, work)
        numbers[work] = {"instructions": instructions, "outcome": outcome}
    RECORDED.write_text(json.dumps(numbers, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        record(sys.argv[2])
    else:
        unittest.main()

#!/usr/bin/env python3
"""Adds up the results tools/test left in a directory and prints 'N passed, N failed'.

A ctest entry counts as many tests as its own summary names (GoogleTest, Python's unittest), or as
one. A stage that leaves no such results counts as one test. Exit status 1 if anything failed.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml


def count_output(output):
    """(passed, failed) from the summary of a test program; None if it prints none."""
    passed = re.findall(r"^\[  PASSED  \] (\d+) tests?\.", output, re.M)
    if passed:
        failed = re.findall(r"^ *(\d+) FAILED TESTS?$", output, re.M)
        return int(passed[-1]), int(failed[-1]) if failed else 0
    ran = re.findall(r"^Ran (\d+) tests? in", output, re.M)
    if ran:
        bad = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", output))
        return int(ran[-1]) - bad, bad
    return None


def count_junit(path):
    passed = failed = 0
    for case in xml.parse(path).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        good, bad = count_output(output) or (1, 0)
        if case.get("status") not in ("run", "disabled") and bad == 0:
            good, bad = max(good - 1, 0), 1  # it crashed, ran out of time or did not start
        passed, failed = passed + good, failed + bad
    return passed, failed


def count_vitest(path):
    cases = list(xml.parse(path).getroot().iter("testcase"))
    failed = sum(1 for case in cases if case.find("failure") is not None)
    return len(cases) - failed, failed


def count_tap(path):
    text = path.read_text(errors="replace")
    number = lambda word: sum(int(n) for n in re.findall(rf"^# {word} (\d+)", text, re.M))
    return number("pass"), number("fail")


def count_lines(path):
    statuses = [line.split("\t")[0] for line in path.read_text().splitlines()]
    return statuses.count("0"), len(statuses) - statuses.count("0")


def main():
    folder = pathlib.Path(sys.argv[1])
    passed = failed = 0
    counters = [("ctest-*.xml", count_junit), ("vitest.xml", count_vitest),
                ("node-*.tap", count_tap), ("fuzz.tsv", count_lines)]
    for pattern, count in counters:
        for path in sorted(folder.glob(pattern)):
            good, bad = count(path)
            passed, failed = passed + good, failed + bad
    failed_stages = [line.split("\t")[1]
                     for line in (folder / "stages.tsv").read_text().splitlines()
                     if not line.startswith("0\t")]
    if failed_stages:
        print("Failed: " + "; ".join(failed_stages))
    # A stage can fail without any test of it having failed, as when the build breaks.
    failed = max(failed, len(failed_stages))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

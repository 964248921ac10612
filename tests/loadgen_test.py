#!/usr/bin/env python3
"""tools/loadgen plays games through the API and counts; how fast is nobody's business here."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "http"))
from diary_service import ROOT, Service  # noqa: E402


class Loadgen(unittest.TestCase):
    def test_it_plays_and_counts(self):
        with Service() as service:
            done = subprocess.run([sys.executable, str(ROOT / "tools/loadgen"), "--url",
                                   f"http://127.0.0.1:{service.port}", "--games", "3", "--players", "2",
                                   "--followers", "2", "--seconds", "3", "--json"],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = json.loads(done.stdout)
            played = {row["operation"]: row["requests"] for row in shown["operations"]}
            self.assertEqual(played["create"], 3)
            self.assertGreater(played["order"], 0)
            self.assertGreaterEqual(played["legal"], played["order"])
            self.assertGreater(shown["streamMessages"], 0)
            rows = service.get("/games").json["games"]
            self.assertEqual(len(rows), 3)


if __name__ == "__main__":
    unittest.main()

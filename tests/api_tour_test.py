#!/usr/bin/env python3
"""docs/api.md is true: every line of its tour is run, in order, against the real service."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "http"))
from diary_service import COMMAND, ROOT, Service  # noqa: E402

class Tour(unittest.TestCase):
    def test_every_line_works_as_printed(self):
        text = (ROOT / "docs/api.md").read_text()
        blocks = re.findall(r"```sh\n(.*?)```", text, re.S)
        self.assertGreater(len(blocks), 10)
        self.assertIn("wardiary serve", blocks[0])
        with Service() as service, tempfile.TemporaryDirectory() as folder:
            bin_ = pathlib.Path(folder) / "bin"
            bin_.mkdir()
            (bin_ / "wardiary").symlink_to(COMMAND)
            script = "set -euo pipefail\n" + "".join(blocks[1:])
            script = script.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{service.port}")
            # Failures of curl itself are failures of the tour; answers are looked at below.
            done = subprocess.run(["bash", "-x", "-c", script], cwd=folder, text=True, timeout=300,
                                  capture_output=True,
                                  env={**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}"})
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-4000:])
            self.check(done.stdout)

    def check(self, shown):
        """What the reader is told is what comes."""
        for expected in ('"freeform"', '"Tour"', "/#/join/", '"press"', '"Bo B."',
                         '"version_conflict"', "event: version", '"GameCreated"', '"UnitMoved"',
                         '"What if"', '"Here it turned"', "wardiary/", '"field": "colour"',
                         '"field": "at"', "ready", "wardiary_appends_total"):
            self.assertIn(expected, shown)
        self.assertNotIn('"status": 404', shown)
        self.assertNotIn('"status": 500', shown)


if __name__ == "__main__":
    unittest.main()

"""tests/program/t686_report_browser.py - Chromium shows report.html: sections, pictures of their size, no message of the console

usage: t686_report_browser.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no Chromium
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, sys.argv[2] + "/tests/program")
from program import bandfem, example, main, path_of, skip  # noqa: E402

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser(unittest.TestCase):
    def show(self, folder, *words):
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
                               f"--user-data-dir={path_of('profile')}", *words, "file://" + path_of(folder, "report.html")],
                              capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("CONSOLE", done.stderr)
        return done.stdout

    def test_the_page_is_shown(self):
        bandfem("run", example("kirsch"), "--quiet", "--out", "kirsch", status=0)
        dom = self.show("kirsch", "--dump-dom")
        for part in ('id="pictures"', 'id="values"', 'id="matrix"', "Kirsch plate", "<svg"):
            self.assertIn(part, dom)
        self.show("kirsch", f"--screenshot={path_of('kirsch.png')}", "--window-size=1000,1400")
        self.assertGreater(os.path.getsize(path_of("kirsch.png")), 50_000)


if __name__ == "__main__":
    if not BROWSER:
        skip("no Chromium is on the path")
    main()

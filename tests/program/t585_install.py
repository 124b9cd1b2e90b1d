"""tests/program/t585_install.py - cmake --install: the installed program runs an installed deck; scripts and the schema that decks name are beside it

usage: t585_install.py BUILD_DIR SOURCE_DIR [unittest options]
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import json
import os
import re
import shutil
import subprocess
import unittest

from program import BUILD, Case, main, path_of, read

CMAKE = shutil.which("cmake")


class Install(Case):
    @unittest.skipUnless(CMAKE, "no cmake")
    def test_an_installed_deck_runs_in_another_folder(self):
        prefix = path_of("a prefix")
        done = subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        share = os.path.join(prefix, "share", "bandfem")
        done = subprocess.run([os.path.join(prefix, "bin", "bandfem"), "run", os.path.join(share, "decks", "kirsch.yaml"), "--out", "r"],
                              capture_output=True, text=True, cwd=prefix, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("verdict   VALID", done.stdout)
        self.assertIn("elasticity", json.loads(read("a prefix", "share/bandfem/deck.schema.json"))["$defs"])
        for name in ("python/picture/picture.py", "python/plot_bench.py", "matrices/plate.mtx"):
            self.assertTrue(os.path.isfile(os.path.join(share, name)), name)
        self.assertTrue(os.path.isfile(os.path.join(prefix, "share/doc/bandfem/deck.md")))
        decks = glob.glob(os.path.join(share, "decks", "*.yaml"))
        self.assertGreater(len(decks), 40)
        for path in decks:  # the last line names the schema, relative to the deck
            with open(path, encoding="utf-8") as file:
                last = file.read().splitlines()[-1]
            found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", last)
            self.assertTrue(found and os.path.samefile(os.path.join(share, "decks", found[1]), os.path.join(share, "deck.schema.json")), path)


main()

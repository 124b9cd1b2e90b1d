"""tests/program/t690_shell.py - the man page has every command and no error of groff; bash completes commands, options and keys

usage: t690_shell.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, sys.argv[2] + "/tests/program")
from program import bandfem, main, path_of, write  # noqa: E402

COMMANDS = ["run", "check", "converge", "matrix", "info", "solve", "inverse", "bench", "schema"]


def complete(*words):
    """What bash offers for the last word."""
    write("completion", bandfem("schema", "--completion", status=0).out)
    listed = " ".join(f"'{w}'" for w in ("bandfem",) + words)
    script = (f"source '{path_of('completion')}'; compopt() {{ :; }}; COMP_WORDS=({listed}); COMP_CWORD={len(words)}; _bandfem; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=path_of())
    assert done.stderr == "", done.stderr
    return done.stdout.split()


class Shell(unittest.TestCase):
    def test_commands_are_completed(self):
        self.assertEqual(complete(""), COMMANDS + ["--help", "--version"])
        self.assertEqual(complete("con"), ["converge"])

    def test_options_of_a_command(self):
        self.assertEqual(complete("run", "--"), ["--help", "--backend", "--out", "--verbose", "--quiet", "--errors"])
        self.assertIn("--levels", complete("converge", "--l"))
        self.assertIn("--spy", complete("matrix", "--s"))
        self.assertEqual(complete("run", "--backend", "c"), ["cpu", "cuda"])

    def test_keys_of_decks(self):
        self.assertEqual(complete("run", "a.yaml", "-s", "solver.rt"), ["solver.rtol="])
        self.assertIn("mesh.generate.box.cells=", complete("run", "a.yaml", "-s", "mesh."))
        self.assertFalse([k for k in complete("run", "a.yaml", "-s", "") if "<" in k or "[" in k])

    def test_files(self):
        write("beam.yaml", "deck: 1\n")
        self.assertEqual(complete("run", "be"), ["beam.yaml"])

    def test_the_man_page(self):
        page = bandfem("schema", "--man", status=0).out
        for command in COMMANDS:
            self.assertIn(f".SS {command}\n", page)
        self.assertTrue(page.startswith(".TH BANDFEM 1"))
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww"], input=page, capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            self.assertIn("--backend auto|cpu|cuda", done.stdout)

    def test_mistakes(self):
        self.assertIn("unknown option or argument '--zsh'", bandfem("schema", "--zsh", status=1).err)


if __name__ == "__main__":
    main()

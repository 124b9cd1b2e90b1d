"""tests/program/t550_performance_tables.py - tables of docs/performance equal their CSV files; links between documents exist

usage: t550_performance_tables.py BUILD_DIR SOURCE_DIR [unittest options]
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import subprocess
import sys
import tempfile
import unittest

from program import SOURCE

PYTHON = "/usr/bin/python3"
SCRIPT = os.path.join(SOURCE, "outputs", "performance_tables.py")
TABLE = "<!-- table: small -->\n| case | ms |\n|---|---:|\n| a | 1.5 |\n<!-- end -->\n"


def run(*words):
    return subprocess.run([PYTHON, "-B", SCRIPT, *words], capture_output=True, text=True, check=False)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Pages(unittest.TestCase):
    """a project of two pages, a CSV file and a README"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.page = os.path.join(self.root, "docs", "performance.md")
        write(os.path.join(self.root, "README.md"), "[pages](docs/performance.md#two-words)\n")
        write(os.path.join(self.root, "docs", "performance", "measured", "small.csv"), "case,ms\na,1.5\n")
        write(os.path.join(self.root, "docs", "performance", "other.md"), "# Other\n[back](../performance.md)\n")
        self.write_page()

    def write_page(self, table=TABLE, link="[other](performance/other.md#other)"):
        write(self.page, f"# Performance\n\n## Two words\n{link}\n\n{table}")

    def refused(self, part):
        done = run("--check", self.root)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(part, done.stderr)

    def test_tables_and_links_that_are_right_pass(self):
        done = run("--check", self.root)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_changed_number_is_found_and_mended(self):
        self.write_page(TABLE.replace("1.5", "1.4"))
        before = read(self.page)
        self.refused("docs/performance.md: tables differ from the CSV files")
        self.assertEqual(read(self.page), before)
        self.assertEqual(run(self.root).returncode, 0)
        self.assertEqual(read(self.page), before.replace("1.4", "1.5"))

    def test_tables_without_file_or_end_are_named(self):
        self.write_page(TABLE.replace("small", "none"))
        self.refused("no table 'none'")
        self.write_page(TABLE.replace("<!-- end -->", ""))
        self.refused("a table without its end")
        self.write_page(TABLE.replace("small", "lu"))
        self.refused("lu-h200")

    def test_a_row_with_too_few_cells_is_named(self):
        write(os.path.join(self.root, "docs", "performance", "measured", "small.csv"), "case,ms\na\n")
        self.refused("rows [2] do not have 2 cells")

    def test_links_to_missing_files_and_headings_are_named(self):
        self.write_page(link="[other](performance/others.md)")
        self.refused("docs/performance.md: no file performance/others.md")
        self.write_page(link="[other](performance/other.md#another)")
        self.refused("docs/performance.md: no anchor performance/other.md#another")
        self.write_page(link="[web](https://example.org/x.md) and `[code](none.md)`")
        self.assertEqual(run("--check", self.root).returncode, 0)


class Committed(unittest.TestCase):
    def test_committed_tables_and_links_are_right(self):
        done = run("--check", SOURCE)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_ratio_is_that_of_the_fastest_library(self):
        seconds = {}
        with open(os.path.join(SOURCE, "docs", "performance", "lu-h200-2026-11-23.csv"), encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["case"] == "d64x10000":
                    seconds[row["kernel"]] = float(row["seconds"])
        ours = seconds.pop("getrf")
        self.assertEqual(len(seconds), 3)
        line = next(l for l in read(os.path.join(SOURCE, "docs", "performance.md")).split("\n")
                    if l.startswith("| n = 64, batch 10000 | 314 |"))
        self.assertEqual(line.split("|")[5].strip(), f"{min(seconds.values()) / ours:.2f}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])

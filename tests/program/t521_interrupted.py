"""tests/program/t521_interrupted.py - runs that are killed, whose reader leaves, whose disk fills, whose folder vanishes

usage: t521_interrupted.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

Whatever happens, a file under its final name is whole.  What a killed run leaves is called FILE.<process>-<number>.part, and
the next run removes it.  The results of an earlier run go before the first result is written (t537).
"""
# SPDX-License-Identifier: BSD-3-Clause
import fcntl
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest
import xml.etree.ElementTree as ElementTree

import program
from bad_inputs import BAR, BOX, deck_text
from program import FILES, FOLDER, PROGRAM, SOURCE, main, path_of, read, write

ALONE = dict(program.ENVIRONMENT, OMP_NUM_THREADS="1")
PART = re.compile(r"(case\.hdf|case\.vtk|deck\.resolved\.yaml|report\.(?:html|json)|view\.py|residuals\.csv)\.\d+-\d+\.part")
LARGE = BOX.replace("[6, 2, 2]", "[20, 8, 8]")


def deck(name, **sections):
    return write(name + ".yaml", deck_text(**{**BAR, "solver": "{rtol: 1.0e-3}", **sections}))


def start(*words, **more):
    return program.start(*words, env=ALONE, text=True, **{"stdout": subprocess.DEVNULL, **more})


def run(*words, **more):
    """(exit status, stderr)"""
    answer = program.bandfem(*words, env=ALONE, **{"stdout": subprocess.DEVNULL, **more})
    return answer.status, answer.err


def steady(text):
    """report.json without what differs from run to run of one deck: times and rates."""
    report = json.loads(text)
    return report["title"], report["mesh"], report["checks"], report["reactions"]


def without_folder(resolved):
    return re.sub(rb"\n  dir: .*", b"", resolved)


class Case(unittest.TestCase):
    def is_whole(self, folder, name):
        """The file is complete by its own account."""
        data = read(folder, name)
        if name == "case.vtk":
            self.assertTrue(data.startswith(b"# vtk DataFile"))
            self.assertIn(data, self.vtk)
        elif name == "case.hdf":
            self.assertEqual(data[:8], b"\x89HDF\r\n\x1a\n")
            self.assertEqual(data[8], 0)  # superblock 0: the end of the file stands at byte 40
            self.assertEqual(struct.unpack("<Q", data[40:48])[0], len(data))
        elif name == "report.json":
            self.assertIn(steady(data), self.report)
        elif name == "deck.resolved.yaml":
            self.assertIn(without_folder(data), self.resolved)
        elif name == "view.py":
            self.assertIn(data, self.view)
        elif name == "report.html":
            self.assertTrue(data.endswith(b"</body>\n</html>\n"))
            ElementTree.fromstring(data.decode())
        else:
            rows = data.decode().split("\n")
            self.assertEqual((rows[-1], len(rows)), ("", self.rows))
            self.assertEqual({row.count(",") for row in rows[:-1]}, {rows[0].count(",")})

    def know(self, *folders):
        """Complete results of these folders are what files may be."""
        self.vtk = [read(f, "case.vtk") for f in folders]
        self.report = [steady(read(f, "report.json")) for f in folders]
        self.resolved = [without_folder(read(f, "deck.resolved.yaml")) for f in folders]
        self.view = [read(f, "view.py") for f in folders]
        self.rows = read(folders[0], "residuals.csv").count(b"\n") + 1

    def are_whole(self, folder):
        found = os.listdir(path_of(folder))
        for name in found:
            if not PART.fullmatch(name):
                self.assertIn(name, FILES)
                self.is_whole(folder, name)
        return [name for name in found if PART.fullmatch(name)]


class Killed(Case):
    def test_every_file_is_whole(self):
        words = {}
        for name, title in (("old", "the old one"), ("new", "the new one")):
            words[name] = ("run", deck(name, mesh=LARGE, title=title), "--quiet")
            self.assertEqual(run(*words[name], "--out", name), (0, ""))
        self.know("old", "new")
        self.assertNotEqual(*self.vtk)
        left, killed = 0, 0
        chance = random.Random(5)
        for i in range(25):
            shutil.rmtree(path_of("out"), ignore_errors=True)
            if i % 3:
                shutil.copytree(path_of("old"), path_of("out"))
            how, status = ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 143), (signal.SIGINT, 130))[i // 5 % 3]
            process = start(*words["new"], "--out", "out")
            self.wait_for(process, FILES[i % 5])
            time.sleep(chance.random() * (1e-3 if i % 5 < 2 else 1e-4))
            process.send_signal(how)
            err = process.communicate(timeout=60)[1]
            self.assertIn(process.returncode, (0, status), err)
            killed += process.returncode != 0
            left += len(self.are_whole("out")) if os.path.isdir(path_of("out")) else 0
        self.assertGreater(killed, 3)
        self.assertGreater(left, 1)
        self.assertEqual(run(*words["new"], "--out", "out"), (0, ""))
        self.assertEqual(sorted(os.listdir(path_of("out"))), FILES)
        self.assertEqual(read("out", "case.vtk"), self.vtk[1])

    def wait_for(self, process, name):
        """Until the run writes this file, or has ended."""
        while process.poll() is None:
            if os.path.isdir(path_of("out")) and any(f.startswith(name + ".") for f in os.listdir(path_of("out"))):
                return
            time.sleep(1e-4)

    def test_leftovers_go_but_those_of_a_living_run_and_files_of_others_stay(self):
        kept = ["case.vtk.77-1.part", "case.vtk.old.part", "case.vtk.7.part", "notes.txt", "case.vtk.1-2.part.gz"]
        for name in kept + ["case.vtk.99-0.part", "case.hdf.1-12.part", "report.json.5-0.part"]:
            write("mixed/" + name, "half")
        with open(path_of("mixed", kept[0]), "r+", encoding="utf-8") as living:
            fcntl.lockf(living, fcntl.LOCK_EX)
            self.assertEqual(run("run", deck("mixed"), "--quiet", "--out", "mixed"), (0, ""))
            self.assertEqual(sorted(os.listdir(path_of("mixed"))), sorted(FILES + kept))
        self.assertEqual(run("run", deck("mixed"), "--quiet", "--out", "mixed"), (0, ""))
        self.assertEqual(sorted(os.listdir(path_of("mixed"))), sorted(FILES + kept[1:]))


class Stdout(Case):
    @classmethod
    def setUpClass(cls):
        run("run", deck("talk"), "--quiet", "--out", "talk")

    def results(self, folder):
        self.know("talk")
        self.assertEqual(sorted(os.listdir(path_of(folder))), FILES)
        self.assertEqual(self.are_whole(folder), [])

    def test_a_reader_that_leaves_does_not_cost_the_results(self):
        process = start("run", "talk.yaml", "--out", "head", stdout=subprocess.PIPE)
        self.assertTrue(process.stdout.readline())
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(timeout=60), err), (0, ""))
        self.results("head")

    def test_a_reader_that_leaves_is_no_error_of_other_commands(self):
        for words in (["schema"], ["schema", "--json"], ["check", "talk.yaml"], ["--help"],
                      ["info", os.path.join(SOURCE, "tests/meshes/plate_1_22a.msh")]):
            reader, writer = os.pipe()
            os.close(reader)
            self.assertEqual(run(*words, stdout=writer), (0, ""), words)
            os.close(writer)

    def test_text_that_cannot_be_written_is_told_and_the_results_are_there(self):
        lost = ": cannot write to standard output; possible cause: the disk is full\n"
        for words in (["run", "talk.yaml", "--out", "full"], ["schema"], ["check", "talk.yaml"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.assertEqual(run(*words, stdout=full), (7, "bandfem" + lost), words)
        self.results("full")

    def test_no_log_goes_into_a_result_where_the_standard_files_are_closed(self):
        done = subprocess.run(["/bin/sh", "-c", f"exec '{PROGRAM}' run talk.yaml --out closed <&- >&- 2>&-"], cwd=FOLDER,
                              env=ALONE, check=False, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.results("closed")


class FullDisk(Case):
    def test_a_limit_of_the_file_size_is_told(self):
        """The first file that is larger than the limit is named; those before it are there."""
        for formats, name in (("[vtk]", "case.vtk"), ("[vtkhdf]", "case.hdf"), ("[vtk]", "report.html"), ("[vtk], report: false", "report.json")):
            words = ("run", deck("limit", output=f"{{formats: {formats}}}", mesh=BOX if not name.startswith("report") else BOX.replace(
                "[6, 2, 2]", "[1, 1, 1]")), "--quiet", "--out", "limit")
            shutil.rmtree(path_of("limit"), ignore_errors=True)
            self.assertEqual(run(*words), (0, ""))
            before = {f: read("limit", f) for f in os.listdir(path_of("limit"))}
            limit = len(before[name]) * 3 // 4  # the length of a report varies by some bytes
            status, err = run(*words, preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            self.assertEqual((status, err), (7, f"error E601: cannot write 'limit/{name}': File too large\n"))
            written = ["case.vtk", "residuals.csv", "deck.resolved.yaml", "view.py", "case.hdf", "report.html", "report.json"]
            self.assertEqual(sorted(os.listdir(path_of("limit"))),
                             sorted({f for f in written[:written.index(name)] if f in before} | {"deck.resolved.yaml"}))

    def test_a_disk_that_fills_in_the_middle_of_each_file_is_told(self):
        """A small disk of its own, mounted where nobody else sees it; a page too small for each file in turn."""
        if subprocess.run(["unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", FOLDER], capture_output=True, check=False).returncode:
            self.skipTest("this system lets no user mount a small disk")
        self.assertEqual(run("run", deck("disk", output="{report: false}"), "--quiet", "--out", "disk"), (0, ""))
        self.know("disk")
        os.makedirs(path_of("small"))
        pages = 0
        for name in ["case.vtk", "residuals.csv", "deck.resolved.yaml", "view.py", "case.hdf", "report.json", None]:
            pages += -(-len(read("disk", name)) // 4096) if name else 2  # the report's length varies by some bytes
            size = 4 * (pages - 1)
            script = (f"mount -t tmpfs -o size={size}k tmpfs small; '{PROGRAM}' run disk.yaml --quiet --out small; "
                      "echo $? >status; rm -rf copy; cp -r small copy")
            done = subprocess.run(["unshare", "-Urm", "/bin/sh", "-c", script], cwd=FOLDER, env=ALONE, text=True,
                                  capture_output=True, check=False, timeout=60)
            self.assertEqual(self.are_whole("copy"), [])
            if name:
                self.assertEqual(done.stderr, f"error E601: cannot write 'small/{name}': No space left on device\n")
                self.assertEqual(int(read("status")), 7)
                self.assertNotIn(name, os.listdir(path_of("copy")))
            else:
                self.assertEqual((int(read("status")), done.stderr), (0, ""))
                self.assertEqual(sorted(os.listdir(path_of("copy"))), [f for f in FILES if f != "report.html"])


class Folder(Case):
    def in_the_solve(self, name, act):
        """(exit status, stderr) of a run; act() happens after its first iteration."""
        solver = "{method: cg, preconditioner: jacobi, rtol: 3.0e-16, max_iterations: 60, monitor_every: 1}"
        process = start("run", "--verbose", deck(name, mesh=LARGE, solver=solver), "--out", name, stdout=subprocess.PIPE)
        for line in iter(process.stdout.readline, ""):
            if act and "iteration " in line:
                process.send_signal(signal.SIGSTOP)  # the act is one step for the run
                act()
                process.send_signal(signal.SIGCONT)
                act = None
        err = process.communicate(timeout=60)[1]
        return process.returncode, err

    def test_a_folder_that_vanishes_in_the_run_is_told(self):
        self.assertEqual(self.in_the_solve("gone", lambda: os.rmdir(path_of("gone"))),
                         (7, "error E601: cannot write 'gone/case.vtk': No such file or directory\n"))
        self.assertFalse(os.path.exists(path_of("gone")))

    def test_a_folder_that_becomes_a_file_in_the_run_is_told(self):
        def act():
            os.rmdir(path_of("turned"))
            write("turned", "mine")
        self.assertEqual(self.in_the_solve("turned", act), (7, "error E601: cannot write 'turned/case.vtk': Not a directory\n"))
        self.assertEqual(read("turned"), b"mine")


if __name__ == "__main__":
    main()

"""tests/program/program.py - bandfem as the Python tests meet it: where it is, a folder for a test, its answers, what it wrote

CTest starts a test as tNNN_topic.py BUILD_DIR SOURCE_DIR [unittest options].  Its decks and results are in FOLDER,
BUILD_DIR/tNNN/BACKEND, which main() empties; names of files are relative to it.  BACKEND is the environment's BANDFEM_BACKEND,
cpu or cuda: where a test solves on it and there is no device, the test is skipped (exit status 77), and fails where
BANDFEM_REQUIRE_CUDA=1.
"""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import csv
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import unittest

BUILD, SOURCE = (os.path.abspath(p) for p in sys.argv[1:3])
NAME = os.path.splitext(os.path.basename(sys.argv[0]))[0]
PROGRAM = os.path.join(BUILD, "bandfem")
BACKEND = os.environ.get("BANDFEM_BACKEND", "cpu")
FOLDER = os.path.join(BUILD, NAME.split("_")[0], BACKEND)
ENVIRONMENT = dict(os.environ, OMP_WAIT_POLICY="passive")
FILES = ["case.hdf", "case.vtk", "deck.resolved.yaml", "report.html", "report.json", "residuals.csv", "view.py"]  # of a static run
Answer = collections.namedtuple("Answer", "status out err")


def start(*words, **more):
    """The program at work, with pipes for what it prints unless told otherwise; more: of subprocess.Popen."""
    return subprocess.Popen([PROGRAM, *words], **{"cwd": FOLDER, "env": ENVIRONMENT, "stdout": subprocess.PIPE,
                                                  "stderr": subprocess.PIPE, **more})


def sound(words, status, out, err):
    """The answer; a signal or a sanitizer's word is a failure of every test."""
    if status < 0 or "Sanitizer" in err:
        raise AssertionError(f"{words}: ended by signal {-status}: {err}" if status < 0 else f"{words}: {err}")
    return Answer(status, out, err)


def bandfem(*words, timeout=60, stdin=None, status=None, **more):
    """What the program answers within so many seconds; status: with what it must end."""
    with start(*words, **({} if stdin is None else {"stdin": subprocess.PIPE}), **more) as process:
        try:
            out, err = process.communicate(stdin, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    answer = sound(words, process.returncode, (out or b"").decode(), (err or b"").decode())
    if status not in (None, answer.status):
        raise AssertionError(f"{words}: exit status {answer.status}: {answer.out}{answer.err}")
    return answer


def peak(*words):
    """The answer of one run, its peak memory in KiB and its seconds."""
    begin = time.monotonic()
    with open(path_of("peak.err"), "w+b") as err, start(*words, stdout=subprocess.DEVNULL, stderr=err) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        answer = sound(words, process.returncode, "", err.read().decode())
    return answer, usage.ru_maxrss, time.monotonic() - begin


def bench(*words):
    """Rows of the table that bandfem bench makes in its quick form on the CPU."""
    if os.path.exists(path_of("rows.csv")):
        os.remove(path_of("rows.csv"))
    bandfem("bench", *words, "--quick", "--backend", "cpu", "--csv", "rows.csv", timeout=300, status=0)
    return list(csv.DictReader(read("rows.csv").decode("ascii").splitlines()))


def has_device():
    """Whether this machine has a CUDA device."""
    return BACKEND == "cuda" or (shutil.which("nvidia-smi") is not None and
                                 subprocess.run(["nvidia-smi"], capture_output=True, check=False).returncode == 0)


def path_of(*names):
    return os.path.join(FOLDER, *names)


def example(name):
    """The path of an example deck."""
    return os.path.join(SOURCE, "inputs", "decks", name + ".yaml")


def write(name, data):
    os.makedirs(os.path.dirname(path_of(name)), exist_ok=True)
    with open(path_of(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return name


def read(*names):
    with open(path_of(*names), "rb") as file:
        return file.read()


def report(folder):
    """report.json, all of whose numbers are finite."""
    def refuse(word):
        raise AssertionError(f"{folder}: {word} in report.json")
    return json.loads(read(folder, "report.json"), parse_constant=refuse)


def history(folder):
    """Rows of residuals.csv as words, without the seconds."""
    return [row[:3] for row in csv.reader(read(folder, "residuals.csv").decode().splitlines(), strict=True)]


def displacement(folder):
    """The point field of case.vtk, all components one after the other."""
    data = read(folder, "case.vtk")
    points = int(re.search(rb"POINT_DATA (\d+)\n", data).group(1))
    begin = re.search(rb"VECTORS displacement double\n|displacement 3 \d+ double\n", data).end()
    return struct.unpack(f">{3 * points}d", data[begin:begin + 24 * points])


class Case(unittest.TestCase):
    def says(self, answer, status, *parts):
        """The exit status, and each part on stderr."""
        self.assertEqual(answer.status, status, answer.out + answer.err)
        for part in parts:
            self.assertIn(part, answer.err)


def skip(why):
    print(f"{NAME}: skipped, {why}")
    sys.exit(77)


def main(first=None):
    """Runs the tests; first: an answer from BACKEND, whose exit status is 4 where there is no device."""
    if not os.path.exists(PROGRAM):
        skip(f"no program {PROGRAM}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    if first and BACKEND == "cuda" and first().status == 4:
        if os.environ.get("BANDFEM_REQUIRE_CUDA") == "1":
            sys.exit(f"{NAME}: no CUDA device, which BANDFEM_REQUIRE_CUDA asks for")
        skip("no CUDA device")
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])

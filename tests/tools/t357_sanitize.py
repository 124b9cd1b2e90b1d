"""tests/tools/t357_sanitize.py - ./dev sanitize without a device: what a checker says of a test becomes its line and the status

usage: t357_sanitize.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import stat
import subprocess
import sys
import unittest

BUILD, SOURCE = (os.path.abspath(p) for p in sys.argv[1:3])
FOLDER = os.path.join(BUILD, "t357")

CLAIM = "echo '[ RUN      ] {0}'; echo '[       OK ] {0}'; "
SUMMARY = "echo '========= RACECHECK SUMMARY: {0} displayed ({1})'; "
HAZARD = ("echo '========= Error: Race reported between Write access at void update<double, (int)2>(T1 *)+0x69b0 in panel.cuh:88';"
          "echo '=========     and Read access at solve(double *)+0x10 in panel.cuh:91 [3 hazards]';"
          "echo '========='; echo '=========         Host Frame: main(int)+0x10 in t903.c:7 [0x1]'; ")
TESTS = {
    "t901_clean": (CLAIM.format("one") + CLAIM.format("two") + SUMMARY.format("0 hazards", "0 errors, 0 warnings"), "kernels;cuda"),
    "t902_quick": ("test \"$BANDFEM_QUICK$BANDFEM_REQUIRE_CUDA\" = 21 && " + SUMMARY.format("0 hazards", "0 errors, 0 warnings"), "cuda"),
    "t903_races": (CLAIM.format("one") + HAZARD + SUMMARY.format("1 hazard", "1 error, 0 warnings"), "kernels;cuda"),
    "t904_fails": (SUMMARY.format("0 hazards", "0 errors, 0 warnings") + "exit 1", "kernels;cuda"),
    "t905_hangs": (CLAIM.format("one") + "echo '[ RUN      ] stays'; exec sleep 60", "kernels;cuda"),
    "t906_silent": ("exit 0", "kernels;cuda"),
    "t907_host": ("exit 1", "kernels;cpu"),
    "deck.t908": ("exit 1", "decks;cuda"),
}


def program(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


class Sanitize(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(os.path.join(FOLDER, "bin"))
        program(os.path.join(FOLDER, "bin", "compute-sanitizer"), 'test "$1 $2" = "--tool racecheck" || exit 3; shift 2; exec "$@"')
        with open(os.path.join(FOLDER, "CTestTestfile.cmake"), "w", encoding="ascii") as file:
            for name, (text, labels) in TESTS.items():
                program(os.path.join(FOLDER, name), text)
                file.write(f'add_test({name}.x "{FOLDER}/{name}" "cuda")\nset_tests_properties({name}.x PROPERTIES LABELS "{labels}")\n')

    def run_on(self, regex, *options):
        path = os.path.join(FOLDER, "bin") + os.pathsep + os.environ["PATH"]
        return subprocess.run([sys.executable, os.path.join(SOURCE, "tests", "sanitize.py"), FOLDER, "racecheck", regex, *options],
                              capture_output=True, text=True, timeout=50, env=dict(os.environ, PATH=path), check=False)

    def expect(self, regex, status, *parts):
        done = self.run_on(regex, "--limit", "2")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for part in parts:
            self.assertIn(part, done.stdout)

    def test_clean_tests_are_ok_and_run_in_their_quick_form(self):
        self.expect("t901|t902", 0, "t901_clean: ok, 2 claims", "t902_quick: ok", "2 of 2 tests clean")

    def test_a_hazard_is_named_with_kernel_and_line(self):
        self.expect("t903", 1, "t903_races: 1 named", "update panel.cuh:88", "solve panel.cuh:91", "0 of 1 tests clean")

    def test_a_test_that_fails_is_not_clean(self):
        self.expect("t904", 1, "t904_fails: failed, exit status 1")

    def test_a_test_without_an_end_says_where_it_was(self):
        self.expect("t905", 1, "t905_hangs: did not end, 1 claims done, in stays")

    def test_all_together_may_have_a_limit(self):
        done = self.run_on("t905|t901", "--jobs", "1", "--within", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("t905_hangs: did not end", done.stdout)
        self.assertEqual(self.run_on("t901", "--within", "0").stdout.count("t901_clean: did not begin"), 1)

    def test_no_summary_is_not_clean(self):
        self.expect("t906", 1, "t906_silent: failed")

    def test_of_all_only_programs_of_the_device_are_taken(self):
        done = self.run_on("", "--limit", "2")
        self.assertIn("2 of 6 tests clean", done.stdout)
        self.assertEqual(self.run_on("t907|t908").returncode, 1)
        with open(os.path.join(FOLDER, "sanitize", "racecheck.t901_clean.log"), encoding="ascii") as log:
            self.assertIn("SUMMARY", log.read())


LAUNCHES = """case "$*" in
*--kernel-name*kne=none*--dump-kernel-launches*t911*) echo '=========   Kernel: _Z4fillPdmj'; echo '=========   Kernel: _Z4fillPdmj';;
*t912*) exit 1;;
esac"""


class Launched(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER + "l", ignore_errors=True)
        os.makedirs(os.path.join(FOLDER + "l", "bin"))
        program(os.path.join(FOLDER + "l", "bin", "compute-sanitizer"), LAUNCHES)
        with open(os.path.join(FOLDER + "l", "CTestTestfile.cmake"), "w", encoding="ascii") as file:
            for name, stub in (("t911_fills", "_Z25__device_stub__Z4fillPdmjPdmj"), ("t912_fails", "_ZZL23__device_stub__Z4copyPdPdE5__tmp")):
                program(os.path.join(FOLDER + "l", name), f": {stub}")
                file.write(f'add_test({name}.x "{FOLDER}l/{name}" "cuda")\nset_tests_properties({name}.x PROPERTIES LABELS "kernels;cuda")\n')

    def run_on(self, regex):
        path = os.path.join(FOLDER + "l", "bin") + os.pathsep + os.environ["PATH"]
        return subprocess.run([sys.executable, os.path.join(SOURCE, "tests", "launched.py"), FOLDER + "l", regex], capture_output=True,
                              text=True, timeout=50, env=dict(os.environ, PATH=path), check=False)

    def test_where_all_kernels_are_launched_it_says_so(self):
        done = self.run_on("t911")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 programs, 2 launches, 1 of 1 kernels", done.stdout)

    def test_a_kernel_that_nothing_launches_is_named_and_a_program_that_fails(self):
        done = self.run_on("")
        self.assertEqual(done.returncode, 1)
        self.assertIn("t912_fails: did not end, or failed", done.stdout)
        self.assertIn("2 launches, 1 of 2 kernels", done.stdout)
        self.assertIn("not launched: copy(double*)", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])

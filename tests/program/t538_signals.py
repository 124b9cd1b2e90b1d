"""tests/program/t538_signals.py - Ctrl-C and SIGTERM at a run, a solve and everything else

usage: t538_signals.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import shutil
import signal
import stat

import program
from bad_inputs import BAR, BOX, deck_text
from program import FILES, main, path_of, read, report, write

ALONE = dict(program.ENVIRONMENT, OMP_NUM_THREADS="1")
LARGE = BOX.replace("[6, 2, 2]", "[60, 12, 12]")
ENDLESS = "{rtol: 1.0e-15, max_iterations: 1000000, monitor_every: 1}"
TOLD = "bandfem: interrupted: writing the iterate, marked NOT CONVERGED; press Ctrl-C again to stop at once\n"
BOTH = ((signal.SIGINT, 130), (signal.SIGTERM, 143))


def deck(name, **sections):
    return write(name + ".yaml", deck_text(**{**BAR, "mesh": LARGE, "solver": ENDLESS, **sections}))


def start(*words, **more):
    return program.start(*words, env=ALONE, text=True, **more)


def matrix(name, n):
    """-1 2 -1: CG takes n iterations."""
    rows = [f"{i + 1} {i + 1} 2\n" + (f"{i + 2} {i + 1} -1\n" if i + 1 < n else "") for i in range(n)]
    return write(name, f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {2 * n - 1}\n" + "".join(rows))


class Watched(program.Case):
    def after(self, process, text, number):
        """(exit status, stdout, stderr) where the signal comes when `text` is printed."""
        out = ""
        for line in iter(process.stdout.readline, ""):
            out += line
            if text in line:
                process.send_signal(number)
                break
        else:
            self.fail(f"no '{text}' in {out}{process.stderr.read()}")
        rest, err = process.communicate(timeout=60)
        return process.returncode, out + rest, err


class Run(Watched):
    def test_a_solve_that_is_interrupted_leaves_its_iterate_marked(self):
        for number, status in BOTH:
            shutil.rmtree(path_of("o"), ignore_errors=True)
            got, out, err = self.after(start("run", "--verbose", deck("d"), "--out", "o"), "iteration  ", number)
            self.assertEqual((got, err.startswith(TOLD)), (status, True), err)
            self.assertRegex(err[len(TOLD):], r"^d.yaml: error E501: interrupted: true residual \S+ after \d+ iterations, target "
                                              r"1e-15\n$")
            self.assertIn("NOT CONVERGED: interrupted after", out)
            self.assertEqual(sorted(os.listdir(path_of("o"))), FILES)
            for name in FILES:
                self.assertNotIn(b"VALID", read("o", name))
                if name != "residuals.csv" and name != "deck.resolved.yaml":
                    self.assertIn(b"NOT CONVERGED: interrupted after", read("o", name))
            self.assertEqual(report("o")["performance"]["verdict"], "NOT CONVERGED")
            self.assertGreater(report("o")["solve"]["iterations"], 0)

    def test_the_status_is_the_signals_also_where_a_failure_is_a_warning(self):
        solver = ENDLESS.replace("}", ", on_failure: warn}")
        self.assertEqual(self.after(start("run", "--verbose", deck("warn", solver=solver), "--out", "warn"), "iteration  ",
                                    signal.SIGINT)[0], 130)

    def test_every_method_ends_at_a_look(self):
        for method in ("bicgstab", "bicg"):
            deck(method, solver=ENDLESS.replace("{", "{method: %s, " % method))
            got, _, err = self.after(start("run", "--verbose", method + ".yaml", "--out", method), "iteration  ", signal.SIGINT)
            self.assertEqual(got, 130)
            self.assertIn("E501: interrupted: ", err)

    def test_a_second_signal_ends_at_once(self):
        process = start("run", "--verbose", deck("twice"), "--out", "twice")
        for line in iter(process.stdout.readline, ""):
            if "iteration  " in line:
                break
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stderr.readline(), TOLD)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(os.path.exists(path_of("twice", "report.json")))

    def test_outside_of_a_solve_the_program_ends_and_leaves_no_file(self):
        for number, status in BOTH:
            for text in ("mesh ", "numbering:", "matrix "):
                shutil.rmtree(path_of("early"), ignore_errors=True)
                got, _, err = self.after(start("run", "--verbose", deck("early"), "--out", "early"), text, number)
                if err.startswith(TOLD): # the solve had begun before the signal came
                    continue
                self.assertEqual((got, err), (status, "bandfem: interrupted\n"))
                self.assertEqual(os.listdir(path_of("early")) if os.path.exists(path_of("early")) else [], [])

    def test_factors_have_no_iterate(self):
        deck("direct", solver="{method: direct}")
        got, _, err = self.after(start("run", "--verbose", "direct.yaml", "--out", "direct"), "solve ", signal.SIGINT)
        self.assertEqual((got, err, os.listdir(path_of("direct"))), (130, "bandfem: interrupted\n", []))

    def test_modes_and_waves_end_without_a_result(self):
        plate = "{generate: {rectangle: {size: [1.0, 1.0], cells: [90, 90], element: quad4}}}"
        modal = deck_text(mesh=plate, physics="heat", discretization=None, analysis="{type: modal, modes: 40}",
                          materials="{m: {groups: [surface], k: 1.0, rho: 1.0}}", eigensolver="{method: lobpcg, rtol: 1.0e-12}",
                          boundary="[{group: x_min, type: temperature, value: 0.0}]")
        write("modal.yaml", modal)
        program.bandfem("run", write("old.yaml", deck_text(**BAR)), "--quiet", "--out", "modal", status=0)
        got, _, err = self.after(start("run", "--verbose", "modal.yaml", "--out", "modal"), "modes ", signal.SIGTERM)
        self.assertEqual((got, err), (143, "bandfem: interrupted\n"))
        self.assertEqual(os.listdir(path_of("modal")), ["deck.resolved.yaml"])

    def test_a_message_is_a_line_of_json_where_errors_are(self):
        _, _, err = self.after(start("run", "--verbose", deck("j"), "--out", "j", "--errors=json"), "iteration  ", signal.SIGINT)
        first, second = (json.loads(line) for line in err.splitlines())
        self.assertIn(first["text"], TOLD)
        self.assertEqual((first["severity"], second["code"]), ("error", "E501"))

    def test_an_ignored_signal_stays_ignored(self):
        process = start("run", "--verbose", deck("quick", solver="{rtol: 1.0e-6}"), "--out", "quick",
                        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.assertEqual(self.after(process, "iteration  ", signal.SIGINT)[0], 0)

    def test_a_mesher_ends_with_the_program(self):
        write("bin/gmsh", '#!/bin/sh\necho $$ >gmsh.pid\necho "[Gmsh 4.8.4"\nfor a in "$@"; do case $a in */mesh.msh) '
              'echo half >$a;; esac; done\nexec sleep 60\n')
        os.chmod(path_of("bin", "gmsh"), stat.S_IRWXU)
        write("part.geo", "// a part\n")
        write("geo.yaml", deck_text(**{**BAR, "mesh": "{file: part.geo}"}))
        environment = dict(ALONE, PATH=path_of("bin") + ":" + os.environ["PATH"])
        process = program.start("run", "--verbose", "geo.yaml", "--out", "geo", env=environment, text=True)
        while not os.path.exists(path_of("geo", "mesh.msh")):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (143, "bandfem: interrupted: terminating gmsh\n"))
        self.assertNotIn("mesh.msh", os.listdir(path_of("geo")))
        with self.assertRaises(ProcessLookupError):
            os.kill(int(read("gmsh.pid")), 0)


class Solve(Watched):
    """bandfem solve: the header of x.mtx."""

    def header(self):
        return [line for line in read("x.mtx").decode().splitlines() if line.startswith("%")][1:]

    def test_the_header_says_whether_x_converged(self):
        matrix("A.mtx", 60)
        program.bandfem("solve", "A.mtx", "--out", "x.mtx", status=0)
        self.assertRegex(self.header()[0], r"^% converged: true residual \S+ after \d+ iterations?, target 1e-08$")
        program.bandfem("solve", "A.mtx", "--out", "x.mtx", "--max-iterations", "3", status=5)
        self.assertRegex(self.header()[0],
                         r"^% NOT CONVERGED: iteration limit: true residual \S+ after 3 iterations, target 1e-08$")
        program.bandfem("solve", "A.mtx", "--rhs", "x.mtx", "--out", "y.mtx", status=0)

    def test_an_interrupted_solve_writes_its_iterate(self):
        matrix("B.mtx", 300000)
        for number, status in BOTH:
            process = start("solve", "B.mtx", "--rtol", "1e-14", "--max-iterations", "10000000", "--out", "x.mtx",
                            "--csv", "x.csv", "--format", "csr")
            got, _, err = self.after(process, "solve ", number)
            self.assertEqual(got, status, err)
            self.assertTrue(err.startswith(TOLD), err)
            self.assertRegex(self.header()[0],
                             r"^% NOT CONVERGED: interrupted: true residual \S+ after \d+ iterations, target 1e-14$")
            self.assertRegex(err, r"B.mtx: error E501: interrupted: true residual \S+ after \d+ iterations, target 1e-14\n$")

    def test_files_of_an_earlier_solve_go_before_the_solve(self):
        matrix("C.mtx", 300000)
        matrix("small.mtx", 10)
        program.bandfem("solve", "small.mtx", "--out", "x.mtx", "--csv", "x.csv", status=0)
        process = start("solve", "C.mtx", "--rtol", "1e-14", "--max-iterations", "10000000", "--out", "x.mtx", "--csv", "x.csv")
        self.after(process, "solve ", signal.SIGKILL)
        self.assertFalse(os.path.exists(path_of("x.mtx")) or os.path.exists(path_of("x.csv")))
        program.bandfem("solve", "small.mtx", "--out", "b.mtx", status=0)
        program.bandfem("solve", "small.mtx", "--rhs", "b.mtx", "--out", "b.mtx", status=0)


if __name__ == "__main__":
    main()

"""tests/program/t646_memory_forecast.py - the memory that bandfem check forecasts is what a run takes on the CPU

usage: t646_memory_forecast.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

Peaks are the largest resident memory of the process, with one thread and with two.
"""
# SPDX-License-Identifier: BSD-3-Clause
import re
import unittest

import program
from bad_inputs import deck_text
from program import BUILD, bandfem, main, peak, read, write

NEAR = 0.25  # the bodies are small: libraries of another compiler or system take a few MiB more or less
MESH = "{generate: {box: {size: [1.0, 1.0, 1.0], cells: [%d, %d, %d], element: tet4}}}"
ELASTIC = {"physics": "elasticity", "materials": "\n  m: {groups: [volume], E: 2.1e+11, nu: 0.3}",
           "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1000.0]}"}
HEAT = {"physics": "heat", "materials": "\n  m: {groups: [volume], k: 50.0}",
        "boundary": "\n  - {group: x_min, type: temperature, value: 0.0}\n  - {group: x_max, type: flux, value: 100.0}"}


@unittest.skipIf(b"BANDFEM_SANITIZE:BOOL=ON" in read(BUILD, "CMakeCache.txt"), "sanitizers take memory of their own")
class Forecast(unittest.TestCase):
    def near(self, name, base, cells, preconditioner):
        file = write(name + ".yaml", deck_text({
            "mesh": MESH % (cells, cells, cells), **base, "matrix": "{format: csr}", "device": "{backend: cpu}",
            "solver": f"{{method: cg, preconditioner: {preconditioner}, max_iterations: 2, on_failure: warn}}"}))
        out = bandfem("check", file, "--out", name, status=0).out
        told = float(re.search(r"(?m)^          peak +([0-9.]+)", out).group(1))
        for threads in ("1", "2"):
            program.ENVIRONMENT["OMP_NUM_THREADS"] = threads
            got, kib, _ = peak("run", file, "--out", name, "--quiet")
            self.assertEqual(got.status, 0, got.err)
            self.assertLess(abs(told / (kib / 1024) - 1.0), NEAR, f"{name}, {threads} threads: {told} MiB told, {kib / 1024:.1f} taken")

    def test_smoothed_aggregates_of_an_elastic_body(self):
        self.near("aggregates", ELASTIC, 18, "multigrid")

    def test_an_elastic_body_with_jacobi(self):
        self.near("jacobi", ELASTIC, 18, "jacobi")

    def test_recovery_of_the_heat_flux(self):
        self.near("heat", HEAT, 28, "jacobi")


main()

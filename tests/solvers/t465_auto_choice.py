"""tests/solvers/t465_auto_choice.py - method: auto and preconditioner: auto take what the forecast says, and say why

usage: t465_auto_choice.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

On the CPU; the choices are those that measured times justify (docs/performance/auto.md).
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
import program  # noqa: E402
from bad_inputs import deck_text  # noqa: E402
from program import bandfem, main, report, write  # noqa: E402


def solve(name, mesh, physics="elasticity", material="E: 2.1e+11, nu: 0.3", boundary=None, more=(), **sections):
    boundary = boundary or "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1000.0]}"
    path = write(name + ".yaml", deck_text({"mesh": mesh, "physics": physics, "materials": "\n  m: {groups: [volume], %s}" % material,
                                            "boundary": boundary, "output": "{formats: [vtk]}", **sections}))
    answer = bandfem("run", path, "--verbose", "--backend", "cpu", "--out", name, *more, status=0)
    return answer, report(name)["solve"]


def box(size, cells, element="hex8"):
    return "{generate: {box: {size: %s, cells: %s, element: %s}}}" % (size, cells, element)


FLOW = "\n  - {group: x_min, type: value, value: 1.0}\n  - {group: x_max, type: value, value: 0.0}"


class Choice(program.Case):
    def test_a_beam_of_one_cell_is_factored(self):
        answer, got = solve("beam", box([150.0, 1.0, 1.0], [150, 1, 1]))
        self.assertEqual(got["method"], "direct")
        self.assertRegex(answer.out, r"method    expected: direct [0-9.e+]+ ms, jacobi [0-9.e+]+ ms, multigrid [0-9.e+]+ ms: direct")

    def test_a_preconditioner_of_the_deck_is_an_iteration(self):
        _, got = solve("beam_jacobi", box([150.0, 1.0, 1.0], [150, 1, 1]), more=("-s", "solver.preconditioner=multigrid"))
        self.assertEqual((got["method"], got["preconditioner"]), ("cg", "multigrid"))

    def test_a_cube_is_not_factored(self):
        answer, got = solve("cube", box([1.0, 1.0, 1.0], [16, 16, 16]))
        self.assertEqual(got["method"], "cg")
        self.assertIn("precond   expected: jacobi ", answer.out)

    def test_a_long_body_has_multigrid_at_once(self):
        _, got = solve("long", box([10.0, 1.0, 1.0], [120, 12, 12]))
        self.assertEqual((got["method"], got["preconditioner"]), ("cg", "multigrid"))
        self.assertEqual(got["multigrid"]["jacobi_iterations_before"], 0)

    def test_equal_runs_choose_equally(self):
        first, second = (solve(n, box([1.0, 0.2, 0.2], [20, 4, 4]), material="E: 2.1e+11, nu: 0.4999")[0].out for n in ("one", "two"))
        lines = [[line for line in out.splitlines() if "expected:" in line] for out in (first, second)]
        self.assertTrue(lines[0])
        self.assertEqual(lines[0], lines[1])

    def test_flow_of_a_large_peclet_number_has_jacobi_and_the_reason(self):
        answer, got = solve("fast", box([1.0, 1.0, 1.0], [12, 12, 12]), "advection_diffusion",
                            "diffusivity: 1.0e-3, velocity: [1.0, 0.0, 0.0]", FLOW)
        self.assertEqual(got["preconditioner"], "jacobi")
        self.assertRegex(answer.out, "precond   jacobi: cell Peclet numbers up to 41.7, multigrid converges up to about 1")

    def test_flow_of_a_small_peclet_number_is_decided_by_time(self):
        answer, _ = solve("slow", box([1.0, 1.0, 1.0], [12, 12, 12]), "advection_diffusion",
                          "diffusivity: 1.0, velocity: [1.0, 0.0, 0.0]", FLOW)
        self.assertRegex(answer.out, "(precond|method) +expected: ")

    def test_a_thin_plate_of_quadratic_elements_has_sections(self):
        _, got = solve("plate", box([10.0, 10.0, 0.1], [10, 10, 1], "hex20"),
                       more=("-s", "solver.preconditioner=multigrid", "-s", "solver.multigrid.coarsest=1000"))
        self.assertEqual(got["multigrid"]["levels"][0]["coarsening"], "sections")
        self.assertLessEqual(got["iterations"], 400)


main()

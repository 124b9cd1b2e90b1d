"""tests/program/t541_verdicts.py - CG solves slender, thin, nearly incompressible and mixed bodies; what is advised where a method fails

usage: t541_verdicts.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

Defaults of the deck, values against closed forms or against method: direct, whose own estimate of its error is tighter.  The same
verdict, iterations and bits with one thread and two, and again.
"""
# SPDX-License-Identifier: BSD-3-Clause
import re
import unittest

import program
from bad_inputs import deck_text
from program import BACKEND, bandfem, history, main, read, report, write

SLENDER = {"mesh": "{generate: {box: {size: [60.0, 1.0, 1.0], cells: [60, 1, 1], element: hex8}}}", "physics": "elasticity",
           "materials": "\n  m: {groups: [volume], E: 2.1e+11, nu: 0.3}",
           "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1000.0]}",
           "output": "\n  formats: [vtk]\n  probes: {end: {at: [60.0, 0.5, 0.5], fields: [displacement]}}"}


def probe(*x):
    return "\n  formats: [vtk]\n  probes: {end: {at: [%s], fields: [displacement]}}" % ", ".join(map(str, x))


def box(size, cells, element="hex8"):
    return f"{{generate: {{box: {{size: {size}, cells: {cells}, element: {element}}}}}}}"


def material(E, nu=0.3):
    return "\n  m: {groups: [volume], E: %s, nu: %s}" % (E, nu)


PLANE = {**SLENDER, "mesh": "{generate: {rectangle: {size: [10.0, 1.0], cells: [100, 4], element: quad8}}}",
         "discretization": "{space: plane_stress}", "materials": "\n  m: {groups: [surface], E: 2.1e+11, nu: 0.3}",
         "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, -1000.0]}",
         "output": probe(10.0, 0.5)}
HEAT = {"mesh": "{generate: {rectangle: {size: [1500.0, 1.0], cells: [1500, 1], element: quad4}}}", "physics": "heat",
        "materials": "\n  m: {groups: [surface], k: 2.0}",
        "boundary": "\n  - {group: x_min, type: temperature, value: 0.0}\n  - {group: x_max, type: flux, value: 3.0}",
        "checks": "\n  - {quantity: max(temperature), expect: 2250.0, rtol: 1.0e-6}", "output": "{formats: [vtk]}"}  # q L / k
CASES = {
    "plane": PLANE,
    "slender": SLENDER,
    "locking": {**SLENDER, "mesh": box([1.0, 0.2, 0.2], [12, 3, 3]), "materials": material("2.1e+11", 0.4999),
                "output": probe(1.0, 0.1, 0.1)},
    "plate": {**SLENDER, "mesh": box([10.0, 10.0, 0.1], [6, 6, 1], "hex20"), "output": probe(10.0, 5.0, 0.05)},
    "fibres": {**SLENDER, "mesh": box([10.0, 1.0, 1.0], [30, 4, 4]),
               "materials": material('"y < 0.25 && z < 0.5 ? 1e12 : 1e8"'), "output": probe(10.0, 0.5, 0.5)},
    "layers_1e3": {**SLENDER, "mesh": box([1.0, 1.0, 1.0], [4, 4, 4]), "materials": material('"x < 0.5 ? 1e8 : 1e11"'),
                   "output": probe(1.0, 0.5, 0.5)},
    "layers_1e12": {**SLENDER, "mesh": box([1.0, 1.0, 1.0], [4, 4, 4]), "materials": material('"x < 0.5 ? 0.1 : 1e11"'),
                    "output": probe(1.0, 0.5, 0.5)},
}


def solve(name, sections, *words, threads=2, out=None):
    """Report, history, picture and probes of a run of a deck that ends with exit status 0, without times."""
    out = out or f"{name}_{threads}"
    bandfem("run", write(name + ".yaml", deck_text(base=sections)), "--backend", BACKEND, "--quiet", "--out", out,
            *(() if any("method=" in w for w in words) else ("-s", "solver.method=cg")), *words,
            env=dict(program.ENVIRONMENT, OMP_NUM_THREADS=str(threads)), status=0)
    whole = report(out)
    whole["solve"].get("multigrid", {}).pop("setup_seconds", None)
    return {k: v for k, v in whole["solve"].items() if "seconds" not in k and "fom" not in k}, history(out), read(out, "case.vtk"), \
        [p["value"] for p in whole.get("probes", [])]


class Verdicts(program.Case):
    def equal_values(self, name, got, want, tolerance):
        self.assertEqual(len(got), len(want))
        size = max(map(abs, want))
        for g, w in zip(got, want):
            self.assertLessEqual(abs(g - w), tolerance * size, f"{name}: {got} instead of {want}")

    def test_cg_finds_the_solution_of_the_factorisation(self):
        for name, sections in CASES.items():
            got, _, _, values = solve(name, sections)
            want, _, _, reference = solve(name, sections, "--backend", "cpu", "-s", "solver.method=direct", out=name + "_direct")
            self.assertEqual((got["method"], got["reason"]), ("cg", "converged"), name)
            self.assertTrue(got["true_residual"] <= 1e-8 or got["converged_to_rounding"], got)
            self.assertLess(want["estimated_forward_error"], 0.05, name)
            self.equal_values(name, values[0], reference[0], 1e-6 + want["estimated_forward_error"] + (got["estimated_forward_error"] or 0.0))

    def test_a_correction_below_the_rounding_of_the_energy_is_made(self):
        plate = {**CASES["plate"], "mesh": box([10.0, 10.0, 0.1], [10, 10, 1], "hex20")}  # two corrections near rounding
        got = solve("corrected", plate)[0]
        self.assertEqual((got["reason"], got["converged_to_rounding"]), ("converged", True))
        self.assertLessEqual(got["backward_error"], 2.0**-51)

    def test_a_plane_cantilever_bends_as_a_timoshenko_beam(self):
        values = solve("beam", PLANE)[3]
        bending, shear = 1000.0 * 10.0**3 / (3.0 * 2.1e11 / 12.0), 1000.0 * 10.0 / (5.0 / 6.0 * 2.1e11 / 2.6)
        self.assertLess(abs(-values[0][1] / (bending + shear) - 1.0), 0.005)

    def test_a_long_heat_bar_is_solved_although_its_residual_does_not_decrease(self):
        got, steps, _, _ = solve("bar", HEAT, "-s", "solver.preconditioner=jacobi")
        self.assertGreaterEqual(got["iterations"], 1500)
        least = min(float(row[1]) for row in steps[1:1400])
        self.assertGreater(least, 0.5)  # the load reaches one cell more in every iteration

    def test_verdict_iterations_and_bits_do_not_depend_on_threads(self):
        for name, sections in (*CASES.items(), ("heat", HEAT)):
            one = solve(name, sections, threads=1)
            self.assertEqual(solve(name, sections, threads=2), one, name)
            self.assertEqual(solve(name, sections, threads=2, out=name + "_again"), one, name)

    def test_lines_of_the_log_change_no_bit(self):
        one = solve("plane", PLANE)
        self.assertEqual(solve("plane", PLANE, "-s", "solver.monitor_every=1", out="often")[1:], one[1:])


class Advice(program.Case):
    def advised(self, name, sections, *words):
        """(method, preconditioner) pairs that a failed run names, and its message; none where it is solved."""
        answer = bandfem("run", write(name + ".yaml", deck_text(base=sections)), "--backend", "cpu", "--quiet", "--out", name, *words)
        if answer.status == 0:
            return None, ""
        self.says(answer, 5, "error E501: ")
        text = answer.err.split("error E501: ")[1]
        self.assertIn("; try ", text)
        return re.findall(r"(method|preconditioner): (\w+)", text.split("; try ")[1]), text

    def test_an_advice_never_names_what_was_used(self):
        for method in ("cg", "bicgstab", "bicg"):
            for precond in ("none", "jacobi", "block_jacobi"):
                words, text = self.advised("advice", PLANE, "-s", f"solver.method={method}", "-s", f"solver.preconditioner={precond}",
                                           "-s", "solver.max_iterations=20")
                self.assertNotIn(("method", method), words, text)
                self.assertNotIn(("preconditioner", precond), words, text)
                self.assertIn(("method", "direct"), words, text)
                self.assertEqual(("method", "cg") in words, method != "cg", text)
                self.assertIn("solver.max_iterations above 20", text)
                self.assertIn("the limit of 20 iterations is used up", text)

    def test_following_the_advice_comes_to_an_end(self):
        for method in ("bicgstab", "bicg", "cg"):
            used = []
            while method:
                self.assertNotIn(method, used)
                used.append(method)
                words, text = self.advised("follow", {**PLANE, "solver": f"{{method: {method}, max_iterations: 20}}"})
                names = [value for key, value in words or [] if key == "method"]
                self.assertTrue(words is None or names, text)
                method = names[0] if names else None
            self.assertEqual(used[-1], "direct")

    def test_a_solved_run_gives_no_advice(self):
        self.assertEqual(self.advised("solved", PLANE), (None, ""))


main()

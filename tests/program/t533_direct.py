"""tests/program/t533_direct.py - method: direct on decks and matrices that double precision hardly holds

usage: t533_direct.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

Thin plates: a plate bent by the same stress at its end has displacements proportional to 1/t^2, t its thickness, so that
a solution is compared with that of a thicker plate.  Soft layers: the displacement is proportional to 1/E of the layer.
"""
# SPDX-License-Identifier: BSD-3-Clause
import program
from bad_inputs import deck_text
from program import bandfem, main, report, write

BANNER = "%%MatrixMarket matrix coordinate real general\n"


def solve(name, mesh, E, end):
    path = write(name + ".yaml", deck_text({
        "mesh": mesh, "physics": "elasticity", "materials": "\n  m: {groups: [volume], E: %s, nu: 0.3}" % E,
        "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1000.0]}",
        "solver": "{method: direct}",
        "output": "\n  formats: [vtk]\n  probes: {end: {at: [%s], fields: [displacement]}}" % end}))
    return bandfem("run", path, "--out", name)


def plate(t):
    name = "plate_%g" % t
    return name, solve(name, "{generate: {box: {size: [10.0, 10.0, %g], cells: [8, 8, 1], element: hex20}}}" % t, "2.1e+11",
                       "10.0, 5.0, 0.0")


def layers(E):
    name = "layers_%g" % E
    return name, solve(name, "{generate: {box: {size: [1.0, 1.0, 1.0], cells: [4, 4, 4], element: hex8}}}",
                       '"x < 0.5 ? %g : 1e11"' % E, "1.0, 0.5, 0.5")


class Direct(program.Case):
    def solved(self, name, answer, to_rounding):
        self.assertEqual(answer.status, 0, answer.out + answer.err)
        got = report(name)["solve"]
        self.assertEqual(got["converged_to_rounding"], to_rounding, got)
        self.assertLessEqual(got["backward_error"], 2.0**-51)
        self.assertAlmostEqual(got["estimated_forward_error"], got["estimated_condition"] * got["backward_error"], delta=1e-5)
        self.assertEqual("converged to rounding: relative residual " in answer.out, to_rounding)
        return report(name)["probes"][0]["value"][2], got

    def test_a_thin_plate_is_solved_with_the_error_that_is_estimated(self):
        thick = self.solved(*plate(0.1), to_rounding=True)[0]
        for t in (0.02, 0.005):
            z, got = self.solved(*plate(t), to_rounding=True)
            self.assertGreater(got["true_residual"], 1e-7)
            self.assertLess(abs(z * (t / 0.1)**2 / thick - 1.0), 10 * got["estimated_forward_error"] + 1e-2, t)

    def test_a_plate_that_no_double_can_describe_is_told_as_that(self):
        name, answer = plate(1e-4)
        self.says(answer, 5, "error E502: ill-conditioned system, smallest pivot: displacement ", "; possible causes: ",
                  "error E501: ill-conditioned beyond double precision: estimated condition ",
                  " exceeds 1/u = 9e+15; solution not trusted: relative residual ", "estimated forward error ")
        self.assertEqual(report(name)["solve"]["reason"], "ill-conditioned matrix")
        self.assertNotIn("singular", answer.err)

    def test_contrasts_of_1e3_and_1e12(self):
        mild = self.solved(*layers(1e8), to_rounding=False)[0]
        hard, got = self.solved(*layers(0.1), to_rounding=True)
        self.assertGreater(got["true_residual"], 1e-8)
        self.assertLess(abs(hard / mild * 0.1 / 1e8 - 1.0), got["estimated_forward_error"] + 2e-2)

    def test_a_body_on_a_layer_lost_in_rounding_is_refused(self):
        name, answer = "loose", None
        path = write("loose.yaml", deck_text({
            "mesh": "{generate: {box: {size: [1.0, 1.0, 1.0], cells: [3, 3, 3], element: hex8}}}", "physics": "heat",
            "materials": "\n  m: {groups: [volume], k: \"x < 0.4 ? 1.0e-18 : 50.0\"}",
            "boundary": "\n  - {group: x_min, type: temperature, value: 20.0}\n  - {group: x_max, type: flux, value: 1.0}",
            "solver": "{method: direct}"}))
        answer = bandfem("run", path, "--out", name)
        self.says(answer, 5, "E501: ill-conditioned beyond double precision: ", "E502: ill-conditioned system", "very soft supports")

    def test_matrices(self):
        name = write("scaled.mtx", BANNER + "3 3 3\n1 2 1e-200\n2 3 1e+150\n3 1 -3.0\n")
        answer = bandfem("solve", name, "--method", "direct", "--quiet")
        self.assertEqual((answer.status, answer.err), (0, ""))
        name = write("twice.mtx", BANNER + "3 3 8\n1 1 0.1\n1 2 0.7\n1 3 0.3\n2 1 0.3\n2 2 2.1\n2 3 0.9\n3 2 1\n3 3 1\n")
        answer = bandfem("solve", name, "--method", "direct", "--quiet")
        self.assertEqual(answer.status, 5)
        self.assertRegex(answer.err, r"^twice.mtx: error E501: (singular matrix: a pivot is zero; .*; the pivot of row \d is zero|"
                         r"ill-conditioned beyond double precision: .*; the smallest pivot is that of row \d; possible causes: .*)\n$")


main()

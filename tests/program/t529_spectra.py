"""tests/program/t529_spectra.py - element_spectrum as its user meets it: decks, files, report, warning, what is refused

usage: t529_spectra.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no device
"""
# SPDX-License-Identifier: BSD-3-Clause
from program import BACKEND, Case, bandfem, example, main, read, report

FIELDS = ("spectrum_min", "spectrum_max", "zero_energy_modes", "critical_time_step")


def run(name, *words, command="run"):
    backend = ["--backend", BACKEND, "--verbose"] if command == "run" else []
    return bandfem(command, example(name), "--out", "out", *words, *backend, timeout=200)


class Spectra(Case):
    def test_reduced_integration_is_warned_of_with_the_element_and_the_count(self):
        answer = run("hourglass")
        self.says(answer, 0)
        self.assertRegex(answer.err, r"hourglass.yaml:15:37: warning W332: element \d+ \(quad4\) has 5 zero-energy modes instead of 3: "
                                     r"2 hourglass modes; 128 of the 128 elements")
        self.assertRegex(answer.out, r"spectra +128 quad4: eigenvalues 1.61538e\+10 \(element \d+\) to 3e\+10 N/m .*5 zero-energy modes of 3")
        self.assertRegex(answer.out, r"quad4: critical time step 2.02201e-05 s \(element \d+\), highest frequency 98911.3 rad/s, lumped")
        (entry,) = report("out")["element_spectra"]
        self.assertEqual((entry["element"], entry["elements"], entry["elements_with_more"]), ("quad4", 128, 128))
        self.assertEqual((entry["zero_energy_modes_expected"], entry["zero_energy_modes"], entry["unit"]), (3, 5, "N/m"))
        self.assertAlmostEqual(entry["critical_time_step"] * entry["highest_frequency"], 2.0, delta=1e-12)
        self.assertEqual(entry["mass"], "lumped")

    def test_full_integration_is_sound_and_says_nothing(self):
        answer = run("hourglass_full")
        self.assertEqual((answer.status, answer.err), (0, ""))
        (entry,) = report("out")["element_spectra"]
        self.assertEqual((entry["zero_energy_modes"], entry["elements_with_more"]), (3, 0))
        self.assertAlmostEqual(entry["min"] / 1.0384615384615e10, 1.0, delta=1e-10)

    def test_the_fields_are_in_both_pictures_as_cells(self):
        answer = run("hourglass_full")
        self.says(answer, 0)
        cells, points = read("out", "case.vtk").split(b"CELL_DATA")[1].split(b"POINT_DATA")
        for name in FIELDS:
            self.assertIn(f"\n{name} 1 128 double".encode(), cells)
            self.assertNotIn(name.encode(), points)
        listed = {field["name"]: (field["unit"], field["on"]) for field in report("out")["fields"]}
        self.assertEqual([listed[name] for name in FIELDS],
                         [("N/m", "cells"), ("N/m", "cells"), ("1", "cells"), ("s", "cells")])
        record = read("out", "case.hdf")
        for name in (*FIELDS, "element_spectra", "zero_energy_modes_expected"):
            self.assertIn(name.encode(), record)

    def test_one_field_by_name_brings_no_other_into_the_picture(self):
        answer = run("hourglass_full", "-s", "output.fields=[displacement, spectrum_max]", "-s", "checks=[]")
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.assertIn(b"spectrum_max", read("out", "case.vtk"))
        self.assertNotIn(b"spectrum_min", read("out", "case.vtk"))

    def test_units_follow_the_deck(self):
        self.says(run("hourglass_full", "-s", "units.system=mm-N-MPa-t", "-s", "checks=[]"), 0)
        self.assertEqual(report("out")["element_spectra"][0]["unit"], "N/mm")
        heat = run("heated_block", "-s", "output.fields=[temperature, element_spectrum]")
        self.assertEqual((heat.status, heat.err), (0, ""))
        (entry,) = report("out")["element_spectra"]
        self.assertEqual((entry["unit"], entry["zero_energy_modes"], entry["zero_energy_modes_expected"]), ("W/K", 1, 1))
        self.assertNotIn("critical_time_step", entry)

    def test_what_has_no_spectra_is_refused_by_name_before_anything_is_solved(self):
        for name, text in [("gfem_cantilever", "elements of method gfem have no spectra of their own"),
                           ("skew_front", "element matrices of advection_diffusion are not symmetric")]:
            for command in ("check", "run"):
                self.says(run(name, "-s", "output.fields=[element_spectrum]", command=command), 3, "error E317: " + text)
        self.says(run("bending_locking", "-s", "output.fields=[critical_time_step]"), 3,
                  "error E304: a time step needs the density of material 'steel': add rho, kg/m3")
        self.says(run("heated_block", "-s", "output.fields=[critical_time_step]"), 2, "error E107")

    def test_probes_and_checks_of_what_is_not_made_are_foreseen(self):
        answer = run("hourglass_full", "-s", "output.fields=[displacement]", command="check")
        self.says(answer, 2, "error E111: field 'zero_energy_modes' is not available in this run; add element_spectrum to output.fields")
        answer = run("hourglass_full", "-s", "output.probes.force.fields=[element_spectrum]", "-s", "checks=[]", command="check")
        self.assertIn("error E111: 'element_spectrum' stands for several fields; use one of", answer.err)
        answer = run("bending_locking", "-s", "output.fields=[element_spectrum]", "-s",
                     "checks=[{quantity: max(critical_time_step), report: true}]", command="check")
        self.assertIn("error E111: field 'critical_time_step' is not available in this run: a material has no rho", answer.err)


if __name__ == "__main__":
    main(first=lambda: run("hourglass_full"))

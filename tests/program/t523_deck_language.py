"""tests/program/t523_deck_language.py - decks of several files, tables, units and quantities through the whole program

usage: t523_deck_language.py BUILD_DIR SOURCE_DIR [unittest options]   exit 0 all as expected, 1 not, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import functools
import json
import os
import re
import shutil

import program
from program import SOURCE, Case, displacement, main, path_of, read, report, write

bandfem = functools.partial(program.bandfem, timeout=120)
BAR = """deck: 1
mesh: {generate: {box: {size: [1.0, 0.2, 0.2], cells: [4, 2, 2], element: hex8}}}
physics: elasticity
materials:
  steel: {group: volume, E: 2.1e+11, nu: 0.3, rho: 7850.0}
boundary:
  - {group: x_min, type: fixed}
  - {group: x_max, type: traction, value: [1.0e+6, 0.0, -1.0e+5]}
loads:
  - {type: gravity, g: [0.0, 0.0, -9.81]}
solver: {rtol: 1.0e-10}
"""
BAR_MM = BAR.replace("deck: 1\n", "deck: 1\nunits: {system: mm-N-MPa-t}\n").replace(
    "size: [1.0, 0.2, 0.2]", "size: [1000.0, 200.0, 200.0]").replace("2.1e+11", "2.1e+5").replace(
    "7850.0", "7.85e-9").replace("[1.0e+6, 0.0, -1.0e+5]", "[1.0, 0.0, -0.1]").replace("-9.81", "-9810.0")
HEAT = """deck: 1
mesh: {generate: {box: {size: [1.0, 0.2, 0.2], cells: [10, 2, 2], element: hex8}}}
physics: heat
materials:
  steel: {group: volume, k: 50.0}
boundary:
  - {group: x_min, type: temperature, value: 0.0}
  - {group: x_max, type: flux, value: 100.0}
solver: {rtol: 1.0e-12}
"""


def run(name, *words):
    return bandfem("run", name + ".yaml", "--quiet", "--out", name, *words)


class Parts(Case):
    def test_a_deck_in_parts_gives_the_bits_of_the_whole_and_so_does_its_resolved_one(self):
        write("whole.yaml", BAR)
        head, rest = BAR.split("materials:\n")
        material, tail = rest.split("boundary:\n")
        write("parts/m/steel.yaml", "materials:\n" + material)
        write("parts/rest.yaml", "include: m/steel.yaml\nboundary:\n" + tail)
        write("split.yaml", head + "include: [parts/rest.yaml]\n")
        for name in ("whole", "split"):
            self.says(run(name), 0)
        self.says(bandfem("run", "split/deck.resolved.yaml", "--quiet", "--out", "again"), 0)
        self.assertEqual(displacement("whole"), displacement("split"))
        self.assertEqual(displacement("whole"), displacement("again"))

    def test_a_mesh_and_a_table_are_found_beside_the_part_and_from_the_resolved_deck(self):
        shutil.copytree(os.path.join(SOURCE, "inputs/meshes"), path_of("lib/meshes"), dirs_exist_ok=True)
        write("lib/k.csv", "x,k\n0,50\n1,50\n")
        write("lib/part.yaml", "materials: {steel: {group: volume, k: {table: k.csv}}}\n")
        write("table.yaml", HEAT.replace("materials:\n  steel: {group: volume, k: 50.0}", "include: lib/part.yaml"))
        write("plain.yaml", HEAT)
        for name in ("table", "plain"):
            self.says(run(name), 0)
        os.makedirs(path_of("elsewhere"), exist_ok=True)
        again = bandfem("run", "../table/deck.resolved.yaml", "--quiet", "--out", "../table2", cwd=path_of("elsewhere"))
        self.says(again, 0)
        self.assertEqual(read("table", "case.vtk"), read("table2", "case.vtk"))
        self.assertIn(path_of("lib/k.csv").encode(), read("table", "deck.resolved.yaml"))

    def test_a_mistake_in_a_part_shows_its_line_in_text_and_json(self):
        write("bad/part.yaml", "solver:\n  methud: cg\n")
        write("bad.yaml", BAR.replace("solver: {rtol: 1.0e-10}", "include: bad/part.yaml"))
        said = bandfem("check", "bad.yaml")
        self.says(said, 2, "bad/part.yaml:2:3: error E101: unknown key 'methud' in 'solver'; did you mean 'method'?",
                  "\n    methud: cg\n    ^\n")
        as_json = json.loads(bandfem("check", "bad.yaml", "--errors=json").err.splitlines()[0])
        self.assertEqual((as_json["file"], as_json["line"], as_json["column"]), ("bad/part.yaml", 2, 3))

    def test_a_model_mistake_in_a_part_names_the_part(self):
        write("bad2/part.yaml", "boundary:\n  - {group: nowhere, type: fixed}\n")
        write("bad2.yaml", BAR + "include: bad2/part.yaml\n")
        self.says(bandfem("check", "bad2.yaml"), 3, "bad2/part.yaml:2:13: error E203: ")


class Tables(Case):
    def test_a_flux_profile_sums_to_its_integral(self):
        """flux(y) = 0, 100, 50 at y = 0, 0.1, 0.2: area 0.2 * (0.1*50 + 0.1*75) = 2.5 W."""
        write("flux.csv", "y;q\n0.2;50\n0;0\n0.1;100\n")
        write("flux.yaml", HEAT.replace("value: 100.0", "value: {table: flux.csv}") +
              "checks:\n  - {quantity: reaction.x_min, expect: -2.5, rtol: 1.0e-10}\n")
        self.says(run("flux"), 0)

    def test_a_traction_of_tables_and_numbers_is_carried_by_the_clamp(self):
        write("pull.csv", "z,y,p\n0,0,0\n0,0.2,1e5\n0.2,0,1e5\n0.2,0.2,4e5\n")
        write("pull.yaml", BAR.replace("value: [1.0e+6, 0.0, -1.0e+5]", "value: [{table: pull.csv}, 0.0, \"-1e5*y/0.2\"]")
              .replace("loads:\n  - {type: gravity, g: [0.0, 0.0, -9.81]}\n", "") +
              "checks:\n  - {quantity: reaction.x_min.x, expect: -6000.0, rtol: 1.0e-8, note: mean of the corners}\n"
              "  - {quantity: reaction.x_min.z, expect: 2000.0, rtol: 1.0e-8}\n"
              "  - {quantity: 'max(displacement.x, x_max) - max(displacement.x)', expect: 0.0, atol: 1.0e-15}\n")
        self.says(run("pull"), 0)

    def test_one_warning_a_table_says_where_it_was_left(self):
        write("short.csv", "x,k\n0.2,50\n0.5,50\n")
        write("short.yaml", HEAT.replace("k: 50.0", "k: {table: short.csv}"))
        for word in ("check", "run"):
            answer = bandfem(word, "short.yaml", *(["--quiet", "--out", "short"] if word == "run" else []))
            self.says(answer, 0, "short.yaml:5:37: warning W113: table 'short.csv' covers x = 0.2 to 0.5; ",
                      "farthest at (0.97")
            self.assertEqual(answer.err.count("W113"), 1)

    def test_a_load_outside_its_table_is_warned_of_when_it_is_evaluated(self):
        write("short2.csv", "y,q\n0.0,1\n0.1,1\n")
        write("short2.yaml", HEAT.replace("value: 100.0", "value: {table: short2.csv}"))
        self.says(run("short2"), 0, "warning W113", "y = 0 to 0.1")

    def test_a_table_of_zero_conductivity_is_refused_at_its_line(self):
        write("zero.csv", "# k\nx,k\n0,50\n1,0\n")
        write("zero.yaml", HEAT.replace("k: 50.0", "k: {table: zero.csv}"))
        self.says(bandfem("check", "zero.yaml"), 2, "zero.csv:4:1: error E105: 'k' is 0 in the table", "\n  1,0\n  ^\n")

    def test_a_table_from_the_command_line_is_found_beside_the_deck(self):
        write("set/k.csv", "x,k\n0,50\n1,100\n")
        write("set/heat.yaml", HEAT)
        self.says(bandfem("check", "set/heat.yaml", "-s", "materials.steel.k={table: k.csv}"), 0)
        self.says(bandfem("check", "set/heat.yaml", "-s", "materials.steel.k={table: l.csv}"), 2, "set/l.csv")


class Units(Case):
    def test_the_same_bar_in_both_systems_differs_by_the_units_only(self):
        write("si.yaml", BAR + "output: {probes: {tip: {at: [1.0, 0.1, 0.1]}}}\n")
        write("mm.yaml", BAR_MM + "output: {probes: {tip: {at: [1000.0, 100.0, 100.0]}}}\n")
        for name in ("si", "mm"):
            answer = run(name)
            self.says(answer, 0)
            self.assertEqual(answer.err, "")
        for a, b in zip(displacement("si"), displacement("mm")):
            self.assertAlmostEqual(1000.0 * a, b, delta=1e-7 * max(map(abs, displacement("mm"))))
        units = {name: {f["name"]: f["unit"] for f in report(name)["fields"]} for name in ("si", "mm")}
        self.assertEqual((units["si"]["stress"], units["si"]["displacement"], units["si"]["strain"]), ("Pa", "m", "1"))
        self.assertEqual((units["mm"]["stress"], units["mm"]["displacement"], units["mm"]["strain"]), ("MPa", "mm", "1"))
        self.assertEqual([report(n)["probes"][0]["unit"] for n in ("si", "mm")], ["m", "mm"])
        self.assertEqual(report("mm")["reactions"][0]["unit"], "N")
        self.assertTrue(re.search(rb"unit_stress 1 1 string\n.MPa\n", read("mm", "case.vtk")))
        self.assertRegex(bandfem("run", "mm.yaml", "--out", "mm").out, r"tip: displacement = \(.*\) mm at")

    def test_values_of_the_other_system_are_warned_of_and_used(self):
        cases = [("E1", BAR_MM.replace("2.1e+5", "2.1e+11"), "'E' = 2.1e+11 MPa looks like Pa"),
                 ("E2", BAR_MM.replace("7.85e-9", "7850.0"), "'rho' = 7850 t/mm3 looks like kg/m3"),
                 ("E3", BAR_MM.replace("-9810.0", "-9.81"), "'g' = 9.81 mm/s2 looks like m/s2"),
                 ("E4", BAR.replace("-9.81", "-9810"), "'g' = 9810 m/s2 looks like mm/s2"),
                 ("E5", BAR.replace("7850.0", "7.85e-9").replace("2.1e+11", "2.1e+5"),
                  "'rho' = 7.85e-09 kg/m3 looks like t/mm3, as in mm-N-MPa-t; so does 'E', 210000 Pa (steel 7850)"),
                 ("E6", BAR.replace("2.1e+11", "2.1e+5"), "'E' = 210000 Pa looks like MPa")]
        for name, text, said in cases:
            write(name + ".yaml", text)
            answer = bandfem("check", name + ".yaml")
            self.says(answer, 0, "warning W114: " + said, "values are not converted")
            self.assertEqual(answer.err.count("warning"), 1, answer.err)

    def test_messages_speak_of_the_units_of_the_deck(self):
        write("mmrho.yaml", BAR_MM.replace(", rho: 7.85e-9", ""))
        self.says(bandfem("check", "mmrho.yaml"), 3, "E304", "add rho, t/mm3")
        write("mmE.yaml", BAR_MM.replace("E: 2.1e+5, ", ""))
        self.says(bandfem("check", "mmE.yaml"), 2, "key 'E' is missing in 'materials.steel' (MPa)")


class Quantities(Case):
    def test_extremes_and_integrals_over_groups(self):
        """T = 2 x degrees: flux 100 W/m2 through k = 50."""
        checks = [("max(temperature, x_max)", 2.0), ("min(temperature, x_max)", 2.0), ("max(temperature, x_min) + 1", 1.0),
                  ("max(temperature, volume)", 2.0), ("max(heat_flux.x, volume)", -100.0), ("min(heat_flux, volume)", 100.0),
                  ("max(heat_flux_nodal.x, y_min)", -100.0), ("integral(temperature, x_max)", 0.08),
                  ("integral(temperature)", 0.04), ("max(temperature, 2:2)", 2.0), ("max(temperature, \"x_max\")", 2.0),
                  ("(max(temperature) - min(temperature)) / 2 * -reaction.x_min", 4.0)]
        write("q.yaml", HEAT + "checks:\n" + "".join(
            f"  - {{quantity: '{q}', expect: {v}, rtol: 1.0e-9}}\n" for q, v in checks) +
            "  - {quantity: balance.energy, expect: 0, atol: 1.0e-9}\n  - {quantity: unknowns, expect: 99, rtol: 1.0e-12}\n")
        self.says(run("q"), 0)

    def test_every_quantity_of_elasticity(self):
        """A bar pulled without side contraction: stress 1e6, strain 1e6/2.1e11 along x, nu = 0."""
        s, e = 1.0e6, 1.0e6 / 2.1e11
        checks = [("probe.p.displacement.x", e), ("probe.p.displacement", e), ("probe.p.stress_nodal.xx", s),
                  ("probe.p.stress.xx", s), ("probe.p.strain.xx", e), ("probe.p.von_mises_nodal", s),
                  ("max(stress.xx, volume)", s), ("min(stress_nodal.xx, x_max)", s), ("reaction.x_min.x", -0.04 * s),
                  ("reaction.x_min", 0.04 * s), ("integral(stress.xx)", 0.04 * s), ("integral(displacement.x, x_max)", 0.04 * e),
                  ("-reaction.x_min.x / (0.2 * 0.2) / max(von_mises)", 1.0), ("integral(von_mises, x_max) / 0.04", s)]
        write("el.yaml", BAR.replace("nu: 0.3", "nu: 0.0").replace("[1.0e+6, 0.0, -1.0e+5]", "[1.0e+6, 0.0, 0.0]")
              .replace("loads:\n  - {type: gravity, g: [0.0, 0.0, -9.81]}\n", "") +
              "output: {probes: {p: {at: [1.0, 0.1, 0.1], fields: "
              "[displacement, stress, strain, stress_nodal, von_mises_nodal]}}}\nchecks:\n" + "".join(
                  f"  - {{quantity: '{q}', expect: {v!r}, rtol: 1.0e-7}}\n" for q, v in checks) +
              "".join(f"  - {{quantity: '{q}', expect: 0, atol: {t}}}\n" for q, t in [
                  ("probe.p.stress_nodal.yy", 1.0), ("probe.p.stress.xy", 1.0), ("probe.p.stress.yz", 1.0),
                  ("probe.p.stress.zz", 1.0), ("probe.p.stress.xz", 1.0), ("balance.force", 1e-8), ("balance.moment", 1e-8)]))
        self.says(run("el"), 0)

    def test_checks_that_cannot_fail_are_refused(self):
        same = "does not change with its quantities"
        cases = [("1.0 + 2.0, expect: 3.0, atol: 0.1", 16, "'1.0 + 2.0' is a constant"),
                 ("max(temperature) - max(temperature), expect: 0, atol: 1.0e-9", 16, same),
                 ("0 * max(temperature), expect: 0, atol: 1.0e-9", 16, same),
                 ("unknowns / unknowns, expect: 1, rtol: 1.0e-9", 16, same),
                 ("max(temperature), expect: 2, rtol: 1.0", None, "outside (0,1)"),
                 ("max(temperature), expect: 2, atol: 1.0e+200", None, "above any value"),
                 ("iterations, expect: 50, atol: 5000", None, "accepts 0 to 5050 iterations, and max_iterations is 5000")]
        for text, column, said in cases:
            write("never.yaml", HEAT + f"checks:\n  - {{quantity: {text}}}\n")
            answer = bandfem("check", "never.yaml", "-s", "solver.max_iterations=5000")
            self.says(answer, 2, f"never.yaml:11:{column or ''}", "error E116: ", said)
            self.assertEqual(answer.err.count("error"), 1, answer.err)
        for text in ("max(temperature) - min(temperature), expect: 2, rtol: 0.99", "iterations, expect: 50, atol: 4949",
                     "max(temperature), expect: 2, atol: 1.0e+100", "1.0 + 2.0, report: true"):
            write("may.yaml", HEAT + f"checks:\n  - {{quantity: {text}}}\n")
            self.says(bandfem("check", "may.yaml", "-s", "solver.max_iterations=5000"), 0)

    def test_groups_that_are_not_there_are_told_before_the_solve(self):
        write("qn.yaml", HEAT + "checks:\n  - {quantity: 'max(temperature, nowhere)', report: true}\n")
        self.says(bandfem("check", "qn.yaml"), 2, "E111: the mesh has no group 'nowhere'")

    def test_values_of_elements_have_no_extremes_over_a_side(self):
        write("qs.yaml", HEAT + "checks:\n  - {quantity: 'max(heat_flux.x, x_max)', report: true}\n")
        self.says(run("qs"), 2, "qs.yaml:11:16: error E111: field 'heat_flux' has values in elements")


class Answers(Case):
    """Texts as users have them: every one is answered, with the caret below what is wrong."""

    def answer(self, name, text, status=2):
        write(name + ".yaml", text)
        answer = bandfem("check", name + ".yaml")
        self.says(answer, status)
        return answer.err

    def test_marks_line_ends_and_tabs_do_not_move_the_caret(self):
        wrong = HEAT.replace("physics: heat", "physics: hot")
        for name, text in [("lf", wrong), ("bom", "\ufeff" + wrong), ("crlf", wrong.replace("\n", "\r\n")),
                           ("cr", wrong.replace("\n", "\r")), ("tab", wrong.replace("physics: ", "physics:\t"))]:
            self.assertIn(f"{name}.yaml:3:10: error E105: 'physics': unknown value 'hot'; did you mean 'heat'? "
                          "valid: heat, elasticity, advection_diffusion\n  physics: hot\n           ^\n", self.answer(name, text))

    def test_letters_of_several_bytes_are_one_column(self):
        self.assertIn("\n    - {group: \"größe\", type: \"kalt\", value: 0.0}\n                             ^\n", self.answer(
            "letters", HEAT.replace("{group: x_min, type: temperature,", "{group: \"größe\", type: \"kalt\",")))

    def test_long_lines_are_cut_around_the_caret_and_do_not_hide_later_ones(self):
        said = self.answer("long", HEAT.replace("physics: heat", "title: " + "x" * 3000 + "\nphysics: hot"))
        self.assertIn("long.yaml:4:10: error E105", said)
        self.assertIn("\n  physics: hot\n           ^\n", said)
        said = self.answer("long2", HEAT.replace("group: volume, ", "group: volume, " + " " * 3000 + "K: 1, "))
        self.assertRegex(said, r"long2.yaml:5:3026: error E101: unknown key 'K' in 'materials.steel'; did you mean 'k'.*\n  [.]{3} {200}K: 1, k: 50.0}\n {205}\^\n")

    def test_the_decimal_comma_is_recognised(self):
        self.assertIn("error E101: 'k: 50,5' in 'materials.steel': the decimal point is '.', the comma begins another key; write 50.5",
                      self.answer("comma", HEAT.replace("k: 50.0", "k: 50,5")))
        self.assertIn("write 2.1e11", self.answer("comma3", BAR.replace("2.1e+11", "2,1e11")))
        self.assertIn("'type: force' belongs to 'boundary', not to 'loads'", self.answer(
            "other", BAR.replace("type: gravity", "type: force")))
        self.assertIn("got '50,5'; the decimal point is '.'", self.answer("comma2", HEAT.replace("k: 50.0", "k: '50,5'")))

    def test_numbers_are_those_of_yaml_and_finite(self):
        for text in (".5", "5.", "+5", "1E+2", "'5'", '"5.0"', "1e-300"):
            self.answer("good", HEAT.replace("k: 50.0", "k: " + text), 0)
        for text in ("0x10", "1_000", "yes", "on", "inf", ".inf", ".nan", "nan", "0o17", "1e", "5 5", "--5", "1d5", "~", "true"):
            self.assertRegex(self.answer("bad", HEAT.replace("k: 50.0", "k: " + text)), "bad.yaml:5:29: error E103: 'k': expected a number")
        self.assertIn("E105: 'k': 1e999 is too large", self.answer("huge", HEAT.replace("k: 50.0", "k: 1e999")))

    def test_a_deck_may_come_through_a_pipe(self):
        self.says(bandfem("check", "/dev/stdin", stdin=HEAT.encode()), 0)
        answer = bandfem("check", "/dev/stdin", stdin=HEAT.replace("physics", "phisics").encode())
        self.says(answer, 2, "/dev/stdin:3:1: error E101: unknown key 'phisics'")

    def test_a_named_pipe_is_refused_at_once_wherever_a_deck_names_it(self):
        for name in ("pipe.yaml", "pipe.msh", "pipe.geo", "pipe.csv"):
            if not os.path.exists(path_of(name)):
                os.mkfifo(path_of(name))
        self.says(bandfem("check", "pipe.yaml", timeout=10), 2, "pipe.yaml: error E100: cannot read the deck: a named pipe")
        self.assertIn("cannot read 'pipe.yaml': not a regular file", self.answer("part", "include: pipe.yaml\n" + HEAT))
        self.assertIn("not a regular file", self.answer("table", HEAT.replace("k: 50.0", "k: {table: pipe.csv}")))
        for name in ("pipe.msh", "pipe.geo"):
            text = "".join("mesh: {file: " + name + "}\n" if line.startswith("mesh:") else line for line in HEAT.splitlines(True))
            self.assertIn("cannot open '" + name + "': a pipe, not a regular file", self.answer("mesh", text, 3))

    def test_what_is_no_deck_is_refused(self):
        os.makedirs(path_of("folder.yaml"), exist_ok=True)
        for name, said in [("folder.yaml", "Is a directory"), ("/dev/zero", "larger than 1 MiB"), ("/dev/null", "the file is empty"),
                           ("gone.yaml", "No such file")]:
            self.says(bandfem("check", name), 2, name + ":", "error E100: ", said)
        self.assertIn("zero.yaml:3: error E100: not readable text", self.answer("zero", HEAT.replace("physics", "phy\0sics")))

    def test_twenty_errors_are_shown_and_the_others_counted(self):
        said = self.answer("many", HEAT + "".join(f"key{i}x: 1\n" for i in range(30)))
        self.assertEqual(said.count("error E101"), 20)
        self.assertIn("... and 10 more errors\n", said)


if __name__ == "__main__":
    main()

"""tests/program/t513_geo.py - a .geo as mesh.file: meshed by the gmsh program, with a stand-in for it and with the real one;
mesh.order in whole runs

usage: t513_geo.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import filecmp
import functools
import os
import shutil
import signal
import time
import unittest

import program
from program import ENVIRONMENT, FOLDER, SOURCE, Case, main, path_of, read, write

bandfem = functools.partial(program.bandfem, timeout=120)
DECK = """deck: 1
mesh: {file: %s}
physics: heat
materials: {m: {group: plate, k: 2.0}}
boundary:
  - {groups: [hole, sym_x, sym_y, right, top], type: temperature, value: "1 + 2*x + 3*y"}
solver: {rtol: 1.0e-13}
output: {probes: {p: {at: [2.1, 1.7], fields: [temperature]}}}
checks:
  - {quantity: probe.p.temperature, expect: 10.3, rtol: 1.0e-9}
"""
STAND_IN = """#!/bin/sh
[ -n "$TELL" ] && for word in "$@"; do echo "$word"; done > "$TELL"
while [ $# -gt 1 ]; do [ "$1" = -o ] && made=$2; shift; done
echo "Info    : Running 'gmsh' [Gmsh 9.8.7, 1 node]"
"""


def environment(body, **variables):
    """With a gmsh on the PATH that does this after it has told who it is."""
    os.chmod(path_of(write("bin/gmsh", STAND_IN + body)), 0o755)
    return dict(ENVIRONMENT, PATH=path_of("bin") + ":/usr/bin:/bin", TELL=path_of("words"), **variables)


def words_of_gmsh():
    return read("words").decode().splitlines()


COPY = f'cp "{SOURCE}/inputs/meshes/kirsch_quad8.msh" "$made"\n'


class StandIn(Case):
    def setUp(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        write("a plate.geo", "// nothing here is read by bandfem\n")
        write("deck.yaml", DECK % "a plate.geo")

    def test_gmsh_is_called_with_the_words_of_the_deck(self):
        answer = bandfem("run", "--verbose", "deck.yaml", "--out", "r", env=environment(COPY))
        self.says(answer, 0)
        self.assertIn("9.8.7 meshed a plate.geo", answer.out)
        self.assertIn("r/mesh.msh: 1033 nodes", answer.out)
        words = words_of_gmsh()
        self.assertEqual(words[-1], "a plate.geo")  # one word: there is no shell
        self.assertEqual(words[words.index("-o") + 1], "r/mesh.msh")
        self.assertIn("-3", words)
        self.assertNotIn("-order", words)
        self.assertTrue(os.path.exists(path_of("r/mesh.log")))

    def test_the_resolved_deck_runs_without_gmsh_to_the_same_bits(self):
        self.says(bandfem("run", "deck.yaml", "--out", "r", env=environment(COPY)), 0)
        none = dict(ENVIRONMENT, PATH=path_of("nothing"))
        for folder in ("again", "r"):
            self.says(bandfem("run", "r/deck.resolved.yaml", "--out", folder, env=none), 0)
        self.assertTrue(filecmp.cmp(path_of("r/case.vtk"), path_of("again/case.vtk"), shallow=False))

    def test_dimension_and_order_come_from_the_deck(self):
        write("plane.yaml", "deck: 1\nmesh: {file: a plate.geo}\nphysics: elasticity\ndiscretization: {space: plane_strain}\n"
              "materials: {m: {group: plate, E: 1.0, nu: 0.3}}\nboundary: [{group: hole, type: fixed}]\n")
        bandfem("check", "plane.yaml", "-s", "mesh.order=2", env=environment(COPY))
        words = words_of_gmsh()
        self.assertIn("-2", words)
        self.assertEqual(words[words.index("-order") + 1], "2")
        self.assertEqual(words[words.index("-setnumber"):][:3], ["-setnumber", "Mesh.SecondOrderIncomplete", "1"])

    def test_check_and_an_override_mesh_it_too(self):
        write("other.yaml", DECK % "missing.msh")
        answer = bandfem("check", "other.yaml", "-s", "mesh.file=a plate.geo", env=environment(COPY))
        self.says(answer, 0)
        self.assertTrue(os.path.exists(path_of("out/other/mesh.msh")))

    def test_no_gmsh_says_what_to_do_at_the_line_of_the_deck(self):
        self.says(bandfem("run", "deck.yaml", env=dict(ENVIRONMENT, PATH=path_of("nothing"))), 3,
                  "deck.yaml:2:14: error E201: 'a plate.geo' must be meshed by the gmsh program",
                  "apt-get install gmsh", "gmsh -3 file.geo -o file.msh")

    def test_failures_of_gmsh_are_named(self):
        for body, part in (("echo \"Error   : 'a plate.geo', line 3: syntax error\"; exit 1\n", "it reports: 'a plate.geo', line 3"),
                           (COPY + 'echo "Error   : self-intersecting" >&2\n', "it reports: self-intersecting"),
                           ("exit 5\n", "failed with exit status 5"), ("kill -9 $$\n", "was terminated by signal 9"),
                           ("exit 0\n", "wrote no mesh"), (': > "$made"\n', "wrote no mesh")):
            with self.subTest(body):
                self.says(bandfem("check", "deck.yaml", env=environment(body)), 3,
                          "deck.yaml:2:14: error E201: gmsh cannot mesh 'a plate.geo'", part, "out/deck/mesh.log")

    def test_a_mesh_of_an_earlier_run_is_not_taken_for_the_new_one(self):
        self.says(bandfem("check", "deck.yaml", env=environment(COPY)), 0)
        self.says(bandfem("check", "deck.yaml", env=environment("exit 0\n")), 3, "wrote no mesh")

    def test_an_empty_mesh_says_so(self):
        head = "$MeshFormat\\n4.1 0 8\\n$EndMeshFormat\\n$Nodes\\n0 0 0 0\\n$EndNodes\\n$Elements\\n0 0 0 0\\n$EndElements\\n"
        self.says(bandfem("check", "deck.yaml", env=environment(f"printf '{head}' > \"$made\"\n")), 3,
                  "mesh.msh", "the mesh has no nodes; is the geometry empty")

    def test_a_missing_geo_is_a_missing_file(self):
        self.says(bandfem("check", "deck.yaml", "-s", "mesh.file=gone.geo", env=environment(COPY)), 3,
                  "error E201: cannot open 'gone.geo': No such file")

    def test_other_names_are_never_given_to_gmsh(self):
        for name in ("plate.geo.msh", "geo", "plate.GEO", "plate.step"):
            write(name, 'SystemCall "touch executed";\n')
            self.says(bandfem("check", "deck.yaml", "-s", "mesh.file=" + name, env=environment(COPY)), 3,
                      "error E201: not a Gmsh mesh")
            self.assertFalse(os.path.exists(path_of("words")))
            self.assertFalse(os.path.exists(path_of("executed")))

    def test_a_folder_that_cannot_be_made_is_e601(self):
        write("file", "")
        self.says(bandfem("run", "deck.yaml", "--out", "file/r", env=environment(COPY)), 7, "error E601")

    def wait_for_pid(self):
        for _ in range(400):
            told = read("words").decode() if os.path.exists(path_of("words")) else ""
            if told.strip().isdigit():
                return int(told)
            time.sleep(0.05)
        return self.fail("the stand-in of gmsh did not start")

    def test_an_interrupt_ends_both(self):
        env = environment('echo $$ > "$TELL"; sleep 60; echo "Error   : awake"\n')
        with program.start("check", "deck.yaml", env=env, start_new_session=True) as process:
            child = self.wait_for_pid()
            os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=20)
            self.assertNotEqual(process.returncode, 0)
            time.sleep(0.2)
            try:
                with open(f"/proc/{child}/stat", encoding="ascii") as file:
                    self.assertEqual(file.read().split()[2], "Z")  # ended; nobody has asked yet
            except FileNotFoundError:
                pass


@unittest.skipUnless(shutil.which("gmsh"), "no gmsh program")
class RealGmsh(Case):
    def test_an_example_geometry_gives_a_patch_test(self):
        shutil.rmtree(path_of("real"), ignore_errors=True)
        os.makedirs(path_of("real"))
        shutil.copy(os.path.join(SOURCE, "inputs/meshes/kirsch.geo"), path_of("real/kirsch.geo"))
        write("real/deck.yaml", DECK % "kirsch.geo")
        for order in ("from_file", "1", "2"):
            answer = bandfem("run", "--verbose", "real/deck.yaml", "-s", "mesh.order=" + order, "--out", "real/r" + order)
            self.says(answer, 0)
            self.assertRegex(answer.out, r"gmsh      \d+\.\d+\.\d+.* meshed real/kirsch.geo")
            self.assertIn("quad4" if order == "1" else "quad8", answer.out)

    def test_a_mistake_in_a_geometry_is_quoted(self):
        write("real/bad.geo", "Point(1) = {0, 0, 0; \n")
        write("real/bad.yaml", DECK % "bad.geo")
        self.says(bandfem("check", "real/bad.yaml"), 3, "line 1: syntax error")


class Order(Case):
    def test_a_file_of_every_order_passes_the_patch_test(self):
        mesh = os.path.join(SOURCE, "inputs/meshes/kirsch_quad8.msh")
        write("order.yaml", DECK % mesh)
        for order, word in (("1", "order     1: 676 mid-side nodes removed"), ("2", "1033 nodes")):
            answer = bandfem("run", "--verbose", "order.yaml", "-s", "mesh.order=" + order, "--out", "order" + order)
            self.says(answer, 0)
            self.assertIn(word, answer.out)
        self.assertNotIn("order     2", answer.out)  # nothing to do

    def test_a_linear_file_made_quadratic_passes_the_patch_test(self):
        fixture = os.path.join(SOURCE, "tests/meshes/plate_1_41b.msh")
        deck = (DECK % fixture).replace("group: plate", 'group: all').replace(
            "groups: [hole, sym_x, sym_y, right, top]", "group: outside").replace("[2.1, 1.7]", "[0.4, 0.3]").replace("10.3", "2.7")
        write("linear.yaml", deck)
        for order in ("1", "2"):
            answer = bandfem("run", "--verbose", "linear.yaml", "-s", "mesh.order=" + order, "--out", "linear" + order)
            self.says(answer, 0)
            self.assertEqual("mid-side nodes added at the midpoints of straight edges" in answer.out, order == "2")

    def test_a_generated_mesh_is_generated_in_that_order(self):
        box = "{generate: {box: {size: [1, 1, 1], cells: [2, 2, 2], element: %s}}}"
        text = (DECK.replace("{file: %s}", box).replace("plate", "volume")
                .replace("groups: [hole, sym_x, sym_y, right, top]", "groups: [x_min, x_max]").split("output")[0])
        for element, order, made in (("tet4", "2", "tet10"), ("hex20", "1", "hex8"), ("hex8", "from_file", "hex8")):
            write("box.yaml", text % element)
            answer = bandfem("check", "box.yaml", "-s", "mesh.order=" + order)
            self.says(answer, 0)
            self.assertIn(" " + made + "\n", answer.out)


if __name__ == "__main__":
    main()

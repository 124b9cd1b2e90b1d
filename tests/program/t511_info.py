"""tests/program/t511_info.py - bandfem info: what it tells of good meshes, of broken ones, and of files that are no mesh

usage: t511_info.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re

from program import SOURCE, Case, bandfem, main, path_of, read, write

FORMAT = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
NODES = "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0.5 0\n6 0.5 -0.5 0\n$EndNodes\n"
NAMES = '$PhysicalNames\n1\n2 2 "body"\n$EndPhysicalNames\n'
GOOD = FORMAT + NODES + NAMES + """$Elements
5
11 1 2 7 4 4 1
12 1 2 0 4 1 2
13 3 2 2 1 1 2 3 4
14 2 2 0 1 2 5 3
15 2 2 0 1 1 6 2
$EndElements
"""


def info(text, name="mesh.msh", *words):
    if text is not None:
        write(name, text)
    return bandfem("info", name, *words)


class Info(Case):
    def lines(self, answer, *parts):
        """Every part is in a line of the output: its words, however far apart."""
        got = [" ".join(line.split()) for line in answer.out.splitlines()]
        for part in parts:
            self.assertTrue(any(part in line for line in got), f"'{part}' not in:\n{answer.out}\n{answer.err}")

    def test_a_plane_mesh_of_both_shapes(self):
        answer = info(GOOD)
        self.says(answer, 0)
        self.lines(answer, "mesh mesh.msh: dimension 2, 6 nodes, 4 elements", "1 line2", "2 tri3", "1 quad4", "groups 2",
                   "2D body 1 element area 1", "1D 1:7 1 element length 1 (no name: dimension:tag in a deck)",
                   "2D in no group 2 elements first: element 14 of the file",
                   "bounds 0 -0.5 0 to 2 1 0, size 2 x 1.5 x 0", "measure area 1.75",
                   "quality worst Jacobian ratio 1.000 (element 14 of the file), largest aspect 1.41 (element 15)",
                   "parts 1 (connected), 0 nodes without a 2D element", "numbering: 6 rows", "1 component (heat)",
                   "2 components (elasticity)")

    def test_a_solid_of_gmsh_has_areas_and_volumes(self):
        answer = info(None, os.path.join(SOURCE, "tests/meshes/solid_1_41b.msh"))
        self.says(answer, 0)
        self.lines(answer, "3D both 26 elements volume 3", "2D clamp 1 element area 1", "measure volume 3",
                   "parts 2 without common nodes", "3 components (elasticity)")

    def test_a_file_without_groups(self):
        answer = info(FORMAT + NODES + "$Elements\n1\n1 3 2 0 1 1 2 3 4\n$EndElements\n")
        self.says(answer, 0)
        self.lines(answer, "groups 0: the file has no physical groups; a deck can only use 'all'", "2 nodes without a 2D element")
        self.assertIn("warning W209: 2 nodes are not used", answer.err)

    def test_lines_alone_are_shown_and_refused(self):
        answer = info(FORMAT + NODES + "$Elements\n1\n1 1 2 3 1 1 3\n$EndElements\n")
        self.assertEqual(answer.status, 3)
        self.lines(answer, "dimension 1", "1D 1:3 1 element length 1.41421")
        self.assertIn("error E207: the mesh has only lines", answer.err)
        self.assertNotIn("numbering", answer.out)

    def test_wrong_geometry_is_shown_with_all_the_rest(self):
        for change, code in ((("13 3 2 2 1 1 2 3 4", "13 3 2 2 1 1 2 4 3"), "element 13 (quad4) is inverted"),
                             (("14 2 2 0 1 2 5 3", "14 2 2 0 1 2 5 5"), "element 14 (tri3) is degenerate")):
            answer = info(GOOD.replace(*change))
            self.assertEqual(answer.status, 3)
            self.lines(answer, "2D body 1 element area", "quality worst Jacobian ratio", "numbering:", "memory")
            self.assertIn("error E208: " + code, answer.err)

    def test_a_file_that_cannot_be_read_shows_its_sections(self):
        for text, error, *parts in (
                (GOOD.replace("2 5 3", "2 99 3"), ":22: error E215: element 14 uses node 99 that does not exist",
                 "sections line 1 $MeshFormat: 2.2 0 8", "line 4 $Nodes: 6", "line 13 $PhysicalNames: 1", "line 17 $Elements: 5"),
                (GOOD[:GOOD.index("13 3 2")], ": error E201: unexpected end of file", "line 17 $Elements: 5", "$Elements: the end of the section is missing"),
                (GOOD.replace("2.2", "3.0").replace("\n", "\r\n"), ":2: error E202: format version 3.0", "line 4 $Nodes: 6")):
            answer = info(text)
            self.says(answer, 3, error)
            self.lines(answer, *parts)
        data = read(SOURCE, "tests/meshes/solid_2_41b.msh")
        answer = info(data[:len(data) // 2], "half.msh")
        self.assertEqual(answer.status, 3)
        self.lines(answer, "line 1 $MeshFormat: 4.1 1 8")

    def test_partitions_and_data_are_noted_and_periodic_sides_need_no_note(self):
        answer = info(GOOD.replace("13 3 2 2 1", "13 3 4 2 1 1 1") + "$Periodic\n0\n$EndPeriodic\n$NodeData\n$EndNodeData\n")
        self.says(answer, 0, "note N217: the mesh is partitioned", "note N216: section $NodeData is not used")
        self.assertNotIn("Periodic", answer.err)

    def test_files_that_are_no_mesh_are_answered(self):
        for name, text, part in (("a.geo", "Point(1) = {0, 0, 0};\n", "gmsh -3 a.geo -o a.msh"),
                                 ("a b.geo", "", "gmsh -3 'a b.geo' -o 'a b.msh'"), ("it's.geo", "", "gmsh -3 'it'\\''s.geo' -o 'it'\\''s.msh'"),
                                 ("deck.yaml", "deck: 1\n", "bandfem check deck.yaml"), ("d.yml", "", "bandfem check d.yml"),
                                 ("page.msh", "<html>\n", "looks like a web page"), ("empty.msh", "", "the file is empty"),
                                 ("gone.msh", None, "No such file"), (".", None, "Is a directory")):
            answer = info(text, name)
            self.says(answer, 3, "error E201", part)
            self.assertEqual(answer.out, "")

    def test_a_device_is_described_with_units_and_takes_no_file(self):
        answer = bandfem("info", "--device")
        self.says(answer, 0)
        number = r"([0-9.e+]+)"
        self.assertRegex(answer.out, r"(?m)^cpu +\S.*, \d+ threads? on \d+ processors?; caches L1 .*, L2 .*, L3 ")
        self.assertRegex(answer.out, r"(?m)^ +memory [0-9.]+ [MGT]iB, [0-9.]+ [MGT]iB available$")
        self.assertRegex(answer.out, r"(?m)^cuda +\S")
        copied, triad, once = (float(v) for v in re.search(
            f"measured: copy {number} GB/s, triad {number} GB/s, read only {number} GB/s .arrays of [0-9]+ MiB", answer.out).groups())
        n, ms, rate, flops = (float(v) for v in re.search(
            f"product of the 27-point stencil, {number} unknowns, bdia symmetric fp64: {number} ms, {number} GB/s, {number} GFLOP/s",
            answer.out).groups())
        self.assertEqual(n, 1e6)
        for value in (copied, triad, once, rate):
            self.assertTrue(0.01 < value < 1e5, answer.out)
        self.assertLess(abs(ms * flops - 2.0 * 298 ** 3 / 1e6), 0.01 * ms * flops)  # the nonzeros of 100^3 points
        for words in (["--device", "mesh.msh"], ["mesh.msh", "--device"], ["--device", "--quick"]):
            self.says(bandfem("info", *words), 1, "info: --device takes no file and no other option, but '")

    def test_a_pipe_without_a_writer_is_refused_at_once(self):
        for name in ("pipe", "pipe.msh", "pipe.mtx"):
            if not os.path.exists(path_of(name)):
                os.mkfifo(path_of(name))
            answer = bandfem("info", name, timeout=10)
            self.says(answer, 3, "cannot open '" + name + "': a pipe, not a regular file")
            self.assertEqual(answer.out, "")

    def test_a_huge_file_that_was_never_written_is_refused_at_once(self):
        for name, head in (("huge.msh", ""), ("unknown.msh", FORMAT + "$Unknown\n"), ("nodes.msh", FORMAT + "$Nodes\n5\n"), ("huge.mtx", ""),
                           ("banner.mtx", "%%MatrixMarket matrix coordinate real general\n")):
            write(name, head)
            os.truncate(path_of(name), 1 << 38)
            answer = bandfem("info", name, timeout=10)
            os.truncate(path_of(name), 0)
            self.says(answer, 3, "cannot open '" + name + "': a sparse file")
            self.assertEqual(answer.out, "")


if __name__ == "__main__":
    main()

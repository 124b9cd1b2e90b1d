"""tests/program/t520_catalogue.py - the catalogue of bad inputs: what the program answers to each, word for word

usage: t520_catalogue.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

One line of ENTRIES for a mistake: its number in the catalogue (docs/verification.md, Bad input), what is wrong, the
exit status, the first line on stderr, and the deck and mesh that are wrong.  Every one is run in a folder of its own; `check` must say
the same before solving where the mistake is in deck or mesh, and `info` where the mesh alone is to blame.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import resource
import struct
import unittest

from bad_inputs import BAR, FORMS, HEAT, LINES, NAMES, NODES, QUADS, deck_text, plate
from program import FILES, bandfem, has_device, main, path_of, read, report, write

NUMBERS = [*range(1, 32), *range(34, 41), 44, 45]
ENTRIES = []


def entry(number, what, status, line, file=None, **sections):
    """file: plate.msh where it is not the sound plate; sections: of the deck, where they are not the plate's."""
    ENTRIES.append((number, what, status, line, plate() if file is None else file, deck_text(**sections)))


def edited(old, new, form="22a", **parts):
    """The plate with the first `old` in its file replaced, which must be there."""
    data = plate(form, **parts)
    old, new = (t if isinstance(t, bytes) else t.encode() for t in (old, new))
    assert old in data, (old, form)
    return data.replace(old, new, 1)


def cut(before, form, more=0):
    """The plate up to `more` bytes behind the first `before`."""
    data = plate(form)
    return data[:data.index(before.encode()) + more]


def at(mark, skip, form, count, value):
    """The plate with bytes overwritten `skip` behind the first `mark`."""
    data = bytearray(plate(form))
    place = data.index(mark.encode()) + len(mark) + skip
    data[place:place + struct.calcsize(count)] = struct.pack(count, value)
    return bytes(data)


def moved(**places):
    """NODES with places of nodes n1, n2, ... changed."""
    return {**NODES, **{int(k[1:]): v for k, v in places.items()}}


def body(*quads, **more):
    return plate(elements=LINES + list(quads), **more)


NAN, INF = float("nan"), float("inf")
FIXED = "\n  - {group: left, type: fixed}"

# 1 .. 5: no file, no mesh, no format this program reads
entry(1, "the mesh file is missing", 3,
      "deck.yaml:2:14: error E201: cannot open 'gone.msh': No such file or directory",
      mesh="{file: gone.msh}")
entry(1, "the mesh file is a directory", 3,
      "deck.yaml:2:14: error E201: cannot open '.': Is a directory",
      mesh="{file: .}")
entry(2, "an empty file", 3,
      "plate.msh:1: error E201: the file is empty, not a Gmsh mesh",
      file=b"")
entry(3, "a Git LFS pointer", 3,
      "plate.msh:1: error E201: not a Gmsh mesh (first line 'version https://git-lfs.github.com/spec/v1'); looks like a "
      "Git LFS pointer: fetch the file with 'git lfs pull'",
      file=b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
entry(3, "a web page", 3,
      "plate.msh:1: error E201: not a Gmsh mesh (first line '<!DOCTYPE html>'); looks like a web page or XML, not the "
      "file itself",
      file=b"<!DOCTYPE html>\n<html></html>\n")
entry(4, "format 1.0", 3,
      "plate.msh:1: error E202: format version 1.0 is not supported; bandfem reads 2.0, 2.1, 2.2 and 4.1; "
      "convert the file: gmsh -save -format msh41 -o new.msh old.msh",
      file=b"$NOD\n1\n1 0 0 0\n$ENDNOD\n")
entry(4, "format 3.0", 3,
      "plate.msh:2: error E202: format version 3 is not supported; bandfem reads 2.0, 2.1, 2.2 and 4.1; "
      "convert the file: gmsh -save -format msh41 -o new.msh old.msh",
      file=edited("2.2 0 8", "3 0 8"))
entry(4, "format 4.0", 3,
      "plate.msh:2: error E202: format version 4 is not supported; bandfem reads 2.0, 2.1, 2.2 and 4.1; "
      "convert the file: gmsh -save -format msh41 -o new.msh old.msh",
      file=edited("4.1 0 8", "4 0 8", "41a"))
entry(4, "format 4.0, binary", 3,
      "plate.msh:2: error E202: format version 4 is not supported; bandfem reads 2.0, 2.1, 2.2 and 4.1; "
      "convert the file: gmsh -save -format msh41 -o new.msh old.msh",
      file=edited("4.1 1 8", "4 1 8", "41b"))
entry(5, "data size 4, binary", 3,
      "plate.msh:2: error E202: data-size is 4; bandfem reads files with data-size 8",
      file=edited("4.1 1 8", "4.1 1 4", "41b"))
entry(5, "the other byte order", 3,
      "plate.msh: error E202: the endianness mark is 0x1000000, not 1: the file was written on a machine of the other "
      "byte order (at byte 20)",
      file=edited(b"4.1 1 8\n\x01\0\0\0", b"4.1 1 8\n\0\0\0\x01", "41b"))
entry(5, "no byte order at all", 3,
      "plate.msh: error E202: the endianness mark is 0x7, not 1 (at byte 20)",
      file=edited(b"2.2 1 8\n\x01\0\0\0", b"2.2 1 8\n\x07\0\0\0", "22b"))

# 6 .. 13: sections, counts, numbers
entry(6, "cut in the nodes, 2.2", 3,
      "plate.msh:16: error E201: unexpected end of file, node 5 of 9",
      file=cut("\n6 ", "22a"))
entry(6, "cut in the nodes, 2.2 binary", 3,
      "plate.msh: error E213: implausible number of nodes: 9, but 51 bytes are left in the file (is it cut off?) (at "
      "byte 118)",
      file=cut("$Nodes\n9\n", "22b", 60))
entry(6, "cut in the nodes, 4.1", 3,
      "plate.msh:31: error E201: unexpected end of file, 9 nodes were announced, 13 lines follow",
      file=cut("\n1 1 0\n", "41a"))
entry(6, "cut in the nodes, 4.1 binary", 3,
      "plate.msh: error E213: implausible number of nodes: 9, but 31 bytes are left in the file (is it cut off?) (at "
      "byte 420)",
      file=cut("$Nodes\n", "41b", 70))
entry(7, "one node fewer than said", 3,
      "plate.msh:21: error E213: expected 10 nodes, found $EndNodes after 9",
      file=edited("$Nodes\n9", "$Nodes\n10"))
entry(7, "one node more than said", 3,
      "plate.msh:20: error E213: expected $EndNodes after 8 nodes, found '9'",
      file=edited("$Nodes\n9", "$Nodes\n8"))
entry(7, "one node more than said, 2.2 binary", 3,
      "plate.msh: error E213: expected $EndNodes after 8 nodes, found the end of the line (at byte 343)",
      file=edited("$Nodes\n9", "$Nodes\n8", "22b"))
entry(7, "one node fewer than said, 4.1", 3,
      "plate.msh:37: error E213: expected 10 nodes, the blocks list 9",
      file=edited("$Nodes\n1 9 1 9", "$Nodes\n1 10 1 9", "41a"))
entry(7, "one node fewer than said, 4.1 binary", 3,
      "plate.msh: error E213: expected 10 nodes, the blocks list 9 (at byte 728)",
      file=at("$Nodes\n", 8, "41b", "<Q", 10))
entry(8, "a node tag twice, 2.2", 3,
      "plate.msh:15: error E214: node tag 2 is defined twice (line 13 and line 15)",
      file=edited("\n4 0 1 0", "\n2 0 1 0"))
entry(8, "a node tag twice, 2.2 binary", 3,
      "plate.msh: error E214: node tag 1 is defined twice (byte 118 and byte 146) (at byte 146)",
      file=at("$Nodes\n9\n", 28, "22b", "<i", 1))
entry(8, "a node tag twice, 4.1", 3,
      "plate.msh:22: error E214: node tag 2 is defined twice (line 20 and line 22)",
      file=edited("\n1\n2\n3\n4\n", "\n1\n2\n3\n2\n", "41a"))
entry(8, "a node tag twice, 4.1 binary", 3,
      "plate.msh: error E214: node tag 1 is defined twice (byte 440 and byte 448) (at byte 448)",
      file=at("$Nodes\n", 32 + 20 + 8, "41b", "<Q", 1))
entry(9, "a node that does not exist, 2.2", 3,
      "plate.msh:31: error E215: element 8 uses node 999 that does not exist",
      file=body(*QUADS[:3], (3, 3, (5, 6, 999, 8))))
entry(9, "a node that does not exist, 4.1", 3,
      "plate.msh:50: error E215: element 8 uses node 999 that does not exist",
      file=plate("41a", elements=LINES + QUADS[:3] + [(3, 3, (5, 6, 999, 8))]))
entry(9, "a node that does not exist, 4.1 binary", 3,
      "plate.msh: error E215: element 8 uses node 999 that does not exist (at byte 1057)",
      
      file=plate("41b", elements=LINES + QUADS[:3] + [(3, 3, (5, 6, 999, 8))]))
entry(10, "a coordinate nan", 3,
      "plate.msh:18: error E214: node 7: x is not finite",
      file=plate(nodes=moved(n7=(NAN, 2.0, 0.0))))
entry(10, "a coordinate beyond all numbers", 3,
      "plate.msh:18: error E214: node 7: y is not finite",
      file=edited("\n7 0 2 0", "\n7 0 1e999 0"))
entry(10, "a coordinate inf, 4.1 binary", 3,
      "plate.msh: error E214: node 7: z is not finite (at byte 656)",
      file=plate("41b", nodes=moved(n7=(0.0, 2.0, INF))))
entry(10, "a coordinate nan, 2.2 binary", 3,
      "plate.msh: error E214: node 7: x is not finite (at byte 290)",
      file=plate("22b", nodes=moved(n7=(NAN, 2.0, 0.0))))
entry(11, "99999999999 nodes", 3,
      "plate.msh:11: error E213: implausible number of nodes: 99999999999, but 235 bytes are left in the file (is it "
      "cut off?)",
      file=edited("$Nodes\n9", "$Nodes\n99999999999"))
entry(11, "-9 nodes", 3,
      "plate.msh:11: error E213: implausible number of nodes: -9",
      file=edited("$Nodes\n9", "$Nodes\n-9"))
entry(11, "99999999999 elements, 4.1", 3,
      "plate.msh:39: error E213: implausible number of elements: 99999999999, but 102 bytes are left in the file (is it "
      "cut off?)",
      file=edited("3 8 1 8", "3 99999999999 1 8", "41a"))
entry(11, "2^62 nodes, 4.1 binary", 3,
      "plate.msh: error E213: implausible number of nodes: 4611686018427387904, but 691 bytes are left in the file (is "
      "it cut off?) (at byte 420)",
      file=at("$Nodes\n", 8, "41b", "<Q", 1 << 62))
entry(11, "-1 elements, 2.2 binary", 3,
      "plate.msh:16: error E213: implausible number of elements: -1",
      file=edited("$Elements\n8", "$Elements\n-1", "22b"))
entry(12, "a prism", 3,
      "plate.msh:31: error E207: element 8: prism (Gmsh type 6) is not supported; bandfem has tri3, tri6, quad4, quad8, "
      "quad9, tet4, tet10, hex8, hex20, hex27; leave out Recombine in Extrude, then Gmsh makes tetrahedra of the layers",
      file=body(*QUADS[:3], (6, 3, (5, 6, 9, 8, 1, 2))))
entry(12, "a pyramid, 4.1 binary", 3,
      "plate.msh: error E207: element 9: pyramid (Gmsh type 7) is not supported; bandfem has tri3, tri6, quad4, quad8, "
      "quad9, tet4, tet10, hex8, hex20, hex27; pyramids join hexahedra to tetrahedra: mesh the whole body with one of these "
      "(at byte 1189)",
      file=plate("41b", elements=LINES + QUADS + [(7, 4, (5, 6, 9, 8, 1))]))
entry(12, "a tet20", 3,
      "plate.msh:31: error E207: element 8: tet20 (Gmsh type 29) is not supported; bandfem has tri3, tri6, quad4, "
      "quad8, quad9, tet4, tet10, hex8, hex20, hex27; set Mesh.ElementOrder to 1 or 2",
      file=body(*QUADS[:3], (29, 3, tuple(range(1, 21)))))
entry(12, "a hex64", 3,
      "plate.msh:31: error E207: element 8: hex64 (Gmsh type 92) is not supported; bandfem has tri3, tri6, quad4, "
      "quad8, quad9, tet4, tet10, hex8, hex20, hex27; set Mesh.ElementOrder to 1 or 2",
      file=body(*QUADS[:3], (92, 3, tuple(range(1, 65)))))
entry(13, "a line of three nodes", 3,
      "plate.msh:25: error E215: element 2 (line2) needs 2 nodes, got 3",
      file=edited("\n2 1 2 1 1 4 7\n", "\n2 1 2 1 1 4 7 8\n"))
entry(13, "a quadrilateral of three nodes, 4.1", 3,
      "plate.msh:50: error E215: element 8 (quad4) needs 4 nodes, got 3",
      file=edited("\n8 5 6 9 8\n", "\n8 5 6 9\n", "41a"))

# 14 .. 21: geometry
entry(14, "an element names a node twice", 3,
      "plate.msh: error E208: element 8 (quad4) is degenerate: it lists a node twice",
      file=body(*QUADS[:3], (3, 3, (5, 6, 9, 6))))
entry(14, "an element without area", 3,
      "plate.msh: error E208: 2 quad4 elements are degenerate: their Jacobian is 0 everywhere (no area or volume): 5, 6",
      file=plate(nodes=moved(n1=(2.0, 0.0, 0.0), n4=(2.0, 1.0, 0.0), n2=(2.0, 0.5, 0.0), n5=(2.0, 1.5, 0.0))))
entry(15, "a clockwise element", 0,
      "plate.msh: note N232: 1 of 4 plane elements is clockwise in the file (negative Jacobian); bandfem reads its nodes in "
      "the opposite sense",
      file=body(*QUADS[:3], (3, 3, (5, 8, 9, 6))))
entry(15, "a quadrilateral crossed like a bow-tie", 3,
      "plate.msh: error E208: element 8 (quad4) is inverted: its Jacobian changes sign inside (crossed or concave)",
      file=body(*QUADS[:3], (3, 3, (5, 6, 8, 9))))
entry(15, "every element clockwise, 4.1 binary", 0,
      "plate.msh: note N232: 4 of 4 plane elements are clockwise in the file (negative Jacobian); bandfem reads their nodes in "
      "the opposite sense",
      
      file=plate("41b", elements=LINES + [(k, p, n[::-1]) for k, p, n in QUADS]))
TRI6 = {1: (0.0, 0.0, 0.0), 2: (1.0, 0.0, 0.0), 3: (0.0, 1.0, 0.0), 4: (0.5, 0.0, 0.0), 5: (0.5, 0.5, 0.0), 6: (0.0, 0.5, 0.0)}
entry(16, "a mid-side node past the quarter point", 3,
      "plate.msh: error E208: element 2 (tri6) is inverted in a part: the Jacobian changes sign inside (a mid-side node "
      "too far off)",
      
      file=plate(nodes={**TRI6, 4: (0.85, 0.0, 0.0)}, elements=[(8, 1, (1, 3, 6)), (9, 3, (1, 2, 3, 4, 5, 6))]))
entry(17, "nodes of no element", 0,
      "plate.msh: warning W209: 3 nodes are not used by any 2D element; ignored",
      file=plate(nodes={**NODES, 20: (5.0, 0.0, 0.0), 21: (6.0, 0.0, 0.0), 22: (7.0, 0.0, 0.0)}))
entry(17, "a node of no element, 4.1 binary", 0,
      "plate.msh: warning W209: 1 node is not used by any 2D element; ignored",
      file=plate("41b", nodes={**NODES, 20: (5.0, 0.0, 0.0)}))
entry(18, "only lines", 3,
      "plate.msh: error E207: the mesh has only lines, no surface or volume elements; mesh it with gmsh -2 or -3 and "
      "give the surface or volume a physical group",
      file=plate(elements=LINES, names={k: v for k, v in NAMES.items() if k[0] == 1}))
entry(19, "a plane problem out of its plane", 3,
      "plate.msh: error E207: the mesh is a surface in space: 4 elements of dimension 2 with z from 0 to 0.5, no volume "
      "elements (1 of 9 nodes off z = 0, the first is node 4); bandfem has plane elements in z = 0 and solids, no "
      "shells; possible remedies: mesh the volume (gmsh -3, with a Physical Volume), or move the surface to z = 0",
      file=plate(nodes=moved(n4=(0.0, 1.0, 0.5))))
entry(20, "tri3 beside tri6", 3,
      "plate.msh: error E207: linear and quadratic elements meet: non-conforming orders on the shared edge 2-3 "
      "(elements 3 and 2; 1 such edges); mesh all with one order",
      file=plate(nodes={**TRI6, 7: (1.0, 1.0, 0.0)}, elements=[
    (8, 1, (1, 3, 6)), (9, 3, (1, 2, 3, 4, 5, 6)), (2, 3, (2, 7, 3))]))
TWO = {**NODES, 13: (2.0, 0.0, 0.0), 16: (2.0, 1.0, 0.0), 14: (3.0, 0.0, 0.0), 17: (3.0, 1.0, 0.0)}
PARTS = LINES[:2] + [(1, 2, (14, 17))] + QUADS + [(3, 3, (13, 14, 17, 16))]
entry(21, "two parts that share no nodes, one without support", 3,
      "deck.yaml:8:5: error E301: part 2 of 2 (1 element, in group 'body') is under-constrained: 3 rigid-body modes remain: rotation about z through (2.5, 0.5), translation x and translation y; it has no support; add a boundary condition of type "
      "fixed, symmetry, displacement or spring",
      file=plate(nodes=TWO, elements=PARTS))
entry(21, "two parts that share no nodes, both held", 0,
      "plate.msh: warning W333: the mesh consists of 2 parts that share no nodes and do not interact; if they should be one body, merge the nodes of their common sides (Gmsh: Coherence Mesh)",
      file=plate(nodes=TWO, elements=PARTS),
      boundary="\n  - {groups: [left, right], type: fixed}")
entry(21, "two parts that share no nodes, heat", 3,
      "deck.yaml:7:5: error E301: the temperature level of part 2 of 2 (1 element, in group 'body') is undetermined, and its flux sum 3 W is not zero; add a boundary condition of type temperature or convection where the heat can leave",
      file=plate(nodes=TWO, elements=PARTS), **HEAT)

HINGE = plate(nodes={k: v for k, v in NODES.items() if k not in (3, 7)},
              elements=[(1, 1, (1, 4)), (1, 2, (6, 9)), QUADS[0], QUADS[3]])
entry(21, "two bodies that share one node", 3,
      "plate.msh: error E301: a body of 1 element (in group 'body', x 1 to 2, y 1 to 2) can move without deformation: "
      "joined only at node 5 (1, 1); 1 free motion of the body: rotation about z through (1, 1); bodies that should be "
      "one must share whole edges of elements, with the same nodes; otherwise support this body too",
      file=HINGE)
entry(21, "two bodies that share one node, both held", 0,
      "plate.msh: warning W334: the mesh has bodies that are joined at 1 node and through no edge of elements, the first "
      "at node 5 (1, 1, 0): the stiffness of such a joint depends on the size of the elements and vanishes as they are "
      "refined; bodies that should be one must share whole edges, with the same nodes",
      file=HINGE, boundary="\n  - {groups: [left, right], type: fixed}")
entry(21, "two bodies that share one node, heat", 0,
      "plate.msh: warning W334: the mesh has bodies that are joined at 1 node and through no edge of elements, the first "
      "at node 5 (1, 1, 0): the conductance of such a joint depends on the size of the elements and vanishes as they are "
      "refined; bodies that should be one must share whole edges, with the same nodes",
      file=HINGE, **HEAT)

# 22 .. 25: groups
entry(22, "a group that is not in the mesh", 3,
      "deck.yaml:8:13: error E203: group 'lefft' of boundary 'fixed' is not in the mesh; did you mean 'left'? the mesh "
      "has: body (2-D), left (1-D), right (1-D)",
      boundary=FIXED.replace("left", "lefft"))
entry(23, "a group of the wrong dimension", 3,
      "deck.yaml:6:18: error E203: group 'left' is 1-D, material 'steel' needs 2-D; groups of that dimension: body (2-D)",
      materials="\n  steel: {group: left, E: 2.1e+11, nu: 0.3}")
entry(24, "elements without a material", 3,
      "deck.yaml:6:10: error E205: 1 element has no material; the first has tag 8, in group 'core'. Name the group "
      "under a material",
      file=plate(elements=LINES + QUADS[:3] + [(3, 4, QUADS[3][2])], names={**NAMES, (2, 4): "core"}))
entry(25, "two materials on one group", 2,
      "deck.yaml:7:17: error E106: group 'body' already has material 'steel' (line 6)",
      materials="\n  steel: {group: body, E: 2.1e+11, nu: 0.3}\n  lead: {group: body, E: 1.6e+10, nu: 0.44}")
entry(25, "two materials on one group, by name and by number", 3,
      "deck.yaml:7:17: error E206: material 'lead' is assigned to 4 elements that already have material 'steel' (line 6); the first has tag 5. Assign every element to one material",
      
      materials="\n  steel: {group: body, E: 2.1e+11, nu: 0.3}\n  lead: {group: \"2:3\", E: 1.6e+10, nu: 0.44}")

# 26 .. 31: the model
entry(26, "E = 0", 2,
      "deck.yaml:6:27: error E105: 'E' is 0.0, outside (0,inf)",
      materials="\n  steel: {group: body, E: 0.0, nu: 0.3}")
entry(26, "E below 0", 2,
      "deck.yaml:6:27: error E105: 'E' is -2.1e+11, outside (0,inf)",
      materials="\n  steel: {group: body, E: -2.1e+11, nu: 0.3}")
entry(26, "a formula for E that is 0 somewhere", 3,
      "deck.yaml:6:27: error E303: E = '1 - x' of material 'steel' is -0.211325 at (1.21132, 0.211325, 0); it must be "
      "positive",
      materials="\n  steel: {group: body, E: '1 - x', nu: 0.3}")
entry(26, "nu = 0.5", 3,
      "deck.yaml:6:40: error E303: 'nu' is 0.5, outside (-1,0.5); 0.5 would be incompressible",
      materials="\n  steel: {group: body, E: 2.1e+11, nu: 0.5}")
entry(26, "nu = -1", 3,
      "deck.yaml:6:40: error E303: 'nu' is -1.0, outside (-1,0.5); 0.5 would be incompressible",
      materials="\n  steel: {group: body, E: 2.1e+11, nu: -1.0}")
entry(26, "rho = 0", 2,
      "deck.yaml:6:50: error E105: 'rho' is 0.0, outside (0,inf)",
      materials="\n  steel: {group: body, E: 2.1e+11, nu: 0.3, rho: 0.0}")
entry(26, "k = 0", 2,
      "deck.yaml:5:27: error E105: 'k' is 0.0, outside (0,inf)",
      **{**HEAT, "materials": "\n  steel: {group: body, k: 0.0}"})
entry(26, "thickness 0", 2,
      "deck.yaml:4:50: error E105: 'thickness' is 0.0, outside (0,inf)",
      discretization="{space: plane_stress, thickness: 0.0}")
entry(27, "nu = 0.4999 with linear elements", 0,
      "deck.yaml:6:40: warning W327: nu = 0.4999 of material 'rubber' on linear elements (quad4): volumetric locking is likely (too stiff results); use quadratic elements",
      discretization="{space: plane_strain}", materials="\n  rubber: {group: body, E: 1.0e+6, nu: 0.4999}")
entry(28, "no support at all", 3,
      "deck.yaml:8:5: error E301: the model is under-constrained: 3 rigid-body modes remain: rotation about z through (1, 1), "
      "translation x and translation y; it has no support; add a boundary condition of type fixed, symmetry, displacement or spring",
      boundary="\n  - {group: right, type: traction, value: [1.0e+6, 0.0]}")
entry(28, "no support at all, 3-D", 3,
      "deck.yaml:7:5: error E301: the model is under-constrained: 6 rigid-body modes remain: rotation about x through (0.5, 0.1, "
      "0.1), rotation about y through (0.5, 0.1, 0.1), rotation about z through (0.5, 0.1, 0.1), translation x, "
      "translation y and translation z; it has no support; add a boundary condition of type fixed, symmetry, displacement or spring",
      **{**BAR, "boundary": "\n  - {group: x_max, type: traction, value: [1.0e+6, 0.0, 0.0]}"})
SPRINGS = {"boundary": "\n  - {group: left, type: spring, value: VALUE}\n  - {group: right, type: traction, value: [1.0e+6, 0.0]}"}
entry(28, "springs lost in rounding errors", 3,
      "deck.yaml:8:5: error E301: the model is not constrained in double precision: only springs resist rotation "
      "about z through (#, #), with # of the stiffness of the stiffest element; rounding errors of the matrix can be "
      "larger; check the value (N/m3), or add another support",
      boundary=SPRINGS["boundary"].replace("VALUE", "1.0e-5"))
entry(28, "springs far softer than the body", 0,
      "deck.yaml:8:5: warning W336: the model is hardly constrained in double precision: only springs resist rotation about z through "
      "(#, #), with # of the stiffness of the stiffest element; rounding errors of the matrix can change this part of "
      "the solution by # of it; check the value (N/m3), or add another support",
      boundary=SPRINGS["boundary"].replace("VALUE", "1.0e-1"), solver="{rtol: 0.1}")
entry(29, "supports in one direction alone", 3,
      "deck.yaml:8:5: error E301: the model is under-constrained: 1 rigid-body mode remains: translation y; add a boundary {type: "
      "displacement, y: 0} on one of its groups",
      boundary="\n  - {groups: [left, right], type: displacement, x: 0.0}")
entry(30, "heat without a temperature, the flux not in balance", 3,
      "deck.yaml:7:5: error E301: the temperature level of the model is undetermined, and its flux sum 12 W is not zero; add a boundary condition of type temperature or convection where the heat can leave",
      **{**HEAT, "boundary": "\n  - {group: right, type: flux, value: 6.0}"})
entry(30, "heat without a temperature, the flux in balance", 3,
      "deck.yaml:7:5: error E301: the temperature level of the model is undetermined: the heat flows balance, and any constant can be added; add a boundary condition of type temperature or convection",
      **{**HEAT, "boundary": "\n  - {group: right, type: flux, value: 6.0}\n  - {group: left, type: flux, value: -6.0}"})
entry(30, "convection lost in rounding errors", 3,
      "deck.yaml:7:5: error E301: the temperature level of the model is not determined in double precision: only convection determines it, with # of the conductance of the best conducting element; rounding errors of the matrix can "
      "be larger; check the coefficient h (W/m2/K), or prescribe a temperature",
      **{**HEAT, "boundary": "\n  - {group: left, type: convection, h: 1.0e-14, ambient: 0.0}\n  - {group: right, type: flux, value: 6.0}"})
CORNER = plate(elements=[(1, 1, (1, 4)), (1, 1, (4, 7)), (1, 2, (7, 8)), (1, 2, (8, 9))] + QUADS)
entry(31, "two temperatures on a node", 3,
      "deck.yaml:8:5: error E302: 'temperature' sets temperature = 0 on node 7 (0, 2, 0), where 'temperature' (line 7) "
      "set 100; 1 such value in all. Let the conditions agree where they meet, or take the shared nodes out of one "
      "group",
      file=CORNER, **{**HEAT, "boundary": "\n  - {group: left, type: temperature, value: 100.0}\n  - {group: right, type: temperature, value: 0.0}"})
entry(31, "two displacements on a node", 3,
      "deck.yaml:9:5: error E302: 'displacement' sets displacement x = 0.001 on node 7 (0, 2, 0), where 'fixed' (line 8) set 0; 1 such value in all. Let the conditions agree where they meet, or take the shared nodes out of one "
      "group",
      file=CORNER, boundary=FIXED + "\n  - {group: right, type: displacement, x: 1.0e-3}")
entry(31, "the same temperature twice on a node", 0,
      "",
      file=CORNER, **{**HEAT, "boundary": "\n  - {group: left, type: temperature, value: 100.0}\n  - {group: right, type: temperature, value: 100.0}"})

# 34, 35: the deck's text
entry(34, "an unknown keyword", 2,
      "deck.yaml:10:10: error E101: unknown key 'methud' in 'solver'; did you mean 'method'? valid: method, "
      "preconditioner, rtol, atol, max_iterations, on_failure, monitor_every, multigrid, block_size, block_parts, block_values",
      solver="{methud: cg}")
entry(34, "an unknown word", 2,
      "deck.yaml:10:18: error E105: 'method': unknown value 'cgg'; did you mean 'cg'? valid: auto, cg, bicgstab, bicg, direct, inverse",
      solver="{method: cgg}")
entry(34, "a decimal comma", 2,
      "deck.yaml:6:14: error E103: 'thickness': expected a number, got '1,5'; the decimal point is '.'",
      discretization="\n  space: plane_stress\n  thickness: 1,5")
entry(34, "a unit behind a number", 2,
      "deck.yaml:6:14: error E103: 'thickness': expected a number, got '5 mm'",
      discretization="\n  space: plane_stress\n  thickness: 5 mm")
entry(34, "a letter in a number", 2,
      "deck.yaml:6:33: error E110: 'E': a letter follows the number 2.1e+1; write '*' between them",
      materials="\n  steel: {group: body, E: 2.1e+1l, nu: 0.3}")
entry(35, "a keyword twice", 2,
      "deck.yaml:12:1: error E104: key 'solver' given twice; first on line 10",
      solver="{method: cg}", title="a plate\nsolver: {method: cg}")
entry(35, "a bracket that is not closed", 2,
      "deck.yaml:11:1: error E100: not YAML: did not find expected ',' or '}', while parsing a flow mapping that begins "
      "on line 10",
      solver="{method: cg")
entry(35, "a quotation mark that is not closed", 2,
      "deck.yaml:11:1: error E100: not YAML: found unexpected end of stream, while scanning a quoted scalar that begins "
      "on line 10",
      title='"a plate')

# 36: the solver and the matrix
ADVECTION = {"physics": "advection_diffusion", "discretization": "{stabilization: supg}",
             "materials": "\n  fluid: {group: body, diffusivity: 1.0, velocity: [1.0, 0.0]}",
             "boundary": "\n  - {group: left, type: value, value: 1.0}"}
entry(36, "cg on advection and diffusion", 3,
      "deck.yaml:9:18: error E305: method cg requires a symmetric matrix; that of advection_diffusion is not symmetric; use "
      "bicgstab or auto",
      solver="{method: cg}", **ADVECTION)
entry(36, "bicgstab on advection and diffusion", 0, "", solver="{method: bicgstab}", **ADVECTION)
entry(36, "half of an unsymmetric matrix", 2,
      "deck.yaml:9:19: error E106: the matrix of advection_diffusion is not symmetric and has no symmetric storage; use "
      "storage: auto or full",
      matrix="{storage: symmetric}", **ADVECTION)

# 37, 38: the solver
entry(37, "the iterations end before the tolerance", 5,
      "deck.yaml: error E501: iteration limit: true residual # after # iterations, target 1e-08; the limit of # iterations is "
      "used up; try solver.max_iterations above #, or method: direct (# KiB, on the CPU)",
      solver="{method: cg, max_iterations: 2}")
entry(37, "the same as a warning", 0,
      "deck.yaml: warning W501: iteration limit: true residual # after # iterations, target 1e-08; the limit of # iterations "
      "is used up; try solver.max_iterations above #, or method: direct (# KiB, on the CPU)",
      solver="{method: cg, max_iterations: 2, on_failure: warn}")
SOFT = {"file": plate(elements=LINES + [(3, 4, QUADS[0][2]), QUADS[1], (3, 4, QUADS[2][2]), QUADS[3]],
                      names={**NAMES, (2, 4): "soft"}),
        "materials": "\n  steel: {group: body, E: 2.1e+11, nu: 0.3}\n  foam: {group: soft, E: 1.0e-9, nu: 0.3}"}
entry(37, "a material lost in rounding errors: p.Ap vanishes, CG breaks down", 5,
      "deck.yaml: error E501: indefinite matrix: true residual # after # iterations, target 1e-08; p.Ap = # <= 0: the matrix "
      "is not positive definite, or singular to rounding; possible causes: supports or materials far softer than the rest, "
      "a negative material value, an unsymmetric matrix; try method: direct (# KiB, on the CPU)",
      solver="{method: cg}", **SOFT)
entry(37, "the same, factored: the unknown is named", 5,
      "deck.yaml: error E502: ill-conditioned system, smallest pivot: displacement x of node # at (#, #, #); possible "
      "causes: a part without supports or joined to the rest at a point, thin or distorted elements, material values of "
      "very different size, very soft supports",
      solver="{method: direct}", **SOFT)
OVERFLOW = ("deck.yaml: error E501: not a number: true residual # after # iterations, target 1e-08; a scalar of the iteration is "
            "infinite or not a number; possible causes: an overflow or an invalid number in the matrix or the loads: check "
            "units and formulas")
entry(37, "the norm of the loads overflows", 5, OVERFLOW,
      boundary=FIXED + "\n  - {group: right, type: traction, value: [1.0e+300, 0.0]}")
entry(37, "the stiffness overflows", 5, OVERFLOW,
      materials="\n  steel: {group: body, E: 1.0e+308, nu: 0.3}")
entry(38, "tolerance 0", 2,
      "deck.yaml:10:16: error E105: 'rtol' is 0.0, outside [2.3e-16,1); a tolerance below machine precision cannot be "
      "reached",
      solver="{rtol: 0.0}")
entry(38, "tolerance 1e-20", 2,
      "deck.yaml:10:16: error E105: 'rtol' is 1.0e-20, outside [2.3e-16,1); a tolerance below machine precision cannot "
      "be reached",
      solver="{rtol: 1.0e-20}")
entry(38, "tolerance nan", 2,
      "deck.yaml:10:16: error E103: 'rtol': expected a number, got '.nan'",
      solver="{rtol: .nan}")
entry(38, "tolerance below 0", 2,
      "deck.yaml:10:16: error E105: 'rtol' is -1.0e-8, outside [2.3e-16,1); a tolerance below machine precision cannot "
      "be reached",
      solver="{rtol: -1.0e-8}")

# 39, 40: waves in periodic media
WAVES = dict(physics="heat", discretization=None, materials="\n  m: {group: body, k: 1.0, rho: 1.0}",
             boundary="\n  - {type: bloch, pairs: [[left, right]]}")


def waves(bands="3", lattice="[[2.0, 0.0]]", g="[0.0]", x="[0.5]", analysis="dispersion", **more):
    text = (f"{{type: {analysis}, bands: {bands}, lattice: {lattice}, points: {{g: {g}, x: {x}}}, path: [g, x]}}"
            if analysis == "dispersion" else "{type: static}")
    return {**WAVES, "analysis": text, **more}


def vibrations(analysis, **more):
    return {**WAVES, "boundary": None, "analysis": analysis, **more}


entry(39, "periodic faces do not match", 3, "deck.yaml:7:28: error E210: 1 of the 3 nodes of 'left' have no partner on 'right': the first is node 4 (0, 1, 0), its nearest there is 0.003 away, 2e-06 are allowed; give both sides the same nodes (Gmsh: Periodic Curve, Periodic Surface)", file=plate(nodes=moved(n6=(2, 1.003, 0))), **waves())
FIVE = b"""$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 "left"\n2 2 "right"\n3 3 "body"\n$EndPhysicalNames
$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes
$Elements\n9\n11 2 2 1 1 1 4 8\n12 2 2 1 1 1 8 5\n13 2 2 2 2 2 3 6\n14 2 2 2 2 3 7 6
1 4 2 3 3 1 3 4 8\n2 4 2 3 3 1 2 3 6\n3 4 2 3 3 1 6 8 5\n4 4 2 3 3 3 8 6 7\n5 4 2 3 3 1 3 8 6\n$EndElements
"""  # a cube of five tetrahedra: the diagonals of opposite faces cross
entry(39, "periodic faces divided along other diagonals", 3, "deck.yaml:7:28: error E210: the nodes of 'left' and 'right' match and their elements do not: 2 of the 2 of 'left' have no partner, the first is element 11, a tri3 around (0, 0.666667, 0.333333); divide both sides alike, along the same diagonals (Gmsh: Periodic Curve, Periodic Surface)", file=FIVE, **waves(lattice="[[1.0, 0.0, 0.0]]"))
entry(39, "a lattice of another length", 3, "deck.yaml:7:28: error E211: no translation of the lattice maps 'left' to 'right': they are (2, 0, 0) apart, the nearest translation is (2.5, 0, 0)", **waves(lattice="[[2.5, 0.0]]"))
entry(39, "a direction of the lattice without a pair", 3, "deck.yaml:7:28: error E212: nodes of edges and corners are not closed: node 1 (0, 0, 0) and node 7 (0, 2, 0) are a translation of the lattice apart, and no pair of sides joins them (8 such in all); every side must be paired, and its group hold its edges and corners", **waves(lattice="[[2.0, 0.0], [0.0, 2.0]]", g="[0.0, 0.0]", x="[0.5, 0.0]"))
entry(39, "lattice vectors along each other", 3, "deck.yaml:8:49: error E211: lattice vector 1 is zero or depends linearly on the others", **waves(lattice="[[2.0, 0.0], [1.0, 0.0]]", g="[0.0, 0.0]", x="[0.5, 0.0]"))
entry(39, "bloch in a static analysis", 3, "deck.yaml:7:5: error E306: bloch belongs to analysis dispersion", **waves(analysis="static"))
entry(39, "dispersion without periodic sides", 3, "deck.yaml:8:18: error E306: dispersion needs a boundary of type bloch with the pairs of periodic sides", **waves(boundary="\n  - {group: left, type: insulated}"))
entry(39, "one of two periodic sides held", 3, "deck.yaml:8:5: error E306: 'temperature' prescribes node 1 (0, 0, 0) of a periodic side but not its partner on the opposite side (3 such values in total)",
      **waves(boundary="\n  - {type: bloch, pairs: [[left, right]]}\n  - {group: left, type: temperature, value: 0.0}"))
entry(40, "more bands than unknowns", 2, "deck.yaml:8:37: error E105: bands 500, but the cell has only 6 unknowns", **waves(bands="500"))
entry(40, "no bands", 2, "deck.yaml:8:37: error E105: 'bands' is 0, outside [1,10000]", **waves(bands="0"))
entry(40, "a wave vector that is no number", 2, "deck.yaml:8:86: error E103: 'points': expected a number, got 'nan'", **waves(x="[nan]"))
entry(40, "more modes than free unknowns", 2, "deck.yaml:6:32: error E105: modes 500, but the body has only 9 free unknowns",
      **vibrations("{type: modal, modes: 500}"))
entry(40, "no modes", 2, "deck.yaml:6:32: error E105: 'modes' is 0, outside [1,10000]", **vibrations("{type: modal, modes: 0}"))
entry(40, "no number of modes", 2, "deck.yaml:6:11: error E102: key 'modes' is missing in 'analysis': (modal only, required) number of lowest modes", **vibrations("{type: modal}"))
entry(40, "a load in free vibrations", 3, "deck.yaml:8:5: error E316: load 'heat_source': it has no effect on free vibrations; remove it",
      **vibrations("{type: modal, modes: 2}", loads="\n  - {type: heat_source, value: 1.0}"))
entry(40, "vibrations without density", 3, "deck.yaml:5:6: error E304: free vibrations need the density of material 'm': add rho, kg/m3",
      **vibrations("{type: modal, modes: 2}", materials="\n  m: {group: body, k: 1.0}"))
entry(40, "no density", 3, "deck.yaml:5:6: error E304: free vibrations need the density of material 'm': add rho, kg/m3", **waves(materials="\n  m: {group: body, k: 1.0}"))


def answer_in(folder, *words, limit=None, user=None):
    def before():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if user is not None:
            os.setuid(user)
    return bandfem(*words, cwd=folder, preexec_fn=before)


def line_of(answer):
    """The first line of an error, or else of a warning, or else of a note."""
    said = answer.err.split("\n")
    return next((s for word in ("error ", "warning ", "note ") for s in said if re.match(r"(\S+ )?" + word, s)), "")


def prepared(name, file, deck):
    folder = path_of(name)
    os.makedirs(folder)
    write(name + "/plate.msh", file)
    write(name + "/deck.yaml", deck)
    return folder


def matches(expected, line):
    """The line is the expected one, where # stands for a number that depends on rounding."""
    return re.fullmatch(r"[-+.\w]+".join(map(re.escape, expected.split("#"))), line) is not None


class Catalogue(unittest.TestCase):
    def test_every_number_is_here(self):
        here = {number for number, *_ in ENTRIES} | {44, 45}
        self.assertEqual(sorted(here), NUMBERS)
        self.assertTrue(hasattr(Files, "test_44_a_folder_that_cannot_be_written"))
        self.assertTrue(hasattr(Device, "test_45_cuda_where_there_is_none"))

    def test_the_sound_plate_is_solved_in_every_form(self):
        for form in FORMS:
            folder = prepared("sound_" + form, plate(form), deck_text())
            answer = answer_in(folder, "run", "deck.yaml", "--quiet", "--out", "out")
            self.assertEqual((answer.status, answer.err), (0, ""), form)
            self.assertEqual(sorted(os.listdir(os.path.join(folder, "out"))), FILES)

    def test_every_mistake_has_its_answer(self):
        for i, (number, what, status, line, file, deck) in enumerate(ENTRIES):
            with self.subTest(number=number, what=what):
                folder = prepared(f"{number:02d}_{i}", file, deck)
                answer = answer_in(folder, "run", "deck.yaml", "--quiet", "--backend", "cpu", "--out", "out")
                self.assertTrue(matches(line, line_of(answer)), f"\nexpected {line}\ngot      {answer.err}")
                self.assertEqual(answer.status, status, answer.err)
                self.assertEqual(answer.out, "")
                out = os.path.join(folder, "out")
                found = sorted(os.listdir(out)) if os.path.isdir(out) else []
                self.assertEqual(found, FILES if status in (0, 5) else [])
                if number == 37:
                    self.is_flagged(out)
                else:
                    self.is_told_before_the_solve(folder, status, line, answer)

    def test_22_a_group_that_reaches_beyond_the_body(self):
        beyond = plate(nodes={**NODES, 10: (0.0, 3.0, 0.0)}, elements=LINES + QUADS + [(1, 1, (7, 10))])
        answer = answer_in(prepared("22_beyond", beyond, deck_text()), "run", "deck.yaml", "--out", "out")
        self.assertEqual(answer.status, 0)
        self.assertIn("plate.msh: warning W209: 1 node is not used by any 2D element; ignored\n"
                      "deck.yaml:8:13: warning W329: 1 of the 4 nodes of group 'left' belong to no 2-D element and are ignored\n",
                      answer.err)

    def is_flagged(self, out):
        """No file of a run that did not converge looks like one that did."""
        told = report(out)
        self.assertFalse(told["converged"])
        self.assertRegex(told["status"], "^NOT CONVERGED: ")
        for name in ("case.vtk", "case.hdf"):
            self.assertIn(b"NOT CONVERGED", read(out, name), name)

    def is_told_before_the_solve(self, folder, status, line, answer):
        checked = answer_in(folder, "check", "deck.yaml", "--quiet")
        self.assertEqual((checked.status, checked.err, checked.out), (status, answer.err, ""))
        if line.startswith("plate.msh") and ": error E2" in line:
            self.assertTrue(matches(line, line_of(answer_in(folder, "info", "plate.msh"))), line)


class Files(unittest.TestCase):
    def refused(self, name, line, *words, limit=None, deck=None, **process):
        folder = prepared(name, plate(), deck or deck_text())
        write(name + "/way", "x")
        os.makedirs(os.path.join(folder, "locked"))
        os.chmod(os.path.join(folder, "locked"), 0o555)
        answer = answer_in(folder, "run", "deck.yaml", "--quiet", *words, limit=limit, **process)
        self.assertEqual((line_of(answer), answer.status, answer.out), (line, 7, ""))
        return folder

    def test_44_a_file_where_the_folder_should_be(self):
        self.refused("44_way", "error E601: cannot create folder 'way': a file has this name", "--out", "way")
        self.refused("44_below", "deck.yaml:10:15: error E601: cannot create folder 'way': a file has this name",
                     deck=deck_text(output="{dir: way/out}"))

    def test_44_a_folder_that_cannot_be_made(self):
        self.refused("44_proc", "error E601: cannot create folder '/proc/bandfem': No such file or directory", "--out", "/proc/bandfem")

    def test_44_a_folder_that_cannot_be_written(self):
        user = 65534 if os.geteuid() == 0 else None
        self.refused("44_locked", "error E601: cannot write into folder 'locked': Permission denied", "--out", "locked", user=user)
        self.refused("44_locked2", "error E601: cannot create folder 'locked/out': Permission denied", "--out", "locked/out", user=user)

    def test_44_a_disk_that_is_full(self):
        for limit in (0, 100, 1000):
            folder = self.refused(f"44_full{limit}", "error E601: cannot write 'out/case.vtk': File too large", "--out", "out", limit=limit)
            self.assertEqual(os.listdir(os.path.join(folder, "out")), [])


class Device(unittest.TestCase):
    def test_45_cuda_where_there_is_none(self):
        if has_device():
            self.skipTest("this machine has a CUDA device")
        for name, words, line in (("45_deck", (), "deck.yaml:10:19: error E403: backend 'cuda': "),
                                  ("45_words", ("--backend", "cuda"), "error E403: backend 'cuda': ")):
            folder = prepared(name, plate(), deck_text(device="{backend: cuda}" if name == "45_deck" else "{}"))
            answer = answer_in(folder, "run", "deck.yaml", "--quiet", "--out", "out", *words)
            self.assertEqual((answer.status, answer.out), (4, ""))
            self.assertTrue(line_of(answer).startswith(line), answer.err)
            self.assertFalse(os.path.exists(os.path.join(folder, "out")))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""tests/peers/compare_stress.py - stresses at boundary nodes beside CalculiX on the same coarse meshes

usage: compare_stress.py PROGRAM [--write DIR]     e.g. build/cpu/bandfem; needs ccx (Debian: calculix-ccx)

Thick cylinder (radii 1 and 2, internal pressure 1, nu 0.3, no axial strain): quarter in plane strain and in space, and axisymmetric.
Largest error over all nodes of the bore against Lame's solution.  NAFEMS LE10: sigma_yy at D, target -5.38 MPa.
--write DIR keeps the meshes and decks.  Exit 1 if an error is above max(1.2 x CalculiX's, 1 %).
"""
# SPDX-License-Identifier: BSD-3-Clause
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile

A, B, NU = 1.0, 2.0, 0.3
NAME = {"tri6": ("CPE6", "CAX6"), "quad8": ("CPE8", "CAX8"), "tet10": ("C3D10",), "hex20": ("C3D20",)}
GMSH = {"line3": 8, "tri6": 9, "quad8": 16, "tet10": 11, "hex20": 17}
SIDES = {  # corners of each side in CalculiX's numbering
    "tri6": ((0, 1), (1, 2), (2, 0)), "quad8": ((0, 1), (1, 2), (2, 3), (3, 0)),
    "tet10": ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)),
    "hex20": ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))}
EDGES = {  # of corners: CalculiX's order of mid-side nodes, Gmsh's
    "tri6": (((0, 1), (1, 2), (2, 0)),) * 2, "quad8": (((0, 1), (1, 2), (2, 3), (3, 0)),) * 2,
    "tet10": (((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)), ((0, 1), (1, 2), (2, 0), (0, 3), (2, 3), (1, 3))),
    "hex20": (((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)),
              ((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)))}


class Mesh:
    """Cells of the unit square or cube on a grid of twice the cells, mapped by place(s, t[, z])."""

    def __init__(self, element, cells, place):
        self.element, self.cells, self.dim = element, cells, len(cells)
        self.number, self.grid, self.corners = {}, [], []
        for c in itertools.product(*map(range, cells)):
            for corners in self.split(c):
                self.corners.append(corners)
        for corners in self.corners:
            for k in self.nodes(corners, 0):
                if k not in self.number:
                    self.number[k] = len(self.grid) + 1
                    self.grid.append(k)
        self.x = [tuple(place(*(i / (2 * n) for i, n in zip(k, cells)))) for k in self.grid]

    def split(self, c):
        d, at = self.dim, lambda t: tuple(2 * (i + j) for i, j in zip(c, t))
        if self.element == "quad8":
            return [[at(t) for t in ((0, 0), (1, 0), (1, 1), (0, 1))]]
        if self.element == "hex20":
            return [[at(t + (z,)) for z in (0, 1) for t in ((0, 0), (1, 0), (1, 1), (0, 1))]]
        parts = []
        for p in itertools.permutations(range(d)):
            v = [tuple(0 for _ in range(d))]
            for i in p:
                v.append(tuple(1 if j == i else v[-1][j] for j in range(d)))
            odd = sum(p[i] > p[j] for i in range(d) for j in range(i + 1, d)) % 2
            if odd:
                v[1], v[2] = v[2], v[1]
            parts.append([at(t) for t in v])
        return parts

    def nodes(self, corners, order):
        return list(corners) + [tuple((i + j) // 2 for i, j in zip(corners[a], corners[b])) for a, b in EDGES[self.element][order]]

    def on(self, axis, value):
        return [n for k, n in self.number.items() if k[axis] == value]

    def side(self, axis, value):
        """(element, side, corners) of the sides on a plane of the grid"""
        return [(e + 1, s + 1, [c[i] for i in side]) for e, c in enumerate(self.corners) for s, side in enumerate(SIDES[self.element])
                if all(c[i][axis] == value for i in side)]


def write_msh(mesh, groups, path):
    """groups: name -> (axis, value) of a side, or (axis, value, axis, value) of an edge along the second coordinate"""
    lines, number = [], 0
    for e, corners in enumerate(mesh.corners):
        number += 1
        lines.append(f"{number} {GMSH[mesh.element]} 2 1 1 " + " ".join(str(mesh.number[k]) for k in mesh.nodes(corners, 1)))
    names = [f'{mesh.dim} 1 "body"']
    for g, (name, where) in enumerate(groups.items()):
        edge = len(where) == 4
        names.append(f'{1 if edge else mesh.dim - 1} {g + 2} "{name}"')
        if edge:
            line = sorted((k for k in mesh.number if k[where[0]] == where[1] and k[where[2]] == where[3]), key=lambda k: k[1])
            sides = [[line[i], line[i + 2]] for i in range(0, len(line) - 2, 2)]
        else:
            sides = [c for _, _, c in mesh.side(*where)]
        for c in sides:
            number += 1
            kind = {2: "line3", 3: "tri6", 4: "quad8"}[len(c)]
            middle = [tuple((i + j) // 2 for i, j in zip(c[k], c[(k + 1) % len(c)])) for k in range(len(c) if len(c) > 2 else 1)]
            lines.append(f"{number} {GMSH[kind]} 2 {g + 2} {g + 2} " + " ".join(str(mesh.number[k]) for k in c + middle))
    with open(path, "w", encoding="utf-8") as file:
        file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n%s\n$EndPhysicalNames\n$Nodes\n%d\n" %
                   (len(names), "\n".join(names), len(mesh.x)))
        for i, x in enumerate(mesh.x):
            file.write("%d %.17g %.17g %.17g\n" % (i + 1, x[0], x[1], x[2] if mesh.dim == 3 else 0.0))
        file.write("$EndNodes\n$Elements\n%d\n%s\n$EndElements\n" % (number, "\n".join(lines)))


def ours(program, mesh, case, folder):
    write_msh(mesh, case["groups"], os.path.join(folder, "body.msh"))
    probes = "".join(f"    n{n}: {{at: [{', '.join('%.17g' % c for c in mesh.x[n - 1])}], fields: [stress_nodal]}}\n" for n in case["nodes"])
    space = f"discretization: {{space: {case['space']}}}\n" if case["space"] else ""
    with open(os.path.join(folder, "body.yaml"), "w", encoding="utf-8") as file:
        file.write(f"deck: 1\ntitle: {case['title']}\nmesh: {{file: body.msh}}\nphysics: elasticity\n{space}materials:\n"
                   f"  steel: {{groups: [body], E: {case['E']}, nu: {NU}}}\nboundary:\n{case['boundary']}"
                   f"solver: {{method: cg, rtol: 1.0e-12, max_iterations: 20000}}\noutput:\n  probes:\n{probes}")
    subprocess.run([program, "run", "body.yaml", "--quiet", "--out", "out"], cwd=folder, check=True)
    with open(os.path.join(folder, "out", "report.json"), encoding="utf-8") as file:
        probe = json.load(file)["probes"]
    values = {p["name"]: p["value"] for p in probe} if isinstance(probe, list) else {k: v["stress_nodal"] for k, v in probe.items()}
    return {n: values[f"n{n}"] for n in case["nodes"]}


def theirs(mesh, case, folder):
    lines = ["*NODE,NSET=ALL"] + ["%d,%s" % (i + 1, ",".join("%.12g" % c for c in x)) for i, x in enumerate(mesh.x)]
    lines.append(f"*ELEMENT,TYPE={case['ccx']},ELSET=BODY")
    for e, corners in enumerate(mesh.corners):
        words = [str(e + 1)] + [str(mesh.number[k]) for k in mesh.nodes(corners, 0)]
        lines += [",".join(words[:11]) + ("," if len(words) > 11 else "")] + ([",".join(words[11:])] if len(words) > 11 else [])
    lines += ["*MATERIAL,NAME=STEEL", "*ELASTIC", f"{case['E']},{NU}", "*SOLID SECTION,ELSET=BODY,MATERIAL=STEEL", "*BOUNDARY"]
    lines += [f"{n},{c},{c},0." for c, nodes in case["held"] for n in nodes]
    lines += ["*STEP", "*STATIC,SOLVER=SPOOLES", "*DLOAD"]
    lines += [f"{e},P{s},{case['pressure']}" for e, s, _ in mesh.side(*case["loaded"])]
    lines += ["*EL FILE" + (",OUTPUT=2D" if mesh.dim == 2 else ""), "S", "*END STEP", ""]
    with open(os.path.join(folder, "body.inp"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    subprocess.run(["ccx", "body"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    values, inside = {}, False
    with open(os.path.join(folder, "body.frd"), encoding="utf-8") as file:
        for line in file:
            if line.startswith(" -4"):
                inside = line.split()[1] == "STRESS"
            elif line.startswith(" -3"):
                inside = False
            elif inside and line.startswith(" -1"):
                values[int(line[3:13])] = [float(line[13 + 12 * k:25 + 12 * k]) for k in range(6)]
    return {n: values[n] for n in case["nodes"]}


def von_mises(s):
    return math.sqrt(0.5 * ((s[0] - s[1])**2 + (s[1] - s[2])**2 + (s[2] - s[0])**2) + 3.0 * (s[3]**2 + s[4]**2 + s[5]**2))


def cylinder(element, cells, kind):
    deep = element in ("hex20", "tet10")
    turn = lambda s, t: ((A + (B - A) * s) * math.cos(0.5 * math.pi * t), (A + (B - A) * s) * math.sin(0.5 * math.pi * t))
    place = {"axisymmetric": lambda s, t: (A + (B - A) * s, 0.5 * t), "plane_strain": turn,
             "": lambda s, t, z: turn(s, t) + (0.5 * z,)}[kind]
    mesh = Mesh(element, cells, place)
    groups = {"bore": (0, 0), "low": (1, 0), "high": (1, 2 * cells[1])}
    boundary = "  - {group: bore, type: pressure, value: 1.0}\n  - {groups: [low, high], type: symmetry}\n"
    held = [(2, mesh.on(1, 0)), (2 if kind == "axisymmetric" else 1, mesh.on(1, 2 * cells[1]))]
    if deep:
        groups.update(back=(2, 0), front=(2, 2 * cells[2]))
        boundary += "  - {groups: [back, front], type: symmetry}\n"
        held.append((3, mesh.on(2, 0) + mesh.on(2, 2 * cells[2])))
    case = dict(title="thick cylinder", space=kind, groups=groups, boundary=boundary, held=held, E="1.0e+3", pressure=1.0,
                loaded=(0, 0), nodes=sorted(mesh.on(0, 0)), ccx=NAME[element][1 if kind == "axisymmetric" else 0])

    def errors(values):
        p = A * A / (B * B - A * A)
        hoop, axial = p * (1.0 + B * B / (A * A)), 2.0 * NU * p
        worst, other = 0.0, 0.0
        for n, s in values.items():
            angle = math.atan2(mesh.x[n - 1][1], mesh.x[n - 1][0]) if kind != "axisymmetric" else 0.0
            c, q = math.cos(angle), math.sin(angle)
            got = s[2] if kind == "axisymmetric" else q * q * s[0] + c * c * s[1] - 2.0 * q * c * s[3]
            worst = max(worst, abs(got / hoop - 1.0))
            other = max(other, abs(von_mises(s) / von_mises([-1.0, hoop, axial, 0.0, 0.0, 0.0]) - 1.0))
        return (("hoop", worst), ("von Mises", other))
    return mesh, case, errors


def plate(element, cells):
    """NAFEMS LE10: a quarter of an elliptic plate 0.6 thick, pressure 1 MPa on top"""
    def place(s, t, z):
        a, b = 2.0 + 1.25 * s, 1.0 + 1.75 * s
        return a * math.cos(0.5 * math.pi * t), b * math.sin(0.5 * math.pi * t), 0.6 * z
    mesh = Mesh(element, cells, place)
    groups = {"top": (2, 2 * cells[2]), "low": (1, 0), "high": (1, 2 * cells[1]), "outer": (0, 2 * cells[0]),
              "rim": (0, 2 * cells[0], 2, cells[2])}
    boundary = ("  - {group: top, type: pressure, value: 1.0e+6}\n  - {groups: [low, high], type: symmetry}\n"
                "  - {group: outer, type: displacement, x: 0.0, y: 0.0}\n  - {group: rim, type: displacement, z: 0.0}\n")
    rim = [n for k, n in mesh.number.items() if k[0] == 2 * cells[0] and k[2] == cells[2]]
    held = [(2, mesh.on(1, 0)), (1, mesh.on(1, 2 * cells[1])), (1, mesh.on(0, 2 * cells[0])), (2, mesh.on(0, 2 * cells[0])), (3, rim)]
    at_d = mesh.number[(0, 0, 2 * cells[2])]
    case = dict(title="NAFEMS LE10", space="", groups=groups, boundary=boundary, held=held, E="2.1e+11", pressure=1.0e6,
                loaded=(2, 2 * cells[2]), nodes=[at_d], ccx=NAME[element][0])
    return mesh, case, lambda values: (("sigma_yy at D", abs(values[at_d][1] / -5.38e6 - 1.0)),)


CASES = [("cylinder, plane strain", cylinder, e, n, "plane_strain") for e in ("quad8", "tri6") for n in ((2, 3), (2, 4), (3, 4), (4, 6))]
CASES += [("cylinder, axisymmetric", cylinder, e, n, "axisymmetric") for e in ("quad8", "tri6") for n in ((2, 1), (2, 2), (4, 2))]
CASES += [("cylinder, solid", cylinder, e, n, "") for e in ("hex20", "tet10") for n in ((2, 3, 1), (2, 4, 2), (3, 4, 2))]
CASES += [("LE10", plate, e, n, None) for e in ("hex20", "tet10") for n in ((4, 4, 2), (6, 4, 2), (8, 8, 4))]


def main():
    program, keep, wrong = os.path.abspath(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else None, 0
    print("| case | elements | cells | | bandfem | CalculiX |\n|---|---|---|---|---|---|")
    for title, make, element, cells, kind in CASES:
        mesh, case, errors = make(element, cells) if kind is None else make(element, cells, kind)
        with tempfile.TemporaryDirectory() as scratch:
            name = "_".join([title.replace(", ", "_").replace(" ", "_"), element, *map(str, cells)])
            folder = os.path.join(keep, name) if keep else scratch
            os.makedirs(folder, exist_ok=True)
            a, b = errors(ours(program, mesh, case, folder)), errors(theirs(mesh, case, folder))
        for (what, mine), (_, other) in zip(a, b):
            bad = mine > max(1.2 * other, 0.01)
            wrong += bad
            print("| %s | %s | %s | %s | %.2f %%%s | %.2f %% |" %
                  (title, element, " x ".join(map(str, cells)), what, 100.0 * mine, " (above)" if bad else "", 100.0 * other))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

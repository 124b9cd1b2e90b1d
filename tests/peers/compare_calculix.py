#!/usr/bin/env python3
"""tests/peers/compare_calculix.py - the bending decks beside CalculiX: hex8 and C3D8, incompatible modes and C3D8I

usage: compare_calculix.py PROGRAM     e.g. build/cpu/bandfem; needs ccx (Debian: calculix-ccx)

Same nodes, elements, clamp; the tip traction as nodal forces of the one face there.  Mean deflection of the tip face.
Exit 1 if two programs differ by more than 1e-6, what ccx prints.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CELLS, LENGTH, HEIGHT, TIP = 20, 1.0, 0.05, -100.0
BEAM = -3.0535619e-4  # Timoshenko, P L^3/(3 E I) + P L/(5/6 G A)


def ours(program, deck, folder):
    words = [program, "run", os.path.join(HERE, "../../inputs/decks", deck), "--quiet", "--out", folder]
    subprocess.run(words, check=True)
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        return next(c["got"] for c in json.load(file)["checks"] if c["quantity"] == "probe.tip.displacement.z")


def theirs(element, folder):
    node = {}
    lines = ["*NODE"]
    for i in range(CELLS + 1):
        for j in (0, 1):
            for k in (0, 1):
                node[i, j, k] = len(node) + 1
                lines.append(f"{node[i, j, k]},{i * LENGTH / CELLS:.17g},{j * HEIGHT:.17g},{k * HEIGHT:.17g}")
    lines.append(f"*ELEMENT,TYPE={element},ELSET=BEAM")
    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    for i in range(CELLS):
        corners = [node[i + a, b, k] for k in (0, 1) for a, b in square]
        lines.append(",".join(map(str, [i + 1] + corners)))
    face = {name: ",".join(str(node[i, j, k]) for j in (0, 1) for k in (0, 1))
            for name, i in (("CLAMP", 0), ("TIP", CELLS))}
    for name, nodes in face.items():
        lines += [f"*NSET,NSET={name}", nodes]
    lines += ["*MATERIAL,NAME=STEEL", "*ELASTIC", "2.1E11,0.3", "*SOLID SECTION,ELSET=BEAM,MATERIAL=STEEL",
              "*BOUNDARY", "CLAMP,1,3,0.", "*STEP", "*STATIC", "*CLOAD", f"TIP,3,{TIP / 4}",
              "*NODE PRINT,NSET=TIP", "U", "*END STEP", ""]
    with open(os.path.join(folder, "beam.inp"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    subprocess.run(["ccx", "beam"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "beam.dat"), encoding="utf-8") as file:
        rows = [line.split() for line in file if len(line.split()) == 4]
    return sum(float(row[3]) for row in rows) / len(rows)


def main():
    program, worst = os.path.abspath(sys.argv[1]), 0.0
    print("| elements | bandfem | CalculiX | of Timoshenko's beam |\n|---|---|---|---|")
    for deck, element in (("bending_locking.yaml", "C3D8"), ("bending_incompatible.yaml", "C3D8I")):
        with tempfile.TemporaryDirectory() as folder:
            a, b = ours(program, deck, folder), theirs(element, folder)
        print(f"| {deck[:-5]}, {element} | {a:.6e} | {b:.6e} | {a / BEAM:.4f} |")
        worst = max(worst, abs(a / b - 1.0))
    return 1 if worst > 1e-6 else 0


if __name__ == "__main__":
    sys.exit(main())

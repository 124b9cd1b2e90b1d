"""inputs/meshes/curved.py - a bent and wavy strip of quadrilaterals, whose nodes and elements have random numbers, as Gmsh 2.2

usage: curved.py [NX NY] > curved_quad4.msh     groups: strip (2D), x_min, x_max (1D); 48 12 cells without arguments
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import random
import sys

nx, ny = (int(n) for n in sys.argv[1:3]) if len(sys.argv) > 2 else (48, 12)
random.seed(1)


def place(i, j):
    angle, depth = math.pi * (1.0 - i / nx), j / ny
    radius = 1.0 + 0.5 * depth + 0.08 * math.sin(5.0 * angle) * (1.0 - 0.5 * depth)
    return radius * math.cos(angle), radius * math.sin(angle)


nodes = [(i, j) for j in range(ny + 1) for i in range(nx + 1)]
random.shuffle(nodes)
tag = {node: k + 1 for k, node in enumerate(nodes)}
cells = [(3, 1, [tag[i, j], tag[i + 1, j], tag[i + 1, j + 1], tag[i, j + 1]]) for j in range(ny) for i in range(nx)]
cells += [(1, 2 + side, [tag[side * nx, j], tag[side * nx, j + 1]]) for side in (0, 1) for j in range(ny)]
random.shuffle(cells)
print("$MeshFormat\n2.2 0 8\n$EndMeshFormat")
print('$PhysicalNames\n3\n2 1 "strip"\n1 2 "x_min"\n1 3 "x_max"\n$EndPhysicalNames')
print(f"$Nodes\n{len(nodes)}")
for k, node in enumerate(nodes):
    print(k + 1, *(f"{x:.12g}" for x in place(*node)), 0)
print(f"$EndNodes\n$Elements\n{len(cells)}")
for k, (kind, group, corners) in enumerate(cells):
    print(k + 1, kind, 2, group, group, *corners)
print("$EndElements")

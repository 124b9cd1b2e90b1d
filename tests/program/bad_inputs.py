"""tests/program/bad_inputs.py - decks and small meshes for tests that break them: a plate in every form of .msh

The plate is the square [0,2]x[0,2] of four quad4: nodes 1 .. 9 row by row, elements 1, 2 (lines of 'left'), 3, 4
(lines of 'right'), 5 .. 8 (quadrilaterals of 'body').  A form is "22a", "22b", "41a" or "41b": version, ascii or binary.
"""
# SPDX-License-Identifier: BSD-3-Clause
import struct

FORMS = ("22a", "22b", "41a", "41b")
NODES = {1 + i + 3 * j: (float(i), float(j), 0.0) for j in range(3) for i in range(3)}
LINES = [(1, 1, (1, 4)), (1, 1, (4, 7)), (1, 2, (3, 6)), (1, 2, (6, 9))]
QUADS = [(3, 3, (1, 2, 5, 4)), (3, 3, (2, 3, 6, 5)), (3, 3, (4, 5, 8, 7)), (3, 3, (5, 6, 9, 8))]
NAMES = {(1, 1): "left", (1, 2): "right", (2, 3): "body"}
DIMENSION = {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 3, 8: 1, 9: 2, 10: 2, 15: 0, 16: 2, 29: 3, 92: 3}

PLATE = {"mesh": "{file: plate.msh}", "physics": "elasticity", "discretization": "{space: plane_stress}",
         "materials": "\n  steel: {group: body, E: 2.1e+11, nu: 0.3}",
         "boundary": "\n  - {group: left, type: fixed}\n  - {group: right, type: traction, value: [1.0e+6, 0.0]}"}
HEAT = {"physics": "heat", "discretization": None, "materials": "\n  steel: {group: body, k: 50.0}",
        "boundary": "\n  - {group: left, type: temperature, value: 20.0}\n  - {group: right, type: flux, value: 3.0}"}
BOX = "{generate: {box: {size: [1.0, 0.2, 0.2], cells: [6, 2, 2], element: hex8}}}"
BAR = {"mesh": BOX, "discretization": None, "materials": "\n  steel: {group: volume, E: 2.1e+11, nu: 0.3}",
       "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1.0e+6]}"}


def deck_text(base=None, **sections):
    """The plate's deck or `base`, sections replaced, added, or left out (None)."""
    whole = {**(base or PLATE), **sections}
    return "deck: 1\n" + "".join(f"{k}: {v}\n" for k, v in whole.items() if v is not None)


def plate(form="22a", nodes=None, elements=None, names=None):
    """The plate's file as bytes; nodes {tag: (x, y, z)}, elements [(gmsh type, physical tag, nodes)] instead of its own."""
    nodes = NODES if nodes is None else nodes
    elements = LINES + QUADS if elements is None else elements
    names = NAMES if names is None else names
    binary = form[2] == "b"
    head = f"$MeshFormat\n{form[0]}.{form[1]} {int(binary)} 8\n".encode()
    head += (struct.pack("<i", 1) + b"\n" if binary else b"") + b"$EndMeshFormat\n"
    head += f"$PhysicalNames\n{len(names)}\n".encode()
    head += "".join(f'{d} {t} "{n}"\n' for (d, t), n in names.items()).encode() + b"$EndPhysicalNames\n"
    return head + (_body22 if form[0] == "2" else _body41)(nodes, elements, binary)


def _body22(nodes, elements, binary):
    if binary:
        body = f"$Nodes\n{len(nodes)}\n".encode()
        body += b"".join(struct.pack("<i3d", t, *x) for t, x in nodes.items()) + b"\n$EndNodes\n"
        body += f"$Elements\n{len(elements)}\n".encode()
        for i, (kind, physical, of) in enumerate(elements):
            body += struct.pack(f"<6i{len(of)}i", kind, 1, 2, i + 1, physical, physical, *of)
        return body + b"\n$EndElements\n"
    lines = ["$Nodes", str(len(nodes))] + [f"{t} {x:g} {y:g} {z:g}" for t, (x, y, z) in nodes.items()] + ["$EndNodes"]
    lines += ["$Elements", str(len(elements))]
    lines += [f"{i + 1} {k} 2 {p} {p} " + " ".join(map(str, of)) for i, (k, p, of) in enumerate(elements)]
    return "\n".join(lines + ["$EndElements", ""]).encode()


def _body41(nodes, elements, binary):
    """One entity for a physical group, with its tag; all nodes in the block of the last one."""
    def pack(form, *values):
        if binary:
            return struct.pack("<" + form, *values)
        return (" ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values) + "\n").encode()
    groups = sorted({(DIMENSION[k], p) for k, p, _ in elements})
    body = b"$Entities\n" + pack("4Q", *(sum(d == k for d, _ in groups) for k in range(4)))
    for d, p in groups:
        if d == 0:
            body += pack("i3dQi", p, 0.0, 0.0, 0.0, 1, p)
        else:
            body += pack("i6dQiQ", p, 0.0, 0.0, 0.0, 2.0, 2.0, 0.0, 1, p, 0)
    end = b"\n" if binary else b""
    tags = list(nodes)
    body += end + b"$EndEntities\n$Nodes\n" + pack("4Q", 1, len(nodes), min(tags), max(tags))
    body += pack("3iQ", *groups[-1], 0, len(nodes))
    body += b"".join(pack("Q", t) for t in tags) + b"".join(pack("3d", *map(float, x)) for x in nodes.values())
    blocks = []
    for i, (kind, physical, of) in enumerate(elements):
        if not blocks or blocks[-1][0] != (kind, physical):
            blocks.append(((kind, physical), []))
        blocks[-1][1].append((i + 1, *of))
    body += end + b"$EndNodes\n$Elements\n" + pack("4Q", len(blocks), len(elements), 1, len(elements))
    for (kind, physical), rows in blocks:
        body += pack("3iQ", DIMENSION[kind], physical, kind, len(rows))
        body += b"".join(pack(f"{len(r)}Q", *r) for r in rows)
    return body + end + b"$EndElements\n"

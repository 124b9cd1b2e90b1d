"""tests/peers/bloch_cubes.py - bands of a simple cubic crystal of cubes at its points of symmetry, by another program

usage: bloch_cubes.py [NODES LAYER CUBE [POINT ...]]      NODES 20 or 27 an element; elements across the epoxy on either
                                                          side and across the cube

The reference of inputs/decks/phononic_cubes.yaml (20 1 2): matrices by numpy, periodic numbering, SciPy's sparse factors;
nothing of bandfem.
At Gamma, X, M and R the phases are 1 and -1, so all is real.
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import eigsh

A, SIDE = 0.02, 0.75  # the cell, m; side of the cube over that of the cell
EPOXY, STEEL = (4.35e9, 0.3679, 1180.0), (2.1e11, 0.3, 7780.0)  # E, nu, rho
POINTS = {"gamma": (0, 0, 0), "x": (1, 0, 0), "m": (1, 1, 0), "r": (1, 1, 1)}  # half turns a lattice vector


GAUSS, WEIGHT = np.array([-1, 0, 1]) * np.sqrt(0.6), np.array([5, 8, 5]) / 9
PLACES = np.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)])


def shapes(nodes):
    """Places of the nodes in [-1, 1]^3; functions [q][a] and derivatives [axis][q][a] at 27 Gauss points."""
    at = PLACES if nodes == 27 else PLACES[np.sum(PLACES == 0, 1) <= 1]
    xi = np.array([(x, y, z) for x in GAUSS for y in GAUSS for z in GAUSS])

    def value(t, a):
        if nodes == 27:  # products of parabolas
            return np.prod(np.where(a == 0, 1 - t * t, t * (t + a) / 2), -1)
        linear = np.where(a == 0, 1 - t * t, 1 + t * a)
        corner = np.all(a != 0, -1)
        return np.prod(linear, -1) * np.where(corner, (np.sum(t * a, -1) - 2) / 8, 0.25)

    n = value(xi[:, None, :], at[None, :, :])
    step = np.eye(3)  # parabolas along an axis: central differences are exact
    d = [(value((xi + e)[:, None, :], at[None]) - value((xi - e)[:, None, :], at[None])) / 2 for e in step]
    return at, n, d


def element(h, material, nodes):
    young, nu, rho = material
    lam, mu = young * nu / (1 + nu) / (1 - 2 * nu), young / 2 / (1 + nu)
    at, n, d = shapes(nodes)
    w = np.einsum("i,j,k->ijk", WEIGHT, WEIGHT, WEIGHT).ravel() * np.prod(h) / 8
    grad = [d[i] * 2 / h[i] for i in range(3)]
    k, m = np.zeros((nodes, 3, nodes, 3)), np.zeros((nodes, 3, nodes, 3))
    dot = sum(np.einsum("q,qa,qb->ab", w, g, g) for g in grad)
    mass = rho * np.einsum("q,qa,qb->ab", w, n, n)
    for i in range(3):
        k[:, i, :, i] += mu * dot
        m[:, i, :, i] += mass
        for j in range(3):
            k[:, i, :, j] += lam * np.einsum("q,qa,qb->ab", w, grad[i], grad[j])
            k[:, i, :, j] += mu * np.einsum("q,qa,qb->ab", w, grad[j], grad[i])
    return at, k.reshape(3 * nodes, 3 * nodes), m.reshape(3 * nodes, 3 * nodes)


def breaks(layer, cube):
    """Ends of the elements along an axis."""
    edge = (1 - SIDE) / 2
    return A * np.concatenate([np.linspace(0, edge, layer + 1)[:-1], np.linspace(edge, 1 - edge, cube + 1)[:-1],
                               np.linspace(1 - edge, 1, layer + 1)])


def matrices(x, turn, nodes):
    """Periodic matrices: a node of a far side is its partner times -1 where the point has a half turn."""
    e = len(x) - 1
    n = 2 * e  # periodic nodes a side
    rows, cols, kv, mv, cache = [], [], [], [], {}
    lo, hi = (1 - SIDE) / 2 * A, (1 + SIDE) / 2 * A
    for ijk in np.ndindex(e, e, e):
        h = tuple(round(x[c + 1] - x[c], 15) for c in ijk)
        inside = all(lo < (x[c] + x[c + 1]) / 2 < hi for c in ijk)
        if (h, inside) not in cache:
            cache[h, inside] = element(h, STEEL if inside else EPOXY, nodes)
        at, k, m = cache[h, inside]
        local = 2 * np.array(ijk) + 1 + at
        sign = np.prod(np.where((local == n) & np.array(turn, bool), -1.0, 1.0), 1)
        dof = (3 * ((local % n) @ [n * n, n, 1])[:, None] + np.arange(3)).ravel()
        s = np.repeat(sign, 3)
        rows.append(np.repeat(dof, 3 * nodes)), cols.append(np.tile(dof, 3 * nodes))
        kv.append((k * np.outer(s, s)).ravel()), mv.append((m * np.outer(s, s)).ravel())
    used, where = np.unique(np.concatenate(rows + cols), return_inverse=True)
    rows, cols = np.split(where, 2)
    return [coo_matrix((np.concatenate(v), (rows, cols)), 2 * [len(used)]).tocsc() for v in (kv, mv)]


def main():
    nodes, layer, cube = (int(w) for w in sys.argv[1:4]) if len(sys.argv) > 3 else (20, 1, 2)
    for name in sys.argv[4:] or POINTS:
        k, m = matrices(breaks(layer, cube), POINTS[name], nodes)
        w = eigsh(k, 12, m, sigma=-1e8, tol=1e-10, return_eigenvectors=False)
        print(name, k.shape[0], " ".join(f"{f:.1f}" for f in np.sqrt(np.maximum(np.sort(w), 0)) / 2 / np.pi), flush=True)


if __name__ == "__main__":
    main()

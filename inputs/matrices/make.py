"""inputs/matrices/make.py - writes the example matrices beside it; run once, its files are kept

plate.mtx     heat in a square plate, five-point differences on 24 x 24 inner nodes, numbered at random
plate_b.mtx   a right-hand side for it: heat in one corner
wind.mtx      the same plate with a wind along x (upwind differences): not symmetric
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
N = 24


def write(name, lines):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def neighbours(i, j):
    return [(p, q) for p, q in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)) if 0 <= p < N and 0 <= q < N]


def main():
    place = list(range(N * N))
    random.Random(2026).shuffle(place)
    nodes = [(i, j, place[i * N + j]) for i in range(N) for j in range(N)]
    plate, wind = [], []
    for i, j, r in nodes:
        plate.append((r, r, "4"))
        wind.append((r, r, "4.5"))
        for p, q in neighbours(i, j):
            c = place[p * N + q]
            if c < r:
                plate.append((r, c, "-1"))
            wind.append((r, c, "-1.5" if p < i else "-1"))
    for name, kind, what, entries in (
            ("plate.mtx", "symmetric", "heat in a plate, 24 x 24 nodes numbered at random", plate),
            ("wind.mtx", "general", "the plate with a wind, upwind differences", wind)):
        write(name, [f"%%MatrixMarket matrix coordinate real {kind}", f"% {what} (inputs/matrices/make.py)",
                     f"{N * N} {N * N} {len(entries)}"] + [f"{r + 1} {c + 1} {v}" for r, c, v in sorted(entries)])
    heat = [0] * (N * N)
    for i, j, r in nodes:
        heat[r] = 1 if i < N // 4 and j < N // 4 else 0
    write("plate_b.mtx", ["%%MatrixMarket matrix array integer general", "% heat in a corner of the plate",
                          f"{N * N} 1"] + [str(v) for v in heat])


main()

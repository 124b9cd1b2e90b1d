#!/usr/bin/env python3
"""outputs/plot_performance.py - one plot per capability of docs/performance.md: ratio to the fastest library

usage: plot_performance.py [ROOT]

Reads the rows of bandfem bench in docs/performance/ as performance_tables.py does and writes
docs/performance/plots/ratio-NAME.png: bars for sparse kernels, lines over the order for batched dense kernels.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import ScalarFormatter  # noqa: E402

import performance_tables as tables  # noqa: E402

DEVICE = "one NVIDIA H200"
BATCHED = {
    "lu": ("Batched LU with pivoting", tables.LU, "lu", "getrf", tables.FULL),
    "inverse": ("Batched inverse", tables.INVERSE, "inverse", "inverse", tables.FULL),
    "cholesky": ("Batched Cholesky", tables.CHOLESKY, "cholesky", "potrf", tables.FULL),
    "eigen": ("Batched Hermitian eigen-decomposition", tables.EIGEN, "eigen", "heev",
              [s for s in tables.EVD if s not in ((32, 1000), (64, 200), (128, 200))]),
}
SPARSE = {"spmv": ("Sparse matrix-vector product, fp64", tables.spmv),
          "krylov": ("Time per iteration, fp64", tables.krylov),
          "transpose": ("CSR transpose and COO to CSR, fp64", tables.transpose)}
NAMES = {"s": "fp32", "d": "fp64", "c": "complex fp32", "z": "complex fp64"}


def date(file):
    return file[-10:]


def finish(figure, path):
    figure.tight_layout()
    figure.savefig(path, dpi=90)
    plt.close(figure)
    print(path)


def bars(folder, name, path):
    title, made = SPARSE[name]
    rows = [[c.strip() for c in line.split("|")[1:-1]] for line in made(folder).split("\n")[2:] if line]
    figure, axis = plt.subplots(figsize=(10, 0.42 * len(rows) + 1.3))
    labels = [f"{r[0]}  ({r[1].replace(' fp64', '')})" for r in rows]
    ratios = [float(r[5]) for r in rows]
    axis.barh(labels, ratios, color=["C0" if x >= 1 else "C3" for x in ratios])
    for i, (value, row) in enumerate(zip(ratios, rows)):
        axis.text(value + 0.03, i, f"{value:.2f}   {row[2]} µs", va="center", fontsize=9)
    axis.axvline(1.0, color="0.3", linewidth=1)
    axis.invert_yaxis()
    axis.set_xlim(0, 1.25 * max(ratios))
    axis.set_xlabel("time of the fastest library / time of bandfem")
    axis.set_title(f"{title}, {DEVICE}, {date(tables.SPARSE)}", fontsize=11)
    finish(figure, path)


def lines(folder, name, path):
    title, file, table, kernel, sizes = BATCHED[name]
    found = tables.bench(folder, file, table)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.9))
    orders = [n for n, _ in sizes]
    for letter in tables.TYPES:
        cases = [found[f"{letter}{n}x{count}"] for n, count in sizes]
        libraries = [tables.seconds(tables.best(c, tables.is_library)[1]) for c in cases]
        left.plot(orders, [a / tables.seconds(c[kernel]) for a, c in zip(libraries, cases)],
                  marker="o", markersize=3, label=NAMES[letter])
        right.plot(orders, [float(c[kernel]["gflop_per_s"]) * 1e-3 for c in cases], marker="o", markersize=3)
    left.axhline(1.0, color="0.3", linewidth=1)
    left.set_ylabel("time of the fastest library / bandfem")
    left.set_ylim(bottom=0)
    right.set_ylabel("TFLOP/s of bandfem")
    right.set_yscale("log")
    for axis in (left, right):
        axis.set_xscale("log", base=2)
        axis.xaxis.set_major_formatter(ScalarFormatter())
        axis.set_xlabel("order n")
        axis.grid(True, which="major", linewidth=0.3)
    left.legend(frameon=False, fontsize=9)
    counts = sorted({count for _, count in sizes}, reverse=True)
    figure.suptitle(f"{title}, {DEVICE}, {date(file)}, batch {' / '.join(map(str, counts))}", fontsize=11)
    finish(figure, path)


def main():
    if len(sys.argv) > 2:
        sys.exit("usage: plot_performance.py [ROOT]")
    root = sys.argv[1] if len(sys.argv) == 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    folder = os.path.join(root, "docs", "performance")
    os.makedirs(os.path.join(folder, "plots"), exist_ok=True)
    for name in SPARSE:
        bars(folder, name, os.path.join(folder, "plots", f"ratio-{name}.png"))
    for name in BATCHED:
        lines(folder, name, os.path.join(folder, "plots", f"ratio-{name}.png"))


if __name__ == "__main__":
    main()

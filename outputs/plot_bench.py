#!/usr/bin/env python3
"""outputs/plot_bench.py - pictures of a table of bandfem bench, of residuals, or of a study of convergence

usage: plot_bench.py BENCH.csv|residuals.csv|convergence.csv|sweep.csv FOLDER

One picture for each of the tables lu, inverse, cholesky, eigen, pencil that the file has: GFlop/s over the order for
s, d, c, z (upper row), how many times faster than each peer the first of our kernels is, and the largest residual in eps
(lower row).  Of every order the largest batch up to 10000 is shown.  Of a table published the kernels with all ideas are
shown too: LU, and the sum of LU and inverse.  roofline.png: GFlop/s of our kernels over flops a byte, a matrix read and
written once, under what memory and arithmetic of the chip allow.  Of the table syinv: syinv-bordering.png and syinv-definite.png
(plot_syinv.py).  Sparse tables: plot_sparse.py.  residuals.csv: residuals.png
(plot_residuals.py).  convergence.csv: convergence.png (plot_convergence.py).  sweep.csv: sweep.png (plot_residuals.py).
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import re
import sys
from math import nan

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import ScalarFormatter  # noqa: E402

import plot_convergence  # noqa: E402
import plot_residuals  # noqa: E402
import plot_roofline  # noqa: E402
import plot_sparse  # noqa: E402
import plot_syinv  # noqa: E402

TABLES = {"lu": "LU", "inverse": "LU and inverse", "cholesky": "Cholesky", "eigen": "eigenvectors", "pencil": "pencils"}
TYPES = {"s": "float", "d": "double", "c": "complex float", "z": "complex double"}
OURS = {"lu": "getrf", "inverse": "inverse", "cholesky": "potrf", "eigen": "heev", "pencil": "hegv"}
LEFT_OUT = ("cuBLAS getriBatched", "heev, half of the matrices alone", "heev, every other one diagonal")  # a part
PEAK = {"s": 63.9e3, "d": 66.3e3, "c": 63.9e3, "z": 66.3e3}  # GFlop/s one H200 sustains: FFMA, m16n8k16 DMMA
MOST = 10000


def read(path):
    """{table: {type: {kernel: {order: (count, seconds, gflops, bytes, error)}}}}"""
    seen = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            case = re.fullmatch(r"([sdcz])(\d+)x(\d+)", row["case"] or "")
            if not case or row["table"] not in TABLES or row["kernel"] in LEFT_OUT:
                continue
            n, count = int(case[2]), int(case[3])
            kernels = seen.setdefault(row["table"], {}).setdefault(case[1], {})
            orders = kernels.setdefault(row["kernel"], {})
            if count <= MOST and count > orders.get(n, (0,))[0]:
                orders[n] = (count, *(float(row[k]) for k in ("seconds", "gflop_per_s", "bytes", "error")))
    return seen


def copy_rate(path):
    """GB/s of a copy in the file's run: of the row that says it with most digits"""
    with open(path, encoding="utf-8") as file:
        best = max(csv.DictReader(file), key=lambda row: float(row["share_of_copy"]))
    return float(best["gb_per_s"]) / max(float(best["share_of_copy"]), 1e-4)


def published(path):
    """{type: {n: (count, seconds of LU, of the inverse)}}"""
    seen = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            part = {"published LU": 1, "published inverse": 2}.get(row["kernel"] or "")
            if row["table"] == "published" and part:
                case = re.fullmatch(r"([sdcz])(\d+)x(\d+)", row["case"])
                entry = seen.setdefault(case[1], {}).setdefault(int(case[2]), [int(case[3]), None, None])
                entry[part] = float(row["seconds"])
    return seen


def add_published(seen, path):
    for letter, orders in published(path).items():
        flops = {n: (4 if letter in "cz" else 1) * count * n ** 3 * 1e-9 for n, (count, _, _) in orders.items()}
        for table, name in (("lu", "published LU"), ("inverse", "published LU + inverse")):
            if table not in seen:
                continue
            kernel = seen[table].setdefault(letter, {}).setdefault(name, {})
            for n, (count, lu, inverse) in orders.items():
                if lu and table == "lu":
                    kernel[n] = (count, lu, 2 / 3 * flops[n] / lu, nan, nan)
                if lu and inverse and table == "inverse":
                    kernel[n] = (count, lu + inverse, 2 * flops[n] / (lu + inverse), nan, nan)


def comparable(ours, theirs):
    """orders that both have with the same batch"""
    return sorted(n for n in ours if n in theirs and ours[n][0] == theirs[n][0])


def picture(table, types, path, source):
    figure, axes = plt.subplots(3, len(TYPES), figsize=(16, 10.5), sharex=True, squeeze=False)
    colours = {}
    for column, (letter, name) in enumerate(TYPES.items()):
        upper, lower, errors = axes[0][column], axes[1][column], axes[2][column]
        kernels = types.get(letter, {})
        ours = kernels.get(OURS[table], {})
        for kernel, orders in kernels.items():
            colour = colours.setdefault(kernel, f"C{len(colours)}")
            n = sorted(orders)
            style = {"color": colour, "linewidth": 2.2 if kernel == OURS[table] else 1.2, "marker": "o", "markersize": 3}
            upper.plot(n, [orders[k][2] for k in n], label=kernel, **style)
            measured = [k for k in n if orders[k][4] > 0]
            errors.plot(measured, [orders[k][4] for k in measured], **style)
            both = comparable(ours, orders)
            if kernel != OURS[table] and both:
                lower.plot(both, [orders[k][1] / ours[k][1] for k in both], label=f"over {kernel}", **style)
        upper.set_title(f"{TABLES[table]}, {name}")
        upper.set_yscale("log")
        lower.axhline(1.0, color="0.5", linewidth=0.8)
        lower.set_yscale("log", base=2)
        lower.yaxis.set_major_formatter(ScalarFormatter())
        errors.set_yscale("log")
        errors.set_xlabel("order n")
        for axis in (upper, lower, errors):
            axis.grid(True, which="both", linewidth=0.3)
            axis.set_xscale("log", base=2)
            axis.xaxis.set_major_formatter(ScalarFormatter())
    axes[0][0].set_ylabel("GFlop/s")
    axes[1][0].set_ylabel(f"time / time of {OURS[table]}")
    axes[2][0].set_ylabel("largest residual in eps")
    handles = {label: line for axis in axes[0] for line, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=max(1, len(handles)), frameon=False)
    figure.suptitle(f"{source}: of every order the largest batch up to {MOST}")
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(path, dpi=80)
    plt.close(figure)


def roofline(seen, copy, path):
    figure, axes = plt.subplots(1, len(TYPES), figsize=(16, 4.8), sharey=True, squeeze=False)
    for axis, (letter, name) in zip(axes[0], TYPES.items()):
        ridge = PEAK[letter] / copy
        axis.plot([0.1, ridge, 1e4], [0.1 * copy, PEAK[letter], PEAK[letter]], color="0.3", linewidth=1.5)
        for colour, (table, types) in enumerate(seen.items()):
            orders = types.get(letter, {}).get(OURS[table], {})
            n = sorted(k for k in orders if orders[k][3] > 0)
            flops = [orders[k][1] * orders[k][2] * 1e9 / orders[k][3] for k in n]
            axis.plot(flops, [orders[k][2] for k in n], color=f"C{colour}", marker="o", markersize=3,
                      label=f"{OURS[table]}")
            for k, x in zip(n, flops):
                if k in (8, 64, 512) or k == n[-1]:
                    axis.annotate(str(k), (x, orders[k][2]), textcoords="offset points", xytext=(4, -8), fontsize=7)
        axis.set_title(name)
        axis.set_xlabel("flops a byte")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.grid(True, which="both", linewidth=0.3)
    axes[0][0].set_ylabel("GFlop/s")
    handles = {label: line for axis in axes[0] for line, label in zip(*axis.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=max(1, len(handles)), frameon=False)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot_bench.py BENCH.csv|residuals.csv|convergence.csv|sweep.csv FOLDER")
    if not os.path.isfile(sys.argv[1]):
        sys.exit(f"plot_bench.py: there is no file '{sys.argv[1]}'")
    for is_table, draw, none in (
        (plot_residuals.is_table, plot_residuals.picture, "no iteration"),
        (plot_convergence.is_table, plot_convergence.picture, "no quantity with two errors above 0"),
        (plot_residuals.is_sweep, plot_residuals.sweep_picture, "no result"),
        (plot_roofline.is_table, plot_roofline.picture, "no phase with counted bytes"),
    ):
        if is_table(sys.argv[1]):
            os.makedirs(sys.argv[2], exist_ok=True)
            print(draw(sys.argv[1], sys.argv[2]) or sys.exit(f"{sys.argv[1]}: {none}"))
            return
    with open(sys.argv[1], encoding="utf-8") as file:
        if not {"table", "case", "kernel", "seconds"} <= set(next(csv.reader(file), [])):
            sys.exit(f"plot_bench.py: '{sys.argv[1]}' is no table of bandfem bench, residuals.csv, convergence.csv or sweep.csv")
    seen = read(sys.argv[1])
    if not seen and not plot_syinv.read(sys.argv[1]) and not plot_sparse.read(sys.argv[1]):
        sys.exit(f"{sys.argv[1]}: no row of {', '.join([*TABLES, 'syinv', *plot_sparse.TABLES, 'paper'])}")
    add_published(seen, sys.argv[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    for path in plot_syinv.pictures(sys.argv[1], sys.argv[2]) + plot_sparse.pictures(sys.argv[1], sys.argv[2]):
        print(path)
    if not seen:
        return
    for table, types in seen.items():
        path = os.path.join(sys.argv[2], f"{table}.png")
        picture(table, types, path, os.path.basename(sys.argv[1]))
        print(path)
    path = os.path.join(sys.argv[2], "roofline.png")
    roofline(seen, copy_rate(sys.argv[1]), path)
    print(path)


if __name__ == "__main__":
    main()

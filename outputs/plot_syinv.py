"""outputs/plot_syinv.py - pictures of the table syinv of bandfem bench, like figures 9 and 10 of Huo et al. (2015)

syinv-bordering.png: in fp32, over the order, the speed-up over the serial program (rows of --others), the root mean square of the
difference to the result of the serial program, and seconds, with the three values of the paper at n = 8000 (GTX 780).
syinv-definite.png: GFlop/s of the positive definite cases in fp64 and fp32 beside the libraries, n^3 flops.
Used by plot_bench.py.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import ScalarFormatter  # noqa: E402

PAPER = {"order": 8000, "speed_up": 279.0, "difference": 1e-8, "seconds": 19.03}
NAMES = {"syinv": "bf_syinv", "bordering, one row and column at a time": "bordering"}


def read(path):
    """{kind: {type: {kernel: {order: row}}}} of the rows of the table"""
    seen = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            case = re.fullmatch(r"([sd])(\d+)-(\w+)", row["case"] or "")
            if row["table"] == "syinv" and case:
                kernels = seen.setdefault(case[3], {}).setdefault(case[1], {})
                kernels.setdefault(row["kernel"], {})[int(case[2])] = row
    return seen


def number(row, column):
    """The value of a column; None where the row has none."""
    text = row.get(column) or ""
    return float(text) if text not in ("", "nan") else None


def curves(axis, kernels, value, names):
    """A line for each kernel that has values; the number of lines."""
    drawn = 0
    for kernel, orders in kernels.items():
        if names and kernel not in names:
            continue
        points = [(n, value(n, row)) for n, row in sorted(orders.items())]
        points = [(n, y) for n, y in points if y is not None and y > 0.0]
        if points:
            axis.plot(*zip(*points), marker="o", markersize=3, label=(names or {}).get(kernel, kernel))
            drawn += 1
    return drawn


def serial_seconds(kernels):
    return {n: float(row["seconds"]) for kernel, orders in kernels.items() if kernel.startswith("serial")
            for n, row in orders.items()}


def bordering(kernels, path, source):
    serial = serial_seconds(kernels)
    figure, axes = plt.subplots(1, 3, figsize=(16, 4.8), squeeze=False)
    parts = [("speed-up over the serial program", "speed_up",
              lambda n, row: serial[n] / float(row["seconds"]) if n in serial else None),
             ("root mean square of the difference", "difference", lambda n, row: number(row, "difference")),
             ("seconds", "seconds", lambda n, row: float(row["seconds"]))]
    for axis, (title, key, value) in zip(axes[0], parts):
        if curves(axis, kernels, value, NAMES) == 0:
            axis.text(0.5, 0.8, "no such rows in the file", ha="center", transform=axis.transAxes)
        if key == "seconds" and serial:
            axis.plot(sorted(serial), [serial[n] for n in sorted(serial)], color="0.4", linestyle="--", label="serial program")
        axis.plot([PAPER["order"]], [PAPER[key]], color="black", marker="*", markersize=10, linestyle="", label="paper, GTX 780")
        axis.set_title(title)
        axis.set_xlabel("order n")
        axis.set_yscale("log")
        axis.grid(True, which="both", linewidth=0.3)
        axis.legend(fontsize=8)
    figure.suptitle(f"{source}: fp32, positive definite")
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)


def definite(types, path, source):
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.8), squeeze=False)
    for axis, letter, name in zip(axes[0], "ds", ("fp64", "fp32")):
        curves(axis, types.get(letter, {}), lambda n, row: number(row, "gflop_per_s"), None)
        axis.set_title(f"positive definite, {name}")
        axis.set_xlabel("order n")
        axis.set_ylabel("GFlop/s")
        axis.set_xscale("log", base=2)
        axis.xaxis.set_major_formatter(ScalarFormatter())
        axis.set_yscale("log")
        axis.grid(True, which="both", linewidth=0.3)
        if axis.lines:
            axis.legend(fontsize=8)
    figure.suptitle(source)
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)


def pictures(path, folder):
    """The paths of the pictures that the rows allow."""
    seen, source, made = read(path), os.path.basename(path), []
    if "bordering" in seen:
        made.append(os.path.join(folder, "syinv-bordering.png"))
        bordering(seen["bordering"].get("s", {}), made[-1], source)
    if "spd" in seen:
        made.append(os.path.join(folder, "syinv-definite.png"))
        definite(seen["spd"], made[-1], source)
    return made

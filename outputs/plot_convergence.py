"""outputs/plot_convergence.py - errors over the mesh size and over the unknowns, from convergence.csv

convergence.png: one line per quantity and degree of the elements, log-log, with a triangle at its last two points whose slope is
the observed order, rounded to a multiple of 1/2 where it is near one.  Used by plot_bench.py.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import math
import os
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

COLUMNS = ["degree", "level", "h", "elements", "unknowns", "iterations", "seconds", "quantity", "value", "error", "observed_order"]
COLOURS = ["#1f6f8b", "#c0392b", "#3d8b37", "#8e5ea2", "#d98b19", "#5f6a72", "#a0522d", "#2c3e91"]
MARKERS = {1: "o", 2: "s", 3: "^"}


def is_table(path):
    with open(path, encoding="utf-8") as file:
        return next(csv.reader(file), []) == COLUMNS


def read(path):
    """{(quantity, degree): [(h, unknowns, error, order)]}, errors above 0 alone; without quantities that have no order, if others have"""
    lines = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            error = float(row["error"] or 0)
            if error > 0:
                lines.setdefault((row["quantity"], int(row["degree"])), []).append(
                    (float(row["h"]), float(row["unknowns"]), error, float(row["observed_order"] or math.nan)))
    lines = {key: points for key, points in lines.items() if len(points) >= 2}
    converging = {key: points for key, points in lines.items() if not all(math.isnan(p[3]) for p in points)}
    return converging or lines


def triangle(axis, a, b, order, colour):
    """A right triangle below the segment from a to b, with the slope of the order."""
    slope = round(2 * order) / 2 if abs(order - round(2 * order) / 2) < 0.1 else round(order, 2)
    (x0, x1), y = (b[0], a[0]), b[2] * 0.6
    corner = y * (x1 / x0) ** slope
    axis.plot([x0, x1, x1, x0], [y, y, corner, y], color=colour, linewidth=0.9)
    axis.annotate(f"{slope:g}", (x1, math.sqrt(y * corner)), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9, color=colour)


def ticks(axis, values):
    """The values themselves, thinned to seven: a range of one decade has a single power of ten."""
    seen = sorted({float(f"{v:.4g}") for v in values})
    if seen[-1] > 30 * seen[0]:
        return
    axis.xaxis.set_major_locator(FixedLocator(seen[:: 1 + (len(seen) - 1) // 7]))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:.3g}" if v < 1e3 else f"{v:,.0f}"))


def picture(path, folder):
    """Writes convergence.png; its name, or None for a table without two errors of a quantity."""
    lines = read(path)
    if not lines:
        return None
    names = list(dict.fromkeys(quantity for quantity, _ in lines))
    figure, axes = plt.subplots(1, 2, figsize=(13, 5.6 + 0.22 * len(lines)), sharey=True)
    for (quantity, degree), points in lines.items():
        colour = COLOURS[(2 * names.index(quantity) + degree - 1 if len(names) <= 4 else names.index(quantity)) % len(COLOURS)]
        label = "\n".join(textwrap.wrap(f"{quantity}, degree {degree}", 110))
        for axis, column in zip(axes, (0, 1)):
            axis.plot([p[column] for p in points], [p[2] for p in points], MARKERS.get(degree, "d") + "-", color=colour, markersize=5, label=label)
        if not math.isnan(points[-1][3]):
            triangle(axes[0], points[-2], points[-1], points[-1][3], colour)
    for axis, text, column in zip(axes, ("mesh size h = (measure / elements)^(1/dim)", "unknowns"), (0, 1)):
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel(text)
        axis.grid(True, which="major", linewidth=0.3)
        ticks(axis, [p[column] for points in lines.values() for p in points])
    axes[0].set_ylabel("error")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="lower center", fontsize=9, frameon=False)
    place = os.path.abspath(path).split(os.sep)
    figure.suptitle(place[-3] if place[-2] == "converge" else place[-2])
    figure.tight_layout(rect=(0, (0.22 * len(lines) + 0.1) / (5.6 + 0.22 * len(lines)), 1, 1))
    name = os.path.join(folder, "convergence.png")
    figure.savefig(name, dpi=90)
    plt.close(figure)
    return name

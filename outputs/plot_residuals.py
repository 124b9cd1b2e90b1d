"""outputs/plot_residuals.py - residuals of a solve over the iteration and over time; results of a sweep over its parameter

residuals.png: the residual of the iteration as a line, the true residual |b - A x| / |b| as points.  Over time the true
residuals alone are shown: the iterations between them end at times that are not measured.

sweep.png, from sweep.csv: one diagram for each result over the first swept parameter, with one line for each combination of
the others. Runs without a value (status 2 to 4) are left out.
Used by plot_bench.py.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import math
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

COLUMNS = ["iteration", "residual", "true_residual", "seconds"]


def is_table(path):
    with open(path, encoding="utf-8") as file:
        return next(csv.reader(file), []) == COLUMNS


def picture(path, folder):
    """Writes residuals.png; its name, or None for a table without rows."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return None
    figure, axes = plt.subplots(1, 2, figsize=(12, 5), sharey=True)
    for axis, column, text in zip(axes, ("iteration", "seconds"), ("iteration", "seconds")):
        x = [float(row[column]) for row in rows]
        true = [(at, float(row["true_residual"])) for at, row in zip(x, rows) if row["true_residual"]]
        if column == "iteration":
            axis.plot(x, [float(row["residual"]) for row in rows], linewidth=1.2, color="#1f6f8b", label="residual of the iteration")
        axis.plot(*zip(*true), "o" if column == "iteration" else "o-", markersize=5, color="#c0392b", label="true residual |b - A x| / |b|")
        axis.set_yscale("log")
        axis.set_xlabel(text)
        axis.grid(True, which="both", linewidth=0.3)
    axes[0].set_ylabel("relative residual")
    axes[0].legend()
    figure.suptitle(os.path.abspath(path).split(os.sep)[-2] + f": {len(rows) - 1} iterations")
    figure.tight_layout()
    name = os.path.join(folder, "residuals.png")
    figure.savefig(name, dpi=90)
    plt.close(figure)
    return name


LEFT_OUT = ("elements", "iterations", "seconds")
MOST = 12


def sweep_head(path):
    with open(path, encoding="utf-8") as file:
        return next(csv.reader(file), [])


def is_sweep(path):
    columns = sweep_head(path)
    return columns[:1] == ["run"] and "status" in columns and "seconds" in columns


def sweep_lines(rows, first, others, column):
    """{label: [(x, y)]} of one result."""
    seen = {}
    for row in rows:
        if row[column] and row[first]:
            label = ", ".join(f"{o} = {float(row[o]):.6g}" for o in others)
            seen.setdefault(label, []).append((float(row[first]), float(row[column])))
    return seen


def sweep_picture(path, folder):
    """Writes sweep.png; its name, or None for a table without values."""
    columns = sweep_head(path)
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    swept = columns[1:columns.index("status")]
    results = [c for c in columns[columns.index("status") + 1:] if c not in LEFT_OUT and any(row[c] for row in rows)][:MOST]
    if not rows or not results:
        return None
    wide = min(3, len(results))
    figure, axes = plt.subplots(math.ceil(len(results) / wide), wide, squeeze=False,
                                figsize=(5 * wide, 3.6 * math.ceil(len(results) / wide)))
    for axis, column in zip(axes.flat, results):
        for label, points in sweep_lines(rows, swept[0], swept[1:], column).items():
            axis.plot(*zip(*sorted(points)), "o-", markersize=4, label=label)
        x = [float(row[swept[0]]) for row in rows]
        if min(x) > 0 and max(x) >= 8 * min(x):
            axis.set_xscale("log")
        axis.set_xlabel(swept[0])
        axis.set_title(column if len(column) < 50 else column[:47] + "...", fontsize=9)
        axis.grid(True, linewidth=0.3)
        if len(swept) > 1:
            axis.legend(fontsize=7)
    for axis in axes.flat[len(results):]:
        axis.set_visible(False)
    figure.tight_layout()
    name = os.path.join(folder, "sweep.png")
    figure.savefig(name, dpi=90)
    plt.close(figure)
    return name

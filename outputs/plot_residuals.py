"""outputs/plot_residuals.py - residuals of a solve over the iteration and over time, from residuals.csv

residuals.png: the residual of the iteration as a line, the true residual |b - A x| / |b| as points.  Over time the true
residuals alone are shown: the iterations between them end at times that are not measured.
Used by plot_bench.py.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
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

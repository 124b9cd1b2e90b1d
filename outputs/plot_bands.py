#!/usr/bin/env python3
"""outputs/plot_bands.py - the band diagram of a dispersion from its bands.csv

usage: plot_bands.py BANDS.csv OUT.png [--title TEXT]

Frequency over the path of wave vectors, a line a band, its points marked; gaps between all bands as stripes with their
edges.  A line follows the number of its band: where bands cross, branches change lines.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

GREEK = {"gamma": "Γ", "x": "X", "y": "Y", "m": "M", "r": "R", "k": "K"}


def fail(text):
    sys.exit(f"plot_bands.py: {text}")


def read(path):
    """(gaps [(band below, low, high)], ticks [(name, place)], places, rows of frequencies)"""
    gaps, lines = [], []
    try:
        with open(path, encoding="utf-8", newline="") as file:
            for line in file:
                if line.startswith("# gap,"):
                    band, low, high = line[6:].split(",")
                    gaps.append((int(band), float(low), float(high)))
                elif not line.startswith("#"):
                    lines.append(line)
    except OSError as error:
        fail(f"cannot read '{path}': {error.strerror}")
    rows = list(csv.DictReader(lines))
    if not rows or "path_length" not in rows[0]:
        fail(f"'{path}' is no table of bands")
    bands = [name for name in rows[0] if name.startswith("band_")]
    places = [float(row["path_length"]) for row in rows]
    ticks = [(row["point"], place) for row, place in zip(rows, places) if row["point"]]
    return gaps, ticks, places, [[float(row[name]) for name in bands] for row in rows]


def scale_of(largest):
    for factor, unit in ((1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")):
        if largest >= factor:
            return factor, unit
    return 1.0, "Hz"


def draw(data, title, out):
    gaps, ticks, places, rows = data
    factor, unit = scale_of(max(max(row) for row in rows))
    figure, axes = plt.subplots(figsize=(7.0, 5.5), layout="constrained")
    for band, low, high in gaps:
        axes.axhspan(low / factor, high / factor, color="#f2c14e", alpha=0.45, lw=0)
        axes.text(places[-1] * 0.99, 0.5 * (low + high) / factor, f"gap after band {band}: {low / factor:.5g} to "
                  f"{high / factor:.5g} {unit}", ha="right", va="center", fontsize=9)
    for j in range(len(rows[0])):
        axes.plot(places, [row[j] / factor for row in rows], "-o", ms=2.2, lw=1.2, color="#1b4965")
    for _, place in ticks:
        axes.axvline(place, color="0.6", lw=0.8, zorder=0)
    axes.set_xticks([place for _, place in ticks], [GREEK.get(name, name) for name, _ in ticks])
    axes.set_xlim(places[0], places[-1])
    axes.set_ylim(0.0, 1.03 * max(max(row) for row in rows) / factor)
    axes.set_xlabel("wave vector")
    axes.set_ylabel(f"frequency, {unit}")
    if title:
        axes.set_title(title, fontsize=11)
    figure.savefig(out, dpi=130)


def main():
    parser = argparse.ArgumentParser(description="A PNG of the bands of a dispersion (bands.csv).")
    parser.add_argument("bands")
    parser.add_argument("out")
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    draw(read(options.bands), options.title, options.out)


if __name__ == "__main__":
    main()

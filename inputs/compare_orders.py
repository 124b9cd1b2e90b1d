#!/usr/bin/env python3
"""inputs/compare_orders.py - one deck at orders 1, 2, 3 and with quadratic elements on as many nodes, as a table

usage: compare_orders.py PROGRAM [DECK [CELLS]]     e.g. build/cpu/bandfem inputs/decks/gfem_heat.yaml 16

The deck generates a square and has checks that expect a number; their relative errors are the last columns.  Exit 1 if
order 2 is not better than order 1 in each of them, or order 3 than order 2.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(program, deck, folder, element, cells, method):
    settings = [f"mesh.generate.rectangle.element={element}", f"mesh.generate.rectangle.cells=[{cells}, {cells}]",
                f"discretization={method}", "output.refine=0"]
    words = [program, "run", deck, "--quiet", "--out", folder]
    for text in settings:
        words += ["-s", text]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 6):  # 6: a check of the deck's own order fails at a lower one
        sys.exit(f"{' '.join(words)}:\n{done.stderr}")
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        return json.load(file)


def errors(report):
    wanted = [c for c in report["checks"] if c["relative"]]
    return [c["quantity"] for c in wanted], [abs(c["got"] / c["expected"] - 1.0) for c in wanted]


def main():
    program = os.path.abspath(sys.argv[1])
    deck = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "decks/gfem_heat.yaml"))
    cells = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    worse, head = 0, None
    for linear, quadratic in (("quad4", "quad8"), ("tri3", "tri6")):
        rows = [(linear, cells, f"{{method: gfem, order: {p}}}", f"{linear}, order {p}") for p in (1, 2, 3)]
        rows.append((quadratic, cells // 2, "{method: fem}", f"{quadratic}, {cells // 2} x {cells // 2} cells"))
        last = None
        for element, n, method, name in rows:
            with tempfile.TemporaryDirectory() as folder:
                report = run(program, deck, folder, element, n, method)
            m = report["matrix"]
            names, error = errors(report)
            if head is None:
                head = ["elements", "unknowns", "nonzeros a row", "format", "KiB a product", "iterations"] + names
                print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
            cells_of_row = [name, m["n"], f"{m['nnz'] / m['n']:.1f}", f"{m['format']} {m['storage']}",
                            f"{m['product_bytes'] / 1024:.0f}", report["solve"]["iterations"]]
            print("| " + " | ".join(map(str, cells_of_row + [f"{e:.1e}" for e in error])) + " |", flush=True)
            if last and "order" in name:
                worse += any(e >= b for e, b in zip(error, last))
            last = error
    return worse > 0


sys.exit(main())

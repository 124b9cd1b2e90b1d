#!/usr/bin/env python3
"""tests/peers/compare_choices.py - what method: auto with preconditioner: auto takes, beside every choice it has

usage: compare_choices.py BANDFEM [--backend cpu|cuda] [--times N] [--csv FILE] DECK...

Each deck is solved by cg or bicgstab with jacobi and with multigrid, by direct where the backend is the CPU, and with auto; all
take their turn N times, the shortest time counts.  A time is that of the phases "solve" and "direct: numbering".  Compared are
decks of static analyses whose solve by auto takes more than 20 ms; of the others the line shows auto alone.  Run with OMP_NUM_THREADS=1 on a
machine that is not idle.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

LEAST, DECIDED, SWITCHED = 0.020, 1.3, 2.0  # seconds; ratios allowed
CHOICES = {
    "auto": ("solver.method=auto", "solver.preconditioner=auto"),
    "jacobi": ("solver.method=auto", "solver.preconditioner=jacobi"),
    "multigrid": ("solver.method=auto", "solver.preconditioner=multigrid"),
    "direct": ("solver.method=direct",),
}
PHASES = ("solve", "direct: numbering")


def prepared(deck, folder):
    """The deck, or a copy of it without keys that only block_jacobi permits; None: not of a static analysis."""
    with open(deck) as file:
        text = file.read()
    if re.search(r"\btype:\s*(modal|dispersion)\b", text):
        return None
    if "block_jacobi" not in text:
        return deck
    text = re.sub(r",?\s*block_\w+:\s*[^,}\n]+", "", text)
    text = re.sub(r"(\bfile:\s*)([\w./-]+)", lambda m: m[1] + os.path.abspath(os.path.join(os.path.dirname(deck), m[2])), text)
    copy = os.path.join(folder, os.path.basename(deck))
    with open(copy, "w") as file:
        file.write(text)
    return copy


def solve(program, backend, deck, choice, folder, limit):
    command = [program, "run", deck, "--verbose", "--backend", backend, "--out", folder, "-s", "solver.on_failure=warn"]
    if "max_iterations" in open(deck).read() or choice == "jacobi":
        command += ["-s", "solver.max_iterations=200000"]
    for override in CHOICES[choice]:
        command += ["-s", override]
    report = os.path.join(folder, "report.json")
    if os.path.exists(report):
        os.remove(report)
    begin = time.monotonic()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"seconds": float("inf"), "what": f"more than {limit} s", "log": "", "whole": 0.0}
    if not os.path.exists(report):
        return {"seconds": float("inf"), "what": "no result", "log": done.stdout, "whole": time.monotonic() - begin}
    with open(report) as file:
        r = json.load(file)
    solved = r.get("solve") or {}
    if not solved:
        return {"seconds": float("inf"), "what": "not solved", "log": done.stdout, "whole": time.monotonic() - begin}
    seconds = sum(p["seconds"] for p in r["timing"] if p["name"] in PHASES)
    return {"seconds": seconds if solved["reason"] == "converged" else float("inf"), "iterations": solved["iterations"],
            "what": f"{solved['method']}, {solved['preconditioner']}", "unknowns": r["matrix"]["n"],
            "switched": (solved.get("multigrid") or {}).get("jacobi_iterations_before", 0), "log": done.stdout, "whole": time.monotonic() - begin}


def all_choices(args, deck, folder):
    best, longest = {}, 0.0
    deck = prepared(deck, folder)
    if deck is None:
        return None
    for turn in range(args.times):
        for choice in ("auto", "multigrid", "direct", "jacobi"):
            if choice == "direct" and args.backend != "cpu":
                continue
            if turn > 0 and best[choice]["seconds"] == float("inf"):
                continue
            limit = args.limit if choice != "jacobi" else min(args.limit, 2.0 + 5.0 * longest)
            now = solve(args.program, args.backend, deck, choice, folder, limit)
            longest = max(longest, now["whole"])
            if choice == "auto" and turn == 0 and now["seconds"] < args.least:
                return {"auto": now}
            if now is None:
                return None
            if choice not in best or now["seconds"] < best[choice]["seconds"]:
                best[choice] = now
        if turn == 0 and args.times > 1 and best["auto"]["seconds"] > 10.0:
            break
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of one run")
    parser.add_argument("--least", type=float, default=LEAST, help="seconds of auto below which nothing else is run")
    parser.add_argument("--csv")
    parser.add_argument("decks", nargs="+")
    args = parser.parse_args()
    rows, failed = [], 0
    print(f"{'deck':32s}{'unknowns':>9s}{'jacobi':>18s}{'multigrid':>18s}{'direct':>9s}{'auto':>9s} {'ratio':>6s}  auto took", flush=True)
    for deck in args.decks:
        name = os.path.basename(deck).rsplit(".", 1)[0]
        with tempfile.TemporaryDirectory() as folder:
            best = all_choices(args, deck, folder)
        if best is None:
            continue
        auto, others = best["auto"], [b for c, b in best.items() if c != "auto"]
        ratio = auto["seconds"] / min((b["seconds"] for b in others), default=auto["seconds"])
        allowed = SWITCHED if auto.get("switched") or "jacobi first" in auto["log"] else DECIDED
        bad = LEAST < auto["seconds"] < float("inf") and not ratio <= allowed
        failed += bad
        cells = []
        for choice, width in (("jacobi", 18), ("multigrid", 18), ("direct", 9), ("auto", 9)):
            b = best.get(choice)
            text = "-" if b is None or b["seconds"] == float("inf") else f"{1e3 * b['seconds']:.1f}"
            if width > 9 and b and "iterations" in b:
                text = f"{b['iterations']} it, {text}"
            cells.append(f"{text:>{width}s}")
        switched = f", switched after {auto['switched']}" if auto.get("switched") else ""
        print(f"{name:32s}{auto.get('unknowns', 0):9d}{''.join(cells)} {ratio:6.2f}{'  TOO SLOW' if bad else ''}  {auto['what']}{switched}", flush=True)
        rows.append({"deck": name, "unknowns": auto.get("unknowns"), "ratio": ratio, "took": auto["what"] + switched,
                     **{f"{c}_ms": 1e3 * b["seconds"] for c, b in best.items()},
                     **{f"{c}_iterations": b.get("iterations") for c, b in best.items()}})
    if args.csv and rows:
        with open(args.csv, "w", newline="") as file:
            table = csv.DictWriter(file, sorted({k for r in rows for k in r}))
            table.writeheader()
            table.writerows(rows)
    print(f"choices   {len(rows)} decks, {failed} above the ratios of {DECIDED} (forecast) and {SWITCHED} (jacobi first)")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

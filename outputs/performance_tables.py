#!/usr/bin/env python3
"""outputs/performance_tables.py - tables of docs/performance.md and docs/performance/*.md from their CSV files

usage: performance_tables.py [--check] [ROOT]

A page holds a table between the lines `<!-- table: NAME -->` and `<!-- end -->`.  NAME is a file
docs/performance/measured/NAME.csv, printed cell by cell, or one of COMPUTED below, made from the rows of bandfem bench.
Without --check the tables are written into the pages.  With --check nothing is written: the exit status is 1 if a table
differs from its CSV file, or if a relative link or an anchor of README.md or docs/**/*.md does not exist.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import glob
import os
import re
import sys

LIBRARY = re.compile(r"cuSPARSE|cusparse|thrust|cuBLAS|MAGMA|PyTorch|cuSOLVER")
PUBLISHED_KERNEL = re.compile(r"(paper's|published) bdia")  # the first in files until 2026-11-23
PART = ("cuBLAS getriBatched",)  # half of a call, no library for the whole
MARK = re.compile(r"(<!-- table: ([\w.-]+) -->\n).*?(<!-- end -->)", re.S)
TYPES = "sdcz"
CASES = {
    "band27": "one band, 27 diagonals, n = 4e6", "band101": "one band, 101 diagonals, n = 4e6",
    "grid64": "27-point grid, 64³", "grid128": "27-point grid, 128³", "grid160": "27-point grid, 160³",
    "grid200": "27-point grid, 200³", "grid320": "27-point grid, 320³",
    "small15600": "one band, 101 diagonals, n = 15600", "small30000": "one band, 101 diagonals, n = 30000",
    "band101-30000": "one band, 101 diagonals, n = 30000", "tet": "scattered points, n = 1e6",
    "random": "random columns, n = 4e6", "random25": "random columns, n = 4e6",
    "symmetric-grid128": "27-point grid, 128³", "symmetric-grid200": "27-point grid, 200³",
    "symmetric-band101": "one band, 101 diagonals, n = 4e6", "hex128": "triplets of 128³ hexahedra",
    "hex128-shuffled": "the same, shuffled elements",
}
SPARSE, BICGSTAB = "sparse-h200-2026-11-22", "bicgstab-h200-2026-11-22"
BLOCKS = "blocks-h200"  # bandfem bench DECK
LU, INVERSE, CHOLESKY = "lu-h200-2026-11-23", "inverse-h200-2026-11-23", "cholesky-h200-2026-11-23"
EIGEN, PUBLISHED = "batched-evd-h200-2026-11-23", "batched-peers-h200-2026-11-22"
FULL = [(n, 10000) for n in (8, 16, 32, 33, 48, 64, 65, 96, 128, 129, 160, 190)] + [(256, 4000), (384, 4000)]
SHORT = [(n, 10000) for n in (8, 16, 32, 64, 128, 190)] + [(384, 4000)]
FEW = ([(n, count) for n in (8, 32, 64, 128, 190) for count in (1, 100, 1000)] + [(384, 1), (384, 100)]
       + [(8, 1000000), (16, 1000000)])
EVD = [(4, 10000), (8, 10000), (16, 10000), (32, 1000), (32, 10000), (64, 200), (64, 2000), (128, 200), (128, 1000),
       (256, 200), (512, 200)]
_read = {}


class Missing(Exception):
    """a missing table, file or row of a page"""


def bench(folder, file, table):
    """{case: {kernel: row}} of one table of a file of bandfem bench"""
    key = (folder, file, table)
    if key not in _read:
        found = {}
        with open(os.path.join(folder, file + ".csv"), encoding="utf-8", newline="") as text:
            for row in csv.DictReader(text):
                if row["table"] == table:
                    found.setdefault(row["case"], {})[row["kernel"]] = row
        if not found:
            raise Missing(f"{file}.csv: no table '{table}'")
        _read[key] = found
    return _read[key]


def seconds(row):
    return float(row["seconds"])


def best(kernels, keep):
    """(name, row) of the fastest kernel that keep(name) accepts, or None"""
    rows = [(seconds(r), k, r) for k, r in kernels.items() if keep(k)]
    return min(rows)[1:] if rows else None


def is_library(name):
    return bool(LIBRARY.search(name)) and name not in PART


def library64(name):
    return is_library(name) and "fp32" not in name


def own(name):
    return not LIBRARY.search(name) and "dots" not in name and not PUBLISHED_KERNEL.match(name)


def ours64(name):
    return own(name) and "fp64" in name


def number(value):
    """three significant digits, more for integers, no exponent"""
    return f"{value:#.3g}" if value < 99.95 else f"{value:.0f}"


def micro(row):
    return number(seconds(row) * 1e6)


def ratio(theirs, ours):
    return f"{seconds(theirs) / seconds(ours):.2f}"


def percent(row, column):
    return f"{100 * float(row[column]):.0f} %"


def grid(head, rows):
    line = "|" + "---|" + "---:|" * (len(head) - 1)
    return "\n".join(["| " + " | ".join(head) + " |", line] + ["| " + " | ".join(r) + " |" for r in rows]) + "\n"


def sparse(folder, picks, shared="share_of_read"):
    """picks: (label, file, table, case, kernel or None for the fastest in fp64)"""
    rows = []
    for label, file, table, case, kernel in picks:
        kernels = bench(folder, file, table)[case]
        name, mine = (kernel, kernels[kernel]) if kernel else best(kernels, ours64)
        theirs, row = best(kernels, library64)
        rows.append((label + CASES[case], name, micro(mine), theirs.replace("cuSPARSE 12.6", "cuSPARSE"), micro(row),
                     ratio(row, mine), percent(mine, shared)))
    return grid(("case", "bandfem", "µs", "best library", "µs", "ratio", "floor"), rows)


def spmv(folder):
    return sparse(folder, [("", SPARSE, "spmv", c, None) for c in
                           ("band27", "band101", "grid128", "grid200", "grid320", "small30000", "tet", "random")])


def krylov(folder):
    cases = ("band101-30000", "grid128", "grid200", "band101")
    return sparse(folder, [("CG, ", SPARSE, "cg", c, "bdia half fp64") for c in cases]
                  + [("BiCGStab, ", SPARSE, "bicgstab", "band101-30000", "bdia full fp64"),
                     ("BiCGStab, ", BICGSTAB, "bicgstab", "grid128", "bdia full fp64"),
                     ("BiCGStab, ", BICGSTAB, "bicgstab", "symmetric-grid200", "bdia half fp64"),
                     ("BiCGStab, ", BICGSTAB, "bicgstab", "symmetric-band101", "bdia half fp64")])


def transpose(folder):
    return sparse(folder, [("CSR transpose, ", SPARSE, "transpose", c, "csr transpose fp64") for c in
                           ("band27", "band101", "grid160", "random25")]
                  + [("COO to CSR, ", SPARSE, "coo2csr", c, "coo to csr fp64") for c in ("hex128", "hex128-shuffled")],
                  "share_of_copy").replace("one band, 101 diagonals, n = 4e6", "one band, 101 diagonals, n = 1e6")


def by_case(folder, file, table, cases, keep, cell, head):
    """kernels in rows, cases in columns"""
    found = bench(folder, file, table)
    names = [k for c in cases for k in found[c] if keep(k)]
    rows = []
    for name in dict.fromkeys(names):
        rows.append([PUBLISHED_KERNEL.sub("published bDIA kernel,", name).replace("cuSPARSE 12.6 ", "cuSPARSE ")]
                    + [cell(found[c], found[c][name]) if name in found[c] else "" for c in cases])
    return grid(head, rows)


SPMV_CASES = ("band27", "band101", "grid128", "grid200", "grid320", "small15600", "small30000", "tet", "random")


def spmv_part(cell, keep):
    return lambda folder: by_case(folder, SPARSE, "spmv", SPMV_CASES, keep, cell, ("kernel",) + SPMV_CASES)


def over_library(kernels, row):
    return ratio(best(kernels, library64)[1], row)


def figure(precision):
    cases = [f"d{d}" for d in (3, 11, 21, 31, 41, 51, 61, 71, 81, 91, 101)]

    def rate(kernels, row):
        d, n = int(row["case"][1:]), 15600
        return f"{2e-9 * (d * n - (d * d - 1) // 4) / seconds(row):.0f}"  # nonzeros of a band of d diagonals
    return lambda folder: by_case(folder, SPARSE, "paper", cases, lambda k: precision in k, rate, ["GFLOP/s"] + cases)


def iterations(picks, forms):
    def made(folder):
        rows = []
        for file, table, case in picks:
            kernels = bench(folder, file, table)[case]
            rows.append([CASES[case]] + [micro(kernels[f]) if f in kernels else "" for f in ("cuSPARSE + cuBLAS",
                        "cuSPARSE + cuBLAS, one graph", "csr fp64") + forms])
        heads = tuple(f.replace("bdia ", "").replace(" values", "") for f in forms)
        return grid(("case", "library loop", "library graph", "CSR") + heads, rows)
    return made


def published_iterations(folder):
    rows = []
    for table, form in (("cg", "bdia half fp64"), ("bicgstab", "bdia full fp64")):
        found = bench(folder, SPARSE, table)
        cases = [f"paper-d{d}" for d in (3, 27, 51, 101)]
        dia = [found[c]["dia fp64, step by step"] for c in cases]
        mine = [found[c][form] for c in cases]
        name = "CG" if table == "cg" else "BiCGStab"
        rows += [[f"{name}, DIA step by step, µs"] + [micro(r) for r in dia],
                 [f"{name}, {form}, µs"] + [micro(r) for r in mine],
                 [f"{name}, ratio"] + [ratio(a, b) for a, b in zip(dia, mine)]]
    return grid(("n = 30000, diagonals", "3", "27", "51", "101"), rows)


def dense(file, table, kernel, sizes):
    """times of one kernel and its ratio to the fastest library, four types"""
    def made(folder):
        found, rows = bench(folder, file, table), []
        for n, count in sizes:
            cases = [found[f"{t}{n}x{count}"] for t in TYPES]
            libraries = [best(c, is_library)[1] for c in cases]
            rows.append([str(n), str(count)] + [micro(c[kernel]) for c in cases]
                        + [ratio(a, c[kernel]) for a, c in zip(libraries, cases)]
                        + [percent(cases[1][kernel], "share_of_floor")])
        return grid(["n", "batch"] + [f"{t}, µs" for t in TYPES] + [f"ratio {t}" for t in TYPES] + ["floor, d"], rows)
    return made


def dense_short(file, table, kernel, sizes):
    """fp64 against the fastest library by name, ratios of the other types"""
    def made(folder):
        found, rows = bench(folder, file, table), []
        for n, count in sizes:
            case = {t: found[f"{t}{n}x{count}"] for t in TYPES}
            theirs, row = best(case["d"], is_library)
            mine = {t: case[t][kernel] for t in TYPES}
            theirs = re.sub(r" (\d|with|getrf|getri).*", "", theirs)
            rows.append((f"n = {n}, batch {count}", micro(mine["d"]), theirs, micro(row), ratio(row, mine["d"]),
                         *(ratio(best(case[t], is_library)[1], mine[t]) for t in "scz"),
                         percent(mine["d"], "share_of_floor")))
        return grid(("fp64", "bandfem, µs", "best library", "µs", "ratio d", "s", "c", "z", "floor, d"), rows)
    return made


def libraries(file, table, names, types, sizes):
    """times of the libraries; names: {name in the file: heading}"""
    def made(folder):
        found, rows = bench(folder, file, table), []
        for n, count in sizes:
            cells = []
            for t in types:
                kernels = found[f"{t}{n}x{count}"]
                cells += [micro(kernels[k]) if k in kernels else "" for k in names]
            rows.append([str(n), str(count)] + cells)
        return grid(["n", "batch"] + [f"{t} {h}" for t in types for h in names.values()], rows)
    return made


def largest_errors(file, table, kernels, sizes):
    def made(folder):
        found, rows = bench(folder, file, table), []
        for n, count in sizes:
            cases = [found[f"{t}{n}x{count}"] for t in TYPES]
            rows.append([str(n), str(count)] + [f"{float(c[k]['error']):.2g}" if k in c else "" for k in kernels for c in cases])
        return grid(["n", "batch"] + [f"{t} {h}" for h in kernels.values() for t in TYPES], rows)
    return made


def assembly(folder):
    rows = []
    with open(os.path.join(folder, "bench-h200-2026-11-20.csv"), encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            if row["what"] == "assembly":
                rows.append((os.path.basename(row["deck"])[:-5], row["form"], number(1e3 * seconds(row)),
                             number(1e-9 * float(row["bytes"])), f"{100 * float(row['share_of_copy']):.1f} %"))
    return grid(("deck", "format", "ms", "GB", "of copy"), rows)


def half_diagonal(folder):
    found, rows = bench(folder, EIGEN, "eigen"), []
    for n, count in EVD:
        row = [str(n), str(count)]
        for name in ("heev, every other one diagonal", "heev, half of the matrices alone"):
            cases = [found[f"{t}{n}x{count}"] for t in TYPES]
            row += [f"{seconds(c[name]) / seconds(c['heev']):.2f}" for c in cases]
        rows.append(row)
    return grid(["n", "batch"] + [f"{t}, half diagonal" for t in TYPES] + [f"{t}, half batch" for t in TYPES], rows)


def published(names):
    def made(folder):
        found = bench(folder, PUBLISHED, "published")
        cases = [f"{t}{n}x10000" for t in TYPES for n in (64, 128, 190)]
        rows = [[label] + [f"{seconds(found[c][k]) * 1e3:.3g}" if k in found[c] else "" for c in cases]
                for k, label in names]
        return grid(["ms"] + [c.split("x")[0] for c in cases], rows)
    return made


def blocks(folder):
    """products and iterations of CG of decks with several components, by format"""
    head = ("case", "kernel", "µs", "GB/s", "csr / this", "best library / this", "CG iteration, µs")
    if not os.path.exists(os.path.join(folder, BLOCKS + ".csv")):
        return grid(head, [[f"not measured: no {BLOCKS}.csv"] + [""] * (len(head) - 1)])
    rows = []
    for case, kernels in bench(folder, BLOCKS, "deck").items():
        label, csr = os.path.splitext(os.path.basename(case))[0], kernels["product: csr fp64"]
        library = best(kernels, lambda name: library64(name) and "+" not in name)
        for name, row in kernels.items():
            if not name.startswith("product: ") and not (library64(name) and "+" not in name):
                continue
            cg = kernels.get(name.replace("product: ", "cg: ")) if name.startswith("product: ") else None
            rows.append([label, name.replace("product: ", ""), micro(row), f"{float(row['gb_per_s']):.0f}", ratio(csr, row),
                         ratio(library[1], row) if library else "", micro(cg) if cg else ""])
    return grid(head, rows)


LU_LIBRARIES = {"cuBLAS getrfBatched": "cuBLAS", "MAGMA 2.6.1 getrf_batched": "MAGMA",
                "PyTorch 2.11.0+cu130 with MAGMA": "PyTorch"}
INVERSE_LIBRARIES = {"cuBLAS getrfBatched + getriBatched": "cuBLAS", "cuBLAS matinvBatched": "matinv",
                     "MAGMA 2.6.1 getrf + getrs_batched": "MAGMA"}
EVD_LIBRARIES = {"cuSOLVER XsyevBatched": "Xsyev", "cuSOLVER syevjBatched": "syevj",
                 "cuSOLVER syevd, 8 streams": "8 streams"}
CG_FORMS = ("bdia full fp64", "bdia half fp64", "bdia full fp32 values", "bdia half fp32 values")
COMPUTED = {
    "spmv": spmv, "krylov": krylov, "transpose": transpose, "assembly": assembly,
    "spmv-time": spmv_part(lambda kernels, row: micro(row), lambda k: "dots" not in k),
    "spmv-ratio": spmv_part(over_library, own),
    "spmv-share": spmv_part(lambda kernels, row: percent(row, "share_of_read"), own),
    "spmv-blocks": blocks,
    "published-figure-fp64": figure("fp64"), "published-figure-fp32": figure("fp32"),
    "cg": iterations([(SPARSE, "cg", c) for c in ("band101-30000", "grid64", "grid128", "grid200", "band101")],
                     CG_FORMS),
    "bicgstab": iterations([(SPARSE, "bicgstab", "band101-30000"), (BICGSTAB, "bicgstab", "grid128"),
                            (SPARSE, "bicgstab", "grid200"), (SPARSE, "bicgstab", "band101")], CG_FORMS[::2]),
    "bicgstab-symmetric": iterations([(BICGSTAB, "bicgstab", c) for c in
                                      ("symmetric-grid128", "symmetric-grid200", "symmetric-band101")], CG_FORMS),
    "published-iterations": published_iterations,
    "lu-short": dense_short(LU, "lu", "getrf", SHORT),
    "inverse-short": dense_short(INVERSE, "inverse", "inverse", SHORT),
    "cholesky-short": dense_short(CHOLESKY, "cholesky", "potrf", SHORT),
    "eigen-short": dense_short(EIGEN, "eigen", "heev", [EVD[i] for i in (0, 1, 2, 4, 6, 8, 9, 10)]),
    "lu": dense(LU, "lu", "getrf", FULL), "lu-few": dense(LU, "lu", "getrf", FEW),
    "lu-libraries-sd": libraries(LU, "lu", LU_LIBRARIES, "sd", FULL),
    "lu-libraries-cz": libraries(LU, "lu", LU_LIBRARIES, "cz", FULL),
    "lu-errors": largest_errors(LU, "lu", {"getrf": "bandfem", "cuBLAS getrfBatched": "cuBLAS"}, FULL),
    "inverse": dense(INVERSE, "inverse", "inverse", FULL), "inverse-few": dense(INVERSE, "inverse", "inverse", FEW),
    "two-calls": dense(INVERSE, "inverse", "getrf + getri", FULL),
    "inverse-libraries-sd": libraries(INVERSE, "inverse", INVERSE_LIBRARIES, "sd", FULL),
    "inverse-libraries-cz": libraries(INVERSE, "inverse", INVERSE_LIBRARIES, "cz", FULL),
    "inverse-errors": largest_errors(INVERSE, "inverse", {"inverse": "bandfem",
                                                          "cuBLAS getrfBatched + getriBatched": "cuBLAS"}, FULL),
    "cholesky": dense(CHOLESKY, "cholesky", "potrf", FULL), "cholesky-few": dense(CHOLESKY, "cholesky", "potrf", FEW),
    "eigen": dense(EIGEN, "eigen", "heev", EVD),
    "eigen-libraries-sd": libraries(EIGEN, "eigen", EVD_LIBRARIES, "sd", EVD),
    "eigen-libraries-cz": libraries(EIGEN, "eigen", EVD_LIBRARIES, "cz", EVD),
    "eigen-errors": largest_errors(EIGEN, "eigen", {"heev": "bandfem", "cuSOLVER XsyevBatched": "Xsyev",
                                                    "cuSOLVER syevjBatched": "syevj"}, EVD),
    "half-diagonal": half_diagonal,
    "published-lu": published((("published LU", "all ideas, panel 14"),
                               ("exchanges one by one, at once, panel 14", "row by row, at once"),
                               ("exchanges grouped, at once, panel 14", "grouped, at once"),
                               ("pivot by one thread, panel 14", "pivot by one thread"), ("panel 8", "panel 8"),
                               ("panel 10", "panel 10"), ("panel 18", "panel 18"), ("panel 24", "panel 24"))),
    "published-inverse": published((("published inverse", "all ideas, panel 16"),
                                    ("timely, one launch, panel 16", "timely correction"),
                                    ("delayed, one launch, panel 16", "delayed, one launch"),
                                    ("columns exchanged, panel 16", "columns exchanged"),
                                    ("panel 20", "panel 20"), ("panel 28", "panel 28"))),
}


def table(folder, name):
    if name in COMPUTED:
        return COMPUTED[name](folder)
    path = os.path.join(folder, "measured", name + ".csv")
    if not os.path.exists(path):
        raise Missing(f"no table '{name}': neither computed nor {path}")
    with open(path, encoding="utf-8", newline="") as text:
        rows = list(csv.reader(text))
    wrong = [i + 1 for i, r in enumerate(rows) if len(r) != len(rows[0])]
    if wrong:
        raise Missing(f"{path}: rows {wrong} do not have {len(rows[0])} cells")
    return grid(rows[0], rows[1:])


def pages(root):
    docs = os.path.join(root, "docs")
    return [os.path.join(docs, "performance.md")] + sorted(glob.glob(os.path.join(docs, "performance", "*.md")))


def anchors(text):
    """GitHub's anchors of the headings of a page"""
    found, in_code = {}, False
    for line in text.split("\n"):
        in_code ^= line.startswith("```")
        if line.startswith("#") and not in_code:
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
            key = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
            found[key] = found.get(key, -1) + 1
    return {k if i == 0 else f"{k}-{i}" for k, last in found.items() for i in range(last + 1)}


def broken_links(root):
    docs = os.path.join(root, "docs", "**", "*.md")
    texts = [os.path.join(root, "README.md")] + sorted(glob.glob(docs, recursive=True))
    wrong = []
    for path in texts:
        with open(path, encoding="utf-8") as text:
            plain = re.sub(r"```.*?```|`[^`\n]*`", "", text.read(), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", plain):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            full = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(full):
                wrong.append(f"{os.path.relpath(path, root)}: no file {target}")
            elif anchor and full.endswith(".md"):
                with open(full, encoding="utf-8") as text:
                    if anchor not in anchors(text.read()):
                        wrong.append(f"{os.path.relpath(path, root)}: no anchor {target}")
    return wrong


def run(root, check):
    """messages about what is wrong; writes the tables unless check"""
    wrong, folder = [], os.path.join(root, "docs", "performance")
    for path in pages(root):
        name = os.path.relpath(path, root)
        with open(path, encoding="utf-8") as text:
            old = text.read()
        if old.count("<!-- table:") != len(MARK.findall(old)):
            wrong.append(f"{name}: a table without its end")
        try:
            new = MARK.sub(lambda m: m[1] + table(folder, m[2]) + m[3], old)
        except KeyError as error:
            wrong.append(f"{name}: no row {error} in the CSV file of a table")
            continue
        except (Missing, OSError) as error:
            wrong.append(f"{name}: {error}")
            continue
        if new != old and check:
            wrong.append(f"{name}: tables differ from the CSV files; run outputs/performance_tables.py")
        elif new != old:
            with open(path, "w", encoding="utf-8") as text:
                text.write(new)
            print(name)
    return wrong + broken_links(root)


def main():
    words = [w for w in sys.argv[1:] if w != "--check"]
    if len(words) > 1 or any(w.startswith("-") for w in words):
        sys.exit("usage: performance_tables.py [--check] [ROOT]")
    root = words[0] if words else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    wrong = run(root, "--check" in sys.argv[1:])
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()

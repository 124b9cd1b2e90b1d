"""tests/program/t524_matrices.py - bandfem solve A.mtx and info A.mtx as their user meets them: answers, words, files

usage: t524_matrices.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no device

Numbers 41 to 43 of the catalogue of bad inputs (docs/verification.md) are here, word for word with source line and
caret; `info` must say the same as `solve` where the matrix is to blame.  Solutions are compared with those of a dense
elimination written here.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import functools
import json
import math
import os
import random
import re
import unittest

import program
from program import BACKEND, SOURCE, has_device, main, path_of, read, write

bandfem = functools.partial(program.bandfem, timeout=100)
FORMATS = ["bdia", "csr", "csr16", "ell", "hyb", "dia", "coo", "hybrid", "bcsr"]
BANNER = "%%MatrixMarket matrix coordinate real general\n"
SYMMETRIC = "%%MatrixMarket matrix coordinate real symmetric\n"
COLUMN = "%%MatrixMarket matrix array real general\n"
SOUND = BANNER + "2 2 3\n1 1 2\n2 1 -1\n2 2 4\n"
THE_FORM = "'%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric'"


def solve(name, *words):
    """On the backend that is tested; a factorisation is the CPU's."""
    return bandfem("solve", name, "--backend", "cpu" if "direct" in words else BACKEND, *words)


def coordinate(n, entries, banner=BANNER):
    return banner + f"{n} {n} {len(entries)}\n" + "".join(f"{i + 1} {j + 1} {v!r}\n" for i, j, v in entries)


def read_column(name):
    lines = read(name).decode("ascii").splitlines()
    assert lines[0] + "\n" == COLUMN, lines[0]
    body = [line for line in lines[1:] if not line.startswith("%")]
    n, one = map(int, body[0].split())
    assert one == 1 and len(body) == n + 1
    return [float(line) for line in body[1:]]


def comments(name):
    return [line[2:] for line in read(name).decode("ascii").splitlines()[1:] if line.startswith("% ")]


def dense_solution(n, entries, b):
    """By elimination with row exchanges."""
    a = [[0.0] * n + [b[i]] for i in range(n)]
    for i, j, v in entries:
        a[i][j] += v
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(a[i][k]))
        a[k], a[best] = a[best], a[k]
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            if f:
                a[i] = [x - f * y for x, y in zip(a[i], a[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
    return x


def grid(m, skew=0.0, seed=None):
    """The five-point matrix of m x m nodes with an unsymmetric part, its nodes shuffled by a seed."""
    place = list(range(m * m))
    if seed is not None:
        random.Random(seed).shuffle(place)
    entries = []
    for i in range(m):
        for j in range(m):
            r = place[i * m + j]
            entries.append((r, r, 4.5))
            for p, q, v in ((i - 1, j, -1.0 - skew), (i + 1, j, -1.0 + skew), (i, j - 1, -1.0), (i, j + 1, -1.0)):
                if 0 <= p < m and 0 <= q < m:
                    entries.append((r, place[p * m + q], v))
    return m * m, entries


class Case(unittest.TestCase):
    def near(self, got, want, tolerance):
        self.assertEqual(len(got), len(want))
        size = max(map(abs, want))
        worst = max(abs(a - b) for a, b in zip(got, want))
        self.assertLessEqual(worst, tolerance * size)

    def refused(self, answer, status, err):
        self.assertEqual((answer.status, answer.err), (status, err))


class Catalogue(Case):
    def entry(self, text, place, words, line=None, caret=None):
        """One error of a matrix, the same from solve and info."""
        name = write("A.mtx", text)
        said = f"{place}{words}\n" + (f"  {line}\n  {' ' * (caret - 1)}^\n" if line is not None else "")
        self.refused(solve(name, "--quiet"), 3, said)
        self.refused(bandfem("info", name), 3, said)

    def test_41_the_banner_is_missing(self):
        self.entry("3 3 1\n1 1 2\n", "A.mtx:1:1: error E221: ",
                   f"banner missing: the first line must be {THE_FORM}, found '3 3 1'", "3 3 1", 1)

    def test_41_a_wrong_word_in_the_banner(self):
        self.entry("%%MatrixMarket matrix coordinat real general\n1 1 1\n1 1 2\n", "A.mtx:1:23: error E222: ",
                   "unknown layout 'coordinat'; did you mean 'coordinate'? valid: coordinate, array",
                   "%%MatrixMarket matrix coordinat real general", 23)
        self.entry("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 0\n", "A.mtx:1:34: error E222: ",
                   "complex matrices are not supported: bandfem solves real systems",
                   "%%MatrixMarket matrix coordinate complex general", 34)

    def test_41_carriage_returns_and_tabs_work(self):
        name = write("A.mtx", SOUND.replace("\n", "\r\n").replace(" 2\r", "\t2\r").replace(" -1", "\t\t-1 "))
        answer = solve(name, "--out", "x.mtx")
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.near(read_column("x.mtx"), [1.0, 1.0], 1e-7)

    def test_42_indices_outside_the_matrix(self):
        self.entry(BANNER + "4 4 6\n1 1 1\n1 2 1\n2 1 1\n3 3 1\n4 4 1\n2 9999 1\n"[:-9] + "2 9999 1\n",
                   "A.mtx:8:3: error E224: ", "column 9999 > 4: the matrix has 4 columns", "2 9999 1", 3)
        self.entry(BANNER + "4 4 1\n0 1 1\n", "A.mtx:3:1: error E224: ", "row 0: rows count from 1", "0 1 1", 1)

    def test_42_the_number_of_entries_is_wrong(self):
        self.entry(BANNER + "4 4 3\n1 1 1\n2 2 2\n", "A.mtx:2:5: error E225: ",
                   "the size line announces 3 entries, the file has 2; it may be truncated", "4 4 3", 5)
        self.entry(BANNER + "4 4 1\n1 1 1\n2 2 2\n", "A.mtx:4:1: error E225: ",
                   "line 2 announces 1 entry, the file has 2: this is the first additional one", "2 2 2", 1)

    def test_42_an_upper_entry_in_a_symmetric_file(self):
        self.entry(SYMMETRIC + "3 3 1\n2 3 1\n", "A.mtx:3:1: error E224: ",
                   "entry (2, 3) above the diagonal in a 'symmetric' file, which lists the lower triangle only; if both "
                   "triangles are listed, the banner must say 'general'", "2 3 1", 1)

    def test_42_values_that_are_no_numbers(self):
        self.entry(BANNER + "3 3 1\n2 3 nan\n", "A.mtx:3:5: error E224: ", "the value 'nan' is not finite", "2 3 nan", 5)
        self.entry(BANNER + "3 3 1\n2 3 1,5\n", "A.mtx:3:5: error E224: ",
                   "expected a value (the decimal point is '.'), found '1,5'", "2 3 1,5", 5)

    def test_42_repeated_entries_are_summed_and_told(self):
        name = write("A.mtx", BANNER + "2 2 4\n1 1 2\n2 2 1\n2 2 2\n2 2 1\n")
        write("b.mtx", COLUMN + "2 1\n2\n8\n")
        answer = solve(name, "--quiet", "--rhs", "b.mtx", "--out", "x.mtx")
        self.refused(answer, 0, "A.mtx: note N230: 2 of the 4 entries repeat a position; their values are "
                                "summed\n")
        self.near(read_column("x.mtx"), [1.0, 2.0], 1e-12)

    def test_42_a_rectangular_matrix(self):
        self.entry(BANNER + "2 3 1\n2 3 1\n", "A.mtx:2:1: error E226: ",
                   "the matrix is rectangular, 2 x 3: bandfem solves square systems", "2 3 1", 1)

    def test_a_file_that_is_not_there(self):
        said = "error E221: cannot open 'gone.mtx': No such file or directory\n"
        self.refused(solve("gone.mtx", "--quiet"), 3, said)
        self.refused(bandfem("info", "gone.mtx"), 3, said)

    def side(self, text, words):
        name = write("A.mtx", SOUND)
        write("b.mtx", text)
        self.refused(solve(name, "--quiet", "--rhs", "b.mtx", "--out", "never.mtx"), 3, words)
        self.assertFalse(os.path.exists(path_of("never.mtx")))

    def test_43_the_right_hand_side_does_not_fit(self):
        self.side(COLUMN + "3 1\n1\n2\n3\n",
                  "b.mtx:2:1: error E229: the right-hand side has 3 entries, the matrix 2 rows\n  3 1\n  ^\n")
        self.side(COLUMN + "1 2\n1\n2\n",
                  "b.mtx:2:1: error E229: the right-hand side is a row, 1 x 2; write it as a column, 2 x 1\n  1 2\n  ^\n")
        self.side(COLUMN + "2 2\n1\n2\n3\n4\n",
                  "b.mtx:2:1: error E229: the right-hand side has 2 columns; only one is supported\n  2 2\n  ^\n")

    def test_43_the_right_hand_side_is_not_a_number(self):
        self.side(COLUMN + "2 1\n1\nnan\n", "b.mtx:4:1: error E224: the value 'nan' is not finite\n  nan\n  ^\n")
        self.side("", "b.mtx:1:1: error E221: the file is empty, not a Matrix Market file\n")
        os.remove(path_of("b.mtx"))
        name = write("A.mtx", SOUND)
        self.refused(solve(name, "--quiet", "--rhs", "b.mtx"), 3,
                     "error E221: cannot open 'b.mtx': No such file or directory\n")


class Solutions(Case):
    def system(self, name, n, entries, banner=BANNER):
        b = [math.sin(3.0 * i + 1.0) for i in range(n)]
        write(name + ".mtx", coordinate(n, entries, banner))
        write(name + "_b.mtx", COLUMN + f"{n} 1\n" + "".join(f"{v!r}\n" for v in b))
        full = entries + ([(j, i, v) for i, j, v in entries if i != j] if banner == SYMMETRIC else [])
        return dense_solution(n, full, b)

    def solved(self, name, *words):
        answer = solve(name + ".mtx", "--rhs", name + "_b.mtx", "--out", "x.mtx", "--rtol", "1e-12", *words)
        self.assertEqual((answer.status, answer.err), (0, ""), answer.out)
        self.assertIn("converged", answer.out)
        return read_column("x.mtx"), answer.out

    def test_every_format_order_storage_and_precision_gives_the_same_solution(self):
        n, entries = grid(9, seed=1)
        want = self.system("grid", n, [e for e in entries if e[0] >= e[1]], SYMMETRIC)
        for order in ("auto", "file", "rcm"):
            for words in [["--format", f] for f in FORMATS] + [["--format", f, "--storage", "symmetric"] for f in
                                                               ("bdia", "hybrid")]:
                for precision in ("fp64", "fp32"):
                    with self.subTest(order=order, words=words, precision=precision):
                        got, out = self.solved("grid", "--reorder", order, "--precision", precision, *words)
                        self.near(got, want, 1e-11)
                        chosen = next(line for line in out.splitlines() if "<- chosen" in line)
                        self.assertEqual(chosen.split()[0], words[1])
                        if order != "auto":
                            self.assertIn(f" {order} ", chosen)

    def test_a_pattern_that_is_not_symmetric_in_every_format(self):
        n, dice = 90, random.Random(6)
        entries = [(i, i, 8.0 + dice.random()) for i in range(n)]
        entries += [(dice.randrange(n), dice.randrange(n), dice.uniform(-1.0, 1.0)) for _ in range(4 * n)]
        entries += [(i, i + 3, 0.5) for i in range(n - 3)]
        want = self.system("oneway", n, entries)
        for order in ("file", "rcm"):
            for form in FORMATS:
                with self.subTest(order=order, form=form):
                    answer = solve("oneway.mtx", "--rhs", "oneway_b.mtx", "--out", "x.mtx", "--rtol", "1e-12",
                                   "--reorder", order, "--format", form)
                    self.assertEqual(answer.status, 0, answer.err)
                    self.near(read_column("x.mtx"), want, 1e-10)
                    self.assertIn("entries without a transposed entry; ", answer.out)

    def test_every_method_and_preconditioner(self):
        n, entries = grid(8, skew=0.3, seed=2)
        want = self.system("skewed", n, entries)
        for method in ("auto", "bicgstab", "bicg", "direct"):
            for preconditioner in (None,) if method == "direct" else (None, "none", "jacobi"):
                with self.subTest(method=method, preconditioner=preconditioner):
                    words = ["--preconditioner", preconditioner] if preconditioner else []
                    got, out = self.solved("skewed", "--method", method, *words)
                    self.near(got, want, 1e-10)
                    name = method if method != "auto" else "bicgstab"
                    more = f", preconditioner {preconditioner or 'jacobi'}" if method != "direct" else ""
                    self.assertIn(f"solve     {name}{more}, rtol 1.0e-12", out)

    def test_auto_takes_cg_where_the_matrix_can_be_positive_definite(self):
        n, entries = grid(6)
        want = self.system("spd", n, entries)
        got, out = self.solved("spd")
        self.near(got, want, 1e-10)
        self.assertIn("solve     cg, ", out)
        self.assertIn("values exactly symmetric", out)

    def test_auto_takes_bicgstab_where_cg_finds_an_indefinite_matrix(self):
        entries = [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 3.0), (0, 1, 2.0), (1, 0, 2.0)]
        want = self.system("indefinite", 3, entries)
        got, out = self.solved("indefinite")
        self.near(got, want, 1e-10)
        self.assertIn("indefinite matrix: true residual", out)
        self.assertIn("the matrix is not positive definite: repeating with bicgstab", out)

    def test_layouts_and_symmetries(self):
        files = {"array": COLUMN + "2 2\n4\n1\n-1\n3\n",
                 "array_symmetric": "%%MatrixMarket matrix array real symmetric\n2 2\n4\n-1\n3\n",
                 "pattern": "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n1 2\n2 2\n",
                 "integer": "%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 4\n2 1 -1\n2 2 3\n",
                 "skew": "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n"}
        want = {"array": [[4, -1], [1, 3]], "array_symmetric": [[4, -1], [-1, 3]], "pattern": [[1, 1], [0, 1]],
                "integer": [[4, -1], [-1, 3]], "skew": [[0, -3], [3, 0]]}
        write("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 1 2\n2 1 -2\n1 1 1\n")
        for name, text in files.items():
            with self.subTest(name=name):
                if name == "skew":  # r.Ar = 0: what starts with it breaks down, and reports it
                    answer = solve(write(name + ".mtx", text), "--rhs", "b.mtx")
                    self.assertEqual(answer.status, 5)
                    self.assertIn("E501: breakdown", answer.err)
                method = ["--method", "direct"] if name == "skew" else []
                answer = solve(write(name + ".mtx", text), "--rhs", "b.mtx", "--out", "x.mtx", *method)
                self.assertEqual((answer.status, answer.err), (0, ""))
                (a, b), (c, d) = want[name]
                det = a * d - b * c
                self.near(read_column("x.mtx"), [(d + 2 * b) / det, (-2 * a - c) / det], 1e-7)

    def test_without_a_right_hand_side_the_error_is_known(self):
        n, entries = grid(10, seed=3)
        name = write("ones.mtx", coordinate(n, entries))
        answer = solve(name, "--out", "x.mtx", "--rtol", "1e-10")
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.assertIn("A times a vector of ones: the error of x is known", answer.out)
        told = float(next(line for line in answer.out.splitlines() if line.startswith("error")).split()[3])
        x = read_column("x.mtx")
        self.assertLess(told, 1e-9)
        self.assertAlmostEqual(told, math.sqrt(sum((v - 1.0) ** 2 for v in x) / n), delta=0.01 * told)

    def test_a_zero_right_hand_side_and_one_row(self):
        write("zero.mtx", COLUMN + "2 1\n0\n0\n")
        write("one.mtx", BANNER + "1 1 1\n1 1 4\n")
        answer = solve(write("A.mtx", SOUND), "--rhs", "zero.mtx", "--out", "x.mtx")
        self.assertEqual((answer.status, read_column("x.mtx")), (0, [0.0, 0.0]))
        answer = solve("one.mtx", "--out", "x.mtx")
        self.assertEqual((answer.status, read_column("x.mtx")), (0, [1.0]))

    def test_it_is_bit_identical_when_repeated(self):
        n, entries = grid(20, skew=0.2, seed=4)
        write("again.mtx", coordinate(n, entries))
        got = []
        for _ in range(2):
            self.assertEqual(solve("again.mtx", "--out", "x.mtx").status, 0)
            got.append(read("x.mtx"))
        self.assertEqual(*got)

    def test_the_history_is_written(self):
        n, entries = grid(12)
        answer = solve(write("history.mtx", coordinate(n, entries)), "--csv", "history.csv")
        self.assertEqual(answer.status, 0)
        rows = list(csv.DictReader(read("history.csv").decode("ascii").splitlines()))
        self.assertEqual([int(r["iteration"]) for r in rows], list(range(len(rows))))
        self.assertLessEqual(float(rows[-1]["true_residual"]), 1e-8)
        self.assertGreater(float(rows[0]["residual"]), 0.5)


class Failures(Case):
    def test_iterations_that_end_too_early(self):
        n, entries = grid(12)
        name = write("few.mtx", coordinate(n, entries))
        answer = solve(name, "--quiet", "--max-iterations", "3", "--out", "x.mtx")
        self.assertEqual(answer.status, 5)
        self.assertRegex(answer.err, r"^few.mtx: error E501: iteration limit: true residual [-.e0-9]+ after 3 "
                                     r"iterations, target 1e-08; the limit of 3 iterations is used up; try --preconditioner "
                                     r"block_jacobi, or --max-iterations above 3, or --method direct \(.*, on the CPU\)\n$")
        self.assertEqual(len(read_column("x.mtx")), n)
        self.assertTrue(any(line.startswith("NOT CONVERGED: iteration limit") for line in comments("x.mtx")))

    def test_cg_on_a_matrix_that_is_not_symmetric(self):
        n, entries = grid(3, skew=0.5)
        name = write("skewed.mtx", coordinate(n, entries))
        self.refused(solve(name, "--quiet", "--method", "cg"), 3,
                     "skewed.mtx: error E226: method cg: the matrix is not symmetric (6 pairs of entries that differ); use "
                     "--method bicgstab\n")

    def test_cg_on_an_indefinite_matrix(self):
        name = write("indefinite.mtx", BANNER + "2 2 2\n1 1 1\n2 2 -1\n")
        answer = solve(name, "--quiet", "--method", "cg")
        self.assertEqual(answer.status, 5)
        self.assertRegex(answer.err, r"^indefinite.mtx: error E501: indefinite matrix: .*; p.Ap = 0 <= 0: the matrix is not "
                                     r"positive definite, or singular to rounding; possible causes: .*; try --method direct "
                                     r"\(.*, on the CPU\)\n$")

    def test_storage_that_does_not_fit(self):
        n, entries = grid(3, skew=0.5)
        name = write("skewed.mtx", coordinate(n, entries))
        self.refused(solve(name, "--quiet", "--storage", "symmetric"), 3,
                     "skewed.mtx: error E226: --format auto --storage symmetric: the matrix is not symmetric\n")
        self.refused(solve(name, "--quiet", "--format", "csr", "--storage", "symmetric"), 3,
                     "skewed.mtx: error E226: --format csr --storage symmetric: this format has no symmetric storage\n")

    def test_a_singular_matrix_is_told_before_it_is_tried(self):
        name = write("singular.mtx", BANNER + "3 3 2\n1 1 2\n2 2 3\n")
        answer = solve(name, "--quiet")
        self.assertIn("singular.mtx: warning W228: 1 row without nonzero entries (the first is row 3): the "
                      "matrix is singular\n", answer.err)
        self.assertIn("singular.mtx: warning W228: 1 column without nonzero entries (the first is column 3)",
                      answer.err)

    def test_a_singular_matrix_is_named_by_direct(self):
        name = write("singular.mtx", BANNER + "3 3 5\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n3 3 3\n")
        answer = solve(name, "--quiet", "--method", "direct")
        self.assertEqual(answer.status, 5)
        self.assertRegex(answer.err, r"^singular.mtx: error E501: singular matrix: a pivot is zero; .*LU of 3 rows, .*; the pivot of row [12] is zero\n$")

    def test_direct_is_of_the_cpu_and_has_no_iterations(self):
        name = write("A.mtx", SOUND)
        self.refused(bandfem("solve", name, "--quiet", "--method", "direct", "--backend", "cuda"), 4,
                     "error E404: --method direct runs on the CPU only; use --backend cpu or auto, or an iterative "
                     "method\n")
        for words in (["--precision", "fp64"], ["--preconditioner", "jacobi"], ["--max-iterations", "9"]):
            self.refused(solve(name, "--method", "direct", *words), 1,
                         f"bandfem solve: {words[0]} requires an iterative method, not --method direct\n")

    def test_sums_that_overflow(self):
        name = write("over.mtx", BANNER + "2 2 3\n1 1 1e308\n1 1 1e308\n2 2 1\n")
        answer = solve(name, "--quiet")
        self.assertEqual(answer.status, 3)
        self.assertIn("over.mtx: error E224: the sum of the entries at (1, 1) is too large\n", answer.err)

    def test_results_that_cannot_be_written(self):
        name = write("A.mtx", SOUND)
        self.refused(solve("gone.mtx", "--quiet", "--out", "nowhere/x.mtx"), 7,  # before the matrix is read
                     "error E601: cannot write 'nowhere/x.mtx': No such file or directory\n")
        self.refused(solve(name, "--quiet", "--csv", "."), 7, "error E601: cannot write '.': it is a folder\n")

    def test_cuda_where_there_is_none(self):
        if has_device():
            self.skipTest("there is a device")
        answer = bandfem("solve", write("A.mtx", SOUND), "--backend", "cuda", "--quiet")
        self.assertEqual(answer.status, 4)
        self.assertIn("error E403: backend 'cuda': ", answer.err)


class CommandLine(Case):
    def test_wrong_words_are_refused(self):
        name = write("A.mtx", SOUND)
        for words, said in (
                ([], "solve: no matrix given; see bandfem solve --help"),
                ([name, "b.mtx"], "solve: unknown option or argument 'b.mtx'; see bandfem solve --help"),
                ([name, "--methd", "cg"], "solve: unknown option or argument '--methd'; did you mean '--method'? see bandfem solve --help"),
                ([name, "--method", "cgg"],
                 "solve: unknown value 'cgg' of --method; did you mean 'cg'? valid: auto, cg, bicgstab, bicg, direct, inverse"),
                ([name, "--format", "banded"], "solve: unknown value 'banded' of --format; valid: auto, bdia, csr, "
                                               "csr16, ell, hyb, dia, coo, hybrid, bcsr"),
                ([name, "--precision", "fp16"],
                 "solve: unknown value 'fp16' of --precision; did you mean 'fp64'? valid: fp64, fp32"),
                ([name, "--backend", "gpu"], "solve: unknown value 'gpu' of --backend; did you mean 'cpu'? valid: auto, "
                                             "cpu, cuda"),
                ([name, "--rtol"], "solve: a value is missing after '--rtol'; see bandfem solve --help"),
                ([name, "--out", ""], "solve: a value is missing after '--out'; see bandfem solve --help"),
                ([name, "--rtol", "1e-20"], "solve: --rtol must be at least 2.3e-16 (machine precision) and less than 1, "
                                            "got '1e-20'; see bandfem solve --help"),
                ([name, "--rtol", "nan"], "solve: --rtol must be at least 2.3e-16 (machine precision) and less than 1, "
                                          "got 'nan'; see bandfem solve --help"),
                ([name, "--max-iterations", "0"], "solve: --max-iterations must be a whole number from 1 to 100000000, got "
                                                  "'0'; see bandfem solve --help"),
                ([name, "--max-iterations", "1.5"], "solve: --max-iterations must be a whole number from 1 to 100000000, got "
                                                    "'1.5'; see bandfem solve --help"),
                ([name, "--errors"], "solve: expected --errors=text or json, got '--errors'; see bandfem solve --help")):
            with self.subTest(words=words):
                answer = bandfem("solve", *words)
                self.refused(answer, 1, f"bandfem {said}\n")
                answer = bandfem("solve", "--errors=json", *words)
                self.assertEqual(json.loads(answer.err)["text"], said)

    def test_errors_are_json_on_request(self):
        name = write("A.mtx", BANNER + "4 4 1\n0 1 1\n")
        for answer in (solve(name, "--quiet", "--errors=json"), bandfem("info", name, "--errors=json")):
            self.assertEqual(answer.status, 3)
            self.assertEqual(json.loads(answer.err), {"severity": "error", "code": "E224", "file": "A.mtx", "line": 3,
                                                      "column": 1, "text": "row 0: rows count from 1"})

    def test_quiet_says_nothing_of_a_good_solve(self):
        answer = solve(write("A.mtx", SOUND), "--quiet")
        self.assertEqual((answer.status, answer.out, answer.err), (0, "", ""))

    def test_the_usage_tells_of_it(self):
        out = bandfem("--help").out
        self.assertIn("bandfem solve A.mtx", out)
        self.assertIn("bandfem info MESH.msh|A.mtx", out)


class Info(Case):
    def lines(self, text, name="info.mtx"):
        answer = bandfem("info", write(name, text))
        self.assertEqual(answer.status, 0, answer.err)
        return answer.out

    def test_what_a_matrix_is(self):
        n, entries = grid(7)
        out = self.lines(coordinate(n, [e for e in entries if e[0] >= e[1]], SYMMETRIC))
        for line in ("matrix    info.mtx: 49 x 49, coordinate real symmetric, 133 entries\n",
                     "          217 nonzeros, 4.4 per row (3 to 5)\n",
                     "          0 empty rows, 0 empty columns; magnitudes from 1 to 4.5\n",
                     "symmetry  pattern symmetric; values exactly symmetric\n",
                     "diagonal  all positive\n",
                     "          diagonally dominant: 49 of 49 rows, 49 of them strictly\n",
                     "          eigenvalues between 0.5 and 8.5 (Gershgorin): positive definite\n",
                     "numbering file   half-bandwidth 7, 5 diagonals, "):
            self.assertIn(line, out)
        self.assertRegex(out, r" file .*<- chosen")
        least = 4.5 - 4.0 * math.cos(math.pi / 8)
        told = re.search(r"estimate  none   condition at least (\S+): eigenvalues (\S+) to (\S+) or beyond", out)
        self.assertAlmostEqual(float(told[2]), least, delta=0.01 * least)
        self.assertAlmostEqual(float(told[3]), 9.0 - least, delta=0.01)
        self.assertRegex(out, r"          jacobi condition at least .*; estimate for cg: 31 iterations to 1e-08")

    def test_an_indefinite_matrix_is_seen(self):
        out = self.lines(BANNER + "2 2 3\n1 1 1\n1 2 2\n2 1 2\n")
        self.assertIn("estimate  none   indefinite: eigenvalues of both signs, -1.56 and 2.56 or beyond (2 Lanczos "
                      "steps)\n", out)
        self.assertNotIn("jacobi", out)

    def test_matrices_at_the_ends_are_described(self):
        out = self.lines(BANNER + "1 1 1\n1 1 -3\n")
        self.assertIn("estimate  none   eigenvalues -3 to -3 or beyond (1 Lanczos step)\n", out)
        out = self.lines(BANNER + "2 2 2\n1 1 1e-320\n2 2 1e308\n")
        self.assertIn("estimate  none   products overflow: no estimate\n", out)
        answer = bandfem("info", write("zero.mtx", BANNER + "3 3 0\n"))
        self.assertEqual(answer.status, 0)
        self.assertIn("estimate  none   eigenvalues 0 to 0 or beyond (1 Lanczos step)\n", answer.out)

    def test_a_shuffled_matrix_is_numbered_anew(self):
        n, entries = grid(12, seed=5)
        out = self.lines(coordinate(n, entries))
        before, after = (int(out.split(f"{name}half-bandwidth ")[1].split(",")[0]) for name in ("file   ", "rcm    "))
        self.assertGreater(before, 100)
        self.assertLess(after, 20)

    def test_what_is_wrong_with_a_matrix(self):
        out = self.lines(BANNER + "4 4 6\n1 1 -2\n2 1 1\n1 2 0.5\n3 3 0\n1 4 1\n4 1 1\n")
        for line in ("          1 of them are zero\n", "          1 empty rows, 1 empty columns; ",
                     "symmetry  pattern symmetric; 1 pair of values differ, by 0.25 of the largest in their rows at most\n",
                     "diagonal  0 positive, 1 negative; 2 not listed, 1 zero (the first in row 2)\n"):
            self.assertIn(line, out)

    def test_a_matrix_is_known_by_its_banner_where_its_name_says_nothing(self):
        self.assertIn("matrix    banner: 2 x 2", self.lines(SOUND, "banner"))

    def test_the_example_matrices_are_solved_and_described(self):
        folder = os.path.join(SOURCE, "inputs", "matrices")
        for name, method in (("plate.mtx", "cg"), ("wind.mtx", "bicgstab")):
            with self.subTest(name=name):
                path = os.path.join(folder, name)
                answer = solve(path, "--rhs", os.path.join(folder, "plate_b.mtx"))
                self.assertEqual((answer.status, answer.err), (0, ""))
                self.assertIn(f"solve     {method}, preconditioner jacobi", answer.out)
                self.assertEqual(bandfem("info", path).status, 0)


if __name__ == "__main__":
    main(first=lambda: solve(write("sound.mtx", SOUND)))

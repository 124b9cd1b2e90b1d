"""tests/program/t570_inverse.py - bandfem inverse A.mtx and solve --method inverse as their user meets them

usage: t570_inverse.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no device

Inverses are compared with those in rational numbers (fractions), whose entries are exact, and with closed forms.  Bounds that
the program prints are compared with the errors found by them.
"""
# SPDX-License-Identifier: BSD-3-Clause
import functools
import json
import math
import os
import random
import unittest
from fractions import Fraction

import program
from program import BACKEND, main, path_of, read, write

bandfem = functools.partial(program.bandfem, timeout=100)
SYMMETRIC = "%%MatrixMarket matrix coordinate real symmetric\n"
GENERAL = "%%MatrixMarket matrix coordinate real general\n"
ARRAY = "%%MatrixMarket matrix array real "


def inverse(name, *words):
    return bandfem("inverse", name, "--backend", BACKEND, *words)


def solve(name, *words):
    return bandfem("solve", name, "--backend", BACKEND, "--method", "inverse", *words)


def coordinate(n, entries, banner=SYMMETRIC):
    return banner + f"{n} {n} {len(entries)}\n" + "".join(f"{i + 1} {j + 1} {v!r}\n" for i, j, v in entries)


def read_symmetric(name):
    """The matrix of a symmetric array, whole."""
    lines = read(name).decode("ascii").splitlines()
    assert lines[0] == "%%MatrixMarket matrix array real symmetric", lines[0]
    body = [line for line in lines[1:] if not line.startswith("%")]
    n, columns = map(int, body[0].split())
    assert n == columns and len(body) == 1 + n * (n + 1) // 2
    x = [[0.0] * n for _ in range(n)]
    values = iter(body[1:])
    for j in range(n):
        for i in range(j, n):
            x[i][j] = x[j][i] = float(next(values))
    return x


def exact_inverse(a):
    """By Gauss-Jordan elimination in rational numbers."""
    n = len(a)
    m = [[Fraction(v) for v in row] + [Fraction(int(i == k)) for k in range(n)] for i, row in enumerate(a)]
    for k in range(n):
        p = next(i for i in range(k, n) if m[i][k] != 0)
        m[k], m[p] = m[p], m[k]
        m[k] = [v / m[k][k] for v in m[k]]
        for i in range(n):
            if i != k and m[i][k] != 0:
                m[i] = [v - m[i][k] * w for v, w in zip(m[i], m[k])]
    return [row[n:] for row in m]


def norm_1(a):
    return float(max(sum(abs(row[j]) for row in a) for j in range(len(a))))


def random_matrix(n, seed, shift=0.0):
    dice = random.Random(seed)
    a = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            a[i][j] = a[j][i] = dice.uniform(-0.5, 0.5) + (shift if i == j else 0.0)
    return a


def lower(a):
    return [(i, j, a[i][j]) for i in range(len(a)) for j in range(i + 1) if a[i][j] != 0.0]


class Case(unittest.TestCase):
    def near(self, got, want):
        """Matrices that agree to a few units of rounding."""
        for row, expected in zip(got, want, strict=True):
            for x, y in zip(row, expected, strict=True):
                self.assertAlmostEqual(x, y, delta=1e-15)

    def refused(self, answer, status, err):
        self.assertEqual((answer.status, answer.err), (status, err))

    def inverted(self, name, *words):
        answer = inverse(name, "--out", "x.mtx", "--json", "x.json", *words)
        self.assertEqual((answer.status, answer.err), (0, ""), answer.out)
        report = json.loads(read("x.json"))
        self.assertEqual(report["inverse"]["status"], "inverted")
        return read_symmetric("x.mtx"), report


class Inverses(Case):
    def compare(self, a, x, report, most):
        want = exact_inverse(a)
        n = len(a)
        error = norm_1([[Fraction(x[i][j]) - want[i][j] for j in range(n)] for i in range(n)]) / norm_1(x)
        self.assertLessEqual(error, report["inverse"]["error_bound"])
        self.assertLessEqual(report["inverse"]["error_bound"], most)
        self.assertLessEqual(report["inverse"]["residual"], 10.0)
        self.assertEqual(report["matrix"]["order"], n)
        self.assertAlmostEqual(report["inverse"]["condition"] / (norm_1(a) * norm_1(want)), 1.0, delta=1e-3)

    def test_small_orders_against_rational_numbers(self):
        for n in (1, 2, 3, 7, 12):
            for shift, seed in ((float(n), 1), (0.0, 5)):
                with self.subTest(n=n, shift=shift):
                    a = random_matrix(n, seed + n, shift)
                    x, report = self.inverted(write("a.mtx", coordinate(n, lower(a))))
                    self.compare(a, x, report, 1e-9)
                    self.assertEqual(report["inverse"]["path"] == "definite",
                                     shift > 0.0 or (n == 1 and a[0][0] > 0.0))

    def test_orders_around_the_blocks_by_a_closed_form(self):
        # min(i, j): the inverse has 2 (the last 1) on the diagonal and -1 beside it
        for n in (31, 32, 33, 63, 64, 65, 127, 128, 129, 257):
            text = ARRAY + f"symmetric\n{n} {n}\n" + "".join(f"{j + 1}\n" * (n - j) for j in range(n))
            for precision, bound in (("fp64", 1e-5), ("fp32", None)):
                with self.subTest(n=n, precision=precision):
                    x, report = self.inverted(write("min.mtx", text), "--precision", precision)
                    worst = max(sum(abs(x[i][j] - (2.0 - (i == n - 1) if i == j else -(abs(i - j) == 1)))
                                    for i in range(n)) for j in range(n))
                    if report["inverse"]["error_bound"] is not None:
                        self.assertLessEqual(worst / norm_1(x), report["inverse"]["error_bound"])
                    if bound:
                        self.assertLessEqual(report["inverse"]["error_bound"], bound)
                    self.assertEqual(report["inverse"]["precision"], precision)

    def test_every_layout_gives_the_same_file(self):
        a = random_matrix(6, 3, 6.0)
        n = range(6)
        texts = {"symmetric": coordinate(6, lower(a)),
                 "general": coordinate(6, [(i, j, a[i][j]) for j in n for i in n], GENERAL),
                 "array": ARRAY + "general\n6 6\n" + "".join(f"{a[i][j]!r}\n" for j in n for i in n),
                 "array symmetric": ARRAY + "symmetric\n6 6\n" + "".join(f"{a[i][j]!r}\n" for j in n for i in n if i >= j)}
        seen = set()
        for name, text in texts.items():
            with self.subTest(name=name):
                x, report = self.inverted(write("a.mtx", text))
                seen.add(str(x))
                self.compare(a, x, report, 1e-9)
        self.assertEqual(len(seen), 1)

    def test_patterns_integers_and_repeated_entries(self):
        write("p.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n")
        self.near(self.inverted("p.mtx")[0], [[-1.0, 1.0], [1.0, 0.0]])
        write("i.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n4\n0\n8\n")
        self.near(self.inverted("i.mtx")[0], [[0.25, 0.0], [0.0, 0.125]])
        write("r.mtx", coordinate(2, [(0, 0, 1.0), (1, 1, 2.0), (1, 1, 2.0), (0, 0, 1.0)]))
        answer = inverse("r.mtx", "--quiet", "--out", "x.mtx")
        self.refused(answer, 0, "r.mtx: note N230: 2 of the 4 entries repeat a position; their values are "
                                "summed\n")
        self.near(read_symmetric("x.mtx"), [[0.5, 0.0], [0.0, 0.25]])

    def test_symmetric_to_rounding_is_the_mean_and_said(self):
        write("a.mtx", coordinate(2, [(0, 0, 2.0), (1, 1, 2.0), (0, 1, 1.0), (1, 0, 1.0 + 2e-14)], GENERAL))
        answer = inverse("a.mtx", "--json", "x.json")
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.assertIn("symmetric to rounding: values differ by at most 1e-14 of the largest in their rows", answer.out)
        self.assertAlmostEqual(json.loads(read("x.json"))["matrix"]["asymmetry"], 1e-14, delta=2e-16)

    def test_the_paths_are_named(self):
        n = 40
        spd, any_sign = random_matrix(n, 1, float(n)), random_matrix(n, 2)
        blocks = [[0.0] * n for _ in range(n)]
        for i in range(n // 2):
            for j in range(n // 2):
                blocks[i + n // 2][j] = blocks[j][i + n // 2] = any_sign[i][j] + (2.0 if i == j else 0.0)
        for a, path, words in ((spd, "definite", "positive definite: diagonal blocks by Cholesky"),
                               (any_sign, "indefinite", "not positive definite: diagonal blocks with pivoting")):
            with self.subTest(path=path):
                name = write("a.mtx", coordinate(n, lower(a)))
                _, report = self.inverted(name)
                self.assertEqual(report["inverse"]["path"], path)
                self.assertIn(words, inverse(name).out)
        big = 300  # several blocks, all of them zero
        entries = [(i + big // 2, i, 1.0 + i % 3) for i in range(big // 2)]
        name = write("a.mtx", coordinate(big, entries))
        x, report = self.inverted(name)
        self.assertEqual(report["inverse"]["path"], "pivoted")
        self.assertIn("fallback: pivoted factorisation of the whole matrix", inverse(name).out)
        for i in range(big // 2):
            self.assertAlmostEqual(x[i][i + big // 2], 1.0 / (1.0 + i % 3), delta=1e-15)

    def test_it_is_bit_identical_when_repeated(self):
        name = write("a.mtx", coordinate(150, lower(random_matrix(150, 9))))
        first = self.inverted(name)[0]
        self.assertEqual(first, self.inverted(name)[0])

    def test_the_comment_of_the_file_tells_condition_and_bound(self):
        self.inverted(write("a.mtx", coordinate(3, [(0, 0, 4.0), (1, 1, 4.0), (2, 2, 4.0), (1, 0, 1.0)])))
        lines = read("x.mtx").decode().splitlines()
        self.assertEqual(lines[1], "% inverse of a.mtx, fp64, definite path")
        self.assertRegex(lines[2], r"^% condition [0-9.e+-]+, residual [0-9.e+-]+, error at most [0-9.e+-]+ relative in the 1-norm$")


class Refusals(Case):
    def test_an_unsymmetric_matrix_names_the_first_entry_that_breaks_symmetry(self):
        text = GENERAL + "% a comment\n3 3 5\n1 1 4\n2 2 4\n\n  3 1 -1.5\n3 3 4\n1 3 -1\n"
        said = ("a.mtx:7:3: error E226: {}the matrix is not symmetric: entry (3, 1) is -1.5, entry (1, 3) is -1; {}\n"
                "    3 1 -1.5\n    ^\n")
        name = write("a.mtx", text)
        self.refused(inverse(name, "--quiet"), 3, said.format("", "bandfem inverts symmetric matrices"))
        self.refused(solve(name, "--quiet"), 3, said.format("method inverse: ", "use another method"))

    def test_the_place_in_an_array(self):
        name = write("a.mtx", ARRAY + "general\n2 2\n1\n2\n% here\n3\n4\n")
        self.refused(inverse(name, "--quiet"), 3,
                     "a.mtx:4:1: error E226: the matrix is not symmetric: entry (2, 1) is 2, entry (1, 2) is 3; "
                     "bandfem inverts symmetric matrices\n  2\n  ^\n")

    def test_the_place_in_a_skew_symmetric_file(self):
        name = write("a.mtx", "%%MatrixMarket matrix array real skew-symmetric\n3 3\n0\n2\n1\n")
        self.refused(inverse(name, "--quiet"), 3,
                     "a.mtx:4:1: error E226: the matrix is not symmetric: entry (3, 1) is 2, entry (1, 3) is -2; "
                     "bandfem inverts symmetric matrices\n  2\n  ^\n")

    def test_singular_matrices(self):
        for text, order in ((coordinate(2, [(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0)]), 2), (coordinate(3, [(0, 0, 1.0)]), None)):
            answer = inverse(write("a.mtx", text), "--quiet", "--out", "never.mtx", "--json", "x.json")
            self.assertEqual(answer.status, 5)
            self.assertRegex(answer.err, r"^a.mtx: error E507: the matrix is singular: the leading block of order [0-9]+ is "
                                         r"the first that is singular \(.* path\)\n$")
            report = json.loads(read("x.json"))["inverse"]
            self.assertEqual((report["status"], report["residual"], report["file"]), ("singular", None, None))
            if order and BACKEND == "cpu":
                self.assertIn(f"block of order {order} ", answer.err)
            self.assertFalse(os.path.exists(path_of("never.mtx")))
        answer = solve("a.mtx", "--quiet", "--out", "never.mtx")
        self.assertEqual(answer.status, 5)
        self.assertIn("error E501: singular matrix: no usable pivot after", answer.err)

    def test_values_that_are_not_finite(self):
        self.refused(inverse(write("a.mtx", SYMMETRIC + "2 2 2\n1 1 1\n2 2 nan\n"), "--quiet"), 3,
                     "a.mtx:4:5: error E224: the value 'nan' is not finite\n  2 2 nan\n      ^\n")
        self.refused(inverse(write("a.mtx", coordinate(1, [(0, 0, 1.7e308), (0, 0, 1.7e308)])), "--quiet"), 3,
                     "a.mtx: note N230: 1 of the 2 entries repeat a position; their values are summed\n"
                     "a.mtx: error E224: the sum of the entries at (1, 1) is too large\n")
        name = write("a.mtx", coordinate(2, [(0, 0, 1e300), (1, 1, 1.0)]))
        self.refused(inverse(name, "--quiet", "--precision", "fp32"), 3,
                     "a.mtx: error E226: entry (1, 1) = 1e+300 is beyond the range of fp32; use --precision fp64\n")
        self.assertEqual(inverse(name, "--quiet").status, 0)
        name = write("a.mtx", coordinate(2, [(0, 0, 1e-310), (1, 1, 1.0)]))
        answer = inverse(name, "--quiet")
        self.assertEqual(answer.status, 5)
        self.assertIn("a.mtx: error E507: the ", answer.err)
        if BACKEND == "cpu":  # a device may find 1e-310 singular
            self.assertIn("inverse is not finite: entries of the matrix are too small or too large for fp64\n", answer.err)

    def test_ill_conditioned_is_a_warning(self):
        n = 14  # Hilbert's matrix: condition 1e18
        name = write("a.mtx", coordinate(n, [(i, j, 1.0 / (i + j + 1)) for i in range(n) for j in range(i + 1)]))
        answer = inverse(name, "--json", "x.json")
        self.assertIn(answer.status, (0, 5))
        if answer.status == 0:
            self.assertRegex(answer.err, r"^a.mtx: warning W508: the matrix is ill-conditioned: condition ")
            self.assertIn("no bound of the error", answer.out)
            self.assertIsNone(json.loads(read("x.json"))["inverse"]["error_bound"])

    def test_too_little_memory_is_refused_before_it_is_allocated(self):
        for n, more in ((3, ["--memory-limit", "1e-12"]), (32768, ["--memory-limit", "1e-6"])):
            name = write("a.mtx", coordinate(n, [(i, i, 1.0) for i in range(3)]))
            answer = inverse(name, "--quiet", *more)
            self.assertEqual(answer.status, 4)
            self.assertRegex(answer.err, rf"^a.mtx: error E401: the inverse of order {n} needs .* of memory on the "
                                         r"(cpu|cuda) backend \(matrix, inverse, workspace\), .* may be used; fp32 needs less\n$")
            answer = solve(name, "--quiet", *more)
            self.assertEqual(answer.status, 4)
            self.assertIn("error E401: the inverse of order", answer.err)

    def test_too_large_an_order(self):
        name = write("a.mtx", coordinate(32769, [(0, 0, 1.0)]))
        self.refused(inverse(name, "--quiet"), 3,
                     "a.mtx:2:1: error E226: the matrix has order 32769; the largest order of an inverse is 32768: solve systems "
                     "instead (bandfem solve)\n  32769 32769 1\n  ^\n")
        answer = solve(name, "--quiet")
        self.assertEqual(answer.status, 3)
        self.assertIn("error E226: method inverse: the matrix has order 32769, at most 32768; use another method\n", answer.err)

    def test_a_rectangular_matrix(self):
        self.refused(inverse(write("a.mtx", GENERAL + "2 3 1\n1 1 1\n"), "--quiet"), 3,
                     "a.mtx:2:1: error E226: the matrix is rectangular, 2 x 3: it has no inverse\n  2 3 1\n  ^\n")

    def test_files_that_cannot_be_written(self):
        name = write("a.mtx", coordinate(1, [(0, 0, 2.0)]))
        for option in ("--out", "--json"):
            answer = inverse(name, "--quiet", option, "none/x")
            self.assertEqual(answer.status, 7)
            self.assertIn("error E601: cannot write 'none/x'", answer.err)

    def test_the_input_is_not_removed(self):
        name = write("a.mtx", coordinate(1, [(0, 0, 2.0)]))
        self.assertEqual(inverse(name, "--out", name).status, 0)
        self.near(read_symmetric(name), [[0.5]])

    def test_the_command_line(self):
        for words, said in (([], "inverse: no matrix given"), (["a.mtx", "b.mtx"], "inverse: unknown option or argument 'b.mtx'"),
                            (["a.mtx", "--precison", "fp32"], "did you mean '--precision'?"),
                            (["a.mtx", "--precision", "fp16"], "--precision must be fp64 or fp32, got 'fp16'"),
                            (["a.mtx", "--memory-limit", "2"], "--memory-limit must be above 0 and at most 1, got '2'"),
                            (["a.mtx", "--backend", "gpu"], "--backend must be auto, cpu or cuda, got 'gpu'"),
                            (["a.mtx", "--out"], "a value is missing after '--out'")):
            answer = bandfem("inverse", *words)
            self.assertEqual(answer.status, 1)
            self.assertIn(said, answer.err)
        for words, said in ((["--max-iterations", "3"], "--max-iterations requires an iterative method, not --method inverse"),
                            (["--preconditioner", "none"], "--preconditioner requires an iterative method, not --method inverse")):
            answer = bandfem("solve", "a.mtx", "--method", "inverse", *words)
            self.assertEqual(answer.status, 1)
            self.assertIn(said, answer.err)
        answer = bandfem("solve", "a.mtx", "--memory-limit", "0.5")
        self.assertEqual(answer.status, 1)
        self.assertIn("--memory-limit requires --method inverse", answer.err)
        self.assertIn("bandfem inverse A.mtx [OPTIONS]", bandfem("inverse", "--help").out)


class Solutions(Case):
    def test_solutions_are_within_their_bounds(self):
        for n in (1, 2, 5, 9):
            for precision in ("fp64", "fp32"):
                with self.subTest(n=n, precision=precision):
                    a = random_matrix(n, 20 + n, 0.0 if n > 1 else 2.0)
                    b = [math.sin(i + 1.0) for i in range(n)]
                    write("a.mtx", coordinate(n, lower(a)))
                    write("b.mtx", ARRAY + f"general\n{n} 1\n" + "".join(f"{v!r}\n" for v in b))
                    answer = solve("a.mtx", "--rhs", "b.mtx", "--out", "x.mtx", "--json", "x.json", "--precision", precision)
                    self.assertEqual((answer.status, answer.err), (0, ""), answer.out)
                    report = json.loads(read("x.json"))
                    body = [float(v) for v in read("x.mtx").decode().splitlines()[-n:]]
                    want = [sum(v * Fraction(w) for v, w in zip(row, b)) for row in exact_inverse(a)]
                    error = max(abs(Fraction(x) - w) for x, w in zip(body, want)) / max(map(abs, map(Fraction, body)))
                    self.assertTrue(report["solve"]["converged"])
                    self.assertTrue(report["solve"]["forward_error_is_bound"])
                    self.assertLessEqual(float(error), report["solve"]["forward_error"])
                    self.assertLessEqual(report["solve"]["forward_error"], 1e-12)
                    self.assertIn("error of x at most", answer.out)
                    self.assertEqual(report["solve"]["method"], "inverse")

    def test_the_report_of_other_methods(self):
        write("a.mtx", coordinate(3, [(i, i, 4.0) for i in range(3)] + [(1, 0, -1.0)]))
        for method, name in (("auto", "cg"), ("bicgstab", "bicgstab"), ("direct", "direct")):
            backend = "cpu" if method == "direct" else BACKEND
            answer = bandfem("solve", "a.mtx", "--method", method, "--backend", backend, "--json", "x.json")
            self.assertEqual((answer.status, answer.err), (0, ""))
            report = json.loads(read("x.json"))
            self.assertEqual((report["solve"]["method"], report["solve"]["converged"]), (name, True))
            self.assertNotIn("inverse", report)
            self.assertFalse(report["solve"]["forward_error_is_bound"])
            self.assertLessEqual(report["solve"]["true_residual"], 1e-8)


if __name__ == "__main__":
    main(first=lambda: inverse(write("first.mtx", coordinate(1, [(0, 0, 1.0)]))))

"""tests/solvers/t466_mtx_nodes.py - bandfem solve with --components and --coordinates: multigrid of elasticity from outside

usage: t466_mtx_nodes.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

The matrix: a bar of 24 x 4 x 4 cubes, trilinear elements, nu = 0.3, one end fixed, assembled here; nodes in a shuffled order.
"""
# SPDX-License-Identifier: BSD-3-Clause
import itertools
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
import program  # noqa: E402
from program import BACKEND, bandfem, main, report, write  # noqa: E402

CELLS = (24, 4, 4)
CORNERS = list(itertools.product((-1, 1), repeat=3))
GAUSS = [[g * 3**-0.5 for g in c] for c in CORNERS]


def element():
    """The stiffness of a unit cube, E = 1: eight points, strains by shape derivatives."""
    nu = 0.3
    lam, mu = nu / ((1 + nu) * (1 - 2 * nu)), 0.5 / (1 + nu)
    K = [[0.0] * 24 for _ in range(24)]
    for p in GAUSS:
        d = [[0.25 * c[a] * (1 + c[(a + 1) % 3] * p[(a + 1) % 3]) * (1 + c[(a + 2) % 3] * p[(a + 2) % 3]) for a in range(3)] for c in CORNERS]
        for i, j in itertools.product(range(8), repeat=2):
            trace = sum(d[i][a] * d[j][a] for a in range(3))
            for a, b in itertools.product(range(3), repeat=2):
                K[3 * i + a][3 * j + b] += (lam * d[i][a] * d[j][b] + mu * d[i][b] * d[j][a] + (a == b) * mu * trace) / 8.0
    return K


def bar(seed=7):
    shape = [n + 1 for n in CELLS]
    nodes = list(itertools.product(*(range(n) for n in shape)))
    random.Random(seed).shuffle(nodes)
    number = {x: i for i, x in enumerate(nodes)}
    K, A = element(), {}
    for cell in itertools.product(*(range(n) for n in CELLS)):
        mine = [number[tuple(o + (s > 0) for o, s in zip(cell, c))] for c in CORNERS]
        for i, j in itertools.product(range(24), repeat=2):
            at = (3 * mine[i // 3] + i % 3, 3 * mine[j // 3] + j % 3)
            A[at] = A.get(at, 0.0) + K[i][j]
    fixed = {3 * number[x] + c for x in nodes if x[0] == 0 for c in range(3)}
    A = {(i, j): v for (i, j), v in A.items() if (i == j or (i not in fixed and j not in fixed)) and j <= i}
    n = 3 * len(nodes)
    write("bar.mtx", f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(A)}\n"
          + "".join(f"{i + 1} {j + 1} {v!r}\n" for (i, j), v in sorted(A.items())))
    write("xyz.mtx", f"%%MatrixMarket matrix array real general\n{len(nodes)} 3\n"
          + "".join(f"{x[a]}\n" for a in range(3) for x in nodes))
    b = [0.0] * n
    for (i, j), v in A.items():
        b[i] += v * (1.0 + j / n)
        b[j] += v * (1.0 + i / n) if i != j else 0.0
    write("b.mtx", f"%%MatrixMarket matrix array real general\n{n} 1\n" + "".join(f"{v!r}\n" for v in b))
    write("plane.mtx", f"%%MatrixMarket matrix array real general\n{len(nodes)} 2\n" + "0\n" * (2 * len(nodes)))


MULTIGRID = ("--preconditioner", "multigrid")


class Nodes(program.Case):
    @classmethod
    def setUpClass(cls):
        bar()

    def solve(self, *words):
        answer = bandfem("solve", "bar.mtx", "--backend", BACKEND, *MULTIGRID, "--json", "r.json", *words, status=0)
        return answer, program.json.loads(program.read("r.json"))["solve"]

    def test_rotations_on_coarse_levels_save_iterations(self):
        scalar, nodes, body = (self.solve(*w)[1]["iterations"] for w in
                               ((), ("--components", "3"), ("--components", "3", "--coordinates", "xyz.mtx")))
        self.assertLessEqual(body, 20)
        self.assertLess(2 * body, nodes)
        self.assertLess(2 * body, scalar)

    def test_the_solution_keeps_the_order_of_the_file(self):
        answer, _ = self.solve("--components", "3", "--coordinates", "xyz.mtx", "--reorder", "rcm", "--rhs", "b.mtx", "--out", "x.mtx")
        self.assertIn("coordinates xyz.mtx", answer.out)
        values = [float(v) for v in program.read("x.mtx").decode().split("\n")[4:] if v]
        self.assertLess(max(abs(v - 1.0 - i / 1875) for i, v in enumerate(values)), 1e-5)

    def test_the_same_in_every_format_of_rows(self):
        for form in ("csr", "csr16", "bcsr"):
            self.assertLessEqual(self.solve("--components", "3", "--coordinates", "xyz.mtx", "--format", form)[1]["iterations"], 20)

    def test_coordinates_of_another_shape_are_an_error_with_its_place(self):
        answer = bandfem("solve", "bar.mtx", *MULTIGRID, "--components", "3", "--coordinates", "plane.mtx", status=3)
        self.assertIn("plane.mtx:2:1: error E231: the coordinates are 625 x 2, expected 625 x 3: one row per node, one column per component",
                      answer.err)

    def test_rows_that_are_no_whole_nodes(self):
        write("five.mtx", "%%MatrixMarket matrix coordinate real general\n5 5 5\n" + "".join(f"{i} {i} 1\n" for i in range(1, 6)))
        answer = bandfem("solve", "five.mtx", *MULTIGRID, "--components", "2", status=3)
        self.assertIn("error E226: --components 2: the matrix has 5 rows, not a multiple of 2", answer.err)

    def test_options_that_do_not_fit(self):
        for words, text in ((("--components", "3"), "--components requires --preconditioner multigrid"),
                            ((*MULTIGRID, "--coordinates", "xyz.mtx"), "--coordinates requires --components 2 or 3"),
                            ((*MULTIGRID, "--components", "4"), "unknown value '4' of --components")):
            self.assertIn(text, bandfem("solve", "bar.mtx", *words, status=1).err)


main()

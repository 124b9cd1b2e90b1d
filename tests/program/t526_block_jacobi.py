"""tests/program/t526_block_jacobi.py - preconditioner: block_jacobi as its user meets it: decks, bandfem solve, words, records

usage: t526_block_jacobi.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no device
"""
# SPDX-License-Identifier: BSD-3-Clause
import os

import program
from program import BACKEND, SOURCE, Case, example, history, main, report, write

BLOCKS = ("-s", "solver.preconditioner=block_jacobi")


def bandfem(*words):
    backend = ("--backend", BACKEND) if words[0] in ("run", "solve") else ()
    return program.bandfem(*words, *backend, timeout=200)


def matrix(name):
    return os.path.join(SOURCE, "inputs", "matrices", name + ".mtx")


def run(name, *words, out="out"):
    answer = bandfem("run", "--verbose", example(name), "--out", out, *words)
    return answer, report(out)["solve"]


class BlockJacobi(Case):
    def test_a_deck_meets_its_checks_with_it_and_the_report_tells_of_the_blocks(self):
        answer, solve = run("cantilever", *BLOCKS)
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.assertEqual(solve["preconditioner"], "block_jacobi")
        blocks = solve["blocks"]
        self.assertEqual((blocks["count"], blocks["singular"], blocks["values"]), (30, 0, "fp32"))
        self.assertTrue(8 <= blocks["smallest"] <= blocks["largest"] <= 72, blocks)
        self.assertEqual(blocks["largest"] % 3, 0)
        self.assertGreaterEqual(blocks["partition_seconds"], 0.0)
        self.assertLessEqual(blocks["setup_seconds"], solve["seconds"])
        for said in ("blocks    30 parts of about 64 unknowns along the couplings", "blocks of", "inverted in",
                     "solver       cg, preconditioner block_jacobi", "blocks       30 of"):
            self.assertIn(said, answer.out)

    def test_larger_blocks_take_fewer_iterations(self):
        few = run("cantilever", *BLOCKS, "-s", "solver.block_size=480")[1]["iterations"]
        many = run("cantilever", *BLOCKS, "-s", "solver.block_size=64")[1]["iterations"]
        self.assertLess(2 * few, many)

    def test_blocks_of_one_unknown_are_jacobi(self):
        blocks = run("heated_block", *BLOCKS, "-s", "solver.block_size=1", "-s", "solver.block_values=fp64")[1]
        plain = run("heated_block", "-s", "solver.preconditioner=jacobi", out="plain")[1]
        self.assertEqual(blocks["blocks"]["largest"], 1)
        self.assertEqual(blocks["iterations"], plain["iterations"])

    def test_every_method_format_and_precision_solves_with_it(self):
        for words in (("-s", "solver.method=bicgstab"), ("-s", "solver.method=bicg"), ("-s", "matrix.values=fp32"),
                      ("-s", "matrix.format=ell"), ("-s", "matrix.format=coo"), ("-s", "matrix.format=hyb"),
                      ("-s", "matrix.storage=full"), ("-s", "solver.block_values=fp64"), ("-s", "solver.rtol=1e-10")):
            answer, solve = run("heated_block", *BLOCKS, *words)
            self.assertEqual((answer.status, answer.err), (0, ""), words)
            self.assertEqual(solve["reason"], "converged")

    def test_an_unsymmetric_deck_solves_with_it(self):
        for method in ("bicgstab", "bicg"):
            answer, solve = run("duct", *BLOCKS, "-s", "solver.method=" + method)
            self.assertEqual((answer.status, answer.err, solve["method"]), (0, "", method))

    def test_generalised_finite_elements_and_phantom_rows_solve_with_it(self):
        for name in ("gfem_disc", "cantilever_hex8"):
            answer, solve = run(name, *BLOCKS)
            self.assertEqual((answer.status, answer.err, solve["blocks"]["singular"]), (0, "", 0))

    def test_blocks_along_the_couplings_pay_where_elements_are_stretched(self):
        few = run("cooling_fin")[1]["iterations"]
        many = run("cooling_fin", "-s", "solver.block_parts=metis", out="metis")[1]["iterations"]  # E112: its own check
        self.assertLess(3 * few, many)

    def test_the_same_run_has_the_same_bits(self):
        run("heated_block", *BLOCKS, out="one")
        run("heated_block", *BLOCKS, out="two")
        self.assertEqual(history("one"), history("two"))

    def test_check_forecasts_the_blocks_and_refuses_what_does_not_fit(self):
        answer = bandfem("check", example("cantilever"), *BLOCKS, "--out", "check")
        self.assertIn("blocks of the preconditioner        1.7", answer.out)
        answer = bandfem("check", example("cantilever"), *BLOCKS, "-s", "device.memory_limit=1e-5", "--out", "check")
        self.says(answer, 4, "error E401", "blocks of the preconditioner 1.742 MiB", "a smaller block_size")

    def test_a_factorisation_uses_none(self):
        answer = bandfem("check", example("cantilever"), *BLOCKS, "-s", "solver.method=direct", "--out", "check")
        self.says(answer, 0, "W115")
        self.assertNotIn("blocks of the preconditioner", answer.out)


class Solve(Case):
    def test_matrices_from_files(self):
        for name, words in (("plate", ()), ("wind", ()), ("wind", ("--method", "bicg")), ("plate", ("--block-values", "fp64")),
                            ("plate", ("--precision", "fp32")), ("wind", ("--block-parts", "metis")), ("wind", ("--reorder", "file", "--format", "csr"))):
            answer = bandfem("solve", matrix(name), "--preconditioner", "block_jacobi", "--block-size", "32", *words)
            self.assertEqual((answer.status, answer.err), (0, ""), words)
            if "metis" in words:
                self.assertIn("blocks    18 parts of about 32 rows by METIS", answer.out)
            else:
                self.assertRegex(answer.out, "blocks    (1[89]|2[0-2]) parts of about 32 rows along the couplings")
            error = float(answer.out.split("error     of x: ")[1].split()[0])
            self.assertLess(error, 1e-6)

    def test_options_that_do_not_fit_are_refused(self):
        for words, said in ((("--block-size", "8"), "--block-size requires --preconditioner block_jacobi"),
                            (("--block-values", "fp64"), "--block-values requires --preconditioner block_jacobi"),
                            (("--preconditioner", "block_jacobi", "--block-size", "0"), "from 1 to 480, got '0'"),
                            (("--preconditioner", "block_jacobi", "--block-size", "481"), "from 1 to 480, got '481'"),
                            (("--preconditioner", "block_jacobi", "--block-size", "8.5"), "from 1 to 480, got '8.5'"),
                            (("--preconditioner", "block_jacoby"), "did you mean 'block_jacobi'?"),
                            (("--block_size", "8"), "did you mean '--block-size'?"),
                            (("--method", "direct", "--preconditioner", "block_jacobi"), "not --method direct")):
            answer = bandfem("solve", matrix("plate"), *words)
            self.says(answer, 1, said)
            self.assertEqual(answer.err.count("\n"), 1)

    def test_a_block_without_an_inverse_is_named_and_the_solve_goes_on(self):
        n = 12  # pairs that are coupled and have nothing on the diagonal: a block of one of them has no inverse
        write("pairs.mtx", f"%%MatrixMarket matrix coordinate real general\n{n} {n} {n}\n" +
              "".join(f"{i} {i + 1} {i + 1}\n{i + 1} {i} {i + 2}\n" for i in range(1, n + 1, 2)))
        answer = bandfem("solve", "pairs.mtx", "--preconditioner", "block_jacobi", "--block-size", "1", "--method",
                         "bicgstab", "--reorder", "file")
        self.assertIn("pairs.mtx: warning W503: 12 of 12 blocks have no inverse and were replaced by their diagonals; "
                      "the first is that of row 1\n", answer.err)
        answer = bandfem("solve", "pairs.mtx", "--preconditioner", "block_jacobi", "--block-size", "12", "--method",
                         "bicgstab")
        self.assertEqual((answer.status, answer.err), (0, ""))


if __name__ == "__main__":
    main(first=lambda: bandfem("run", example("heated_block")))

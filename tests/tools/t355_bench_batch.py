"""tests/tools/t355_bench_batch.py - tables of batched kernels: whole rows, small residuals, other programs' rows, one file

usage: t355_bench_batch.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys
import unittest

sys.path.insert(0, sys.argv[2] + "/tests/program")
from program import bandfem, bench, main, write  # noqa: E402

KERNELS = {"lu": {"getrf"}, "inverse": {"inverse", "getrf + getri", "getri"}, "cholesky": {"potrf"},
           "eigen": {"heev", "heev, half of the matrices alone", "heev, every other one diagonal"}, "pencil": {"hegv"}}
HEADING = "table,case,kernel,seconds,error,failed\n"


class Batches(unittest.TestCase):
    def test_every_row_is_whole_and_every_residual_small(self):
        for table, kernels in KERNELS.items():
            seen = bench(table)
            self.assertEqual({r["kernel"] for r in seen}, kernels)
            self.assertEqual({r["case"][0] for r in seen}, set("sdcz"))
            for r in seen:
                self.assertIsNone(r.get(None), r)
                self.assertLess(float(r["error"]), 10.0 if table in ("eigen", "pencil") else 1.0, r)
                self.assertGreater(float(r["error"]), 0.0, r)
                self.assertEqual(r["failed"], "0", r)
                for column in ("seconds", "bytes", "gflop_per_s", "share_of_floor"):
                    self.assertGreater(float(r[column]), 0.0, r)

    def test_flops_are_the_standard_counts(self):
        for table, count in (("lu", 2 / 3), ("inverse", 2), ("cholesky", 1 / 3)):
            for r in bench(table, "--case", "z33x20"):
                part = 2 / 3 if r["kernel"] == "getri" else 1  # of the factors
                flops = 20 * part * count * 4 * 33 ** 3
                self.assertAlmostEqual(float(r["gflop_per_s"]) * float(r["seconds"]) * 1e9 / flops, 1.0, places=4)

    def test_rows_of_other_programs_are_peers(self):
        write("others.csv", HEADING + "lu,d8x100,Slow 1.0,1.0e0,0.1,0\nlu,d8x100,Fast 2.0,1.0e-1,0.1,0\ninverse,d8x100,No 1,1,0.1,0\n")
        seen = bench("lu", "--case", "d8x100", "--others", "others.csv")
        self.assertEqual([r["kernel"] for r in seen], ["Slow 1.0", "Fast 2.0", "getrf"])
        self.assertAlmostEqual(float(seen[2]["peer_over_this"]) * float(seen[2]["seconds"]), 1.0, places=2)
        self.assertAlmostEqual(float(seen[2]["best_peer_over_this"]) * float(seen[2]["seconds"]), 0.1, places=3)

    def test_a_case_may_be_any_type_order_and_number_of_matrices(self):
        for table, kernels in KERNELS.items():
            seen = bench(table, "--case", "s5x7", "--case", "z11x3")
            self.assertEqual([r["case"] for r in seen], len(kernels) * ["s5x7"] + len(kernels) * ["z11x3"])

    def test_all_tables_go_to_one_file_with_one_heading(self):
        seen = bench("all", "--case", "d8x100", "--case", "d4x100", "--case", "d11")
        self.assertEqual([t for t in dict.fromkeys(r["table"] for r in seen)],
                         ["paper", "lu", "inverse", "cholesky", "eigen", "pencil"])

    def test_the_symmetric_inverse_has_a_row_for_every_method(self):
        seen = bench("syinv")
        self.assertEqual({r["case"] for r in seen}, {"d100-spd", "s100-spd", "d100-indefinite", "d100-variants", "s100-bordering"})
        for name in ("syinv", "syinv, one Newton-Schulz step", "syinv, pivoted", "bordering, one row and column at a time"):
            self.assertIn(name, {r["kernel"] for r in seen})
        for r in seen:
            self.assertEqual(r["failed"], "0", r)
            self.assertLess(float(r["error"]), 1.0, r)
            self.assertEqual(r["difference"] != "", r["case"] == "s100-bordering", r)
        compared = {r["kernel"]: r for r in seen if r["difference"]}
        self.assertEqual(float(compared["bordering, one row and column at a time"]["difference"]), 0.0)  # the same bits
        self.assertTrue(1e-9 < float(compared["syinv"]["relative_difference"]) < 1e-5, compared["syinv"])

    def test_mistakes_are_reported(self):
        for text, part in (("", ":1: expected table,case"), (HEADING + "lu,d8x100,Name,0,0,0\n", ":2: expected table"),
                           (HEADING + "lu,d8x100,Name,1e-3\n", ":2: expected table")):
            answer = bandfem("bench", "lu", "--quick", "--others", write("others.csv", text), timeout=300)
            self.assertNotEqual(answer.status, 0, text)
            self.assertIn(part, answer.err)
        self.assertIn("cannot read", bandfem("bench", "lu", "--quick", "--others", "none.csv", timeout=300).err)
        for case in ("d0x5", "d5x0", "d5", "d5x5x", "d5x+5", "d05x5", "e5x5", "d5x99999999999"):
            answer = bandfem("bench", "eigen", "--quick", "--backend", "cpu", "--case", case, timeout=300)
            self.assertIn(f"no case '{case}'", answer.err)


if __name__ == "__main__":
    main()

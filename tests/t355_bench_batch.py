"""tests/t355_bench_batch.py - tables of batched kernels: whole rows, small residuals, other programs' rows, one file

usage: t355_bench_batch.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else
"""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE = (os.path.abspath(p) for p in sys.argv[1:3])
PROGRAM = os.path.join(BUILD, "bandfem")
KERNELS = {"lu": {"getrf"}, "inverse": {"inverse", "getrf + getri", "getri"}, "cholesky": {"potrf"},
           "eigen": {"heev", "heev, half of the matrices alone", "heev, every other one diagonal"}, "pencil": {"hegv"}}
HEADING = "table,case,kernel,seconds,error,failed\n"


def bench(*words):
    return subprocess.run([PROGRAM, "bench", *words], capture_output=True, text=True, timeout=300, check=False,
                          env=dict(os.environ, OMP_WAIT_POLICY="passive"))


def rows(*words):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        done = bench(*words, "--quick", "--backend", "cpu", "--csv", path)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        with open(path, encoding="ascii") as file:
            return list(csv.DictReader(file))


class Batches(unittest.TestCase):
    def test_every_row_is_whole_and_every_residual_small(self):
        for table, kernels in KERNELS.items():
            seen = rows(table)
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
            for r in rows(table, "--case", "z33x20"):
                part = 2 / 3 if r["kernel"] == "getri" else 1  # of the factors
                flops = 20 * part * count * 4 * 33 ** 3
                self.assertAlmostEqual(float(r["gflop_per_s"]) * float(r["seconds"]) * 1e9 / flops, 1.0, places=4)

    def test_rows_of_other_programs_are_peers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "others.csv")
            with open(path, "w", encoding="ascii") as file:
                file.write(HEADING + "lu,d8x100,Slow 1.0,1.0e0,0.1,0\nlu,d8x100,Fast 2.0,1.0e-1,0.1,0\ninverse,d8x100,No 1,1,0.1,0\n")
            seen = rows("lu", "--case", "d8x100", "--others", path)
        self.assertEqual([r["kernel"] for r in seen], ["Slow 1.0", "Fast 2.0", "getrf"])
        self.assertAlmostEqual(float(seen[2]["peer_over_this"]) * float(seen[2]["seconds"]), 1.0, places=2)
        self.assertAlmostEqual(float(seen[2]["best_peer_over_this"]) * float(seen[2]["seconds"]), 0.1, places=3)

    def test_a_case_may_be_any_type_order_and_number_of_matrices(self):
        for table, kernels in KERNELS.items():
            seen = rows(table, "--case", "s5x7", "--case", "z11x3")
            self.assertEqual([r["case"] for r in seen], len(kernels) * ["s5x7"] + len(kernels) * ["z11x3"])

    def test_all_tables_go_to_one_file_with_one_heading(self):
        seen = rows("all", "--case", "d8x100", "--case", "d4x100", "--case", "d11")
        self.assertEqual([t for t in dict.fromkeys(r["table"] for r in seen)],
                         ["paper", "lu", "inverse", "cholesky", "eigen", "pencil"])

    def test_mistakes_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, part in (("", ":1: expected table,case"), (HEADING + "lu,d8x100,Name,0,0,0\n", ":2: expected table"),
                               (HEADING + "lu,d8x100,Name,1e-3\n", ":2: expected table")):
                path = os.path.join(folder, "others.csv")
                with open(path, "w", encoding="ascii") as file:
                    file.write(text)
                done = bench("lu", "--quick", "--others", path)
                self.assertNotEqual(done.returncode, 0, text)
                self.assertIn(part, done.stderr)
            done = bench("lu", "--quick", "--others", os.path.join(folder, "none.csv"))
            self.assertIn("cannot read", done.stderr)
        for case in ("d0x5", "d5x0", "d5", "d5x5x", "d5x+5", "d05x5", "e5x5", "d5x99999999999"):
            done = bench("eigen", "--quick", "--backend", "cpu", "--case", case)
            self.assertIn(f"no case '{case}'", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])

"""tests/tools/t353_bench.py - the tables of bandfem bench: every kernel of a case gives the same product, rows are whole

usage: t353_bench.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys

sys.path.insert(0, sys.argv[2] + "/tests/program")
from program import Case, bandfem, bench, main  # noqa: E402


class Bench(Case):
    def test_products_of_all_formats_agree(self):
        seen = bench("spmv", "--case", "grid128", "--case", "band27", "--case", "tet", "--case", "random")
        self.assertEqual({r["case"] for r in seen}, {"grid128", "band27", "tet", "random"})
        self.assertGreaterEqual(len(seen), 2 * 6 + 2 * 2)
        for r in seen:
            self.assertLess(float(r["error"]), 2e-7 if "fp32" in r["kernel"] else 5e-15, r)
            self.assertGreater(float(r["seconds"]), 0.0, r)
            self.assertGreater(float(r["bytes"]), 0.0, r)

    def test_every_format_of_the_publication_agrees(self):
        seen = bench("paper", "--case", "d11")
        words = {r["kernel"].split()[0] for r in seen}
        self.assertGreaterEqual(words, {"coo", "csr", "ell", "hyb", "dia", "bdia"})
        for r in seen:
            self.assertLess(float(r["error"]), 2e-7 if "fp32" in r["kernel"] else 5e-15, r)

    def test_iterations_are_timed(self):
        for table in ("cg", "bicgstab"):
            seen = bench(table, "--case", "grid128")
            self.assertIn("csr fp64", {r["kernel"] for r in seen})
            self.assertEqual({(r["table"], r["case"]) for r in seen}, {(table, "grid128")})

    def test_mistakes_are_reported(self):
        for words, part in ((("spmv", "--case", "grid"), "no case 'grid'"), (("spmv", "--case"), "a value is missing"),
                            (("cg", "--slow"), "unknown option or argument '--slow'"), (("cg", "--backend", "gpu"), "not 'gpu'"),
                            (("spmv", "--csv", "no/such/file"), "cannot write 'no/such/file'")):
            answer = bandfem("bench", words[0], "--quick", *words[1:], timeout=300)
            self.assertNotEqual(answer.status, 0, words)
            self.assertIn(part, answer.err)


if __name__ == "__main__":
    main()

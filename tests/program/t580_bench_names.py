"""tests/program/t580_bench_names.py - bandfem bench names its tables and cases, and answers misspelt ones

usage: t580_bench_names.py BUILD_DIR SOURCE_DIR [unittest options]
"""
# SPDX-License-Identifier: BSD-3-Clause
from program import Case, bandfem, main, write


class Names(Case):
    def test_every_table_stands_in_the_list_with_a_line(self):
        got = bandfem("bench", "list", status=0)
        for table in ("spmv", "paper", "cg", "bicgstab", "transpose", "coo2csr", "lu", "inverse", "cholesky", "eigen", "pencil",
                      "syinv", "published", "once"):
            self.assertRegex(got.out, rf"\n  {table} +\w")

    def test_the_cases_of_a_table_are_listed_without_a_measurement(self):
        got = bandfem("bench", "spmv", "--list", status=0, timeout=10)
        self.assertIn("  band27\n", got.out)
        self.assertNotIn("GB/s", got.out)
        for table, case in (("lu", "s8x10000"), ("syinv", "d500-spd")):
            self.assertIn(f"  {case}\n", bandfem("bench", table, "--list", "--backend", "cpu", status=0, timeout=10).out)

    def test_a_listed_case_can_be_run(self):
        case = bandfem("bench", "cg", "--list", "--quick", "--backend", "cpu", status=0).out.split()[0]
        self.assertIn(f"{case}: ", bandfem("bench", "cg", "--quick", "--case", case, "--backend", "cpu", status=0).out)

    def test_a_misspelt_table_is_answered_with_the_nearest(self):
        self.says(bandfem("bench", "spvm"), 1, "no table and no deck 'spvm'; did you mean 'spmv'? bandfem bench list")
        self.says(bandfem("bench", "zzzzzzzz"), 1, "no table and no deck 'zzzzzzzz'; bandfem bench list")

    def test_a_misspelt_deck_is_a_deck(self):
        self.says(bandfem("bench", "nowhere.yaml"), 2, "nowhere.yaml: error E100")

    def test_a_misspelt_case_names_the_list(self):
        self.says(bandfem("bench", "spmv", "--case", "band28", "--list"), 1, "no case 'band28'; bandfem bench spmv --list")

    def test_a_second_deck_is_refused(self):
        write("a.yaml", b"deck: 1\n")
        self.says(bandfem("run", "a.yaml", "b.yaml"), 1, "one deck at a time; second deck 'b.yaml'; see bandfem run --help")


main()

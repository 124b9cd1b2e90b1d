"""tests/program/t510_cli.py - the program as its user meets it: exit status, words on stderr, files, for decks good and bad

usage: t510_cli.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

A message is expected whole: file:line:column of the words that are wrong, the code, and the caret below them.
"""
# SPDX-License-Identifier: BSD-3-Clause
import itertools
import json
import os
import random
import re
import signal

import program
from bad_inputs import deck_text, plate
from program import (ENVIRONMENT, FILES, SOURCE, bandfem, displacement, example, has_device, history, main, path_of, peak, read,
                     report, start, write)

BAR = "{generate: {box: {size: [1.0, 0.2, 0.2], cells: [6, 2, 2], element: hex8}}}"
DECK = {"mesh": BAR, "physics": "elasticity",
        "materials": "\n  steel: {group: volume, E: 2.1e+11, nu: 0.3}",
        "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1.0e+6]}"}
HEAT = {"physics": "heat", "materials": "\n  steel: {group: volume, k: 50.0}",
        "boundary": "\n  - {group: x_min, type: temperature, value: 20.0}\n  - {group: x_max, type: flux, value: 1.0e+4}"}
CHECKED = "\n  - {quantity: reaction.x_min.z, expect: 4.0e+4, rtol: 1.0e-6}\n  - {quantity: iterations, report: true}"


def deck(name, **sections):
    return write(name + ".yaml", deck_text(DECK, **sections))


def run(name, *words, **sections):
    return bandfem("run", deck(name, **sections), "--quiet", "--out", name, *words)


def msh(name, nodes, elements, names):
    """Gmsh 2.2: nodes {tag: (x, y, z)}, elements [(type, physical, nodes)], names {(dimension, tag): name}."""
    return write(name, plate(nodes=nodes, elements=elements, names=names))


def box(cells, corner=(0.0, 0.0, 0.0), first=1, order=None):
    """Nodes and elements of unit cells: hex8 of group 1, quad4 of x_min of group 2; order: tags of the nodes."""
    n = [c + 1 for c in cells]
    places = list(itertools.product(range(n[2]), range(n[1]), range(n[0])))
    tags = order or range(first, first + len(places))
    tag = {(i, j, k): t for (k, j, i), t in zip(places, tags)}
    nodes = {t: tuple(c + x for c, x in zip(corner, (float(i), float(j), float(k)))) for (i, j, k), t in tag.items()}
    ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
    solid = [(5, 1, [tag[i + a, j + b, k + c] for c in (0, 1) for a, b in ring])
             for k in range(cells[2]) for j in range(cells[1]) for i in range(cells[0])]
    side = [(3, 2, [tag[0, j + a, k + b] for a, b in ring]) for k in range(cells[2]) for j in range(cells[1])]
    return nodes, solid, side


class Case(program.Case):
    def fails(self, result, status, name, code, words, *said):
        """Exit status, then on stderr name.yaml:line:column of `words` in the deck, the code, what is said, the caret."""
        lines = read(name + ".yaml").decode().split("\n")
        line = next(i for i, text in enumerate(lines) if words in text)
        column = lines[line].index(words) + 1
        head = f"{name}.yaml:{line + 1}:{column}: error {code}: "
        got = result.err.split("\n")
        self.assertEqual(result.status, status, result.err)
        self.assertIn(head, result.err)
        at = next(i for i, text in enumerate(got) if text.startswith(head))
        for text in said:
            self.assertIn(text, got[at])
        self.assertEqual(got[at + 1:at + 3], ["  " + lines[line], " " * (column + 1) + "^"])


class CommandLine(Case):
    def test_no_arguments_show_the_usage_and_fail(self):
        got = bandfem()
        self.says(got, 1, "bandfem run DECK.yaml", "exit status")
        self.assertEqual(got.out, "")

    def test_help_shows_the_usage(self):
        got = bandfem("--help")
        self.assertEqual((got.status, got.err), (0, ""))
        for word in ("run", "check", "info", "bench", "schema", "--version", "--quiet", "-s KEY=VALUE"):
            self.assertIn(word, got.out)

    def test_every_command_shows_its_own_help(self):
        for command, part in (("run", "--backend auto|cpu|cuda"), ("check", "setup.vtk"), ("info", "--device"),
                              ("solve", "--rhs b.mtx"), ("bench", "published"), ("schema", "--json")):
            got = bandfem(command, "--help")
            self.assertEqual((got.status, got.err), (0, ""))
            self.assertTrue(got.out.startswith(f"bandfem {command} "), got.out)
            self.assertIn(part, got.out)
            self.assertEqual(bandfem("help", command).out, got.out)
        self.says(bandfem("rum", "--help"), 1, "no command 'rum'")

    def test_version_names_the_version_and_the_compiler(self):
        got = bandfem("--version")
        self.assertEqual((got.status, got.err), (0, ""))
        self.assertRegex(got.out, r"^bandfem \d+\.\d+\.\d+ \(commit .+, compiler .+, (without CUDA|CUDA compiler .+)\)\n$")

    def test_an_unknown_command_is_answered_with_the_nearest(self):
        self.says(bandfem("rum"), 1, "no command 'rum'", "did you mean 'run'?")
        self.says(bandfem("zzzzzz"), 1, "no command 'zzzzzz'; see bandfem --help")

    def test_words_a_command_cannot_take_are_refused(self):
        deck("words")
        for words, said in ((["run", "words.yaml", "--fast"], "unknown option '--fast'; see bandfem run --help"),
                            (["run", "words.yaml", "other.yaml"], "one deck at a time; second deck 'other.yaml'"),
                            (["run", "words.yaml", "--csv", "x"], "unknown option '--csv'"),
                            (["check", "words.yaml", "--backend", "cpu"], "unknown option '--backend'"),
                            (["run", "words.yaml", "--out"], "a value is missing after '--out'"),
                            (["run", "words.yaml", "--backend", "gpu"], "--backend must be auto, cpu or cuda, got 'gpu'"),
                            (["run"], "no deck given"), (["check"], "no deck given"),
                            (["info"], "expected one mesh or matrix file"), (["schema", "x"], "unknown option or argument 'x'"),
                            (["--version", "x"], "unknown option or argument 'x'")):
            got = bandfem(*words)
            self.says(got, 1, said)
            self.assertEqual(got.out, "")

    def test_schema_is_the_reference_page(self):
        got = bandfem("schema")
        self.assertEqual(got.out, read(SOURCE, "docs/deck.md").decode())
        self.assertEqual((got.status, got.err), (0, ""))

    def test_schema_can_be_json(self):
        got = bandfem("schema", "--json")
        self.assertEqual((got.status, got.err), (0, ""))
        self.assertEqual(sorted(json.loads(got.out)["$defs"]), [p + n for p in ("advection_diffusion", "elasticity", "heat") for n in ("", "_with_parameters")])
        self.says(bandfem("--version", "--json"), 1, "unknown option or argument '--json'")


class Overrides(Case):
    def test_a_value_of_the_command_line_takes_the_place_of_the_decks(self):
        self.assertEqual(run("set", "-s", "matrix.format=csr", "-s", "solver.rtol=1e-3", "-s", "solver.rtol=1e-10",
                             "-s", "mesh.generate.box.cells=[3, 2, 2]", "-s", "title='a: b'").status, 0)
        got = report("set")
        self.assertEqual((got["title"], got["matrix"]["format"], got["matrix"]["n"]), ("a: b", "csr", 108))
        self.assertLess(float(history("set")[-1][1]), 1e-10)

    def test_check_takes_them_too(self):
        self.assertIn("csr", bandfem("check", deck("set2"), "-s", "matrix.format=csr").out)
        self.says(bandfem("check", "set2.yaml", "-s", "solver.rtol=2"), 2,
                  "command line: -s solver.rtol: error E105: 'rtol' is 2, outside")

    def test_mistakes_have_the_command_line_for_their_place(self):
        name = deck("set3")
        for word, code, said in (("solver.methud=cg", "E101", "did you mean 'method'?"),
                                 ("solver.coarse=3", "E107", "not available in this version"),
                                 ("materials.steel.k=3", "E107", "requires physics heat"),
                                 ("materials.steel.E='1 + q'", "E110", "character 5 of its text")):
            for command in ("run", "check", "bench"):
                key = word.partition("=")[0]
                got = bandfem(command, name, "-s", word)
                self.says(got, 2, f"command line: -s {key}: error {code}: ", said)
                self.assertEqual(got.err.count("\n"), 1)

    def test_an_override_that_is_none_is_a_wrong_command_line(self):
        name = deck("set4")
        self.says(bandfem("run", name, "-s"), 1, "a value is missing after '-s'")
        self.says(bandfem("run", name, "-s", "solver.rtol"), 1, "-s: expected key=value, got 'solver.rtol'")
        self.says(bandfem("run", name, "-s", "=1"), 1, "-s: expected key=value")
        self.says(bandfem("check", name, *["-s", "title=a"] * 65), 1, "more than 64")


class JsonErrors(Case):
    """--errors=json: every line of stderr is an object."""
    KEYS = ["severity", "code", "file", "line", "column", "text"]

    def lines(self, result):
        got = [json.loads(line) for line in result.err.splitlines()]
        for line in got:
            self.assertEqual(list(line), self.KEYS)
        return got

    def test_all_mistakes_of_a_deck_come_with_their_places(self):
        name = deck("json1", solver="\n  methud: cg\n  rtol: 2.0", title='"\\"\u00c5\\ttab"', colour="red")
        for command in ("run", "check", "bench"):
            got = bandfem(command, name, "--errors=json")
            lines = self.lines(got)
            self.assertEqual(got.status, 2)
            self.assertEqual([(d["severity"], d["code"], d["file"], d["column"]) for d in lines],
                             [("error", "E101", name, 3), ("error", "E105", name, 9), ("error", "E101", name, 1)])
            self.assertIn("unknown key 'methud' in 'solver'; did you mean 'method'?", lines[0]["text"])
            text = bandfem(command, name, "--errors=text").err
            self.assertEqual(text, bandfem(command, name).err)
            for d in lines:
                self.assertIn(f"{name}:{d['line']}:{d['column']}: error {d['code']}: {d['text']}\n", text)

    def test_what_is_not_known_is_null(self):
        got = self.lines(bandfem("check", deck("json2"), "--errors=json", "-s", "solver.rtoll=1"))
        self.assertEqual([(d["file"], d["line"], d["column"]) for d in got],
                         [("command line: -s solver.rtoll", None, None)])

    def test_more_than_twenty_are_counted_in_a_note(self):
        write("json3.yaml", "deck: 1\n" + "".join(f"wrong{i}: 1\n" for i in range(30)))
        got = self.lines(bandfem("check", "json3.yaml", "--errors=json"))
        self.assertEqual([d["severity"] for d in got], ["error"] * 20 + ["note"])
        self.assertRegex(got[20]["text"], r"^\.\.\. and \d+ more errors$")

    def test_a_name_in_another_encoding_is_still_json(self):
        got = self.lines(bandfem("info", b"\xff\x01\"n.msh", "--errors=json"))
        self.assertEqual(got[0]["code"], "E201")
        self.assertIn("\ufffd\x01\"n.msh", got[0]["text"])

    def test_a_run_that_does_not_converge_and_a_failed_check_are_told(self):
        few = "{max_iterations: 3, on_failure: %s}"
        for word, said in (("stop", ("error", "E501")), ("warn", ("warning", "W501"))):
            got = self.lines(run("json4", "--errors=json", solver=few % word))
            self.assertEqual([(d["severity"], d["code"]) for d in got], [said])
        got = self.lines(run("json5", "--errors=json", checks="\n  - {quantity: iterations, expect: 1, atol: 0.5}"))
        self.assertEqual([d["code"] for d in got], ["E112"])

    def test_a_wrong_command_line_is_an_object_without_a_code(self):
        for words, said in ((["run"], "run: no deck given"), (["info"], "info: expected one mesh or matrix file, or --device"),
                            (["schema", "x"], "schema: unknown option or argument 'x'"), (["rum"], "did you mean 'run'?"),
                            (["check", "a", "--errors"], "expected --errors=text or json, got '--errors'")):
            got = bandfem(*words, "--errors=json")
            lines = self.lines(got)
            self.assertEqual((got.status, len(lines), lines[0]["severity"], lines[0]["code"]), (1, 1, "error", None))
            self.assertIn(said, lines[0]["text"])

    def test_a_good_run_says_nothing(self):
        self.assertEqual(run("json6", "--errors=json").err, "")


class ResolvedDeck(Case):
    def rerun(self, name):
        """deck.resolved.yaml, run in another folder, gives the same picture and itself."""
        source = path_of(name, "deck.resolved.yaml")
        text = read(source).decode()
        self.assertEqual(bandfem("run", source, "--quiet", "--out", name + "_again").status, 0)
        self.assertEqual(read(name, "case.vtk"), read(name + "_again", "case.vtk"))
        again = read(name + "_again", "deck.resolved.yaml").decode()
        self.assertEqual(again, text.replace(f"dir: {name}\n", f"dir: {name}_again\n"))
        return text

    def test_it_has_every_default_and_the_values_of_the_command_line(self):
        run("res1", "-s", "solver.rtol=1e-5", "--backend", "cpu")
        text = self.rerun("res1")
        for line in ("rtol: 1e-5", "monitor_every: 10", "formats: [vtkhdf, vtk]", "backend: cpu", "dir: res1",
                     "E: 2.1e+11", "groups: [volume]", "memory_limit: 0.9"):
            self.assertIn(f"  {line}\n", text)
        self.assertEqual(bandfem("check", "res1/deck.resolved.yaml", "--quiet").status, 0)

    def test_a_formula_and_a_probe_come_back(self):
        run("res2", checks=CHECKED, output="\n  probes: {tip: {at: [1.0, 0.1, 0.1]}}", title='"a: \\"b\\", c"',
            materials='\n  steel: {group: volume, E: "2e11*(1 + x)", nu: 0.3}')
        self.assertIn('E: "2e11*(1 + x)"\n', self.rerun("res2"))

    def test_the_mesh_is_found_from_the_folder_of_the_results(self):
        nodes, solid, side = box((2, 1, 1))
        msh("res/meshes/two.msh", nodes, solid + side, {(3, 1): "volume", (2, 2): "x_min"})
        name = deck("res/decks/two", mesh="{file: ../meshes/two.msh}", boundary="\n  - {group: x_min, type: fixed}",
                    loads="\n  - {type: body_force, value: [0.0, 0.0, 1.0]}")
        self.assertEqual(bandfem("run", name, "--quiet", "--out", "res3").status, 0)
        self.rerun("res3")

    def test_the_example_decks_come_back(self):
        for name in ("cantilever", "heated_block"):
            self.assertEqual(bandfem("run", example(name), "--quiet", "--out", "res_" + name).status, 0)
            self.rerun("res_" + name)


class GoodRuns(Case):
    def test_a_quiet_run_prints_nothing_and_writes_its_files(self):
        got = run("quiet", checks=CHECKED)
        self.assertEqual((got.status, got.out, got.err), (0, "", ""))
        self.assertEqual(sorted(os.listdir(path_of("quiet"))), FILES)

    def test_a_run_tells_its_steps_and_ends_with_the_table(self):
        got = bandfem("run", "--verbose", deck("loud", checks=CHECKED), "--out", "loud")
        self.assertEqual((got.status, got.err), (0, ""))
        for text in ("mesh      box: 63 nodes", "27 diagonals", "<- chosen", "backend   cpu", "iteration    10",
                     "converged: true residual", "all phases", "passed", "verdict      VALID", "files     loud/: "):
            self.assertIn(text, got.out)
        seconds = [float(s) for s in re.findall(r"^(?:deck|mesh|model|solve|write).*?  \d+ +(\d+\.\d{6})", got.out, re.M)]
        self.assertGreaterEqual(len(seconds), 8)

    def test_only_the_formats_asked_for_are_written_and_named(self):
        got = bandfem("run", "--verbose", deck("one", output="{formats: [vtk]}"), "--out", "one")
        self.assertEqual(sorted(os.listdir(path_of("one"))), FILES[1:])
        self.assertIn("files     one/: case.vtk, view.py, deck.resolved.yaml, report.html, report.json, residuals.csv", got.out)

    def test_the_folder_is_out_and_the_name_of_the_deck_unless_told(self):
        self.assertEqual(bandfem("run", deck("plain"), "--quiet").status, 0)
        self.assertEqual(bandfem("run", deck("told", output="{dir: some/where}"), "--quiet").status, 0)
        self.assertEqual(sorted(os.listdir(path_of("out/plain"))), FILES)
        self.assertEqual(sorted(os.listdir(path_of("some/where"))), FILES)

    def test_the_report_is_json_with_status_checks_probes_and_reactions(self):
        run("report", checks=CHECKED, title='"a \\"quoted\\" title"',
            output="\n  probes: {tip: {at: [1.0, 0.1, 0.1], fields: [displacement]}}")
        got = report("report")
        self.assertEqual((got["title"], got["status"], got["converged"]), ('a "quoted" title', "converged", True))
        text = json.dumps(got)
        self.assertIn('"quantity": "reaction.x_min.z"', text)
        self.assertEqual([c["passed"] for c in got["checks"] if "expected" in c and c["expected"] is not None], [True])
        self.assertAlmostEqual(got["checks"][0]["got"], 4.0e4, delta=1e-2)
        self.assertIn('"tip"', text)
        self.assertEqual(got["matrix"]["n"], 189)
        self.assertEqual(got["matrix"]["diagonals"], 27)

    def test_the_residuals_are_one_row_an_iteration_and_fall(self):
        run("rows")
        lines = read("rows", "residuals.csv").decode().splitlines()
        rows = [line.split(",") for line in lines[1:]]
        self.assertEqual(lines[0], "iteration,residual,true_residual,seconds")
        self.assertEqual(len(rows), report("rows")["solve"]["iterations"] + 1)
        self.assertEqual([int(r[0]) for r in rows], list(range(len(rows))))
        self.assertEqual(float(rows[0][1]), 1.0)
        self.assertLess(float(rows[-1][1]), 1e-8)
        self.assertLess(float(rows[-1][2]), 1e-8)
        seconds = [float(r[3]) for r in rows]
        self.assertEqual(seconds, sorted(seconds))

    def test_a_repeated_run_gives_the_same_bits_on_any_number_of_threads(self):
        pictures, histories = set(), set()
        for name, threads in (("again1", "2"), ("again2", "2"), ("again3", "1")):
            env = dict(ENVIRONMENT, OMP_NUM_THREADS=threads)
            self.assertEqual(bandfem("run", deck("again"), "--quiet", "--out", name, env=env).status, 0)
            pictures.add(read(name, "case.vtk"))
            histories.add(tuple(map(tuple, history(name))))
        self.assertEqual((len(pictures), len(histories)), (1, 1))

    def test_a_deck_named_from_another_folder_finds_its_mesh(self):
        nodes, solid, side = box((2, 1, 1))
        msh("far/meshes/two.msh", nodes, solid + side, {(3, 1): "volume", (2, 2): "x_min"})
        deck("far/decks/two", mesh="{file: ../meshes/two.msh}", boundary="\n  - {group: x_min, type: fixed}",
             loads="\n  - {type: body_force, value: [0.0, 0.0, 1.0]}")
        os.makedirs(path_of("elsewhere/deep"), exist_ok=True)
        got = bandfem("run", "../../far/decks/two.yaml", "--quiet", cwd=path_of("elsewhere/deep"))
        self.assertEqual((got.status, got.err), (0, ""))
        self.assertEqual(sorted(os.listdir(path_of("elsewhere/deep/out/two"))), FILES)


class SameAnswer(Case):
    """One small problem by every way through the program."""
    def compare(self, name, reference):
        u = displacement(name)
        scale = max(map(abs, reference))
        self.assertGreater(scale, 1e-6)
        self.assertEqual(len(u), len(reference))
        self.assertLess(max(abs(a - b) for a, b in zip(u, reference)), 1e-6 * scale, name)

    def test_formats_precisions_methods_and_preconditioners_agree(self):
        self.assertEqual(run("ref", solver="{rtol: 1.0e-12}").status, 0)
        reference = displacement("ref")
        for storage, values, method, helper in itertools.product(
                ("bdia full", "bdia symmetric", "csr auto"), ("fp64", "fp32"), ("cg", "bicgstab"), ("none", "jacobi")):
            form, half = storage.split()
            got = run("same", matrix=f"{{format: {form}, storage: {half}, values: {values}}}",
                      solver=f"{{method: {method}, preconditioner: {helper}, rtol: 1.0e-9}}")
            self.assertEqual((got.status, got.err), (0, ""), (storage, values, method, helper))
            used = report("same")
            self.assertEqual([used["matrix"][k] for k in ("format", "values")] +
                             [used["solve"][k] for k in ("method", "preconditioner")], [form, values, method, helper])
            self.assertEqual(used["matrix"]["storage"], "symmetric" if half == "symmetric" else "full")
            self.compare("same", reference)

    def test_the_other_formats_agree(self):
        self.assertEqual(run("ref3", solver="{rtol: 1.0e-12}").status, 0)
        for storage, values in itertools.product(("csr16 auto", "ell auto", "hyb full", "dia auto", "coo auto", "hybrid full",
                                                  "hybrid symmetric"), ("fp64", "fp32")):
            form, half = storage.split()
            got = run("other", matrix=f"{{format: {form}, storage: {half}, values: {values}}}", solver="{rtol: 1.0e-9}")
            self.assertEqual((got.status, got.err), (0, ""), (storage, values))
            used = report("other")["matrix"]
            self.assertEqual((used["format"], used["values"]), (form, values))
            self.assertEqual(used["storage"], "symmetric" if half == "symmetric" else "full")
            self.compare("other", displacement("ref3"))

    def test_a_format_that_does_not_fit_is_refused_at_its_word(self):
        for form in ("csr", "csr16", "ell", "hyb", "dia", "coo"):
            got = run("nohalf", matrix=f"{{format: {form}, storage: symmetric}}")
            self.assertEqual(got.status, 2)
            self.assertIn(f"error E106: format {form} has no symmetric storage; use storage: auto or full", got.err)
        tags = list(range(1, 4 * 3001 + 1))
        random.Random(2).shuffle(tags)
        nodes, solid, side = box((3000, 1, 1), order=tags)
        msh("long.msh", dict(sorted(nodes.items())), solid + side, {(3, 1): "volume", (2, 2): "x_min"})
        got = bandfem("check", deck("far", mesh="{file: long.msh}", boundary="\n  - {group: x_min, type: fixed}",
                                    matrix="{format: csr16, reorder: file}"), "--out", "far")
        self.assertEqual(got.status, 4)
        self.assertRegex(got.err, r"far.yaml:8:18: error E402: this mesh has a half-bandwidth of 3[56]\d\d\d rows, too many for the "
                                  r"16-bit columns of format csr16; use format: auto or csr")

    def test_numberings_agree(self):
        self.assertEqual(run("ref2", solver="{rtol: 1.0e-12}").status, 0)
        for order in ("file", "lexicographic", "rcm", "levels", "auto"):
            got = run("order", matrix=f"{{reorder: {order}}}", solver="{rtol: 1.0e-9}")
            self.assertEqual((got.status, got.err), (0, ""), order)
            self.assertIn("" if order == "auto" else order, report("order")["matrix"]["reorder"])
            self.compare("order", displacement("ref2"))

    def test_a_shuffled_mesh_comes_back_with_27_diagonals_and_the_same_answer(self):
        cells, generator, answers = (6, 5, 4), random.Random(1), []
        for name, shuffled in (("inorder", False), ("shuffled", True)):
            tags = list(range(1, 7 * 6 * 5 + 1))
            if shuffled:
                generator.shuffle(tags)
            nodes, solid, side = box(cells, order=tags)
            if shuffled:
                generator.shuffle(solid)
                nodes = dict(sorted(nodes.items()))
            msh(name + ".msh", nodes, solid + side, {(3, 1): "volume", (2, 2): "x_min"})
            text = deck(name, mesh=f"{{file: {name}.msh}}", boundary="\n  - {group: x_min, type: fixed}",
                        matrix="{format: bdia}", loads="\n  - {type: body_force, value: [0.0, 0.0, \"1 + x\"]}",
                        solver="{rtol: 1.0e-11}")
            got = bandfem("run", "--verbose", text, "--out", name)
            self.assertEqual((got.status, got.err), (0, ""))
            self.assertRegex(got.out, r"(?m)^\* \w+.* 27 ")
            self.assertEqual(report(name)["matrix"]["diagonals"], 27)
            u = displacement(name)
            answers.append([v for t in tags for v in u[3 * (sorted(nodes).index(t)):][:3]])
        before = report("shuffled")["matrix"]
        self.assertGreater(before["half_bandwidth_before"], 2 * before["half_bandwidth_after"])
        scale = max(map(abs, answers[0]))
        self.assertLess(max(abs(a - b) for a, b in zip(*answers)), 1e-6 * scale)


class BadDecks(Case):
    def test_a_misspelt_key_is_answered_with_the_nearest_and_the_list(self):
        self.fails(run("key", solver="{methud: cg}"), 2, "key", "E101", "methud",
                   "unknown key 'methud' in 'solver'; did you mean 'method'? valid: method, preconditioner")

    def test_all_mistakes_of_a_deck_are_shown_at_once(self):
        got = run("three", solver="{methud: cg, rtol: quick}", device="{backend: gpu}")
        self.fails(got, 2, "three", "E101", "methud")
        self.fails(got, 2, "three", "E103", "quick")
        self.fails(got, 2, "three", "E105", "gpu")

    def test_a_deck_that_cannot_be_read_is_exit_2(self):
        self.says(bandfem("run", "gone.yaml"), 2, "gone.yaml: error E100: cannot read the deck: No such file")
        self.says(bandfem("run", "."), 2, "error E100")
        self.says(bandfem("run", write("binary.yaml", bytes(range(256)))), 2, "binary.yaml", "E100")

    def test_a_probe_outside_the_mesh_is_told_before_the_solve(self):
        probe = "\n  probes: {far: {at: [5.0, 0.0, 0.0]}}"
        self.fails(run("probe", output=probe), 2, "probe", "E111", "[5.0", "no element contains probe 'far'", "(1, 0.2, 0.2)")
        self.fails(bandfem("check", deck("probe2", output=probe)), 2, "probe2", "E111", "[5.0")
        self.assertFalse(os.path.exists(path_of("probe")))

    def test_a_check_of_an_unknown_group_is_told_before_the_solve(self):
        self.fails(run("where", checks="\n  - {quantity: \"integral(von_mises, nowhere)\", report: true}"), 2, "where",
                   "E111", '"integral', "no group 'nowhere'")
        self.fails(run("free", checks="\n  - {quantity: reaction.x_max.z, expect: 1.0, rtol: 0.1}"), 2, "free", "E108",
                   "reaction.x_max", "no reaction")
        self.assertFalse(os.path.exists(path_of("where")))

    def test_a_check_without_a_value_does_not_cost_the_results(self):
        self.fails(run("infinite", checks="\n  - {quantity: iterations/(unknowns-189), expect: 1.0, rtol: 0.1}"), 2,
                   "infinite", "E111", "iterations/", "inf")
        self.assertEqual(sorted(os.listdir(path_of("infinite"))), FILES)
        self.assertFalse(report("infinite")["checks"][0]["passed"])
        self.assertNotIn("VALID", json.dumps(report("infinite")))


class BadModels(Case):
    def test_an_unknown_group_is_answered_with_the_groups_of_the_mesh(self):
        self.fails(run("group", boundary="\n  - {group: x_minn, type: fixed}"), 3, "group", "E203", "x_minn",
                   "did you mean 'x_min'? the mesh has: volume (3-D), x_min (2-D)")

    def test_elements_without_a_material_are_an_error(self):
        nodes, solid, side = box((2, 1, 1))
        msh("two.msh", nodes, [solid[0], (5, 3, solid[1][2])] + side,
            {(3, 1): "volume", (3, 3): "core", (2, 2): "x_min"})
        self.says(run("cover", mesh="{file: two.msh}", boundary="\n  - {group: x_min, type: fixed}"), 3,
                  "cover.yaml:5:", "error E205: 1 element", "tag 2", "'core'")

    def test_two_materials_of_an_element_are_an_error(self):
        self.fails(run("twice", materials="\n  a: {group: volume, E: 1.0, nu: 0.3}\n  b: {group: \"3:1\", E: 2.0, nu: 0.3}"),
                   3, "twice", "E206", '"3:1"', "'a'")
        self.fails(run("twice2", materials="\n  a: {group: volume, E: 1.0, nu: 0.3}\n  b: {groups: [volume], E: 2.0, nu: 0.3}"),
                   2, "twice2", "E106", "volume], E: 2.0", "'volume' already has material 'a' (line 5)")

    def test_a_free_body_is_refused_with_its_six_motions(self):
        got = run("free6", boundary="\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1.0e+6]}")
        self.fails(got, 3, "free6", "E301", "{group: x_max", "6 rigid-body modes remain", "translation x, translation y and "
                   "translation z", "rotation about x", "rotation about y", "rotation about z")

    def test_one_normal_support_leaves_three_motions(self):
        got = run("free3", boundary="\n  - {group: x_min, type: symmetry}")
        self.fails(got, 3, "free3", "E301", "{group: x_min", "3 rigid-body modes remain", "rotation about x", "translation y",
                   "translation z")
        self.assertNotIn("translation x", got.err)
        self.assertNotIn("rotation about y", got.err)

    def test_the_free_one_of_two_parts_is_named(self):
        nodes, solid, side = box((2, 1, 1))
        more, loose, _ = box((1, 1, 1), corner=(10.0, 0.0, 0.0), first=100)
        msh("parts.msh", {**nodes, **more}, solid + loose + side, {(3, 1): "volume", (2, 2): "x_min"})
        got = run("parts", mesh="{file: parts.msh}", boundary="\n  - {group: x_min, type: fixed}")
        self.fails(got, 3, "parts", "E301", "{group: x_min", "6 rigid-body modes remain", "part", "10")
        self.assertEqual(got.err.count("E301"), 1)

    def test_heat_without_a_temperature_is_refused(self):
        got = run("level", **{**HEAT, "boundary": "\n  - {group: x_min, type: flux, value: 1.0}"})
        self.fails(got, 3, "level", "E301", "{group: x_min", "the temperature level of the model is undetermined", "flux sum 0.04 W is not zero")

    def test_conflicting_values_name_both_lines(self):
        got = run("conflict", boundary="\n  - {group: x_min, type: fixed}\n  - {group: y_min, type: displacement, x: 1.0e-3}")
        self.fails(got, 3, "conflict", "E302", "{group: y_min", "displacement x = 0.001 on node 1 (0, 0, 0)", "(line 7)")

    def test_poissons_ratio_must_be_below_a_half(self):
        self.fails(run("nu", materials="\n  steel: {group: volume, E: 1.0, nu: 0.5}"), 3, "nu", "E303", "0.5}",
                   "'nu' is 0.5, outside (-1,0.5)")

    def test_gravity_needs_a_density(self):
        self.fails(run("rho", loads="\n  - {type: gravity, g: [0.0, 0.0, -9.81]}"), 3, "rho", "E304", "{type: gravity",
                   "density of material 'steel' (line 5)", "add rho")

    def test_an_inverted_element_is_named(self):
        nodes, solid, side = box((2, 1, 1))
        crooked = solid[1][2][1::-1] + solid[1][2][2:]
        msh("inverted.msh", nodes, [solid[0], (5, 1, crooked)] + side, {(3, 1): "volume", (2, 2): "x_min"})
        got = run("inverted", mesh="{file: inverted.msh}", boundary="\n  - {group: x_min, type: fixed}")
        self.says(got, 3, "error E208: element 2 (hex8) is inverted")

    def test_a_missing_mesh_file_is_told_at_the_line_of_the_deck(self):
        self.fails(run("gone", mesh="{file: gone.msh}"), 3, "gone", "E201", "gone.msh",
                   "cannot open 'gone.msh': No such file or directory")
        self.says(run("folder", mesh="{file: .}"), 3, "error E201: cannot open")


class Memory(Case):
    def test_a_huge_box_is_refused_at_once_and_nothing_is_allocated(self):
        for cells, element in ((4000, "hex8"), (900, "hex20"), (900, "hex8"), (100000, "tet10")):
            name = deck("huge", mesh=f"{{generate: {{box: {{size: [1.0, 1.0, 1.0], cells: [{cells}, {cells}, {cells}], "
                        f"element: {element}}}}}}}")
            for command in ("run", "check"):
                got, kib, seconds = peak(command, name, "--quiet")
                self.fails(got, 4, "huge", "E401", f"[{cells}, {cells}", "nodes and elements need ",
                           "may be used; use a coarser mesh")
                self.assertLess(kib, 1 << 20)
                self.assertLess(seconds, 5.0)

    def test_a_matrix_past_the_limit_of_the_deck_is_refused(self):
        with open("/proc/meminfo", encoding="utf-8") as file:
            available = 1024 * int(re.search(r"MemAvailable: +(\d+)", file.read()).group(1))
        fraction = f"{1.0e6 / available:.3e}"
        got = run("limit", "--backend", "cpu", mesh=BAR.replace("[6, 2, 2]", "[12, 12, 12]"), device=f"{{memory_limit: {fraction}}}")
        self.fails(got, 4, "limit", "E401", fraction, "the run needs ", "MiB on the cpu backend (matrix ", "may be used")

    def test_a_limit_below_the_mesh_is_refused(self):
        self.fails(run("limit2", device="{memory_limit: 1.0e-12}"), 4, "limit2", "E401", "[6, 2, 2]", "without the matrix")


class Device(Case):
    def test_cuda_asked_for_where_there_is_none_is_exit_4(self):
        if has_device():
            self.skipTest("this machine has a CUDA device")
        self.fails(run("cuda", device="{backend: cuda}"), 4, "cuda", "E403", "cuda}", "backend 'cuda': ")
        self.says(run("cuda2", "--backend", "cuda"), 4, "error E403: backend 'cuda': ")
        self.assertFalse(os.path.exists(path_of("cuda")))


class NotConverged(Case):
    def flagged(self, name):
        self.assertEqual(sorted(os.listdir(path_of(name))), FILES)
        got = report(name)
        self.assertFalse(got["converged"])
        self.assertRegex(got["status"], "^NOT CONVERGED: .* after 3 iterations")
        self.assertEqual(got["solve"]["iterations"], 3)
        for file in ("case.vtk", "case.hdf"):
            self.assertIn(b"NOT CONVERGED", read(name, file), file)
        self.assertTrue(read(name, "case.vtk").split(b"\n")[1].startswith(b"NOT CONVERGED"))

    def test_it_is_exit_5_and_every_file_says_so(self):
        got = run("stopped", solver="{max_iterations: 3}", title="a beam")
        self.says(got, 5, "stopped.yaml: error E501: ", "after 3 iterations", "try solver.max_iterations above 3, or method: direct (")
        self.assertEqual(got.out, "")
        self.flagged("stopped")

    def test_it_is_a_warning_where_the_deck_wants_that(self):
        self.says(run("warned", solver="{max_iterations: 3, on_failure: warn}"), 0, "warned.yaml: warning W501: ")
        self.flagged("warned")

    def test_a_good_run_is_not_flagged(self):
        run("fine")
        for file in FILES:
            self.assertNotIn(b"NOT CONVERGED", read("fine", file), file)


class Checks(Case):
    def test_a_failing_check_is_exit_6_and_the_files_are_written(self):
        got = run("failing", checks="\n  - {quantity: reaction.x_min.z, expect: 1.0, rtol: 0.1}" + CHECKED)
        self.fails(got, 6, "failing", "E112", "reaction.x_min.z, expect: 1.0", "= 40000", "expected 1 (rtol 0.1)")
        self.assertEqual(got.err.count("E112"), 1)
        self.assertEqual(sorted(os.listdir(path_of("failing"))), FILES)
        self.assertEqual([c.get("passed") for c in report("failing")["checks"]], [False, True, None])
        self.assertIn("A CHECK FAILED", json.dumps(report("failing")))


class Files(Case):
    def test_a_file_in_the_way_of_the_folder_is_exit_7_before_the_solve(self):
        write("way", "x")
        got = bandfem("run", deck("blocked", output="{dir: way/a}"))
        self.fails(got, 7, "blocked", "E601", "way/a", "cannot create folder 'way': a file has this name")
        self.assertNotIn("iteration", got.out)
        self.says(run("way"), 7, "error E601: cannot create folder 'way': a file has this name")

    def test_a_folder_in_the_way_of_a_file_is_exit_7(self):
        os.makedirs(path_of("occupied/case.vtk"), exist_ok=True)
        got = run("occupied")
        self.says(got, 7, "error E601: cannot write 'occupied/case.vtk': ")
        self.assertEqual(got.out, "")

    def test_a_folder_name_too_long_is_exit_7(self):
        self.says(bandfem("run", deck("long"), "--quiet", "--out", "a/" * 2000), 7, "error E601")

    def test_a_run_killed_in_the_solve_leaves_nothing_that_looks_like_a_result(self):
        name = deck("killed", mesh=BAR.replace("[6, 2, 2]", "[40, 12, 12]"), solver="{rtol: 3.0e-16, monitor_every: 1}")
        process = start("run", "--verbose", name, "--out", "killed", text=True)
        seen = [line for line in iter(process.stdout.readline, "") if "iteration " not in line or process.kill()]
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL, seen[-3:])
        self.assertEqual([f for f in os.listdir(path_of("killed")) if not f.endswith(".part")], [])


class CheckAndInfo(Case):
    def test_condensation_is_left_out_where_it_does_not_pay(self):
        for cells, backend, method, off in [("[4, 4, 4]", "cpu", "cg", True), ("[8, 8, 8]", "cpu", "cg", False),
                                            ("[8, 8, 8]", "cuda", "cg", True), ("[4, 4, 4]", "cpu", "direct", False)]:
            got = bandfem("check", example("torsion"), "--out", "setup", "-s", "discretization.condense=auto", "-s", "device.backend=" + backend,
                          "-s", "solver.method=" + method, "-s", "mesh.generate.box.cells=" + cells)
            self.assertEqual("condense  off: about" in got.out, off, (cells, backend, method))
            self.assertEqual("center nodes are eliminated element by element" in got.out, not off, (cells, backend, method))

    def test_every_example_deck_can_be_run(self):
        folder = os.path.join(SOURCE, "inputs/decks")
        decks = sorted(f for f in os.listdir(folder) if f.endswith(".yaml"))
        self.assertGreaterEqual(len(decks), 7)
        for name in decks:
            if name == "pipe_stress.yaml":  # reads the result of heated_pipe: t597_result_field
                continue
            path = os.path.join(folder, name)
            got = bandfem("check", path, "--out", "setup")
            quiet = bandfem("check", path, "--quiet", "--out", "setup")
            self.assertEqual((got.status, quiet.status, quiet.out), (0, 0, ""), name)
            said = [re.sub(r".*: (warning \w+): .*", r"\1", line) for line in got.err.splitlines() if path in line]
            self.assertEqual(said, {"boundary_layer.yaml": ["warning W312"], "hourglass.yaml": ["warning W328"]}.get(name, []), name)
            self.assertIn(f": OK, {len(said)} warnings", got.out)
            self.assertEqual(quiet.err, got.err, name)
            self.assertEqual(sorted(os.listdir(path_of("setup"))), ["setup.vtk", "setup_sides.vtk"])

    def test_check_finds_what_run_would(self):
        self.fails(bandfem("check", deck("bad", solver="{methud: cg}")), 2, "bad", "E101", "methud")
        self.fails(bandfem("check", deck("bad2", loads="\n  - {type: gravity, g: [0.0, 0.0, -9.81]}")), 3, "bad2", "E304",
                   "{type: gravity")

    def test_info_describes_every_mesh(self):
        folders = [os.path.join(SOURCE, f) for f in ("inputs/meshes", "tests/meshes")]
        meshes = [os.path.join(f, n) for f in folders for n in sorted(os.listdir(f)) if n.endswith(".msh")]
        self.assertGreaterEqual(len(meshes), 20)
        for mesh in meshes:
            got = bandfem("info", mesh)
            self.assertEqual(got.status, 0, got.err)
            self.assertNotIn("error", got.err)
            for text in ("mesh      ", "groups    ", "measure   ", "quality   ", "parts     ", "memory    ", "csr"):
                self.assertIn(text, got.out, mesh)

    def test_info_refuses_what_is_no_mesh(self):
        good = box((1, 1, 1))
        msh("one.msh", *(good[0], good[1]), {(3, 1): "volume"})
        text = read("one.msh").decode()
        crossed = (5, 1, good[1][0][2][1::-1] + good[1][0][2][2:])
        msh("b_crossed.msh", good[0], [crossed], {(3, 1): "volume"})
        msh("b_lines.msh", good[0], [(1, 1, [1, 2])], {(1, 1): "line"})
        broken = {"b_empty.msh": ("", "E201: the file is empty"),
                  "b_pointer.msh": ("version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
                  "b_page.msh": ("<html>\n", "not a Gmsh mesh"),
                  "b_version.msh": (text.replace("2.2 0 8", "3.0 0 8"), "convert the file: gmsh -save"),
                  "b_short.msh": (text[:text.index("$EndNodes") - 20], "b_short.msh:"),
                  "b_count.msh": (text.replace("$Nodes\n8", "$Nodes\n99999999999"), "b_count.msh:"),
                  "b_node.msh": (text.replace("5 2 1 1 1 ", "5 2 1 1 77 "), "node 77"),
                  "b_nan.msh": (text.replace("\n1 0 0 0\n", "\n1 nan 0 0\n"), "node 1"),
                  "b_prism.msh": (text.replace("1 5 2 1 1", "1 6 2 1 1"), "E207")}
        for name, (bytes_, said) in broken.items():
            self.assertNotEqual(bytes_, text, name)
            self.says(bandfem("info", write(name, bytes_)), 3, "error E2", said)
        self.says(bandfem("info", "b_crossed.msh"), 3, "E208")
        self.says(bandfem("info", "b_lines.msh"), 3, "E207")
        self.says(bandfem("info", "gone.msh"), 3, "E201: cannot open 'gone.msh': No such file or directory")
        self.says(bandfem("info", "."), 3, "E201")


if __name__ == "__main__":
    main()

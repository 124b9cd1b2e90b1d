"""tests/program/t685_report_page.py - report.html is well-formed, complete, without network, and shows texts of users as texts

usage: t685_report_page.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import base64
import html.parser
import os
import re
import struct
import sys
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

sys.path.insert(0, sys.argv[2] + "/tests/program")
from program import SOURCE, bandfem, example, main, path_of, read, report, write  # noqa: E402

X = "{http://www.w3.org/1999/xhtml}"
S = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert(1)</script> & \"x\" 'y' </title>"
DECK = """deck: 1
title: "{title}"
mesh: {{generate: {{box: {{size: [1.0, 0.2, 0.2], cells: [4, 1, 1], element: hex8}}}}}}
physics: elasticity
materials:
  "{name}": {{group: volume, E: 2.1e+11, nu: 0.3}}
boundary:
  - {{group: x_min, type: fixed}}
  - {{group: x_max, type: traction, value: [1000.0, 0.0, -500.0]}}
output:
  probes: {{tip: {{at: [1.0, 0.1, 0.1], fields: [displacement]}}}}
{output}
checks:
  - {{quantity: probe.tip.displacement.x, report: true, note: "{note}"}}
  - {{quantity: reaction.x_min.z, expect: 20.0, rtol: 1.0e-8}}
"""


class Strict(html.parser.HTMLParser):
    """Every element is closed, in order."""
    VOID = {"meta", "link", "img", "br"}

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes another element")


def page(folder):
    text = read(folder, "report.html").decode("utf-8")
    parsed = Strict(text)
    if parsed.open:
        raise AssertionError(f"not closed: {parsed.open}")
    return text, ElementTree.fromstring(text)


def run(folder, *words, status=0, **parts):
    write(folder + ".yaml", DECK.format(**{"title": "a bar", "name": "steel", "output": "", "note": "", **parts}))
    return bandfem("run", folder + ".yaml", "--quiet", "--out", folder, *words, status=status)


def texts(root):
    return " ".join("".join(root.itertext()).split())


def pixels(png):
    """Width and height; the data must decompress to the size of a picture with one byte per pixel."""
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        raise AssertionError("no PNG")
    at, data, size = 8, b"", None
    while at < len(png):
        n, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + n]
        if struct.unpack(">I", png[at + 8 + n:at + 12 + n])[0] != zlib.crc32(kind + body):
            raise AssertionError(f"checksum of {kind}")
        size = struct.unpack(">II", body[:8]) if kind == b"IHDR" else size
        data += body if kind == b"IDAT" else b""
        at += 12 + n
    if len(zlib.decompress(data)) != (size[0] + 1) * size[1]:
        raise AssertionError("a picture of another size")
    return size


class Page(unittest.TestCase):
    def test_a_static_run_has_every_section(self):
        run("bar")
        text, root = page("bar")
        ids = [e.get("id") for e in root.iter(X + "section")]
        self.assertEqual(ids, ["pictures", "values", "model", "matrix", "solve", "warnings", "origin"])
        words = texts(root)
        for part in ("VALID", "a bar", "steel: E 2.1e+11, nu 0.3 on volume", "4 elements, 20 nodes, 0.04 m3",
                     "traction [1000, 0, -500] on x_max", "(40, 0, -20) N", "12 of 60 unknowns prescribed (x 4, y 4, z 4)",
                     "von_mises_nodal", "probe.tip.displacement.x", "passed", "half-bandwidth", "(-40, 0, 20) N", "backend", "argv"):
            self.assertIn(part, words)
        largest = report("bar")["extremes"][0]
        self.assertIn(f"{largest['value']:.6g}", words)
        self.assertEqual({s.get("aria-label") for s in root.iter(S + "svg")},
                         {"relative residual by iteration", "seconds of the phases"})

    def test_pictures_are_whole(self):
        run("pictures")
        found = [i.get("src") for i in page("pictures")[1].iter(X + "img")]
        self.assertEqual(len(found), 2)
        for src in found:
            self.assertTrue(src.startswith("data:image/png;base64,"))
            self.assertGreater(min(pixels(base64.b64decode(src.split(",")[1], validate=True))), 300)

    def test_nothing_is_loaded_from_elsewhere(self):
        run("alone")
        text, root = page("alone")
        self.assertNotIn("script", {e.tag.split("}")[-1] for e in root.iter()})
        for e in root.iter():
            for name in ("src", "href"):
                value = e.get(name)
                self.assertTrue(value is None or value.startswith(("#", "data:")), value)
        self.assertNotRegex(text, r"url\(|@import|https?://(?!www\.w3\.org/(1999/xhtml|2000/svg)\")")

    def test_texts_of_users_are_escaped(self):
        quoted = EVIL.replace("\\", "\\\\").replace('"', '\\"')
        run("evil", title=quoted, name="<b>steel</b> & 'co'", note=quoted)
        text, root = page("evil")
        self.assertNotIn("<script", text)
        self.assertNotIn("<b>steel", text)
        self.assertEqual(root.find(f".//{X}h1").text, EVIL)
        self.assertEqual(root.find(f".//{X}title").text, EVIL)
        self.assertIn("<b>steel</b> & 'co': E 2.1e+11", texts(root))
        self.assertEqual(len(root.findall(f".//{X}script")), 0)

    def test_a_failed_check_and_a_solve_without_end_are_shown(self):
        run("failed", "-s", "checks[2].expect=30.0", status=6)
        root = page("failed")[1]
        self.assertIn("A CHECK FAILED", texts(root))
        self.assertEqual([e.text for e in root.iter(X + "td") if e.get("class") == "error"], ["FAILED", "error E112"])
        run("short", "-s", "solver.method=cg", "-s", "solver.preconditioner=jacobi", "-s", "solver.max_iterations=2",
            "-s", "checks=[]", status=5)
        self.assertIn("NOT CONVERGED", texts(page("short")[1]))

    def test_report_false_writes_no_page(self):
        run("none", output="  report: false")
        self.assertNotIn("report.html", os.listdir(path_of("none")))
        run("none")
        self.assertIn("report.html", os.listdir(path_of("none")))
        run("none", output="  report: false")
        self.assertNotIn("report.html", os.listdir(path_of("none")))

    def test_modes_cases_and_bands_have_their_sections(self):
        for name, part, shots, more in (("fv52", "43.6", 6, ("-s", "analysis.modes=10")), ("load_cases", "envelope", 4, ()),
                                        ("phononic_crystal", "gap after band", 2, ())):
            bandfem("run", example(name), "--quiet", "--out", name, *more, *(("-s", "checks=[]") if more else ()), status=0)
            text, root = page(name)
            self.assertLess(len(text), 3_000_000)
            ids = {e.get("id") for e in root.iter(X + "section")}
            self.assertLessEqual({"fv52": {"modes"}, "load_cases": {"cases"}, "phononic_crystal": {"bands"}}[name], ids)
            if name != "load_cases":
                self.assertIn(part, texts(root))
            self.assertGreaterEqual(len(root.findall(f".//{X}img")), min(shots, 2))

    def test_a_small_deck_pays_little_time(self):
        run("quick")
        seconds = [t["seconds"] for t in report("quick")["timing"] if t["name"] == "write report.html"]
        self.assertEqual(len(seconds), 1)
        self.assertLess(seconds[0], 0.3)

    def test_the_deck_reference_has_the_key(self):
        with open(os.path.join(SOURCE, "docs", "deck.md"), encoding="utf-8") as file:
            self.assertTrue(re.search(r"\| `report` \|", file.read()))


if __name__ == "__main__":
    main()

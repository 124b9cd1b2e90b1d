"""docs/site/prepare.py - copies the documents for MkDocs: formulas as elements for KaTeX, links between pages as the site has them

usage: prepare.py SOURCE OUT      OUT/docs and OUT/mkdocs.yml are made anew
Formulas ($..$, $`..`$, fences of the language math) become <span class="math"> and <div class="math">.  README.md is the first page;
links to files that are not part of the site become plain text.
"""
# SPDX-License-Identifier: BSD-3-Clause
import html
import os
import re
import shutil
import sys

KATEX = "/usr/share/javascript/katex"  # Debian: libjs-katex
ROOT_PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
CONFIG = """site_name: bandfem
site_description: finite elements with banded matrices
use_directory_urls: false
theme: {name: material, font: false, features: [navigation.tabs, navigation.top, toc.follow, content.code.copy]}
plugins: [search]
markdown_extensions: [tables, toc, admonition, attr_list, md_in_html, pymdownx.superfences, pymdownx.highlight]
extra_css: [assets/katex/katex.min.css]
extra_javascript: [assets/katex/katex.min.js, assets/formulas.js]
nav:
  - Home: index.md
  - Gallery: gallery.md
  - Course:
"""
FORMULAS = """// renders the elements of class math
document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".math").forEach(function (e) {
    katex.render(e.textContent, e, { displayMode: e.tagName === "DIV", throwOnError: false });
  });
});
"""


def formula(tag, text):
    return f'<{tag} class="math">{html.escape(text.strip(), quote=False)}</{tag}>'


def protect(text):
    """Characters that Markdown would take for emphasis inside an inline formula, as references."""
    return re.sub(r"[*_`\\|~\[\]]", lambda m: f"&#{ord(m[0])};", formula("span", text))


def inline(line):
    """Formulas of a line outside backquotes."""
    line = re.sub(r"\$`([^`]*)`\$", lambda m: protect(m[1]), line)
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(p if p.startswith("`") else re.sub(r"\$([^$]+)\$", lambda m: protect(m[1]), p) for p in parts)


def link(source, page, target):
    """The target as the site has it, or None."""
    path, mark = (target.split("#") + [""])[:2]
    if not path or re.match(r"[a-z]+:", target):
        return target
    full = os.path.normpath(os.path.join(source, os.path.dirname(page), path))
    name = os.path.relpath(full, source)
    if name in ROOT_PAGES:
        name = "docs/" + ROOT_PAGES[name]
    if not name.startswith("docs/") or not os.path.isfile(full):
        return None
    here = os.path.dirname("docs/" + ROOT_PAGES[page] if page in ROOT_PAGES else page)
    return os.path.relpath(name, here) + ("#" + mark if mark else "")


def links(source, page, line):
    def one(match):
        target = link(source, page, match[3])
        return f"{match[1]}[{match[2]}]({target})" if target else match[2]
    return re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", one, line)


def page_of(source, page):
    out, fence, block, plain = [], None, [], []

    def flush():  # a link may run over the end of a line
        out.extend(inline(line) for line in links(source, page, "\n".join(plain)).split("\n") if plain)
        plain.clear()
    with open(os.path.join(source, page), encoding="utf-8") as file:
        lines = file.read().split("\n")
    for line in lines:
        mark = re.match(r"\s*(```+|~~~+)\s*(\w*)", line)
        if fence is None and mark:
            flush()
            fence, block = (mark[1], mark[2]), []
            if fence[1] != "math":
                out.append(line)
        elif fence is not None and mark and mark[1].startswith(fence[0][:3]) and not mark[2]:
            out.append("\n" + formula("div", "\n".join(block)) + "\n" if fence[1] == "math" else line)
            fence = None
        elif fence is not None:
            (block if fence[1] == "math" else out).append(line)
        else:
            # a list needs a blank line before it in Python's Markdown
            if re.match(r"([-*]|\d+\.)\s", line) and plain and plain[-1].strip() and not re.match(r"\s*([-*]|\d+\.)\s|\s+", plain[-1]):
                plain.append("")
            plain.append(line)
    flush()
    return "\n".join(out)


def main(source, out):
    docs = os.path.join(out, "docs")
    shutil.rmtree(docs, ignore_errors=True)
    shutil.copytree(os.path.join(source, "docs"), docs, ignore=shutil.ignore_patterns("site", "Doxyfile", "*.sed", "__pycache__"))
    pages = [os.path.relpath(os.path.join(d, f), source) for d, _, files in os.walk(os.path.join(source, "docs")) for f in files if f.endswith(".md")]
    for page in sorted(pages) + list(ROOT_PAGES):
        to = os.path.join(docs, ROOT_PAGES[page] if page in ROOT_PAGES else os.path.relpath(page, "docs"))
        with open(to, "w", encoding="utf-8") as file:
            file.write(page_of(source, page))
    assets = os.path.join(docs, "assets", "katex")
    os.makedirs(assets)
    for name in ("katex.min.js", "katex.min.css"):
        shutil.copy(os.path.join(KATEX, name), assets)
    shutil.copytree(os.path.join(KATEX, "fonts"), os.path.join(assets, "fonts"))
    with open(os.path.join(docs, "assets", "formulas.js"), "w", encoding="utf-8") as file:
        file.write(FORMULAS)
    config = CONFIG + "".join(f"      - course/{n}\n" for n in ["README.md"] + sorted(f for f in os.listdir(os.path.join(docs, "course")) if f[0].isdigit()))
    config += "  - Decks: [deck.md, outputs.md, python.md, convergence.md, matrices.md, vibrations.md]\n"
    config += "  - Theory:\n" + "".join(f"      - theory/{n}\n" for n in sorted(os.listdir(os.path.join(docs, "theory"))) if n.endswith(".md"))
    config += "  - Evidence: [verification.md, performance.md, references.md]\n  - Development: [architecture.md, contributing.md, changelog.md]\n"
    config += "not_in_nav: |\n  *.md\n"
    with open(os.path.join(out, "mkdocs.yml"), "w", encoding="utf-8") as file:
        file.write(config)


if __name__ == "__main__":
    main(*(os.path.abspath(p) for p in sys.argv[1:3]))

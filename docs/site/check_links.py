"""docs/site/check_links.py - every link of the built site leads to a file and a heading of it; nothing is loaded from elsewhere

usage: check_links.py FOLDER      prints the broken links; exit status 1 if there are any
"""
# SPDX-License-Identifier: BSD-3-Clause
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.ids.update(a[k] for k in ("id", "name") if a.get(k))
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        if tag == "link" and a.get("rel") in ("stylesheet", "icon") or tag in ("img", "script") and a.get("src"):
            self.loads.append(a.get("href") or a.get("src"))


def main(folder):
    pages = {os.path.join(d, f): None for d, _, files in os.walk(folder) for f in files if f.endswith(".html")}
    for path in pages:
        pages[path] = Page(path)
    broken, count = [], 0
    for path, page in pages.items():
        if os.path.basename(path) == "404.html":
            continue
        for target in page.links + page.loads:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                if target in page.loads and url.scheme != "data":
                    broken.append(f"{path}: loads {target}")
                continue
            count += 1
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
            to = os.path.join(to, "index.html") if os.path.isdir(to) else to
            mark = urllib.parse.unquote(url.fragment)
            if not os.path.exists(to):
                broken.append(f"{path}: no file {target}")
            elif mark and to in pages and mark not in pages[to].ids and not mark.startswith("__"):
                broken.append(f"{path}: no heading {target}")
    print("\n".join(broken) if broken else f"links: ok, {count} in {len(pages)} pages")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

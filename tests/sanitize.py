"""tests/sanitize.py - the device tests under compute-sanitizer, in their quick form, several at once

usage: sanitize.py BUILD [memcheck|racecheck|initcheck|synccheck] [REGEX] [--skip REGEX] [--jobs N] [--limit SECONDS] [--within SECONDS]

Takes the programs tNNN_topic of CTest's label cuda, but not of label long, whose names REGEX matches (tests of whole
decks are none), and runs each with BANDFEM_QUICK=1, under racecheck 2 (tests/test.h).  A line a test: ok; what the tool names, with
kernel and line; failed; or where it was when its time, its own limit or that of all, ended.  Logs:
BUILD/sanitize/TOOL.NAME.log.  The times of a run order the next one: what takes longest begins first.  Exit status 0
only where every test ended and nothing was named.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
NAMED = re.compile(r"========= .*SUMMARY: (\d+) (?:errors?|hazards?)")
TITLE = re.compile(r"========= ((?:Error|Warning|Invalid|Race|Uninitialized|Barrier|Program hit|Leaked).*)")
PLACE = re.compile(r"(\w+)(?:<.*>)?\(.*\)\+0x[0-9a-f]+(?: in ([\w.]+:\d+))?")


def tests_of(build, pattern, skip):
    """(name, command) of the programs with label cuda."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-L", "^cuda$", "-LE", "^long$"], capture_output=True,
                            text=True, check=True).stdout
    for test in json.loads(listed)["tests"]:
        command = test.get("command", [])
        name = os.path.basename(command[0]) if command else ""
        if re.match(r"t\d{3}_\w+$", name) and re.search(pattern, name) and not re.search(skip, name):
            yield name, command


RUNNING = set()


def stop(*_):
    """Ends with what was begun."""
    for child in list(RUNNING):
        os.killpg(child.pid, signal.SIGKILL)
    os._exit(1)


class Run:
    """One test under the tool: what it said, how long each of its claims took."""

    def __init__(self, name, command, options):
        self.name, self.log = name, os.path.join(options.out, f"{options.tool}.{name}.log")
        self.named, self.places, self.claims, self.at = None, [], [], ""
        self.ended, self.status, self.seconds = False, None, 0.0
        begin = time.monotonic()
        limit = min(options.limit, options.until - begin)
        if limit <= 0.0:
            return
        whole = ["compute-sanitizer", "--tool", options.tool, *command]
        with open(self.log, "w", encoding="utf-8", errors="replace") as log:
            child = subprocess.Popen(whole, cwd=options.build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, errors="replace", start_new_session=True, env=options.env)
            RUNNING.add(child)
            clock = threading.Timer(limit, self.end, [child])
            self.ended = True
            clock.start()
            since = begin
            for line in child.stdout:
                log.write(line)
                now = time.monotonic()
                if line.startswith("[ RUN"):
                    self.at, since = line.split()[-1], now
                elif self.at and re.match(r"\[ +(OK|FAILED|SKIPPED)", line):
                    self.claims.append((now - since, self.at))
                    log.write(f"{now - since:.2f} s {self.at}\n")
                    self.at = ""
                self.look(line)
            self.status = child.wait()
            clock.cancel()
            RUNNING.discard(child)
        self.seconds = time.monotonic() - begin

    def end(self, child):
        self.ended = False
        os.killpg(child.pid, signal.SIGKILL)

    def look(self, line):
        summary = NAMED.search(line)
        if summary:
            self.named = int(summary.group(1))
        title, place = TITLE.search(line), PLACE.search(line)
        if place and "=========" in line and "Host Frame" not in line:
            what = f"{place.group(1)} {place.group(2) or ''}".strip()
            if what not in self.places:
                self.places.append(what)
        elif title and title.group(1) not in self.places:
            self.places.append(title.group(1)[:160])

    def clean(self):
        return self.ended and self.status == 0 and self.named == 0

    def verdict(self):
        longest = max(self.claims, default=(0.0, ""))
        if self.status is None:
            return "did not begin"
        if not self.ended:
            seen = "; ".join([f", {len(self.places)} places named: {self.places[0]}", *self.places[1:6]]) if self.places else ""
            return f"did not end, {len(self.claims)} claims done, in {self.at or 'no claim'}{seen}"
        if self.named:
            return f"{self.named} named: " + "; ".join(self.places[:6])
        if self.status == 77:
            return "skipped: no device"
        if self.status != 0 or self.named is None:
            return f"failed, exit status {self.status}"
        return f"ok, {len(self.claims)} claims, the longest {longest[0]:.1f} s {longest[1]}"


def main():
    parser = argparse.ArgumentParser(prog="sanitize")
    parser.add_argument("build")
    parser.add_argument("tool", nargs="?", choices=TOOLS, default="memcheck")
    parser.add_argument("regex", nargs="?", default="")
    parser.add_argument("--skip", default="^$", metavar="REGEX")
    parser.add_argument("--jobs", type=int, default=9)
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--within", type=float, default=1e9)
    options = parser.parse_args()
    options.until = time.monotonic() + options.within
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    options.out = os.path.join(options.build, "sanitize")
    options.env = {**os.environ, "BANDFEM_QUICK": "2" if options.tool == "racecheck" else "1", "BANDFEM_REQUIRE_CUDA": "1", "OMP_WAIT_POLICY": "passive"}
    options.env.setdefault("OMP_NUM_THREADS", "2")
    os.makedirs(options.out, exist_ok=True)
    times_path = os.path.join(options.out, f"{options.tool}.times.json")
    try:
        with open(times_path, encoding="utf-8") as file:
            times = json.load(file)
    except (OSError, ValueError):
        times = {}
    tests = sorted(tests_of(options.build, options.regex, options.skip), key=lambda test: -times.get(test[0], 1e9))
    if not tests:
        print(f"sanitize: no device test in {options.build} matches '{options.regex}'")
        return 1
    begin, bad = time.monotonic(), 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for future in as_completed([pool.submit(Run, *test, options) for test in tests]):
            run = future.result()
            bad += not run.clean()
            times[run.name] = round(run.seconds, 1)
            print(f"{options.tool} {run.seconds:6.1f} s  {run.name}: {run.verdict()}", flush=True)
    with open(times_path, "w", encoding="utf-8") as file:
        json.dump(times, file, indent=0, sort_keys=True)
    print(f"{options.tool}: {len(tests) - bad} of {len(tests)} tests clean in {time.monotonic() - begin:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""tests/launched.py - which kernels of the library the quick forms of the device tests launch, and which they do not

usage: launched.py BUILD [REGEX] [--quick 1|2] [--jobs N] [--within SECONDS]

Runs the programs that sanitize.py runs, each with BANDFEM_QUICK as said (1: as under memcheck, 2: as under racecheck), under
compute-sanitizer with every kernel left out of its checks: it only lists launches (--dump-kernel-launches, from version
2026.3 on).  A kernel is an instance of a template, told by its mangled name; all that are linked into a program are read
from its symbols.  Output: counts, then each kernel that nothing launched; BUILD/sanitize/launched.json has the launches by
program.  Exit status 0 where every program ended and every kernel was launched.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from sanitize import tests_of

STUB = re.compile(rb"ZL?(\d+)__device_stub_(?=_Z)")
LAUNCH = re.compile(r"=========\s+Kernel:\s+(\w+)")


def linked(program):
    """Mangled names of the kernels in a program: what its host stubs are called after."""
    with open(program, "rb") as file:
        data = file.read()
    names = set()
    for stub in STUB.finditer(data):
        begin = stub.end() - len("__device_stub_")
        names.add(data[stub.end():begin + int(stub.group(1))].decode())
    return names


def launches(command, options):
    """Launches of each kernel by a test; None where it did not end well."""
    left = options.until - time.monotonic()
    if left <= 0.0:
        return None
    whole = ["compute-sanitizer", "--tool", "memcheck", "--kernel-name", "kne=none", "--dump-kernel-launches", "--demangle", "no",
             "--show-backtrace", "no", *command]
    try:
        done = subprocess.run(whole, cwd=options.build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=left, env=options.env, check=False)
    except subprocess.TimeoutExpired:
        return None
    return collections.Counter(LAUNCH.findall(done.stdout)) if done.returncode == 0 else None


def readable(names):
    done = subprocess.run(["c++filt", *names], capture_output=True, text=True, check=True)
    return sorted(done.stdout.split("\n")[:-1])


def main():
    parser = argparse.ArgumentParser(prog="launched")
    parser.add_argument("build")
    parser.add_argument("regex", nargs="?", default="")
    parser.add_argument("--quick", choices=("1", "2"), default="2")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--within", type=float, default=1e5)
    options = parser.parse_args()
    options.until = time.monotonic() + options.within
    options.env = {**os.environ, "BANDFEM_QUICK": options.quick, "BANDFEM_REQUIRE_CUDA": "1", "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}
    tests = list(tests_of(options.build, options.regex, "^$"))
    with ThreadPoolExecutor(options.jobs) as pool:
        seen = dict(zip([name for name, _ in tests], pool.map(lambda test: launches(test[1], options), tests)))
    there, total = set(), collections.Counter()
    for _, command in tests:
        there |= linked(os.path.join(options.build, command[0]))
    for name, found in seen.items():
        if found is None:
            print(f"{name}: did not end, or failed")
        total.update(found or {})
    os.makedirs(os.path.join(options.build, "sanitize"), exist_ok=True)
    with open(os.path.join(options.build, "sanitize", "launched.json"), "w", encoding="utf-8") as file:
        json.dump(seen, file, indent=0, sort_keys=True)
    missing = there - set(total)
    print(f"quick form {options.quick}: {len(tests)} programs, {sum(total.values())} launches, {len(there) - len(missing)} of {len(there)} kernels")
    for name in readable(missing) if missing else []:
        print("not launched:", name)
    return 1 if missing or None in seen.values() else 0


if __name__ == "__main__":
    sys.exit(main())

"""tests/inputs/t283_mtx_speed.py - how fast Matrix Market files are read: megabytes a second of one core

usage: t283_mtx_speed.py BUILD_DIR SOURCE_DIR [REPEATS]
exit 0 all as fast as required, 1 one is not

Files of 1.5 million entries each, in the page cache, one thread, the least of the repeats: from bytes to checked row,
column and value (bf_mtx_read).
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import platform
import random
import subprocess
import sys

REQUIRED = 100.0  # MB/s of 10^6 bytes
N, ROWS = 1500000, 300000


def files(folder):
    """Name, path: values of every kind of writing."""
    dice = random.Random(1)
    place = lambda: f"{dice.randint(1, ROWS)} {dice.randint(1, ROWS)}"
    head = "%%MatrixMarket matrix {} general\n"
    coordinate = head.format("coordinate real") + f"{ROWS} {ROWS} {N}\n"
    kinds = [
        ("values of 17 digits", coordinate, lambda: f"{place()} {dice.gauss(0, 1):.17g}\n"),
        ("values as 1.2345678901234567e-05", coordinate,
         lambda: f"{place()} {dice.gauss(0, 1) * 10 ** dice.randint(-5, 5):.16e}\n"),
        ("values from 1e-40 to 1e-20", coordinate,
         lambda: f"{place()} {dice.gauss(0, 1) * 10 ** dice.randint(-40, -20):.16e}\n"),
        ("short values", coordinate, lambda: f"{place()} {dice.choice(['-1', '4', '0.25', '-0.333333'])}\n"),
        ("pattern", head.format("coordinate pattern") + f"{ROWS} {ROWS} {N}\n", lambda: f"{place()}\n"),
        ("array", head.format("array real") + f"{N} 1\n", lambda: f"{dice.gauss(0, 1):.17g}\n"),
    ]
    os.makedirs(folder, exist_ok=True)
    for name, first, line in kinds:
        path = os.path.join(folder, name.replace(" ", "_") + ".mtx")
        with open(path, "w", encoding="ascii") as file:
            file.write(first)
            file.writelines(line() for _ in range(N))
        yield name, path


def main():
    build, repeats = os.path.abspath(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else "7"
    missed = []
    print(f"{platform.machine()}, least of {repeats} readings, processor seconds")
    print("| file | MB | s | MB/s | ns an entry |")
    print("|---|---|---|---|---|")
    for name, path in files(os.path.join(build, "t283")):
        run = subprocess.run([os.path.join(build, "read_mtx"), path, repeats], check=True, capture_output=True, text=True)
        _, seconds, entries = (float(word) for word in run.stdout.split())
        megabytes = 1e-6 * os.path.getsize(path)
        print(f"| {name} | {megabytes:.1f} | {seconds:.3f} | {megabytes / seconds:.0f} | {1e9 * seconds / entries:.0f} |",
              flush=True)
        if not megabytes / seconds >= REQUIRED:
            missed.append(name)
        os.remove(path)
    print(f"required {REQUIRED:.0f} MB/s: " + (f"MISSED for {', '.join(missed)}" if missed else "met"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

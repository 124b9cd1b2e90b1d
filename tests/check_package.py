"""tests/check_package.py - the archive runs from any folder with its own libraries, the .deb has its parts and dependencies and runs with the system's

usage: check_package.py FOLDER      FOLDER: build/package, where ./dev package made them
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import os
import re
import subprocess
import sys
import tarfile
import tempfile

GLIBC = (2, 36)  # of Debian 12
ALLOWED = re.compile(r"^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv))\.so")
PARTS = ("bin/bandfem", "share/man/man1/bandfem.1", "share/bash-completion/completions/bandfem", "share/bandfem/deck.schema.json",
         "share/bandfem/decks/fv52.yaml", "share/doc/bandfem/README.md")


def call(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=True, **more).stdout


def only(pattern):
    found = glob.glob(pattern)
    if len(found) != 1:
        sys.exit(f"package: {pattern}: {found}")
    return found[0]


def solve(root, folder):
    """An example deck of the package with its program, to the end and with all checks passed."""
    call(os.path.join(root, "bin", "bandfem"), "run", os.path.join(root, "share", "bandfem", "decks", "kirsch.yaml"), "--quiet", "--out",
         os.path.join(folder, "out"))


def archive(path, folder):
    with tarfile.open(path) as file:
        file.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else file.extractall(folder)
    root = only(os.path.join(folder, "*"))
    for part in PARTS:
        if not os.path.isfile(os.path.join(root, part)):
            sys.exit(f"package: the archive has no {part}")
    program = os.path.join(root, "bin", "bandfem")
    for line in call("ldd", program).splitlines():
        name, place = line.split()[0], re.search(r"=> (.*) \(0x", line)
        if not ALLOWED.match(os.path.basename(name)) and not (place and os.path.realpath(place[1]).startswith(os.path.realpath(root))):
            sys.exit(f"package: the archive needs {line.strip()}")
    for binary in [program] + glob.glob(os.path.join(root, "lib", "bandfem", "*.so*")):
        for version in re.findall(r"GLIBC_(\d+)\.(\d+)", call("objdump", "-T", binary)):
            if tuple(map(int, version)) > GLIBC:
                sys.exit(f"package: {binary} needs glibc {'.'.join(version)}")
    solve(root, folder)


def deb(path, folder):
    listed = call("dpkg-deb", "-c", path)
    for part in PARTS:
        if not re.search(rf" \./usr/{re.escape(part)}(\.gz)?\n", listed):
            sys.exit(f"package: the .deb has no {part}")
    needs = call("dpkg-deb", "-f", path, "Depends")
    for library in ("libc6", "libhdf5", "libyaml", "libmuparser", "libmetis"):
        if library not in needs:
            sys.exit(f"package: the .deb does not depend on {library}: {needs}")
    call("dpkg-deb", "-x", path, folder)
    solve(os.path.join(folder, "usr"), folder)
    return needs.strip()


if __name__ == "__main__":
    made = only(os.path.join(sys.argv[1], "*.tar.gz")), only(os.path.join(sys.argv[1], "*.deb"))
    with tempfile.TemporaryDirectory() as place:
        archive(made[0], os.path.join(place, "any where"))
        depends = deb(made[1], os.path.join(place, "unpacked"))
    print(f"package: ok\n  {made[0]} ({os.path.getsize(made[0]) >> 20} MiB)\n  {made[1]}, depends on {depends}")

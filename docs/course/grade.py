"""docs/course/grade.py - grades a solved exercise of the course: ./dev grade LESSON DECK

The deck is compared with the exercise of the same file name: gaps (???) must be filled, everything else must be as it was.
It then runs with the checks of the exercise, whatever the deck says.  A check that fails, an error or a gap gives the hint
that the exercise names for it:

    # hint gap: ...        a gap is left          # hint 2: ...       check 2 failed, counted from 1
    # hint E301: ...       the program's error    # hint other: ...   anything else

usage: grade.py PROGRAM LESSON DECK     exit status 0 passed, 1 not passed, 2 no such exercise or file
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GAP = "???"


def exercises(lesson):
    """{name: path} of a lesson, such as "5" or "05"."""
    found = glob.glob(os.path.join(HERE, "exercises", f"{int(lesson):02d}_*.yaml")) if lesson.isdigit() else []
    return {os.path.basename(p)[:-5]: p for p in sorted(found)}


def hints(text):
    """{key: hint}; lines that begin with # and two blanks or more continue a hint."""
    joined = re.sub(r"\n#\s{2,}(?!hint)", " ", text)
    return dict(re.findall(r"^# hint (\w+): (.*)$", joined, re.MULTILINE))


def body(text):
    """The lines of a deck before its checks, without comments and blank ends."""
    lines = []
    for line in text.split("\nchecks:")[0].split("\n"):
        line = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        if line:
            lines.append(line)
    return lines


def changed(template, answer):
    """A line of the exercise that the answer does not have, or None; a gap stands for any text."""
    mine, yours = body(template), body(answer)
    for k, line in enumerate(mine):
        pattern = ".+".join(re.escape(part) for part in re.split(r'"?\?\?\?"?', line))
        if k >= len(yours) or not re.fullmatch(re.sub(r"(\\ )+", r"\\s+", pattern), yours[k]):
            return line
    return None if len(mine) == len(yours) else yours[len(mine)]


def run(program, deck):
    """(exit status, error codes, failed checks with their values, passed checks)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "answer.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(deck)
        done = subprocess.run([program, "run", path, "--quiet", "--errors=json", "--out", folder], capture_output=True, text=True, check=False)
        messages = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
        checks = []
        if os.path.isfile(os.path.join(folder, "report.json")):
            with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
                checks = json.load(file)["checks"]
        return done.returncode, [m for m in messages if m["severity"] == "error"], checks


def verdict(program, template, answer):
    """(passed, lines to print)."""
    hint = hints(template)
    other = hint.get("other", "Read the section of the lesson again.")
    if any(GAP in line for line in body(answer)):
        left = [n for n, line in enumerate(answer.split("\n"), 1) if GAP in re.sub(r"(^|\s)#.*$", "", line)]
        return False, [f"gap in line {', '.join(map(str, left))}: replace {GAP}", "hint: " + hint.get("gap", other)]
    line = changed(template, answer)
    if line is not None:
        return False, [f"only the gaps may change; this line differs: {line.strip()}"]
    checks = "\nchecks:" + template.split("\nchecks:")[1]
    status, errors, results = run(program, answer.split("\nchecks:")[0] + checks)
    failed = [k for k, c in enumerate(results, 1) if c.get("passed") is False]
    if failed:
        lines = []
        for k in failed:
            c = results[k - 1]
            lines.append(f"check {k} failed: {c['quantity']} is {c['got']:.6g}")
            lines.append("hint: " + hint.get(str(k), other))
        return False, lines
    if status:
        codes = [e["code"] for e in errors if e["code"]]
        lines = [f"error {e['code']}: {e['text']}" for e in errors] or [f"the program ended with status {status}"]
        return False, lines + ["hint: " + next((hint[c] for c in codes if c in hint), other)]
    judged = [c for c in results if "passed" in c]
    return True, [f"{c['quantity']} = {c['got']:.6g}" for c in judged]


def main(program, lesson, deck):
    known = exercises(lesson)
    name = os.path.basename(deck)[:-5] if deck.endswith(".yaml") else os.path.basename(deck)
    if not known:
        print(f"grade: no lesson '{lesson}'; lessons are 1 to 12")
        return 2
    if name not in known:
        print(f"grade: lesson {lesson} has no exercise '{name}'; exercises: {', '.join(known)} (keep the file name)")
        return 2
    if not os.path.isfile(deck):
        print(f"grade: there is no file '{deck}'")
        return 2
    with open(known[name], encoding="utf-8") as file:
        template = file.read()
    with open(deck, encoding="utf-8") as file:
        answer = file.read()
    passed, lines = verdict(program, template, answer)
    print(f"{name}: {'passed' if passed else 'not passed'}")
    print("\n".join("  " + line for line in lines))
    return 0 if passed else 1


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[-1])
    sys.exit(main(*sys.argv[1:]))

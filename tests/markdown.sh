#!/usr/bin/env bash
# tests/markdown.sh - formulas in Markdown that GitHub does not render; prints file, line and formula, and fails
#
# GitHub removes a backslash before punctuation inside $...$ and does not know \operatorname. A line break or a
# letter at a dollar sign ends no formula. An asterisk, or an underscore after punctuation, may become emphasis: such
# formulas are written $`...`$. Block formulas stand in fences of the language "math".
# With arguments: checks these files in place of all tracked ones.
# SPDX-License-Identifier: BSD-3-Clause
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -gt 0 ] || mapfile -t files < <(git ls-files '*.md')
[ $# -gt 0 ] && files=("$@")
[ ${#files[@]} -gt 0 ] || { echo "markdown: no files"; exit 1; }
awk '
function bad(what) { printf "markdown: %s:%d: %s\n", FILENAME, FNR, what; failed = 1 }
FNR == 1 { fence = 0 }
/^[ \t]*(```|~~~)/ { fence = !fence; next }
fence { next }
/\$/ {
  gsub(/`[^`]*`/, "C")
  if (index($0, "$$")) { bad("block formula: use a fence of the language math"); next }
  n = split($0, part, "$")
  if (n % 2 == 0) { bad("a formula does not end on its line, or a dollar sign is not in backquotes"); next }
  table = $0 ~ /^[ \t]*\|/
  for (i = 2; i <= n; i += 2) {
    f = part[i]
    if (f ~ /\\[!-\/:-@[-`{-~]/) bad("backslash before punctuation: $" f "$")
    if (f ~ /\*|[^A-Za-z0-9]_/) bad("may become emphasis, write $`...`$: $" f "$")
    if (f ~ /\\operatorname/) bad("macro not allowed on GitHub: $" f "$")
    if (table && f ~ /\|/) bad("a bar ends the table cell: $" f "$")
    if (f ~ /^[ \t]|[ \t]$/) bad("blank at a dollar sign: $" f "$")
    if (part[i - 1] ~ /[A-Za-z0-9]$/ || part[i + 1] ~ /^[A-Za-z0-9]/) bad("letter or digit at a dollar sign: $" f "$")
  }
}
END { exit failed }' "${files[@]}" && echo "markdown: ok"

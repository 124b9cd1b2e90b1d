#!/usr/bin/env bash
# tests/references.sh - docs/references.md lists every DOI that code and documents name, and code or documents name
# the first author of every entry
# SPDX-License-Identifier: BSD-3-Clause
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
list=docs/references.md
bad=0
mapfile -t files < <(git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.py' '*.md' | grep -v "^$list\$")
while IFS= read -r doi; do
  grep -qF "$doi" "$list" || { echo "references: $doi is not in $list: $(grep -lF "$doi" "${files[@]}" | tr '\n' ' ')"; bad=1; }
done < <(grep -hoE '\b10\.[0-9]{4,}/[[:alnum:]._;()/:<>-]*[[:alnum:]]' "${files[@]}" | sort -u)
text=$(cat "${files[@]}")
while IFS= read -r author; do
  grep -qiE "$author" <<<"$text" || { echo "references: nothing cites $author"; bad=1; }
done < <(sed -nE 's/^- ((van der |von )?[^ ]+( Loan)?) [A-Z]\..*/\1/p' "$list" | sed 's/[^ -~]\+/.{1,2}/g' | sort -u)
[ $bad = 0 ] && echo "references: ok"
exit $bad

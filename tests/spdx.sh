#!/usr/bin/env bash
# tests/spdx.sh - every source file names the licence; prints the files that do not and fails
# SPDX-License-Identifier: BSD-3-Clause
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
missing=$(git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cu' '*.cuh' '*.py' '*.sh' '*.cmake' '*.sed' 'CMakeLists.txt' '*/CMakeLists.txt' dev .ci/run .clang-tidy .clang-format |
  while IFS= read -r file; do
    if [ -e "$file" ] && ! grep -q 'SPDX-License-Identifier: BSD-3-Clause' "$file"; then echo "spdx: $file"; fi
  done)
if [ -n "$missing" ]; then echo "$missing"; exit 1; fi
echo "spdx: ok"

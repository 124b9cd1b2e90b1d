#!/usr/bin/env bash
# tests/layers.sh - who may include whom; prints every include that breaks the layers and fails
# SPDX-License-Identifier: BSD-3-Clause
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bad=0
allow() { # MODULE ALLOWED...: modules that files of MODULE may include from
  local module=$1 allowed=" $* " file line target
  while IFS=: read -r file line target; do
    case $allowed in *" $target "*) ;; *) echo "layers: $file:$line includes $target/"; bad=1 ;; esac
  done < <(grep -rnE '^#include "(app|base|mesh|assembly|solvers|kernels|inputs|outputs|tests)/' "$module" --include='*.[ch]' --include='*.cu' --include='*.cuh' |
    sed -E 's/^([^:]*):([0-9]+):#include "([a-z]+)\/.*/\1:\2:\3/')
}
allow base
allow mesh base
allow kernels base
allow solvers kernels base
allow assembly mesh kernels base
allow inputs base
allow outputs mesh base
allow app inputs outputs solvers assembly mesh kernels base
# backends are reached through the table of kernels/backend.h alone; t343 and t345 test inner loops of the CPU's
while IFS= read -r hit; do
  case $hit in
  tests/kernels/sparse/t34[35]_*'#include "kernels/cpu/sparse/bdia_'*_simd.h*) ;;
  *) echo "layers: $hit"; bad=1 ;;
  esac
done < <(grep -rnE '^#include "kernels/(cpu|cuda)/' app base mesh assembly solvers inputs outputs tests
  grep -rnE '^#include "kernels/(cpu|cuda)/' kernels --exclude-dir=cpu --exclude-dir=cuda)
# Inside app and assembly a file includes headers of its own folder, of folders before it in this order, and of the
# module itself (job.h, config.h, model.h, problem.h: shared by all folders); sources of the module itself include all folders.
#   assembly: elements' geometry and quadrature; the problem on a mesh; generalised elements; coefficients of each
#             physics; matrices and right-hand sides; fields from a solution; checks of supports; views of a set-up
#   app:      command line and messages; configuration from the deck; analyses; run, a deck to its files; solve, a matrix; inverse; benchmarks; check; info
upward() { # MODULE MOST FOLDER...: includes against the order, at most MOST of them
  local module=$1 most=$2 found; shift 2
  found=$(grep -rnE "^#include \"$module/" "$module" --include='*.[ch]' | awk -F'[:"]' -v module="$module" -v order="$*" '
    function folder(path) { sub("^" module "/", "", path); return sub("/[^/]*$", "", path) ? path : "" }
    function place(f) { if (!(f in at)) { print "no place for folder " module "/" f; at[f] = 0 } return at[f] }
    BEGIN { n = split(order, name, " "); for (i = 1; i <= n; i++) at[name[i]] = i; at[""] = 0 }
    { from = folder($1); to = folder($4) }
    place(to) > (from == "" && $1 ~ /\.c$/ ? n + 1 : place(from)) { print $1 ":" $2 " includes " $4 }')
  local count=0; [ -z "$found" ] || count=$(wc -l <<<"$found")
  case $found in *"no place"*) count=$((most + 1)) ;; esac
  if [ "$count" -gt "$most" ]; then sed 's/^/layers: upward: /' <<<"$found"; bad=1; fi
  echo "layers: $module: $count includes run upward, at most $most may"
}
upward mesh 0 numbering msh
upward assembly 0 basis model gfem physics assemble recover constraints setup
upward app 1 cli config precond run/static run/modal run/dispersion run solve inverse converge matrix bench check info
# the only main and the only printing to stdout are in app/
while IFS= read -r hit; do echo "layers: $hit prints"; bad=1; done < <(grep -rnE '\b(printf|puts|putchar)\(' base mesh assembly solvers kernels inputs outputs --include='*.c' --include='*.cu')
# a reader finds a file among at most 40
while read -r count folder; do
  [ "$count" -le 40 ] || { echo "layers: $folder has $count files of code, 40 at most; make a sub-folder"; bad=1; }
done < <(git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.py' '*.sh' | sed 's|/[^/]*$||' | sort | uniq -c)
[ $bad = 0 ] && echo "layers: ok"
exit $bad

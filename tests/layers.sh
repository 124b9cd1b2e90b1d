#!/usr/bin/env bash
# tests/layers.sh - who may include whom; prints every include that breaks the layers and fails
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bad=0
allow() { # ROOM ALLOWED...: rooms that files of ROOM may include from
  local room=$1 allowed=" $* " file line target
  while IFS=: read -r file line target; do
    case $allowed in *" $target "*) ;; *) echo "layers: $file:$line includes $target/"; bad=1 ;; esac
  done < <(grep -rnE '^#include "(app|base|mesh|assembly|solvers|kernels|inputs|outputs|tests)/' "$room" --include='*.[ch]' --include='*.cu' --include='*.cuh' |
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
# backends are reached through the table of kernels/backend.h alone
while IFS= read -r hit; do echo "layers: $hit"; bad=1; done < <(grep -rnE '^#include "kernels/(cpu|cuda)/' app base mesh assembly solvers inputs outputs tests kernels/*.c kernels/*.h)
# the only main and the only printing to stdout are in app/
while IFS= read -r hit; do echo "layers: $hit prints"; bad=1; done < <(grep -rnE '\b(printf|puts|putchar)\(' base mesh assembly solvers kernels inputs outputs --include='*.c' --include='*.cu')
[ $bad = 0 ] && echo "layers: ok"
exit $bad

#!/bin/sh
# make.sh - writes the meshes of t110 with the gmsh program: order 1 and 2, formats 2.2 and 4.1, ascii and binary;
# and that of t102, with nodes in the middle of faces and elements
# SPDX-License-Identifier: BSD-3-Clause
set -e
for name in plate solid; do
  dim=$([ $name = plate ] && echo 2 || echo 3)
  for order in 1 2; do
    for format in 22 41; do
      set -- -v 1 -"$dim" $name.geo -order $order -setnumber Mesh.SecondOrderIncomplete 1 -format msh$format
      gmsh "$@" -o ${name}_${order}_${format}a.msh
      gmsh "$@" -bin -o ${name}_${order}_${format}b.msh
    done
  done
done
gmsh -v 1 -3 whole.geo -order 2 -format msh41 -o whole_2_41a.msh

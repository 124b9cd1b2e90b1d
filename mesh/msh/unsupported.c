/* mesh/msh/unsupported.c - element types of Gmsh that bandfem does not support, by name, with remedies: E207
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh/msh/internal.h"

bf_err bf_msh_unsupported(bf_msh *m, int64_t tag, int gmsh)
{
  static const struct {
    int         gmsh;
    const char *name;
  } known[]        = {{6, "prism"},      {7, "pyramid"}, {13, "prism18"}, {14, "pyramid14"}, {18, "prism15"},
                      {19, "pyramid13"}, {20, "tri9"},   {21, "tri10"},   {22, "tri12"},     {23, "tri15"},
                      {26, "line4"},     {27, "line5"},  {28, "line6"},   {29, "tet20"},     {30, "tet35"},
                      {31, "tet56"},     {36, "quad16"}, {37, "quad25"},  {39, "quad12"},    {92, "hex64"},
                      {93, "hex125"},    {90, "prism40"}};
  const char *name = "this type", *cure = "";
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].gmsh == gmsh) name = known[k].name;
  const int prism = gmsh == 6 || gmsh == 13 || gmsh == 18 || gmsh == 90;
  if (prism) cure = "; leave out Recombine in Extrude, then Gmsh makes tetrahedra of the layers";
  if (gmsh == 7 || gmsh == 14 || gmsh == 19)
    cure = "; pyramids join hexahedra to tetrahedra: mesh the whole body with one of these";
  if (gmsh >= 20 && !prism) cure = "; set Mesh.ElementOrder to 1 or 2";
  return bf_msh_fail(
      m, 207,
      "element %lld: %s (Gmsh type %d) is not supported; bandfem has tri3, tri6, quad4, quad8, "
      "quad9, tet4, tet10, hex8, hex20, hex27%s",
      (long long)tag, name, gmsh, cure);
}

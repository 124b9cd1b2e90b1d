/* tests/assembly/grid_cells.h - bodies made of unit cells of a grid, as .msh text: mesh, problem with held
 * nodes
 *
 * A cell is one quad4, 2 tri3, one hex8 or 6 tet4; cells that meet have the same nodes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_GRID_CELLS_H
#define BF_TESTS_ASSEMBLY_GRID_CELLS_H
#include "tests/assembly/model_case.h"

enum { CELLS = 40, GRID = 8, PINS = 12, TEXT = 60000 };

typedef struct t_pin { /* a held node of the grid; a group "pK" */
  int at[3], given[3];
} t_pin;

typedef struct t_shape { /* cells of a grid, held at some nodes */
  bf_elem_type type;
  int          ncells, cell[CELLS][3];
  int          npins;
  t_pin        pin[PINS];
  int          face[4][3], spring; /* hex8: a spring on this face, group "face", in direction spring - 1 */
  int          skew;               /* 1: an affine map of the grid, so that no edge is along an axis */
} t_shape;

static char text[TEXT];
static int  used;

static inline void put(const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  used += vsnprintf(text + used, sizeof text - (size_t)used, fmt, args);
  va_end(args);
  assert_true(used < TEXT - 1);
}

static inline int tag_of(const int at[3])
{
  return 1 + at[0] + (GRID + 1) * (at[1] + (GRID + 1) * at[2]);
}

static inline void put_element(int *n, int type, int dim, const int *tag, int count)
{
  put("%d %d 2 1 %d", ++*n, type, dim);
  for (int k = 0; k < count; k++) put(" %d", tag[k]);
  put("\n");
}

static inline int dim_of(const t_shape *s)
{
  return bf_elem(s->type)->dim;
}

/* Elements of a cell; Kuhn's triangles and tetrahedra go from corner 0 to the opposite one along the axes. */
static inline void put_cell(const t_shape *s, const int *c, int *n)
{
  static const int quad[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  static const int way[6][3]  = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  int              tag[8];
  if (s->type == BF_QUAD4 || s->type == BF_HEX8) {
    for (int k = 0; k < (dim_of(s) == 3 ? 8 : 4); k++)
      tag[k] = tag_of((int[3]){c[0] + quad[k % 4][0], c[1] + quad[k % 4][1], c[2] + k / 4});
    put_element(n, s->type == BF_QUAD4 ? 3 : 5, 1, tag, dim_of(s) == 3 ? 8 : 4);
    return;
  }
  for (int w = 0; w < (dim_of(s) == 3 ? 6 : 2); w++) {
    static const int plane[2][2] = {{0, 1}, {1, 0}};
    int              at[3]       = {c[0], c[1], c[2]};
    tag[0]                       = tag_of(at);
    for (int k = 0; k < dim_of(s); k++) {
      at[dim_of(s) == 3 ? way[w][k] : plane[w][k]]++;
      tag[k + 1] = tag_of(at);
    }
    const int odd = dim_of(s) == 3 ? w >= 3 : w == 1;
    if (odd) {
      const int t = tag[1];
      tag[1]      = tag[2];
      tag[2]      = t;
    }
    put_element(n, s->type == BF_TRI3 ? 2 : 4, 1, tag, dim_of(s) + 1);
  }
}

static inline bf_mesh *mesh_of(const t_shape *s)
{
  bf_diags       diags = {0};
  bf_mesh       *mesh  = NULL;
  static uint8_t has[(GRID + 1) * (GRID + 1) * (GRID + 1) + 1];
  int            nodes = 0, n = 0, top = dim_of(s) == 3 ? 2 : 1;
  memset(has, 0, sizeof has);
  for (int i = 0; i < s->ncells; i++)
    for (int k = 0; k < (dim_of(s) == 3 ? 8 : 4); k++) {
      const int t = tag_of((int[3]){s->cell[i][0] + k % 2, s->cell[i][1] + k / 2 % 2, s->cell[i][2] + k / 4});
      nodes += !has[t];
      has[t] = 1;
    }
  used = 0;
  put("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n%d 1 \"body\"\n",
      1 + s->npins + (s->spring > 0), dim_of(s));
  if (s->spring) put("2 9 \"face\"\n");
  for (int k = 0; k < s->npins; k++) put("0 %d \"p%d\"\n", 10 + k, k);
  put("$EndPhysicalNames\n$Nodes\n%d\n", nodes);
  for (int z = 0; z <= GRID; z++)
    for (int y = 0; y <= GRID; y++)
      for (int x = 0; x <= GRID; x++) {
        const int t = tag_of((int[3]){x, y, z});
        if (!has[t]) continue;
        if (s->skew)
          put("%d %.17g %.17g %.17g\n", t, x + 0.3 * y + 0.2 * z, 0.9 * y - 0.1 * x + 0.15 * z,
              top == 2 ? 1.1 * z + 0.25 * x - 0.2 * y : 0.0);
        else
          put("%d %d %d %d\n", t, x, y, z);
      }
  put("$EndNodes\n$Elements\n%d\n", s->ncells * (s->type == BF_TRI3   ? 2
                                                 : s->type == BF_TET4 ? 6
                                                                      : 1) +
                                        s->npins + (s->spring > 0));
  for (int i = 0; i < s->ncells; i++) put_cell(s, s->cell[i], &n);
  for (int k = 0; k < s->npins; k++) put("%d 15 2 %d %d %d\n", ++n, 10 + k, 10 + k, tag_of(s->pin[k].at));
  if (s->spring)
    put("%d 3 2 9 9 %d %d %d %d\n", ++n, tag_of(s->face[0]), tag_of(s->face[1]), tag_of(s->face[2]),
        tag_of(s->face[3]));
  put("$EndElements\n");
  if (bf_mesh_read_msh_memory("cells.msh", text, (size_t)used, &diags, &mesh) != BF_OK) {
    bf_diags_print(&diags, 0, stderr);
    fail_msg("%s", bf_err_trace());
  }
  T_OK(bf_mesh_check_jacobian(mesh, &diags));
  bf_diags_clear(&diags);
  return mesh;
}

/* The problem of a shape, its pins as displacement conditions. */
static inline void case_of(const t_shape *s, bf_analysis analysis, t_case *c)
{
  static bf_name name[PINS];
  static char    word[PINS][16];
  static bf_name face[] = {{.name = "face"}};
  t_case_create(c, BF_ELASTICITY, s->type, 1);
  bf_mesh_destroy(&c->mesh);
  c->mesh                = mesh_of(s);
  c->p.analysis          = analysis;
  c->p.modes             = 1;
  c->material[0].rho     = 1.0;
  c->material[0].has_rho = 1;
  assert_true(s->npins <= T_BOUNDARIES);
  for (int k = 0; k < s->npins; k++) {
    snprintf(word[k], sizeof word[k], "p%d", k);
    name[k]        = (bf_name){.name = word[k]};
    bf_boundary *b = t_condition(c, BF_BC_DISPLACEMENT, &name[k], 1);
    for (int i = 0; i < dim_of(s); i++) b->given[i] = s->pin[k].given[i];
  }
  if (s->spring) t_condition(c, BF_BC_SPRING, face, 1)->value[s->spring - 1] = t_number(5.0);
  if (s->spring) c->boundary[s->npins].given[s->spring - 1] = 1;
}
#endif

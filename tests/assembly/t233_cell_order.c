/* tests/assembly/t233_cell_order.c - recovery and the order of cells and nodes */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "tests/assembly/known_solution.h"

/* Fisher-Yates: perm[n] */
static bf_int *shuffled(bf_int n, uint64_t seed)
{
  bf_int *perm = bf_host_alloc((size_t)n, sizeof *perm);
  assert_non_null(perm);
  for (bf_int i = 0; i < n; i++) perm[i] = i;
  for (bf_int i = n - 1; i > 0; i--) {
    const bf_int j = (bf_int)(t_uniform(&seed) * (i + 1)), k = perm[i];
    perm[i] = perm[j];
    perm[j] = k;
  }
  return perm;
}

static void elastic_box(t_known *t, bf_elem_type type, bf_int cells)
{
  t_known_mesh(t, type, cells, 0.1);
  t_known_elastic(t, 2.0, 0.3);
  t_known_boundary(t, BF_BC_FIXED, 1, t->mesh->dim == 3 ? 6 : 4);
}

/* Gives node i the number perm[i] and mixes the cells of dimension dim. */
static void shuffle(bf_mesh *mesh, const bf_int *perm)
{
  double *x = bf_host_alloc(3 * (size_t)mesh->nnodes, sizeof *x);
  assert_non_null(x);
  for (bf_int i = 0; i < mesh->nnodes; i++) memcpy(x + 3 * perm[i], mesh->x + 3 * i, 3 * sizeof *x);
  bf_host_free(mesh->x);
  mesh->x = x;
  for (int b = 0; b < mesh->nblocks; b++) {
    bf_block *k   = &mesh->block[b];
    const int nen = bf_elem(k->type)->nnodes;
    for (bf_int i = 0; i < k->n * nen; i++) k->node[i] = perm[k->node[i]];
    if (bf_elem(k->type)->dim != mesh->dim) continue;
    bf_int *cell = shuffled(k->n, 11), *node = bf_host_alloc((size_t)(k->n * nen), sizeof *node);
    assert_non_null(node);
    for (bf_int e = 0; e < k->n; e++)
      memcpy(node + cell[e] * nen, k->node + e * nen, (size_t)nen * sizeof *node);
    bf_host_free(k->node);
    bf_host_free(cell);
    k->node = node;
  }
}

static void number_by(t_known *t, const bf_int *perm)
{
  for (bf_int i = 0; i < t->mesh->nnodes; i++) {
    t->num.row[perm[i]] = i + 3;
    t->num.node[i + 3]  = perm[i];
  }
}

/* The same body and displacement with nodes and cells in another order: the same nodal stress. */
static void nodal_values_do_not_depend_on_the_order_of_cells(void **state)
{
  (void)state;
  t_known t, r;
  elastic_box(&t, BF_TET4, 14);
  elastic_box(&r, BF_TET4, 14);
  bf_int *perm = shuffled(t.mesh->nnodes, 5);
  shuffle(r.mesh, perm);
  t_known_build(&t);
  t_known_build(&r);
  number_by(&r, perm);
  uint64_t seed = 2;
  for (bf_int i = 0; i < t.mesh->nnodes; i++)
    for (int c = 0; c < 3; c++)
      t.u[3 * t.num.row[i] + c] = r.u[3 * r.num.row[perm[i]] + c] = t_uniform(&seed);
  t.model->f_ext = bf_host_alloc((size_t)t.mesh->nnodes * 3, sizeof(double));
  r.model->f_ext = bf_host_alloc((size_t)t.mesh->nnodes * 3, sizeof(double));
  T_OK(bf_model_recover(t.model, &t.num, t.be, t.view, t.u, NULL, &t.solution));
  T_OK(bf_model_recover(r.model, &r.num, r.be, r.view, r.u, NULL, &r.solution));
  const bf_field *a = t_known_field(&t, "stress_nodal"), *b = t_known_field(&r, "stress_nodal");
  double          size = 0.0;
  for (bf_int i = 0; i < t.mesh->nnodes; i++)
    for (int c = 0; c < 6; c++) {
      size = fmax(size, fabs(a->data[6 * i + c]));
      T_NEAR(b->data[6 * perm[i] + c], a->data[6 * i + c], 1e-11);
    }
  assert_true(size > 1.0);
  bf_host_free(perm);
  t_known_close(&t);
  t_known_close(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodal_values_do_not_depend_on_the_order_of_cells),
  };
  return T_RUN(tests);
}

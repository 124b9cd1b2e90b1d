/* tests/assembly/mass_case.h - a mass matrix of a small model, assembled and dense on the host */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_ASSEMBLY_MASS_CASE_H
#define BF_TESTS_ASSEMBLY_MASS_CASE_H
#include "assembly/assemble/mass.h"
#include "assembly/model/internal.h"
#include "tests/assembly/solved_case.h"

typedef struct mass_case {
  t_case        c;
  bf_model     *m;
  bf_numbering *num;
  bf_matrix    *M;
  bf_int        n;
  double       *dense; /* [n][n] */
} mass_case;

static inline void t_mass_begin(mass_case *k, bf_physics physics, bf_elem_type type, bf_int cells)
{
  *k = (mass_case){0};
  t_case_create(&k->c, physics, type, cells);
  k->c.p.analysis  = BF_MODAL;
  k->c.p.thickness = 0.25;
}

static inline void t_mass_clear(mass_case *k)
{
  bf_matrix_destroy(&k->M);
  bf_numbering_destroy(&k->num);
  bf_model_destroy(&k->m);
  bf_host_free(k->dense);
  t_case_clear(&k->c);
}

/* Model, numbering and mass matrix, in the format. */
static inline void t_mass_make(mass_case *k, t_format format, bf_mass kind, int constrained)
{
  k->m            = t_model(&k->c);
  const int ncomp = bf_model_ncomp(k->m);
  T_OK(bf_numbering_create(k->c.mesh, BF_ORDER_AUTO, &k->num));
  if (format == T_CSR) {
    bf_graph *g = NULL;
    T_OK(bf_numbering_pattern(k->c.mesh, k->num, &g));
    T_OK(bf_matrix_create_csr(t_be, g, ncomp, BF_FP64, &k->M));
    bf_graph_destroy(&g);
  } else
    T_OK(bf_matrix_create_bdia(t_be, k->num->bands, ncomp, format == T_BDIA_HALF, BF_FP64,
                               k->num->nnz * ncomp * ncomp, &k->M));
  T_OK(bf_model_mass(k->m, k->num, kind, constrained, k->M, NULL));
  k->n = k->M->nrows;
  T_OK(BF_NEW_ARRAY(k->dense, (size_t)k->n * (size_t)k->n));
  T_OK(bf_matrix_to_dense(k->M, k->dense));
}

static inline double t_mass_entry(const mass_case *k, bf_int i, bf_int j)
{
  return k->dense[(size_t)i * (size_t)k->n + (size_t)j];
}
#endif
